#ifndef HAL_AVR_H
#define HAL_AVR_H
void hal_pins(void);           /* pins and pull-ups, outputs off; returns when the inputs have settled */
void hal_start(void);          /* timer, serial port, e-stop interrupt; interrupts stay off */
void hal_feed_watchdog(void);
void hal_sleep_unless_work(void);
#endif
