#include "analog.h"

#include "clock.h"
#include "devices.h"
#include "hal.h"

#define EVERY_MS 2u  /* one channel; each has its turn every 10 ms */
#define LOOKS 3u     /* of one channel, in a row, */
#define LOW_MS 80u   /* and over this time */

static uint16_t millivolt[ANALOG_COUNT], last[ANALOG_COUNT][ANALOG_AVERAGED];
static uint8_t looks[ANALOG_COUNT], at, turn;
static uint16_t looked, low_since[ANALOG_COUNT];

void analog_init(void) {
    START_AT_ZERO(millivolt);
    START_AT_ZERO(looks);
    START_AT_ZERO(last);
    START_AT_ZERO(at);
    START_AT_ZERO(turn);
    looked = (uint16_t)hal_now_ms();
    hal_adc_start(devices_analog_channel[0]);
}

bool analog_task(uint32_t now) {
    uint16_t seen;
    if (ms_since(now, looked) < EVERY_MS || !hal_adc_take(&seen)) {
        return false;
    }
    looked = (uint16_t)now;
    millivolt[at] = last[at][turn] = seen;
    if (seen >= devices_analog_least_mv[at]) {
        looks[at] = 0;
    } else if (looks[at]++ == 0) {
        low_since[at] = (uint16_t)now;
    } else if (looks[at] > LOOKS) {
        looks[at] = ms_since(now, low_since[at]) >= LOW_MS ? LOOKS + 1u : LOOKS;
    }
    at = (uint8_t)(at + 1u) % ANALOG_COUNT;
    if (at == 0) {
        turn = (uint8_t)(turn + 1u) % ANALOG_AVERAGED;
    }
    hal_adc_start(devices_analog_channel[at]);
    return at == 0;
}

bool analog_is_low(uint8_t id) { return looks[id] > LOOKS; }
uint16_t analog_millivolt(uint8_t id) { return millivolt[id]; }

uint16_t analog_ma(uint8_t id) {
    uint16_t sum = 0; /* 40000 at most */
    for (uint8_t i = 0; i < ANALOG_AVERAGED; i++) {
        sum = (uint16_t)(sum + last[id][i]);
    }
    return (uint16_t)(sum * devices_analog_ma_per_mv[id]) / ANALOG_AVERAGED;
}
