#include "config.h"

#include <stddef.h>
#include <string.h>

#include "crc32.h"

#define FIELD(name, least, most, factory) {offsetof(config_t, name), sizeof(((config_t *)0)->name), least, most, factory}

/* Limits: what a table can be run with at all. Values of the factory: what the machine was measured with. */
static const struct {
    uint8_t at, size;
    uint16_t least, most, factory;
} FIELDS[] = {
    FIELD(sets, 1, 2, 1),
    FIELD(service_code, 0, 9999, 1234),
    FIELD(jam_ms, 300, 2000, 800),
    FIELD(tile_least_ms, 8, 29, 16), /* a tile darkens the counter for 30 to 60 ms */
    FIELD(reverse_tries, 0, 3, 2),
    FIELD(duty_percent, 10, 100, 80),
    FIELD(feed_limit_ma, 200, 10000, 1500),
    FIELD(stack_limit_ma, 200, 10000, 1500),
    FIELD(main_limit_ma, 200, 10000, 1800),
};
#define FIELD_COUNT (sizeof FIELDS / sizeof FIELDS[0])
#define BODY 14u /* the values one behind the other, low byte first */

static config_t now;

static uint16_t get(const config_t *from, uint8_t field) {
    const uint8_t *at = (const uint8_t *)from + FIELDS[field].at;
    uint16_t wide;
    if (FIELDS[field].size == 1u) {
        return *at;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static void put(config_t *to, uint8_t field, uint16_t value) {
    uint8_t *at = (uint8_t *)to + FIELDS[field].at;
    if (FIELDS[field].size == 1u) {
        *at = (uint8_t)value;
    } else {
        memcpy(at, &value, sizeof value);
    }
}

static void pack(const config_t *from, uint8_t *body) {
    for (uint8_t field = 0; field < FIELD_COUNT; field++) {
        uint16_t value = get(from, field);
        *body++ = (uint8_t)value;
        if (FIELDS[field].size == 2u) {
            *body++ = (uint8_t)(value >> 8);
        }
    }
}

const config_t *config(void) { return &now; }

uint32_t config_crc(void) {
    uint8_t body[BODY];
    pack(&now, body);
    return crc32(0, body, BODY);
}

void config_init(void) {
    for (uint8_t field = 0; field < FIELD_COUNT; field++) {
        put(&now, field, FIELDS[field].factory);
    }
}
