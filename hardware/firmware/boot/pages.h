/* The program memory, page by page. Runs from the boot section, which can be read while the rest is written. */
#ifndef PAGES_H
#define PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "flash_map.h"

void pages_init(void);
uint8_t pages_byte(uint32_t at);
bool pages_write(uint32_t at, const uint8_t bytes[FLASH_PAGE]); /* true when it reads back */
bool pages_copy(uint32_t to, uint32_t from, uint32_t size);     /* pages that are equal are left alone */
bool pages_erase(uint32_t at);
uint32_t pages_crc(uint32_t at, uint32_t size); /* CRC-32 as zlib's; listens to the line meanwhile */

#endif
