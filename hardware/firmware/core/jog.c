#include "jog.h"

#include "build.h"
#include "clock.h"
#include "config.h"
#include "devices.h"
#include "diagnose.h"
#include "dice.h"
#include "duty.h"
#include "inputs.h"
#include "interlocks.h"
#include "lifts.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"

#define GO_LONGEST_MS 2000u
#define RELEASED_MS 200u    /* so long off, and the next go begins */
#define COUNT_LONGEST_MS 20000u
#define COUNT_RENEW_MS 500u
#define COUNT_DEADMAN_MS 900u
#define NONE 0xFFu

#define BIT(motor) (1u << (motor))
#define FEEDS (15u << M_FEED_1)
#define STACKERS (15u << M_STACK_1)
#define G_SERVICE (G_ESTOP | G_NOT_STOPPED | G_LID)

/* The rules that protect hands hold here as everywhere; only homing is not asked for, since it may be what fails. */
static const struct {
    uint16_t motors;
    uint8_t guards;
} NEEDS[] = {
    {BIT(M_TRAY_RAISE) | BIT(M_TRAY_LOWER), G_SERVICE | G_DOME_DOWN},
    {BIT(M_DOME_RAISE) | BIT(M_DOME_LOWER), G_SERVICE | G_TRAYS_DOWN},
    {FEEDS | STACKERS | BIT(M_TURN) | BIT(M_RING), G_SERVICE | G_DOME_DOWN | G_TRAYS_DOWN},
    {BIT(M_DICE), G_DICE},
};

static uint8_t jogged, side_counted, wanted, counted;
static uint32_t go_began[MOTOR_COUNT], held_at[MOTOR_COUNT];
static uint16_t count_began, renewed; /* a count test is over within 20 s */
static bool odd[4]; /* one tile waits in the stacker for its second */

void jog_init(void) {
    jogged = side_counted = NONE;
    counted = 0;
    memset(odd, 0, sizeof odd);
}

static uint8_t needs(uint8_t actuator) {
    for (uint8_t i = 0; i < sizeof NEEDS / sizeof NEEDS[0]; i++) {
        if (NEEDS[i].motors >> actuator & 1u) {
            return NEEDS[i].guards;
        }
    }
    return 0;
}

uint8_t jog_run(uint8_t actuator, uint16_t run_ms, uint32_t now) {
    if (actuator >= MOTOR_COUNT || needs(actuator) == 0 || run_ms > GO_LONGEST_MS) {
        return REASON_BAD_VALUE;
    }
    if (run_ms == 0) {
        jog_end(now);
        return REASON_NONE;
    }
    uint8_t reason = interlocks_check(needs(actuator));
#ifndef MUTANT_JOG_TWO
    bool thrown = actuator == M_DICE && !dice_are_still(); /* a throw has its own end */
    if (reason == REASON_NONE && (motors_on() & (uint16_t)~BIT(actuator) || side_counted != NONE || thrown)) {
        reason = REASON_BUSY;
    }
#endif
    if (reason == REASON_NONE && duty_rests(BIT(actuator))) {
        reason = REASON_RESTING;
    }
    if (reason != REASON_NONE) {
        return reason;
    }
    jogged = actuator;
    if (now - held_at[actuator] >= RELEASED_MS) {
        go_began[actuator] = now;
    }
    uint32_t gone = now - go_began[actuator];
#ifdef MUTANT_JOG_LONGEST
    gone = 0;
#endif
    if (gone >= GO_LONGEST_MS) {
        held_at[actuator] = now;
        return REASON_RESTING; /* let go first */
    }
    if (BIT(actuator) & (FEEDS | STACKERS)) {
        build_wall_taken(); /* whatever was counted, this changes it */
    }
    motors_beat(); /* a finger or an order: somebody lives */
    held_at[actuator] = now;
    if (!lift_at_limit(actuator)) {
        uint32_t left = GO_LONGEST_MS - gone;
        motor_run(actuator, run_ms < left ? run_ms : (uint16_t)left);
    }
    return REASON_NONE;
}

/* ---------------------------------------------------------------- counting */

bool jog_counting(uint8_t side) { return side_counted == side - 1u; }
uint8_t jog_counted(void) { return counted; }

uint8_t jog_count(uint8_t side, uint8_t tiles, uint32_t now) {
    if (side < 1u || side > 4u || tiles < 1u || tiles > 36u) {
        return REASON_BAD_VALUE;
    }
    uint8_t reason = interlocks_check(G_SERVICE | G_DOME_DOWN | G_TRAYS_DOWN | G_STACKERS_HOME);
    if (reason == REASON_NONE && (motors_on() != 0 || side_counted != NONE)) {
        reason = REASON_BUSY;
    }
    if (reason != REASON_NONE) {
        return reason;
    }
    build_wall_taken();
    motors_beat();
    side_counted = (uint8_t)(side - 1u);
    wanted = tiles;
    counted = 0;
    count_began = (uint16_t)now;
    renewed = (uint16_t)(now - COUNT_RENEW_MS);
    return REASON_NONE;
}

static void count_over(uint32_t now) {
    motors_off(FEEDS | BIT(M_TURN) | BIT(M_RING));
    uint16_t took = ms_since(now, count_began);
    count_tested_t tested = {(uint8_t)(side_counted + 1u), counted, took};
    uint8_t payload[LEN_COUNT_TESTED];
    pack_count_tested(&tested, payload);
    link_event(MSG_COUNT_TESTED, payload, LEN_COUNT_TESTED);
    side_counted = NONE;
}

static void count_task(uint32_t now) {
    uint8_t jam = (uint8_t)(IN_JAM_1 + side_counted);
    if (diagnose_pulse(side_counted) == PULSE_TILE) {
        counted++;
        odd[side_counted] = !odd[side_counted];
        if (!odd[side_counted]) {
            stacker_start(side_counted, now); /* two are a stack: the third would find no room */
        }
    }
    if (input_is(jam) && input_age_ms(jam, now) > config()->jam_ms && ms_since(now, count_began) > config()->jam_ms) {
        machine_fault((uint16_t)(301u + side_counted), (uint8_t)(side_counted + 1u), input_age_ms(jam, now));
        return;
    }
    if (stacker_task(side_counted, now)) {
        return; /* its push is finished before anything is said to be over */
    }
    if (counted >= wanted || ms_since(now, count_began) >= COUNT_LONGEST_MS) {
        count_over(now);
    } else if (ms_since(now, renewed) >= COUNT_RENEW_MS) {
        renewed = (uint16_t)now;
        motor_run(M_TURN, COUNT_DEADMAN_MS);
        motor_run(M_RING, COUNT_DEADMAN_MS);
        motor_run((uint8_t)(M_FEED_1 + side_counted), COUNT_DEADMAN_MS);
    }
}

/* ---------------------------------------------------------------- both */

void jog_end(uint32_t now) {
    if (side_counted != NONE) {
        wanted = 0; /* over with the next step, or when its stack is pushed */
        motors_off(FEEDS | BIT(M_TURN) | BIT(M_RING));
    } else if (jogged != NONE) {
        motor_off(jogged);
    }
    (void)now;
}

void jog_stopped(void) { jogged = side_counted = NONE; }

void jog_task(uint32_t now) {
    if (jogged != NONE && (motors_on() & BIT(jogged))) {
        held_at[jogged] = now;
        if (lift_at_limit(jogged)) {
            motor_off(jogged);
        }
    }
    if (side_counted != NONE) {
        count_task(now);
    }
}
