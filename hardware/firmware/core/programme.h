/* Programmes (how many tiles), and the rotary switch at the machine that may ask for one. */
#ifndef PROGRAMME_H
#define PROGRAMME_H

#include <stdbool.h>
#include <stdint.h>

bool programme_exists(uint8_t tiles);
bool programme_allows(uint8_t tiles); /* does the switch agree? At 0 it leaves the choice to the host */
uint8_t programme_switch(void);       /* its position, 0 to 15 */
void programme_begin(void);           /* a build starts: from here on a turn of the switch is news */
void programme_task(uint32_t now);    /* during a build */

#endif
