/* ATmega2560 at 16 MHz. Interrupts move a byte, count a millisecond or switch motors off; nothing else. */
#include "hal_avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "devices.h"
#include "flash_map.h"
#include "hal.h"
#include "link.h"
#include "motors.h"
#include "protocol.h"

#define RX_SIZE 128u /* powers of two */
#define TX_SIZE 256u
#define STACK_PAINT 0xC5u
#ifdef MUTANT_WATCHDOG /* a campaign must notice */
#define WATCHDOG_PERIOD WDTO_1S
#else
#define WATCHDOG_PERIOD WDTO_250MS
#endif
#define SETTLE_MS 2 /* a pull-up charges a few nF of cable within 1 ms */

static volatile uint32_t ticks;
static volatile uint8_t rx_ring[RX_SIZE], rx_in, rx_out;
static volatile uint8_t tx_ring[TX_SIZE], tx_in, tx_out;
static volatile uint16_t overruns;
static uint8_t reset_flags __attribute__((section(".noinit")));
extern uint8_t _end;

/* Before anything else: keep why we started, and let the watchdog run with its one period. The stack is painted
 * to see later how much was ever used; .noinit lies below _end and is left alone. */
void early(void) __attribute__((naked, used, section(".init3")));
void early(void) {
    reset_flags = MCUSR | UPDATE_NOTE;
    MCUSR = 0;
    UPDATE_NOTE = 0;
    wdt_enable(WATCHDOG_PERIOD);
    for (uint8_t *p = &_end; p < (uint8_t *)RAMEND - 16; p++) {
        *p = STACK_PAINT;
    }
}

uint8_t hal_reset_cause(void) {
    if (reset_flags & UPDATE_NOTE_ASKED) { /* with the watchdog's flag: by it the program left */
        return RESET_CAUSE_UPDATE;
    }
    if (reset_flags & _BV(WDRF)) {
        return RESET_CAUSE_WATCHDOG;
    }
    if (reset_flags & _BV(PORF)) { /* brown-out is flagged on the way up too */
        return RESET_CAUSE_POWER_ON;
    }
    if (reset_flags & _BV(BORF)) {
        return RESET_CAUSE_BROWN_OUT;
    }
    return reset_flags & _BV(EXTRF) ? RESET_CAUSE_EXTERNAL : RESET_CAUSE_UNKNOWN;
}

uint8_t hal_board(void) { return BOARD_ATMEGA2560; }

void hal_pins(void) {
    uint8_t off = _BV(JTD);
    __asm__ volatile("out %0, %1\n\tout %0, %1" ::"I"(_SFR_IO_ADDR(MCUCR)), "r"(off)); /* twice within 4 cycles */
    devices_init_pins();
    _delay_ms(SETTLE_MS);
}

/* 250,000 exact; 115,200 is 2.1 % fast */
#define UBRR_OF(baud) ((uint8_t)((F_CPU / 8u + (baud) / 2u) / (baud) - 1u))

static bool rate_is_slow;

void hal_serial_rate(bool fallback) {
    rate_is_slow = fallback;
    UCSR0A = _BV(U2X0); /* simavr computes the speed when UBRR0L is written: this order matters there */
    UBRR0H = 0;
    UBRR0L = fallback ? UBRR_OF(PROTOCOL_BAUD_FALLBACK) : UBRR_OF(PROTOCOL_BAUD);
}

void hal_start(void) {
    TCCR1A = 0;
    TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10); /* CTC, /64 */
    OCR1A = (uint16_t)(F_CPU / 64u / 1000u - 1u);
    TIMSK1 = _BV(OCIE1A);
    hal_serial_rate(false);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    ESTOP_PCMSK = ESTOP_MASK; /* a pin change interrupt: simavr's external interrupts poll a low pin every cycle */
    PCIFR = _BV(ESTOP_PCIF);
    PCICR = _BV(ESTOP_PCIE);
    set_sleep_mode(SLEEP_MODE_IDLE);
}

ISR(TIMER1_COMPA_vect) {
    ticks++;
    motors_tick();
}

ISR(ESTOP_VECT) {
    if (ESTOP_PRESSED()) {
        motors_stop_isr(MOTOR_STOP_ESTOP);
    }
}

ISR(USART0_RX_vect) {
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    if (status & _BV(DOR0)) {
        overruns++;
    }
#ifndef MUTANT_RAW_STOP
    if (stop_pattern(byte)) {
        motors_stop_isr(MOTOR_STOP_RAW);
    }
#endif
    uint8_t next = (uint8_t)(rx_in + 1u) % RX_SIZE;
    if (next == rx_out) {
        overruns++;
    } else {
        rx_ring[rx_in] = byte;
        rx_in = next;
    }
}

ISR(USART0_UDRE_vect) {
    if (tx_in == tx_out) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = tx_ring[tx_out++];
    }
}

uint32_t hal_now_ms(void) {
    hal_irq_t irq = hal_irq_off();
    uint32_t now = ticks;
    hal_irq_back(irq);
    return now;
}

hal_irq_t hal_irq_off(void) {
    uint8_t before = SREG;
    cli();
    return before;
}

void hal_irq_back(hal_irq_t before) { SREG = before; }

void hal_read_inputs(uint8_t raw[INPUT_BYTES]) { devices_read_inputs(raw); }
bool hal_estop_pressed(void) { return ESTOP_PRESSED(); }
void hal_write_motors(uint16_t bits) { devices_write_actuators(bits); }

/* A lamp shares its port with the relay that an interrupt may switch off. */
void hal_write_lamps(uint16_t bits) {
    hal_irq_t irq = hal_irq_off();
    devices_write_lamps(bits);
    hal_irq_back(irq);
}


bool hal_rx(uint8_t *byte) {
    if (rx_in == rx_out) {
        return false;
    }
    *byte = rx_ring[rx_out];
    rx_out = (uint8_t)(rx_out + 1u) % RX_SIZE;
    return true;
}

uint16_t hal_overruns(void) {
    hal_irq_t irq = hal_irq_off();
    uint16_t n = overruns;
    hal_irq_back(irq);
    return n;
}

bool hal_tx_room(uint8_t count) { return (uint8_t)(tx_out - tx_in - 1u) >= count; }

void hal_tx(uint8_t byte) {
    tx_ring[tx_in] = byte;
    tx_in++;
    hal_irq_t irq = hal_irq_off();
    UCSR0B |= _BV(UDRIE0);
    hal_irq_back(irq);
}

uint16_t hal_stack_free(void) {
    const uint8_t *p = &_end;
    while (p < (const uint8_t *)RAMEND && *p == STACK_PAINT) {
        p++;
    }
    return (uint16_t)(p - &_end);
}

/* Nothing static lies above _end: paint that is gone there means that the stack came down onto it. */
bool hal_stack_whole(void) {
    const uint8_t *p = &_end;
    return p[0] == STACK_PAINT && p[1] == STACK_PAINT;
}

uint8_t hal_eeprom_read(uint16_t at) {
    EEAR = at;
    EECR |= _BV(EERE);
    return EEDR;
}

void hal_eeprom_begin(uint16_t at, uint8_t value) {
    EEAR = at;
    EEDR = value;
    hal_irq_t irq = hal_irq_off(); /* EEPE counts within four cycles of EEMPE */
    EECR |= _BV(EEMPE);
    EECR |= _BV(EEPE);
    hal_irq_back(irq);
}

bool hal_eeprom_busy(void) { return EECR & _BV(EEPE); }

void hal_eeprom_wait(void) {
    while (hal_eeprom_busy()) {
    }
    wdt_reset();
}

/* Is there a program at all where the chip starts? */
bool hal_program_ok(void) { return pgm_read_word(0) != 0xFFFFu; }

bool hal_bootloader(void) { return pgm_read_dword_far(FLASH_BOOT_NAME_AT) == FLASH_BOOT_NAME; }

/* A reset, so that the bootloader finds every register as it should be; the watchdog is the reset that we have. */
void hal_leave_to_bootloader(void) {
    cli();
    devices_write_actuators(0);
    devices_write_lamps(0);
    UPDATE_CELL[0] = FLASH_UPDATE_KEY;
    UPDATE_CELL[1] = (~FLASH_UPDATE_KEY & ~1ul) | (rate_is_slow ? 1ul : 0ul);
    for (;;) {
    }
}

/* A register that belongs to the program alone: the simulator reads along, on the bench nobody does. */
void hal_witness(uint8_t kind, const uint8_t *data, uint8_t count) {
    GPIOR0 = kind;
    GPIOR0 = count;
    for (; count; count--) {
        GPIOR0 = *data++;
    }
}

void hal_adc_start(uint8_t channel) {
    ADMUX = (uint8_t)(_BV(REFS0) | (channel & 7u)); /* against 5 V */
    ADCSRB = channel & 8u ? _BV(MUX5) : 0;
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz: 0.1 ms */
}

bool hal_adc_take(uint16_t *millivolt) {
    if (ADCSRA & _BV(ADSC)) {
        return false;
    }
    *millivolt = (uint16_t)((uint32_t)ADC * 5000u / 1024u);
    return true;
}

void hal_feed_watchdog(void) { wdt_reset(); }

void hal_sleep_unless_work(void) {
    static uint32_t seen;
    cli();
    if (ticks == seen && rx_in == rx_out) {
        sleep_enable();
        sei(); /* the instruction after sei still runs: no interrupt slips in before sleep */
        sleep_cpu();
        sleep_disable();
    } else {
        seen = ticks;
        sei();
    }
}
