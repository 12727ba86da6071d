/* What people press and see: keys, dealer lamps, ready lamps, buzzer. */
#ifndef PANEL_H
#define PANEL_H

#include <stdint.h>

void panel_init(void);
void panel_task(uint32_t now);
uint8_t panel_light(uint8_t side); /* dealer lamp, 0 = none; the reason of a refusal or REASON_NONE */
uint8_t panel_lamp(void);

/* Lamps as bits of devices.h (L_...), the buzzer among them. Who asks last is shown first: */
uint8_t panel_test(uint16_t lamps, uint16_t run_ms); /* for a while; reason */
void panel_serve(uint16_t lamps);                    /* the service mode shows something of its own ... */
void panel_serve_end(void);                          /* ... and no more */
void panel_beep(uint16_t run_ms);

#endif
