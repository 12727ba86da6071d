/* Debounced inputs: what is on, and what changed in this step. Ids are those of devices.h. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

void inputs_init(void);               /* takes the levels as they are */
void inputs_task(uint32_t now);       /* once a tick */
bool input_is(uint8_t id);
bool input_rose(uint8_t id);          /* in this step */
bool input_fell(uint8_t id);
uint8_t input_solid_ms(uint8_t side); /* counter of side 0-3: longest without a gap since it rose, mod 256 */
bool inputs_edges(uint8_t byte);       /* did anything of this byte change in this step? */
uint16_t input_age_ms(uint8_t id, uint32_t now); /* since its last change, at most 65535 */
bool inputs_all(uint8_t first_id);    /* four neighbours, such as tray_up_1..4; first_id a multiple of 4 */
const uint8_t *inputs_stable(void);
const uint8_t *inputs_raw(void);
uint16_t input_pulses(uint8_t side);  /* counter pulses of side 0-3 since the start */

#endif
