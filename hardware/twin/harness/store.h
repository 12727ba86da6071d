/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The EEPROM as a file: read at start, written when its content changed.
 */
#ifndef HARNESS_STORE_H
#define HARNESS_STORE_H

#include "board.h"

void store_open(board_t *b, const char *path);
void store_keep(board_t *b);

#endif
