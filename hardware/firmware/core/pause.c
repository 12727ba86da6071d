#include "pause.h"

#include "build.h"
#include "clock.h"
#include "devices.h"
#include "inputs.h"
#include "interlocks.h"
#include "lifts.h"
#include "machine.h"
#include "motors.h"
#include "programme.h"
#include "protocol.h"

#define TOGETHER_MS 300u /* nobody presses two keys at the very same moment */

enum { STANDING, RAISING, OPEN, LOWERING };

static uint8_t step;
static bool close_again; /* asked for before it was open */
static uint32_t pressed_at[2];
static bool pressed[2];

void pause_init(void) {
    step = STANDING;
    START_AT_ZERO(pressed);
}

bool pause_is_moving(void) { return step != OPEN; }

static void begin(uint32_t now) {
    step = STANDING;
    close_again = false;
    machine_trigger(T_PAUSE);
    build_stand(now);
}

/* The dome comes down: nothing may have been left open, and no stacker turned by hand. */
static uint8_t may_close(void) {
    return step != OPEN ? REASON_NONE
                        : interlocks_check(G_ESTOP | G_NOT_STOPPED | G_LID | G_TRAYS_DOWN | G_STACKERS_HOME);
}

static void close(uint32_t now) {
    if (step != OPEN) {
        close_again = true;
    } else {
        step = LOWERING;
        lift_start(TARGET_DOME, DIRECTION_DOWN, now);
    }
}

uint8_t pause_order(bool on, uint32_t now) {
    uint8_t reason = interlocks_check(G_ESTOP | G_NOT_STOPPED);
    if (reason != REASON_NONE) {
        return reason;
    }
    bool paused = machine_state() == STATE_PAUSED;
    if (!paused && machine_state() != STATE_BUILDING) {
        return REASON_BAD_VALUE; /* nothing is built */
    }
    if (on && paused && step == LOWERING) {
        reason = REASON_BUSY;
    } else if (!on && paused) {
        reason = may_close();
    }
    if (reason != REASON_NONE) {
        return reason;
    }
    motors_beat();
    if (on && !paused) {
        begin(now);
    } else if (!on && paused) {
        close(now);
    }
    return REASON_NONE;
}

static void keys_task(uint32_t now) {
    for (uint8_t key = 0; key < 2; key++) {
        if (!input_rose((uint8_t)(IN_KEY_LIFT_A + key))) {
            continue;
        }
        bool together = pressed[1 - key] && now - pressed_at[1 - key] <= TOGETHER_MS;
        pressed[key] = true;
        pressed_at[key] = now;
        if (machine_state() == STATE_PAUSED && may_close() == REASON_NONE) {
            close(now);
        } else if (together && machine_state() == STATE_BUILDING) {
            begin(now);
            pressed[0] = pressed[1] = false;
        }
    }
}

static void raise_dome(uint32_t now) {
    if (tray_missing(DIRECTION_DOWN)) { /* nothing ran, so nobody watched them */
        return;
    }
    step = RAISING;
    lift_start(TARGET_DOME, DIRECTION_UP, now);
}

static void go_on(uint32_t now) {
    for (uint8_t side = 0; side < 4; side++) {
        if (!input_is((uint8_t)(IN_STACK_HOME_1 + side))) { /* a hand turned it */
            machine_fault((uint16_t)(311u + side), (uint8_t)(side + 1u), 0);
            return;
        }
    }
    machine_trigger(T_GO_ON);
    build_go_on(now);
}

static void step_on(uint32_t now) {
    switch (step) {
    case STANDING:
#ifdef MUTANT_PAUSE_DOME
        build_stands(now);
        if (true) {
#else
        if (build_stands(now) && !motors_locked() && !input_is(IN_LID)) {
#endif
            raise_dome(now);
        }
        return;
    case RAISING:
        if (lift_is_there()) {
            step = OPEN;
            if (close_again && may_close() == REASON_NONE) {
                close(now);
            }
        }
        return;
    case LOWERING:
        if (lift_is_there()) {
            go_on(now);
        }
        return;
    default: return;
    }
}

void pause_task(uint32_t now) {
    if (inputs_edges(4)) {
        keys_task(now);
    }
    if (machine_state() == STATE_PAUSED) {
        programme_task(now);
        step_on(now);
    }
}
