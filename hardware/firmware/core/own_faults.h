/* What the board finds wrong with itself: why it started, its memory, its stack. Logged at once, told to the first
 * host that can read it. */
#ifndef OWN_FAULTS_H
#define OWN_FAULTS_H

void own_faults_init(void); /* after config_init */
void own_faults_task(void);

#endif
