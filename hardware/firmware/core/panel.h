/* What people press and see: keys, and the dealer's lamp. */
#ifndef PANEL_H
#define PANEL_H

#include <stdint.h>

void panel_init(void);
void panel_task(uint32_t now);
uint8_t panel_light(uint8_t side); /* dealer lamp, 0 = none; the reason of a refusal or REASON_NONE */
uint8_t panel_lamp(void);

#endif
