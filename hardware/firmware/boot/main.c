/* The bootloader. It has no interrupts, moves nothing, and starts no program whose CRC is wrong.
 *
 * After a reset: outputs off, look at the program, listen for a moment, leave. It stays when the program asked for
 * it (UPDATE_CELL), when somebody speaks to it, and when there is no program. The watchdog runs all the time. */
#include <avr/io.h>
#include <avr/wdt.h>
#include <string.h>

#include "devices.h"
#include "line.h"
#include "pages.h"
#include "program.h"

#define BOOTLOADER 1u /* told in Here; in flash behind its name */
#define TICKS_PER_S (F_CPU / 1024u)
#define LISTEN_TICKS (TICKS_PER_S * 6u / 100u) /* a reset is still told within 150 ms */
#define PATIENCE_TICKS (TICKS_PER_S * 30u)     /* a host that went away: the table is worth more than its update */

__attribute__((used, section(".bootname"))) const uint8_t boot_name[8] = {
    'M', 'J', 'T', 'B', BOOTLOADER, BOOT_BOARD_ATMEGA2560, 0, 0,
};

static bool asked __attribute__((section(".noinit")));
static bool asked_slow __attribute__((section(".noinit")));
static uint8_t stay;

/* Outputs first; all before the stack is used, since the cell lies where it grows. The watchdog has one period for
 * bootloader and program, as after its own reset it runs with 15 ms. MCUSR is left for the program. */
void early(void) __attribute__((naked, used, section(".init3")));
void early(void) {
    devices_init_pins();
    wdt_enable(WDTO_250MS);
    if (MCUSR == 0) { /* no reset brought us here: a program ran wild, as through erased flash. Make it one. */
        for (;;) {
        }
    }
    asked = UPDATE_CELL[0] == FLASH_UPDATE_KEY && (UPDATE_CELL[1] | 1ul) == (~FLASH_UPDATE_KEY | 1ul);
    asked_slow = UPDATE_CELL[1] & 1ul;
    UPDATE_CELL[0] = 0;
}

/* ---------------------------------------------------------------- time and the way out */

static uint32_t elapsed_ticks(bool again) {
    static uint32_t ticks;
    static uint16_t seen;
    uint16_t now = TCNT1;
    ticks = again ? 0 : ticks + (uint16_t)(now - seen);
    seen = now;
    return ticks;
}

static void leave(void) {
    if (!program_valid()) {
        return;
    }
    line_close();
    TCCR1B = 0;
    TCNT1 = 0;
    if (stay == STAY_ASKED) { /* this start was wanted: no program hung */
        UPDATE_NOTE = UPDATE_NOTE_ASKED;
    }
    RAMPZ = 0;
    wdt_reset();
    __asm__ volatile("jmp 0");
}

/* Look at the program, copy what waits; where nothing can be started, stay and say why. */
static void settle(void) {
    bool copied = program_settle();
    if (!program_valid()) {
        stay = copied ? STAY_NO_PROGRAM : STAY_COPY_FAILED;
    }
}

/* ---------------------------------------------------------------- commands */

/* This chip knows no alignment and is little-endian, as the wire: a struct is its bytes. */
_Static_assert(sizeof(here_t) == LEN_HERE && sizeof(result_t) == LEN_RESULT && sizeof(begin_t) == LEN_BEGIN, "packed");

static void tell_who(void) {
    const begin_t *program = program_record();
    here_t here = {
        .bootloader = BOOTLOADER,
        .board = BOOT_BOARD_ATMEGA2560,
        .room = FLASH_ROOM,
        .stay = stay,
        .valid = program_valid(),
        .firmware_major = program->firmware_major,
        .firmware_minor = program->firmware_minor,
        .firmware_patch = program->firmware_patch,
        .source = program->source,
        .size = program->size,
        .crc = program->crc,
    };
    line_answer(MSG_HERE, (const uint8_t *)&here, LEN_HERE);
}

static void tell_result(uint8_t command, uint8_t verdict, uint32_t detail) {
    result_t row = {.command = command, .verdict = verdict, .detail = detail};
    line_answer(MSG_RESULT, (const uint8_t *)&row, LEN_RESULT);
}

static void tell_sums(uint16_t first) {
    struct {
        uint16_t first;
        uint32_t crcs[SUMS];
    } sums = {.first = first};
    if (program_sums(first, sums.crcs)) {
        line_answer(MSG_PAGE_SUMS, (const uint8_t *)&sums, LEN_PAGE_SUMS);
    } else {
        tell_result(MSG_PAGES, VERDICT_BAD_VALUE, 0);
    }
}

static void run(void) {
    tell_result(MSG_RUN, VERDICT_OK, 0);
    stay = STAY_ASKED;
    settle();
    leave();
}

static void obey(const command_t *command) {
    uint32_t crc = 0;
    uint16_t number = (uint16_t)(command->payload[0] | command->payload[1] << 8);
    uint8_t verdict;
    if (command->count != host_message_length(command->code)) {
        tell_result(command->code, VERDICT_UNKNOWN, 0);
        return;
    }
    switch (command->code) {
    case MSG_WHO: tell_who(); return;
    case MSG_PAGES: tell_sums(number); return;
    case MSG_RUN: run(); return;
    case MSG_BEGIN: verdict = program_begin((const begin_t *)command->payload); break;
    case MSG_BLOCK: verdict = program_block(number, command->payload + 2); break;
    default: verdict = program_finish(&crc); break;
    }
    tell_result(command->code, verdict, crc);
}

__attribute__((used)) int main(void) {
    TCCR1B = _BV(CS12) | _BV(CS10); /* /1024, for us only */
    line_init(asked && asked_slow);
    pages_init();
    stay = asked ? STAY_ASKED : STAY_LISTENING;
    settle();
    for (;;) {
        wdt_reset();
        line_listen();
        const command_t *command = line_command();
        if (command) {
            obey(command);
            elapsed_ticks(true);
        }
        uint32_t limit = asked || line_heard() ? PATIENCE_TICKS : LISTEN_TICKS;
        if (elapsed_ticks(false) >= limit && program_valid()) {
            if (line_heard()) {
                settle(); /* what was finished but never told to run */
            }
            leave();
        }
    }
}
