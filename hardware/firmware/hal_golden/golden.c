/* Golden frames, the file that Python reads too (tests/firmware_bridge/golden_frames.txt), through the core's own
 * CRC, COBS and link: golden < FILE. One line for each difference; the last line says how many rows were seen. */
#include <stdio.h>

#define main desk_main
#define printf(...) ((void)0)
#include "../hal_host/host.c"
#undef main
#undef printf

#include "cobs.h"
#include "crc32.h"

#define CRC 4u
#define ROW_MAX 128u

static uint8_t taken[ROW_MAX];
static size_t taken_count;

void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count) {
    if (kind == 'A') {
        memcpy(taken, data, count);
        taken_count = count;
    }
}

static size_t unhex(const char *text, uint8_t *to) {
    unsigned byte;
    size_t count = 0;
    for (; count < ROW_MAX && sscanf(text, "%2x", &byte) == 1; text += 2) {
        to[count++] = (uint8_t)byte;
    }
    return count;
}

/* Does the link take it? Fed between two 0x00, so that rows do not touch each other. */
static bool is_taken(const uint8_t *frame, size_t count) {
    taken_count = 0;
    rx[rx_in++ % RX_SIZE] = 0;
    for (size_t i = 0; i < count; i++) {
        rx[rx_in++ % RX_SIZE] = frame[i];
    }
    rx[rx_in++ % RX_SIZE] = 0;
    loop_step();
    flush_tx();
    return taken_count != 0;
}

static const char *check(uint32_t seed, const char *body_text, const char *frame_text) {
    uint8_t body[ROW_MAX + CRC], frame[ROW_MAX], text[ROW_MAX + CRC + 2u];
    size_t frame_count = unhex(frame_text, frame);
    if (body_text[0] == '-') {
        return is_taken(frame, frame_count) ? "a bad frame is taken" : NULL;
    }
    size_t count = unhex(body_text, body), lead = frame[0] == 0 ? 1 : 0;
    uint32_t crc = crc32(seed, body, (uint8_t)count);
    for (uint8_t i = 0; i < CRC; i++) {
        body[count + i] = (uint8_t)(crc >> (8u * i));
    }
    size_t made = cobs_encode(body, (uint8_t)(count + CRC), text);
    text[made++] = 0;
    if (made + lead != frame_count || memcmp(text, frame + lead, made) != 0) {
        return "the frame made is another one";
    }
    if (cobs_decode(text, (uint8_t)(made - 1)) != count + CRC || memcmp(text, body, count + CRC) != 0) {
        return "the frame reads as another one";
    }
    if (seed == 0 && (!is_taken(frame, frame_count) || taken_count != count || memcmp(taken, body, count) != 0)) {
        return "the link does not take it";
    }
    return NULL;
}

int main(void) {
    char line[512], body[2u * ROW_MAX + 2u], frame[2u * ROW_MAX + 2u];
    unsigned rows = 0, wrong = 0, seed;
    reset(RESET_CAUSE_POWER_ON);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#' || sscanf(line, "%x %257s %257s", &seed, body, frame) != 3) {
            continue;
        }
        rows++;
        const char *why = check(seed, body, frame);
        if (why) {
            wrong++;
            printf("%s: %s", why, line);
        }
    }
    printf("%u rows, %u wrong\n", rows, wrong);
    return wrong != 0;
}
