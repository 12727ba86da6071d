#include "build.h"

#include <string.h>

#include "clock.h"
#include "config.h"
#include "devices.h"
#include "inputs.h"
#include "lifts.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "protection.h"
#include "recovery.h"
#include "programme.h"
#include "statistics.h"
#include "wall.h"

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
#define LAG_MS 1200u
#define LAG_OTHERS 3u
#define SLOW_MS 80000ul
#define LONGEST_MS 200000ul

#define LOOK_MS 10u /* without an edge nothing here is more urgent */

#define DRUM_MOTORS (1u << M_TURN | 1u << M_RING | 15u << M_FEED_1)
#define OWN_MOTORS (DRUM_MOTORS | 15u << M_STACK_1)

static uint32_t started, since, stood_at, last_count; /* since: it runs without a pause */
static uint8_t others[4];
static uint32_t lit_since[4], counted_at[4];
static uint16_t noise_since[4], renewed, looked, active_at;
static uint8_t noise[4];
static bool told_slow, told_extra, push_due[4], jam_unseen[4], active;

void build_init(bool memory_kept) {
    active = told_extra = false;
    wall_init(memory_kept);
}

bool build_interrupted_turning(void) {
    return stacker_turning(0) || stacker_turning(1) || stacker_turning(2) || stacker_turning(3);
}

bool build_complete(void) { return wall_complete() && !build_interrupted_turning(); }

static void push_on(uint8_t side, uint32_t now) {
    stacker_task(side, now);
    if (push_due[side] && stacker_left_home(side)) {
        push_due[side] = false; /* from here on a push cut short is finished by homing */
        wall_pushed(side);
    }
}

/* Before a build runs (on): what was seen before the standstill is stale. */
static void begin(uint32_t now) {
    since = now;
    renewed = (uint16_t)(now - RENEW_MS);
    looked = (uint16_t)(now - LOOK_MS);
    memset(push_due, 0, sizeof push_due);
    memset(noise, 0, sizeof noise);
    memset(jam_unseen, 0, sizeof jam_unseen);
    for (uint8_t side = 0; side < 4; side++) {
        counted_at[side] = now;
    }
    active = true;
    stackers_forget();
    recovery_init();
}

static void tell_extra(uint8_t side) {
    machine_fault(342u, (uint8_t)(side + 1u), wall_count(side));
    told_extra = machine_fault_code() == 342u; /* not when something else is latched: then it is told by the next build */
}

/* Tiles too many that people were told of have been taken out; others are told now. */
static void settle(void) {
    for (uint8_t side = 0; side < 4 && !told_extra; side++) {
        if (wall_count(side) > wall_share(side)) {
            tell_extra(side);
            return;
        }
    }
    told_extra = false;
    wall_settle();
}

void build_start(uint32_t now) {
    started = last_count = now;
    told_slow = false;
    memset(others, 0, sizeof others);
    recovery_new_build();
    programme_begin();
    begin(now);
    settle();
}

void build_stand(uint32_t now) {
    motors_off(DRUM_MOTORS);
    recovery_cut(now);
    stood_at = now;
}

bool build_stands(uint32_t now) {
    if (recovery_is_on()) { /* no relay is switched under its motor: the wires go back in their own time */
        recovery_task(now);
        stood_at = now;
        return false;
    }
    for (uint8_t side = 0; side < 4; side++) {
        if (stacker_turning(side)) {
            push_on(side, now);
        }
    }
    return now - stood_at >= COAST_MS && !build_interrupted_turning();
}

/* A tile that stood under its eye all the time counts when it has passed; what else darkens one now is a hand's work. */
static void look_again(uint8_t side, uint32_t now) {
    uint8_t eye = (uint8_t)(IN_COUNT_1 + side);
    uint32_t dark = now - lit_since[side];
    bool stayed = input_is(eye) && input_age_ms(eye, now) >= (dark > 60000u ? 60000u : dark);
    lit_since[side] = now - (stayed ? config()->tile_least_ms : STUCK_MS + 1u);
}

void build_go_on(uint32_t now) {
    for (uint8_t side = 0; side < 4; side++) {
        look_again(side, now);
    }
    started += now - stood_at; /* a pause is no part of the time that a build takes */
    bool fell_since = (int32_t)(last_count - stood_at) > 0; /* counted while it came to a stand */
    last_count = fell_since ? now : last_count + (now - stood_at);
    begin(now);
}

void build_wall_taken(void) {
    wall_taken();
    active = told_extra = false;
}

static void finish(uint32_t now) {
    motors_off(OWN_MOTORS);
    recovery_over();
    statistics_count(STATISTIC_BUILDS);
    build_done_t done = {wall_count(0), wall_count(1), wall_count(2), wall_count(3), now - started};
    uint8_t payload[LEN_BUILD_DONE];
    pack_build_done(&done, payload);
    link_event(MSG_BUILD_DONE, payload, LEN_BUILD_DONE);
    machine_arrived();
}

static void count_tile(uint8_t side, uint32_t now) {
    wall_counted(side);
    statistics_count(STATISTIC_TILES);
    last_count = counted_at[side] = now;
    for (uint8_t other = 0; other < 4; other++) {
        others[other] = other == side ? 0 : (uint8_t)(others[other] + (others[other] < 255u));
    }
    uint8_t payload[LEN_COUNT];
    pack_count(&(count_t){(uint8_t)(side + 1u), wall_count(side), wall_total()}, payload);
    link_event(MSG_COUNT, payload, LEN_COUNT);
    if (wall_count(side) > wall_share(side)) {
        tell_extra(side);
    } else if (wall_count(side) == wall_share(side)) {
        motor_off((uint8_t)(M_FEED_1 + side));
    }
}

/* A tile counts when it has passed; what is too short for one is light (several flickers, too, that the debounce took
 * together), what is too long was taken out by hand. */
static void watch_eye(uint8_t side, uint32_t now) {
    uint8_t eye = (uint8_t)(IN_COUNT_1 + side);
    if (input_rose(eye)) {
        lit_since[side] = now;
    } else if (input_fell(eye)) {
        uint32_t width = now - lit_since[side];
        bool is_light = input_solid_ms(side) < config()->tile_least_ms;
        if (!is_light && width <= STUCK_MS) {
            count_tile(side, now);
        } else if (is_light && noise[side]++ == 0) {
            noise_since[side] = (uint16_t)now;
        }
    }
    if (input_rose((uint8_t)(IN_JAM_1 + side))) {
        jam_unseen[side] = now - counted_at[side] > UNSEEN_MS;
    }
}

static void watch_side(uint8_t side, uint32_t now) {
    uint8_t number = (uint8_t)(side + 1u);
    uint8_t jam = (uint8_t)(IN_JAM_1 + side), eye = (uint8_t)(IN_COUNT_1 + side);
    if (noise[side] != 0 && ms_since(now, noise_since[side]) > NOISE_MS) {
        noise[side] = 0;
    }
    if (input_is(jam) && input_age_ms(jam, now) > JAM_MS && now - since > JAM_MS) {
        if (jam_unseen[side]) { /* tiles that nobody counted fill the stacker and back up: the eye is blind */
            machine_fault((uint16_t)(321u + side), number, wall_count(side));
        } else {
            recovery_stuck(STUCK_FEED, side, input_age_ms(jam, now), now);
        }
    } else if (input_is(eye) && input_age_ms(eye, now) > STUCK_MS && now - since > STUCK_MS) {
        machine_fault((uint16_t)(331u + side), number, input_age_ms(eye, now));
    } else if (noise[side] >= NOISE_PULSES) {
        machine_fault((uint16_t)(331u + side), number, noise[side]);
    } else if (others[side] >= SILENT_OTHERS && wall_count(side) < wall_share(side)) {
        machine_fault((uint16_t)(321u + side), number, wall_count(side));
    }
}

/* Nothing came for a while: one dead eye, or tiles that are not there. */
static void report_silence(void) {
    uint8_t missing_sides = 0, last = 0;
    for (uint8_t side = 0; side < 4; side++) {
        if (wall_count(side) < wall_share(side)) {
            missing_sides++;
            last = side;
        }
    }
    uint8_t gap = (uint8_t)(wall_share(last) - wall_count(last));
    if (missing_sides == 1 && gap >= SILENT_GAP) {
        machine_fault((uint16_t)(321u + last), (uint8_t)(last + 1u), wall_count(last));
    } else if (missing_sides != 0) {
        machine_fault(341u, missing_sides == 1 ? (uint8_t)(last + 1u) : 0, (uint16_t)(wall_tiles() - wall_total()));
    }
}

static void drive(uint32_t now) {
    if (ms_since(now, renewed) < RENEW_MS) {
        return;
    }
    renewed = (uint16_t)now;
    motor_run(M_TURN, DEADMAN_MS);
    motor_run(M_RING, DEADMAN_MS);
    for (uint8_t side = 0; side < 4; side++) {
        if (wall_count(side) < wall_share(side) && !protection_probes(side)) {
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
    if (active && ms_since(now, active_at) < COAST_MS) {
        watch_eyes(now);
    } else {
        active = false;
    }
}

bool build_lags(uint8_t side, uint32_t now) {
    bool last = true;
    for (uint8_t other = 0; other < 4; other++) {
        last &= other == side || wall_count(other) >= wall_share(other);
    }
    return now - counted_at[side] >= LAG_MS && (last || others[side] >= LAG_OTHERS);
}

void build_feed_again(uint8_t side) {
    if (wall_count(side) < wall_share(side)) {
        motor_run((uint8_t)(M_FEED_1 + side), DEADMAN_MS);
    }
}

/* A side that is stuck is turned back: until that is over nothing else runs, and tiles only coast. */
static bool recovers(uint32_t now) {
    static bool was;
    if (recovery_task(now)) {
        was = true;
        watch_eyes(now);
        return true;
    }
    if (was) {
        was = false;
        since = now;
        renewed = (uint16_t)(now - RENEW_MS);
    }
    return false;
}

void build_task(uint32_t now) {
    active_at = (uint16_t)now;
    if (recovers(now)) {
        return;
    }
    if (ms_since(now, looked) < LOOK_MS && !inputs_edges(0) && !inputs_edges(1)) {
        return;
    }
    looked = (uint16_t)now;
    if (build_complete()) {
        finish(now);
        return;
    }
    drive(now);
    watch_eyes(now);
    for (uint8_t side = 0; side < 4 && !recovery_is_on(); side++) {
        if (stacker_turning(side)) {
            push_on(side, now);
        } else if (wall_stacks_due(side) != 0 && !stackers_unclear(now) && !recovery_listens(now)) {
            push_due[side] = true;
            stacker_start(side, now);
        }
        watch_side(side, now);
    }
    if (motors_locked() || recovery_is_on()) {
        return;
    }
    programme_task(now);
    if (now - last_count > SILENT_MS) {
        report_silence();
    }
    if (now - started > LONGEST_MS) {
        machine_fault(352u, 0, wall_total());
    } else if (!told_slow && now - started > SLOW_MS) {
        told_slow = true;
        machine_warn(351u, 0, wall_total());
    }
}
