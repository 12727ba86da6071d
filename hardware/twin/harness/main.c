/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The board as a process: `harness ELF FD [EEPROM_FILE]`, commands as text lines on the Unix stream socket FD.
 *
 *   p PORT BIT LEVEL       put a level on a pin              a CHANNEL MILLIVOLT   put a voltage on an ADC pin
 *   w PORT MASK            output pins (hex) that end a run  x HEX                 bytes from the host
 *   z KIND     power, external, brownout, unknown, hang       h 0|1                 hold the reset line
 *   d to|from FLIP DROP INSERT REPEAT SEED                   damage bytes, parts per million
 *   b BAUD                 the host's rate, 0 = the chip's (then a wrong one is not noticed)
 *   pty PATH               plug a pseudo terminal in         nopty                 pull the cable
 *   f AT HEX               program memory, from outside      j AT                  where a reset begins (fuses)
 *   c SEED                 power cut; a page just being changed is left as rubbish
 *   n AT                   a worn byte of program memory: 00 whatever is written
 *   k MICROSECONDS         hold the receive interrupt up from the next byte on: what comes meanwhile overruns
 *   tap 0|1                keep every byte with its time, for u
 * These have no answer. These have one line:
 *   r UNTIL_US             run in virtual time               t UNTIL_US            run paced by the wall clock
 *     -> R NOW_US FLAGS HEX [PORT BIT LEVEL AT_US]...   flags: z reset, f frame or pause, i interrupted, - none
 *   s -> S cycles resets bytes_in bytes_out overruns damaged edges_lost bytes_lost bytes_unheard
 *   o -> O PORT=HEX ...    what each port drives              q -> Q
 *   v -> V LOST HEX        what the program said through GPIOR0 since the last v
 *   u -> U LOST [>|< AT_US HEX]...   bytes that the board heard (>) and said (<) since the last u
 *   flash ELF -> F 0|1     another program (an absolute path) by a programmer, and reset
 *   g AT COUNT -> G PAGES HEX   program memory (at most 4096 bytes), and how many pages the program changed so far
 * A run ends at the first watched output edge, at a 0x00 byte that ends a frame, 1 ms after the last byte of
 * anything else, at a reset, at the time asked for, or (paced only) when the next command is there.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "flash.h"
#include "port.h"
#include "store.h"
#include "wire.h"
#include "witness.h"

#define LINE_MAX_BYTES 262144
#define QUANTUM_CYCLES (BOARD_HZ / 1000u)  /* look at the cable every millisecond */
#define SLIP_NS 250000000ll                /* so late (a stopped machine): start pacing anew */

static board_t board;
static wire_t wire;
static port_t port = PORT_UNPLUGGED;
static char line[LINE_MAX_BYTES], answer[LINE_MAX_BYTES];
static size_t filled;
static int client;
static int64_t pace_wall;
static uint64_t pace_cycles;

static int64_t wall_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int64_t ahead_ns(void) {
    int64_t due = pace_wall + (int64_t)((board_now(&board) - pace_cycles) * 125u / 2u);
    return due - wall_ns();
}

static void send_answer(size_t count) {
    for (size_t sent = 0; sent < count;) {
        ssize_t n = write(client, answer + sent, count - sent);
        if (n <= 0) {
            exit(0);
        }
        sent += (size_t)n;
    }
}

/* Returns how many characters were written: two a byte, or "-" for none. */
static size_t put_hex(char *to, const uint8_t *bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    if (count == 0) {
        *to = '-';
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    return 2 * count;
}

static void report(bool interrupted) {
    uint8_t bytes[16384];
    size_t at = (size_t)sprintf(answer, "R %llu ", (unsigned long long)(board_now(&board) / CYCLES_PER_US));
    at += (size_t)sprintf(answer + at, "%s%s%s- ", board.was_reset ? "z" : "", wire.frame_ready ? "f" : "",
                          interrupted ? "i" : "");
    size_t count = wire_take(&wire, bytes, sizeof bytes);
    at += put_hex(answer + at, bytes, count);
    for (size_t i = 0; i < board.edge_count; i++) {
        const board_edge_t *e = &board.edges[i];
        at += (size_t)sprintf(answer + at, " %c %u %u %llu", e->port, e->bit, e->level,
                              (unsigned long long)(e->at / CYCLES_PER_US));
    }
    answer[at++] = '\n';
    board.edge_count = 0;
    board.was_reset = false;
    store_keep(&board);
    send_answer(at);
}

static void run_stepped(uint64_t until) {
    if (board.edge_count == 0 && !board.was_reset) {
        board_run(&board, until);
    }
    report(false);
}

static void run_paced(uint64_t until) {
    bool interrupted = false;
    if (ahead_ns() < -SLIP_NS) {
        pace_wall = wall_ns();
        pace_cycles = board_now(&board);
    }
    while (board.edge_count == 0 && !board.was_reset && board_now(&board) < until && !interrupted) {
        uint64_t step = board_now(&board) + QUANTUM_CYCLES;
        board_run(&board, step < until ? step : until);
        port_pump(&port, &wire);
        int64_t wait = ahead_ns();
        struct pollfd fds[2] = {{client, POLLIN, 0}, {port.master, POLLIN, 0}};
        struct timespec t = {0, wait > 0 ? (long)(wait % 1000000000ll) : 0};
        if (ppoll(fds, 2, &t, NULL) > 0) {
            interrupted = fds[0].revents != 0;
            port_pump(&port, &wire);
            wait = ahead_ns();
            if (!interrupted && wait > 0) { /* bytes came early: they are queued, now keep the pace */
                struct timespec rest = {0, (long)(wait % 1000000000ll)};
                nanosleep(&rest, NULL);
            }
        }
    }
    report(interrupted);
}

static int hex_digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

static size_t take_hex(const char **hex, uint8_t *to, size_t room) {
    size_t count = 0;
    for (; (*hex)[0] > ' ' && (*hex)[1] > ' ' && count < room; *hex += 2) {
        to[count++] = (uint8_t)(hex_digit((*hex)[0]) << 4 | hex_digit((*hex)[1]));
    }
    return count;
}

static void do_bytes(const char *hex) {
    uint8_t bytes[512];
    for (size_t count; (count = take_hex(&hex, bytes, sizeof bytes)) != 0;) {
        wire_send(&wire, bytes, count);
    }
}

static void do_program(const char *rest) {
    char *hex;
    uint32_t at = (uint32_t)strtoul(rest, &hex, 10);
    const char *digits = hex + (*hex == ' ');
    uint8_t bytes[512];
    for (size_t count; (count = take_hex(&digits, bytes, sizeof bytes)) != 0; at += (uint32_t)count) {
        flash_put(&board, at, bytes, count);
    }
}

static void do_read_program(const char *rest) {
    uint8_t bytes[4096];
    unsigned from, wanted;
    if (sscanf(rest, "%u %u", &from, &wanted) != 2 || wanted > sizeof bytes) {
        wanted = from = 0;
    }
    size_t at = (size_t)sprintf(answer, "G %u ", (unsigned)flash_page_changes());
    at += put_hex(answer + at, bytes, flash_get(&board, from, bytes, wanted));
    answer[at++] = '\n';
    send_answer(at);
}

static void do_reset(const char *kind) {
    if (strcmp(kind, "hang") == 0) {
        board_hang(&board);
    } else if (strcmp(kind, "brownout") == 0) {
        board_reset(&board, RESET_BROWNOUT);
    } else if (strcmp(kind, "unknown") == 0) {
        board_reset(&board, RESET_UNKNOWN);
    } else {
        board_reset(&board, strcmp(kind, "power") == 0 ? RESET_POWER_ON : RESET_EXTERNAL);
    }
}

static void do_damage(const char *rest) {
    char way[8];
    wire_damage_t d;
    unsigned long long seed;
    if (sscanf(rest, "%7s %u %u %u %u %llu", way, &d.flip, &d.drop, &d.insert, &d.repeat, &seed) == 6) {
        d.seed = seed * 2862933555777941757ull + 3037000493ull;
        d.seed = d.seed ? d.seed : 1;
        *(strcmp(way, "to") == 0 ? &wire.damage_to : &wire.damage_from) = d;
    }
}

static void do_stats(void) {
    send_answer((size_t)sprintf(answer, "S %llu %u %llu %llu %llu %llu %llu %llu %llu\n",
                                (unsigned long long)board_now(&board),
                                board.resets, (unsigned long long)wire.bytes_in,
                                (unsigned long long)wire.bytes_out, (unsigned long long)wire.overruns,
                                (unsigned long long)wire.damaged, (unsigned long long)board.edges_lost,
                                (unsigned long long)wire.lost, (unsigned long long)wire.unheard));
}

static void do_outputs(void) {
    size_t at = (size_t)sprintf(answer, "O");
    for (int i = 0; i < BOARD_PORTS; i++) {
        at += (size_t)sprintf(answer + at, " %c=%02x", "ABCDEFGHJKL"[i], board.driven[i]);
    }
    answer[at++] = '\n';
    send_answer(at);
}

static void do_witness(void) {
    uint8_t bytes[65536];
    size_t at = (size_t)sprintf(answer, "V %llu ", (unsigned long long)witness_lost());
    at += put_hex(answer + at, bytes, witness_take(bytes, sizeof bytes));
    answer[at++] = '\n';
    send_answer(at);
}

static void do_tap(void) {
    size_t at = (size_t)sprintf(answer, "U %llu", (unsigned long long)wire.tap_lost), told = 0;
    for (; told < wire.tap_count && at + 40u < sizeof answer; told++) {
        const wire_tapped_t *t = &wire.tap[told];
        at += (size_t)sprintf(answer + at, " %c %llu %02x", t->to_chip ? '>' : '<',
                              (unsigned long long)(t->at / CYCLES_PER_US), t->byte);
    }
    wire.tap_count -= told;
    memmove(wire.tap, wire.tap + told, wire.tap_count * sizeof wire.tap[0]);
    answer[at++] = '\n';
    send_answer(at);
}

/* Returns false when the client said goodbye. */
static bool obey(char *text) {
    char *space = strchr(text, ' ');
    char *rest = space ? space + 1 : text + strlen(text);
    if (space) {
        *space = 0;
    }
    char name;
    int a, b;
    if (text[0] == 0) {
        return true; /* an empty line only interrupts a paced run */
    }
    if (strcmp(text, "r") == 0) {
        run_stepped(strtoull(rest, NULL, 10) * CYCLES_PER_US);
    } else if (strcmp(text, "t") == 0) {
        run_paced(strtoull(rest, NULL, 10) * CYCLES_PER_US);
    } else if (strcmp(text, "p") == 0 && sscanf(rest, "%c %d %d", &name, &a, &b) == 3) {
        board_set_pin(&board, name, a, b);
    } else if (strcmp(text, "w") == 0 && sscanf(rest, "%c %x", &name, (unsigned *)&a) == 2) {
        board_watch(&board, name, (uint8_t)a);
    } else if (strcmp(text, "a") == 0 && sscanf(rest, "%d %d", &a, &b) == 2) {
        board_set_adc(&board, a, b);
    } else if (strcmp(text, "x") == 0) {
        do_bytes(rest);
    } else if (strcmp(text, "z") == 0) {
        do_reset(rest);
    } else if (strcmp(text, "h") == 0) {
        board_hold(&board, rest[0] == '1');
        wire_after_reset(&wire);
    } else if (strcmp(text, "d") == 0) {
        do_damage(rest);
    } else if (strcmp(text, "f") == 0) {
        do_program(rest);
    } else if (strcmp(text, "j") == 0) {
        flash_start_at(&board, (uint32_t)strtoul(rest, NULL, 10));
    } else if (strcmp(text, "c") == 0) {
        flash_power_cut(&board, strtoull(rest, NULL, 10));
    } else if (strcmp(text, "n") == 0) {
        flash_wear_out((uint32_t)strtoul(rest, NULL, 10));
    } else if (strcmp(text, "g") == 0) {
        do_read_program(rest);
    } else if (strcmp(text, "b") == 0) {
        wire.host_baud = (uint32_t)strtoul(rest, NULL, 10);
    } else if (strcmp(text, "pty") == 0) {
        int failed = port_plug(&port, rest);
        send_answer((size_t)sprintf(answer, "P %d\n", failed ? 0 : 1));
    } else if (strcmp(text, "nopty") == 0) {
        port_unplug(&port);
    } else if (strcmp(text, "s") == 0) {
        do_stats();
    } else if (strcmp(text, "o") == 0) {
        do_outputs();
    } else if (strcmp(text, "v") == 0) {
        do_witness();
    } else if (strcmp(text, "k") == 0) {
        wire_deafen(&wire, strtoull(rest, NULL, 10) * CYCLES_PER_US);
    } else if (strcmp(text, "tap") == 0) {
        wire.tapping = rest[0] == '1';
    } else if (strcmp(text, "u") == 0) {
        do_tap();
    } else if (strcmp(text, "flash") == 0) {
        send_answer((size_t)sprintf(answer, "F %d\n", board_flash(&board, rest) == 0));
    } else if (strcmp(text, "q") == 0) {
        send_answer((size_t)sprintf(answer, "Q\n"));
        return false;
    } else {
        send_answer((size_t)sprintf(answer, "? %.60s\n", text));
    }
    return true;
}

static void wire_reset_hook(void) { wire_after_reset(&wire); }

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: harness ELF FD [EEPROM_FILE]\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* never outlive the twin */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* the twin ends us, also on Ctrl-C */
    client = atoi(argv[2]);
    if (board_open(&board, argv[1]) != 0) {
        return 1;
    }
    wire_open(&wire, &board);
    witness_open(&board);
    flash_open(&board);
    board_on_reset = wire_reset_hook;
    if (store_open(&board, argc > 3 ? argv[3] : NULL) != 0) {
        return 1;
    }
    pace_wall = wall_ns();
    for (;;) {
        ssize_t got = read(client, line + filled, sizeof line - filled - 1);
        if (got <= 0) {
            break;
        }
        filled += (size_t)got;
        line[filled] = 0;
        char *start = line, *end;
        while ((end = memchr(start, '\n', filled - (size_t)(start - line))) != NULL) {
            *end = 0;
            if (!obey(start)) {
                store_keep(&board);
                return 0;
            }
            start = end + 1;
        }
        filled -= (size_t)(start - line);
        memmove(line, start, filled);
        if (filled == sizeof line - 1) {
            break; /* no line is that long */
        }
    }
    store_keep(&board);
    return 0;
}
