/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simavr erases and writes a page within one instruction. The chip takes up to 4.5 ms, during which SPMEN stays
 * set, and a power cut in that time leaves bytes that nobody can foresee: both are added here.
 */
#include "flash.h"

#include <string.h>

#include "avr_flash.h"

#define PAGE 256u
#define BUSY_CYCLES (BOARD_HZ / 1000000u * 4500u)

static board_t *the_board;
static avr_flash_t *part;
static int (*simavr_spm)(struct avr_io_t *port, uint32_t ctl, void *param);
static uint32_t last_page, changes, worn_at = UINT32_MAX;
static uint64_t busy_until;

static avr_cycle_count_t page_done(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)when;
    (void)param;
    avr_regbit_clear(avr, part->selfprgen);
    return 0;
}

static int on_spm(struct avr_io_t *port, uint32_t ctl, void *param) {
    avr_t *avr = the_board->avr;
    bool is_spm = ctl == AVR_IOCTL_FLASH_SPM;
    bool is_page = is_spm && (avr_regbit_get(avr, part->pgers) || avr_regbit_get(avr, part->pgwrt));
    uint32_t z = avr->data[R_ZL] | (uint32_t)avr->data[R_ZH] << 8 | (uint32_t)avr->data[avr->rampz] << 16;
    int answer = simavr_spm(port, ctl, param);
    if (is_page) {
        if (worn_at <= avr->flashend) {
            avr->flash[worn_at] = 0;
        }
        last_page = z & ~(PAGE - 1u);
        changes++;
        busy_until = board_now(the_board) + BUSY_CYCLES;
        avr_regbit_set(avr, part->selfprgen);
        avr_cycle_timer_register(avr, BUSY_CYCLES, page_done, NULL);
    }
    return answer;
}

void flash_open(board_t *b) {
    the_board = b;
    for (avr_io_t *io = b->avr->io_port; io; io = io->next) {
        if (strcmp(io->kind, "flash") == 0) {
            part = (avr_flash_t *)io;
            simavr_spm = io->ioctl;
            io->ioctl = on_spm;
        }
    }
}

void flash_put(board_t *b, uint32_t at, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count && at + i <= b->avr->flashend; i++) {
        b->avr->flash[at + i] = bytes[i];
    }
}

size_t flash_get(const board_t *b, uint32_t at, uint8_t *out, size_t count) {
    size_t i = 0;
    for (; i < count && at + i <= b->avr->flashend; i++) {
        out[i] = b->avr->flash[at + i];
    }
    return i;
}

void flash_start_at(board_t *b, uint32_t at) {
    b->avr->reset_pc = at;
    b->avr->codeend = b->avr->flashend;
}

void flash_power_cut(board_t *b, uint64_t seed) {
    if (board_now(b) < busy_until) {
        uint64_t x = seed * 2862933555777941757ull + 3037000493ull;
        for (uint32_t i = 0; i < PAGE; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            b->avr->flash[last_page + i] = (uint8_t)(x >> 32);
        }
    }
    busy_until = 0;
    board_reset(b, RESET_POWER_ON);
}

void flash_wear_out(uint32_t at) { worn_at = at; }

uint32_t flash_page_changes(void) { return changes; }
