/* The core as a library: a campaign puts levels on inputs, gives orders past the link, and lets milliseconds pass.
 * Everything that the motors did since the last look is in the log: (ms, bits) pairs. */
#include <string.h>

#include "devices.h"
#include "hal.h"
#include "link.h"
#include "loop.h"
#include "machine.h"
#include "motors.h"
#include "protocol.h"

#define LOG_SIZE 4096u
#define EEPROM_SIZE 4096u

typedef struct {
    uint32_t ms;
    uint16_t bits;
} change_t;

static uint32_t ms;
static uint8_t inputs[INPUT_BYTES], eeprom[EEPROM_SIZE], cause;
static uint16_t motors;
static uint16_t adc_mv[ANALOG_COUNT];
static bool adc_set[ANALOG_COUNT];
static uint8_t adc_at;
static change_t changes[LOG_SIZE];
static uint32_t change_count;

uint32_t hal_now_ms(void) { return ms; }
hal_irq_t hal_irq_off(void) { return 0; }
void hal_irq_back(hal_irq_t before) { (void)before; }
void hal_read_inputs(uint8_t raw[INPUT_BYTES]) { memcpy(raw, inputs, sizeof inputs); }
bool hal_estop_pressed(void) { return (inputs[IN_ESTOP >> 3] >> (IN_ESTOP & 7u)) & 1u; }
uint16_t hal_overruns(void) { return 0; }
uint8_t hal_reset_cause(void) { return cause; }
uint8_t hal_board(void) { return BOARD_HOST; }
uint16_t hal_stack_free(void) { return 6000; }
bool hal_program_ok(void) { return true; }
uint8_t hal_eeprom_read(uint8_t at) { return eeprom[at]; }
void hal_eeprom_write(uint8_t at, uint8_t value) { eeprom[at] = value; }
void hal_adc_start(uint8_t channel) {
    for (adc_at = 0; devices_analog_channel[adc_at] != channel; adc_at++) {
    }
}

bool hal_adc_take(uint16_t *millivolt) {
    *millivolt = adc_set[adc_at] ? adc_mv[adc_at] : devices_analog_healthy_mv[adc_at];
    return true;
}

void hal_write_lamps(uint8_t bits) { (void)bits; }
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
    loop_init();
}

void firmware_input(uint8_t id, uint8_t level) {
    uint8_t mask = (uint8_t)(1u << (id & 7u));
    inputs[id >> 3] = level ? (uint8_t)(inputs[id >> 3] | mask) : (uint8_t)(inputs[id >> 3] & ~mask);
    if (id == IN_ESTOP && level) {
        motors_stop_isr(MOTOR_STOP_ESTOP);
    }
}

void firmware_analog(uint8_t id, uint16_t millivolt) {
    adc_mv[id] = millivolt;
    adc_set[id] = true;
}

void firmware_run(uint32_t count) {
    while (count-- > 0) {
        ms++;
        motors_tick();
        loop_step();
    }
}

uint8_t firmware_order(uint8_t code, const uint8_t *payload) { return machine_order(code, payload, ms); }
void firmware_beat(void) { motors_beat(); }
void firmware_stop(void) { motors_stop_isr(MOTOR_STOP_RAW); }
uint16_t firmware_motors(void) { return motors; }
uint32_t firmware_now(void) { return ms; }

/* state, stopped, homed, stops */
void firmware_status(uint8_t out[4]) {
    status_report_t report;
    machine_status(&report, ms);
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
