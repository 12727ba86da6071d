/* Slow voltages and currents: one channel after the other, a fault only when several looks in a row agree. */
#ifndef ANALOG_H
#define ANALOG_H

#include <stdbool.h>
#include <stdint.h>

#define ANALOG_AVERAGED 4u /* looks at a current: a commutator is noisy */

void analog_init(void);
bool analog_task(uint32_t now);        /* once a tick; true when all channels have been looked at anew (every 10 ms) */
bool analog_is_low(uint8_t id);        /* below least_mv of devices.toml for about 100 ms */
uint16_t analog_millivolt(uint8_t id); /* as last seen */
uint16_t analog_ma(uint8_t id);        /* of a current: the mean of the last 40 ms */

#endif
