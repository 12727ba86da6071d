/* Two sets of tiles: which one lies on the table and which one stands built below. Nobody here sees a colour:
 * the first set that is raised is set 1, and from then on they take turns. */
#ifndef SETS_H
#define SETS_H

#include <stdbool.h>
#include <stdint.h>

void sets_init(bool memory_kept); /* after a watchdog reset the memory is worth a look */
void sets_lifted(uint8_t target, uint8_t direction, bool wall_was_built); /* trays or dome have arrived */
uint8_t sets_in_play(void);       /* enum set_id */
uint8_t sets_built(void);
bool sets_play_goes_on(void);     /* of two sets one is played from, with the trays down again */

#endif
