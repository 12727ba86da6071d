#include "statistics.h"

#include <stdbool.h>
#include <string.h>

#include "boot.h"
#include "clock.h"
#include "motors.h"
#include "protocol.h"
#include "store.h"

#define LOOK_MS 100u      /* the shortest run, of a stacker, takes 450 ms */
#define LOOKS 10u         /* in a second */
#define SAVE_LOOKS 3000u  /* 5 minutes: what a power cut may cost; how often that wears the memory: README, "EEPROM" */
#define MOTORS 16u       /* places in the record */
#define IN_REPORT 8u     /* of them in one MotorSecondsReport */

static struct __attribute__((packed)) { /* as it lies in the EEPROM */
    uint32_t counts[STATISTICS], seconds[MOTORS];
    uint16_t jams[4];
} sums;

_Static_assert(sizeof sums == STORE_STATISTICS_BODY, "the record is the struct");
_Static_assert(LEN_STATISTICS_REPORT == sizeof sums.counts + 4u + sizeof sums.jams, "sums, boots, jams");
_Static_assert(LEN_MOTOR_SECONDS_REPORT == 1u + 4u * IN_REPORT, "eight motors");

static uint8_t seen_on[MOTORS]; /* looks below a second; a reset may lose them */
static bool changed, due;
static uint16_t looked, unsaved; /* low half of the clock; looks since everything was in the EEPROM */

void statistics_init(void) {
    START_AT_ZERO(sums);
    START_AT_ZERO(seen_on);
    START_AT_ZERO(changed);
    START_AT_ZERO(due);
    START_AT_ZERO(looked);
    START_AT_ZERO(unsaved);
    store_read(STORE_STATISTICS, 0, (uint8_t *)&sums);
}

static void watch_motors(void) {
    uint16_t on = motors_on();
    for (uint8_t id = 0; on != 0; id++, on >>= 1) {
        if (on & 1u) {
            changed = true;
            if (++seen_on[id] == LOOKS) {
                seen_on[id] = 0;
                sums.seconds[id]++;
            }
        }
    }
}

void statistics_task(uint32_t now) {
    if (ms_since(now, looked) < LOOK_MS) {
        return;
    }
    looked = (uint16_t)now;
    watch_motors();
    if (!changed) {
        unsaved = 0;
    } else if ((due || ++unsaved >= SAVE_LOOKS) && store_idle()) {
        changed = due = false;
        store_write(STORE_STATISTICS, (const uint8_t *)&sums);
    }
}

void statistics_count(uint8_t what) {
    sums.counts[what]++;
    changed = true;
    due = due || what == STATISTIC_BUILDS;
}

void statistics_jam(uint8_t side) {
    sums.jams[side]++;
    changed = true;
}

uint8_t statistics_pack(uint8_t *answer) {
    uint32_t boots = boot_count();
    memcpy(answer, sums.counts, sizeof sums.counts);
    memcpy(answer + 20, &boots, sizeof boots);
    memcpy(answer + 24, sums.jams, sizeof sums.jams);
    return LEN_STATISTICS_REPORT;
}

uint8_t statistics_pack_seconds(uint8_t first, uint8_t *answer) {
    first = first < IN_REPORT ? 0 : IN_REPORT;
    answer[0] = first;
    memcpy(answer + 1, sums.seconds + first, 4u * IN_REPORT);
    return LEN_MOTOR_SECONDS_REPORT;
}
