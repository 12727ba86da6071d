"""The simavr harness with a small program of its own: pins, bytes, resets, EEPROM, damage."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from hardware.firmware.build import build_harness
from hardware.twin.harness_client import Harness, HarnessError, RunReport

pytestmark = pytest.mark.e2e

# Says hello (reset cause, number of this start, 1), echoes bytes, copies PB0 to PA0, counts overruns at PB1.
PROGRAM = r"""
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
static uint8_t cause __attribute__((section(".noinit")));
void early(void) __attribute__((naked, used, section(".init3")));
void early(void) { cause = MCUSR; MCUSR = 0; wdt_disable(); }
static volatile uint8_t fifo[64], head, tail, overruns;
ISR(USART0_RX_vect) { if (UCSR0A & (1 << DOR0)) overruns++; fifo[head++ & 63] = UDR0; }
ISR(TIMER0_COMPA_vect) {
    if (PINB & 1) PORTA |= 1; else PORTA &= ~1;
    if (PINB & 4) { cli(); for (volatile uint16_t i = 0; i < 2000; i++) wdt_reset(); sei(); }
}
static void put(uint8_t byte) { while (!(UCSR0A & (1 << UDRE0))) {} UDR0 = byte; }
int main(void) {
    UCSR0A = 1 << U2X0; UBRR0H = 0; UBRR0L = 7; UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    TCCR0A = 2; OCR0A = 249; TCCR0B = 3; TIMSK0 = 2; DDRA = 0xff; PORTB = 0xff;
    uint8_t start = eeprom_read_byte((uint8_t *)1) + 1;
    eeprom_write_byte((uint8_t *)1, start);
    wdt_enable(WDTO_250MS);
    sei();
    put(cause); put(start); put(1); put(0);
    for (;;) {
        wdt_reset();
        while (tail != head) { uint8_t byte = fifo[tail++ & 63]; put(byte == 'O' ? '0' + overruns : byte); }
        sleep_mode();
    }
}
"""
POWER_ON, EXTERNAL, BROWN_OUT, WATCHDOG = 1, 2, 4, 8


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    gcc = shutil.which("avr-gcc")
    assert gcc is not None, "apt install gcc-avr avr-libc"
    (folder / "echo.c").write_text(PROGRAM)
    target = folder / "echo.elf"
    command = [gcc, "-Os", "-std=gnu11", "-mmcu=atmega2560", "-o", str(target), str(folder / "echo.c")]
    subprocess.run(command, check=True)
    return target


@pytest.fixture
def board(elf: Path, tmp_path: Path) -> Iterator[Harness]:
    with Harness(build_harness(), elf, tmp_path / "eeprom.bin") as harness:
        harness.watch("A", 0x01)
        harness.set_pin("B", 0, 0)
        harness.set_pin("B", 2, 0)
        yield harness


def bytes_until(board: Harness, until_us: int) -> bytes:
    data = b""
    while True:
        report = board.run(until_us)
        data += report.sent
        if report.now_us >= until_us:
            return data


def next_frame(board: Harness, within_us: int = 2_000_000) -> RunReport:
    end = board.run(0).now_us + within_us
    data = b""
    while True:
        report = board.run(end)
        data += report.sent
        if data.endswith(b"\0") and len(data) > 1:
            return RunReport(report.now_us, data, report.edges, report.was_reset, True, False)
        assert report.now_us < end, f"no frame, only {data!r}"


def test_starts_and_says_so(board: Harness) -> None:
    assert bytes_until(board, 10_000) == bytes((POWER_ON, 0, 1, 0))


def test_an_input_edge_comes_back_as_an_output_edge(board: Harness) -> None:
    bytes_until(board, 10_000)
    board.set_pin("B", 0, 1)
    report = board.run(20_000)
    assert [(edge.port, edge.bit, edge.level) for edge in report.edges] == [("A", 0, 1)]
    assert report.now_us - 10_000 <= 1_100
    assert report.now_us == report.edges[0].at_us
    board.set_pin("B", 0, 0)
    assert board.run(20_000).edges[0].level == 0


def test_bytes_take_their_time_and_all_arrive(board: Harness) -> None:
    bytes_until(board, 10_000)
    text = bytes(range(1, 41)) + b"\0"
    board.send(text)
    report = next_frame(board)
    assert report.sent == text
    assert report.now_us - 10_000 >= len(text) * 40  # 250 kBd, ten bits a byte
    assert board.stats().overruns == 0


def test_a_pause_ends_a_burst_without_zero(board: Harness) -> None:
    bytes_until(board, 10_000)
    board.send(b"abc")
    report = board.run(50_000)
    assert report.sent == b"abc"
    assert report.frame
    assert report.now_us < 12_500  # at most a tick until the program looks, then a silence of 1 ms


def test_two_unread_bytes_and_no_more(board: Harness) -> None:
    """The chip keeps two bytes; while interrupts are off for long the rest is lost and DOR0 tells."""
    bytes_until(board, 10_000)
    board.set_pin("B", 2, 1)
    board.send(bytes([65] * 20))
    bytes_until(board, 11_500)
    board.set_pin("B", 2, 0)
    bytes_until(board, 40_000)
    assert board.stats().overruns > 0
    board.send(b"O\0")
    assert next_frame(board).sent == b"1\0", "one gap in the stream, one flag: reading UDR0 clears it"


def test_a_receive_interrupt_that_is_held_up_loses_all_but_two(board: Harness) -> None:
    """An overrun on purpose, from the next byte on: 500 us are 12 bytes at 250 kBd."""
    bytes_until(board, 10_000)
    board.hold_up_receiver(500)
    bytes_until(board, 20_000)
    board.send(bytes(range(97, 117)) + b"\0")
    heard = next_frame(board).sent[:-1]
    lost = board.stats().overruns
    assert 9 <= lost <= 11
    assert heard == bytes((97, 98)) + bytes(range(99 + lost, 117))
    board.send(b"O\0")
    assert next_frame(board).sent == b"1\0"


def test_another_program_is_flashed_and_starts(board: Harness, elf: Path, tmp_path: Path) -> None:
    bytes_until(board, 50_000)
    board.flash(elf)
    report = next_frame(board)
    assert report.sent == bytes((EXTERNAL, 1, 1, 0)), "the EEPROM is kept"
    assert board.stats().resets == 1
    with pytest.raises(HarnessError, match="cannot flash"):
        board.flash(tmp_path / "nothing.elf")


def test_every_byte_is_tapped_with_its_time(board: Harness) -> None:
    board.tap(True)
    bytes_until(board, 10_000)
    assert [(tapped.heard, tapped.byte) for tapped in board.tapped()] == [
        (False, POWER_ON), (False, 0), (False, 1), (False, 0)
    ]  # fmt: skip
    board.send(b"ab\0")
    bytes_until(board, 20_000)
    tapped = board.tapped()
    assert bytes(each.byte for each in tapped if each.heard) == b"ab\0"
    assert bytes(each.byte for each in tapped if not each.heard) == b"ab\0"
    heard_us = [each.at_us for each in tapped if each.heard]
    assert heard_us[0] == pytest.approx(10_040, abs=2)
    assert [later - sooner for sooner, later in itertools.pairwise(heard_us)] == [40, 40]
    board.tap(False)
    board.send(b"c\0")
    bytes_until(board, 30_000)
    assert board.tapped() == []


@pytest.mark.parametrize(("baud", "is_heard"), [(250_000, True), (115_200, False), (9_600, False)])
def test_the_speed_that_a_client_sets_is_the_speed_of_its_bytes(
    board: Harness, tmp_path: Path, baud: int, is_heard: bool
) -> None:
    """A pseudo terminal ignores its speed; the harness reads it and garbles what would be garbled."""
    board.plug(tmp_path / "port")
    with serial.Serial(str(tmp_path / "port"), baud, timeout=0) as client:
        run_paced(board, 30_000)
        client.reset_input_buffer()
        client.write(b"Hello\0")
        run_paced(board, 60_000)
        assert (b"Hello" in client.read(1000)) == is_heard


def test_who_sets_no_speed_has_the_boards(board: Harness, tmp_path: Path) -> None:
    board.plug(tmp_path / "port")
    port = os.open(tmp_path / "port", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        os.write(port, b"Hello\0")
        run_paced(board, 50_000)
        assert b"Hello\0" in os.read(port, 1000)
    finally:
        os.close(port)


def run_paced(board: Harness, more_us: int) -> None:
    until = board.run_paced(0).now_us + more_us
    while board.run_paced(until).now_us < until:
        pass


@pytest.mark.parametrize(
    ("kind", "cause"), [("external", EXTERNAL), ("brownout", BROWN_OUT), ("power", POWER_ON)]
)
def test_resets_carry_their_cause_and_time_goes_on(board: Harness, kind: str, cause: int) -> None:
    bytes_until(board, 100_000)
    board.set_pin("B", 0, 1)
    assert board.run(110_000).edges
    board.reset(kind)  # type: ignore[arg-type]
    report = board.run(120_000)
    assert report.was_reset
    assert [(edge.bit, edge.level) for edge in report.edges] == [(0, 0)], "outputs fall at a reset"
    report = next_frame(board)
    assert report.sent == bytes((cause, 1, 1, 0)), "EEPROM is kept"
    assert 100_000 < report.now_us < 105_000, "time does not start again"
    assert board.run(120_000).edges[0].level == 1, "input levels are there again"
    assert board.stats().resets == 1


def test_a_hang_is_ended_by_the_watchdog(board: Harness) -> None:
    bytes_until(board, 100_000)
    board.reset("hang")
    report = board.run(1_000_000)
    assert report.was_reset
    assert 340_000 <= report.now_us <= 380_000
    assert next_frame(board).sent == bytes((WATCHDOG, 1, 1, 0))


def test_watchdog_after_watchdog_then_external_reset(board: Harness) -> None:
    bytes_until(board, 10_000)
    for start in (1, 2):
        board.reset("hang")
        assert board.run(2_000_000).was_reset
        assert next_frame(board).sent[:2] == bytes((WATCHDOG, start))
    board.reset("external")
    assert board.run(2_000_000).was_reset
    assert next_frame(board).sent[:2] == bytes((EXTERNAL, 3))


def test_held_in_reset_nothing_runs_but_time(board: Harness) -> None:
    bytes_until(board, 10_000)
    board.hold_reset(True)
    assert bytes_until(board, 500_000) == b""
    board.hold_reset(False)
    report = next_frame(board)
    assert report.sent == bytes((EXTERNAL, 1, 1, 0))
    assert report.now_us > 500_000


def test_bytes_for_a_board_in_reset_are_gone(board: Harness) -> None:
    bytes_until(board, 10_000)
    board.send(b"travelling" * 10)
    board.hold_reset(True)
    board.send(b"knocking")
    assert bytes_until(board, 500_000) == b""
    board.hold_reset(False)
    assert next_frame(board).sent == bytes((EXTERNAL, 1, 1, 0))
    board.send(b"Hi\0")
    assert next_frame(board).sent == b"Hi\0"
    stats = board.stats()
    assert (stats.bytes_unheard, stats.bytes_lost, stats.edges_lost) == (108, 0, 0)


def test_bytes_beyond_the_queue_are_counted(board: Harness) -> None:
    board.hold_reset(False)
    board.send(b"a" * 70_000)
    board.run(1)
    assert board.stats().bytes_lost == 70_000 - 65_536


def test_eeprom_lives_in_its_file(elf: Path, tmp_path: Path) -> None:
    file = tmp_path / "eeprom.bin"
    for start in (0, 1, 2):
        with Harness(build_harness(), elf, file) as board:
            assert bytes_until(board, 20_000)[1:].startswith(bytes((start, 1, 0)))
    assert file.read_bytes()[1] == 2


@pytest.mark.parametrize("size", [0, 100, 4095, 4097])
def test_a_file_of_another_length_is_no_eeprom(
    elf: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], size: int
) -> None:
    file = tmp_path / "eeprom.bin"
    file.write_bytes(b"x" * size)
    with Harness(build_harness(), elf, file) as board, pytest.raises(HarnessError):
        board.run(1)
    assert capfd.readouterr().err == f"harness: {file} is no EEPROM of 4096 bytes\n"
    assert file.read_bytes() == b"x" * size, "what is there is not written over"


def test_an_eeprom_that_cannot_be_kept_is_told_once(
    elf: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gone" / "eeprom.bin"
    with Harness(build_harness(), elf, file) as board:
        bytes_until(board, 20_000)
        board.reset("external")
        bytes_until(board, 40_000)
    assert capfd.readouterr().err == f"harness: cannot keep the EEPROM in {file}: No such file or directory\n"


def test_damage_is_repeatable_and_counted(board: Harness) -> None:
    bytes_until(board, 10_000)
    board.damage("to", 5, flip=200_000, drop=100_000)
    board.send(b"a" * 50)
    first = bytes_until(board, 30_000)
    assert first != b"a" * 50
    assert board.stats().damaged > 0
    board.damage("to", 5, flip=200_000, drop=100_000)
    board.send(b"a" * 50)
    assert bytes_until(board, 50_000) == first


def test_sleeping_costs_nothing(board: Harness) -> None:
    """A minute of a sleeping board passes while a test waits."""
    assert bytes_until(board, 60_000_000)[:1] == bytes((POWER_ON,))
    assert board.stats().cycles == pytest.approx(60 * 16_000_000, rel=1e-3)


def test_the_process_ends_with_its_client(elf: Path) -> None:
    board = Harness(build_harness(), elf)
    board.close()
    assert board._process.returncode == 0
    with pytest.raises(HarnessError):
        board.run(1)
