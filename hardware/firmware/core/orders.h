/* Orders of the host to the machine: one row each, with its interlocks. */
#ifndef ORDERS_H
#define ORDERS_H

#include <stdint.h>

/* The reason of the refusal, REASON_NONE when accepted. */
uint8_t orders_act(uint8_t code, const uint8_t *payload, uint32_t now);

#endif
