/* What saves room on the chip: times of which the low half is enough, memory that is clear at the start. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <string.h>

/* For what is looked at all the time and over within a minute. */
static inline uint16_t ms_since(uint32_t now, uint16_t then) { return (uint16_t)((uint16_t)now - then); }

/* The board's C runtime clears all memory before main; a hal that starts anew within one process does not. */
#ifdef __AVR__
#define START_AT_ZERO(variable) ((void)0)
#else
#define START_AT_ZERO(variable) memset((void *)&(variable), 0, sizeof(variable))
#endif

#endif
