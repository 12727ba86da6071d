/* What a command means: reports are made here, orders go to the machine. */
#include "commands.h"

#include "analog.h"
#include "boot.h"
#include "devices.h"
#include "hal.h"
#include "inputs.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "orders.h"
#include "status.h"
#include "version.h"

static uint8_t report_hello(uint8_t *answer, uint32_t now) {
    hello_report_t report = {
        .version = PROTOCOL_VERSION,
        .layout = PROTOCOL_LAYOUT,
        .board = hal_board(),
        .firmware_major = FIRMWARE_MAJOR,
        .firmware_minor = FIRMWARE_MINOR,
        .firmware_patch = FIRMWARE_PATCH,
        .source = FIRMWARE_SOURCE,
        .reset_cause = hal_reset_cause(),
        .boot_count = boot_count(),
        .boot_id = boot_id(),
        .homed = machine_is_homed(),
        .uptime_ms = now,
        .version_least = PROTOCOL_VERSION,
    };
    return pack_hello_report(&report, answer);
}

static uint8_t report_status(uint8_t *answer, uint32_t now) {
    status_report_t report;
    status_fill(&report, now);
    return pack_status_report(&report, answer);
}

static uint32_t four(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint8_t report_inputs(uint8_t *answer) {
    inputs_report_t report = {
        .raw_sensors = four(inputs_raw()),
        .raw_keys = inputs_raw()[4],
        .sensors = four(inputs_stable()),
        .keys = inputs_stable()[4],
        .pulses_1 = input_pulses(0),
        .pulses_2 = input_pulses(1),
        .pulses_3 = input_pulses(2),
        .pulses_4 = input_pulses(3),
    };
    return pack_inputs_report(&report, answer);
}

static bool no_contradiction(uint8_t first_up, uint8_t first_down, uint8_t count) {
    for (uint8_t i = 0; i < count; i++) {
        if (input_is((uint8_t)(first_up + i)) && input_is((uint8_t)(first_down + i))) {
            return false;
        }
    }
    return true;
}

static uint8_t report_selftest(uint8_t *answer) {
    uint8_t eyes = inputs_stable()[0] & 15u;
    bool passed[] = {
        hal_program_ok(),
        hal_stack_free() >= 256u,
        boot_record_ok(),
        no_contradiction(IN_TRAY_UP_1, IN_TRAY_DOWN_1, 4),
        no_contradiction(IN_DOME_UP, IN_DOME_DOWN, 1),
        inputs_all(IN_STACK_HOME_1),
        eyes == 0,
        inputs_stable()[4] == 0,
    };
    self_test_report_t report = {.ran = 0, .failed = 0, .stack_free = hal_stack_free()};
    for (uint8_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
        report.ran |= (uint16_t)(1u << i);
        if (!passed[i]) {
            report.failed |= (uint16_t)(1u << i);
        }
    }
    return pack_self_test_report(&report, answer);
}

static uint8_t report_analog(uint8_t *answer) {
    analog_report_t report = {
        .supply_mv = analog_millivolt(AN_MOTOR_SUPPLY),
        .temperature_mv = analog_millivolt(AN_TEMPERATURE),
        .feed_ma = analog_ma(AN_FEED_CURRENT),
        .stack_ma = analog_ma(AN_STACK_CURRENT),
        .main_ma = analog_ma(AN_MAIN_CURRENT),
    };
    return pack_analog_report(&report, answer);
}

uint8_t command_act(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count, uint32_t now) {
    switch (code) {
    case MSG_HELLO: *count = report_hello(answer, now); return MSG_HELLO_REPORT;
    case MSG_GET_STATUS: *count = report_status(answer, now); return MSG_STATUS_REPORT;
    case MSG_READ_INPUTS: *count = report_inputs(answer); return MSG_INPUTS_REPORT;
    case MSG_SELF_TEST: *count = report_selftest(answer); return MSG_SELF_TEST_REPORT;
    case MSG_READ_ANALOG: *count = report_analog(answer); return MSG_ANALOG_REPORT;
    default: break;
    }
    ack_t ack = {.command = code, .reason = orders_act(code, payload, now)};
    *count = pack_ack(&ack, answer);
    return MSG_ACK;
}

void command_note(uint8_t code) {
    if (code == MSG_HEARTBEAT) {
        motors_beat();
    }
}
