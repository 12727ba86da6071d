/* Shuffling and building: what is counted, stacked and pushed until every side has its share; what can go wrong then. */
#ifndef BUILD_H
#define BUILD_H

#include <stdbool.h>
#include <stdint.h>

void build_init(bool memory_kept);
void build_start(uint32_t now);           /* after wall_plan */
void build_task(uint32_t now);
void build_coast(uint32_t now);           /* in every other state: tiles still fall for a moment */
bool build_interrupted_turning(void);     /* was a stacker under way? */
void build_wall_taken(void);              /* the trays lifted it */
bool build_complete(void);

/* A pause. */
void build_stand(uint32_t now);           /* drum and feeds off; a stacker under way finishes its push */
bool build_stands(uint32_t now);          /* a task until then: stackers are home, and no tile falls any more */
void build_go_on(uint32_t now);

bool build_lags(uint8_t side, uint32_t now); /* it brings nothing while others do */
void build_feed_again(uint8_t side);                 /* that was off for a moment */

#endif
