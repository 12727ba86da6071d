#include "lifts.h"

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

static uint8_t target, direction, home_step;
static uint32_t turning_since[4];
static bool turning[4], ordered[4], left_home[4];
static bool backed[4]; /* it was turned back from home: the home it comes to next is where it began */

uint8_t trays_position(void) {
    if (motors_on() & (1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER)) {
        return POSITION_MOVING;
    }
    return inputs_all(IN_TRAY_DOWN_1) ? POSITION_DOWN : inputs_all(IN_TRAY_UP_1) ? POSITION_UP : POSITION_UNKNOWN;
}

uint8_t dome_position(void) {
    if (motors_on() & (1u << M_DOME_RAISE | 1u << M_DOME_LOWER)) {
        return POSITION_MOVING;
    }
    return input_is(IN_DOME_DOWN) ? POSITION_DOWN : input_is(IN_DOME_UP) ? POSITION_UP : POSITION_UNKNOWN;
}

uint8_t lift_motor(uint8_t what, uint8_t way) {
    if (what == TARGET_TRAYS) {
        return way == DIRECTION_UP ? M_TRAY_RAISE : M_TRAY_LOWER;
    }
    return way == DIRECTION_UP ? M_DOME_RAISE : M_DOME_LOWER;
}

static bool at_limit(uint8_t what, uint8_t way) {
    if (what == TARGET_TRAYS) {
        return inputs_all(way == DIRECTION_UP ? IN_TRAY_UP_1 : IN_TRAY_DOWN_1);
    }
    return input_is(way == DIRECTION_UP ? IN_DOME_UP : IN_DOME_DOWN);
}

static void move(uint8_t what, uint8_t way) {
    target = what;
    direction = way;
    motor_run(lift_motor(what, way), what == TARGET_TRAYS ? TRAY_LONGEST_MS : DOME_LONGEST_MS);
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

static void report_late(void) {
    if (target == TARGET_DOME) {
        machine_fault(direction == DIRECTION_UP ? 411u : 412u, 0, 0);
        return;
    }
    tray_missing(direction);
}

void lift_blocked(void) { report_late(); }

/* A switch at the other end that is still on is held by something: neither end can be believed. */
static bool limits_held(void) {
    uint8_t other = direction == DIRECTION_UP ? IN_TRAY_DOWN_1 : IN_TRAY_UP_1;
    for (uint8_t side = 0; target == TARGET_TRAYS && side < 4; side++) {
        if (input_is((uint8_t)(other + side))) {
            machine_fault(405u, (uint8_t)(side + 1u), direction);
            return true;
        }
    }
    return false;
}

bool lift_is_there(void) {
    uint8_t motor = lift_motor(target, direction);
    if (at_limit(target, direction)) {
        motor_off(motor);
        return !limits_held();
    }
    if (motor_expired(motor)) {
        report_late();
    }
    return false;
}

void lift_start(uint8_t what, uint8_t way, uint32_t now) {
    (void)now;
    target = what;
    direction = way;
    if (!at_limit(what, way)) {
        move(what, way);
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
    turning_since[side] = now;
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
        if (turning[side] && now - turning_since[side] >= (left_home[side] ? STACKER_USUAL_MS : STACKER_LEAVES_MS)) {
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
    uint32_t age = now - turning_since[side];
    if (home && backed[side]) {
        backed[side] = left_home[side] = false;
        turning_since[side] = now;
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
