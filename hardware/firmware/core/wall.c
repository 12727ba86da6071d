#include "wall.h"

#include <string.h>

#include "crc32.h"
#include "programme.h"

#define SIDE_MOST 36u /* 18 stacks are as long as a tray */
#define TILES_MOST 144u

#if defined(__AVR__)
#define KEPT __attribute__((section(".noinit")))
#else
#define KEPT
#endif

typedef struct {
    uint8_t tiles, share[4], counts[4], pushed[4];
    uint32_t crc;
} wall_t;
#define WALL_BYTES 13u /* before the crc */

static wall_t wall KEPT;

static uint32_t wall_crc(void) { return crc32(0, (const uint8_t *)&wall, WALL_BYTES); }
static void save(void) { wall.crc = wall_crc(); }

void wall_taken(void) {
    memset(&wall, 0, sizeof wall);
    save();
}

void wall_init(bool memory_kept) {
    if (!memory_kept || wall.crc != wall_crc() || wall.tiles > TILES_MOST) {
        wall_taken();
    }
}

static bool any_built(void) { return (wall.counts[0] | wall.counts[1] | wall.counts[2] | wall.counts[3]) != 0; }

/* Evenly, where no side is named; of an odd number of pairs the sides 1 and 3 get one more (108 as 14, 13, 14, 13 stacks). */
static bool share_out(const build_t *wanted, uint8_t share[4]) {
    const uint8_t named[4] = {wanted->side_1, wanted->side_2, wanted->side_3, wanted->side_4};
    uint16_t sum = 0;
    for (uint8_t side = 0; side < 4; side++) {
        if ((named[side] & 1u) || named[side] > SIDE_MOST) {
            return false;
        }
        sum = (uint16_t)(sum + named[side]);
        share[side] = named[side];
    }
    if (sum != 0) {
        return sum == wanted->tiles;
    }
    if (!programme_exists(wanted->tiles)) {
        return false;
    }
    uint8_t stacks = wanted->tiles / 8u;
    uint8_t more = wanted->tiles % 8u != 0 ? 1u : 0;
    for (uint8_t side = 0; side < 4; side++) {
        share[side] = (uint8_t)(2u * (stacks + ((side & 1u) ? 0u : more)));
    }
    return true;
}

uint8_t wall_plan(const build_t *wanted) {
    uint8_t share[4];
    if (!share_out(wanted, share)) {
        return REASON_BAD_VALUE;
    }
    if (any_built()) { /* what is begun goes on, whatever the switch says now */
        return memcmp(share, wall.share, sizeof share) == 0 ? REASON_NONE : REASON_WALL_INSIDE;
    }
    if (!programme_allows(wanted->tiles)) {
        return REASON_PROGRAMME_SWITCH;
    }
    wall.tiles = wanted->tiles;
    memcpy(wall.share, share, sizeof share);
    save();
    return REASON_NONE;
}

void wall_settle(void) {
    for (uint8_t side = 0; side < 4; side++) {
        if (wall.counts[side] > wall.share[side]) {
            wall.counts[side] = wall.share[side];
        }
    }
    save();
}

uint8_t wall_tiles(void) { return wall.tiles; }
uint8_t wall_share(uint8_t side) { return wall.share[side]; }
uint8_t wall_count(uint8_t side) { return wall.counts[side]; }
uint8_t wall_stacks_due(uint8_t side) { return (uint8_t)(wall.counts[side] / 2u - wall.pushed[side]); }

uint8_t wall_total(void) {
    return (uint8_t)(wall.counts[0] + wall.counts[1] + wall.counts[2] + wall.counts[3]);
}

bool wall_complete(void) {
    for (uint8_t side = 0; side < 4; side++) {
        if (wall.counts[side] != wall.share[side] || wall.pushed[side] != wall.share[side] / 2u) {
            return false;
        }
    }
    return wall.tiles != 0;
}

void wall_counted(uint8_t side) {
    wall.counts[side]++;
    save();
}

void wall_pushed(uint8_t side) {
    wall.pushed[side]++;
    save();
}
