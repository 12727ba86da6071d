/* A new program: the machine rests for good and the chip leaves to its bootloader. */
#ifndef UPDATE_H
#define UPDATE_H

#include <stdbool.h>
#include <stdint.h>

uint8_t update_order(const uint8_t *payload, uint32_t now); /* EnterUpdate */
bool update_task(uint32_t now); /* true = on the way out, nothing else is to be done */

#endif
