#include "cobs.h"

uint8_t cobs_encode(const uint8_t *from, uint8_t count, uint8_t *to) {
    uint8_t head = 0;
    uint8_t at = 1;
    for (uint8_t i = 0; i < count; i++) {
        if (from[i] == 0) {
            to[head] = (uint8_t)(at - head);
            head = at++;
        } else {
            to[at++] = from[i];
        }
    }
    to[head] = (uint8_t)(at - head);
    return at;
}

uint8_t cobs_decode(uint8_t *data, uint8_t count) {
    uint8_t at = 0;
    uint8_t out = 0;
    while (at < count) {
        uint8_t block = data[at];
        if (block == 0 || block > (uint8_t)(count - at)) {
            return COBS_BAD;
        }
        for (uint8_t i = 1; i < block; i++) {
            uint8_t byte = data[at + i];
            if (byte == 0) {
                return COBS_BAD;
            }
            data[out++] = byte;
        }
        at = (uint8_t)(at + block);
        if (at < count) {
            data[out++] = 0;
        }
    }
    return out;
}
