/* The boot counter in EEPROM: two slots with CRC, so that a power cut while writing loses nothing. */
#ifndef BOOT_H
#define BOOT_H

#include <stdbool.h>
#include <stdint.h>

void boot_init(void);      /* counts this boot; the only EEPROM write */
uint32_t boot_count(void);
uint8_t boot_id(void);     /* 1-255, differs from the boots around it */
bool boot_record_ok(void); /* what was written reads back */

#endif
