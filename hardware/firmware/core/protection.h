/* What currents and times of running mean for the machine: motors that are held, run away, or do not run at all. */
#ifndef PROTECTION_H
#define PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

void protection_init(void);
void protection_task(bool fresh, uint32_t now); /* once a tick; fresh: all currents were measured anew */

#endif
