/* What a command means: who we are is told here, questions go to diagnose, orders to the machine. */
#include "commands.h"

#include "boot.h"
#include "config.h"
#include "diagnose.h"
#include "hal.h"
#include "link.h"
#include "machine.h"
#include "motors.h"
#include "orders.h"
#include "records.h"
#include "status.h"
#include "version.h"

/* Bits as in HelloReport. */
#define TWO_SETS 1u
#define PAUSE 2u
#define SERVICE 4u
#define CURRENTS 8u
#define RECORDS 16u
#define BOOTLOADER 32u
static uint16_t capabilities(void) {
    return (uint16_t)(TWO_SETS | PAUSE | SERVICE | CURRENTS | RECORDS | (hal_bootloader() ? BOOTLOADER : 0u));
}

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
        .capabilities = capabilities(),
        .config_crc = config_crc(),
    };
    return pack_hello_report(&report, answer);
}

static uint8_t report_status(uint8_t *answer, uint32_t now) {
    status_report_t report;
    status_fill(&report, now);
    return pack_status_report(&report, answer);
}

uint8_t command_act(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count, uint32_t now) {
    switch (code) {
    case MSG_HELLO: *count = report_hello(answer, now); return MSG_HELLO_REPORT;
    case MSG_GET_STATUS: *count = report_status(answer, now); return MSG_STATUS_REPORT;
    default: break;
    }
    uint8_t told = diagnose_answer(code, payload, answer, count);
    if (told != 0) {
        return told;
    }
    told = records_report(code, payload, answer, count);
    if (told != 0) {
        return told;
    }
    answer[0] = code;
    answer[1] = orders_act(code, payload, now);
    *count = LEN_ACK;
    return MSG_ACK;
}

void command_note(uint8_t code) {
    if (code == MSG_HEARTBEAT) {
        motors_beat();
    }
}
