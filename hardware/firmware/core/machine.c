#include "machine.h"

#include "analog.h"
#include "build.h"
#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "lifts.h"
#include "link.h"
#include "motors.h"

#define STATUS_MOVING_MS 200u
#define STATUS_REST_MS 1000u
#define DICE_SHORTEST_MS 500u
#define DICE_LONGEST_MS 3000u
#define DICE_SETTLE_MS 600u
#define KEY_STUCK_MS 10000u
#define TO_REST 0xFFu

#define S(name) (1u << STATE_##name)
#define AT_REST (S(IDLE) | S(LOADING) | S(READY) | S(IN_PLAY))
#define MOVING (S(HOMING) | S(LIFTING) | S(BUILDING))
#define LATCHED (S(FAULT) | S(SAFE) | S(ESTOP) | S(STOPPED))

enum trigger { T_HOME, T_LIFT, T_BUILD, T_ARRIVED, T_FAULT, T_SILENT, T_ESTOP, T_STOP, T_CLEAR };

/* The machine's whole life; a pair that is not here is refused. The first row that fits counts. */
static const struct {
    uint16_t from;
    uint8_t trigger, to;
} TRANSITIONS[] = {
    {AT_REST, T_HOME, STATE_HOMING},
    {AT_REST, T_LIFT, STATE_LIFTING},
    {AT_REST, T_BUILD, STATE_BUILDING},
    {MOVING, T_ARRIVED, TO_REST},
    {AT_REST | MOVING | S(STOPPED) | S(SAFE) | S(FAULT), T_ESTOP, STATE_ESTOP},
    {AT_REST | MOVING | S(STOPPED), T_FAULT, STATE_FAULT},
    {AT_REST | MOVING, T_SILENT, STATE_SAFE},
    {AT_REST | MOVING, T_STOP, STATE_STOPPED},
    {LATCHED, T_CLEAR, TO_REST},
};

enum guard {
    G_LID = 1, G_ESTOP = 2, G_HOMED = 4, G_DOME_DOWN = 8, G_TRAYS_DOWN = 16, G_STACKERS_HOME = 32, G_IDLE = 64,
    G_NOT_STOPPED = 128
};

/* Interlocks, in the order in which they are told. */
static const struct {
    uint8_t guard, reason;
} REASONS[] = {
    {G_ESTOP, REASON_ESTOP},
    {G_NOT_STOPPED, REASON_LATCHED},
    {G_LID, REASON_LID_OPEN},
    {G_IDLE, REASON_BUSY},
    {G_HOMED, REASON_NOT_HOMED},
    {G_DOME_DOWN, REASON_DOME_NOT_DOWN},
    {G_TRAYS_DOWN, REASON_TRAYS_NOT_DOWN},
    {G_STACKERS_HOME, REASON_STACKER_NOT_HOME},
};
#define G_MOTION (G_ESTOP | G_NOT_STOPPED | G_LID | G_IDLE)

#define TRAY_MOTORS (1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER)
#define DOME_MOTORS (1u << M_DOME_RAISE | 1u << M_DOME_LOWER)
#define STACK_MOTORS (15u << M_STACK_1)

/* Mutants leave a rule out, to show that a campaign notices. Never in a build that is flashed. */
#if defined(MUTANT_LID)
#define LEFT_OUT G_LID
#elif defined(MUTANT_TRAYS_DOME_UP)
#define LEFT_OUT G_DOME_DOWN
#elif defined(MUTANT_DOME_TRAYS_UP)
#define LEFT_OUT G_TRAYS_DOWN
#elif defined(MUTANT_STACKER_NOT_HOME)
#define LEFT_OUT G_STACKERS_HOME
#elif defined(MUTANT_LATCHED)
#define LEFT_OUT G_NOT_STOPPED
#elif defined(MUTANT_NOT_HOMED)
#define LEFT_OUT G_HOMED
#elif defined(MUTANT_BUSY)
#define LEFT_OUT G_IDLE
#else
#define LEFT_OUT 0u
#endif
#if defined(MUTANT_DICE)
#define G_DICE (G_ESTOP | G_NOT_STOPPED | G_LID | G_HOMED)
#else
#define G_DICE (G_ESTOP | G_NOT_STOPPED | G_LID)
#endif

enum { DICE_STILL, DICE_SPINNING, DICE_SETTLING };

static uint8_t state, lamp, fault_side, lift_target, lift_direction, dice, keys_told;
static uint16_t fault_code;
static bool homed, push_status;
static uint32_t status_at, dice_since;

static void event1(uint8_t code, uint8_t value) { link_event(code, &value, 1); }

static void enter(uint8_t next) {
    if (next != state) {
        state = next;
        event1(MSG_STATE_CHANGED, state);
        push_status = true;
    }
}

static uint8_t resting_state(void) {
    if (!input_is(IN_DOME_DOWN) && input_is(IN_DOME_UP)) {
        return STATE_LOADING;
    }
    if (inputs_all(IN_TRAY_UP_1)) {
        return STATE_IN_PLAY;
    }
    return homed && build_complete() ? STATE_READY : STATE_IDLE;
}

static bool trigger(uint8_t what) {
    for (uint8_t i = 0; i < sizeof TRANSITIONS / sizeof TRANSITIONS[0]; i++) {
        if (TRANSITIONS[i].trigger == what && (TRANSITIONS[i].from >> state & 1u)) {
            enter(TRANSITIONS[i].to == TO_REST ? resting_state() : TRANSITIONS[i].to);
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- stops and faults */

static void halt(uint8_t reason) {
    if (state == STATE_HOMING || state == STATE_LIFTING || (state == STATE_BUILDING && build_interrupted_turning())) {
        homed = false; /* something stands where no sensor is */
    }
    motors_lock();
    stackers_forget();
    dice = DICE_STILL;
    event1(MSG_STOPPED, reason);
    push_status = true;
}

static void tell_fault(uint16_t code, uint8_t side, uint16_t detail) {
    uint8_t payload[LEN_FAULT];
#ifdef MUTANT_WRONG_SIDE
    side = side ? (uint8_t)(side % 4u + 1u) : 0;
#endif
    pack_fault(&(fault_t){code, side, detail}, payload);
    link_event(MSG_FAULT, payload, LEN_FAULT);
}

static void latch(uint8_t what, uint8_t reason, uint16_t code, uint8_t side, uint16_t detail) {
    halt(reason);
    fault_code = code;
    fault_side = side;
    tell_fault(code, side, detail);
    trigger(what);
}

void machine_fault(uint16_t code, uint8_t side, uint16_t detail) {
    if (!(LATCHED >> state & 1u)) {
        latch(T_FAULT, STOP_REASON_FAULT, code, side, detail);
    }
}

void machine_warn(uint16_t code, uint8_t side, uint16_t detail) { tell_fault(code, side, detail); }

static void take_stops(void) {
    uint8_t why = motors_take_stops();
    if ((why & MOTOR_STOP_ESTOP) || (input_is(IN_ESTOP) && state != STATE_ESTOP)) {
        if (state != STATE_ESTOP) {
            latch(T_ESTOP, STOP_REASON_ESTOP, 602u, 0, 0);
        }
    } else if (why & MOTOR_STOP_HEARTBEAT) {
        if (LATCHED >> state & 1u) {
            motors_lock();
        } else {
            latch(T_SILENT, STOP_REASON_HEARTBEAT, 201u, 0, HEARTBEAT_LIMIT_MS);
        }
    } else if (why & MOTOR_STOP_RAW) {
        if (LATCHED >> state & 1u) {
            motors_lock(); /* the latch stays what it was */
        } else {
            halt(STOP_REASON_HOST);
            trigger(T_STOP);
        }
    }
    if (why) {
        push_status = true;
    }
}

static uint16_t voltage_fault(void) {
#ifndef MUTANT_SUPPLY_LOW
    if (analog_is_low(AN_MOTOR_SUPPLY)) {
        return 102u;
    }
#endif
    return analog_is_low(AN_TEMPERATURE) ? 511u : 0;
}

static uint8_t clear_fault(uint8_t stop_number) {
    if (input_is(IN_ESTOP) || hal_estop_pressed()) {
        return REASON_ESTOP;
    }
    if (voltage_fault() != 0) {
        return REASON_LATCHED; /* its cause must be gone */
    }
    take_stops(); /* one that came with this very byte counts */
    if (LATCHED >> state & 1u) {
        if (!motors_unlock(stop_number)) {
            return REASON_STOPPED_SINCE;
        }
        fault_code = 0;
        fault_side = 0;
        link_event(MSG_FAULT_CLEARED, 0, 0);
        trigger(T_CLEAR);
    }
    return REASON_NONE;
}

/* ---------------------------------------------------------------- orders */

static bool fails(uint8_t guard) {
    switch (guard) {
    case G_ESTOP: return input_is(IN_ESTOP) || hal_estop_pressed() || state == STATE_ESTOP;
    case G_NOT_STOPPED: return (LATCHED >> state & 1u) || motors_locked();
    case G_LID: return input_is(IN_LID);
    case G_IDLE: return !(AT_REST >> state & 1u);
    case G_HOMED: return !homed;
    case G_DOME_DOWN: return !input_is(IN_DOME_DOWN);
    case G_TRAYS_DOWN: return !inputs_all(IN_TRAY_DOWN_1);
    default: return !inputs_all(IN_STACK_HOME_1);
    }
}

static uint8_t check(uint8_t guards) {
    for (uint8_t i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++) {
        if ((guards & (uint8_t)~LEFT_OUT & REASONS[i].guard) && fails(REASONS[i].guard)) {
            return REASONS[i].reason;
        }
    }
    return REASON_NONE;
}

/* An accepted order is a sign of life; what follows from it later is none. */
static bool accepted(uint8_t reason) {
    if (reason == REASON_NONE) {
        motors_beat();
    }
    return reason == REASON_NONE;
}

static uint8_t order_lift(const uint8_t *payload, uint32_t now) {
    if (payload[0] > TARGET_DOME || payload[1] > DIRECTION_DOWN) {
        return REASON_BAD_VALUE;
    }
    uint8_t reason = check(G_MOTION | G_HOMED | (payload[0] == TARGET_TRAYS ? G_DOME_DOWN : G_TRAYS_DOWN));
    if (accepted(reason)) {
        lift_target = payload[0];
        lift_direction = payload[1];
        trigger(T_LIFT);
        lift_start(lift_target, lift_direction, now);
    }
    return reason;
}

static uint8_t order_build(uint8_t tiles, uint32_t now) {
    uint8_t reason = check(G_MOTION | G_HOMED | G_DOME_DOWN | G_TRAYS_DOWN | G_STACKERS_HOME);
    if (reason == REASON_NONE) {
        reason = build_order(tiles);
    }
    if (accepted(reason)) {
        trigger(T_BUILD);
        build_start(now);
    }
    return reason;
}

static uint8_t order_dice(const uint8_t *payload) {
    dice_t wanted;
    unpack_dice(payload, &wanted);
    if (wanted.spin_ms < DICE_SHORTEST_MS || wanted.spin_ms > DICE_LONGEST_MS) {
        return REASON_BAD_VALUE;
    }
    /* The dice throw no tiles about: no homing, no rest of the machine is asked for. */
    uint8_t reason = check(G_DICE);
    if (reason == REASON_NONE && dice != DICE_STILL) {
        reason = REASON_BUSY;
    }
    if (accepted(reason)) {
        dice = DICE_SPINNING;
        motor_run(M_DICE, wanted.spin_ms);
    }
    return reason;
}

uint8_t machine_order(uint8_t code, const uint8_t *payload, uint32_t now) {
    uint8_t reason;
    switch (code) {
    case MSG_HOME:
        reason = check(G_MOTION);
        if (accepted(reason)) {
            trigger(T_HOME);
            home_start(now);
        }
        return reason;
    case MSG_LIFT: return order_lift(payload, now);
    case MSG_BUILD: return order_build(payload[0], now);
    case MSG_DICE: return order_dice(payload);
    case MSG_LAMP:
        if (payload[0] > 4u) {
            return REASON_BAD_VALUE;
        }
        lamp = payload[0];
        hal_write_lamps(lamp ? (uint8_t)(1u << (lamp - 1u)) : 0);
        return REASON_NONE;
    case MSG_STOP: {
        hal_irq_t irq = hal_irq_off();
        motors_stop_isr(MOTOR_STOP_RAW);
        hal_irq_back(irq);
        take_stops();
        return REASON_NONE;
    }
    case MSG_CLEAR_FAULT: return clear_fault(payload[0]);
    default: return REASON_UNKNOWN_COMMAND;
    }
}

void machine_set_homed(void) { homed = true; }
bool machine_is_homed(void) { return homed; }

void machine_arrived(void) {
    uint8_t was = state;
    trigger(T_ARRIVED);
    if (was == STATE_HOMING) {
        link_event(MSG_HOME_DONE, 0, 0);
    } else if (was == STATE_LIFTING) {
        if (lift_target == TARGET_TRAYS && lift_direction == DIRECTION_UP) {
            build_wall_taken();
        }
        uint8_t payload[LEN_LIFT_DONE] = {lift_target, lift_direction};
        link_event(MSG_LIFT_DONE, payload, LEN_LIFT_DONE);
    }
}

/* ---------------------------------------------------------------- every millisecond */

static void dice_task(uint32_t now) {
    if (dice == DICE_SPINNING && !(motors_on() & 1u << M_DICE)) {
        dice = DICE_SETTLING;
        dice_since = now;
    } else if (dice == DICE_SETTLING && now - dice_since >= DICE_SETTLE_MS) {
        dice = DICE_STILL;
        link_event(MSG_DICE_DONE, 0, 0);
        push_status = true;
    }
}

static void keys_task(uint32_t now) {
    for (uint8_t key = 0; key < KEY_COUNT; key++) {
        uint8_t id = (uint8_t)(IN_KEY_LIFT_A + key), mask = (uint8_t)(1u << key);
        if (input_rose(id) || input_fell(id)) {
            uint8_t payload[LEN_KEY] = {key, input_is(id)};
            link_event(MSG_KEY, payload, LEN_KEY);
            keys_told &= (uint8_t)~mask;
        } else if (input_is(id) && !(keys_told & mask) && input_age_ms(id, now) > KEY_STUCK_MS) {
            keys_told |= mask;
            machine_warn(501u, key < 2 ? 0 : (uint8_t)(key - 1u), key);
        }
    }
}

static void status_task(uint32_t now) {
    bool moving = motors_on() != 0;
    if (push_status || (int32_t)(now - status_at) >= 0) {
        push_status = false;
        status_at = now + (moving ? STATUS_MOVING_MS : STATUS_REST_MS);
        status_report_t report;
        uint8_t payload[LEN_STATUS_REPORT];
        machine_status(&report, now);
        pack_status_report(&report, payload);
        link_note(MSG_STATUS_REPORT, payload, LEN_STATUS_REPORT);
    }
}

/* Interlocks also hold on the way: what an order was allowed to count on may change under it. */
static void watch(uint16_t on) {
#ifndef MUTANT_LID_OPENED
    if (input_is(IN_LID)) {
        if (LATCHED >> state & 1u) {
            motors_lock();
        } else {
            latch(T_FAULT, STOP_REASON_LID, 601u, 0, 0);
        }
        return;
    }
#endif
#ifndef MUTANT_ON_THE_WAY
    bool building = state == STATE_BUILDING;
    if ((building || (on & TRAY_MOTORS)) && !input_is(IN_DOME_DOWN)) {
        machine_fault(412u, 0, 1u);
    } else if (inputs_all(IN_TRAY_DOWN_1)) {
        return;
    } else if (building || (on & STACK_MOTORS) || ((on & DOME_MOTORS) && state != STATE_HOMING)) {
        for (uint8_t side = 0; side < 4; side++) {
            if (!input_is((uint8_t)(IN_TRAY_DOWN_1 + side))) {
                machine_fault((uint16_t)(401u + side), (uint8_t)(side + 1u), DIRECTION_DOWN);
                return;
            }
        }
    }
#else
    (void)on;
#endif
}

void machine_task(uint32_t now) {
    take_stops();
    switch (voltage_fault()) {
    case 102: machine_fault(102u, 0, analog_millivolt(AN_MOTOR_SUPPLY)); break;
    case 511: machine_fault(511u, 0, analog_millivolt(AN_TEMPERATURE)); break;
    default: break;
    }
    uint16_t on = motors_on();
    if (on != 0) {
        watch(on);
    }
    if (state == STATE_BUILDING) {
        build_task(now);
    } else {
        build_coast(now);
    }
    if (state == STATE_LIFTING) {
        lift_task(now);
    } else if (state == STATE_HOMING) {
        home_task(now);
    }
    if (dice != DICE_STILL) {
        dice_task(now);
    }
    if (inputs_stable()[4] != 0 || inputs_edges(4)) {
        keys_task(now);
    }
    status_task(now);
}

void machine_push_status(void) { push_status = true; }

void machine_status(status_report_t *out, uint32_t now) {
    const uint8_t *in = inputs_stable();
    const link_counters_t *counters = link_counters();
    out->state = state;
    out->fault = fault_code;
    out->side = fault_side;
    out->stopped = motors_locked();
    out->homed = homed;
    out->trays = trays_position();
    out->dome = dome_position();
    out->tiles = build_tiles();
    out->count_1 = build_count(0);
    out->count_2 = build_count(1);
    out->count_3 = build_count(2);
    out->count_4 = build_count(3);
    out->lamp = lamp;
    out->sensors = (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
    out->keys = in[4];
    out->actuators = motors_on();
    out->uptime_ms = now;
    out->frames = counters->frames;
    out->crc_errors = counters->crc_errors;
    out->cobs_errors = counters->cobs_errors;
    out->overruns = hal_overruns();
    out->duplicates = counters->duplicates;
    out->events_lost = counters->events_lost;
    out->stops = motors_stop_number();
}

void machine_init(void) {
    state = STATE_IDLE;
    homed = push_status = false;
    fault_code = 0;
    fault_side = lamp = keys_told = 0;
    dice = DICE_STILL;
    status_at = 0;
    hal_write_lamps(0);
    state = resting_state();
    if (input_is(IN_ESTOP)) {
        motors_lock();
        state = STATE_ESTOP;
        fault_code = 602u;
    }
}
