/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program says of itself through GPIOR0, a register without a function: see hal_witness in its hal.h.
 */
#ifndef HARNESS_WITNESS_H
#define HARNESS_WITNESS_H

#include "board.h"

void witness_open(board_t *board);
size_t witness_take(uint8_t *out, size_t room); /* what was said since the last look */
uint64_t witness_lost(void);                    /* bytes said while nobody had looked for too long */

#endif
