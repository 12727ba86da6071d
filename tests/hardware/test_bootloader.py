"""The bootloader as it is flashed, in simavr: what it starts and refuses, and what no accident takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from firmware_bridge.boot_frames import encode_boot
from firmware_bridge.boot_messages import (
    MESSAGES,
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
from firmware_bridge.update import Update
from hardware.firmware import build, flash_map
from tests.hardware.boot_chip import Chip, begin, image

pytestmark = pytest.mark.e2e

OLD, NEW = image("A"), image("B", 16)
START_US = 150_000
PATIENCE_US = 30_000_000
OUTPUT_PORTS = "BEHL"
Make = Callable[..., Chip]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[Chip] = []

    def one(runs: Image | None = None, mutant: str | None = None) -> Chip:
        made.append(Chip(runs, mutant))
        return made[-1]

    yield one
    for chip in made:
        chip.close()


def test_it_fits_and_bears_its_name() -> None:
    data = build.flash_bytes(build.build_bootloader())
    assert len(data) == flash_map.BOOT_SIZE
    name = data[flash_map.BOOT_NAME_AT - flash_map.BOOT_AT :]
    assert (name[:4], name[5]) == (flash_map.BOOT_NAME, BootBoard.atmega2560)
    assert not any(data[-40:-8]), "leave some room"


# ---------------------------------------------------------------------- starting


def test_a_whole_program_is_started_within_150_ms_of_a_reset(make: Make) -> None:
    chip = make(OLD)
    assert b"[A01]" not in chip.run_us(START_US - 100_000)
    assert b"[A01]" in chip.run_us(100_000)
    chip.harness.reset("external")
    assert b"[A02]" in chip.run_us(START_US)


def test_the_program_hears_of_its_watchdog_reset(make: Make) -> None:
    chip = make(OLD)
    chip.run_us(START_US)
    chip.say(b"HHHH", 250_000 + START_US)
    assert chip.running() == "A08"


@pytest.mark.parametrize("at", [0, 1, 255, 256, len(OLD.program) // 2, len(OLD.program) - 1])
def test_a_program_with_one_wrong_bit_is_not_started(make: Make, at: int) -> None:
    chip = make(OLD)
    chip.harness.program(at, bytes([OLD.program[at] ^ 0x10]))
    chip.cut()
    assert chip.running(2 * START_US) is None
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid, here.room) == (Stay.no_program, False, flash_map.ROOM)


@pytest.mark.parametrize("at", range(0, 25, 4))
def test_a_damaged_record_is_no_record(make: Make, at: int) -> None:
    chip = make(OLD)
    place = flash_map.PROGRAM_RECORD_AT + at
    chip.harness.program(place, bytes([chip.harness.read_program(place, 1)[0] ^ 1]))
    chip.cut()
    assert chip.running(2 * START_US) is None
    assert chip.who() is not None


def test_the_check_is_what_keeps_a_damaged_program_from_running(make: Make) -> None:
    chip = make(OLD, "no-check")
    chip.harness.program(2000, bytes([OLD.program[2000] ^ 1]))
    chip.cut()
    assert chip.running(2 * START_US) == "A01"


# ---------------------------------------------------------------------- staying and leaving


def test_somebody_who_calls_after_a_reset_is_answered_until_he_is_silent_for_30_s(make: Make) -> None:
    chip = make(OLD)
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid, here.size) == (Stay.listening, True, len(OLD.program))
    assert (here.firmware_major, here.firmware_minor, here.firmware_patch) == (1, 2, ord("A"))
    assert chip.running(PATIENCE_US - 1_000_000) is None
    assert chip.running(2_000_000) == "A01"


def test_each_command_makes_it_stay_on(make: Make) -> None:
    chip = make(OLD)
    for _ in range(4):
        assert chip.who() is not None
        assert chip.running(START_US) is None


def test_who_calls_later_is_not_heard(make: Make) -> None:
    chip = make(OLD)
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
    chip = make(OLD)
    chip.run_us(START_US)
    assert chip.say(b"UUUU", 250_000 + START_US).count(b"A08") == 0
    here = chip.who()
    assert here is not None
    assert here.stay == Stay.asked
    answer = chip.ask(Run())
    assert answer == Result(Run.CODE, Verdict.ok, 0)
    assert chip.running() == "A00"
    chip.harness.reset("external")
    assert b"[A02]" in chip.run_us(START_US), "asked for once"


# ---------------------------------------------------------------------- an update


def test_old_to_new(make: Make) -> None:
    chip = make(OLD)
    for port in OUTPUT_PORTS:
        chip.harness.watch(port, 0xFF if port != "E" else 0xF8)
    edges = []
    chip.run_us(START_US)
    chip.say(b"UUUU", 400_000)
    update = chip.update(NEW)
    while not update.is_over:
        chip.harness.send(update.take_output())
        report = chip.harness.run(chip.now + 2000)
        chip.now = report.now_us
        edges += report.edges
        update.feed(report.sent, chip.now // 1000)
        update.tick(chip.now // 1000)
    assert (update.stage, update.pages_done, update.pages_sent, update.retries) == ("done", 16, 16, 0)
    assert chip.running(300_000) == "B00"
    assert chip.flashed(NEW)
    assert edges == [], "nothing may move"
    chip.cut()
    assert b"[B01]" in chip.run_us(START_US), "and it stays so"


def test_the_same_again_changes_no_page_but_the_record(make: Make) -> None:
    chip = make()
    assert chip.converse(chip.update(NEW)).stage == "done"
    chip.run_us(400_000)
    before = chip.harness.pages_changed()
    chip.cut()
    update = chip.converse(chip.update(NEW))
    assert (update.stage, update.pages_sent) == ("done", 0)
    assert chip.running(400_000) == "B01"
    assert chip.harness.pages_changed() - before == 2 + 1  # the record of what waits: forgotten, and written


@pytest.mark.parametrize("size", [1, 63, 64, 65, 255, 256, 257, 5000])
def test_programs_of_every_size_arrive_whole(make: Make, size: int) -> None:
    """Not to run: only what lies in flash is looked at."""
    data = random.Random(size).randbytes(size)
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
    chip = make(OLD)
    assert chip.who() is not None
    assert chip.ask(begin(OLD, size=flash_map.ROOM + 1), wait_us=20_000) == Result(2, Verdict.too_large, 0)


# ---------------------------------------------------------------------- what is refused


def test_what_is_refused_leaves_the_program_alone(make: Make) -> None:
    chip = make(OLD)
    block = Block(0, *[0] * 16)
    rows = (
        (begin(NEW, board=0), Verdict.wrong_board),
        (begin(NEW, board=9), Verdict.wrong_board),
        (begin(NEW, format=2), Verdict.bad_value),
        (begin(NEW, size=0), Verdict.bad_value),
        (begin(NEW, size=0xFFFFFFFF), Verdict.too_large),
        (block, Verdict.not_begun),
        (Finish(), Verdict.not_begun),
        (Pages(479), Verdict.bad_value),
        (begin(NEW), Verdict.ok),
        (Block(len(NEW.program) // 64 + 1, *[0] * 16), Verdict.bad_value),
        (block, Verdict.ok),
        (Finish(), Verdict.damaged),
    )
    assert chip.who() is not None
    for message, verdict in rows:
        answer = chip.ask(message, wait_us=50_000)
        assert isinstance(answer, Result), message
        assert (answer.command, answer.verdict) == (message.CODE, verdict), message
    assert chip.flashed(OLD)
    assert chip.ask(Run(), wait_us=5_000) == Result(Run.CODE, Verdict.ok, 0)
    assert chip.running() == "A01"


def test_an_image_whose_crc_is_wrong_never_becomes_the_program(make: Make) -> None:
    chip = make(OLD)
    lie = Image(begin(NEW, crc=NEW.head.crc ^ 1), NEW.program)
    update = chip.converse(chip.update(lie))
    assert (update.stage, update.why) == ("failed", "memory")
    chip.cut()
    assert chip.running(2 * START_US) == "A01"
    assert chip.flashed(OLD)


def test_an_update_for_another_board_is_refused_at_once(make: Make) -> None:
    chip = make(OLD)
    update = chip.converse(chip.update(Image(begin(NEW, board=7), NEW.program)))
    assert (update.stage, update.why, update.pages_sent) == ("failed", "wrong_board", 0)


def test_worn_memory_is_told(make: Make) -> None:
    chip = make(OLD)
    chip.harness.wear_out(flash_map.WAITING_AT + 1000)
    update = chip.converse(chip.update(NEW))
    assert (update.stage, update.why) == ("failed", "memory")
    chip.cut()
    assert chip.running(2 * START_US) == "A01"


def test_a_copy_that_cannot_be_written_is_told_and_nothing_is_started(make: Make) -> None:
    chip = make(OLD)
    assert NEW.program[1000] != 0
    chip.harness.wear_out(flash_map.PROGRAM_AT + 1000)
    assert chip.converse(chip.update(NEW)).stage == "done"
    assert chip.running(2_000_000) is None
    here = chip.who()
    assert here is not None
    assert (here.stay, here.valid) == (Stay.copy_failed, False)


def test_a_damaged_program_is_mended_from_what_was_kept(make: Make) -> None:
    chip = make()
    assert chip.converse(chip.update(NEW)).stage == "done"
    chip.run_us(300_000)
    chip.harness.program(700, b"\0" * 20)
    chip.cut()
    assert chip.running(400_000) == "B01"
    assert chip.flashed(NEW)


# ---------------------------------------------------------------------- power cuts and broken lines


def course_us(chip: Chip) -> int:
    """Return how long an update takes from the first call to the running program."""
    since = chip.now
    assert chip.converse(chip.update(NEW)).stage == "done"
    assert any(b"[B" in chip.run_us(2000) for _ in range(500))
    return chip.now - since


CUTS = 60


def cut_and_recover(make: Make, at_us: int, seed: int, mutant: str | None = None) -> str | None:
    """Cut the power at a moment of an update; returns what is wrong, None if all is well."""
    chip = make(OLD, mutant)
    since = chip.now
    update = chip.converse(chip.update(NEW), until_us=since + at_us)
    is_promised = update.stage in ("starting", "done")
    chip.run_us(max(0, since + at_us - chip.now))
    chip.cut(seed)
    runs = chip.running(350_000)
    if runs is not None and not (chip.flashed(OLD) if runs == "A01" else chip.flashed(NEW)):
        return f"{runs} runs and is not whole"
    if runs is None:
        return "nothing runs, though one of both could"
    if is_promised and runs != "B01":
        return f"{runs} runs, though the new one was there"
    chip.cut(seed)
    again = chip.converse(chip.update(NEW))
    if again.stage != "done" or chip.running(350_000) is None or not chip.flashed(NEW):
        return f"the next try ends as {again.stage} {again.why}"
    chip.close()
    return None


def test_a_power_cut_at_any_point_of_an_update(make: Make) -> None:
    """Old or new runs, whole, without any help, and the next try succeeds."""
    length = course_us(make(OLD))
    wrong = {
        at: said
        for at in range(0, length, length // CUTS)
        if (said := cut_and_recover(make, at, seed=at)) is not None
    }
    assert wrong == {}


def test_the_cuts_notice_a_bootloader_that_forgets_too_early(make: Make) -> None:
    length = course_us(make(OLD))
    said = [
        cut_and_recover(make, at, seed=at, mutant="forget-early")
        for at in range(length // 2, length, length // 24)
    ]
    assert any(said)


def test_a_broken_transfer_is_taken_up_where_it_stood(make: Make) -> None:
    chip = make(OLD)
    update = chip.update(NEW)
    while update.pages_sent < 10:
        chip.converse(update, until_us=chip.now + 2000)
    chip.cut()
    again = chip.converse(chip.update(NEW))
    assert (again.stage, again.pages_sent) == ("done", 6)
    assert chip.running(400_000) == "B01"


def test_a_board_that_starts_anew_in_the_middle_is_begun_anew(make: Make) -> None:
    chip = make()
    update = chip.update(NEW)
    while update.pages_sent < 7:
        chip.converse(update, until_us=chip.now + 2000)
    chip.cut()
    chip.converse(update)
    assert (update.stage, update.restarts, update.pages_sent) == ("done", 1, 16)
    assert chip.running(400_000) == "B01"


@pytest.mark.parametrize("seed", range(2))
def test_noise_both_ways(make: Make, seed: int) -> None:
    chip = make(OLD)
    assert chip.who() is not None
    for way in ("to", "from"):
        chip.harness.damage(way, seed, flip=10_000, drop=10_000, insert=1_000)
    update = chip.converse(chip.update(NEW))
    assert (update.stage, update.why) == ("done", None)
    assert update.retries > 20
    for way in ("to", "from"):
        chip.harness.damage(way, seed)
    chip.run_us(400_000)
    assert chip.flashed(NEW)
    chip.cut()
    assert chip.running(2 * START_US) == "B01"


@pytest.mark.parametrize("seed", range(3))
def test_rubbish_is_survived(make: Make, seed: int) -> None:
    chip = make()
    draw = random.Random(seed)
    assert chip.say(draw.randbytes(20_000), 1_000_000) == b""
    assert chip.say(bytes(20_000), 1_000_000) == b""
    assert chip.say(b"\x55" * 20_000, 1_000_000) == b""
    update = chip.converse(chip.update(NEW))
    assert (update.stage, update.why) == ("done", None)
    assert chip.resets == 1
    assert chip.running(400_000) == "B01"


def test_the_slower_rate_is_followed(make: Make) -> None:
    chip = make()
    chip.harness.host_baud(115_200)
    update = chip.converse(chip.update(NEW))
    assert (update.stage, update.why) == ("done", None)
    chip.run_us(400_000)
    assert chip.flashed(NEW)


def random_command(draw: random.Random) -> bytes:
    """Return a frame whose CRC is right: a message with rubbish in it, or no message at all."""
    known = [kind for kind in MESSAGES.values() if kind.KIND == "command" and kind is not Run]
    kind = draw.choice(known)
    data = draw.randbytes(kind.LENGTH)
    if kind.CODE == begin(NEW).CODE and draw.random() < 0.7:
        size = draw.choice((1, 700, flash_map.ROOM))
        return encode_boot(begin(NEW, size=size, source=draw.getrandbits(32)), draw.randrange(256))
    if kind is Block and draw.random() < 0.8:
        data = draw.randrange(40).to_bytes(2, "little") + data[2:]
    return encode_boot(kind.unpack(data), draw.randrange(256))


@pytest.mark.parametrize("seed", range(3))
def test_no_command_writes_outside_the_waiting_room(make: Make, seed: int) -> None:
    chip = make(OLD)
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
    chip = make(OLD)
    chip.run_us(START_US)
    update = chip.converse(chip.update(NEW, call_ms=500))
    assert (update.stage, update.why) == ("failed", "silent")
    assert isinstance(update, Update)
