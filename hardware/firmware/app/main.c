#include <avr/interrupt.h>

#include "hal_avr.h"
#include "loop.h"

int main(void) {
    loop_init(); /* outputs are off since the reset; pins become outputs in hal_start */
    hal_start();
    sei();
    for (;;) {
        if (loop_step()) {
            hal_feed_watchdog();
        }
        hal_sleep_unless_work();
    }
}
