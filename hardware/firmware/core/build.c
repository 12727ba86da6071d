#include "build.h"

#include <string.h>

#include "config.h"
#include "crc32.h"
#include "devices.h"
#include "inputs.h"
#include "lifts.h"
#include "link.h"
#include "machine.h"
#include "motors.h"

#define DEADMAN_MS 2000u /* turn, ring and feeds are ordered anew every half second */
#define RENEW_MS 500u
#ifdef MUTANT_LATE_JAM
#define JAM_MS 2000u
#else
#define JAM_MS (config()->jam_ms)
#endif
#define STUCK_MS 2000u
#define COAST_MS 500u       /* what the stop caught under a counter still falls into its stacker */
#define NOISE_PULSES 5u
#define NOISE_MS 1000u
#define UNSEEN_MS 250u      /* a tile that jams has just been counted */
#define SILENT_MS 15000u
#define SILENT_OTHERS 60u /* tiles of other sides: 0.75^60 = 3e-8 by chance with equal sides */
#define SILENT_GAP 5u
#define SLOW_MS 80000ul
#define LONGEST_MS 200000ul

#define LOOK_MS 10u /* without an edge nothing here is more urgent */

#define OWN_MOTORS (1u << M_TURN | 1u << M_RING | 15u << M_FEED_1 | 15u << M_STACK_1)

#if defined(__AVR__)
#define KEPT __attribute__((section(".noinit")))
#else
#define KEPT
#endif

typedef struct {
    uint8_t tiles, counts[4], pushed[4];
    uint32_t crc;
} wall_t;

static wall_t wall KEPT;
static uint32_t started, last_count, renewed, looked;
static uint8_t others[4];
static uint32_t lit_since[4], counted_at[4], noise_since[4], active_at;
static uint8_t noise[4];
static bool told_slow, push_due[4], jam_unseen[4], active;

static uint8_t share(uint8_t tiles, uint8_t side) {
    if (tiles == 108u) {
        return (side & 1u) ? 26u : 28u; /* 14, 13, 14, 13 stacks */
    }
    return tiles / 4u;
}

static uint32_t wall_crc(void) {
    return crc32(0, (const uint8_t *)&wall, 9);
}

static void save(void) { wall.crc = wall_crc(); }

void build_init(bool memory_kept) {
    active = false;
    bool sane = memory_kept && wall.crc == wall_crc() && wall.tiles <= 144u;
    if (!sane) {
        memset(&wall, 0, sizeof wall);
        save();
    }
}

uint8_t build_tiles(void) { return wall.tiles; }
uint8_t build_count(uint8_t side) { return wall.counts[side]; }

bool build_complete(void) {
    if (wall.tiles == 0) {
        return false;
    }
    for (uint8_t side = 0; side < 4; side++) {
        uint8_t want = share(wall.tiles, side);
        if (wall.counts[side] != want || wall.pushed[side] != want / 2u || stacker_turning(side)) {
            return false;
        }
    }
    return true;
}

static bool any_built(void) {
    return (wall.counts[0] | wall.counts[1] | wall.counts[2] | wall.counts[3]) != 0;
}

uint8_t build_order(uint8_t tiles) {
    if (tiles != 108u && tiles != 112u && tiles != 120u && tiles != 136u && tiles != 144u) {
        return REASON_BAD_VALUE;
    }
    if (wall.tiles != tiles && any_built()) {
        return REASON_WALL_INSIDE;
    }
    wall.tiles = tiles;
    save();
    return REASON_NONE;
}

void build_start(uint32_t now) {
    started = last_count = now;
    renewed = now - RENEW_MS;
    looked = now - LOOK_MS;
    told_slow = false;
    memset(others, 0, sizeof others);
    memset(push_due, 0, sizeof push_due);
    memset(noise, 0, sizeof noise);
    memset(jam_unseen, 0, sizeof jam_unseen);
    active = true;
    for (uint8_t side = 0; side < 4; side++) {
        counted_at[side] = now;
        uint8_t want = share(wall.tiles, side);
        if (wall.counts[side] > want) {
            wall.counts[side] = want; /* 342 was cleared: someone took the extra tile out */
            save();
        }
    }
    stackers_forget();
}

void build_wall_taken(void) {
    memset(&wall, 0, sizeof wall);
    active = false;
    save();
}

bool build_interrupted_turning(void) {
    return stacker_turning(0) || stacker_turning(1) || stacker_turning(2) || stacker_turning(3);
}

static void finish(uint32_t now) {
    motors_off(OWN_MOTORS);
    build_done_t done = {wall.counts[0], wall.counts[1], wall.counts[2], wall.counts[3], now - started};
    uint8_t payload[LEN_BUILD_DONE];
    pack_build_done(&done, payload);
    link_event(MSG_BUILD_DONE, payload, LEN_BUILD_DONE);
    machine_arrived();
}

static uint8_t total(void) {
    return (uint8_t)(wall.counts[0] + wall.counts[1] + wall.counts[2] + wall.counts[3]);
}

static void count_tile(uint8_t side, uint32_t now) {
    wall.counts[side]++;
    save();
    last_count = counted_at[side] = now;
    for (uint8_t other = 0; other < 4; other++) {
        others[other] = other == side ? 0 : (uint8_t)(others[other] + (others[other] < 255u));
    }
    uint8_t payload[LEN_COUNT];
    pack_count(&(count_t){(uint8_t)(side + 1u), wall.counts[side], total()}, payload);
    link_event(MSG_COUNT, payload, LEN_COUNT);
    uint8_t want = share(wall.tiles, side);
    if (wall.counts[side] > want) {
        machine_fault(342u, (uint8_t)(side + 1u), wall.counts[side]);
    } else if (wall.counts[side] == want) {
        motor_off((uint8_t)(M_FEED_1 + side));
    }
}

/* A tile counts when it has passed; what is too short for one is light, what is too long was taken out by hand. */
static void watch_eye(uint8_t side, uint32_t now) {
    uint8_t eye = (uint8_t)(IN_COUNT_1 + side);
    if (input_rose(eye)) {
        lit_since[side] = now;
    } else if (input_fell(eye)) {
        uint32_t width = now - lit_since[side];
        if (width >= config()->tile_least_ms && width <= STUCK_MS) {
            count_tile(side, now);
        } else if (width < config()->tile_least_ms) {
            if (noise[side] == 0 || now - noise_since[side] > NOISE_MS) {
                noise[side] = 0;
                noise_since[side] = now;
            }
            noise[side]++;
        }
    }
    if (input_rose((uint8_t)(IN_JAM_1 + side))) {
        jam_unseen[side] = now - counted_at[side] > UNSEEN_MS;
    }
}

static void watch_side(uint8_t side, uint32_t now) {
    uint8_t number = (uint8_t)(side + 1u);
    uint8_t jam = (uint8_t)(IN_JAM_1 + side), eye = (uint8_t)(IN_COUNT_1 + side);
    if (input_is(jam) && input_age_ms(jam, now) > JAM_MS && now - started > JAM_MS) {
        if (jam_unseen[side]) { /* tiles that nobody counted fill the stacker and back up: the eye is blind */
            machine_fault((uint16_t)(321u + side), number, wall.counts[side]);
        } else {
            machine_fault((uint16_t)(301u + side), number, input_age_ms(jam, now));
        }
    } else if (input_is(eye) && input_age_ms(eye, now) > STUCK_MS && now - started > STUCK_MS) {
        machine_fault((uint16_t)(331u + side), number, input_age_ms(eye, now));
    } else if (noise[side] >= NOISE_PULSES) {
        machine_fault((uint16_t)(331u + side), number, noise[side]);
    } else if (others[side] >= SILENT_OTHERS && wall.counts[side] < share(wall.tiles, side)) {
        machine_fault((uint16_t)(321u + side), number, wall.counts[side]);
    }
}

/* Nothing came for a while: one dead eye, or tiles that are not there. */
static void report_silence(void) {
    uint8_t missing_sides = 0, last = 0;
    for (uint8_t side = 0; side < 4; side++) {
        if (wall.counts[side] < share(wall.tiles, side)) {
            missing_sides++;
            last = side;
        }
    }
    uint8_t gap = (uint8_t)(share(wall.tiles, last) - wall.counts[last]);
    if (missing_sides == 1 && gap >= SILENT_GAP) {
        machine_fault((uint16_t)(321u + last), (uint8_t)(last + 1u), wall.counts[last]);
    } else if (missing_sides != 0) {
        machine_fault(341u, missing_sides == 1 ? (uint8_t)(last + 1u) : 0, (uint16_t)(wall.tiles - total()));
    }
}

static void drive(uint32_t now) {
    if (now - renewed < RENEW_MS) {
        return;
    }
    renewed = now;
    motor_run(M_TURN, DEADMAN_MS);
    motor_run(M_RING, DEADMAN_MS);
    for (uint8_t side = 0; side < 4; side++) {
        if (wall.counts[side] < share(wall.tiles, side)) {
            motor_run((uint8_t)(M_FEED_1 + side), DEADMAN_MS);
        }
    }
}

static void watch_eyes(uint32_t now) {
    if (inputs_edges(0)) {
        for (uint8_t side = 0; side < 4; side++) {
            watch_eye(side, now);
        }
    }
}

void build_coast(uint32_t now) {
    if (active && now - active_at < COAST_MS) {
        watch_eyes(now);
    } else {
        active = false;
    }
}

void build_task(uint32_t now) {
    active_at = now;
    if (now - looked < LOOK_MS && !inputs_edges(0) && !inputs_edges(1)) {
        return;
    }
    looked = now;
    if (build_complete()) {
        finish(now);
        return;
    }
    drive(now);
    watch_eyes(now);
    for (uint8_t side = 0; side < 4; side++) {
        if (stacker_turning(side)) {
            stacker_task(side, now);
            if (push_due[side] && stacker_left_home(side)) {
                push_due[side] = false; /* from here on a push cut short is finished by homing */
                wall.pushed[side]++;
                save();
            }
        } else if (wall.counts[side] / 2u > wall.pushed[side]) {
            push_due[side] = true;
            stacker_start(side, now);
        }
        watch_side(side, now);
    }
    if (motors_locked()) {
        return;
    }
    if (now - last_count > SILENT_MS) {
        report_silence();
    }
    if (now - started > LONGEST_MS) {
        machine_fault(352u, 0, total());
    } else if (!told_slow && now - started > SLOW_MS) {
        told_slow = true;
        machine_warn(351u, 0, total());
    }
}
