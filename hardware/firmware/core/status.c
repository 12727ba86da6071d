#include "status.h"

#include "clock.h"
#include "hal.h"
#include "inputs.h"
#include "lifts.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "panel.h"
#include "programme.h"
#include "sets.h"
#include "wall.h"

#define STATUS_MOVING_MS 200u
#define STATUS_REST_MS 1000u

static bool push;
static uint16_t told_at, wait_ms;

void status_init(void) {
    START_AT_ZERO(push);
    START_AT_ZERO(told_at);
    START_AT_ZERO(wait_ms);
}

void status_push(void) { push = true; }

void status_fill(status_report_t *out, uint32_t now) {
    const uint8_t *in = inputs_stable();
    const link_counters_t *counters = link_counters();
    out->state = machine_state();
    out->fault = machine_fault_code();
    out->side = machine_fault_side();
    out->stopped = motors_locked();
    out->homed = machine_is_homed();
    out->trays = trays_position();
    out->dome = dome_position();
    out->tiles = wall_tiles();
    out->count_1 = wall_count(0);
    out->count_2 = wall_count(1);
    out->count_3 = wall_count(2);
    out->count_4 = wall_count(3);
    out->lamp = panel_lamp();
    memcpy(&out->sensors, in, sizeof out->sensors); /* low byte first, as everywhere here */
    out->keys = in[4];
    out->actuators = motors_on();
    out->uptime_ms = now;
    out->frames = counters->frames;
    out->crc_errors = counters->crc_errors;
    out->cobs_errors = counters->cobs_errors;
    out->overruns = hal_overruns();
    out->duplicates = counters->duplicates;
    out->events_lost = counters->events_lost;
    out->stops = motors_stop_number();
    out->built = sets_built();
    out->in_play = sets_in_play();
    out->programme_switch = programme_switch();
}

void status_task(uint32_t now) {
    bool moving = motors_on() != 0;
    if (push || ms_since(now, told_at) >= wait_ms) {
        push = false;
        told_at = (uint16_t)now;
        wait_ms = moving ? STATUS_MOVING_MS : STATUS_REST_MS;
        status_report_t report;
        uint8_t payload[LEN_STATUS_REPORT];
        status_fill(&report, now);
        pack_status_report(&report, payload);
        link_note(MSG_STATUS_REPORT, payload, LEN_STATUS_REPORT);
    }
}
