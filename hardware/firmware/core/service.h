/* The service (test) mode: by both lift keys at power-on or by an order; tests by number, lamps, and a dead-man. */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>
#include <stdint.h>

void service_init(void);
void service_task(uint32_t now);

/* Orders: the reason of a refusal, or REASON_NONE. */
uint8_t service_order(bool on, uint16_t code, uint32_t now);
uint8_t service_jog(uint8_t actuator, uint16_t run_ms, uint32_t now);
uint8_t service_count(uint8_t side, uint8_t tiles, uint32_t now);

#endif
