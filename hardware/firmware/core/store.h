/* Records in the EEPROM: rings of slots, each with a number and a CRC, so that a power cut costs only the record that
 * was being written. A byte takes 3.4 ms to write, so one begins in a tick and nothing waits for it. */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

enum store_area { STORE_BOOT, STORE_CONFIG, STORE_LOG, STORE_STATISTICS, STORE_AREAS };

#define STORE_BOOT_BODY 4u
#define STORE_CONFIG_BODY 14u
#define STORE_LOG_BODY 13u
#define STORE_STATISTICS_BODY 92u
#define STORE_BODY_MAX STORE_STATISTICS_BODY

void store_init(void);                                   /* look at every slot */
void store_task(void);                                   /* once a tick */
bool store_idle(void);                                   /* nothing is being written: reading is allowed */
void store_write(uint8_t area, const uint8_t *body);     /* only when idle; store_task does it */
void store_write_now(uint8_t area, const uint8_t *body); /* waits: only before the loop starts */
bool store_read(uint8_t area, uint8_t index, uint8_t *body); /* index 0 = the newest; false: nothing whole there */
uint16_t store_number(uint8_t area);                     /* of the newest record, counted from 1 */
uint8_t store_damaged(uint8_t area);                     /* slots that at the start held neither a record nor nothing */

/* Bits of areas. */
uint8_t store_torn(void);                                /* a power cut ended the last record in the middle */
uint8_t store_failed(void);                              /* more than that was damaged at the start */

#endif
