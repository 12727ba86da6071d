/* The board on a desk: time, inputs and EEPROM are variables of this program. Included by the one file of a hal that
 * has its own idea of motors, lamps and the serial line. */
#ifndef DESK_H
#define DESK_H

#include <string.h>

#include "devices.h"
#include "hal.h"
#include "motors.h"
#include "protocol.h"

#define EEPROM_SIZE 4096u /* as on the ATmega2560 */
#define EEPROM_BYTE_MS 4u /* 3.4 */

static uint32_t ms;
static uint8_t inputs[INPUT_BYTES], eeprom[EEPROM_SIZE] = {[0 ... EEPROM_SIZE - 1u] = 0xFF}, cause = RESET_CAUSE_POWER_ON;
static uint32_t eeprom_until;
static long eeprom_left = -1; /* bytes until the power fails, -1 = it does not */
static uint8_t eeprom_rubbish;
static bool eeprom_dead, stack_whole = true;
static uint16_t motors;
static uint16_t adc_mv[ANALOG_COUNT];
static bool adc_set[ANALOG_COUNT]; /* healthy until then */
static uint8_t adc_at;

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
bool hal_stack_whole(void) { return stack_whole; }

uint8_t hal_eeprom_read(uint16_t at) { return eeprom[at]; }
bool hal_eeprom_busy(void) { return (int32_t)(eeprom_until - ms) > 0; }
void hal_eeprom_wait(void) { eeprom_until = ms; }

/* When the power fails the byte that is being written may become anything, and those after it are not written. */
void hal_eeprom_begin(uint16_t at, uint8_t value) {
    eeprom_until = ms + EEPROM_BYTE_MS;
    if (eeprom_left != 0) {
        eeprom[at] = value;
        eeprom_left -= eeprom_left > 0;
    } else if (!eeprom_dead) {
        eeprom[at] = eeprom_rubbish;
        eeprom_dead = true;
    }
}

/* The power is back; a failure that was announced and has not come still will. */
static void desk_eeprom_power(void) {
    eeprom_until = 0;
    if (eeprom_dead) {
        eeprom_dead = false;
        eeprom_left = -1;
    }
}

void hal_adc_start(uint8_t channel) {
    for (adc_at = 0; devices_analog_channel[adc_at] != channel; adc_at++) {
    }
}

/* What healthy motors draw: one of feeds and stackers, turntable, ring, trays, dome, dice (parts.toml). */
static const uint16_t DESK_MA[MOTOR_COUNT] = {625, 625, 625, 625, 625, 625, 625, 625,
                                              625, 625, 1250, 1250, 625, 625, 200, 0};

static unsigned desk_current_ma(uint8_t id) {
    uint8_t first = id == AN_FEED_CURRENT ? M_FEED_1 : id == AN_STACK_CURRENT ? M_STACK_1 : M_TURN;
    uint8_t end = id == AN_FEED_CURRENT ? M_STACK_1 : id == AN_STACK_CURRENT ? M_TURN : MOTOR_COUNT;
    unsigned sum = 0;
    for (uint8_t motor = first; motor < end; motor++) {
        sum += (motors >> motor & 1u) ? DESK_MA[motor] : 0u;
    }
    return sum;
}

bool hal_adc_take(uint16_t *millivolt) {
    if (adc_set[adc_at]) {
        *millivolt = adc_mv[adc_at];
    } else if (devices_analog_ma_per_mv[adc_at]) {
        *millivolt = (uint16_t)(desk_current_ma(adc_at) / devices_analog_ma_per_mv[adc_at]);
    } else {
        *millivolt = devices_analog_healthy_mv[adc_at];
    }
    return true;
}

static void desk_input(unsigned id, unsigned level) {
    uint8_t mask = (uint8_t)(1u << (id & 7u));
    inputs[id >> 3] = level ? (uint8_t)(inputs[id >> 3] | mask) : (uint8_t)(inputs[id >> 3] & ~mask);
    if (id == IN_ESTOP && level) {
        motors_stop_isr(MOTOR_STOP_ESTOP);
    }
}

static void desk_analog(unsigned id, unsigned millivolt) {
    adc_mv[id] = (uint16_t)millivolt;
    adc_set[id] = true;
}

static inline void desk_power_fails(unsigned after, unsigned rubbish) {
    eeprom_left = (long)after;
    eeprom_rubbish = (uint8_t)rubbish;
}

#endif
