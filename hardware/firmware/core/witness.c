#include "hal.h"

__attribute__((weak)) void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count) {
    (void)kind;
    (void)data;
    (void)count;
}
