#ifndef COBS_H
#define COBS_H
#include <stdint.h>
#define COBS_BAD 0xFFu
/* Both work on short frames (< 254 bytes) and return the new length. */
uint8_t cobs_encode(const uint8_t *from, uint8_t count, uint8_t *to); /* to: count + 1 bytes */
uint8_t cobs_decode(uint8_t *data, uint8_t count);                   /* in place; COBS_BAD = no COBS text */
#endif
