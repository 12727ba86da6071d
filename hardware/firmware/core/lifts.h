/* Trays, dome and homing. Each start is followed by a task once a tick until it reports to the machine. */
#ifndef LIFTS_H
#define LIFTS_H

#include <stdbool.h>
#include <stdint.h>

void lift_start(uint8_t target, uint8_t direction, uint32_t now);
void lift_task(uint32_t now);     /* reports when it is over */
void lift_blocked(void);          /* its motor is held, or its time is over */
bool lift_at_limit(uint8_t motor); /* has nothing more to do; false for a motor of no lift */
void limits_watch(void);          /* a fault of a limit that is held: neither end can be believed */
uint8_t lift_motor(uint8_t target, uint8_t direction);
bool lift_is_there(void);         /* for who asks instead: at the limit, motor off; or a fault */
void home_start(uint32_t now);
void home_task(uint32_t now);
bool tray_missing(uint8_t way); /* a fault of the first one that is not at that end */
bool trays_are_down(void);
bool dome_is_down(void);
uint8_t trays_held(void); /* sides with both limits on, as bits */
bool dome_is_held(void);
uint8_t trays_position(void); /* enum position */
uint8_t dome_position(void);

/* One revolution of a stacker: leaves home and returns, or a fault. */
void stacker_start(uint8_t side, uint32_t now);
bool stacker_task(uint8_t side, uint32_t now); /* true while it turns */
bool stacker_turning(uint8_t side);
bool stacker_left_home(uint8_t side); /* in this turn: the push is under way and homing would finish it */
void stacker_backs(uint8_t side);    /* is about to be turned back */
bool stacker_is_back(uint8_t side);  /* has come home backwards: no further */
bool stackers_unclear(uint32_t now); /* one is late: no other should start, so that its current tells why */
void stackers_again(uint32_t now);   /* those that were on their way go on */
void stackers_forget(void);

#endif
