/* Motors: each order carries its longest run, counted down in the tick interrupt; a lock that only a person opens. */
#ifndef MOTORS_H
#define MOTORS_H

#include <stdbool.h>
#include <stdint.h>

/* All off within 600 ms of the host's death: the beat's way over the wire and a tick are taken off. */
#define HEARTBEAT_LIMIT_MS 590u

enum motor_stop { MOTOR_STOP_RAW = 1, MOTOR_STOP_ESTOP = 2, MOTOR_STOP_HEARTBEAT = 4 };

void motors_init(void);
bool motor_run(uint8_t id, uint16_t longest_ms); /* false: not now; does nothing while locked, stops all without a beat or with the e-stop pressed */
void motor_off(uint8_t id);
void motors_off(uint16_t which);                 /* bits as in motors_on */
void motors_lock(void);                          /* off, and motor_run is deaf until motors_unlock */
bool motors_locked(void);
uint8_t motors_stop_number(void);                /* grows with every stop: who unlocks names the one he saw */
bool motors_unlock(uint8_t number);              /* false: there was another stop since */
uint16_t motors_on(void);
bool motors_have_rested(void);                   /* feeds and stackers: long enough to turn the other way */
void motors_beat(void);                          /* the host lives: it beat, or sent an order that was accepted */

/* From interrupts. */
void motors_tick(void);
void motors_stop_isr(uint8_t why);
uint8_t motors_take_stops(void);                 /* reasons since last asked (task level) */

#endif
