/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The serial wire to USART0: bytes take their time, arrive once, and can be damaged on purpose.
 */
#ifndef HARNESS_WIRE_H
#define HARNESS_WIRE_H

#include "board.h"

#define WIRE_QUEUE 65536 /* power of two */
#define WIRE_TAP 16384
#define CHIP_FIFO 2 /* received bytes that the chip keeps */

/* Damage in parts per million of the bytes of one direction. */
typedef struct {
    uint32_t flip, drop, insert, repeat;
    uint64_t seed;
} wire_damage_t;

/* A byte as the chip heard it (from the host, its stop bit has passed) or said it (handed to the transmitter). */
typedef struct {
    uint64_t at;
    uint8_t byte;
    bool to_chip;
} wire_tapped_t;

typedef struct {
    board_t *board;
    uint8_t to_chip[WIRE_QUEUE], from_chip[WIRE_QUEUE];
    uint32_t to_head, to_tail, from_head, from_tail;
    bool byte_on_way;
    bool in_frame; /* bytes came since the last 0x00 or pause */
    bool frame_ready;
    wire_damage_t damage_to, damage_from;
    uint32_t host_baud; /* the adapter's own rate, whatever the host asks for; 0 = that of the port */
    uint32_t port_baud; /* what the host set on the port; 0 = the chip's. Bytes at another rate arrive as rubbish */
    uint64_t deaf_for, deaf_until; /* cycles: the receive interrupt is held up from the next byte on */
    uint8_t waiting[CHIP_FIFO];
    unsigned waiting_count;
    bool waiting_lost;
    bool tapping;
    wire_tapped_t tap[WIRE_TAP];
    size_t tap_count;
    uint64_t tap_lost;
    uint64_t rubbish;
    uint64_t bytes_in, bytes_out, overruns, damaged;
    uint64_t lost;    /* found the queue full */
    uint64_t unheard; /* came while the chip was held in reset */
} wire_t;

void wire_open(wire_t *w, board_t *board);
void wire_send(wire_t *w, const uint8_t *bytes, size_t count); /* host -> chip */
size_t wire_take(wire_t *w, uint8_t *out, size_t room);        /* chip -> host */
void wire_after_reset(wire_t *w);
void wire_deafen(wire_t *w, uint64_t cycles);

#endif
