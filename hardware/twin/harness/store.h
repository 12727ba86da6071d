/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The EEPROM as a file: read at start, written when its content changed.
 */
#ifndef HARNESS_STORE_H
#define HARNESS_STORE_H

#include "board.h"

int store_open(board_t *b, const char *path); /* -1: there is a file and it cannot be read; said on stderr */
void store_keep(board_t *b);

#endif
