/* Answers about what is kept: fault log, statistics, configuration. */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdint.h>

void records_init(void);
void records_task(uint32_t now); /* once a tick: one byte of EEPROM at most */

/* The code of the response to one of these questions, 0 = another command. */
uint8_t records_report(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count);

#endif
