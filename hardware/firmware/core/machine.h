/* What the machine does: its states, how they follow each other, stops and faults. Activities report back here. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

void machine_init(void);
void machine_begin(void);        /* once the link can tell: a start for no known reason is latched */
void machine_task(uint32_t now); /* once a tick, after inputs_task */

enum trigger {
    T_HOME, T_LIFT, T_BUILD, T_ARRIVED, T_PAUSE, T_GO_ON, T_FAULT, T_SILENT, T_ESTOP, T_STOP, T_CLEAR, T_UPDATE,
    T_SERVICE, T_LEAVE
};

uint8_t machine_state(void);
bool machine_is_latched(void);
bool machine_is_at_rest(void);
uint16_t machine_fault_code(void);
uint8_t machine_fault_side(void);

bool machine_trigger(uint8_t what); /* false: not in this state */
void machine_homes(uint32_t now);
void machine_lifts(uint8_t target, uint8_t direction, uint32_t now);
void machine_take_stops(void);                    /* what interrupts stopped becomes state and event */
uint8_t machine_clear_fault(uint8_t stop_number); /* a person clears; the reason of the refusal or REASON_NONE */
void machine_latch(uint8_t what, uint8_t reason, uint16_t code, uint8_t side, uint16_t detail);

/* From activities. */
void machine_fault(uint16_t code, uint8_t side, uint16_t detail); /* stops everything and latches */
void machine_warn(uint16_t code, uint8_t side, uint16_t detail);  /* told, nothing stops */
void machine_log(uint16_t code, uint8_t side, uint16_t detail);   /* the first half of these: kept over a reset */
void machine_tell(uint16_t code, uint8_t side, uint16_t detail);  /* the second: the event */
void machine_arrived(void);                                       /* the activity is over, all is well */
void machine_set_homed(void);
void machine_lose_home(void);                                     /* nobody knows where things stand */
bool machine_is_homed(void);

#endif
