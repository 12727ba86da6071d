/* A side that is stuck in a build is turned back a little, and again; what that does not free is a fault. */
#ifndef RECOVERY_H
#define RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

enum stuck { STUCK_FEED, STUCK_STACK };

void recovery_init(void);
void recovery_new_build(void);
void recovery_cut(uint32_t now);    /* a pause: its wires go back in their own time, until recovery_is_on is false */
void recovery_over(void);           /* the build is done: what was free so long is free */
/* A side does not move: turned back, or the fault 301-304, 311-314 when that has been tried often enough. */
void recovery_stuck(uint8_t what, uint8_t side, uint16_t detail, uint32_t now);
void recovery_find(uint8_t what, uint32_t now); /* one of these motors draws too much: which one? */
bool recovery_is_calm(void);        /* nothing is stuck, or was until just now */
bool recovery_listens(uint32_t now); /* a stacker was turned back just now: no other should start beside it */
bool recovery_is_on(void);          /* the motors are its own */
bool recovery_task(uint32_t now);   /* once a tick of a build; true while the motors are its own */

#endif
