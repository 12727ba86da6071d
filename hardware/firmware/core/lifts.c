#include "lifts.h"

#include "clock.h"
#include "current.h"
#include "devices.h"
#include "inputs.h"
#include "machine.h"
#include "motors.h"

#define TRAY_LONGEST_MS 4000u
#define DOME_LONGEST_MS 3000u
#define STACKER_LONGEST_MS 900u
#define STACKER_LEAVES_MS 300u
#define STACKER_USUAL_MS 500u
#define STACKER_UNCLEAR_MS 600u

enum { HOME_DOME, HOME_TRAYS, HOME_STACKERS };

static uint8_t motor, home_step; /* motor: of the last lift */
static uint16_t turning_since[4];
static bool turning[4], ordered[4], left_home[4];
static bool backed[4]; /* it was turned back from home: the home it comes to next is where it began */

_Static_assert(M_TRAY_LOWER == M_TRAY_RAISE + DIRECTION_DOWN && M_DOME_RAISE == M_TRAY_RAISE + 2 * TARGET_DOME &&
                   M_DOME_LOWER == M_DOME_RAISE + DIRECTION_DOWN,
               "a lift's motor is computed");
_Static_assert(IN_TRAY_UP_1 == 16 && IN_TRAY_DOWN_1 == 20 && IN_DOME_UP == 24 && IN_DOME_DOWN == 25,
               "all limits of a lift are read at once");

/* One end counts only while the switches of the other are off: of two that are on one is held by something. */
bool trays_are_down(void) { return inputs_stable()[2] == 0xF0u; }
bool dome_is_down(void) { return (inputs_stable()[3] & 3u) == 2u; }
uint8_t trays_held(void) { return inputs_stable()[2] & inputs_stable()[2] >> 4; }
bool dome_is_held(void) { return (inputs_stable()[3] & 3u) == 3u; }

uint8_t trays_position(void) {
    if (motors_on() & (1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER)) {
        return POSITION_MOVING;
    }
    return trays_are_down() ? POSITION_DOWN : inputs_stable()[2] == 0x0Fu ? POSITION_UP : POSITION_UNKNOWN;
}

uint8_t dome_position(void) {
    if (motors_on() & (1u << M_DOME_RAISE | 1u << M_DOME_LOWER)) {
        return POSITION_MOVING;
    }
    return dome_is_down() ? POSITION_DOWN : (inputs_stable()[3] & 3u) == 1u ? POSITION_UP : POSITION_UNKNOWN;
}

uint8_t lift_motor(uint8_t what, uint8_t way) { return (uint8_t)(M_TRAY_RAISE + 2u * what + way); }

bool lift_at_limit(uint8_t which) {
    switch (which) {
    case M_TRAY_RAISE: return inputs_all(IN_TRAY_UP_1);
    case M_TRAY_LOWER: return inputs_all(IN_TRAY_DOWN_1);
    case M_DOME_RAISE: return input_is(IN_DOME_UP);
    case M_DOME_LOWER: return input_is(IN_DOME_DOWN);
    default: return false;
    }
}

bool tray_missing(uint8_t way) {
    uint8_t first = way == DIRECTION_UP ? IN_TRAY_UP_1 : IN_TRAY_DOWN_1;
    for (uint8_t side = 0; side < 4; side++) {
        if (!input_is((uint8_t)(first + side))) {
            machine_fault((uint16_t)(401u + side), (uint8_t)(side + 1u), way);
            return true;
        }
    }
    return false;
}

void lift_blocked(void) {
    if (motor >= M_DOME_RAISE) {
        machine_fault(motor == M_DOME_RAISE ? 411u : 412u, 0, 0);
    } else {
        tray_missing((uint8_t)(motor - M_TRAY_RAISE));
    }
}

void limits_watch(void) {
#ifndef MUTANT_LIMIT_HELD
    uint8_t both = trays_held();
    for (uint8_t side = 1; both != 0; side++, both >>= 1) {
        if (both & 1u) {
            machine_fault(405u, side, 0);
        }
    }
    if (dome_is_held()) {
        machine_fault(406u, 0, 0);
    }
#endif
}

bool lift_is_there(void) {
    if (lift_at_limit(motor)) {
        motor_off(motor);
        return true;
    }
    if (!(motors_on() >> motor & 1u) && !motors_locked()) {
        lift_blocked(); /* its time is over, or the limit was on just when it should have started */
    }
    return false;
}

void lift_start(uint8_t what, uint8_t way, uint32_t now) {
    (void)now;
    motor = lift_motor(what, way);
    limits_watch(); /* locks the motors */
    if (!lift_at_limit(motor)) {
        motor_run(motor, what == TARGET_TRAYS ? TRAY_LONGEST_MS : DOME_LONGEST_MS);
    }
}

void lift_task(uint32_t now) {
    (void)now;
    if (lift_is_there()) {
        machine_arrived();
    }
}

void home_start(uint32_t now) {
    stackers_forget();
    home_step = HOME_DOME;
    lift_start(TARGET_DOME, DIRECTION_DOWN, now);
}

void home_task(uint32_t now) {
    bool busy = false;
    switch (home_step) {
    case HOME_DOME:
        if (lift_is_there()) {
            home_step = HOME_TRAYS;
            lift_start(TARGET_TRAYS, DIRECTION_DOWN, now);
        }
        return;
    case HOME_TRAYS:
        if (lift_is_there()) {
            home_step = HOME_STACKERS;
            for (uint8_t side = 0; side < 4; side++) {
                if (!input_is((uint8_t)(IN_STACK_HOME_1 + side))) {
                    stacker_start(side, now);
                }
            }
        }
        return;
    default:
        for (uint8_t side = 0; side < 4; side++) {
            busy |= stacker_task(side, now);
        }
        if (!busy) {
            machine_set_homed();
            machine_arrived();
        }
    }
}

static void stacker_order(uint8_t side, uint32_t now) {
    turning_since[side] = (uint16_t)now;
    ordered[side] = motor_run((uint8_t)(M_STACK_1 + side), STACKER_LONGEST_MS + 50u);
}

void stacker_start(uint8_t side, uint32_t now) {
    turning[side] = true;
    backed[side] = false;
    left_home[side] = !input_is((uint8_t)(IN_STACK_HOME_1 + side));
    stacker_order(side, now);
}

bool stacker_turning(uint8_t side) { return turning[side]; }

bool stacker_left_home(uint8_t side) { return left_home[side]; }

void stacker_backs(uint8_t side) { backed[side] = !left_home[side]; }

bool stacker_is_back(uint8_t side) {
    if (backed[side] || !input_is((uint8_t)(IN_STACK_HOME_1 + side))) {
        return false;
    }
    left_home[side] = false;
    return true;
}

void stackers_again(uint32_t now) {
    for (uint8_t side = 0; side < 4; side++) {
        if (turning[side]) {
            stacker_order(side, now);
        }
    }
}

/* While another one starts, or the group draws much, the currents have not told yet whether this one is held: then
 * the protection finds it, and it is turned back. A motor that draws little and is not seen to turn is a fault. */
bool stackers_unclear(uint32_t now) {
    for (uint8_t side = 0; side < 4; side++) {
        if (turning[side] && ms_since(now, turning_since[side]) >= (left_home[side] ? STACKER_USUAL_MS : STACKER_LEAVES_MS)) {
            return true;
        }
    }
    return false;
}

static uint16_t patience(uint32_t now) {
    bool open = !current_settled(CURRENT_STACK, now) || current_ma(CURRENT_STACK) > current_limit(CURRENT_STACK);
    return machine_state() == STATE_BUILDING && open ? STACKER_UNCLEAR_MS : 0;
}

bool stacker_task(uint8_t side, uint32_t now) {
    if (!turning[side]) {
        return false;
    }
    if (!ordered[side]) { /* it rests after turning back */
        stacker_order(side, now);
        return true;
    }
    bool home = input_is((uint8_t)(IN_STACK_HOME_1 + side));
    uint16_t age = ms_since(now, turning_since[side]);
    if (home && backed[side]) {
        backed[side] = left_home[side] = false;
        turning_since[side] = (uint16_t)now;
    } else if (!home && !backed[side]) {
        left_home[side] = true;
    }
    if (home && left_home[side]) {
        motor_off((uint8_t)(M_STACK_1 + side));
        turning[side] = false;
        return false;
    }
    if (age >= (left_home[side] ? STACKER_LONGEST_MS : STACKER_LEAVES_MS) && age >= patience(now)) {
        machine_fault((uint16_t)(311u + side), (uint8_t)(side + 1u), current_ma(CURRENT_STACK));
    }
    return true;
}

void stackers_forget(void) {
    for (uint8_t side = 0; side < 4; side++) {
        turning[side] = false;
    }
}
