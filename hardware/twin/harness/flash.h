/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program memory as a programmer and a bootloader see it: bytes put in and read back from outside, the fuse
 * that says where the chip starts, and pages that the program itself erases and writes.
 */
#ifndef HARNESS_FLASH_H
#define HARNESS_FLASH_H

#include "board.h"

void flash_open(board_t *b);
void flash_put(board_t *b, uint32_t at, const uint8_t *bytes, size_t count);
size_t flash_get(const board_t *b, uint32_t at, uint8_t *out, size_t count); /* how many there are */
void flash_start_at(board_t *b, uint32_t at); /* fuses BOOTRST and BOOTSZ: where the next reset begins */
void flash_power_cut(board_t *b, uint64_t seed); /* the page being erased or written now is rubbish */
void flash_wear_out(uint32_t at); /* this byte is 00 from now on, whatever is written */
uint32_t flash_page_changes(void); /* pages erased or written by the program since the start */

#endif
