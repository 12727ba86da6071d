#include "service.h"

#include "analog.h"
#include "clock.h"
#include "config.h"
#include "devices.h"
#include "diagnose.h"
#include "hal.h"
#include "inputs.h"
#include "interlocks.h"
#include "jog.h"
#include "machine.h"
#include "motors.h"
#include "panel.h"
#include "protocol.h"
#include "sets.h"

#define HOLD_MS 1000u          /* both lift keys, from power-on */
#define IDLE_MS 600000ul       /* nobody touches anything: the mode ends */
#define BEEP_MS 60u
#define REFUSED_MS 500u
#define HELD_MS 50u            /* a held key is ordered anew so often */
#define COUNT_TILES 15u        /* as many as four lamps can tell */
#define NONE 0xFFu

#define LIFT_A (IN_KEY_LIFT_A)
#define LIFT_B (IN_KEY_LIFT_B)
#define READY(bits) ((uint16_t)((uint16_t)(bits) << L_READY_1))
#define BUZZER (1u << L_BUZZER)

static bool armed, serving, running;
static uint8_t number, tried, held; /* held: the dice key (0-3) that moves something */
static uint16_t seen;
static uint32_t touched;
static uint16_t began;

void service_init(void) {
    armed = hal_reset_cause() == RESET_CAUSE_POWER_ON && input_is(LIFT_A) && input_is(LIFT_B);
    serving = false;
    jog_init();
}

static void enter(uint32_t now) {
    machine_lose_home(); /* whatever is moved now, nobody watches where to */
    machine_trigger(T_SERVICE);
    serving = true;
    running = false;
    number = 0;
    held = NONE;
    touched = now;
    jog_init();
    panel_beep(REFUSED_MS);
}

static void leave(void) {
    motors_off(0xFFFFu);
    jog_stopped();
    machine_trigger(T_LEAVE);
}

/* ---------------------------------------------------------------- orders */

uint8_t service_order(bool on, uint16_t code, uint32_t now) {
    if (!on) {
        if (serving) {
            leave();
        }
        return REASON_NONE;
    }
    uint8_t reason = interlocks_check(G_NOT_STOPPED);
    if (reason != REASON_NONE) {
        return reason;
    }
    if (code == 0 || code != config()->service_code) {
        return REASON_WRONG_CODE;
    }
    if (!serving) {
        if (!machine_is_at_rest() || machine_state() == STATE_IN_PLAY || sets_play_goes_on() || motors_on() != 0) {
            return REASON_BUSY; /* a wall on the table is a hand in play */
        }
        enter(now);
    }
    touched = now;
    return REASON_NONE;
}

static uint8_t served(uint32_t now) {
#ifdef MUTANT_JOG_ANYTIME
    return REASON_NONE;
#endif
    if (machine_is_latched()) {
        return REASON_LATCHED; /* a stop ended the mode, and that is what wants to be known */
    }
    touched = now;
    return machine_state() == STATE_SERVICE ? REASON_NONE : REASON_NOT_SERVICE; /* a cleared stop has left it */
}

uint8_t service_jog(uint8_t actuator, uint16_t run_ms, uint32_t now) {
    uint8_t reason = served(now);
    return reason == REASON_NONE ? jog_run(actuator, run_ms, now) : reason;
}

uint8_t service_count(uint8_t side, uint8_t tiles, uint32_t now) {
    uint8_t reason = served(now);
    return reason == REASON_NONE ? jog_count(side, tiles, now) : reason;
}

/* ---------------------------------------------------------------- keys */

/* Held keys move things: the finger is the dead-man, no host is needed. */
static void hold_task(uint32_t now) {
    const service_test_t *test = &devices_tests[number];
    if (!input_is((uint8_t)(IN_KEY_DICE_1 + held))) {
        held = NONE;
        jog_end(now);
        return;
    }
    motors_beat();
    touched = now;
    if (test->kind == TEST_JOG && (uint8_t)((uint8_t)now - tried) >= HELD_MS) {
        tried = (uint8_t)now;
        (void)jog_run(test->ids[held], 2u * HELD_MS, now);
    }
}

static void hold(uint8_t key, uint32_t now) {
    const service_test_t *test = &devices_tests[number];
    uint8_t reason = test->ids[key] == NONE ? REASON_BAD_VALUE
                   : test->kind == TEST_JOG ? jog_run(test->ids[key], 2u * HELD_MS, now)
                                            : jog_count((uint8_t)(key + 1u), COUNT_TILES, now);
    if (reason == REASON_NONE) {
        held = key;
        tried = (uint8_t)now;
    } else {
        panel_beep(REFUSED_MS);
    }
}

static void press(uint8_t key, uint32_t now) {
    touched = now;
    bool moves = devices_tests[number].kind == TEST_JOG || devices_tests[number].kind == TEST_COUNT;
    if (key == LIFT_A || (key == LIFT_B && !(running && devices_tests[number].kind == TEST_KEYS))) {
        running = !running;
        held = NONE;
        began = (uint16_t)now;
        seen = 0;
        jog_end(now);
        panel_beep(BEEP_MS);
    } else if (running && moves && key >= IN_KEY_DICE_1 && held == NONE) {
        hold((uint8_t)(key - IN_KEY_DICE_1), now);
    } else if (!running) {
        number = (uint8_t)(number + 1u) % SERVICE_TESTS;
        panel_beep(BEEP_MS);
    }
}

/* ---------------------------------------------------------------- lamps */

/* Lamp 1 is the highest bit, so that a row of lamps reads as the number is written. */
static uint8_t lamps_of(uint8_t value) {
    return (uint8_t)((value & 1u) << 3 | (value & 2u) << 1 | (value & 4u) >> 1 | (value & 8u) >> 3);
}

/* Inputs, or motors that run, in the order of the table: dealer lamps are bits 0-3, ready lamps 4-7. */
static uint8_t sensors_shown(const service_test_t *test) {
    return (uint8_t)(inputs_stable()[test->ids[0] >> 3] >> (test->ids[0] & 7u) & test->ids[1]);
}

static uint8_t motors_shown(const service_test_t *test) {
    uint16_t on = motors_on();
    uint8_t lamps = 0;
    for (uint8_t i = sizeof test->ids; i-- != 0;) {
        lamps = (uint8_t)(lamps << 1);
        if (test->ids[i] != NONE && (on >> test->ids[i] & 1u)) {
            lamps |= 1u;
        }
    }
    return lamps;
}

static uint16_t keys_shown(void) {
    uint8_t keys = inputs_stable()[4];
    uint16_t lamps = (uint16_t)(keys >> 2 & 15u) | (input_is(LIFT_B) ? READY(15u) : 0);
    return lamps ? lamps | BUZZER : 0;
}

static uint16_t test_shows(const service_test_t *test, uint32_t now) {
    uint8_t ran;
    switch (test->kind) {
    case TEST_WALK: return (uint16_t)(1u << (uint8_t)(ms_since(now, began) >> 8) % LAMP_COUNT); /* 256 ms each */
    case TEST_KEYS: return keys_shown();
    case TEST_SENSORS: return sensors_shown(test);
    case TEST_JOG: return motors_shown(test);
    case TEST_COUNT: return motors_shown(test) | READY(lamps_of(jog_counted()));
    case TEST_POWER: return (uint16_t)((analog_is_low(AN_MOTOR_SUPPLY) ? 0u : 1u) | (analog_is_low(AN_TEMPERATURE) ? 0u : 2u));
    default: return (uint8_t)~diagnose_failed(&ran);
    }
}

static void show(uint32_t now) {
    const service_test_t *test = &devices_tests[number];
    if (!running) {
        uint16_t sign = READY(now >> 9 & 1u ? 5u : 10u); /* green lamps in turn: the mode, not a fault */
        panel_serve(lamps_of(number) | sign);
        return;
    }
    uint16_t lamps = test_shows(test, now);
    if (test->kind == TEST_SENSORS && lamps != seen) {
        panel_beep(BEEP_MS);
    }
    seen = lamps;
    panel_serve(lamps);
}

/* ---------------------------------------------------------------- every millisecond */

static void entry_task(uint32_t now) {
    if (!input_is(LIFT_A) || !input_is(LIFT_B) || !machine_is_at_rest()) {
        armed = false;
    } else if (now >= HOLD_MS) {
        armed = false;
        enter(now);
    }
}

void service_task(uint32_t now) {
    if (armed) {
        entry_task(now);
    }
    if (!serving) {
        return;
    }
    if (machine_state() == STATE_SERVICE && now - touched >= IDLE_MS) {
        leave();
    }
    if (machine_state() != STATE_SERVICE) { /* left, or a stop has latched: the lamps tell that now */
        serving = false;
        jog_stopped();
        panel_beep(0);
        panel_serve_end();
        return;
    }
    for (uint8_t key = 0; key < KEY_COUNT && inputs_edges(4); key++) {
        if (input_rose((uint8_t)(IN_KEY_LIFT_A + key))) {
            press((uint8_t)(IN_KEY_LIFT_A + key), now);
        }
    }
    if (held != NONE) {
        hold_task(now);
    }
    jog_task(now);
    show(now);
}
