/* In place of the compiler's start: that has a table of 57 interrupt vectors in front, a seventeenth of our room. */
#include <avr/io.h>

void vectors(void) __attribute__((naked, used, section(".vectors")));
void stack(void) __attribute__((naked, used, section(".init2")));
void go(void) __attribute__((naked, used, section(".init9")));

void vectors(void) { __asm__ volatile("jmp stack"); }

void stack(void) {
    __asm__ volatile("clr __zero_reg__");
    SREG = 0; /* interrupts stay off */
    SP = RAMEND;
}

void go(void) { __asm__ volatile("jmp main"); }
