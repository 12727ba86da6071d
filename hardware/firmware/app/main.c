#include <avr/interrupt.h>

#include "hal_avr.h"
#include "loop.h"

int main(void) {
    hal_pins();  /* first of all: without pull-ups no input says what is true */
    loop_init();
    hal_start();
    sei();
    for (;;) {
        if (loop_step()) {
            hal_feed_watchdog();
        }
        hal_sleep_unless_work();
    }
}
