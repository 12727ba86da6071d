#include "recovery.h"

#include <string.h>

#include "config.h"
#include "current.h"
#include "devices.h"
#include "inputs.h"
#include "lifts.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"
#include "statistics.h"

#define SWITCH_MS 30u  /* a relay's contacts have come to rest */
#define BACK_MS 150u   /* a third of a tile's way; less than a third of a stacker's turn */
#define LOOK_MS 100u   /* after going on: a jam that still darkens its sensor is still there */
#define LISTEN_MS 300u /* a start is over, and the current tells whether it is still held */
#define PROVE_MS 700u  /* a stacker's turn and more: what runs so long is free */
#define MOST 8u        /* of one side in one build: what comes back so often is not freed by turning back */

#define BUILD_MOTORS (1u << M_TURN | 1u << M_RING | 15u << M_FEED_1 | 15u << M_STACK_1)

/* The steps in their order; each knows when it is over. */
enum step { CALM, SHEDDING, RESTING, SWITCHING, BACKING, RESTING_AGAIN, SWITCHING_BACK, PROVING };

static uint8_t step, what, side, tries, suspect, worst, mark, backs[4];
static uint16_t detail, before_ma, most_ma;
static uint16_t since; /* low half of the clock: nothing here takes a minute */

void recovery_init(void) {
    step = CALM;
    tries = 0;
}

bool recovery_is_calm(void) { return step == CALM; }
bool recovery_listens(uint32_t now) {
    return step == PROVING && what == STUCK_STACK && (uint16_t)((uint16_t)now - since) < LISTEN_MS;
}

bool recovery_is_on(void) { return step != CALM && step != PROVING; }

void recovery_new_build(void) { memset(backs, 0, sizeof backs); }

static uint8_t motor_of(uint8_t which) {
    return (uint8_t)((what == STUCK_FEED ? M_FEED_1 : M_STACK_1) + which);
}

static void go(uint8_t next, uint32_t now) {
    step = next;
    since = (uint16_t)now;
}

void recovery_stuck(uint8_t which, uint8_t at, uint16_t why, uint32_t now) {
    if (recovery_is_on()) {
        return;
    }
    if (step == CALM || which != what || at != side) {
        tries = 0;
    }
    what = which;
    side = at;
    detail = why;
    if (tries == 0 && what == STUCK_FEED) {
        statistics_jam(side);
    }
    if (tries >= config()->reverse_tries || backs[side] >= MOST) {
        recovery_init();
        if (what == STUCK_FEED) {
            machine_fault((uint16_t)(301u + side), (uint8_t)(side + 1u), detail);
        } else {
            machine_fault((uint16_t)(311u + side), (uint8_t)(side + 1u), detail);
        }
        return;
    }
    tries++;
    backs[side]++;
    machine_warn((uint16_t)(361u + side), (uint8_t)(side + 1u), tries);
    motors_off(BUILD_MOTORS);
    go(RESTING, now);
}

/* ---------------------------------------------------------------- which one? */

static uint8_t group(void) { return what == STUCK_FEED ? CURRENT_FEED : CURRENT_STACK; }

/* Switch the next one off; false when none is left. */
static bool shed(void) {
    uint16_t on = motors_on();
    for (suspect = 0; suspect < 4; suspect++) {
        if (on >> motor_of(suspect) & 1u) {
            before_ma = current_ma(group());
            motor_off(motor_of(suspect));
            mark = current_mark();
            return true;
        }
    }
    return false;
}

void recovery_find(uint8_t which, uint32_t now) {
    if (!recovery_is_on()) {
        if (step == CALM || which != what) {
            tries = 0;
        }
        what = which;
        most_ma = 0;
        motors_off(BUILD_MOTORS & (uint16_t)~current_motors(group()));
        shed();
        go(SHEDDING, now);
    }
}

static void look_at_shed(uint32_t now) {
    uint16_t now_ma = current_ma(group()), drop = before_ma > now_ma ? (uint16_t)(before_ma - now_ma) : 0;
    if (drop > most_ma) {
        most_ma = drop;
        worst = suspect;
    }
    if (shed()) {
        go(SHEDDING, now);
    } else if (most_ma <= current_limit(group()) / 2u) {
        recovery_init();
        machine_fault(103u, 0, (uint16_t)(group() + 1u));
    } else {
        step = PROVING; /* the same side again has had its tries */
        recovery_stuck(what, worst, most_ma, now);
    }
}

/* ---------------------------------------------------------------- back and on again */

static void turn_back(uint32_t now) {
    if (what == STUCK_STACK) {
        stacker_backs(side);
    }
    motor_run(motor_of(side), BACK_MS + SWITCH_MS);
    go(BACKING, now);
}

static bool is_back(uint16_t age) {
    return age >= BACK_MS || (what == STUCK_STACK && stacker_is_back(side));
}

void recovery_over(void) {
    if (step == PROVING) {
        uint8_t payload[LEN_FREED];
        pack_freed(&(freed_t){(uint8_t)(side + 1u), tries}, payload);
        link_event(MSG_FREED, payload, LEN_FREED);
    }
    recovery_init();
}

void recovery_cut(uint32_t now) {
    if (step == BACKING || step == SWITCHING) {
        motor_off(motor_of(side));
        go(RESTING_AGAIN, now);
    } else if (recovery_is_on() && step < SWITCHING) {
        recovery_init();
        stackers_again(now);
    }
}

static void prove(uint32_t now, uint16_t age) {
    if (what == STUCK_FEED && age >= LOOK_MS && age < PROVE_MS && input_is((uint8_t)(IN_JAM_1 + side)) &&
        input_age_ms((uint8_t)(IN_JAM_1 + side), now) > age) {
        recovery_stuck(what, side, detail, now);
    } else if (age >= PROVE_MS) {
        recovery_over();
    }
}

bool recovery_task(uint32_t now) {
    uint16_t age = (uint16_t)((uint16_t)now - since);
    switch (step) {
    case CALM: return false;
    case SHEDDING:
        if (current_is_new(mark)) {
            look_at_shed(now);
        }
        break;
    case RESTING:
    case RESTING_AGAIN:
        if (motors_have_rested()) {
            if (step == RESTING) {
                motor_run(M_REVERSE, 1000u);
            } else {
                motor_off(M_REVERSE);
            }
            go((uint8_t)(step + 1u), now);
        }
        break;
    case SWITCHING:
        if (age >= SWITCH_MS) {
            turn_back(now);
        }
        break;
    case BACKING:
        if (is_back(age)) {
            motor_off(motor_of(side));
            go(RESTING_AGAIN, now);
        }
        break;
    case SWITCHING_BACK:
        if (age >= SWITCH_MS) {
            stackers_again(now);
            go(PROVING, now);
        }
        break;
    default: prove(now, age); break;
    }
    return recovery_is_on();
}
