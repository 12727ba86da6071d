#include "panel.h"

#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "link.h"
#include "machine.h"
#include "protocol.h"

#define KEY_STUCK_MS 10000u

static uint8_t lamp, keys_told;

void panel_init(void) {
    lamp = keys_told = 0;
    hal_write_lamps(0);
}

uint8_t panel_lamp(void) { return lamp; }

uint8_t panel_light(uint8_t side) {
    if (side > 4u) {
        return REASON_BAD_VALUE;
    }
    lamp = side;
    hal_write_lamps(lamp ? (uint8_t)(1u << (lamp - 1u)) : 0);
    return REASON_NONE;
}

static void keys_task(uint32_t now) {
    for (uint8_t key = 0; key < KEY_COUNT; key++) {
        uint8_t id = (uint8_t)(IN_KEY_LIFT_A + key), mask = (uint8_t)(1u << key);
        if (input_rose(id) || input_fell(id)) {
            uint8_t payload[LEN_KEY] = {key, input_is(id)};
            link_event(MSG_KEY, payload, LEN_KEY);
            keys_told &= (uint8_t)~mask;
        } else if (input_is(id) && !(keys_told & mask) && input_age_ms(id, now) > KEY_STUCK_MS) {
            keys_told |= mask;
            machine_warn(501u, key < 2 ? 0 : (uint8_t)(key - 1u), key);
        }
    }
}

void panel_task(uint32_t now) {
    if (inputs_stable()[4] != 0 || inputs_edges(4)) {
        keys_task(now);
    }
}
