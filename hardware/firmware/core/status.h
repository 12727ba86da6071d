/* STATUS: the whole state, asked for or sent unasked. */
#ifndef STATUS_H
#define STATUS_H

#include <stdint.h>

#include "protocol.h"

void status_init(void);
void status_fill(status_report_t *out, uint32_t now);
void status_push(void); /* send one in the next step */
void status_task(uint32_t now);

#endif
