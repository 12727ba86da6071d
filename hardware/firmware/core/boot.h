/* Which start this is, counted in EEPROM. */
#ifndef BOOT_H
#define BOOT_H

#include <stdint.h>

void boot_init(void);      /* counts this start, and waits until that is written: no two starts have one number */
uint32_t boot_count(void);
uint8_t boot_id(void);     /* 1-255, differs from the boots around it */

#endif
