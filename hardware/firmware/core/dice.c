#include "dice.h"

#include "clock.h"
#include "current.h"
#include "devices.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"
#include "statistics.h"
#include "status.h"

#define SETTLE_MS 600u

/* What the group draws less when the dice motor goes off is what it drew: 200 mA when it spins. */
#define LEAST_MA 80u
#define MOST_MA 500u

enum { STILL, SPINNING, SETTLING };

static uint8_t dice, mark;
static uint16_t since;
static uint16_t before_ma, others_on;
static bool looked;

void dice_init(void) { dice = STILL; }
bool dice_are_still(void) { return dice == STILL; }
void dice_stopped(void) { dice = STILL; }

void dice_spin(uint16_t spin_ms) {
    dice = SPINNING;
    statistics_count(STATISTIC_THROWS);
    motor_run(M_DICE, spin_ms);
}

static uint16_t others(void) { return motors_on() & current_motors(CURRENT_MAIN) & (uint16_t)~(1u << M_DICE); }

/* Nothing stops: the host throws again, and its camera has the last word. */
static void look(uint32_t now) {
    uint16_t after_ma = current_ma(CURRENT_MAIN), drew = before_ma > after_ma ? (uint16_t)(before_ma - after_ma) : 0;
    looked = true;
    if (current_settled(CURRENT_MAIN, now) && others() == others_on && (drew < LEAST_MA || drew > MOST_MA)) {
        machine_warn(421u, 0, drew);
    }
}

void dice_task(uint32_t now) {
    if (dice == SPINNING && !(motors_on() & 1u << M_DICE)) {
        dice = SETTLING;
        since = (uint16_t)now;
        looked = false;
        mark = current_mark();
    } else if (dice == SPINNING) {
        before_ma = current_ma(CURRENT_MAIN);
        others_on = others();
    } else if (dice == SETTLING && !looked && current_is_new(mark)) {
        look(now);
    } else if (dice == SETTLING && ms_since(now, since) >= SETTLE_MS) {
        dice = STILL;
        link_event(MSG_DICE_DONE, 0, 0);
        status_push();
    }
}
