#include "duty.h"

#include "config.h"
#include "devices.h"
#include "machine.h"
#include "motors.h"

/* Heat comes while a motor runs and goes while it stands, so that it stays where it is at just duty_percent. A cold
 * motor may run for that share of the window without a pause. Four looks make a step. */
#define LOOK_MS 100u
#define LOOKS 4u
#define STEPS 1500ul /* ten minutes */

static uint16_t heat[MOTOR_COUNT], resting, told;
static uint8_t seen_on[MOTOR_COUNT], looks;
static uint16_t looked;

void duty_init(void) {
    for (uint8_t id = 0; id < MOTOR_COUNT; id++) {
        heat[id] = seen_on[id] = 0;
    }
    resting = told = 0;
    looks = 0;
    looked = 0;
}

static void step(uint8_t id) {
    uint8_t duty = config()->duty_percent;
    uint16_t limit = (uint16_t)(STEPS * duty * (100u - duty) / 100u), bit = (uint16_t)(1u << id);
    int32_t next = (int32_t)heat[id] + (int32_t)(100u / LOOKS * seen_on[id]) - duty;
    heat[id] = next < 0 ? 0 : (uint16_t)next;
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
        for (uint8_t id = 0; id < MOTOR_COUNT; id++) {
            step(id);
        }
    }
}

bool duty_rests(uint16_t which) {
#ifdef MUTANT_DUTY
    return which == 0 && resting;
#else
    uint16_t news = which & resting & (uint16_t)~told;
    for (uint8_t id = 0; news != 0; id++, news >>= 1) {
        if (news & 1u) {
            told |= (uint16_t)(1u << id);
            machine_warn(512u, 0, id);
        }
    }
    return (which & resting) != 0;
#endif
}
