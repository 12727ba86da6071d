#include "dice.h"

#include "devices.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"
#include "status.h"

#define SETTLE_MS 600u

enum { STILL, SPINNING, SETTLING };

static uint8_t dice;
static uint32_t since;

void dice_init(void) { dice = STILL; }
bool dice_are_still(void) { return dice == STILL; }
void dice_stopped(void) { dice = STILL; }

void dice_spin(uint16_t spin_ms) {
    dice = SPINNING;
    motor_run(M_DICE, spin_ms);
}

void dice_task(uint32_t now) {
    if (dice == SPINNING && !(motors_on() & 1u << M_DICE)) {
        dice = SETTLING;
        since = now;
    } else if (dice == SETTLING && now - since >= SETTLE_MS) {
        dice = STILL;
        link_event(MSG_DICE_DONE, 0, 0);
        status_push();
    }
}
