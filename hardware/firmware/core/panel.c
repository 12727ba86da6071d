#include "panel.h"

#include "build.h"
#include "clock.h"
#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "link.h"
#include "machine.h"
#include "protocol.h"

#define KEY_STUCK_MS 10000u
#define TEST_LONGEST_MS 10000u
#define BLINK_MS 250u
#define READY_LAMPS (15u << L_READY_1)
#define BUZZER (1u << L_BUZZER)

static uint8_t lamp, keys_told;
static uint16_t shown, tested, served, test_left_ms, beep_left_ms;
static uint16_t blinked, looked;
static bool serving, bright;

static void show(uint16_t lamps) {
    if (lamps != shown) {
        shown = lamps;
        hal_write_lamps(lamps);
    }
}

/* Green when the wall is built; blinking on the side of a fault, on all sides when it is the whole table's. */
static uint16_t ready_lamps(void) {
    if (machine_is_latched()) {
        uint8_t side = machine_fault_side();
        return !bright ? 0 : side ? (uint16_t)(1u << (L_READY_1 + side - 1u)) : (uint16_t)READY_LAMPS;
    }
    return machine_is_homed() && build_complete() ? READY_LAMPS : 0;
}

static uint16_t composed(void) {
    uint16_t lamps;
    if (test_left_ms != 0) {
        lamps = tested;
    } else if (serving) {
        lamps = served;
    } else {
        lamps = (uint16_t)(lamp ? 1u << (lamp - 1u) : 0) | ready_lamps();
    }
    return beep_left_ms != 0 ? lamps | BUZZER : lamps;
}

static uint16_t less(uint16_t left, uint16_t by) { return left > by ? (uint16_t)(left - by) : 0; }

static void lamps_task(uint32_t now) {
    uint16_t since = ms_since(now, looked);
    looked = (uint16_t)now;
    test_left_ms = less(test_left_ms, since);
    beep_left_ms = less(beep_left_ms, since);
    if (ms_since(now, blinked) >= BLINK_MS) {
        blinked = (uint16_t)now;
        bright = !bright;
    }
    show(composed());
}

void panel_init(void) {
    START_AT_ZERO(lamp);
    START_AT_ZERO(keys_told);
    START_AT_ZERO(shown);
    START_AT_ZERO(test_left_ms);
    START_AT_ZERO(beep_left_ms);
    START_AT_ZERO(serving);
    START_AT_ZERO(bright);
    blinked = looked = (uint16_t)hal_now_ms();
    hal_write_lamps(0);
}

uint8_t panel_lamp(void) { return lamp; }

uint8_t panel_light(uint8_t side) {
    if (side > 4u) {
        return REASON_BAD_VALUE;
    }
    lamp = side;
    show(composed());
    return REASON_NONE;
}

uint8_t panel_test(uint16_t lamps, uint16_t run_ms) {
    if (lamps >> LAMP_COUNT || run_ms > TEST_LONGEST_MS) {
        return REASON_BAD_VALUE;
    }
    tested = lamps;
    test_left_ms = run_ms;
    show(composed());
    return REASON_NONE;
}

void panel_serve(uint16_t lamps) {
    serving = true;
    served = lamps;
}

void panel_serve_end(void) { serving = false; }

void panel_beep(uint16_t run_ms) { beep_left_ms = run_ms; }

static void keys_task(uint32_t now) {
    for (uint8_t key = 0; key < KEY_COUNT; key++) {
        uint8_t id = (uint8_t)(IN_KEY_LIFT_A + key), mask = (uint8_t)(1u << key);
        if (input_rose(id) || input_fell(id)) {
            uint8_t payload[LEN_KEY] = {key, input_is(id)};
            link_event(MSG_KEY, payload, LEN_KEY);
            keys_told &= (uint8_t)~mask;
        } else if (input_is(id) && !(keys_told & mask) && input_age_ms(id, now) > KEY_STUCK_MS &&
                   machine_state() != STATE_SERVICE) { /* there a key is held to count tiles */
            keys_told |= mask;
            machine_warn(501u, key < 2 ? 0 : (uint8_t)(key - 1u), key);
        }
    }
}

void panel_task(uint32_t now) {
    if (inputs_stable()[4] != 0 || inputs_edges(4)) {
        keys_task(now);
    }
    lamps_task(now);
}
