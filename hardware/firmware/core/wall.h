/* The wall under construction: its plan side by side, what is counted and what is pushed. A watchdog reset keeps it. */
#ifndef WALL_H
#define WALL_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

void wall_init(bool memory_kept);         /* after a watchdog reset the memory is worth a look */
uint8_t wall_plan(const build_t *wanted); /* a new plan, or the same one goes on; the reason of a refusal or REASON_NONE */
void wall_settle(void);                   /* before it goes on: someone took out what was too much */
void wall_taken(void);                    /* the trays lifted it */

uint8_t wall_tiles(void);                 /* programme, 0 = none */
uint8_t wall_share(uint8_t side);         /* tiles that this side gets */
uint8_t wall_count(uint8_t side);
uint8_t wall_total(void);
uint8_t wall_stacks_due(uint8_t side);    /* counted and not pushed yet */
bool wall_complete(void);                 /* all counted and pushed; stackers may still be on their way home */

void wall_counted(uint8_t side);
void wall_pushed(uint8_t side);

#endif
