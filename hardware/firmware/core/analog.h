/* Slow voltages: one channel after the other, a fault only when several looks in a row agree. */
#ifndef ANALOG_H
#define ANALOG_H

#include <stdbool.h>
#include <stdint.h>

void analog_init(void);
void analog_task(uint32_t now);        /* once a tick */
bool analog_is_low(uint8_t id);        /* below least_mv of devices.toml for about 100 ms */
uint16_t analog_millivolt(uint8_t id); /* as last seen */

#endif
