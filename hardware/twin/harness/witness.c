/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "witness.h"

#define GPIOR0_ADDRESS 0x3E
#define SAID_MAX 65536u

static uint8_t said[SAID_MAX];
static size_t count;
static uint64_t lost;

static void on_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    (void)param;
    avr->data[addr] = value;
    if (count < SAID_MAX) {
        said[count++] = value;
    } else {
        lost++;
    }
}

void witness_open(board_t *board) { avr_register_io_write(board->avr, GPIOR0_ADDRESS, on_write, NULL); }

size_t witness_take(uint8_t *out, size_t room) {
    size_t taken = count < room ? count : room;
    for (size_t i = 0; i < taken; i++) {
        out[i] = said[i];
    }
    for (size_t i = taken; i < count; i++) {
        said[i - taken] = said[i];
    }
    count -= taken;
    return taken;
}

uint64_t witness_lost(void) { return lost; }
