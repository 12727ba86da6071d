/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulated controller board: one ATmega2560 in simavr with a clock of its own that survives resets,
 * input levels that are raised again after each reset, and a list of the output edges since the last look.
 */
#ifndef HARNESS_BOARD_H
#define HARNESS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"

#define BOARD_HZ 16000000u
#define CYCLES_PER_US (BOARD_HZ / 1000000u)
#define BOARD_PORTS 11
#define BOARD_MAX_EDGES 256

typedef struct {
    char port;
    uint8_t bit;
    uint8_t level;
    uint64_t at;
} board_edge_t;

typedef struct {
    avr_t *avr;
    avr_uart_t *uart;
    uint64_t base; /* cycles of all lives before the last reset, and of the time held in reset */
    bool held;
    bool stop; /* set by a callback: leave board_run after the current instruction */
    bool reset_seen; /* simavr reset the chip, the world is not yet brought back */
    bool was_reset;  /* since the last report */
    uint32_t resets;
    uint8_t port[BOARD_PORTS], ddr[BOARD_PORTS], driven[BOARD_PORTS], watched[BOARD_PORTS];
    uint8_t level[BOARD_PORTS], wired[BOARD_PORTS]; /* what the world puts on the pins it reaches */
    avr_irq_t *irq[BOARD_PORTS];
    board_edge_t edges[BOARD_MAX_EDGES];
    size_t edge_count;
    uint64_t edges_lost; /* found the list full */
    uint16_t adc_mv[16];
    uint8_t *eeprom;
    size_t eeprom_size;
} board_t;

typedef enum { RESET_POWER_ON, RESET_EXTERNAL, RESET_BROWNOUT, RESET_UNKNOWN } board_reset_t;

int board_open(board_t *b, const char *elf_path);
int board_flash(board_t *b, const char *elf_path); /* another program, as by a programmer: then a reset */
uint64_t board_now(const board_t *b); /* cycles since the program began */
void board_run(board_t *b, uint64_t until);
void board_stop(board_t *b); /* for callbacks */
void board_reset(board_t *b, board_reset_t kind);
void board_hold(board_t *b, bool held);
void board_hang(board_t *b);
bool board_set_pin(board_t *b, char port, int bit, int level);
bool board_watch(board_t *b, char port, uint8_t mask);
bool board_set_adc(board_t *b, int channel, int millivolt);
int board_port_index(char port);

/* Called by board_run after each reset of any kind, with simavr's timers gone. */
extern void (*board_on_reset)(void);

#endif
