#include "programme.h"

#include "clock.h"
#include "devices.h"
#include "inputs.h"
#include "machine.h"

#define STILL_MS 300u /* on its way from 1 to 5 it passes 2, 3 and 4 */

static const uint8_t PROGRAMMES[] = {0, 72, 108, 112, 120, 136, 144}; /* by position of the switch */
#define PROGRAMME_COUNT (sizeof PROGRAMMES)

static uint8_t told, seen;
static uint16_t seen_at;

_Static_assert(IN_DECKSEL_1 % 8u == 4u && IN_DECKSEL_4 == IN_DECKSEL_1 + 3u, "the switch is the upper half of a byte");

uint8_t programme_switch(void) { return inputs_stable()[IN_DECKSEL_1 / 8u] >> 4; }

bool programme_exists(uint8_t tiles) {
    for (uint8_t i = 1; i < PROGRAMME_COUNT; i++) {
        if (PROGRAMMES[i] == tiles) {
            return true;
        }
    }
    return false;
}

/* A position without a programme agrees to nothing: better no wall than one that nobody asked for. */
bool programme_allows(uint8_t tiles) {
    uint8_t position = programme_switch();
    return position == 0 || (position < PROGRAMME_COUNT && PROGRAMMES[position] == tiles);
}

void programme_begin(void) { told = seen = programme_switch(); }

void programme_task(uint32_t now) {
    uint8_t position = programme_switch();
    if (position != seen) {
        seen = position;
        seen_at = (uint16_t)now;
    } else if (seen != told && ms_since(now, seen_at) >= STILL_MS) {
        told = seen;
        machine_warn(343u, 0, told); /* the build under way goes on as it is; the next one follows the switch */
    }
}
