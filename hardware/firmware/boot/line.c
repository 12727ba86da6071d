#include "line.h"

#include <avr/io.h>
#include <avr/wdt.h>
#include <string.h>

#include "cobs.h"
#include "crc32.h"

#define HEAD 4u
#define CRC 4u
#define MAX_BODY (HEAD + PROTOCOL_MAX_PAYLOAD + CRC)
#define BAD_FRAMES 4u /* the first one may be the rest of a good one */
#define UBRR_OF(baud) ((uint8_t)((F_CPU / 8u + (baud) / 2u) / (baud) - 1u))

enum { COMMAND = 1, RESPONSE = 2 };

static uint8_t rx[MAX_BODY + 1u], rx_count, bad_frames;
static bool slow, heard, waiting;
static command_t command;

static void set_rate(void) {
    UCSR0A = _BV(U2X0);
    UBRR0H = 0;
    UBRR0L = slow ? UBRR_OF(PROTOCOL_BAUD_FALLBACK) : UBRR_OF(PROTOCOL_BAUD);
}

void line_init(bool start_slow) {
    slow = start_slow;
    set_rate();
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
}

static void check(const uint8_t *body, uint8_t count) {
    uint8_t end = (uint8_t)(count - CRC), length = (uint8_t)(end - HEAD);
    uint32_t crc = crc32(PROTOCOL_LAYOUT, body, end);
    if (memcmp(body + end, &crc, CRC) != 0 || body[0] != (PROTOCOL_VERSION << 4 | COMMAND)) {
        return;
    }
    heard = waiting = true;
    command.seq = body[1];
    command.code = body[3];
    command.count = length;
    memcpy(command.payload, body + HEAD, length);
}

static void end_of_frame(void) {
    uint8_t body = rx_count == 0 ? COBS_BAD : cobs_decode(rx, rx_count);
    if (body != COBS_BAD && body >= HEAD + CRC && body <= MAX_BODY && !waiting) {
        check(rx, body);
    }
    if (rx_count != 0 && !heard && ++bad_frames == BAD_FRAMES) { /* not our rate? Once a command was heard it stays. */
        bad_frames = 0;
        slow = !slow;
        set_rate();
    }
    rx_count = 0;
}

void line_listen(void) {
    while (UCSR0A & _BV(RXC0)) {
        uint8_t byte = UDR0;
        if (byte == 0 || rx_count == sizeof rx) {
            end_of_frame();
        }
        if (byte != 0) {
            rx[rx_count++] = byte;
        }
    }
}

bool line_heard(void) { return heard; }
const command_t *line_command(void) { return waiting ? &command : 0; }

static void put(uint8_t byte) {
    while (!(UCSR0A & _BV(UDRE0))) { /* 87 us at most */
    }
    UCSR0A |= _BV(TXC0);
    UDR0 = byte;
}

void line_answer(uint8_t code, const uint8_t *payload, uint8_t count) {
    static uint8_t body[MAX_BODY], text[MAX_BODY + 1u];
    body[0] = PROTOCOL_VERSION << 4 | RESPONSE;
    body[1] = command.seq;
    body[2] = 0;
    body[3] = code;
    memcpy(body + HEAD, payload, count);
    count = (uint8_t)(count + HEAD);
    uint32_t crc = crc32(PROTOCOL_LAYOUT, body, count);
    memcpy(body + count, &crc, CRC);
    count = cobs_encode(body, (uint8_t)(count + CRC), text);
    put(0);
    for (uint8_t i = 0; i < count; i++) {
        put(text[i]);
    }
    put(0);
    waiting = false;
    wdt_reset();
}

void line_close(void) {
    while (!(UCSR0A & _BV(TXC0)) && heard) {
    }
    UCSR0B = _BV(TXEN0); /* empties the receiver; without TXEN0 simavr would forget that the transmitter is free */
}
