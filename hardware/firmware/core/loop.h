/* Start and the one round of the loop, the same on the board and in unit tests. */
#ifndef LOOP_H
#define LOOP_H
#include <stdbool.h>
#include <stdint.h>
void loop_init(void);
bool loop_step(void); /* true when every task of a tick has checked in: the watchdog may be fed */
#endif
