#include "duty.h"

#include "clock.h"
#include "config.h"
#include "devices.h"
#include "machine.h"
#include "motors.h"

/* Heat comes while a motor runs and goes while it stands, so that it stays where it is at just duty_percent. A cold
 * motor may run for that share of the window without a pause. Four looks make a step. */
#define LOOK_MS 100u
#define LOOKS 4u
#define STEPS 1500u /* ten minutes */

static uint16_t heat[MOTOR_COUNT], resting, told;
static uint8_t seen_on[MOTOR_COUNT], looks;
static uint16_t looked;

void duty_init(void) {
    START_AT_ZERO(heat);
    START_AT_ZERO(seen_on);
    START_AT_ZERO(resting);
    START_AT_ZERO(told);
    START_AT_ZERO(looks);
    START_AT_ZERO(looked);
}

static void step(uint8_t id, uint16_t bit) {
    uint8_t duty = config()->duty_percent;
    uint16_t limit = (uint16_t)(STEPS / 100u * duty * (100u - duty)); /* 37500 at most */
    uint16_t warm = (uint16_t)(heat[id] + 100u / LOOKS * seen_on[id]);
    heat[id] = warm < duty ? 0 : (uint16_t)(warm - duty);
    seen_on[id] = 0;
    if (limit == 0 || heat[id] < limit / 2u) {
        resting &= (uint16_t)~bit;
        told &= (uint16_t)~bit;
    } else if (heat[id] >= limit - limit / 8u) {
        resting |= bit; /* what is started now would not come to its end */
    }
#ifndef MUTANT_DUTY
    if (limit != 0 && heat[id] >= limit) {
        heat[id] = limit;
        if (motors_on() & bit) {
            machine_fault(513u, 0, id);
        }
    }
#endif
}

void duty_task(uint32_t now) {
    if ((uint16_t)((uint16_t)now - looked) < LOOK_MS) {
        return;
    }
    looked = (uint16_t)now;
    uint16_t on = motors_on();
    for (uint8_t id = 0; id < MOTOR_COUNT; id++, on >>= 1) {
        seen_on[id] = (uint8_t)(seen_on[id] + (on & 1u));
    }
    if (++looks == LOOKS) {
        looks = 0;
        uint16_t bit = 1;
        for (uint8_t id = 0; id < MOTOR_COUNT; id++, bit = (uint16_t)(bit << 1)) {
            step(id, bit);
        }
    }
}

bool duty_rests(uint16_t which) {
#ifdef MUTANT_DUTY
    return which == 0 && resting;
#else
    uint16_t news = which & resting & (uint16_t)~told;
    told |= news;
    if (news != 0) {
        machine_warn(512u, 0, news);
    }
    return (which & resting) != 0;
#endif
}
