/* Shuffling and building: counts, stacks, shares; what was built survives a stop and a watchdog reset. */
#ifndef BUILD_H
#define BUILD_H

#include <stdbool.h>
#include <stdint.h>

void build_init(bool memory_kept);        /* after a watchdog reset the memory is worth a look */
uint8_t build_order(uint8_t tiles);       /* reason */
void build_start(uint32_t now);
void build_task(uint32_t now);
void build_coast(uint32_t now);           /* in every other state: tiles still fall for a moment */
bool build_interrupted_turning(void);     /* was a stacker under way? */
void build_wall_taken(void);              /* the trays lifted it */
bool build_complete(void);
uint8_t build_tiles(void);                /* programme, 0 = none */
uint8_t build_count(uint8_t side);

#endif
