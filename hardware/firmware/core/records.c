#include "records.h"

#include "boot.h"
#include "config.h"
#include "fault_log.h"
#include "own_faults.h"
#include "protocol.h"
#include "statistics.h"
#include "store.h"

void records_init(void) {
    store_init();
    boot_init();
    config_init();
    statistics_init();
    fault_log_init();
}

void records_task(uint32_t now) {
    own_faults_task();
    fault_log_task();
    config_task();
    statistics_task(now);
    store_task();
}

uint8_t records_report(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count) {
    switch (code) {
    case MSG_READ_FAULT_LOG:
        *count = fault_log_pack(payload[0], answer);
        if (*count == 0) {
            answer[0] = code;
            answer[1] = REASON_BUSY_MEMORY;
            *count = LEN_ACK;
            return MSG_ACK;
        }
        return MSG_FAULT_LOG_REPORT;
    case MSG_READ_STATISTICS: *count = statistics_pack(answer); return MSG_STATISTICS_REPORT;
    case MSG_READ_MOTOR_SECONDS: *count = statistics_pack_seconds(payload[0], answer); return MSG_MOTOR_SECONDS_REPORT;
    case MSG_READ_CONFIG: *count = config_pack(answer); return MSG_CONFIG_REPORT;
    default: return 0;
    }
}
