#include "motors.h"

#include "clock.h"
#include "devices.h"
#include "hal.h"

/* MUTANT_...: a rule left out, to show that a campaign notices. Never in a build that is flashed. */
#ifdef MUTANT_KEEP_MOTOR
static volatile uint16_t on __attribute__((section(".noinit")));
#else
static volatile uint16_t on;
#endif
static volatile uint16_t left_ms[MOTOR_COUNT];
static volatile uint16_t beat_left_ms;
static volatile uint8_t stops;
static volatile bool locked;
static volatile uint8_t stop_number;

/* Feeds and stackers turn back by relays that swap their wires: only at rest, and a motor that turned the other way
 * has rested before it is driven again. */
#define REVERSE (1u << M_REVERSE)
#define REVERSIBLE (15u << M_FEED_1 | 15u << M_STACK_1)
#define REST_MS 150u
#define RELAY_MS 20u
static volatile uint8_t rested_ms, relay_ms;
static volatile bool ran_back, relay_is_back;

void motors_init(void) {
#ifdef MUTANT_KEEP_MOTOR
    hal_write_motors(on);
    return;
#endif
    START_AT_ZERO(on);
    START_AT_ZERO(stops);
    START_AT_ZERO(locked);
    START_AT_ZERO(stop_number);
    START_AT_ZERO(beat_left_ms);
    START_AT_ZERO(rested_ms);
    START_AT_ZERO(relay_ms);
    START_AT_ZERO(ran_back);
    START_AT_ZERO(relay_is_back);
    hal_write_motors(0);
}

bool motors_have_rested(void) {
#ifdef MUTANT_REVERSE
    return true;
#endif
    return rested_ms >= REST_MS;
}

static bool may_run(uint16_t bit) {
#ifdef MUTANT_REVERSE
    return true;
#endif
    bool back = (on & REVERSE) != 0;
    if (bit & REVERSE) {
        return back || ((on & REVERSIBLE) == 0 && motors_have_rested());
    }
    return !(bit & REVERSIBLE) || (relay_ms >= RELAY_MS && back == relay_is_back && (back == ran_back || motors_have_rested()));
}

static void put(uint16_t bits) {
    if ((on & ~bits) & REVERSE) {
        bits &= (uint16_t)~REVERSIBLE; /* nothing runs while its wires are swapped */
    }
    on = bits;
    hal_write_motors(bits);
}

bool motor_run(uint8_t id, uint16_t longest_ms) {
    hal_irq_t irq = hal_irq_off();
    bool taken = false;
#ifdef MUTANT_LATCHED
    locked = false;
#endif
    if (!locked && hal_estop_pressed()) {
        motors_stop_isr(MOTOR_STOP_ESTOP);
    } else if (!locked && beat_left_ms == 0) {
        motors_stop_isr(MOTOR_STOP_HEARTBEAT);
    } else if (!locked && may_run((uint16_t)(1u << id))) {
        left_ms[id] = longest_ms;
        put(on | (uint16_t)(1u << id));
        if (on & REVERSIBLE) {
            ran_back = (on & REVERSE) != 0;
        }
        taken = true;
    }
    hal_irq_back(irq);
    return taken;
}

void motor_off(uint8_t id) {
    hal_irq_t irq = hal_irq_off();
    put(on & (uint16_t)~(1u << id));
    hal_irq_back(irq);
}

void motors_off(uint16_t which) {
    hal_irq_t irq = hal_irq_off();
    put(on & (uint16_t)~which);
    hal_irq_back(irq);
}

void motors_lock(void) {
    hal_irq_t irq = hal_irq_off();
    if (!locked) {
        stop_number++;
    }
    locked = true;
    on = 0;
    hal_write_motors(0);
    hal_irq_back(irq);
}

bool motors_locked(void) { return locked; }

uint8_t motors_stop_number(void) { return stop_number; }

bool motors_unlock(uint8_t number) {
    hal_irq_t irq = hal_irq_off();
    bool newest = number == stop_number && !hal_estop_pressed(); /* a stop that came meanwhile wins */
#ifdef MUTANT_STALE_CLEAR
    newest = !hal_estop_pressed() || number == stop_number;
#endif
    if (newest) {
        locked = false;
    }
    hal_irq_back(irq);
    return newest;
}

uint16_t motors_on(void) {
    hal_irq_t irq = hal_irq_off();
    uint16_t bits = on;
    hal_irq_back(irq);
    return bits;
}

void motors_beat(void) {
    hal_irq_t irq = hal_irq_off();
    beat_left_ms = HEARTBEAT_LIMIT_MS;
    hal_irq_back(irq);
}

void motors_stop_isr(uint8_t why) {
#ifdef MUTANT_ESTOP
    if (why == MOTOR_STOP_ESTOP) {
        return; /* only the debounced input is left */
    }
#endif
    locked = true;
    on = 0;
    hal_write_motors(0);
    stops |= why;
    stop_number++;
}

uint8_t motors_take_stops(void) {
    hal_irq_t irq = hal_irq_off();
    uint8_t why = stops;
    stops = 0;
    hal_irq_back(irq);
    return why;
}

void motors_tick(void) {
    if (beat_left_ms != 0) {
        beat_left_ms--; /* also at rest: a step of an order is no sign of life */
    }
    bool back = (on & REVERSE) != 0;
    if (back != relay_is_back) {
        relay_is_back = back;
        relay_ms = 0;
    } else if (relay_ms < RELAY_MS) {
        relay_ms++;
    }
    if (on & REVERSIBLE) {
        rested_ms = 0;
    } else if (rested_ms < REST_MS) {
        rested_ms++;
    }
    if (on == 0) {
        return;
    }
#ifndef MUTANT_HEARTBEAT
    if (beat_left_ms == 0) {
        motors_stop_isr(MOTOR_STOP_HEARTBEAT);
        return;
    }
#endif
#ifdef MUTANT_LONGEST_RUN
    return;
#endif
    /* No shift by a variable here: this must be over before the receiver's two bytes (80 us) are full. */
    uint16_t were = on, still = were, mask = 1;
    for (uint8_t id = 0; id < MOTOR_COUNT; id++, mask = (uint16_t)(mask << 1)) {
        if (were & mask) {
            uint16_t left = left_ms[id];
            if (left <= 1u) {
                still &= (uint16_t)~mask;
            }
            left_ms[id] = left ? (uint16_t)(left - 1u) : 0;
        }
    }
    if (still != on) {
        put(still);
    }
}
