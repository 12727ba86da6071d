/* Streams of damaged and of odd frames into the core, with sanitizers: fuzz STREAMS SEED [FIRST]
 *
 * Each stream is a few frames, good ones with whatever content and bad ones, most of them damaged on their way; time
 * and inputs move in between, now and then the board starts anew. A frame that the link accepts must be one that
 * was sent. Answers one line of JSON. */
#include <stdio.h>

#define main desk_main /* the board on a desk, mute and without its command line */
#define printf(...) ((void)0)
#include "../hal_host/host.c"
#undef main
#undef printf

#include "boot.h"
#include "cobs.h"
#include "crc32.h"

#define HEAD 4u
#define CRC 4u
#define BODY_MAX 96u
#define STREAM_MAX 1024u
#define FRAMES_MAX 4u
#define KEPT 64u /* frames of so many streams ago may still wait for a 0x00 that was lost */

typedef struct {
    uint8_t count, bytes[BODY_MAX];
} body_t;

static uint64_t state;
static body_t sent[KEPT];
static unsigned sent_next;
static unsigned long accepted, wrong, crc_errors, cobs_errors, resets;

static uint32_t dice(uint32_t sides) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % sides;
}

void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count) {
    if (kind != 'A') {
        return;
    }
    accepted++;
    for (unsigned i = 0; i < KEPT; i++) {
        if (sent[i].count == count && memcmp(sent[i].bytes, data, count) == 0) {
            return;
        }
    }
    wrong++;
}

static uint8_t some_code(void) {
    static const uint8_t codes[] = {MSG_HELLO, MSG_HELLO, MSG_GET_STATUS, MSG_HOME, MSG_BUILD, MSG_LIFT, MSG_DICE,
                                    MSG_LAMP, MSG_STOP, MSG_CLEAR_FAULT, MSG_READ_INPUTS, MSG_SELF_TEST,
                                    MSG_HEARTBEAT};
    return dice(12) ? codes[dice(sizeof codes)] : (uint8_t)dice(256);
}

static uint8_t some_length(uint8_t code) {
    uint8_t length = host_message_length(code);
    return length == 0xFFu || dice(16) == 0 ? (uint8_t)dice(BODY_MAX - HEAD - CRC) : length;
}

/* Write one frame; returns its length. Whatever has a right CRC counts as sent. */
static size_t put_frame(uint8_t *to) {
    static const uint8_t kinds[] = {1, 1, 1, 1, 1, 1, 4, 5, 5, 2};
    static uint8_t seq;
    body_t *body = &sent[sent_next++ % KEPT];
    uint8_t *b = body->bytes, text[BODY_MAX + 2u];
    seq = (uint8_t)(seq + (dice(8) ? dice(3) : dice(256)));
    b[0] = (uint8_t)((dice(16) ? PROTOCOL_VERSION : dice(16)) << 4 | (dice(16) ? kinds[dice(sizeof kinds)] : dice(16)));
    b[1] = seq;
    b[2] = dice(8) ? boot_id() : (uint8_t)dice(256);
    b[3] = some_code();
    uint8_t length = (b[0] & 15u) == 4u ? 0 : some_length(b[3]);
    for (uint8_t i = 0; i < length; i++) {
        b[HEAD + i] = (uint8_t)(dice(3) ? dice(5) : dice(256));
    }
    body->count = (uint8_t)(HEAD + length);
    bool open = (b[0] & 15u) != 4u && message_is_open(b[3]);
    bool good = dice(16) != 0;
    uint32_t crc = good ? crc32(open ? 0 : PROTOCOL_LAYOUT, b, body->count) : dice(0xFFFFFFFFu);
    for (uint8_t i = 0; i < CRC; i++) {
        b[body->count + i] = (uint8_t)(crc >> (8u * i));
    }
    size_t at = 0;
    if (dice(2)) {
        to[at++] = 0;
    }
    uint8_t count = cobs_encode(b, (uint8_t)(body->count + CRC), text);
    memcpy(to + at, text, count);
    at += count;
    to[at++] = 0;
    if (!good) {
        body->count = 0;
    }
    return at;
}

/* Do one harm to a stream; returns its new length. */
static size_t harm(uint8_t *s, size_t count) {
    size_t at = dice((uint32_t)count), more = 1u + dice(8);
    switch (dice(6)) {
    case 0:
        s[at] ^= (uint8_t)(1u << dice(8));
        return count;
    case 1:
        s[at] = (uint8_t)dice(256);
        return count;
    case 2:
        memmove(s + at, s + at + 1, count - at - 1);
        return count - 1;
    case 3:
        memmove(s + at + 1, s + at, count - at);
        s[at] = (uint8_t)(dice(3) ? dice(256) : 0);
        return count + 1;
    case 4:
        more = more < count - at ? more : count - at;
        memmove(s + at + more, s + at, count - at);
        return count + more;
    default:
        return at + 1;
    }
}

static size_t put_stream(uint8_t *s) {
    size_t count = 0;
    for (unsigned i = 1 + dice(FRAMES_MAX); i > 0; i--) {
        count += put_frame(s + count);
    }
    if (dice(64) == 0) {
        for (unsigned i = dice(256); i > 0; i--) {
            s[count++] = (uint8_t)dice(256);
        }
    }
    for (unsigned i = dice(4); i > 0 && count > 1; i--) {
        count = harm(s, count);
    }
    return count;
}

static void hear(const uint8_t *s, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (stop_pattern(s[i])) {
            motors_stop_isr(MOTOR_STOP_RAW);
        }
        rx[rx_in++ % RX_SIZE] = s[i];
    }
    uint16_t crc_before = link_counters()->crc_errors, cobs_before = link_counters()->cobs_errors;
    loop_step();
    flush_tx();
    crc_errors += (uint16_t)(link_counters()->crc_errors - crc_before);
    cobs_errors += (uint16_t)(link_counters()->cobs_errors - cobs_before);
}

int main(int argc, char **argv) {
    static uint8_t stream[STREAM_MAX];
    if (argc < 3) {
        fprintf(stderr, "usage: fuzz STREAMS SEED\n");
        return 2;
    }
    unsigned long streams = strtoul(argv[1], NULL, 10);
    state = strtoul(argv[2], NULL, 10) * 2862933555777941757ull + 3037000493ull;
    reset(RESET_CAUSE_POWER_ON);
    for (unsigned long i = 0; i < streams; i++) {
        hear(stream, put_stream(stream));
        if (dice(4) == 0) {
            step(1u + dice(dice(64) ? 20 : 3000));
        }
        if (dice(8) == 0) {
            desk_input(dice(INPUT_BYTES * 8u), dice(2));
        }
        if (dice(4096) == 0) {
            resets++;
            reset((uint8_t)dice(6));
        }
    }
    printf("{\"streams\": %lu, \"accepted\": %lu, \"wrong\": %lu, \"crc_errors\": %lu, \"cobs_errors\": %lu, "
           "\"resets\": %lu}\n",
           streams, accepted, wrong, crc_errors, cobs_errors, resets);
    return 0;
}
