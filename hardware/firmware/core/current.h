/* Motor currents by group: what draws more than its load explains, and what runs though nobody ordered it. */
#ifndef CURRENT_H
#define CURRENT_H

#include <stdbool.h>
#include <stdint.h>

enum current_group { CURRENT_FEED, CURRENT_STACK, CURRENT_MAIN, CURRENT_GROUPS };

void current_init(void);
void current_starts(uint32_t now);     /* once a tick: has one been switched on? */
void current_task(uint32_t now);       /* whenever all channels were looked at anew */
uint16_t current_ma(uint8_t group);
uint16_t current_limit(uint8_t group); /* of one motor (feeds, stackers) or of the whole group (main) */
bool current_settled(uint8_t group, uint32_t now); /* nothing of it has just started */
bool current_is_over(uint8_t group);   /* for longer than a start */
uint8_t current_stray(void); /* one more than the group that draws without an order; 0: none */
uint16_t current_motors(uint8_t group);
bool current_is_new(uint8_t mark);      /* the mean holds nothing from before current_mark() */
uint8_t current_mark(void);

#endif
