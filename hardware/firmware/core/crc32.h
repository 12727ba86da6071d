#ifndef CRC32_H
#define CRC32_H
#include <stdint.h>
uint32_t crc32(uint32_t seed, const uint8_t *data, uint8_t count); /* as zlib's crc32(seed, data) */
#endif
