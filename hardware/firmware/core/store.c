#include "store.h"

#include <string.h>

#include "clock.h"
#include "crc32.h"
#include "hal.h"

#define HEAD 2u /* the record's number */
#define CRC 4u
#define SLOT_MAX (HEAD + STORE_BODY_MAX + CRC)
#define SEED 0x4D4A0000ul /* with the area's address: a record of elsewhere is none */
#define EMPTY 0xFF00u     /* from this number on: there is no record */
#define NONE 0xFFu

/* Addresses below 16 stay free: a write that goes astray at low voltage hits the first byte most of all.
 * How many slots share the wear: see "EEPROM" in the README. */
typedef struct {
    uint16_t at;
    uint8_t body, slots;
    uint16_t number; /* of the newest record */
    uint8_t newest;  /* the slot written last, NONE = none yet */
    uint8_t damaged;
} area_t;
static area_t areas[STORE_AREAS] = {
    [STORE_BOOT] = {16, STORE_BOOT_BODY, 4, 0, NONE, 0},
    [STORE_CONFIG] = {64, STORE_CONFIG_BODY, 2, 0, NONE, 0},
    [STORE_LOG] = {128, STORE_LOG_BODY, 40, 0, NONE, 0},
    [STORE_STATISTICS] = {1024, STORE_STATISTICS_BODY, 16, 0, NONE, 0},
};
static uint8_t torn, failed; /* bits of areas */

static struct {
    area_t *area; /* 0 = nothing to do */
    uint16_t at;
    uint8_t left;
    uint8_t *next; /* of `bytes` */
    uint8_t bytes[SLOT_MAX];
} job;

static uint8_t bit_of(const area_t *area) { return (uint8_t)(1u << (area - areas)); }

static uint8_t length_of(const area_t *area) { return (uint8_t)(HEAD + area->body + CRC); }

static uint16_t address(const area_t *area, uint8_t slot) { return (uint16_t)(area->at + slot * length_of(area)); }

static uint32_t crc_of(const area_t *area) { return crc32(SEED + area->at, job.bytes, (uint8_t)(HEAD + area->body)); }

static uint16_t number_of(void) { return (uint16_t)(job.bytes[0] | job.bytes[1] << 8); }

/* Read a slot into the writer's buffer, which is free then; true when it holds a record. */
static bool look(const area_t *area, uint8_t slot) {
    uint16_t at = address(area, slot);
    for (uint8_t i = 0; i < length_of(area); i++) {
        job.bytes[i] = hal_eeprom_read(at++);
    }
    uint32_t crc = crc_of(area);
    return number_of() < EMPTY && memcmp(job.bytes + HEAD + area->body, &crc, CRC) == 0;
}

static uint8_t after(const area_t *area) {
    uint8_t slot = (uint8_t)(area->newest + 1u); /* NONE: the first */
    return slot >= area->slots ? 0 : slot;
}

/* What the next record would go to may have been cut off by a reset: nothing older is lost by that. What else is
 * broken is told at every start until the ring comes round and writes over it. */
static void judge(const area_t *area, uint8_t broken) {
    if (area->damaged == 1 && broken == after(area)) {
        torn |= bit_of(area);
    } else if (area->damaged != 0) {
        failed |= bit_of(area);
    }
}

static void open_area(area_t *area) {
    uint8_t broken = 0;
    area->newest = NONE;
    area->number = 0;
    area->damaged = 0;
    for (uint8_t slot = 0; slot < area->slots; slot++) {
        bool whole = look(area, slot);
        uint16_t number = number_of();
        if (whole) {
            if (area->newest == NONE || (int16_t)(number - area->number) > 0) {
                area->newest = slot;
                area->number = number;
            }
        } else if (number < EMPTY) {
            broken = slot;
            area->damaged++;
        }
    }
    judge(area, broken);
}

void store_init(void) {
    START_AT_ZERO(torn);
    START_AT_ZERO(failed);
    START_AT_ZERO(job);
    hal_eeprom_wait(); /* a byte that was begun before a reset is still written */
    for (uint8_t id = 0; id < STORE_AREAS; id++) {
        open_area(&areas[id]);
    }
}

bool store_idle(void) { return job.area == 0; }

void store_write(uint8_t id, const uint8_t *body) {
    area_t *area = &areas[id];
    if (++area->number >= EMPTY) {
        area->number = 0;
    }
    memcpy(job.bytes, &area->number, HEAD);
    memcpy(job.bytes + HEAD, body, area->body);
    uint32_t crc = crc_of(area);
    memcpy(job.bytes + HEAD + area->body, &crc, CRC);
    area->newest = after(area);
    job.at = address(area, area->newest);
    job.left = length_of(area);
    job.next = job.bytes;
    job.area = area;
}

void store_task(void) {
    area_t *area = job.area;
    if (area == 0 || hal_eeprom_busy()) {
        return;
    }
    if (job.left == 0) {
        job.area = 0;
        return;
    }
    job.left--;
    if (hal_eeprom_read(job.at) != *job.next) {
        hal_eeprom_begin(job.at, *job.next);
    }
    job.at++;
    job.next++;
}

void store_write_now(uint8_t id, const uint8_t *body) {
    store_write(id, body);
    while (!store_idle()) {
        store_task();
        hal_eeprom_wait();
    }
}

bool store_read(uint8_t id, uint8_t index, uint8_t *body) {
    const area_t *area = &areas[id];
    uint8_t slot = area->newest;
    if (slot == NONE || index >= area->slots) {
        return false;
    }
    slot = (uint8_t)(slot < index ? slot + area->slots - index : slot - index);
    if (!look(area, slot)) {
        return false;
    }
    memcpy(body, job.bytes + HEAD, area->body);
    return true;
}

uint16_t store_number(uint8_t id) { return areas[id].number; }
uint8_t store_damaged(uint8_t id) { return areas[id].damaged; }
uint8_t store_torn(void) { return torn; }
uint8_t store_failed(void) { return failed; }
