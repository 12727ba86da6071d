#include "update.h"

#include "clock.h"
#include "dice.h"
#include "flash_map.h"
#include "hal.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"

#define LEAVE_MS 100u /* the answer and its repeats are out by then */

static uint16_t since;

/* Also from a latched state: a program that latches by mistake must not keep the better one out. */
uint8_t update_order(const uint8_t *payload, uint32_t now) {
    enter_update_t wanted;
    unpack_enter_update(payload, &wanted);
    if (wanted.key != FLASH_UPDATE_KEY) {
        return REASON_BAD_VALUE;
    }
    if (!hal_bootloader()) {
        return REASON_UNKNOWN_COMMAND;
    }
#ifndef MUTANT_UPDATE_MOVING
    if (motors_on() != 0 || !dice_are_still()) {
        return REASON_BUSY;
    }
#endif
    if (machine_state() == STATE_UPDATE) {
        return REASON_NONE;
    }
    if (!machine_trigger(T_UPDATE)) {
        return REASON_BUSY;
    }
    motors_lock();
    since = (uint16_t)now;
    return REASON_NONE;
}

bool update_task(uint32_t now) {
    if (machine_state() != STATE_UPDATE) {
        return false;
    }
    if (ms_since(now, since) >= LEAVE_MS) {
        hal_leave_to_bootloader();
    }
    return true;
}
