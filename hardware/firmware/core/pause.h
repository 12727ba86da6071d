/* A build interrupted to add tiles: stand still, dome up, wait, dome down, go on. By both lift keys or by the host. */
#ifndef PAUSE_H
#define PAUSE_H

#include <stdbool.h>
#include <stdint.h>

void pause_init(void);
void pause_task(uint32_t now);             /* always, once a tick */
uint8_t pause_order(bool on, uint32_t now); /* the reason of the refusal or REASON_NONE */
bool pause_is_moving(void);                /* dome or stackers are under way: a stop now loses a position */

#endif
