#include "pages.h"

#include <avr/boot.h>
#include <avr/eeprom.h>
#include <avr/pgmspace.h>
#include <avr/wdt.h>

#include "line.h"

#define CRC_SLICE 16u /* bytes between two looks at the line: well below the 80 us of its two bytes */

static uint32_t crc_table[256]; /* in RAM: the check of a program delays every start */

void pages_init(void) {
    for (uint16_t i = 0; i < 256u; i++) {
        uint32_t crc = i;
        for (uint8_t bit = 0; bit < 8; bit++) {
            crc = crc & 1u ? crc >> 1 ^ 0xEDB88320ul : crc >> 1;
        }
        crc_table[i] = crc;
    }
}

uint8_t pages_byte(uint32_t at) { return pgm_read_byte_far(at); }

/* Whatever else goes wrong, the bootloader does not touch itself. */
static bool is_ours(uint32_t at) { return at % FLASH_PAGE == 0 && at < FLASH_BOOT_AT; }

static void wait_done(void) {
    boot_spm_busy_wait(); /* up to 4.5 ms */
    boot_rww_enable();
    wdt_reset();
}

static bool equals(uint32_t at, const uint8_t bytes[FLASH_PAGE]) {
    for (uint16_t i = 0; i < FLASH_PAGE; i++) {
        if (pages_byte(at + i) != bytes[i]) {
            return false;
        }
    }
    return true;
}

bool pages_erase(uint32_t at) {
    if (!is_ours(at)) {
        return false;
    }
    eeprom_busy_wait(); /* the chip forbids both at once */
    boot_page_erase(at);
    wait_done();
    return pages_byte(at) == 0xFFu;
}

bool pages_write(uint32_t at, const uint8_t bytes[FLASH_PAGE]) {
    if (!is_ours(at)) {
        return false;
    }
    if (equals(at, bytes)) {
        return true;
    }
    pages_erase(at);
    for (uint16_t i = 0; i < FLASH_PAGE; i += 2) {
        boot_page_fill(at + i, (uint16_t)(bytes[i] | bytes[i + 1] << 8));
    }
    boot_page_write(at);
    wait_done();
    return equals(at, bytes);
}

bool pages_copy(uint32_t to, uint32_t from, uint32_t size) {
    static uint8_t page[FLASH_PAGE];
    for (uint32_t done = 0; done < size; done += FLASH_PAGE) {
        for (uint16_t i = 0; i < FLASH_PAGE; i++) {
            page[i] = pages_byte(from + done + i);
        }
        if (!pages_write(to + done, page)) {
            return false;
        }
        wdt_reset(); /* pages that are equal take 1 ms each, and there may be 480 */
        line_listen();
    }
    return true;
}

uint32_t pages_crc(uint32_t at, uint32_t size) {
    uint32_t crc = 0xFFFFFFFFul;
    while (size != 0) {
        uint8_t slice = size < CRC_SLICE ? (uint8_t)size : CRC_SLICE;
        for (uint8_t i = 0; i < slice; i++) {
            crc = crc >> 8 ^ crc_table[(uint8_t)crc ^ pages_byte(at++)];
        }
        size -= slice;
        wdt_reset();
        line_listen();
    }
    return ~crc;
}
