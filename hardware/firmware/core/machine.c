#include "machine.h"

#include "analog.h"
#include "build.h"
#include "clock.h"
#include "current.h"
#include "devices.h"
#include "dice.h"
#include "fault_log.h"
#include "hal.h"
#include "inputs.h"
#include "interlocks.h"
#include "jog.h"
#include "lifts.h"
#include "link.h"
#include "motors.h"
#include "panel.h"
#include "service.h"
#include "sets.h"
#include "pause.h"
#include "protection.h"
#include "recovery.h"
#include "statistics.h"
#include "status.h"
#include "update.h"

#define TO_REST 0xFFu
#define STACK_MOTORS (15u << M_STACK_1)

#define S(name) (1u << STATE_##name)
#define AT_REST (S(IDLE) | S(LOADING) | S(READY) | S(IN_PLAY))
#define MOVING (S(HOMING) | S(LIFTING) | S(BUILDING))
#define AWAKE (AT_REST | MOVING | S(PAUSED) | S(SERVICE))
#define LATCHED (S(FAULT) | S(SAFE) | S(ESTOP) | S(STOPPED))

/* The machine's whole life; a pair that is not here is refused. The first row that fits counts. */
static const struct {
    uint16_t from;
    uint8_t trigger, to;
} TRANSITIONS[] = {
    {AT_REST, T_HOME, STATE_HOMING},
    {AT_REST, T_LIFT, STATE_LIFTING},
    {AT_REST, T_BUILD, STATE_BUILDING},
    {S(BUILDING), T_PAUSE, STATE_PAUSED},
    {S(PAUSED), T_GO_ON, STATE_BUILDING},
    {MOVING, T_ARRIVED, TO_REST},
    {AWAKE | S(STOPPED) | S(SAFE) | S(FAULT), T_ESTOP, STATE_ESTOP},
    {AWAKE | S(STOPPED), T_FAULT, STATE_FAULT},
    {AWAKE, T_SILENT, STATE_SAFE},
    {AWAKE, T_STOP, STATE_STOPPED},
    {LATCHED, T_CLEAR, TO_REST},
    {AT_REST | LATCHED, T_UPDATE, STATE_UPDATE},
    {AT_REST, T_SERVICE, STATE_SERVICE},
    {S(SERVICE), T_LEAVE, TO_REST},
};

static uint8_t state, fault_side, lift_target, lift_direction;
static uint16_t fault_code;
static bool homed;

uint8_t machine_state(void) { return state; }
uint16_t machine_fault_code(void) { return fault_code; }
uint8_t machine_fault_side(void) { return fault_side; }
bool machine_is_latched(void) { return LATCHED >> state & 1u; }
bool machine_is_at_rest(void) { return AT_REST >> state & 1u; }

static void event1(uint8_t code, uint8_t value) { link_event(code, &value, 1); }

static void enter(uint8_t next) {
    if (next != state) {
        state = next;
        event1(MSG_STATE_CHANGED, state);
        status_push();
    }
}

static uint8_t resting_state(void) {
    if (!input_is(IN_DOME_DOWN) && input_is(IN_DOME_UP)) {
        return STATE_LOADING;
    }
    if (inputs_all(IN_TRAY_UP_1)) {
        return STATE_IN_PLAY;
    }
    if (homed && build_complete()) {
        return STATE_READY;
    }
    return sets_play_goes_on() ? STATE_IN_PLAY : STATE_IDLE;
}

bool machine_trigger(uint8_t what) {
    for (uint8_t i = 0; i < sizeof TRANSITIONS / sizeof TRANSITIONS[0]; i++) {
        if (TRANSITIONS[i].trigger == what && (TRANSITIONS[i].from >> state & 1u)) {
            enter(TRANSITIONS[i].to == TO_REST ? resting_state() : TRANSITIONS[i].to);
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------- stops and faults */

static void halt(uint8_t reason) {
    if (state == STATE_HOMING || state == STATE_LIFTING || (state == STATE_BUILDING && build_interrupted_turning()) ||
        (state == STATE_PAUSED && pause_is_moving())) {
        homed = false; /* something stands where no sensor is */
    }
    motors_lock();
    stackers_forget();
    jog_stopped();
    recovery_init();
    dice_stopped();
    event1(MSG_STOPPED, reason);
    status_push();
}

void machine_log(uint16_t code, uint8_t side, uint16_t detail) {
    fault_log_add(code, side, detail);
    statistics_count(STATISTIC_FAULTS);
}

void machine_tell(uint16_t code, uint8_t side, uint16_t detail) {
    uint8_t payload[LEN_FAULT];
#ifdef MUTANT_WRONG_SIDE
    side = side ? (uint8_t)(side % 4u + 1u) : 0;
#endif
    pack_fault(&(fault_t){code, side, detail}, payload);
    link_event(MSG_FAULT, payload, LEN_FAULT);
}

void machine_latch(uint8_t what, uint8_t reason, uint16_t code, uint8_t side, uint16_t detail) {
    halt(reason);
    fault_code = code;
    fault_side = side;
    machine_warn(code, side, detail);
    machine_trigger(what);
}

void machine_fault(uint16_t code, uint8_t side, uint16_t detail) {
    if (!(LATCHED >> state & 1u)) {
        machine_latch(T_FAULT, STOP_REASON_FAULT, code, side, detail);
    }
}

void machine_warn(uint16_t code, uint8_t side, uint16_t detail) {
    machine_log(code, side, detail);
    machine_tell(code, side, detail);
}

void machine_take_stops(void) {
    uint8_t why = motors_take_stops();
    if ((why & MOTOR_STOP_ESTOP) || (input_is(IN_ESTOP) && state != STATE_ESTOP)) {
        if (state != STATE_ESTOP) {
            machine_latch(T_ESTOP, STOP_REASON_ESTOP, 602u, 0, 0);
        }
    } else if (why & MOTOR_STOP_HEARTBEAT) {
        if (LATCHED >> state & 1u) {
            motors_lock();
        } else {
            machine_latch(T_SILENT, STOP_REASON_HEARTBEAT, 201u, 0, HEARTBEAT_LIMIT_MS);
        }
    } else if (why & MOTOR_STOP_RAW) {
        if (LATCHED >> state & 1u) {
            motors_lock(); /* the latch stays what it was */
        } else {
            halt(STOP_REASON_HOST);
            machine_trigger(T_STOP);
        }
    }
    if (why) {
        status_push();
    }
}

static uint16_t voltage_fault(void) {
#ifndef MUTANT_SUPPLY_LOW
    if (analog_is_low(AN_MOTOR_SUPPLY)) {
        return 102u;
    }
#endif
    return analog_is_low(AN_TEMPERATURE) ? 511u : 0;
}

uint8_t machine_clear_fault(uint8_t stop_number) {
    if (input_is(IN_ESTOP) || hal_estop_pressed()) {
        return REASON_ESTOP;
    }
    if (voltage_fault() != 0 || current_stray() != 0 || !hal_stack_whole()) {
        return REASON_LATCHED; /* its cause must be gone */
    }
    machine_take_stops(); /* one that came with this very byte counts */
    if (LATCHED >> state & 1u) {
        if (!motors_unlock(stop_number)) {
            return REASON_STOPPED_SINCE;
        }
        fault_code = 0;
        fault_side = 0;
        link_event(MSG_FAULT_CLEARED, 0, 0);
        machine_trigger(T_CLEAR);
    }
    return REASON_NONE;
}

/* ---------------------------------------------------------------- activities */

void machine_homes(uint32_t now) {
    machine_trigger(T_HOME);
    home_start(now);
}

void machine_lifts(uint8_t target, uint8_t direction, uint32_t now) {
    lift_target = target;
    lift_direction = direction;
    machine_trigger(T_LIFT);
    lift_start(target, direction, now);
}

void machine_set_homed(void) { homed = true; }
void machine_lose_home(void) { homed = false; }
bool machine_is_homed(void) { return homed; }

void machine_arrived(void) {
    uint8_t was = state;
    if (was == STATE_LIFTING) {
        sets_lifted(lift_target, lift_direction, build_complete());
    }
    machine_trigger(T_ARRIVED);
    if (was == STATE_HOMING) {
        link_event(MSG_HOME_DONE, 0, 0);
    } else if (was == STATE_LIFTING) {
        if (lift_target == TARGET_TRAYS && lift_direction == DIRECTION_UP) {
            build_wall_taken();
        }
        statistics_count(STATISTIC_LIFTS);
        uint8_t payload[LEN_LIFT_DONE] = {lift_target, lift_direction};
        link_event(MSG_LIFT_DONE, payload, LEN_LIFT_DONE);
    }
}

/* ---------------------------------------------------------------- every millisecond */

void machine_task(uint32_t now) {
    if (update_task(now)) {
        return;
    }
    machine_take_stops();
    switch (voltage_fault()) {
    case 102: machine_fault(102u, 0, analog_millivolt(AN_MOTOR_SUPPLY)); break;
    case 511: machine_fault(511u, 0, analog_millivolt(AN_TEMPERATURE)); break;
    default: break;
    }
    uint16_t on = motors_on();
    if (on != 0 || ((MOVING | S(PAUSED)) >> state & 1u)) {
        limits_watch();
    }
    if (build_interrupted_turning()) {
        on |= STACK_MOTORS; /* one that rests goes on by itself */
    }
    if (on != 0 || state == STATE_BUILDING) { /* so does a build between turns back */
        interlocks_watch(on);
    }
    if (state == STATE_BUILDING) {
        build_task(now);
    } else {
        build_coast(now);
    }
    if (state == STATE_LIFTING) {
        lift_task(now);
    } else if (state == STATE_HOMING) {
        home_task(now);
    }
    pause_task(now);
    dice_task(now);
    service_task(now);
    panel_task(now);
    status_task(now);
}


void machine_begin(void) {
#ifndef MUTANT_UNKNOWN_RESET
    if (hal_reset_cause() == RESET_CAUSE_UNKNOWN) {
        machine_latch(T_FAULT, STOP_REASON_FAULT, 905u, 0, 0); /* also told where the e-stop is pressed */
    }
#endif
}

void machine_init(void) {
    state = STATE_IDLE;
    START_AT_ZERO(homed);
    START_AT_ZERO(fault_code);
    START_AT_ZERO(fault_side);
    protection_init();
    recovery_init();
    dice_init();
    pause_init();
    panel_init();
    service_init();
    status_init();
    state = resting_state();
    if (input_is(IN_ESTOP)) {
        motors_lock();
        state = STATE_ESTOP;
        fault_code = 602u;
    }
}
