#include "boot.h"

#include "crc32.h"
#include "hal.h"

#define SLOT 6u /* count (4), low half of its CRC-32 */
#define SEED 0x5Aul /* an erased EEPROM is no record */

static uint32_t count;
static uint8_t slot_used;

static bool read_slot(uint8_t slot, uint32_t *value) {
    uint8_t bytes[SLOT];
    for (uint8_t i = 0; i < SLOT; i++) {
        bytes[i] = hal_eeprom_read((uint8_t)(slot * SLOT + i));
    }
    uint16_t crc = (uint16_t)crc32(SEED, bytes, 4);
    *value = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return bytes[4] == (uint8_t)crc && bytes[5] == (uint8_t)(crc >> 8);
}

static void write_slot(uint8_t slot, uint32_t value) {
    uint8_t bytes[SLOT] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    uint16_t crc = (uint16_t)crc32(SEED, bytes, 4);
    bytes[4] = (uint8_t)crc;
    bytes[5] = (uint8_t)(crc >> 8);
    for (uint8_t i = 0; i < SLOT; i++) {
        hal_eeprom_write((uint8_t)(slot * SLOT + i), bytes[i]);
    }
}

void boot_init(void) {
    uint32_t a, b;
    bool a_ok = read_slot(0, &a), b_ok = read_slot(1, &b);
    count = a_ok && (!b_ok || (int32_t)(a - b) > 0) ? a : b_ok ? b : 0;
    slot_used = a_ok && count == a ? 1u : 0u; /* the other one */
    count++;
    write_slot(slot_used, count);
}

uint32_t boot_count(void) { return count; }
uint8_t boot_id(void) { return (uint8_t)(1u + count % 255u); }

bool boot_record_ok(void) {
    uint32_t value;
    return read_slot(slot_used, &value) && value == count;
}
