/* The core as a library: a campaign puts levels on inputs, gives orders past the link, and lets milliseconds pass.
 * Everything that the motors did since the last look is in the log: (ms, bits) pairs. */
#include "../hal_host/desk.h"
#include "config.h"
#include "loop.h"
#include "machine.h"
#include "orders.h"
#include "status.h"

#define LOG_SIZE 4096u

typedef struct {
    uint32_t ms;
    uint16_t bits;
} change_t;

static change_t changes[LOG_SIZE];
static uint32_t change_count;

void hal_write_lamps(uint16_t bits) { (void)bits; }
bool hal_rx(uint8_t *byte) { (void)byte; return false; }
bool hal_tx_room(uint8_t count) { (void)count; return true; }
void hal_tx(uint8_t byte) { (void)byte; }

void hal_write_motors(uint16_t bits) {
    if (bits != motors) {
        motors = bits;
        changes[change_count++ % LOG_SIZE] = (change_t){ms, bits};
    }
}

void firmware_reset(uint8_t why) {
    cause = why;
    hal_write_motors(0); /* the pins float and the drivers have pull-downs */
    ms = 0;
    desk_eeprom_power();
    loop_init();
}

void firmware_input(uint8_t id, uint8_t level) { desk_input(id, level); }
void firmware_analog(uint8_t id, uint16_t millivolt) { desk_analog(id, millivolt); }

/* Past the link and the memory: a walk of a million steps has no ten minutes for a motor to get warm. */
void firmware_duty(uint8_t percent) { ((config_t *)config())->duty_percent = percent; }

void firmware_run(uint32_t count) {
    while (count-- > 0) {
        ms++;
        motors_tick();
        loop_step();
    }
}

uint8_t firmware_order(uint8_t code, const uint8_t *payload) { return orders_act(code, payload, ms); }
void firmware_beat(void) { motors_beat(); }
void firmware_stop(void) { motors_stop_isr(MOTOR_STOP_RAW); }
uint16_t firmware_motors(void) { return motors; }
uint32_t firmware_now(void) { return ms; }

/* state, stopped, homed, stops */
void firmware_status(uint8_t out[4]) {
    status_report_t report;
    status_fill(&report, ms);
    out[0] = report.state;
    out[1] = report.stopped;
    out[2] = report.homed;
    out[3] = report.stops;
}

/* Take the changes of the motors since the last call; returns how many. */
uint32_t firmware_changes(uint32_t *at_ms, uint16_t *bits) {
    uint32_t count = change_count < LOG_SIZE ? change_count : LOG_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        at_ms[i] = changes[i].ms;
        bits[i] = changes[i].bits;
    }
    change_count = 0;
    return count;
}
