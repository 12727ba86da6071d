#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "crc32.h"
#include "store.h"

#define FIELD(name, least, most, factory) {sizeof(((config_t *)0)->name), least, most, factory}

/* Limits: what a table can be run with at all. Values of the factory: what the machine was measured with.
 * In the order of config_t. */
static const struct {
    uint8_t size;
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
#define WAS 4u

_Static_assert(sizeof(config_t) == STORE_CONFIG_BODY, "the record is the struct");
_Static_assert(LEN_WRITE_CONFIG == WAS + sizeof(config_t), "so is the end of WriteConfig");
_Static_assert(LEN_CONFIG_REPORT == WAS + 1u + sizeof(config_t), "and that of ConfigReport");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "low byte first");

static config_t now;
static uint8_t trouble;
static bool unsaved;

static bool within_limits(const uint8_t *values) {
    for (uint8_t field = 0; field < FIELD_COUNT; field++) {
        uint16_t value = 0;
        memcpy(&value, values, FIELDS[field].size);
        values += FIELDS[field].size;
        if (value < FIELDS[field].least || value > FIELDS[field].most) {
            return false;
        }
    }
    return true;
}

const config_t *config(void) { return &now; }
uint8_t config_trouble(void) { return trouble; }
uint32_t config_crc(void) { return crc32(0, (const uint8_t *)&now, sizeof now); }

void config_init(void) {
    uint8_t body[STORE_CONFIG_BODY];
    bool cut = (store_torn() | store_failed()) >> STORE_CONFIG & 1u;
    bool kept = store_read(STORE_CONFIG, 0, body);
    if (kept && within_limits(body)) { /* limits may be other ones in a new program */
        memcpy(&now, body, sizeof now);
        trouble = cut ? CONFIG_OLDER : CONFIG_WHOLE;
        unsaved = cut; /* two good copies again, and told once */
        return;
    }
    uint8_t *to = (uint8_t *)&now;
    for (uint8_t field = 0; field < FIELD_COUNT; field++) {
        memcpy(to, &FIELDS[field].factory, FIELDS[field].size);
        to += FIELDS[field].size;
    }
    trouble = cut || kept ? CONFIG_FACTORY : CONFIG_WHOLE; /* an empty memory is no trouble */
    unsaved = false;
}

void config_task(void) {
    if (unsaved && store_idle()) {
        unsaved = false;
        store_write(STORE_CONFIG, (const uint8_t *)&now);
    }
}

uint8_t config_write(const uint8_t *payload) {
    uint32_t was;
    memcpy(&was, payload, sizeof was);
    if (!store_idle()) {
        return REASON_BUSY_MEMORY;
    }
    if (was != config_crc() || !within_limits(payload + WAS)) {
        return REASON_BAD_VALUE;
    }
    memcpy(&now, payload + WAS, sizeof now);
    trouble = CONFIG_WHOLE;
    unsaved = true;
    return REASON_NONE;
}

uint8_t config_pack(uint8_t *answer) {
    uint32_t crc = config_crc();
    memcpy(answer, &crc, sizeof crc);
    answer[4] = trouble != CONFIG_FACTORY;
    memcpy(answer + 5, &now, sizeof now);
    return LEN_CONFIG_REPORT;
}
