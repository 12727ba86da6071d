/* The board on a desk: the same core with time and pins from standard input, for unit tests with sanitizers.
 *
 *   i ID LEVEL   an input (numbers of devices.h)     x HEX    bytes from the host
 *   t MS         run so many milliseconds            j MS     the same as one jump: the loop looks once at the end
 *   a ID MILLIVOLT   an analog input (AN_... of devices.h; healthy until set)
 *   r CAUSE      reset (enum reset_cause)            e        outputs: motors, lamps
 *   m AT HEX     bytes of the EEPROM                 d AT COUNT   show them
 *   k COUNT BYTE the power fails after COUNT more bytes of EEPROM, the next becomes BYTE; until the reset after it
 *   c LEVEL      what lies at the end of the stack is whole
 * Answers: "M MS BITS" when motors change, "L MS BITS" for lamps, "T MS HEX" bytes sent, "D AT HEX" EEPROM,
 * "." after each command. */
#include <stdio.h>
#include <stdlib.h>

#include "desk.h"
#include "link.h"
#include "loop.h"

#define RX_SIZE 65536u
#define TX_SIZE 4096u

static uint8_t rx[RX_SIZE], tx[TX_SIZE];
static size_t rx_in, rx_out, tx_count;
static uint16_t lamps;

void hal_write_motors(uint16_t bits) {
    if (bits != motors) {
        motors = bits;
        printf("M %lu %04x\n", (unsigned long)ms, bits);
    }
}

void hal_write_lamps(uint16_t bits) {
    if (bits != lamps) {
        lamps = bits;
        printf("L %lu %03x\n", (unsigned long)ms, bits);
    }
}

bool hal_rx(uint8_t *byte) {
    if (rx_in == rx_out) {
        return false;
    }
    *byte = rx[rx_out++ % RX_SIZE];
    return true;
}

bool hal_tx_room(uint8_t count) { return tx_count + count <= TX_SIZE; }
void hal_tx(uint8_t byte) { tx[tx_count++] = byte; }

static void flush_tx(void) {
    if (tx_count) {
        printf("T %lu ", (unsigned long)ms);
        for (size_t i = 0; i < tx_count; i++) {
            printf("%02x", tx[i]);
        }
        printf("\n");
        tx_count = 0;
    }
}

static void step(unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        ms++;
        motors_tick();
    }
    loop_step();
    flush_tx();
}

static void take_bytes(const char *hex) {
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        if (stop_pattern((uint8_t)byte)) {
            motors_stop_isr(MOTOR_STOP_RAW);
        }
        rx[rx_in++ % RX_SIZE] = (uint8_t)byte;
    }
    loop_step();
    flush_tx();
}

static void put_eeprom(unsigned at, const char *hex) {
    unsigned byte;
    for (; at < EEPROM_SIZE && sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        eeprom[at++] = (uint8_t)byte;
    }
}

static void show_eeprom(unsigned at, unsigned count) {
    printf("D %u ", at);
    for (; count > 0 && at < EEPROM_SIZE; count--) {
        printf("%02x", eeprom[at++]);
    }
    printf("\n");
}

static void reset(uint8_t why) {
    cause = why;
    rx_in = rx_out = tx_count = 0;
    hal_write_motors(0);
    ms = 0;
    desk_eeprom_power();
    loop_init();
    flush_tx();
}

int main(void) {
    static char line[2u * RX_SIZE];
    while (fgets(line, sizeof line, stdin)) {
        unsigned a = 0, b = 0;
        int skip = 0;
        switch (line[0]) {
        case 'i':
            if (sscanf(line + 1, "%u %u", &a, &b) == 2 && a < INPUT_BYTES * 8u) {
                desk_input(a, b);
            }
            break;
        case 'a':
            if (sscanf(line + 1, "%u %u", &a, &b) == 2 && a < ANALOG_COUNT) {
                desk_analog(a, b);
            }
            break;
        case 'x': take_bytes(line + 2); break;
        case 't':
            for (a = (unsigned)strtoul(line + 1, NULL, 10); a > 0; a--) {
                step(1);
            }
            break;
        case 'j': step((unsigned)strtoul(line + 1, NULL, 10)); break;
        case 'r': reset((uint8_t)strtoul(line + 1, NULL, 10)); break;
        case 'e': printf("E %04x %03x\n", motors, lamps); break;
        case 'm':
            if (sscanf(line + 1, "%u %n", &a, &skip) == 1) {
                put_eeprom(a, line + 1 + skip);
            }
            break;
        case 'd':
            if (sscanf(line + 1, "%u %u", &a, &b) == 2) {
                show_eeprom(a, b);
            }
            break;
        case 'k':
            if (sscanf(line + 1, "%u %u", &a, &b) == 2) {
                desk_power_fails(a, b);
            }
            break;
        case 'c': stack_whole = atoi(line + 1) != 0; break;
        default: break;
        }
        printf(".\n");
        fflush(stdout);
    }
    return 0;
}
