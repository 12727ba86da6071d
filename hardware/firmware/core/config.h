/* What a technician may set: one row of limits per value, and what is in force. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

#include "protocol.h"

typedef struct __attribute__((packed)) { /* as it lies in the EEPROM and, behind other fields, on the wire */
    uint8_t sets;           /* of tiles: one is played while the other is built */
    uint16_t service_code;  /* that Service names, 0 = only by the keys */
    uint16_t jam_ms;        /* a tile that lies so long at the stop plate is stuck */
    uint8_t tile_least_ms;  /* what darkens a counter for less is light, no tile */
    uint8_t reverse_tries;  /* turns back before a jam is a fault */
    uint8_t duty_percent;   /* share of ten minutes that a motor may run */
    uint16_t feed_limit_ma; /* current of one feed or stacker motor that no load explains */
    uint16_t stack_limit_ma;
    uint16_t main_limit_ma; /* of drum, lifts and dice together */
} config_t;

void config_init(void);
void config_task(void);
uint8_t config_pack(uint8_t *answer); /* ConfigReport; its length */
const config_t *config(void); /* in force now; never null, every value within its limits */
uint32_t config_crc(void);    /* of the values in force */
uint8_t config_write(const uint8_t *payload); /* of WriteConfig: the reason of a refusal or REASON_NONE */

/* What was found at the start: a record that fails its check leaves the one before it, or the factory's values. */
enum config_trouble { CONFIG_WHOLE, CONFIG_OLDER, CONFIG_FACTORY };
uint8_t config_trouble(void);

#endif
