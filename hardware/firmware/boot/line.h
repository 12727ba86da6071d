/* The serial line, polled: bytes in, one checked command at a time, one answer. Nothing here waits for the host. */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "boot_protocol.h"

typedef struct {
    uint8_t seq, code, count, payload[PROTOCOL_MAX_PAYLOAD];
} command_t;

void line_init(bool slow);
void line_listen(void); /* at least every 80 us, the room of two bytes in the chip */
bool line_heard(void);  /* a command was ever heard, or is there */
const command_t *line_command(void); /* 0 = none; it is there until line_answer */
void line_answer(uint8_t code, const uint8_t *payload, uint8_t count);
void line_close(void); /* when the last bit is out */

#endif
