#include "interlocks.h"

#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "lifts.h"
#include "machine.h"
#include "motors.h"

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

#define TRAY_MOTORS (1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER)
#define DOME_MOTORS (1u << M_DOME_RAISE | 1u << M_DOME_LOWER)
#define STACK_MOTORS (15u << M_STACK_1)
#define DRUM_MOTORS (1u << M_TURN | 1u << M_RING | 15u << M_FEED_1)

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

static bool fails(uint8_t guard) {
    switch (guard) {
    case G_ESTOP: return input_is(IN_ESTOP) || hal_estop_pressed() || machine_state() == STATE_ESTOP;
    case G_NOT_STOPPED: return machine_is_latched() || motors_locked();
    case G_LID: return input_is(IN_LID);
    case G_IDLE: return !machine_is_at_rest();
    case G_HOMED: return !machine_is_homed();
    case G_DOME_DOWN: return !dome_is_down();
    case G_TRAYS_DOWN: return !trays_are_down();
    default: return !inputs_all(IN_STACK_HOME_1);
    }
}

uint8_t interlocks_check(uint8_t guards) {
    for (uint8_t i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++) {
        if ((guards & (uint8_t)~LEFT_OUT & REASONS[i].guard) && fails(REASONS[i].guard)) {
            return REASONS[i].reason;
        }
    }
    return REASON_NONE;
}

/* Interlocks also hold on the way: what an order was allowed to count on may change under it. */
void interlocks_watch(uint16_t on) {
#ifndef MUTANT_LID_OPENED
    if (input_is(IN_LID)) {
        if (machine_is_latched()) {
            motors_lock();
        } else {
            machine_latch(T_FAULT, STOP_REASON_LID, 601u, 0, 0);
        }
        return;
    }
#endif
#ifndef MUTANT_ON_THE_WAY
    bool building = machine_state() == STATE_BUILDING || (on & DRUM_MOTORS);
    if ((building || (on & (TRAY_MOTORS | STACK_MOTORS))) && !input_is(IN_DOME_DOWN)) {
        machine_fault(412u, 0, 1u);
    } else if (inputs_all(IN_TRAY_DOWN_1)) {
        return;
    } else if (building || (on & STACK_MOTORS) || ((on & DOME_MOTORS) && machine_state() != STATE_HOMING)) {
        tray_missing(DIRECTION_DOWN);
    }
#else
    (void)on;
#endif
}
