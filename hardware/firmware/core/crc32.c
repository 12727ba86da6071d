#include "crc32.h"

/* IEEE CRC-32, four bits at a time: 64 bytes of table. */
static const uint32_t TABLE[16] = {
    0x00000000ul, 0x1DB71064ul, 0x3B6E20C8ul, 0x26D930ACul, 0x76DC4190ul, 0x6B6B51F4ul, 0x4DB26158ul, 0x5005713Cul,
    0xEDB88320ul, 0xF00F9344ul, 0xD6D6A3E8ul, 0xCB61B38Cul, 0x9B64C2B0ul, 0x86D3D2D4ul, 0xA00AE278ul, 0xBDBDF21Cul,
};

uint32_t crc32(uint32_t seed, const uint8_t *data, uint8_t count) {
    uint32_t crc = ~seed;
    for (; count != 0; count--) {
        crc ^= *data++;
        for (uint8_t half = 0; half < 2u; half++) {
            crc = (crc >> 4) ^ TABLE[(uint8_t)crc & 15u];
        }
    }
    return ~crc;
}
