#include "diagnose.h"

#include <string.h>

#include "analog.h"
#include "clock.h"
#include "config.h"
#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "lifts.h"
#include "protocol.h"
#include "store.h"

#define INPUTS (INPUT_BYTES * 8u)
#define EDGES_ASKED 16u
#define BIN_MS 8u
#define BINS 9u
#define PULSE_LONGEST_MS 2000u /* as in a build: more is no tile */

typedef struct {
    uint16_t shortest, longest, too_short, too_long, bins[BINS];
} margin_t;

static uint16_t edges[INPUTS];
static margin_t margins[4];
static uint32_t dark_since[4];
static uint8_t pulses[4];

void diagnose_init(void) {
    START_AT_ZERO(edges);
    START_AT_ZERO(margins);
}

static void add(uint16_t *sum) { *sum = (uint16_t)(*sum + (*sum < 65535u)); }

static uint8_t measure(uint8_t side, uint32_t width) {
    margin_t *margin = &margins[side];
    if (input_solid_ms(side) < config()->tile_least_ms) { /* flickers, even if debounced into one */
        add(&margin->too_short);
        return PULSE_LIGHT;
    }
    if (width > PULSE_LONGEST_MS) {
        add(&margin->too_long);
        return PULSE_LONG;
    }
    uint16_t ms = (uint16_t)width;
    uint8_t bin = ms < BIN_MS * BINS ? (uint8_t)((uint8_t)ms / BIN_MS) : BINS - 1u;
    add(&margin->bins[bin]);
    if (margin->longest == 0 || ms < margin->shortest) {
        margin->shortest = ms;
    }
    if (ms > margin->longest) {
        margin->longest = ms;
    }
    return PULSE_TILE;
}

uint8_t diagnose_pulse(uint8_t side) { return pulses[side]; }

_Static_assert(IN_COUNT_1 == 0 && IN_COUNT_4 == 3, "the counters are the first inputs");

void diagnose_task(uint32_t now) {
    memset(pulses, PULSE_NONE, sizeof pulses);
    for (uint8_t id = 0; id < INPUTS; id++) {
        if ((id & 7u) == 0 && !inputs_edges(id >> 3)) {
            id += 7u;
            continue;
        }
        bool rose = input_rose(id);
        if (!rose && !input_fell(id)) {
            continue;
        }
        edges[id]++;
        if (id > IN_COUNT_4) {
            continue;
        }
        if (rose) {
            dark_since[id] = now;
        } else {
            pulses[id] = measure(id, now - dark_since[id]);
        }
    }
}

/* ---------------------------------------------------------------- answers */

static uint8_t put(uint8_t *to, uint16_t value) {
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    return 2;
}

static uint8_t tell_inputs(uint8_t *answer) {
    memcpy(answer, inputs_raw(), INPUT_BYTES);
    memcpy(answer + INPUT_BYTES, inputs_stable(), INPUT_BYTES);
    uint8_t count = 2u * INPUT_BYTES;
    for (uint8_t side = 0; side < 4; side++) {
        count = (uint8_t)(count + put(answer + count, input_pulses(side)));
    }
    return count;
}

uint8_t diagnose_failed(uint8_t *ran) {
    uint8_t eyes = inputs_stable()[0] & 15u;
    const bool passed[] = {
        hal_program_ok(),
        hal_stack_free() >= 256u,
        store_failed() == 0,
        trays_held() == 0,
        !dome_is_held(),
        inputs_all(IN_STACK_HOME_1),
        eyes == 0,
        inputs_stable()[4] == 0,
    };
    uint8_t failed = 0;
    *ran = 0;
    for (uint8_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
        uint8_t bit = (uint8_t)(1u << i);
        *ran |= bit;
        failed |= passed[i] ? 0 : bit;
    }
    return failed;
}

static uint8_t tell_selftest(uint8_t *answer) {
    uint8_t ran, failed = diagnose_failed(&ran);
    self_test_report_t report = {.ran = ran, .failed = failed, .stack_free = hal_stack_free()};
    return pack_self_test_report(&report, answer);
}

static uint8_t tell_analog(uint8_t *answer) {
    analog_report_t report = {
        .supply_mv = analog_millivolt(AN_MOTOR_SUPPLY),
        .temperature_mv = analog_millivolt(AN_TEMPERATURE),
        .feed_ma = analog_ma(AN_FEED_CURRENT),
        .stack_ma = analog_ma(AN_STACK_CURRENT),
        .main_ma = analog_ma(AN_MAIN_CURRENT),
    };
    return pack_analog_report(&report, answer);
}

/* Wire order of EdgesReport: the first number, then sixteen words. Inputs that there are not have never changed. */
static uint8_t tell_edges(uint8_t first, uint8_t *answer) {
    uint8_t count = 0;
    answer[count++] = first;
    for (uint8_t i = 0; i < EDGES_ASKED; i++) {
        uint16_t id = (uint16_t)(first + i);
        count = (uint8_t)(count + put(answer + count, id < INPUTS ? edges[id] : 0));
    }
    return count;
}

static uint8_t tell_margin(uint8_t side, uint8_t *answer) {
    const uint16_t *words = (const uint16_t *)&margins[(side - 1u) & 3u]; /* the fields stand as in the report */
    uint8_t count = 0;
    answer[count++] = side;
    for (uint8_t i = 0; i < sizeof(margin_t) / 2u; i++) {
        count = (uint8_t)(count + put(answer + count, side >= 1u && side <= 4u ? words[i] : 0));
    }
    return count;
}

_Static_assert(LEN_INPUTS_REPORT == 2u * INPUT_BYTES + 8u, "tell_inputs packs by hand");
_Static_assert(LEN_EDGES_REPORT == 1u + 2u * EDGES_ASKED, "tell_edges packs by hand");
_Static_assert(LEN_MARGIN_REPORT == 1u + 2u * (4u + BINS), "tell_margin packs by hand");
_Static_assert(LEN_LOOPBACK == LEN_LOOPBACK_REPORT, "what came goes back as it is");

uint8_t diagnose_answer(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count) {
    switch (code) {
    case MSG_READ_INPUTS: *count = tell_inputs(answer); return MSG_INPUTS_REPORT;
    case MSG_SELF_TEST: *count = tell_selftest(answer); return MSG_SELF_TEST_REPORT;
    case MSG_READ_ANALOG: *count = tell_analog(answer); return MSG_ANALOG_REPORT;
    case MSG_READ_EDGES: *count = tell_edges(payload[0], answer); return MSG_EDGES_REPORT;
    case MSG_READ_MARGIN: *count = tell_margin(payload[0], answer); return MSG_MARGIN_REPORT;
    case MSG_LOOPBACK:
        memcpy(answer, payload, LEN_LOOPBACK);
        *count = LEN_LOOPBACK;
        return MSG_LOOPBACK_REPORT;
    default: return 0;
    }
}
