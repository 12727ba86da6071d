#include "boot.h"

#include "clock.h"
#include "store.h"

static uint32_t count; /* the record is the number */

void boot_init(void) {
    START_AT_ZERO(count);
    store_read(STORE_BOOT, 0, (uint8_t *)&count);
    count++;
    store_write_now(STORE_BOOT, (const uint8_t *)&count);
}

uint32_t boot_count(void) { return count; }
uint8_t boot_id(void) { return (uint8_t)(1u + count % 255u); }
