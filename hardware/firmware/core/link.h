/* TableLink on the board: frames in and out, duplicates answered twice and acted on once, events kept until acked. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint16_t frames, crc_errors, cobs_errors, duplicates, events_lost;
} link_counters_t;

void link_init(uint8_t boot_id, const uint8_t *booted, uint8_t count); /* the payload of the Booted event */
void link_rx_task(uint32_t now);
void link_tick_task(uint32_t now);
void link_event(uint8_t code, const uint8_t *payload, uint8_t count);
void link_note(uint8_t code, const uint8_t *payload, uint8_t count); /* not repeated, only within a session */
bool link_in_session(void);
bool link_is_understood(void); /* a host that can read our events has heard that we started */
const link_counters_t *link_counters(void);

/* Implemented by commands.c: act on a command; returns the response's code and fills `answer`. */
uint8_t command_act(uint8_t code, const uint8_t *payload, uint8_t *answer, uint8_t *count, uint32_t now);
void command_note(uint8_t code);

/* The raw stop 00 18 18 18 00, from the receive interrupt: true when the pattern is complete. */
bool stop_pattern(uint8_t byte);

#endif
