#include "analog.h"

#include "devices.h"
#include "hal.h"

#define EVERY_MS 10u
#define LOOKS 5u /* of one channel, in a row */

static uint16_t millivolt[ANALOG_COUNT];
static uint8_t looks[ANALOG_COUNT], at;
static uint32_t looked;

void analog_init(void) {
    for (uint8_t id = 0; id < ANALOG_COUNT; id++) {
        millivolt[id] = looks[id] = 0;
    }
    at = 0;
    looked = hal_now_ms();
    hal_adc_start(devices_analog_channel[0]);
}

void analog_task(uint32_t now) {
    uint16_t seen;
    if (now - looked < EVERY_MS || !hal_adc_take(&seen)) {
        return;
    }
    looked = now;
    millivolt[at] = seen;
    if (seen >= devices_analog_least_mv[at]) {
        looks[at] = 0;
    } else if (looks[at] < LOOKS) {
        looks[at]++;
    }
    at = (uint8_t)(at + 1u) % ANALOG_COUNT;
    hal_adc_start(devices_analog_channel[at]);
}

bool analog_is_low(uint8_t id) { return looks[id] >= LOOKS; }
uint16_t analog_millivolt(uint8_t id) { return millivolt[id]; }
