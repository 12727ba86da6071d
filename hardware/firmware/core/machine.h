/* What the machine does: states, orders with their interlocks, faults. Activities report back through these. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

void machine_init(void);
void machine_task(uint32_t now); /* once a tick, after inputs_task */

/* Orders: the reason of the refusal, REASON_NONE when accepted. */
uint8_t machine_order(uint8_t code, const uint8_t *payload, uint32_t now);
void machine_status(status_report_t *out, uint32_t now);
void machine_push_status(void); /* send STATUS in the next step */

/* From activities. */
void machine_fault(uint16_t code, uint8_t side, uint16_t detail); /* stops everything and latches */
void machine_warn(uint16_t code, uint8_t side, uint16_t detail);  /* told, nothing stops */
void machine_arrived(void);                                       /* the activity is over, all is well */
void machine_set_homed(void);
bool machine_is_homed(void);

#endif
