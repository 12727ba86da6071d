/* The last faults, kept in EEPROM over every reset. */
#ifndef FAULT_LOG_H
#define FAULT_LOG_H

#include <stdint.h>

void fault_log_init(void);
void fault_log_add(uint16_t code, uint8_t side, uint16_t detail);
void fault_log_task(void);
/* FaultLogReport of a record, 0 = the newest; its length, 0 = the memory is being written. */
uint8_t fault_log_pack(uint8_t index, uint8_t *answer);

#endif
