/* The program that runs and the one that waits: what they are, whether they are whole, and the one copier. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "boot_protocol.h"

#define BLOCK_BYTES (LEN_BLOCK - 2u)
#define SUMS 8u /* of PageSums */

bool program_settle(void); /* copies what waits, as often as it takes; false = it could not be written */
bool program_valid(void);  /* as found by program_settle */
const begin_t *program_record(void); /* of the program that would run; rubbish without one */

/* Taking a new one: verdicts as in boot.toml. */
uint8_t program_begin(const begin_t *what);
uint8_t program_block(uint16_t index, const uint8_t bytes[BLOCK_BYTES]);
uint8_t program_finish(uint32_t *crc);
bool program_sums(uint16_t first, uint32_t crcs[SUMS]);

#endif
