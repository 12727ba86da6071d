/* The only door to the hardware. hal_avr/ is the board, hal_host/ a table of bytes for unit tests. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_BYTES 5u /* sensors 0-3, keys 4; bit numbers as in devices.toml */

typedef uint8_t hal_irq_t;

uint32_t hal_now_ms(void);
hal_irq_t hal_irq_off(void);           /* returns what hal_irq_back wants */
void hal_irq_back(hal_irq_t before);
void hal_read_inputs(uint8_t raw[INPUT_BYTES]); /* logical: 1 = on, whatever the pin's polarity */
void hal_write_motors(uint16_t bits);
void hal_write_lamps(uint16_t bits); /* L_... of devices.h: lamps and the buzzer */
bool hal_rx(uint8_t *byte);            /* false = nothing there */
bool hal_estop_pressed(void);          /* the pin as it is now, no debouncing */
uint16_t hal_overruns(void);
bool hal_tx_room(uint8_t count);
void hal_tx(uint8_t byte);             /* only after hal_tx_room */
uint8_t hal_reset_cause(void);         /* enum reset_cause */
uint8_t hal_board(void);
uint16_t hal_stack_free(void);
uint8_t hal_eeprom_read(uint16_t at);                /* only while nothing is being written */
void hal_eeprom_begin(uint16_t at, uint8_t value);   /* likewise; the byte is written 3.4 ms later */
bool hal_eeprom_busy(void);
void hal_eeprom_wait(void);                          /* only before the loop starts */
bool hal_stack_whole(void);                          /* the last bytes below the stack are untouched */
bool hal_program_ok(void);
void hal_adc_start(uint8_t channel);
bool hal_adc_take(uint16_t *millivolt); /* false while it still measures; one start, one take */

/* What the link accepted and did, told to whoever watches the chip: nothing in the program depends on it.
 * 'A' a frame accepted, without its CRC; 'D' seq and code of a command acted on; 'E' code, length
 * and payload of an event that was made. */
void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count); /* may be left out */
void hal_serial_rate(bool fallback); /* PROTOCOL_BAUD or PROTOCOL_BAUD_FALLBACK; may be left out */
bool hal_bootloader(void);          /* is there one of ours? may be left out: there is none */
void hal_leave_to_bootloader(void); /* outputs off; does not return where there is one */

#endif
