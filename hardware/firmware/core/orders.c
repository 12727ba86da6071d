#include "orders.h"

#include "build.h"
#include "config.h"
#include "devices.h"
#include "dice.h"
#include "duty.h"
#include "hal.h"
#include "interlocks.h"
#include "lifts.h"
#include "machine.h"
#include "motors.h"
#include "panel.h"
#include "pause.h"
#include "service.h"
#include "update.h"
#include "wall.h"

#define DICE_SHORTEST_MS 500u
#define DICE_LONGEST_MS 3000u

#define HOME_MOTORS (1u << M_DOME_LOWER | 1u << M_TRAY_LOWER | 15u << M_STACK_1)
#define BUILD_MOTORS (1u << M_TURN | 1u << M_RING | 15u << M_FEED_1 | 15u << M_STACK_1)

/* The last thing that an order needs: motors that have not run too much. */
static uint8_t if_rested(uint8_t reason, uint16_t motors) {
    return reason == REASON_NONE && duty_rests(motors) ? REASON_RESTING : reason;
}

/* An accepted order is a sign of life; what follows from it later is none. */
static bool accepted(uint8_t reason) {
    if (reason == REASON_NONE) {
        motors_beat();
    }
    return reason == REASON_NONE;
}

static uint8_t order_home(const uint8_t *payload, uint32_t now) {
    (void)payload;
    uint8_t reason = if_rested(interlocks_check(G_MOTION), HOME_MOTORS);
    if (accepted(reason)) {
        machine_homes(now);
    }
    return reason;
}

static uint8_t order_lift(const uint8_t *payload, uint32_t now) {
    if (payload[0] > TARGET_DOME || payload[1] > DIRECTION_DOWN) {
        return REASON_BAD_VALUE;
    }
    uint8_t reason = interlocks_check(G_MOTION | G_HOMED | (payload[0] == TARGET_TRAYS ? G_DOME_DOWN : G_TRAYS_DOWN));
    reason = if_rested(reason, (uint16_t)(1u << lift_motor(payload[0], payload[1])));
    if (accepted(reason)) {
        machine_lifts(payload[0], payload[1], now);
    }
    return reason;
}

static uint8_t order_build(const uint8_t *payload, uint32_t now) {
    uint8_t reason = interlocks_check(G_MOTION | G_HOMED | G_DOME_DOWN | G_TRAYS_DOWN | G_STACKERS_HOME);
    reason = if_rested(reason, BUILD_MOTORS);
    if (reason == REASON_NONE) {
        build_t wanted;
        unpack_build(payload, &wanted);
        reason = wall_plan(&wanted); /* last of all: it is remembered */
    }
    if (accepted(reason)) {
        machine_trigger(T_BUILD);
        build_start(now);
    }
    return reason;
}

static uint8_t order_pause(const uint8_t *payload, uint32_t now) {
    return payload[0] > 1u ? REASON_BAD_VALUE : pause_order(payload[0], now);
}

static uint8_t order_dice(const uint8_t *payload, uint32_t now) {
    (void)now;
    dice_t wanted;
    unpack_dice(payload, &wanted);
    if (wanted.spin_ms < DICE_SHORTEST_MS || wanted.spin_ms > DICE_LONGEST_MS) {
        return REASON_BAD_VALUE;
    }
    /* The dice throw no tiles about: no homing, no rest of the machine is asked for. */
    uint8_t reason = interlocks_check(G_DICE);
    if (reason == REASON_NONE && (!dice_are_still() || (motors_on() >> M_DICE & 1u))) { /* thrown, or jogged */
        reason = REASON_BUSY;
    }
    reason = if_rested(reason, 1u << M_DICE);
    if (accepted(reason)) {
        dice_spin(wanted.spin_ms);
    }
    return reason;
}

static uint8_t order_lamp(const uint8_t *payload, uint32_t now) {
    (void)now;
    return panel_light(payload[0]);
}

static uint8_t order_lamp_test(const uint8_t *payload, uint32_t now) {
    (void)now;
    lamp_test_t wanted;
    unpack_lamp_test(payload, &wanted);
    return panel_test(wanted.lamps, wanted.run_ms);
}

static uint8_t order_service(const uint8_t *payload, uint32_t now) {
    service_t wanted;
    unpack_service(payload, &wanted);
    return service_order(wanted.on, wanted.code, now);
}

static uint8_t order_jog(const uint8_t *payload, uint32_t now) {
    jog_t wanted;
    unpack_jog(payload, &wanted);
    return service_jog(wanted.actuator, wanted.run_ms, now);
}

static uint8_t order_count_test(const uint8_t *payload, uint32_t now) {
    count_test_t wanted;
    unpack_count_test(payload, &wanted);
    return service_count(wanted.side, wanted.tiles, now);
}

static uint8_t order_stop(const uint8_t *payload, uint32_t now) {
    (void)payload;
    (void)now;
    hal_irq_t irq = hal_irq_off();
    motors_stop_isr(MOTOR_STOP_RAW);
    hal_irq_back(irq);
    machine_take_stops();
    return REASON_NONE;
}

static uint8_t order_clear(const uint8_t *payload, uint32_t now) {
    (void)now;
    return machine_clear_fault(payload[0]);
}

static uint8_t order_config(const uint8_t *payload, uint32_t now) {
    (void)now;
    uint8_t reason = interlocks_check(G_IDLE); /* no value changes under something that counts on it */
    return reason == REASON_NONE ? config_write(payload) : reason;
}

static const struct {
    uint8_t code;
    uint8_t (*act)(const uint8_t *payload, uint32_t now);
} ORDERS[] = {
    {MSG_HOME, order_home},
    {MSG_BUILD, order_build},
    {MSG_PAUSE, order_pause},
    {MSG_LIFT, order_lift},
    {MSG_DICE, order_dice},
    {MSG_LAMP, order_lamp},
    {MSG_LAMP_TEST, order_lamp_test},
    {MSG_SERVICE, order_service},
    {MSG_JOG, order_jog},
    {MSG_COUNT_TEST, order_count_test},
    {MSG_STOP, order_stop},
    {MSG_CLEAR_FAULT, order_clear},
    {MSG_ENTER_UPDATE, update_order},
    {MSG_WRITE_CONFIG, order_config},
};

uint8_t orders_act(uint8_t code, const uint8_t *payload, uint32_t now) {
    for (uint8_t i = 0; i < sizeof ORDERS / sizeof ORDERS[0]; i++) {
        if (ORDERS[i].code == code) {
            return ORDERS[i].act(payload, now);
        }
    }
    return REASON_UNKNOWN_COMMAND;
}
