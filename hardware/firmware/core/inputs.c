#include "inputs.h"

#include "clock.h"
#include "devices.h"

#define BITS (INPUT_BYTES * 8u)

static uint8_t raw[INPUT_BYTES], stable[INPUT_BYTES], pending[INPUT_BYTES], rose[INPUT_BYTES], fell[INPUT_BYTES];
static uint8_t since[BITS];      /* low byte of the ms at which a pending bit began: debounce times are < 256 ms */
static uint32_t changed_at[BITS];
static uint16_t pulses[4];
static uint32_t turned_at[4]; /* counters, not debounced */
static uint8_t lit, solid_ms[4];

void inputs_init(void) {
    hal_read_inputs(raw);
    uint32_t now = hal_now_ms();
    for (uint8_t i = 0; i < INPUT_BYTES; i++) {
        stable[i] = raw[i];
    }
    for (uint8_t i = 0; i < BITS; i++) {
        changed_at[i] = now;
    }
    START_AT_ZERO(pending);
    START_AT_ZERO(rose);
    START_AT_ZERO(fell);
    START_AT_ZERO(pulses);
}

static void settle(uint8_t byte, uint8_t diff, uint32_t now) {
    for (uint8_t bit = 0; bit < 8; bit++) {
        uint8_t mask = (uint8_t)(1u << bit);
        uint8_t id = (uint8_t)(byte * 8u + bit);
        if (!(diff & mask)) {
            continue;
        }
        if (!(pending[byte] & mask)) {
            pending[byte] |= mask;
            since[id] = (uint8_t)now;
        } else if ((uint8_t)((uint8_t)now - since[id]) >= INPUT_DEBOUNCE_MS[id]) {
            pending[byte] &= (uint8_t)~mask;
            stable[byte] ^= mask;
            changed_at[id] = now;
            if (stable[byte] & mask) {
                rose[byte] |= mask;
            } else {
                fell[byte] |= mask;
            }
        }
    }
}

void inputs_task(uint32_t now) {
    hal_read_inputs(raw);
    for (uint8_t i = 0; i < INPUT_BYTES; i++) {
        uint8_t diff = raw[i] ^ stable[i];
        rose[i] = fell[i] = 0;
        pending[i] &= diff;
        if (diff) {
            settle(i, diff, now);
        }
    }
    uint8_t turned = raw[0] ^ lit;
    lit = raw[0];
    for (uint8_t side = 0, mask = 1u << IN_COUNT_1; side < 4; side++, mask = (uint8_t)(mask << 1)) {
        if (rose[0] & mask) {
            pulses[side]++;
            solid_ms[side] = 0;
        }
        if (!(turned & mask)) {
            continue;
        }
        uint32_t ms = now - turned_at[side];
        turned_at[side] = now;
        if (!(lit & mask) && ms > solid_ms[side]) {
            solid_ms[side] = ms > 255u ? 255u : (uint8_t)ms;
        }
    }
}

static bool bit_of(const uint8_t *bytes, uint8_t id) {
    return (bytes[id >> 3] >> (id & 7u)) & 1u;
}

bool input_is(uint8_t id) { return bit_of(stable, id); }
bool input_rose(uint8_t id) { return bit_of(rose, id); }
bool input_fell(uint8_t id) { return bit_of(fell, id); }

uint8_t input_solid_ms(uint8_t side) { return solid_ms[side]; }

bool inputs_edges(uint8_t byte) { return (rose[byte] | fell[byte]) != 0; }

uint16_t input_age_ms(uint8_t id, uint32_t now) {
    uint32_t age = now - changed_at[id];
    return age > 65535u ? 65535u : (uint16_t)age;
}

bool inputs_all(uint8_t first_id) {
    return ((stable[first_id >> 3] >> (first_id & 4u)) & 15u) == 15u;
}

const uint8_t *inputs_stable(void) { return stable; }
const uint8_t *inputs_raw(void) { return raw; }
uint16_t input_pulses(uint8_t side) { return pulses[side]; }
