"""The bootloader as it is flashed, in simavr: when it starts, stays and leaves, and what it refuses."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.boot_messages import (
    Block,
    BootBoard,
    Finish,
    Pages,
    Result,
    Run,
    Stay,
    Verdict,
)
from firmware_bridge.image import Image
from hardware.firmware import build, flash_map
from tests.hardware.boot_chip import START_US, Make, begin, chips, new, old

pytestmark = pytest.mark.e2e

PATIENCE_US = 30_000_000
OUTPUT_PORTS = "BEHL"

make = pytest.fixture(chips)


def test_it_fits_and_bears_its_name() -> None:
    data = build.flash_bytes(build.build_bootloader())
    assert len(data) == flash_map.BOOT_SIZE
    name = data[flash_map.BOOT_NAME_AT - flash_map.BOOT_AT :]
    assert (name[:4], name[5]) == (flash_map.BOOT_NAME, BootBoard.atmega2560)
    assert not any(data[-40:-8]), "leave some room"


# ---------------------------------------------------------------------- starting


def test_a_whole_program_is_started_within_150_ms_of_a_reset(make: Make) -> None:
    chip = make(old())
    assert b"[A01]" not in chip.run_us(START_US - 100_000)
    assert b"[A01]" in chip.run_us(100_000)
    chip.harness.reset("external")
    assert b"[A02]" in chip.run_us(START_US)


def test_the_program_hears_of_its_watchdog_reset(make: Make) -> None:
    chip = make(old())
    chip.run_us(START_US)
    chip.say(b"HHHH", 250_000 + START_US)
    assert chip.running() == "A08"


@pytest.mark.parametrize("at", [0, 1, 255, 256, 1486, 2971])
def test_a_program_with_one_wrong_bit_is_not_started(make: Make, at: int) -> None:
    chip = make(old())
    chip.harness.program(at, bytes([old().program[at] ^ 0x10]))
    chip.cut()
    assert chip.running(2 * START_US) is None
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid, here.room) == (Stay.no_program, False, flash_map.ROOM)


@pytest.mark.parametrize("at", range(0, 25, 4))
def test_a_damaged_record_is_no_record(make: Make, at: int) -> None:
    chip = make(old())
    place = flash_map.PROGRAM_RECORD_AT + at
    chip.harness.program(place, bytes([chip.harness.read_program(place, 1)[0] ^ 1]))
    chip.cut()
    assert chip.running(2 * START_US) is None
    assert chip.who() is not None


def test_the_check_is_what_keeps_a_damaged_program_from_running(make: Make) -> None:
    chip = make(old(), "no-check")
    chip.harness.program(2000, bytes([old().program[2000] ^ 1]))
    chip.cut()
    assert chip.running(2 * START_US) == "A01"


# ---------------------------------------------------------------------- staying and leaving


def test_somebody_who_calls_after_a_reset_is_answered_until_he_is_silent_for_30_s(make: Make) -> None:
    chip = make(old())
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid, here.size) == (Stay.listening, True, len(old().program))
    assert (here.firmware_major, here.firmware_minor, here.firmware_patch) == (1, 2, ord("A"))
    assert chip.running(PATIENCE_US - 1_000_000) is None
    assert chip.running(2_000_000) == "A01"


def test_each_command_makes_it_stay_on(make: Make) -> None:
    chip = make(old())
    for _ in range(4):
        assert chip.who() is not None
        assert chip.running(START_US) is None


def test_who_calls_later_is_not_heard(make: Make) -> None:
    chip = make(old())
    chip.run_us(START_US)
    assert chip.who() is None
    assert chip.running() == "A01"


def test_without_a_program_it_waits_for_ever(make: Make) -> None:
    chip = make()
    assert chip.run_us(PATIENCE_US + 3_000_000) == b""
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid) == (Stay.no_program, False)
    assert chip.resets == 1


def test_a_program_asks_for_it_and_the_reset_is_not_held_against_it(make: Make) -> None:
    chip = make(old())
    chip.run_us(START_US)
    assert chip.say(b"UUUU", 250_000 + START_US).count(b"A08") == 0
    here = chip.who()
    assert here is not None
    assert here.stay == Stay.asked
    answer = chip.ask(Run())
    assert answer == Result(Run.CODE, Verdict.ok, 0)
    assert chip.running() == "A88", "told what the start is for, and by what reset"
    chip.harness.reset("external")
    assert b"[A02]" in chip.run_us(START_US), "asked for once"


# ---------------------------------------------------------------------- an update


def test_old_to_new(make: Make) -> None:
    chip = make(old())
    for port in OUTPUT_PORTS:
        chip.harness.watch(port, 0xFF if port != "E" else 0xF8)
    edges = []
    chip.run_us(START_US)
    chip.say(b"UUUU", 400_000)
    update = chip.update(new())
    while not update.is_over:
        chip.harness.send(update.take_output())
        report = chip.harness.run(chip.now + 2000)
        chip.now = report.now_us
        edges += report.edges
        update.feed(report.sent, chip.now // 1000)
        update.tick(chip.now // 1000)
    assert (update.stage, update.pages_done, update.pages_sent, update.retries) == ("done", 16, 16, 0)
    assert chip.running(300_000) == "B88"
    assert chip.flashed(new())
    assert edges == [], "nothing may move"
    chip.cut()
    assert b"[B01]" in chip.run_us(START_US), "and it stays so"


def test_the_same_again_changes_no_page_but_the_record(make: Make) -> None:
    chip = make()
    assert chip.converse(chip.update(new())).stage == "done"
    chip.run_us(400_000)
    before = chip.harness.pages_changed()
    chip.cut()
    update = chip.converse(chip.update(new()))
    assert (update.stage, update.pages_sent) == ("done", 0)
    assert chip.running(400_000) == "B81"
    assert chip.harness.pages_changed() - before == 2 + 1  # the record of what waits: forgotten, and written


@pytest.mark.parametrize("size", [1, 63, 64, 65, 255, 256, 257, 5000])
def test_programs_of_every_size_arrive_whole(make: Make, size: int) -> None:
    """Not to run: only what lies in flash is looked at.

    It hangs at once, since random code may end the simulator.
    """
    data = (b"\xff\xcf" + random.Random(size).randbytes(size))[:size]
    wanted = Image.of(data, board=BootBoard.atmega2560, version=(1, 0, 0), source=1, layout=1)
    chip = make()
    assert chip.converse(chip.update(wanted)).stage == "done"
    chip.run_us(300_000)
    assert chip.flashed(wanted)


def test_the_largest_program_fits_and_one_byte_more_is_refused(make: Make) -> None:
    chip = make()
    largest = Image.of(
        b"\xff" * flash_map.ROOM, board=BootBoard.atmega2560, version=(1, 0, 0), source=1, layout=1
    )
    assert chip.converse(chip.update(largest)).stage == "done"
    too_large = chip.ask(begin(largest, size=flash_map.ROOM + 1))
    assert too_large is None, "that program runs now, such as it is"
    chip = make(old())
    assert chip.who() is not None
    assert chip.ask(begin(old(), size=flash_map.ROOM + 1), wait_us=20_000) == Result(2, Verdict.too_large, 0)


# ---------------------------------------------------------------------- what is refused


def test_what_is_refused_leaves_the_program_alone(make: Make) -> None:
    chip = make(old())
    block = Block(0, *[0] * 16)
    rows = (
        (begin(new(), board=0), Verdict.wrong_board),
        (begin(new(), board=9), Verdict.wrong_board),
        (begin(new(), format=2), Verdict.bad_value),
        (begin(new(), size=0), Verdict.bad_value),
        (begin(new(), size=0xFFFFFFFF), Verdict.too_large),
        (block, Verdict.not_begun),
        (Finish(), Verdict.not_begun),
        (Pages(479), Verdict.bad_value),
        (begin(new()), Verdict.ok),
        (Block(len(new().program) // 64 + 1, *[0] * 16), Verdict.bad_value),
        (block, Verdict.ok),
        (Finish(), Verdict.damaged),
    )
    assert chip.who() is not None
    for message, verdict in rows:
        answer = chip.ask(message, wait_us=50_000)
        assert isinstance(answer, Result), message
        assert (answer.command, answer.verdict) == (message.CODE, verdict), message
    assert chip.flashed(old())
    assert chip.ask(Run(), wait_us=5_000) == Result(Run.CODE, Verdict.ok, 0)
    assert chip.running() == "A81"


def test_an_image_whose_crc_is_wrong_never_becomes_the_program(make: Make) -> None:
    chip = make(old())
    lie = Image(begin(new(), crc=new().head.crc ^ 1), new().program)
    update = chip.converse(chip.update(lie))
    assert (update.stage, update.why) == ("failed", "memory")
    chip.cut()
    assert chip.running(2 * START_US) == "A01"
    assert chip.flashed(old())


def test_an_update_for_another_board_is_refused_at_once(make: Make) -> None:
    chip = make(old())
    update = chip.converse(chip.update(Image(begin(new(), board=7), new().program)))
    assert (update.stage, update.why, update.pages_sent) == ("failed", "wrong_board", 0)


def test_worn_memory_is_told(make: Make) -> None:
    chip = make(old())
    chip.harness.wear_out(flash_map.WAITING_AT + 1000)
    update = chip.converse(chip.update(new()))
    assert (update.stage, update.why) == ("failed", "memory")
    chip.cut()
    assert chip.running(2 * START_US) == "A01"


def test_a_copy_that_cannot_be_written_is_told_and_nothing_is_started(make: Make) -> None:
    chip = make(old())
    assert new().program[1000] != 0
    chip.harness.wear_out(flash_map.PROGRAM_AT + 1000)
    assert chip.converse(chip.update(new())).stage == "done"
    assert chip.running(2_000_000) is None
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid) == (Stay.copy_failed, False)


def test_a_damaged_program_is_mended_from_what_was_kept(make: Make) -> None:
    chip = make()
    assert chip.converse(chip.update(new())).stage == "done"
    chip.run_us(300_000)
    chip.harness.program(700, b"\0" * 20)
    chip.cut()
    assert chip.running(400_000) == "B01"
    assert chip.flashed(new())
