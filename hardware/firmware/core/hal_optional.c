/* What a hal may leave out: these bodies give way to its own. */
#include "hal.h"

__attribute__((weak)) void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count) {
    (void)kind;
    (void)data;
    (void)count;
}

__attribute__((weak)) void hal_serial_rate(bool fallback) { (void)fallback; }

__attribute__((weak)) bool hal_bootloader(void) { return false; }
__attribute__((weak)) void hal_leave_to_bootloader(void) {}
