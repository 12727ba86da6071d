#include "program.h"

#include <string.h>

#include "crc32.h"
#include "pages.h"

#define FORMAT 1u
#define BLOCK BLOCK_BYTES
#define BLOCKS (FLASH_PAGE / BLOCK)
#define COPY_TRIES 3u

typedef struct {
    begin_t what;
    uint32_t crc;
} record_t;

static bool valid, begun;
static record_t runs;
static begin_t coming;
static uint8_t page[FLASH_PAGE], blocks_there;
static uint16_t page_number, blocks_coming;

/* ---------------------------------------------------------------- records */

static uint32_t record_crc(const begin_t *what) { return crc32(FLASH_RECORD_SEED, (const uint8_t *)what, LEN_BEGIN); }

static bool read_record(uint32_t at, record_t *out) {
    for (uint8_t i = 0; i < sizeof *out; i++) {
        ((uint8_t *)out)[i] = pages_byte(at + i);
    }
    return record_crc(&out->what) == out->crc && out->what.format == FORMAT && out->what.size <= FLASH_ROOM;
}

static bool write_record(uint32_t at, const begin_t *what) {
    record_t record = {*what, record_crc(what)};
    memset(page, 0xFF, sizeof page);
    memcpy(page, &record, sizeof record);
    return pages_write(at, page);
}

static bool is_whole(uint32_t at, const begin_t *what) {
#ifdef MUTANT_NO_CHECK
    (void)at;
    return what->size != 0;
#else
    return pages_crc(at, what->size) == what->crc;
#endif
}

/* ---------------------------------------------------------------- what runs and what waits */

bool program_valid(void) { return valid; }

const begin_t *program_record(void) { return &runs.what; }

/* The same way after Finish and after a power cut at any point: nothing is remembered but what lies in flash.
 * The waiting room is left as it is; equal records say that its copy is done, and it mends a damaged program. */
bool program_settle(void) {
    record_t waits;
    begun = false;
    valid = read_record(FLASH_PROGRAM_RECORD_AT, &runs) && is_whole(FLASH_PROGRAM_AT, &runs.what);
    if (!read_record(FLASH_WAITING_RECORD_AT, &waits) || (valid && memcmp(&runs, &waits, sizeof runs) == 0) ||
        !is_whole(FLASH_WAITING_AT, &waits.what)) {
        return true;
    }
    runs = waits;
    valid = false;
#ifdef MUTANT_FORGET_EARLY
    pages_erase(FLASH_WAITING_RECORD_AT);
#endif
    for (uint8_t tries = 0; tries < COPY_TRIES && !valid; tries++) {
        valid = pages_copy(FLASH_PROGRAM_AT, FLASH_WAITING_AT, runs.what.size) &&
                is_whole(FLASH_PROGRAM_AT, &runs.what) && write_record(FLASH_PROGRAM_RECORD_AT, &runs.what);
    }
    return valid;
}

/* ---------------------------------------------------------------- taking a new one */

uint8_t program_begin(const begin_t *what) {
    if (what->format != FORMAT || what->size == 0) {
        return VERDICT_BAD_VALUE;
    }
    if (what->board != BOOT_BOARD_ATMEGA2560) {
        return VERDICT_WRONG_BOARD;
    }
    if (what->size > FLASH_ROOM) {
        return VERDICT_TOO_LARGE;
    }
    coming = *what;
    blocks_coming = (uint16_t)((coming.size + BLOCK - 1u) / BLOCK);
    blocks_there = 0;
    begun = pages_erase(FLASH_WAITING_RECORD_AT); /* from here on nothing waits, until Finish */
    return begun ? VERDICT_OK : VERDICT_MEMORY;
}

static uint8_t all_blocks_of(uint16_t number) {
    uint16_t left = blocks_coming - number * BLOCKS;
    return left >= BLOCKS ? (1u << BLOCKS) - 1u : (uint8_t)((1u << left) - 1u);
}

uint8_t program_block(uint16_t index, const uint8_t bytes[BLOCK_BYTES]) {
    if (!begun) {
        return VERDICT_NOT_BEGUN;
    }
    if (index >= blocks_coming) {
        return VERDICT_BAD_VALUE;
    }
    uint16_t number = index / BLOCKS;
    if (blocks_there == 0 || number != page_number) {
        memset(page, 0xFF, sizeof page);
        page_number = number;
        blocks_there = 0;
    }
    memcpy(page + index % BLOCKS * BLOCK, bytes, BLOCK);
    blocks_there |= (uint8_t)(1u << index % BLOCKS);
    if (blocks_there != all_blocks_of(number)) {
        return VERDICT_OK;
    }
    blocks_there = 0;
    return pages_write(FLASH_WAITING_AT + (uint32_t)number * FLASH_PAGE, page) ? VERDICT_OK : VERDICT_MEMORY;
}

uint8_t program_finish(uint32_t *crc) {
    if (!begun) {
        return VERDICT_NOT_BEGUN;
    }
    *crc = pages_crc(FLASH_WAITING_AT, coming.size);
    if (*crc != coming.crc) {
        return VERDICT_DAMAGED;
    }
    blocks_there = 0; /* the page is ours now */
    return write_record(FLASH_WAITING_RECORD_AT, &coming) ? VERDICT_OK : VERDICT_MEMORY;
}

bool program_sums(uint16_t first, uint32_t crcs[SUMS]) {
    if (first > FLASH_ROOM / FLASH_PAGE - SUMS) {
        return false;
    }
    uint32_t at = FLASH_WAITING_AT + (uint32_t)first * FLASH_PAGE;
    for (uint8_t i = 0; i < SUMS; i++, at += FLASH_PAGE) {
        crcs[i] = pages_crc(at, FLASH_PAGE);
    }
    return true;
}
