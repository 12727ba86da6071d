"""What the board keeps in its EEPROM: fault log, statistics, configuration; cut off, worn out, written over.

The core on this machine; `tests/hardware/test_firmware_memory.py` has the same with the binary in simavr.
"""

from __future__ import annotations

import struct
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.firmware.build import build_host
from tests.hardware.test_firmware_core import INPUT, REST, Desk, build, tile

CAUSES = m.ResetCause
FACTORY_JAM_MS = 800
LOG_AT, LOG_SLOT, LOG_SLOTS = 128, 19, 40
CONFIG_AT, CONFIG_SLOT = 64, 20
STATISTICS_AT, STATISTICS_SLOT, STATISTICS_SLOTS = 1024, 98, 16
BYTE_MS = 5


class Memory(Desk):
    """A desk whose EEPROM can be seen, changed, worn out, and cut off in the middle of a write."""

    def memory(self, at: int, count: int) -> bytes:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"d {at} {count}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        assert self.process.stdout.readline() == ".\n"
        return bytes.fromhex(answer[2])

    def put(self, at: int, data: bytes) -> None:
        self.ask(f"m {at} {data.hex()}")

    def cut_after(self, count: int, rubbish: int) -> None:
        self.ask(f"k {count} {rubbish}")

    def start(self, cause: m.ResetCause = CAUSES.power_on) -> Memory:
        self.set(**{name: name in REST for name in INPUT})
        self.cut_after(1_000_000, 0)
        self.power(cause)
        self.link, self.beating = fb.Link(self.now, session=9), True
        self.heard.clear()
        self.up()
        return self

    def ask_board(self, message: Message) -> Message:
        for _ in range(200):
            answer = self.raw(message)
            assert answer is not None
            if not (isinstance(answer, m.Ack) and answer.reason is m.Reason.busy_memory):
                return answer
            self.run(BYTE_MS)
        raise AssertionError("the memory is never at rest")

    def log(self) -> list[m.FaultLogReport]:
        """The records, newest first, without those that are not whole."""
        first = self.ask_board(m.ReadFaultLog(0))
        assert isinstance(first, m.FaultLogReport)
        found = [self.ask_board(m.ReadFaultLog(index)) for index in range(first.count)]
        records = [each for each in found if isinstance(each, m.FaultLogReport) and each.code]
        return [replace(each, index=0, count=0, damaged=0) for each in records]

    def damaged(self) -> int:
        told = self.ask_board(m.ReadFaultLog(0))
        assert isinstance(told, m.FaultLogReport)
        return told.damaged

    def codes(self) -> list[int]:
        return [each.code for each in self.log()]

    def config(self) -> m.ConfigReport:
        told = self.ask_board(m.ReadConfig())
        assert isinstance(told, m.ConfigReport)
        return told

    def statistics(self) -> m.StatisticsReport:
        told = self.ask_board(m.ReadStatistics())
        assert isinstance(told, m.StatisticsReport)
        return told

    def write(self, values: m.ConfigReport) -> str:
        told = {each.name: getattr(values, each.name) for each in fields(m.WriteConfig) if each.name != "was"}
        return self.order(m.WriteConfig(was=values.crc, **told))

    def told(self) -> list[m.Fault]:
        """Faults that came as events."""
        events = [each.message for each in self.heard if isinstance(each, fb.Received)]
        return [each for each in events if isinstance(each, m.Fault)]

    def settle(self) -> None:
        """Everything that is to be written is written."""
        self.run(600)

    def fault(self) -> None:
        """One fault: the lid is opened under the dice, and the latch cleared."""
        assert self.order(m.Dice(500)) == "ok"
        self.set(lid=1)
        self.run(40)
        self.set(lid=0)
        self.run(40)
        assert self.order(m.ClearFault(0)) == "ok"


@pytest.fixture
def desk() -> Iterator[Memory]:
    process = subprocess.Popen([str(build_host())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    made = Memory(process)
    made.set(**dict.fromkeys(REST, 1))
    made.power()
    made.up()
    yield made
    assert process.stdin
    process.stdin.close()
    assert process.wait(10) == 0, "a sanitizer spoke"


# ---------------------------------------------------------------- fault log


def test_a_fault_is_in_the_log_over_a_restart(desk: Memory) -> None:
    assert desk.codes() == []
    assert desk.order(m.Dice(500)) == "ok"
    desk.set(lid=1)
    desk.run(40)
    at = desk.now
    (before,) = desk.log()
    desk.start()
    (after,) = desk.log()
    assert before == after
    assert (after.code, after.side, after.boot_count) == (601, 0, 1)
    assert at - 200 < after.at_ms < at


def test_the_last_32_are_told_newest_first(desk: Memory) -> None:
    for _ in range(LOG_SLOTS + 5):
        desk.fault()
        desk.settle()
    told = desk.log()
    assert len(told) == 32
    assert [each.at_ms for each in told] == sorted((each.at_ms for each in told), reverse=True)
    desk.start()
    assert desk.log() == told
    assert desk.told() == [], "a full ring is no damage"


@pytest.mark.parametrize("rubbish", [0x00, 0x5A, 0xFF])
def test_a_cut_at_any_byte_of_a_record_loses_only_that(desk: Memory, rubbish: int) -> None:
    for _ in range(3):
        desk.fault()
    desk.settle()
    old, before = desk.log(), desk.memory(0, 4096)
    for cut in range(LOG_SLOT + 1):
        desk.put(0, before)
        desk.start()
        desk.cut_after(cut, rubbish)
        desk.fault()
        desk.settle()
        desk.start()
        seen = desk.log()
        assert seen in (old, [seen[0], *old]), f"cut after {cut} bytes"
        assert not [each for each in seen if each.code != 601], (
            f"cut after {cut} bytes: a record from nowhere"
        )
        assert desk.told() == [], "a power cut is no fault of the memory"
        desk.fault()
        desk.settle()
        assert desk.codes() == [601, *[each.code for each in seen]], "what was cut off is written over"


def test_a_record_that_decays_is_counted_and_told_at_every_start(desk: Memory) -> None:
    for _ in range(4):
        desk.fault()
    desk.settle()
    before = desk.log()
    at = LOG_AT + LOG_SLOT + 5
    desk.put(at, bytes((desk.memory(at, 1)[0] ^ 0x10,)))
    desk.start()
    (first,) = desk.told()
    assert (first.code, first.detail) == (902, 1 << 2)
    seen = desk.log()
    assert seen[0].code == 902
    assert seen[1:] == [before[0], before[1], before[3]]
    assert desk.damaged() == 1
    desk.start()
    assert [each.code for each in desk.told()] == [902], "until the ring comes round"
    answer = desk.ask_board(m.SelfTest())
    assert isinstance(answer, m.SelfTestReport)
    assert answer.failed == 1 << 2, "the self-test says so"


# ---------------------------------------------------------------- why it started


@pytest.mark.parametrize(
    ("cause", "code"),
    [(CAUSES.brown_out, 101), (CAUSES.watchdog, 901), (CAUSES.power_on, 0), (CAUSES.external, 0)],
)
def test_the_board_tells_and_logs_why_it_started(desk: Memory, cause: m.ResetCause, code: int) -> None:
    desk.start(cause)
    wanted = [m.Fault(code, 0, 0)] if code else []
    assert desk.told() == wanted
    assert desk.codes() == [code] * bool(code)
    desk.link = fb.Link(desk.now, session=10)
    desk.heard.clear()
    desk.up()
    desk.run(100)
    assert desk.told() == [], "another host does not hear it again"


def test_what_nobody_heard_is_in_the_log(desk: Memory) -> None:
    desk.power(CAUSES.watchdog)
    desk.run(500)
    desk.start()
    assert desk.told() == []
    assert desk.codes() == [901]


def test_an_overwritten_end_of_the_stack_latches_until_the_power_is_off(desk: Memory) -> None:
    desk.ask("c 0")
    desk.run(30)
    assert desk.told()[0].code == 903
    assert desk.order(m.ClearFault(0)) == "latched"
    assert desk.order(m.Home()) == "latched"
    desk.ask("c 1")
    desk.start()
    assert desk.codes() == [903]
    assert desk.order(m.Home()) == "ok"


# ---------------------------------------------------------------- statistics


def test_a_build_is_counted_and_kept(desk: Memory) -> None:
    assert desk.order(m.Home()) == "ok"
    build(desk, 112, (28, 28, 28, 28))
    desk.settle()
    told = desk.statistics()
    assert (told.builds, told.tiles, told.boots) == (1, 112, 1)
    seconds = desk.ask_board(m.ReadMotorSeconds(0)), desk.ask_board(m.ReadMotorSeconds(8))
    first, second = seconds
    assert isinstance(first, m.MotorSecondsReport)
    assert isinstance(second, m.MotorSecondsReport)
    assert first.seconds_0 >= 1
    assert second.seconds_0 > first.seconds_0, "the turntable runs longer than a feed"
    desk.start()
    assert replace(desk.statistics(), boots=1) == told, "saved after the build"
    assert desk.statistics().boots == 2
    assert (desk.ask_board(m.ReadMotorSeconds(0)), desk.ask_board(m.ReadMotorSeconds(8))) == seconds


def test_throws_and_faults_are_kept_after_five_minutes(desk: Memory) -> None:
    desk.fault()
    desk.settle()
    empty = desk.memory(STATISTICS_AT, STATISTICS_SLOT)
    assert set(empty) == {0xFF}, "not every throw wears the memory"
    desk.beating = False
    desk.ask("t 301000")
    told = desk.statistics()
    assert (told.throws, told.faults) == (1, 1)
    desk.start()
    assert (desk.statistics().throws, desk.statistics().faults) == (1, 1)


def test_nothing_is_written_while_nothing_happens(desk: Memory) -> None:
    desk.settle()
    before = desk.memory(0, 4096)
    desk.beating = False
    desk.ask("t 1300000")
    assert desk.memory(0, 4096) == before


def test_the_statistics_survive_a_cut_at_any_byte(desk: Memory) -> None:
    assert desk.order(m.Home()) == "ok"
    build(desk, 112, (28, 28, 28, 28))
    desk.settle()
    kept, before = desk.statistics(), desk.memory(0, 4096)
    for cut in range(0, STATISTICS_SLOT, 3):
        desk.put(0, before)
        desk.start()
        desk.fault()
        desk.settle()
        desk.cut_after(cut, 0xA5)
        desk.beating = False
        desk.ask("t 301000")
        desk.start()
        seen = desk.statistics()
        assert (seen.builds, seen.tiles) == (kept.builds, kept.tiles), f"cut after {cut} bytes"
        assert seen.throws in (0, 1)
        assert desk.told() == []


# ---------------------------------------------------------------- configuration


def test_factory_values_are_valid_and_their_crc_is_in_hello(desk: Memory) -> None:
    told = desk.config()
    assert told.valid
    assert told.jam_ms == FACTORY_JAM_MS
    hello = desk.raw(m.Hello(2, 9, m.LAYOUT_HASH))
    assert isinstance(hello, m.HelloReport)
    assert hello.config_crc == told.crc


def test_a_new_value_is_in_force_at_once_and_after_a_restart(desk: Memory) -> None:
    told = desk.config()
    assert desk.write(replace(told, jam_ms=1200, service_code=4711)) == "ok"
    assert (desk.config().jam_ms, desk.config().service_code) == (1200, 4711)
    assert desk.config().crc != told.crc
    desk.settle()
    desk.start()
    assert (desk.config().jam_ms, desk.config().service_code) == (1200, 4711)
    assert desk.told() == []


@pytest.mark.parametrize(
    "changed",
    [
        {"jam_ms": 299}, {"jam_ms": 2001}, {"sets": 0}, {"sets": 3}, {"service_code": 10000},
        {"tile_least_ms": 7}, {"tile_least_ms": 30}, {"reverse_tries": 4}, {"duty_percent": 9},
        {"duty_percent": 101}, {"feed_limit_ma": 0}, {"stack_limit_ma": 20001}, {"main_limit_ma": 199},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_out_of_its_limits_is_refused_whole(desk: Memory, changed: dict[str, Any]) -> None:
    told = desk.config()
    assert desk.write(replace(told, **{"jam_ms": 900, **changed})) == "bad_value"
    assert desk.config() == told


def test_what_somebody_else_wrote_is_not_overwritten(desk: Memory) -> None:
    seen = desk.config()
    assert desk.write(replace(seen, jam_ms=900)) == "ok"
    desk.settle()
    assert desk.write(replace(seen, jam_ms=1000)) == "bad_value"
    assert desk.config().jam_ms == 900


def test_no_value_changes_while_something_moves(desk: Memory) -> None:
    told = desk.config()
    assert desk.order(m.Home()) == "ok"
    assert desk.order(m.Build(136)) == "ok"
    assert desk.write(replace(told, jam_ms=900)) == "busy"


def test_the_jam_time_is_what_the_configuration_says(desk: Memory) -> None:
    assert desk.write(replace(desk.config(), jam_ms=1500, reverse_tries=0)) == "ok"
    assert desk.order(m.Home()) == "ok"
    assert desk.order(m.Build(136)) == "ok"
    desk.run(2000)
    tile(desk, 2)
    desk.set(jam_2=1)
    since = desk.now
    desk.run(1400)
    assert not desk.told()
    desk.run(200)
    assert [(each.code, each.side) for each in desk.told()] == [(302, 2)]
    assert desk.now - since < 1700
    assert desk.statistics().jams_2 == 1


def test_the_configuration_survives_a_cut_at_any_byte(desk: Memory) -> None:
    assert desk.write(replace(desk.config(), jam_ms=900)) == "ok"
    desk.settle()
    before = desk.memory(0, 4096)
    for cut in range(CONFIG_SLOT + 1):
        desk.put(0, before)
        desk.start()
        desk.cut_after(cut, 0x3C)
        assert desk.write(replace(desk.config(), jam_ms=1000)) == "ok"
        desk.settle()
        desk.start()
        told = desk.config()
        assert told.valid
        assert told.jam_ms in (900, 1000), f"cut after {cut} bytes"
        assert [(each.code, each.detail) for each in desk.told()] in ([], [(904, 1)])
        assert told.jam_ms == 900 or not desk.told()
        desk.settle()
        desk.start()
        assert (desk.config().jam_ms, desk.told()) == (told.jam_ms, []), "two good copies again"


def test_both_copies_damaged_is_the_factory_told_until_somebody_sets_it(desk: Memory) -> None:
    for jam_ms in (900, 1000):
        assert desk.write(replace(desk.config(), jam_ms=jam_ms)) == "ok"
        desk.settle()
    for slot in range(2):
        desk.put(CONFIG_AT + slot * CONFIG_SLOT + 6, b"\x77")
    for _ in range(2):
        desk.start()
        told = desk.config()
        assert (told.valid, told.jam_ms) == (False, FACTORY_JAM_MS)
        assert [(each.code, each.detail) for each in desk.told()] == [(904, 2)]
    assert desk.write(replace(told, jam_ms=1100)) == "ok"
    assert desk.config().valid
    desk.settle()
    desk.start()
    assert (desk.config().valid, desk.config().jam_ms) == (True, 1100)


# ---------------------------------------------------------------- the memory itself


def test_a_memory_of_nonsense_is_survived(desk: Memory) -> None:
    desk.put(0, bytes((value * 37 + 11) & 0xFF for value in range(4096)))
    desk.start()
    assert {each.code for each in desk.told()} == {902, 904}
    assert desk.config().jam_ms == FACTORY_JAM_MS
    assert desk.statistics().builds == 0
    assert set(desk.codes()) == {902, 904}
    assert desk.order(m.Home()) == "ok"


def test_every_start_has_another_number_also_after_a_cut(desk: Memory) -> None:
    numbers = []
    for cut in range(12):
        desk.cut_after(cut, 0x99)
        desk.power()
        desk.start()
        hello = desk.raw(m.Hello(2, 9, m.LAYOUT_HASH))
        assert isinstance(hello, m.HelloReport)
        numbers.append(hello.boot_count)
    assert numbers == sorted(set(numbers))


def test_a_record_is_a_number_a_body_and_a_seeded_crc(desk: Memory) -> None:
    """As the README says it, so that a programmer's dump can be read."""
    desk.fault()
    desk.settle()
    record = desk.memory(LOG_AT, LOG_SLOT)
    number, code, side, detail, boot_count, at_ms = struct.unpack("<HHBHII", record[:-4])
    assert (number, code, side, boot_count) == (1, 601, 0, 1)
    assert int.from_bytes(record[-4:], "little") == zlib.crc32(record[:-4], 0x4D4A0000 + LOG_AT)
    assert at_ms > 0
    assert detail == 0
