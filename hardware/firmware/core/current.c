#include "current.h"

#include "analog.h"
#include "clock.h"
#include "config.h"
#include "devices.h"
#include "motors.h"

#define SURGE_MS 200u  /* a motor that starts draws what a held one does: nothing is judged until it is over */
#define COAST_MS 300u  /* so long after the last one was switched off the group draws nothing */
#define OVER_LOOKS 5u  /* in a row, 10 ms apart */
#define STRAY_LOOKS 10u

static const struct {
    uint16_t motors;
    uint8_t input;
} GROUPS[CURRENT_GROUPS] = {
    {15u << M_FEED_1, AN_FEED_CURRENT},
    {15u << M_STACK_1, AN_STACK_CURRENT},
    {1u << M_TURN | 1u << M_RING | 1u << M_TRAY_RAISE | 1u << M_TRAY_LOWER | 1u << M_DOME_RAISE | 1u << M_DOME_LOWER |
         1u << M_DICE,
     AN_MAIN_CURRENT},
};

static uint8_t looks;
static uint16_t were[CURRENT_GROUPS], last_on;
static uint8_t over[CURRENT_GROUPS], stray[CURRENT_GROUPS];
static uint16_t started[CURRENT_GROUPS], stopped[CURRENT_GROUPS]; /* low half: after 65 s nothing is judged for a moment */

void current_init(void) {
    START_AT_ZERO(last_on);
    START_AT_ZERO(were);
    START_AT_ZERO(over);
    START_AT_ZERO(stray);
    START_AT_ZERO(started);
    START_AT_ZERO(stopped);
}

uint16_t current_ma(uint8_t group) { return analog_ma(GROUPS[group].input); }
uint16_t current_motors(uint8_t group) { return GROUPS[group].motors; }

uint16_t current_limit(uint8_t group) {
    const config_t *set = config();
    return group == CURRENT_FEED ? set->feed_limit_ma : group == CURRENT_STACK ? set->stack_limit_ma : set->main_limit_ma;
}

/* Each further motor of a group is granted two fifths of the limit: what a healthy one draws. */
static uint16_t granted(uint8_t group, uint16_t on) {
    uint16_t sum = current_limit(group), usual = group == CURRENT_MAIN ? 0 : sum / 5u * 2u;
    for (on &= (uint16_t)(on - 1u); on != 0; on &= (uint16_t)(on - 1u)) {
        sum = (uint16_t)(sum + usual);
    }
    return sum;
}

static uint8_t count(uint8_t so_far, bool yes) {
    return !yes ? 0 : so_far < 255u ? (uint8_t)(so_far + 1u) : so_far;
}

void current_starts(uint32_t now) {
    uint16_t on = motors_on(), rose = on & (uint16_t)~last_on;
    last_on = on;
    for (uint8_t group = 0; rose != 0 && group < CURRENT_GROUPS; group++) {
        if (rose & GROUPS[group].motors) {
            started[group] = (uint16_t)now;
        }
    }
}

void current_task(uint32_t now) {
    uint16_t all = last_on;
    looks++;
    for (uint8_t group = 0; group < CURRENT_GROUPS; group++) {
        uint16_t on = all & GROUPS[group].motors, ma = current_ma(group);
        if (on == 0 && were[group] != 0) {
            stopped[group] = (uint16_t)now;
        }
        were[group] = on;
        over[group] = count(over[group], on != 0 && current_settled(group, now) && ma > granted(group, on));
        bool still = on == 0 && (uint16_t)((uint16_t)now - stopped[group]) >= COAST_MS;
        stray[group] = count(stray[group], still && ma > current_limit(group) / 5u);
    }
}

uint8_t current_mark(void) { return looks; }
bool current_is_new(uint8_t mark) { return (uint8_t)(looks - mark) > ANALOG_AVERAGED; }

bool current_settled(uint8_t group, uint32_t now) {
    bool known = (motors_on() & GROUPS[group].motors & (uint16_t)~last_on) == 0; /* since the last tick */
    return known && (uint16_t)((uint16_t)now - started[group]) >= SURGE_MS;
}

bool current_is_over(uint8_t group) { return over[group] >= OVER_LOOKS; }

uint8_t current_stray(void) {
    for (uint8_t group = CURRENT_GROUPS; group; group--) {
        if (stray[group - 1u] >= STRAY_LOOKS) {
            return group;
        }
    }
    return 0;
}
