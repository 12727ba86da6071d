/* What the machine has done in its life: sums in memory, saved to EEPROM now and then. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdint.h>

enum statistic { STATISTIC_BUILDS, STATISTIC_TILES, STATISTIC_LIFTS, STATISTIC_THROWS, STATISTIC_FAULTS, STATISTICS };

void statistics_init(void);
void statistics_task(uint32_t now);
void statistics_count(uint8_t what); /* a build is saved at once */
void statistics_jam(uint8_t side); /* 0-3; also one that turning back has freed */
uint8_t statistics_pack(uint8_t *answer); /* StatisticsReport; its length */
uint8_t statistics_pack_seconds(uint8_t first, uint8_t *answer); /* MotorSecondsReport; its length */

#endif
