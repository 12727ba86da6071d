/* What a technician asks the board: inputs, edges, pulse widths, voltages, the line itself, its own test. Nothing moves. */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include <stdbool.h>
#include <stdint.h>

void diagnose_init(void);
void diagnose_task(uint32_t now); /* once a tick, after inputs_task */

/* What ended at a counter in this step: light is too short for a tile, and what stays long was taken out by hand. */
enum pulse { PULSE_NONE, PULSE_LIGHT, PULSE_TILE, PULSE_LONG };
uint8_t diagnose_pulse(uint8_t side);

/* The answer to a question and its code; 0: not one of ours. */
uint8_t diagnose_answer(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count);

uint8_t diagnose_failed(uint8_t *ran); /* bits of SelfTestReport */

#endif
