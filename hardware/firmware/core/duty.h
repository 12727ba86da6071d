/* How much of the last ten minutes each motor ran: one that ran too much rests until it has cooled. */
#ifndef DUTY_H
#define DUTY_H

#include <stdbool.h>
#include <stdint.h>

void duty_init(void);
void duty_task(uint32_t now);        /* once a tick; stops all when a motor reaches its limit while it runs (513) */
bool duty_rests(uint16_t which);     /* one of these motors may not be started; told once (512) */

#endif
