/* The rules that protect hands and parts: what an order needs, and what must stay true while something moves. */
#ifndef INTERLOCKS_H
#define INTERLOCKS_H

#include <stdint.h>

enum guard {
    G_LID = 1, G_ESTOP = 2, G_HOMED = 4, G_DOME_DOWN = 8, G_TRAYS_DOWN = 16, G_STACKERS_HOME = 32, G_IDLE = 64,
    G_NOT_STOPPED = 128
};
#define G_MOTION (G_ESTOP | G_NOT_STOPPED | G_LID | G_IDLE)
#if defined(MUTANT_DICE)
#define G_DICE (G_ESTOP | G_NOT_STOPPED | G_LID | G_HOMED)
#else
#define G_DICE (G_ESTOP | G_NOT_STOPPED | G_LID)
#endif

uint8_t interlocks_check(uint8_t guards); /* the reason of the first that fails, or REASON_NONE */
void interlocks_watch(uint16_t on);       /* while motors run: what the order counted on may change under it */

#endif
