#include "sets.h"

#include <string.h>

#include "build.h"
#include "config.h"
#include "crc32.h"
#include "protocol.h"

#if defined(__AVR__)
#define KEPT __attribute__((section(".noinit")))
#else
#define KEPT
#endif

static struct {
    uint8_t in_play, raised_last;
    uint32_t crc;
} kept KEPT;

static uint32_t kept_crc(void) { return crc32(0, (const uint8_t *)&kept, 2); }
static bool two_sets(void) { return config()->sets == 2u; }

static void save(uint8_t in_play, uint8_t raised_last) {
    kept.in_play = in_play;
    kept.raised_last = raised_last;
    kept.crc = kept_crc();
}

void sets_init(bool memory_kept) {
    if (!memory_kept || kept.crc != kept_crc() || kept.in_play > SET_ID_SECOND || kept.raised_last > SET_ID_SECOND) {
        save(SET_ID_NONE, SET_ID_NONE);
    }
}

static uint8_t next_set(void) {
    return two_sets() && kept.raised_last == SET_ID_FIRST ? SET_ID_SECOND : SET_ID_FIRST;
}

uint8_t sets_built(void) { return build_complete() ? next_set() : SET_ID_NONE; }
uint8_t sets_in_play(void) { return kept.in_play; }
bool sets_play_goes_on(void) { return two_sets() && kept.in_play != SET_ID_NONE; }

void sets_lifted(uint8_t target, uint8_t direction, bool wall_was_built) {
    if (direction != DIRECTION_UP) {
        return;
    }
    if (target == TARGET_TRAYS) {
        uint8_t raised = next_set();
        save(wall_was_built ? raised : SET_ID_NONE, wall_was_built ? raised : kept.raised_last);
    } else if (wall_was_built || !two_sets()) {
        save(SET_ID_NONE, kept.raised_last); /* the table is pushed in; else it is the other set, beside the play */
    }
}
