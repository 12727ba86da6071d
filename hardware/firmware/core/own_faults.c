#include "own_faults.h"

#include "clock.h"
#include "config.h"
#include "hal.h"
#include "link.h"
#include "machine.h"
#include "protocol.h"
#include "store.h"

#define MOST 3u /* why it started, its records, its configuration */

static struct {
    uint16_t code, detail;
} found[MOST];
static uint8_t count, told;

static void own_fault(uint16_t code, uint16_t detail) {
    found[count].code = code;
    found[count++].detail = detail;
    machine_log(code, 0, detail);
}

void own_faults_init(void) {
    START_AT_ZERO(count);
    START_AT_ZERO(told);
    if (hal_reset_cause() == RESET_CAUSE_BROWN_OUT) {
        own_fault(101u, 0);
    } else if (hal_reset_cause() == RESET_CAUSE_WATCHDOG) {
        own_fault(901u, 0);
    }
    if (config_trouble() != CONFIG_WHOLE) {
        own_fault(904u, config_trouble());
    }
    uint8_t areas = (uint8_t)(store_failed() & ~(1u << STORE_CONFIG)); /* 904 tells of the other */
    if (areas) {
        own_fault(902u, areas);
    }
}

void own_faults_task(void) {
    if (!hal_stack_whole()) {
        machine_fault(903u, 0, 0); /* what lies there may be damaged: nothing moves until it starts anew */
    }
    if (told != count && link_is_understood()) {
        machine_tell(found[told].code, 0, found[told].detail);
        told++;
    }
}
