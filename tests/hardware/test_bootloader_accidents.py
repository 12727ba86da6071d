"""Accidents of an update, in simavr: power cuts at any point, noise, rubbish, senseless commands."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.boot_frames import encode_boot
from firmware_bridge.boot_messages import MESSAGES, Block, Run
from hardware.firmware import flash_map
from hardware.firmware.release import record
from tests.hardware.boot_chip import START_US, Chip, Make, begin, chips, image, new, old

pytestmark = pytest.mark.e2e

make = pytest.fixture(chips)


def course_us(chip: Chip) -> int:
    """Return how long an update takes from the first call to the running program."""
    since = chip.now
    assert chip.converse(chip.update(new())).stage == "done"
    assert any(b"[B" in chip.run_us(2000) for _ in range(500))
    return chip.now - since


CUTS = 60


def cut_and_recover(make: Make, at_us: int, seed: int, mutant: str | None = None) -> str | None:
    """Cut the power at a moment of an update; returns what is wrong, None if all is well."""
    chip = make(old(), mutant)
    since = chip.now
    update = chip.converse(chip.update(new()), until_us=since + at_us)
    is_promised = update.stage in ("starting", "done")
    chip.run_us(max(0, since + at_us - chip.now))
    chip.cut(seed)
    runs = chip.running(350_000)
    if runs is not None and not (chip.flashed(old()) if runs == "A01" else chip.flashed(new())):
        return f"{runs} runs and is not whole"
    if runs is None:
        return "nothing runs, though one of both could"
    if is_promised and runs != "B01":
        return f"{runs} runs, though the new one was there"
    chip.cut(seed)
    again = chip.converse(chip.update(new()))
    if again.stage != "done" or chip.running(350_000) is None or not chip.flashed(new()):
        return f"the next try ends as {again.stage} {again.why}"
    chip.close()
    return None


def test_a_power_cut_at_any_point_of_an_update(make: Make) -> None:
    """Old or new runs, whole, without any help, and the next try succeeds."""
    length = course_us(make(old()))
    wrong = {
        at: said
        for at in range(0, length, length // CUTS)
        if (said := cut_and_recover(make, at, seed=at)) is not None
    }
    assert wrong == {}


def test_the_cuts_notice_a_bootloader_that_forgets_too_early(make: Make) -> None:
    length = course_us(make(old()))
    said = [
        cut_and_recover(make, at, seed=at, mutant="forget-early")
        for at in range(length // 2, length, length // 24)
    ]
    assert any(said)


def test_a_broken_transfer_is_taken_up_where_it_stood(make: Make) -> None:
    chip = make(old())
    update = chip.update(new())
    while update.pages_sent < 10:
        chip.converse(update, until_us=chip.now + 2000)
    chip.cut()
    again = chip.converse(chip.update(new()))
    assert (again.stage, again.pages_sent) == ("done", 6)
    assert chip.running(400_000) == "B81"


def test_a_board_that_starts_anew_in_the_middle_is_begun_anew(make: Make) -> None:
    chip = make()
    update = chip.update(new())
    while update.pages_sent < 7:
        chip.converse(update, until_us=chip.now + 2000)
    chip.cut()
    chip.converse(update)
    assert (update.stage, update.restarts, update.pages_sent) == ("done", 1, 16)
    assert chip.running(400_000) == "B81"


@pytest.mark.parametrize("pages", [150, flash_map.ROOM // flash_map.PAGE])
def test_a_power_cut_at_the_end_of_the_copy_costs_no_reset_however_large_the_program(
    make: Make, pages: int
) -> None:
    """Only the record is missing: every page is equal already, and none is written to pass the time."""
    promised = image("B", pages)
    chip = make()
    for at in (flash_map.PROGRAM_AT, flash_map.WAITING_AT):
        chip.harness.program(at, promised.program)
    chip.harness.program(flash_map.WAITING_RECORD_AT, record(promised.head.pack()))
    chip.cut()
    resets = chip.resets
    assert chip.running(pages * 8_000 + START_US) == "B01"
    assert chip.resets == resets
    assert chip.flashed(promised)


@pytest.mark.parametrize("seed", range(2))
def test_noise_both_ways(make: Make, seed: int) -> None:
    chip = make(old())
    assert chip.who() is not None
    for way in ("to", "from"):
        chip.harness.damage(way, seed, flip=10_000, drop=10_000, insert=1_000)
    update = chip.converse(chip.update(new()))
    assert (update.stage, update.why) == ("done", None)
    assert update.retries > 20
    for way in ("to", "from"):
        chip.harness.damage(way, seed)
    chip.run_us(400_000)
    assert chip.flashed(new())
    chip.cut()
    assert chip.running(2 * START_US) == "B01"


@pytest.mark.parametrize("seed", range(3))
def test_rubbish_is_survived(make: Make, seed: int) -> None:
    chip = make()
    draw = random.Random(seed)
    assert chip.say(draw.randbytes(20_000), 1_000_000) == b""
    assert chip.say(bytes(20_000), 1_000_000) == b""
    assert chip.say(b"\x55" * 20_000, 1_000_000) == b""
    update = chip.converse(chip.update(new()))
    assert (update.stage, update.why) == ("done", None)
    assert chip.resets == 1
    assert chip.running(400_000) == "B81"


def test_the_slower_rate_is_followed(make: Make) -> None:
    chip = make()
    chip.harness.host_baud(115_200)
    update = chip.converse(chip.update(new()))
    assert (update.stage, update.why) == ("done", None)
    chip.run_us(400_000)
    assert chip.flashed(new())


def random_command(draw: random.Random) -> bytes:
    """Return a frame whose CRC is right: a message with rubbish in it, or no message at all."""
    known = [kind for kind in MESSAGES.values() if kind.KIND == "command" and kind is not Run]
    kind = draw.choice(known)
    data = draw.randbytes(kind.LENGTH)
    if kind.CODE == begin(new()).CODE and draw.random() < 0.7:
        size = draw.choice((1, 700, flash_map.ROOM))
        return encode_boot(begin(new(), size=size, source=draw.getrandbits(32)), draw.randrange(256))
    if kind is Block and draw.random() < 0.8:
        data = draw.randrange(40).to_bytes(2, "little") + data[2:]
    return encode_boot(kind.unpack(data), draw.randrange(256))


@pytest.mark.parametrize("seed", range(3))
def test_no_command_writes_outside_the_waiting_room(make: Make, seed: int) -> None:
    chip = make(old())
    assert chip.who() is not None
    draw = random.Random(seed)
    before = chip.harness.read_program(0, flash_map.WAITING_AT)
    boot = chip.harness.read_program(flash_map.BOOT_AT, flash_map.BOOT_SIZE)
    for _ in range(300):
        chip.say(random_command(draw), 40_000)
    assert chip.harness.pages_changed() > 0
    assert chip.harness.read_program(0, flash_map.WAITING_AT) == before
    assert chip.harness.read_program(flash_map.BOOT_AT, flash_map.BOOT_SIZE) == boot
    chip.run_us(1_000_000)
    assert chip.who() is not None
    chip.cut()
    assert chip.running(2 * START_US) == "A01"


def test_a_dead_line_ends_in_words_not_in_waiting(make: Make) -> None:
    chip = make(old())
    chip.run_us(START_US)
    update = chip.converse(chip.update(new(), call_ms=500))
    assert (update.stage, update.why) == ("failed", "silent")
