#include "loop.h"

#include "analog.h"
#include "boot.h"
#include "build.h"
#include "diagnose.h"
#include "hal.h"
#include "inputs.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "own_faults.h"
#include "records.h"
#include "sets.h"
#include "protection.h"

enum { CHECK_RX = 1, CHECK_INPUTS = 2, CHECK_MACHINE = 4, CHECK_LINK = 8, CHECK_RECORDS = 16, CHECK_ALL = 31 };

static uint16_t last_tick;

void loop_init(void) {
    motors_init();
    records_init();
    inputs_init();
    diagnose_init();
    analog_init();
    build_init(hal_reset_cause() == RESET_CAUSE_WATCHDOG);
    sets_init(hal_reset_cause() == RESET_CAUSE_WATCHDOG);
    machine_init();
    booted_t booted = {.reset_cause = hal_reset_cause(), .boot_id = boot_id(), .homed = 0};
    uint8_t payload[LEN_BOOTED];
    pack_booted(&booted, payload);
    link_init(boot_id(), payload, LEN_BOOTED);
    own_faults_init();
    machine_begin();
    last_tick = (uint16_t)hal_now_ms();
}

bool loop_step(void) {
    uint8_t checked = 0;
    uint32_t now = hal_now_ms();
    link_rx_task(now);
    checked |= CHECK_RX;
    if ((uint16_t)now == last_tick) {
        return false;
    }
    last_tick = (uint16_t)now;
    inputs_task(now);
    diagnose_task(now);
    protection_task(analog_task(now), now);
    checked |= CHECK_INPUTS;
    machine_task(now);
    checked |= CHECK_MACHINE;
    link_tick_task(now);
    checked |= CHECK_LINK;
    records_task(now);
    checked |= CHECK_RECORDS;
    return checked == CHECK_ALL;
}
