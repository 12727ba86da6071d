/* The dice: spun for as long as ordered, still a while later. */
#ifndef DICE_H
#define DICE_H

#include <stdbool.h>
#include <stdint.h>

void dice_init(void);
bool dice_are_still(void);
void dice_spin(uint16_t spin_ms);
void dice_stopped(void); /* all motors went off out of turn */
void dice_task(uint32_t now);

#endif
