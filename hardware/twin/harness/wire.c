/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simavr 1.6 counts 11 bits a byte and queues 64 received bytes. The chip has 10 and keeps two: so the wire
 * sets simavr's byte time itself, raises a byte as "received" when its stop bit has passed, lets the next
 * one follow at once when the program reads, and drops (setting DOR0) what finds two bytes still unread.
 */
#include "wire.h"

#define QUEUE_MASK (WIRE_QUEUE - 1u)
#define UBRR0L_ADDRESS 0xC4
#define UBRR0H_ADDRESS 0xC5
#define UDR0_ADDRESS 0xC6
#define UCSR0A_ADDRESS 0xC0
#define U2X0_MASK 0x02u
#define DOR0_MASK 0x08u
#define PAUSE_CYCLES (BOARD_HZ / 1000u) /* a silence of 1 ms ends a burst that had no 0x00 */
#define BITS_PER_BYTE 10u

static wire_t *the_wire;
static avr_io_read_t simavr_read_udr;
static avr_cycle_count_t arrive(avr_t *avr, avr_cycle_count_t when, void *param);

static uint32_t random_ppm(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 11) % 1000000u);
}

static avr_cycle_count_t byte_cycles(const avr_t *avr) {
    uint32_t divider = (avr->data[UBRR0L_ADDRESS] | ((avr->data[UBRR0H_ADDRESS] & 0x0fu) << 8)) + 1u;
    uint32_t per_bit = divider * ((avr->data[UCSR0A_ADDRESS] & U2X0_MASK) ? 8u : 16u);
    return BITS_PER_BYTE * per_bit;
}

/* More than 4 % apart, stop bits are no longer where they are looked for. */
static bool rates_differ(const wire_t *w) {
    uint64_t chip = (uint64_t)BITS_PER_BYTE * BOARD_HZ / byte_cycles(w->board->avr);
    uint64_t host = w->host_baud ? w->host_baud : w->port_baud;
    return host != 0 && (chip > host ? chip - host : host - chip) * 25u > host;
}

static uint8_t as_heard(wire_t *w, uint8_t byte) {
    return rates_differ(w) ? (uint8_t)(random_ppm(&w->rubbish) >> 3) : byte;
}

static void arm(wire_t *w) {
    if (!w->byte_on_way && w->to_head != w->to_tail && !w->board->held) {
        w->byte_on_way = true;
        avr_cycle_timer_register(w->board->avr, byte_cycles(w->board->avr), arrive, w);
    }
}

static unsigned unread(const avr_uart_t *uart) {
    return (unsigned)(uart->input.write - uart->input.read) & (uart_fifo_fifo_size - 1u);
}

static void note_overrun(wire_t *w) {
    w->overruns++;
    w->board->avr->data[UCSR0A_ADDRESS] |= DOR0_MASK;
}

static void hand_to_chip(wire_t *w, uint8_t byte) {
    avr_uart_t *uart = w->board->uart;
    avr_t *avr = w->board->avr;
    if (!avr_regbit_get(avr, uart->rxen)) {
        return;
    }
    if (unread(uart) >= CHIP_FIFO) {
        note_overrun(w);
        return;
    }
    uart->cycles_per_byte = 1; /* the byte is complete now */
    avr_raise_irq(uart->io.irq + UART_IRQ_INPUT, byte);
    uart->cycles_per_byte = byte_cycles(avr);
}

/* The receive interrupt is let go: what the chip kept is there, the rest was lost. */
static avr_cycle_count_t hear_again(avr_t *avr, avr_cycle_count_t when, void *param) {
    wire_t *w = param;
    (void)avr;
    (void)when;
    unsigned count = w->waiting_count;
    w->deaf_until = 0;
    w->waiting_count = 0;
    for (unsigned i = 0; i < count; i++) {
        hand_to_chip(w, w->waiting[i]);
    }
    if (w->waiting_lost) {
        w->waiting_lost = false;
        w->board->avr->data[UCSR0A_ADDRESS] |= DOR0_MASK;
    }
    return 0;
}

/* Returns whether the chip cannot tell its program of this byte now. */
static bool held_up(wire_t *w, uint8_t byte) {
    if (w->deaf_for) {
        w->deaf_until = board_now(w->board) + w->deaf_for;
        avr_cycle_timer_register(w->board->avr, w->deaf_for, hear_again, w);
        w->deaf_for = 0;
    }
    if (!w->deaf_until) {
        return false;
    }
    if (w->waiting_count < CHIP_FIFO) {
        w->waiting[w->waiting_count++] = byte;
    } else {
        w->overruns++;
        w->waiting_lost = true;
    }
    return true;
}

static void tap(wire_t *w, uint8_t byte, bool to_chip) {
    if (!w->tapping) {
        return;
    }
    if (w->tap_count < WIRE_TAP) {
        w->tap[w->tap_count++] = (wire_tapped_t){board_now(w->board), byte, to_chip};
    } else {
        w->tap_lost++;
    }
}

static avr_cycle_count_t arrive(avr_t *avr, avr_cycle_count_t when, void *param) {
    wire_t *w = param;
    (void)avr;
    (void)when;
    w->byte_on_way = false;
    if (w->to_head != w->to_tail) {
        uint8_t byte = as_heard(w, w->to_chip[w->to_tail++ & QUEUE_MASK]);
        tap(w, byte, true);
        if (!held_up(w, byte)) {
            hand_to_chip(w, byte);
        }
        w->bytes_in++;
    }
    arm(w);
    return 0;
}

static uint8_t read_udr(avr_t *avr, avr_io_addr_t addr, void *param) {
    avr_uart_t *uart = the_wire->board->uart;
    uart->cycles_per_byte = 1; /* a second waiting byte is there at once */
    uint8_t value = simavr_read_udr(avr, addr, param);
    uart->cycles_per_byte = byte_cycles(avr);
    avr->data[UCSR0A_ADDRESS] &= (uint8_t)~DOR0_MASK; /* valid until the receive buffer is read */
    return value;
}

static avr_cycle_count_t pause_over(avr_t *avr, avr_cycle_count_t when, void *param) {
    wire_t *w = param;
    (void)avr;
    (void)when;
    if (w->in_frame) {
        w->in_frame = false;
        w->frame_ready = true;
        board_stop(w->board);
    }
    return 0;
}

static void put_from_chip(wire_t *w, uint8_t byte) {
    if (w->from_head - w->from_tail < WIRE_QUEUE) {
        w->from_chip[w->from_head++ & QUEUE_MASK] = byte;
    } else {
        w->lost++;
    }
}

/* Pass a byte on, or damage it. Returns how many bytes `out` now holds. */
static int damage(wire_t *w, wire_damage_t *d, uint8_t byte, uint8_t out[2]) {
    out[0] = byte;
    if (!(d->flip | d->drop | d->insert | d->repeat)) {
        return 1;
    }
    uint32_t dice = random_ppm(&d->seed);
    if (dice < d->flip) {
        w->damaged++;
        out[0] = (uint8_t)(byte ^ (1u << (random_ppm(&d->seed) & 7u)));
        return 1;
    }
    dice -= d->flip;
    if (dice < d->drop) {
        w->damaged++;
        return 0;
    }
    dice -= d->drop;
    if (dice < d->insert) {
        w->damaged++;
        out[1] = (uint8_t)random_ppm(&d->seed);
        return 2;
    }
    dice -= d->insert;
    if (dice < d->repeat) {
        w->damaged++;
        out[1] = byte;
        return 2;
    }
    return 1;
}

static void on_output(avr_irq_t *irq, uint32_t value, void *param) {
    wire_t *w = param;
    (void)irq;
    uint8_t out[2];
    tap(w, (uint8_t)value, false);
    int count = damage(w, &w->damage_from, (uint8_t)value, out);
    for (int i = 0; i < count; i++) {
        put_from_chip(w, as_heard(w, out[i]));
    }
    w->bytes_out++;
    w->board->uart->cycles_per_byte = byte_cycles(w->board->avr);
    avr_cycle_timer_cancel(w->board->avr, pause_over, w);
    if ((uint8_t)value == 0) {
        if (w->in_frame) {
            w->in_frame = false;
            w->frame_ready = true;
            board_stop(w->board);
        }
    } else {
        w->in_frame = true;
        avr_cycle_timer_register(w->board->avr, PAUSE_CYCLES, pause_over, w);
    }
}

void wire_open(wire_t *w, board_t *board) {
    avr_t *avr = board->avr;
    w->board = board;
    w->rubbish = 88172645463325252ull;
    the_wire = w;
    uint32_t flags = 0; /* neither print to the console nor sleep when the program polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_output, w);
    int io = AVR_DATA_TO_IO(UDR0_ADDRESS);
    simavr_read_udr = avr->io[io].r.c;
    avr->io[io].r.c = read_udr;
}

void wire_send(wire_t *w, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t out[2];
        int kept = damage(w, &w->damage_to, bytes[i], out);
        for (int k = 0; k < kept; k++) {
            if (w->board->held) {
                w->unheard++;
            } else if (w->to_head - w->to_tail < WIRE_QUEUE) {
                w->to_chip[w->to_head++ & QUEUE_MASK] = out[k];
            } else {
                w->lost++;
            }
        }
    }
    arm(w);
}

size_t wire_take(wire_t *w, uint8_t *out, size_t room) {
    size_t count = 0;
    while (count < room && w->from_tail != w->from_head) {
        out[count++] = w->from_chip[w->from_tail++ & QUEUE_MASK];
    }
    w->frame_ready = false;
    return count;
}

void wire_after_reset(wire_t *w) {
    w->byte_on_way = false; /* simavr forgot the timer, the host still sends */
    w->in_frame = false;
    w->deaf_for = w->deaf_until = 0;
    w->waiting_count = 0;
    w->waiting_lost = false;
    if (w->board->held) { /* what still travels arrives at a chip that does not listen */
        w->unheard += w->to_head - w->to_tail;
        w->to_tail = w->to_head;
    }
    arm(w);
}

void wire_deafen(wire_t *w, uint64_t cycles) { w->deaf_for = cycles; }
