/* Service: one actuator at a time while somebody holds it on, and tiles counted past one counter. */
#ifndef JOG_H
#define JOG_H

#include <stdbool.h>
#include <stdint.h>

void jog_init(void);
uint8_t jog_run(uint8_t actuator, uint16_t run_ms, uint32_t now);       /* reason; 0 ms ends it */
uint8_t jog_count(uint8_t side, uint8_t tiles, uint32_t now);           /* reason; CountTested follows */
bool jog_counting(uint8_t side);                                        /* 1 to 4 */
uint8_t jog_counted(void);                                              /* tiles of the count test under way or over */
void jog_end(uint32_t now);                                             /* whoever held it on has let go */
void jog_stopped(void);                                                 /* all motors went off out of turn */
void jog_task(uint32_t now);                                            /* in every step of the service mode */

#endif
