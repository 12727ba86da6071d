/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board.h"

#include <stdio.h>
#include <string.h>

#include "avr_adc.h"
#include "avr_eeprom.h"
#include "avr_extint.h"
#include "sim_elf.h"

static const char PORT_NAMES[BOARD_PORTS + 1] = "ABCDEFGHJKL";
/* An endless loop (rjmp .-2) is put here: below the largest boot section, far above our code. */
#define ADC_DEFAULT_MV 4000 /* what nobody sets is a healthy voltage, */
#define ADC_FIRST_CURRENT 13 /* or no current (hardware/wiring/devices.toml) */
#define HANG_ADDRESS 0x3DFFEu

void (*board_on_reset)(void);

#define ADCL_ADDRESS 0x78
#define ADCH_ADDRESS 0x79
#define ADCSRB_ADDRESS 0x7B
#define ADMUX_ADDRESS 0x7C
#define MUX5_MASK 0x08u

static avr_io_read_t simavr_read_adcl;
static board_t *the_board; /* simavr's port callbacks carry one pointer, used for the port index */
static void (*simavr_reset)(avr_t *avr);

int board_port_index(char port) {
    const char *found = port ? strchr(PORT_NAMES, port) : NULL;
    return found ? (int)(found - PORT_NAMES) : -1;
}

uint64_t board_now(const board_t *b) { return b->base + b->avr->cycle; }

void board_stop(board_t *b) {
    b->stop = true;
    b->avr->run_cycle_count = 0; /* leave simavr's inner loop after this instruction, */
    b->avr->run_cycle_limit = 1; /* whatever timer the same instruction still sets */
}

static void sleep_costs_nothing(avr_t *avr, avr_cycle_count_t how_long) {
    (void)avr;
    (void)how_long;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list args) {
    (void)avr;
    if (level == LOG_ERROR) {
        vfprintf(stderr, format, args);
    }
}

/* Called inside simavr's reset, before its parts start anew. Debian's 1.6 leaves the cycle counter running,
 * and its timers, which begin at cycle 0 again, then catch up for minutes; later versions zero it. */
static void on_chip_reset(avr_t *avr) {
    the_board->reset_seen = true;
    the_board->base += avr->cycle;
    avr->cycle = 0;
    if (simavr_reset) {
        simavr_reset(avr);
    }
}

/* A pin drives high when it is an output and its PORT bit is set. */
static void note_drive(board_t *b, int i, uint64_t at) {
    uint8_t now = b->port[i] & b->ddr[i];
    uint8_t changed = (uint8_t)(now ^ b->driven[i]);
    b->driven[i] = now;
    if (!(changed & b->watched[i])) {
        return;
    }
    for (uint8_t bit = 0; bit < 8; bit++) {
        if (!(changed & b->watched[i] & (1u << bit))) {
            continue;
        }
        if (b->edge_count < BOARD_MAX_EDGES) {
            b->edges[b->edge_count++] = (board_edge_t){PORT_NAMES[i], bit, (now >> bit) & 1u, at};
        } else {
            b->edges_lost++;
        }
    }
    board_stop(b);
}

static void on_port(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    int i = (int)(intptr_t)param;
    the_board->port[i] = (uint8_t)value;
    note_drive(the_board, i, board_now(the_board));
}

static void on_direction(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    int i = (int)(intptr_t)param;
    the_board->ddr[i] = (uint8_t)value;
    note_drive(the_board, i, board_now(the_board));
}

static void raise_pin(board_t *b, int i, int bit) {
    avr_irq_t *irq = b->irq[i] + IOPORT_IRQ_PIN0 + bit;
    uint32_t level = (b->level[i] >> bit) & 1u;
    if (b->ddr[i] & (1u << bit)) {
        return; /* the chip drives this pin */
    }
    irq->value = !level; /* simavr swallows a repeated value, and after a reset the register is gone */
    avr_raise_irq(irq, level);
}

/* simavr takes a low INT pin (PD0-3, PE4-7, inputs and outputs) for a level-triggered interrupt until the program
 * chose an edge, and polls it in every cycle, a hundred times slower than the chip. No interrupt of ours is one of
 * these, so the pins need no more than their first edge. A reset forgets it. */
static void no_polling(board_t *b) {
    for (uint8_t number = 0; number < EXTINT_COUNT; number++) {
        avr_extint_set_strict_lvl_trig(b->avr, number, 0);
    }
}

static void raise_inputs(board_t *b) {
    no_polling(b);
    for (int i = 0; i < BOARD_PORTS; i++) {
        for (int bit = 0; bit < 8; bit++) {
            if (b->wired[i] & (1u << bit)) {
                raise_pin(b, i, bit);
            }
        }
    }
    for (int channel = 0; channel < 16; channel++) {
        avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel), b->adc_mv[channel]);
    }
}

/* No two looks of a converter beside motors are the same: 3 % of the voltage and two steps, by a fixed sequence. */
static uint32_t with_noise(uint32_t millivolt) {
    static uint32_t state = 0x2545F491u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    uint32_t most = millivolt / 32u + 10u, seen = millivolt + state % (2u * most + 1u);
    return seen > most ? seen - most : 0;
}

/* simavr 1.6 keeps 8 voltages; the chip has 16 pins. The upper ones are answered here when the result is read:
 * ADCL first, as the chip wants it, ADCH then holds the rest. */
static uint8_t read_adcl(avr_t *avr, avr_io_addr_t addr, void *param) {
    uint8_t value = simavr_read_adcl(avr, addr, param);
    if (avr->data[ADCSRB_ADDRESS] & MUX5_MASK) {
        uint32_t millivolt = with_noise(the_board->adc_mv[8u + (avr->data[ADMUX_ADDRESS] & 7u)]);
        uint32_t result = millivolt * 1024u / avr->avcc;
        result = result > 1023u ? 1023u : result;
        avr->data[ADCH_ADDRESS] = (uint8_t)(result >> 8);
        value = (uint8_t)result;
    }
    return value;
}

static void find_parts(board_t *b) {
    for (avr_io_t *io = b->avr->io_port; io; io = io->next) {
        if (strcmp(io->kind, "uart") == 0 && ((avr_uart_t *)io)->name == '0') {
            b->uart = (avr_uart_t *)io;
        }
    }
    avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = 0};
    avr_ioctl(b->avr, AVR_IOCTL_EEPROM_GET, &all); /* the answer is -1 even when it worked */
    b->eeprom = all.ee;
    b->eeprom_size = b->avr->e2end + 1u;
}

static int read_firmware(const char *elf_path, elf_firmware_t *firmware) {
    memset(firmware, 0, sizeof *firmware);
    if (elf_read_firmware(elf_path, firmware) != 0) {
        fprintf(stderr, "harness: cannot read firmware %s\n", elf_path);
        return -1;
    }
    return 0;
}

static void load(board_t *b, elf_firmware_t *firmware) {
    avr_load_firmware(b->avr, firmware);
    b->avr->frequency = BOARD_HZ; /* loading may have taken other values from the file */
    b->avr->vcc = b->avr->avcc = b->avr->aref = 5000;
    b->avr->flash[HANG_ADDRESS] = 0xff;
    b->avr->flash[HANG_ADDRESS + 1] = 0xcf;
}

int board_open(board_t *b, const char *elf_path) {
    elf_firmware_t firmware;
    memset(b, 0, sizeof *b);
    the_board = b;
    avr_global_logger_set(quiet);
    if (read_firmware(elf_path, &firmware) != 0) {
        return -1;
    }
    b->avr = avr_make_mcu_by_name("atmega2560");
    if (!b->avr) {
        fprintf(stderr, "harness: this simavr has no atmega2560\n");
        return -1;
    }
    avr_init(b->avr);
    load(b, &firmware);
    b->avr->sleep = sleep_costs_nothing;
    find_parts(b);
    if (!b->uart || !b->eeprom) {
        fprintf(stderr, "harness: no uart or eeprom in this simavr\n");
        return -1;
    }
    for (int i = 0; i < BOARD_PORTS; i++) {
        b->irq[i] = avr_io_getirq(b->avr, AVR_IOCTL_IOPORT_GETIRQ(PORT_NAMES[i]), 0);
        avr_irq_register_notify(b->irq[i] + IOPORT_IRQ_REG_PORT, on_port, (void *)(intptr_t)i);
        avr_irq_register_notify(b->irq[i] + IOPORT_IRQ_DIRECTION_ALL, on_direction, (void *)(intptr_t)i);
    }
    for (int channel = 0; channel < 16; channel++) {
        board_set_adc(b, channel, channel < ADC_FIRST_CURRENT ? ADC_DEFAULT_MV : 0);
    }
    int adcl = AVR_DATA_TO_IO(ADCL_ADDRESS);
    simavr_read_adcl = b->avr->io[adcl].r.c;
    b->avr->io[adcl].r.c = read_adcl;
    simavr_reset = b->avr->reset;
    b->avr->reset = on_chip_reset;
    no_polling(b);
    avr_regbit_set(b->avr, b->avr->reset_flags.porf);
    return 0;
}

/* simavr's reset zeroed the registers and every timer: bring the world back. */
static void after_reset(board_t *b) {
    b->reset_seen = false;
    b->was_reset = true;
    b->resets++;
    for (int i = 0; i < BOARD_PORTS; i++) {
        b->irq[i][IOPORT_IRQ_REG_PORT].value = 0;
        b->irq[i][IOPORT_IRQ_DIRECTION_ALL].value = 0;
        b->port[i] = b->ddr[i] = 0;
        note_drive(b, i, board_now(b));
    }
    raise_inputs(b);
    if (board_on_reset) {
        board_on_reset();
    }
    board_stop(b);
}

void board_reset(board_t *b, board_reset_t kind) {
    avr_reset(b->avr);
    avr_regbit_clear(b->avr, b->avr->reset_flags.wdrf);
    switch (kind) {
    case RESET_POWER_ON: avr_regbit_set(b->avr, b->avr->reset_flags.porf); break;
    case RESET_EXTERNAL: avr_regbit_set(b->avr, b->avr->reset_flags.extrf); break;
    case RESET_BROWNOUT: avr_regbit_set(b->avr, b->avr->reset_flags.borf); break;
    case RESET_UNKNOWN: break; /* a program gone astray has jumped to its beginning */
    }
    after_reset(b);
}

int board_flash(board_t *b, const char *elf_path) {
    elf_firmware_t firmware;
    if (read_firmware(elf_path, &firmware) != 0) {
        return -1;
    }
    memset(b->avr->flash, 0xff, b->avr->flashend + 1u);
    load(b, &firmware);
    board_reset(b, RESET_EXTERNAL);
    return 0;
}

void board_hold(board_t *b, bool held) {
    if (held && !b->held) {
        board_reset(b, RESET_EXTERNAL);
    }
    b->held = held;
}

void board_hang(board_t *b) {
    b->avr->pc = HANG_ADDRESS;
    b->avr->sreg[S_I] = 0;
    b->avr->state = cpu_Running;
}

static avr_cycle_count_t deadline(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)avr;
    (void)when;
    (void)param; /* only there to end a sleep in time */
    return 0;
}

/* Between two timers simavr runs many instructions at once, twice as fast as one at a time. Its own limit is one
 * (a reset sets it again); interrupts, sleep and timers end a stretch at the same instruction either way. */
void board_run(board_t *b, uint64_t until) {
    b->stop = false;
    b->avr->run_cycle_limit = BOARD_HZ;
    b->avr->run_cycle_count = 1;
    while (!b->stop && board_now(b) < until) {
        if (b->held) {
            b->base = until - b->avr->cycle;
            return;
        }
        avr_cycle_timer_register(b->avr, until - board_now(b), deadline, b);
        while (!b->stop && board_now(b) < until) {
            int state = avr_run(b->avr);
            if (b->reset_seen) {
                after_reset(b);
            } else if (state == cpu_Done || state == cpu_Crashed) {
                board_hang(b); /* asleep with interrupts off, or a wild jump: only the watchdog helps */
            }
        }
    }
    avr_cycle_timer_cancel(b->avr, deadline, b);
}

bool board_set_pin(board_t *b, char port, int bit, int level) {
    int i = board_port_index(port);
    if (i < 0 || bit < 0 || bit > 7) {
        return false;
    }
    uint8_t mask = (uint8_t)(1u << bit);
    b->level[i] = level ? (b->level[i] | mask) : (uint8_t)(b->level[i] & ~mask);
    b->wired[i] |= mask;
    avr_ioport_external_t external = {.name = (unsigned long)port, .mask = b->wired[i], .value = b->level[i]};
    avr_ioctl(b->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
    if (!(b->ddr[i] & mask)) {
        avr_raise_irq(b->irq[i] + IOPORT_IRQ_PIN0 + bit, level ? 1 : 0);
    }
    return true;
}

bool board_watch(board_t *b, char port, uint8_t mask) {
    int i = board_port_index(port);
    if (i < 0) {
        return false;
    }
    b->watched[i] = mask;
    return true;
}

bool board_set_adc(board_t *b, int channel, int millivolt) {
    if (channel < 0 || channel > 15) {
        return false;
    }
    b->adc_mv[channel] = (uint16_t)millivolt;
    avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel), (uint32_t)millivolt);
    return true;
}
