#include "fault_log.h"

#include <string.h>

#include "boot.h"
#include "clock.h"
#include "hal.h"
#include "protocol.h"
#include "store.h"

#define TOLD 32u
#define WAITING 8u /* a record takes 70 ms to write: more faults than these at once tell nothing new */

typedef struct __attribute__((packed)) { /* as it lies in the EEPROM and at the end of FaultLogReport */
    uint16_t code;
    uint8_t side;
    uint16_t detail;
    uint32_t boot_count, at_ms;
} record_t;

_Static_assert(sizeof(record_t) == STORE_LOG_BODY, "the record is the struct");
_Static_assert(LEN_FAULT_LOG_REPORT == 3u + sizeof(record_t), "so is the end of FaultLogReport");

static record_t waiting[WAITING];
static uint8_t head, count;

void fault_log_init(void) {
    START_AT_ZERO(head);
    START_AT_ZERO(count);
}

void fault_log_add(uint16_t code, uint8_t side, uint16_t detail) {
    if (count == WAITING) {
        return;
    }
    record_t *record = &waiting[(head + count++) % WAITING];
    record->code = code;
    record->side = side;
    record->detail = detail;
    record->boot_count = boot_count();
    record->at_ms = hal_now_ms();
}

void fault_log_task(void) {
    if (count != 0 && store_idle()) {
        store_write(STORE_LOG, (const uint8_t *)&waiting[head]);
        head = (uint8_t)((head + 1u) % WAITING);
        count--;
    }
}

uint8_t fault_log_pack(uint8_t index, uint8_t *answer) {
    if (count != 0 || !store_idle()) {
        return 0;
    }
    memset(answer, 0, LEN_FAULT_LOG_REPORT);
    uint16_t ever = store_number(STORE_LOG);
    answer[0] = index;
    answer[1] = ever < TOLD ? (uint8_t)ever : TOLD;
    answer[2] = store_damaged(STORE_LOG);
    if (index < TOLD) {
        store_read(STORE_LOG, index, answer + 3);
    }
    return LEN_FAULT_LOG_REPORT;
}
