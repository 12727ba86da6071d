#include "protection.h"

#include "build.h"
#include "clock.h"
#include "current.h"
#include "devices.h"
#include "duty.h"
#include "lifts.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"
#include "recovery.h"

#define LIFT_MOTORS (1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER | 1u << M_DOME_RAISE | 1u << M_DOME_LOWER)

/* A feed that brings nothing while others do is switched off for a moment: what the group draws less is what it drew.
 * Asked twice: another one that is held in that very moment draws more, and hides the answer. */
#define AGAIN_MS 2000u
#define NOBODY 4u

static uint8_t probed, doubted, mark;
static uint16_t before_ma, others_on;
static uint16_t probe_at[4]; /* low half of the clock */

void protection_init(void) {
    current_init();
    duty_init();
    probed = doubted = NOBODY;
    START_AT_ZERO(probe_at);
}

bool protection_probes(uint8_t side) { return side == probed; }

static uint16_t feed_bit(uint8_t side) { return (uint16_t)(1u << M_FEED_1 << side); }

static void end_probe(uint32_t now) {
    uint8_t side = probed;
    uint16_t after_ma = current_ma(CURRENT_FEED);
    probed = NOBODY;
    if ((motors_on() & current_motors(CURRENT_FEED)) != others_on) {
        probe_at[side] = (uint16_t)(now - AGAIN_MS);
        return; /* another one was switched meanwhile: no answer, so ask again */
    }
    uint16_t drew = before_ma > after_ma ? (uint16_t)(before_ma - after_ma) : 0;
    bool none = drew < current_limit(CURRENT_FEED) / 5u;
    if (none && doubted == side) {
        machine_fault((uint16_t)(315u + side), (uint8_t)(side + 1u), drew);
        return;
    }
    build_feed_again(side);
    doubted = NOBODY;
    if (none) {
        doubted = side;
        probe_at[side] = (uint16_t)(now - AGAIN_MS); /* at once, when its start is over */
    }
}

static void probe(uint32_t now) {
    if (probed != NOBODY) {
        if (current_is_new(mark)) {
            end_probe(now);
        }
        return;
    }
    uint16_t on = motors_on();
    for (uint8_t side = 0; side < 4 && current_settled(CURRENT_FEED, now); side++) {
        if ((on & feed_bit(side)) && build_lags(side, now) && (uint16_t)((uint16_t)now - probe_at[side]) >= AGAIN_MS) {
            probed = side;
            probe_at[side] = (uint16_t)now;
            mark = current_mark();
            before_ma = current_ma(CURRENT_FEED);
            motor_off((uint8_t)(M_FEED_1 + side));
            others_on = motors_on() & current_motors(CURRENT_FEED);
            return;
        }
    }
}

static void judge(uint32_t now) {
    bool building = machine_state() == STATE_BUILDING;
    uint8_t stray = current_stray();
    if (stray != 0) {
        machine_fault(104u, 0, stray);
    }
    for (uint8_t group = 0; group < CURRENT_GROUPS; group++) {
        if (!current_is_over(group)) {
            continue;
        } else if (group == CURRENT_MAIN || !building) {
            if (group == CURRENT_MAIN && (motors_on() & LIFT_MOTORS) && machine_state() != STATE_SERVICE) {
                lift_blocked();
            }
            machine_fault(103u, 0, (uint16_t)(group + 1u)); /* unless it was told what is held */
        } else {
            recovery_find(group == CURRENT_FEED ? STUCK_FEED : STUCK_STACK, now);
        }
    }
}

void protection_task(bool fresh, uint32_t now) {
    duty_task(now);
    current_starts(now);
    if (fresh) {
        current_task(now);
        judge(now);
    }
    if (machine_state() == STATE_BUILDING && recovery_is_calm()) {
        probe(now);
    } else {
        probed = doubted = NOBODY;
    }
}
