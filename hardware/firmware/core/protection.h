/* What currents and times of running mean for the machine: motors that are held, run away, or do not run at all. */
#ifndef PROTECTION_H
#define PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

void protection_init(void);
bool protection_probes(uint8_t side);           /* its feed is off for a moment, to see what it drew */
void protection_task(bool fresh, uint32_t now); /* once a tick; fresh: all currents were measured anew */

#endif
