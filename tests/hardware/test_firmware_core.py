"""The firmware's core on this machine (gcc, sanitizers): timelines of inputs, orders and expected outputs.

`Desk` is the board on a desk: inputs by the names of devices.toml, orders over the real link, time in steps
of 1 ms ("smooth") or in jumps of 7 ms ("jumping"), and at the end a quiet minute in which nothing may happen.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import RAW_STOP, Frame, FrameClass, FrameDecoder, encode
from firmware_bridge.wire import Message
from hardware.firmware.build import build_host
from hardware.firmware.devices import input_id, load_devices

DEVICES = load_devices()["devices"]
INPUT = {row["id"]: input_id(row) for group in ("sensors", "keys") for row in DEVICES[group]}
MOTOR = {row["status"]: row["id"] for row in DEVICES["actuators"]}
SIDES = (1, 2, 3, 4)
REST = ("dome_down", *(f"{name}_{n}" for name in ("stack_home", "tray_down") for n in SIDES))


@dataclass
class Desk:
    """One process of the core, one link to it."""

    process: subprocess.Popen[str]
    jump: int = 1
    now: int = 0
    motors: set[str] = field(default_factory=set)
    lamps: int = 0
    heard: list[fb.LinkEvent] = field(default_factory=list)
    edges: list[tuple[int, str, bool]] = field(default_factory=list)
    beating: bool = True
    last_beat: int = 0
    damage: Callable[[bytes], bytes] = bytes
    link: fb.Link = field(default_factory=lambda: fb.Link(0, session=9))

    def ask(self, line: str) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        while (answer := self.process.stdout.readline().strip()) != ".":
            assert answer, f"the core ended at {line[:40]!r}"
            kind, _, rest = answer.split(" ", 2)
            if kind == "M":
                self.take_motors(int(rest, 16))
            elif kind == "L":
                self.lamps = int(rest, 16)
            elif kind == "T":
                self.heard += self.link.feed(self.damage(bytes.fromhex(rest)), self.now)

    def take_motors(self, bits: int) -> None:
        on = {name for bit, name in MOTOR.items() if bits >> bit & 1}
        self.edges += [(self.now, name, name in on) for name in sorted(on ^ self.motors)]
        self.motors = on

    def set(self, **levels: int) -> None:
        for name, level in levels.items():
            self.ask(f"i {INPUT[name]} {int(level)}")

    def flush(self) -> None:
        data = self.damage(self.link.take_output())
        if data:
            self.ask(f"x {data.hex()}")

    def run(self, ms: int) -> None:
        end = self.now + ms
        while self.now < end:
            step = min(self.jump, end - self.now)
            self.now += step
            if self.beating and self.now // 100 != (self.now - step) // 100:
                self.link.beat(self.now)
                self.last_beat = self.now
            self.ask(f"t {step}" if self.jump == 1 else f"j {step}")
            self.heard += self.link.tick(self.now)
            self.flush()

    def power(self, cause: m.ResetCause = m.ResetCause.power_on) -> Desk:
        self.ask(f"r {int(cause)}")
        return self

    def again(self) -> None:
        """A table at rest, just switched on, and a host that is new to it."""
        self.set(**{name: name in REST for name in INPUT})
        self.power()
        self.link, self.beating = fb.Link(self.now, session=9), True
        self.heard.clear()
        self.edges.clear()

    def up(self) -> Desk:
        self.heard += self.link.connected(self.now)
        self.flush()
        self.run(30)
        assert self.link.state == "ready"
        return self

    def order(self, message: Message, ms: int = 25) -> str:
        """Send and wait a little; returns "ok", or the name of the refusal."""
        ticket = self.link.send(message, self.now)
        self.flush()
        self.run(ms)
        for event in self.heard:
            if isinstance(event, fb.Done) and event.ticket == ticket:
                return "ok"
            if isinstance(event, fb.Refused) and event.ticket == ticket:
                return event.reason_key
        return "nothing"

    def raw(self, message: Message, seq: int | None = None, boot_id: int | None = None) -> Message | None:
        """Send past the link, as another seq or boot if wanted; returns the board's answer."""
        self.run(30)
        answers: list[Frame] = []
        decoder = FrameDecoder()
        number = (self.link._seq + 1) & 0xFF if seq is None else seq
        boot = self.link.boot_id if boot_id is None else boot_id
        was, self.damage = self.damage, lambda data: (answers.extend(decoder.feed(data)), data)[1]
        self.ask(f"x {encode(FrameClass.COMMAND, number, boot, message).hex()}")
        self.run(3)
        self.damage = was
        if seq is None:
            self.link._seq = number
        found = [each for each in answers if each.kind == FrameClass.RESPONSE and each.seq == number]
        return found[-1].message if found else None

    def homed(self) -> Desk:
        assert self.up().order(m.Home(), 100) == "ok"
        assert m.HomeDone() in self.events()
        return self

    def events(self, *kinds: type[Message]) -> list[Message]:
        got = [event.message for event in self.heard if isinstance(event, fb.Received)]
        return [each for each in got if not kinds or isinstance(each, kinds)]

    def status(self) -> m.StatusReport:
        self.order(m.GetStatus())
        for event in reversed(self.heard):
            if isinstance(event, fb.Done) and isinstance(event.response, m.StatusReport):
                return event.response
        raise AssertionError("no STATUS")

    def faults(self) -> list[tuple[int, int]]:
        return [(each.code, each.side) for each in self.events(m.Fault) if isinstance(each, m.Fault)]

    def quiet_minute(self) -> None:
        self.run(500)
        before = (len(self.edges), len(self.events()), self.lamps)
        jump, self.jump = self.jump, 50
        self.run(60_000)
        self.jump = jump
        assert (len(self.edges), len(self.events()), self.lamps) == before


@pytest.fixture(params=[1, 7], ids=["smooth", "jumping"])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield from made_desk(request.param)


def made_desk(jump: int) -> Iterator[Desk]:
    """A table at rest, just switched on; afterwards its process must have ended well."""
    process = subprocess.Popen([str(build_host())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    made = Desk(process, jump)
    made.set(**dict.fromkeys(REST, 1))
    made.power()
    yield made
    assert process.stdin
    process.stdin.close()
    assert process.wait(10) == 0, "a sanitizer spoke"


def tile(desk: Desk, side: int) -> None:
    """One tile passes a counter: 30 ms on, 30 ms off; a stacker that turns leaves home and returns."""
    desk.set(**{f"count_{side}": 1})
    desk.run(30)
    desk.set(**{f"count_{side}": 0})
    desk.run(30)
    turn_stackers(desk)


def turn_stackers(desk: Desk) -> None:
    for side in (1, 2, 3, 4):
        if f"stack_{side}" in desk.motors:
            desk.set(**{f"stack_home_{side}": 0})
            desk.run(60)
            desk.set(**{f"stack_home_{side}": 1})
            desk.run(20)


def build(desk: Desk, tiles: int, shares: tuple[int, int, int, int]) -> None:
    assert desk.order(m.Build(tiles)) == "ok"
    left = list(shares)
    while any(left):
        for side in (1, 2, 3, 4):
            if left[side - 1]:
                assert f"feed_{side}" in desk.motors
                tile(desk, side)
                left[side - 1] -= 1
    desk.run(100)


# ---------------------------------------------------------------- start, link


def test_power_up_tells_and_does_not_move(desk: Desk) -> None:
    desk.up()
    assert desk.events() == [m.Booted(m.ResetCause.power_on, desk.link.boot_id, False)]
    desk.quiet_minute()
    assert desk.edges == []


def test_golden_hello(desk: Desk) -> None:
    """The C side makes the bytes that the Python side makes for the same message."""
    desk.up()
    (ready,) = [event for event in desk.heard if isinstance(event, fb.Ready)]
    report = ready.hello
    assert (report.version, report.layout, report.board) == (m.PROTOCOL_VERSION, m.LAYOUT_HASH, m.Board.host)
    assert report.version_least == m.PROTOCOL_VERSION
    lines: list[bytes] = []
    desk.damage = lambda data: (lines.append(data), data)[1]
    desk.run(1100)
    note = [line for line in lines if len(line) > 40][-1]
    status = [event.message for event in desk.heard if isinstance(event, fb.Status)][-1]
    assert note == encode(FrameClass.NOTE, 0, desk.link.boot_id, status)


def test_every_boot_has_another_id(desk: Desk) -> None:
    seen = set()
    for _ in range(20):
        desk.power()
        desk.link = fb.Link(desk.now, session=9)
        seen.add(desk.up().link.boot_id)
    assert len(seen) == 20


def test_reset_on_the_way_is_told(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up)) == "ok"
    desk.power(m.ResetCause.watchdog)
    assert desk.motors == set()
    desk.run(200)
    assert [event.cause for event in desk.heard if isinstance(event, fb.Rebooted)] == [m.ResetCause.watchdog]
    assert not desk.status().homed
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up)) == "not_homed"


def test_keys_are_debounced_and_told(desk: Desk) -> None:
    desk.up()
    for level in (1, 0, 1):  # bounce
        desk.set(key_lift_a=level)
        desk.run(7)
    desk.run(60)
    desk.set(key_lift_a=0)
    desk.run(60)
    assert desk.events(m.Key) == [m.Key(m.KeyId.lift_a, True), m.Key(m.KeyId.lift_a, False)]
    desk.set(key_dice_3=1)
    desk.run(10_200)
    assert desk.faults() == [(501, 3)]
    assert desk.status().state == m.State.idle


def test_unknown_command_and_bad_values_are_refused(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(137)) == "bad_value"
    assert desk.order(m.Dice(100)) == "bad_value"
    assert desk.order(m.Lamp(5)) == "bad_value"
    assert desk.order(m.Lift(m.Target(7), m.Direction.up)) == "bad_value"


def test_another_host_program_starts_afresh(desk: Desk) -> None:
    desk.up()
    desk.link.disconnected(desk.now)
    desk.set(key_lift_a=1)
    desk.run(100)
    desk.link = fb.Link(desk.now, session=77)
    desk.up()
    desk.run(200)
    assert desk.events(m.Key) == []
    assert desk.status().keys == 1


# ---------------------------------------------------------------- orders


def test_nothing_moves_before_homing_but_the_dice(desk: Desk) -> None:
    desk.up()
    assert desk.order(m.Build(136)) == "not_homed"
    assert desk.order(m.Lift(m.Target.dome, m.Direction.up)) == "not_homed"
    assert desk.order(m.Dice(500)) == "ok"
    assert desk.order(m.Dice(500)) == "busy"
    desk.run(400)
    assert "dice" in desk.motors
    desk.run(100)
    assert desk.motors == set()
    assert desk.events(m.DiceDone) == []
    desk.run(650)
    assert desk.events(m.DiceDone) == [m.DiceDone()]
    desk.quiet_minute()


def test_lamps(desk: Desk) -> None:
    desk.up()
    for side, bits in ((1, 1), (3, 4), (4, 8), (0, 0)):
        assert desk.order(m.Lamp(side)) == "ok"
        assert desk.lamps == bits


def test_homing_lowers_the_dome_first_then_trays_then_turns_stackers(desk: Desk) -> None:
    desk.set(dome_down=0, tray_down_2=0, stack_home_4=0)
    desk.up()
    assert desk.order(m.Home(), 200) == "ok"
    assert desk.motors == {"dome_lower"}
    desk.set(dome_down=1)
    desk.run(100)
    assert desk.motors == {"tray_lower"}
    desk.set(tray_down_2=1)
    desk.run(100)
    assert desk.motors == {"stack_4"}
    desk.set(stack_home_4=1)
    desk.run(100)
    assert desk.motors == set()
    assert desk.events(m.HomeDone) == [m.HomeDone()]
    assert desk.status().homed
    desk.quiet_minute()


def test_trays_up_and_down(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up), 500) == "ok"
    assert desk.motors == {"tray_raise"}
    assert desk.order(m.Lift(m.Target.trays, m.Direction.down)) == "busy"
    desk.set(**{f"tray_down_{n}": 0 for n in (1, 2, 3, 4)}, **{f"tray_up_{n}": 1 for n in (1, 2, 3)})
    desk.run(300)
    assert desk.motors == {"tray_raise"}
    desk.set(tray_up_4=1)
    desk.run(60)
    assert desk.motors == set()
    assert desk.events(m.LiftDone) == [m.LiftDone(m.Target.trays, m.Direction.up)]
    assert desk.status().state == m.State.in_play
    assert desk.order(m.Lift(m.Target.dome, m.Direction.up)) == "trays_not_down"
    assert desk.order(m.Build(136)) == "trays_not_down"
    desk.quiet_minute()


def test_trays_never_move_with_the_dome_up(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Lift(m.Target.dome, m.Direction.up)) == "ok"
    desk.set(dome_down=0)
    desk.run(300)
    desk.set(dome_up=1)
    desk.run(50)
    assert desk.status().state == m.State.loading
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up)) == "dome_not_down"
    assert desk.order(m.Build(136)) == "dome_not_down"
    assert desk.motors == set()


@pytest.mark.parametrize(
    ("target", "direction", "late_ms", "fault"),
    [
        (m.Target.trays, m.Direction.up, 4_200, (401, 1)),
        (m.Target.dome, m.Direction.up, 3_200, (411, 0)),
    ],
)
def test_a_limit_that_does_not_come_stops_the_motor(
    desk: Desk, target: m.Target, direction: m.Direction, late_ms: int, fault: tuple[int, int]
) -> None:
    desk.homed()
    assert desk.order(m.Lift(target, direction), late_ms) == "ok"
    assert desk.motors == set()
    assert desk.faults() == [fault]
    status = desk.status()
    assert (status.state, status.fault, status.stopped, status.homed) == (
        m.State.fault,
        fault[0],
        True,
        False,
    )
    assert desk.order(m.Home()) == "latched"
    desk.quiet_minute()
    assert desk.order(m.ClearFault(0)) == "ok"
    assert desk.events(m.FaultCleared)
    assert desk.order(m.Lift(target, direction)) == "not_homed"


# ---------------------------------------------------------------- building


def test_build_counts_stacks_and_is_ready(desk: Desk) -> None:
    desk.homed()
    build(desk, 136, (34, 34, 34, 34))
    (done,) = desk.events(m.BuildDone)
    assert isinstance(done, m.BuildDone)
    assert (done.count_1, done.count_2, done.count_3, done.count_4) == (34, 34, 34, 34)
    counts = desk.events(m.Count)
    assert len(counts) == 136
    assert counts[-1] == m.Count(4, 34, 136)
    pushes = [name for _, name, on in desk.edges if on and name.startswith("stack_")]
    assert {name: pushes.count(name) for name in set(pushes)} == dict.fromkeys(
        ("stack_1", "stack_2", "stack_3", "stack_4"), 17
    )
    assert desk.motors == set()
    assert desk.status().state == m.State.ready
    assert desk.faults() == []
    desk.quiet_minute()


def test_108_tiles_lie_14_13_14_13(desk: Desk) -> None:
    desk.homed()
    build(desk, 108, (28, 26, 28, 26))
    assert desk.events(m.BuildDone)


def test_an_interrupted_build_goes_on(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(108)) == "ok"
    for side in (1, 2, 1, 3):
        tile(desk, side)
    desk.set(jam_3=1)
    desk.run(1000)
    assert desk.faults() == [(363, 3)], "turned back within a second"
    desk.run(2000)
    told = [(363, 3), (363, 3), (303, 3)]
    assert desk.faults() == told
    assert desk.motors == set()
    desk.set(jam_3=0)
    assert desk.order(m.ClearFault(0), 50) == "ok"
    assert desk.order(m.Build(136)) == "wall_inside"
    build(desk, 108, (26, 25, 27, 26))
    assert desk.faults() == told
    (done,) = desk.events(m.BuildDone)
    assert isinstance(done, m.BuildDone)
    assert (done.count_1, done.count_2, done.count_3, done.count_4) == (28, 26, 28, 26)


def test_dice_thrown_at_the_end_of_a_build_roll_on_and_are_told(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(108)) == "ok"
    for turn in range(28):
        for side, share in zip(SIDES, (28, 26, 28, 25), strict=True):
            if turn < share:
                tile(desk, side)
    assert desk.order(m.Dice(1500)) == "ok"
    thrown = desk.now
    tile(desk, 4)
    desk.run(200)
    assert desk.events(m.BuildDone)
    assert desk.motors == {"dice"}
    desk.run(thrown + 1400 - desk.now)
    assert desk.motors == {"dice"}
    desk.run(800)
    assert desk.motors == set()
    assert desk.events(m.DiceDone) == [m.DiceDone()]
    assert desk.order(m.Dice(500), 1300) == "ok"
    desk.quiet_minute()


def start_build(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(136)) == "ok"


def test_stacker_that_does_not_leave_home(desk: Desk) -> None:
    start_build(desk)
    for _ in range(2):
        desk.set(count_2=1)
        desk.run(30)
        desk.set(count_2=0)
        desk.run(30)
    desk.run(400)
    assert desk.faults() == [(312, 2)]
    assert not desk.status().homed


def test_stacker_that_does_not_return(desk: Desk) -> None:
    start_build(desk)
    for _ in range(2):
        desk.set(count_2=1)
        desk.run(30)
        desk.set(count_2=0)
        desk.run(30)
    desk.set(stack_home_2=0)
    desk.run(950)
    assert desk.faults() == [(312, 2)]
    assert desk.motors == set()


def test_counter_stuck(desk: Desk) -> None:
    start_build(desk)
    desk.set(count_4=1)
    desk.run(2300)
    assert desk.faults() == [(334, 4)]


def test_counter_silent(desk: Desk) -> None:
    start_build(desk)
    for _ in range(20):
        for side in (1, 2, 4):
            tile(desk, side)
    desk.run(50)
    assert desk.faults() == [(323, 3)]


def test_tiles_that_back_up_uncounted_mean_a_blind_counter(desk: Desk) -> None:
    start_build(desk)
    tile(desk, 3)
    desk.run(600)
    desk.set(jam_3=1)
    desk.run(780)
    assert desk.faults() == []
    desk.run(100)
    assert desk.faults() == [(323, 3)]
    assert desk.motors == set()


@pytest.mark.parametrize(("pulses", "faults"), [(4, []), (5, [(332, 2)])])
def test_light_is_no_tile(desk: Desk, pulses: int, faults: list[tuple[int, int]]) -> None:
    desk.jump = 1
    start_build(desk)
    for _ in range(pulses):
        desk.set(count_2=1)
        desk.run(10)
        desk.set(count_2=0)
        desk.run(10)
    desk.run(20)
    assert desk.faults() == faults
    assert desk.events(m.Count) == []


def test_a_tile_caught_under_the_counter_by_a_stop_still_counts(desk: Desk) -> None:
    start_build(desk)
    desk.set(count_4=1)
    desk.run(10)
    desk.ask("x " + RAW_STOP.hex())
    desk.run(30)
    desk.set(count_4=0)
    desk.run(60)
    assert desk.events(m.Count) == [m.Count(4, 1, 1)]
    desk.run(500)
    tile(desk, 4)  # someone wipes the eye
    assert len(desk.events(m.Count)) == 1


def test_after_an_extra_tile_was_taken_out_the_build_goes_on(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(108)) == "ok"
    for _ in range(26):
        for side in SIDES:
            tile(desk, side)
    tile(desk, 2)
    assert desk.faults() == [(342, 2)]
    assert desk.order(m.ClearFault(0)) == "ok"
    build(desk, 108, (2, 0, 2, 0))
    assert desk.events(m.BuildDone)
    assert desk.status().state == m.State.ready


def test_a_limit_that_stays_closed_is_told(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Lift(m.Target.trays, m.Direction.up), 500) == "ok"
    desk.set(**{f"tray_down_{n}": n == 2 for n in SIDES}, **{f"tray_up_{n}": 1 for n in SIDES})
    desk.run(60)
    assert desk.faults() == [(405, 2)]
    assert desk.motors == set()
    desk.quiet_minute()


def test_missing_tiles(desk: Desk) -> None:
    start_build(desk)
    for _ in range(3):
        for side in (1, 2, 3, 4):
            tile(desk, side)
    desk.run(15_300)
    assert desk.faults() == [(341, 0)]
    assert desk.events(m.Fault)[0] == m.Fault(341, 0, 124)


def test_extra_tile(desk: Desk) -> None:
    desk.homed()
    assert desk.order(m.Build(108)) == "ok"
    for _ in range(26):
        for side in (1, 2, 3, 4):
            tile(desk, side)
    assert "feed_2" not in desk.motors
    tile(desk, 2)
    assert desk.faults() == [(342, 2)]


def test_slow_build_is_told_and_goes_on_until_200_s(desk: Desk) -> None:
    start_build(desk)
    turns = 0
    while not desk.faults():
        tile(desk, turns % 4 + 1)
        desk.run(2000)
        turns += 1
    assert desk.faults() == [(351, 0)]
    assert "turn" in desk.motors
    while len(desk.faults()) == 1:
        tile(desk, turns % 4 + 1)
        desk.run(1500)
        turns += 1
    assert desk.faults() == [(351, 0), (352, 0)]
    assert 198_000 < desk.now < 206_000


# ---------------------------------------------------------------- stops, in every state


def busy_states(desk: Desk, state: str) -> None:
    if state == "dice":
        desk.up()
        desk.order(m.Dice(3000))
    elif state == "home":
        desk.set(tray_down_1=0)
        desk.up()
        desk.order(m.Home())
    elif state == "lift":
        desk.homed()
        desk.order(m.Lift(m.Target.dome, m.Direction.up))
    elif state == "build":
        start_build(desk)
    elif state == "rest":
        desk.homed()
    elif state == "fault":
        desk.homed()
        desk.order(m.Lift(m.Target.dome, m.Direction.up), 3300)
    elif state == "lid":
        desk.set(lid=1)
        desk.up()


STATES = ("rest", "dice", "home", "lift", "build", "fault", "lid")


@pytest.mark.parametrize("state", STATES)
def test_raw_stop_in_every_state(desk: Desk, state: str) -> None:
    busy_states(desk, state)
    desk.ask("x " + (b"\x77" * 40 + RAW_STOP).hex())
    assert desk.motors == set()
    desk.run(30)
    status = desk.status()
    assert status.stopped
    assert status.state == (m.State.fault if state == "fault" else m.State.stopped)
    assert desk.order(m.Dice(500)) == "latched"
    assert desk.order(m.Home()) == "latched"
    desk.quiet_minute()
    assert desk.order(m.ClearFault(0)) == "ok"
    assert not desk.status().stopped


@pytest.mark.parametrize(
    ("ahead", "boots"), [(0, 1), (-5, 0), (-100, 0), (1, 0)], ids=["stale boot", "old", "older", "in turn"]
)
@pytest.mark.parametrize("state", ["rest", "dice", "home", "lift", "build"])
def test_a_framed_stop_and_a_question_count_whatever_their_number(
    desk: Desk, state: str, ahead: int, boots: int
) -> None:
    busy_states(desk, state)
    seq, boot = (desk.link._seq + ahead) & 0xFF, desk.link.boot_id + boots
    assert isinstance(desk.raw(m.GetStatus(), seq, boot), m.StatusReport)
    assert desk.raw(m.Stop(), (seq + (ahead == 1)) & 0xFF, boot) == m.Ack(m.Stop.CODE, m.Reason.none)
    assert desk.motors == set()
    desk.link._seq += 3
    assert desk.status().state == m.State.stopped


def test_without_a_session_a_stop_and_a_question_are_answered(desk: Desk) -> None:
    assert isinstance(desk.raw(m.GetStatus()), m.StatusReport)
    assert desk.raw(m.Dice(500)) == m.Ack(m.Dice.CODE, m.Reason.no_session)
    assert desk.raw(m.Stop()) == m.Ack(m.Stop.CODE, m.Reason.none)
    desk.link = fb.Link(desk.now, session=9)
    assert desk.up().status().state == m.State.stopped


def test_booted_is_told_to_the_first_host_that_can_read_it(desk: Desk) -> None:
    desk.raw(m.Hello(1, 700, m.LAYOUT_HASH ^ 1))
    desk.run(50)
    desk.up()
    assert desk.events() == [m.Booted(m.ResetCause.power_on, desk.link.boot_id, False)]
    desk.link = fb.Link(desk.now, session=10)
    desk.heard.clear()
    desk.up()
    assert desk.events() == []


@pytest.mark.parametrize("lost", ["clear", "clear and answers", "nothing"])
def test_a_clear_on_its_way_does_not_undo_a_stop(desk: Desk, lost: str) -> None:
    busy_states(desk, "dice")
    desk.ask("x " + RAW_STOP.hex())
    desk.run(30)
    desk.link.send(m.ClearFault(0), desk.now)
    desk.link.send(m.Dice(3000), desk.now)
    clear = desk.link.take_output()
    if lost == "nothing":
        desk.ask("x " + clear.hex())
    desk.link.stop(desk.now)
    if lost == "clear and answers":
        desk.damage = lambda _: b""
        desk.flush()
        desk.damage = bytes
        desk.ask("x " + clear.hex())  # a copy that took its time
    desk.run(400)
    assert desk.motors == set()
    assert not desk.link.stopping
    assert desk.status().state == m.State.stopped
    desk.quiet_minute()
    assert desk.order(m.ClearFault(0)) == "ok"


def test_a_clear_for_an_older_stop_is_refused(desk: Desk) -> None:
    busy_states(desk, "dice")
    desk.ask("x " + RAW_STOP.hex())
    desk.run(30)
    old = desk.status().stops
    desk.ask("x " + RAW_STOP.hex())
    assert desk.raw(m.ClearFault(old)) == m.Ack(m.ClearFault.CODE, m.Reason.stopped_since)
    assert desk.status().stopped
    assert desk.raw(m.ClearFault(desk.status().stops)) == m.Ack(m.ClearFault.CODE, m.Reason.none)


@pytest.mark.parametrize("state", STATES)
def test_estop_in_every_state(desk: Desk, state: str) -> None:
    busy_states(desk, state)
    desk.set(estop=1)
    assert desk.motors == set()
    desk.run(50)
    assert desk.status().state == m.State.estop
    assert desk.faults()[-1] == (602, 0)
    assert desk.order(m.ClearFault(0)) == "estop"
    desk.set(estop=0)
    desk.run(50)
    assert desk.status().state == m.State.estop
    desk.quiet_minute()
    assert desk.order(m.ClearFault(0)) == "ok"
    assert desk.status().fault == 0


def test_no_motor_starts_while_the_estop_is_not_yet_debounced(desk: Desk) -> None:
    desk.homed()
    desk.ask("x " + RAW_STOP.hex())
    desk.run(20)
    edges = len(desk.edges)
    desk.set(estop=1)
    desk.link.send(m.ClearFault(0), desk.now)
    desk.link.send(m.Dice(1000), desk.now)
    for _ in range(10):
        desk.flush()
        desk.run(1)
    assert len(desk.edges) == edges
    assert desk.status().state == m.State.estop


def test_an_estop_glitch_too_short_to_see_still_latches(desk: Desk) -> None:
    busy_states(desk, "lift")
    desk.set(estop=1)
    desk.set(estop=0)
    desk.run(30)
    assert desk.status().state == m.State.estop


@pytest.mark.parametrize("state", ["dice", "home", "lift", "build"])
def test_a_silent_host_stops_what_moves_within_600_ms(desk: Desk, state: str) -> None:
    busy_states(desk, state)
    desk.beating = False
    start = desk.now
    while desk.motors:
        desk.run(1)
        assert desk.now - start <= 600
    desk.run(30)
    assert desk.faults() == [(201, 0)]
    assert desk.status().state == m.State.safe
    desk.quiet_minute()


def life_of(desk: Desk, order: str, die_ms: int) -> None:
    """Live through a whole order with a plant that answers; the host dies `die_ms` after its start."""
    if order == "home":
        desk.set(dome_down=0, tray_down_2=0, stack_home_1=0, stack_home_4=0)
        desk.up()
    else:
        desk.homed()
    want = {"home": m.Home(), "build": m.Build(108), "dice": m.Dice(900)}
    begun = desk.now
    assert desk.order(want.get(order, m.Lift(m.Target.dome, m.Direction.up)), 1) == "ok"
    desk.last_beat = desk.now
    steps = 0
    while desk.now - begun < die_ms + 700:
        if desk.beating and desk.now - begun >= die_ms:
            desk.beating = False
            desk.link.disconnected(desk.now)
        desk.run(10)
        steps += 1
        age = desk.now - begun
        if order == "home":
            levels = {"dome_down": age > 300, "tray_down_2": age > 600}
            desk.set(**levels, stack_home_1=age > 750, stack_home_4=age > 1000)
        elif order == "lift":
            desk.set(dome_down=age < 100, dome_up=age > 700)
        elif order == "build":
            turning = {
                f"stack_home_{n}": not (f"stack_{n}" in desk.motors and steps % 20 < 10) for n in SIDES
            }
            desk.set(**turning, **{f"count_{n}": (steps + 2 * n) // 4 % 2 for n in SIDES})


@pytest.mark.parametrize("order", ["home", "lift", "build", "dice"])
def test_a_host_that_dies_at_any_moment_of_an_order_stops_it_within_600_ms(desk: Desk, order: str) -> None:
    """The beat that counts is the last one before the death, whatever step comes after it."""
    for die_ms in range(0, 1200, 75):
        desk.again()
        life_of(desk, order, die_ms)
        assert desk.motors == set(), die_ms
        assert desk.edges[-1][0] - desk.last_beat <= 600, die_ms


def test_a_silent_host_at_rest_is_no_fault(desk: Desk) -> None:
    desk.homed()
    desk.beating = False
    desk.quiet_minute()
    assert desk.faults() == []


@pytest.mark.parametrize("state", ["dice", "home", "lift", "build"])
def test_an_open_lid_stops_what_moves(desk: Desk, state: str) -> None:
    busy_states(desk, state)
    desk.set(lid=1)
    desk.run(40)
    assert desk.motors == set()
    assert desk.faults() == [(601, 0)]
    desk.order(m.ClearFault(0))
    assert desk.order(m.Home()) == "lid_open"
    assert desk.order(m.Dice(500)) == "lid_open"


@pytest.mark.parametrize(("number", "millivolt", "code"), [(0, 3_300, 102), (1, 550, 511)])
def test_a_low_voltage_stops_all_and_must_be_gone_before_it_is_cleared(
    desk: Desk, number: int, millivolt: int, code: int
) -> None:
    start_build(desk)
    desk.ask(f"a {number} {millivolt}")
    desk.run(60)
    desk.ask(f"a {number} 4000")  # a dip as when a motor starts
    desk.run(300)
    assert "turn" in desk.motors
    desk.ask(f"a {number} {millivolt}")
    desk.run(150)
    assert desk.motors == set()
    desk.run(30)
    assert desk.faults() == [(code, 0)]
    assert desk.order(m.ClearFault(0)) == "latched"
    assert desk.order(m.Home()) == "latched"
    assert desk.faults() == [(code, 0)]
    desk.ask(f"a {number} 4000")
    desk.run(100)
    assert desk.order(m.ClearFault(0)) == "ok"
    assert desk.order(m.Home()) == "ok"
    desk.quiet_minute()


@pytest.mark.parametrize(
    ("state", "lost", "fault"),
    [
        ("trays", "dome_down", (412, 0)),
        ("lift", "tray_down_3", (403, 3)),
        ("build", "tray_down_2", (402, 2)),
        ("build", "dome_down", (412, 0)),
    ],
)
def test_what_leaves_its_place_under_an_order_stops_it(
    desk: Desk, state: str, lost: str, fault: tuple[int, int]
) -> None:
    if state == "trays":
        desk.homed()
        assert desk.order(m.Lift(m.Target.trays, m.Direction.up)) == "ok"
    else:
        busy_states(desk, state)
    desk.set(**{lost: 0})
    desk.run(8)
    assert desk.motors
    desk.run(12)
    assert desk.motors == set()
    desk.run(20)
    assert desk.faults() == [fault]
    assert desk.status().state == m.State.fault
    desk.quiet_minute()


# ---------------------------------------------------------------- the same link on a bad wire


@pytest.mark.parametrize("seed", range(6))
def test_orders_and_events_over_a_bad_wire(desk: Desk, seed: int) -> None:
    """1 % of bytes flipped, 1 % dropped: every order once, every event once and in order."""
    desk.up()
    rng = random.Random(seed)

    def damage(data: bytes) -> bytes:
        kept = (byte for byte in data if rng.random() >= 0.01)
        return bytes(byte ^ (1 << rng.randrange(8)) if rng.random() < 0.01 else byte for byte in kept)

    desk.damage = damage
    sides = [n % 4 + 1 for n in range(60)]
    presses = 0
    for side in sides:
        desk.order(m.Lamp(side), 20)
        if side == 2:
            desk.set(key_dice_1=presses % 2 ^ 1)
            presses += 1
            desk.run(30)
    desk.run(2000)
    desk.damage = bytes
    desk.run(3000)
    done = [event for event in desk.heard if isinstance(event, fb.Done)]
    failed = [event for event in desk.heard if isinstance(event, fb.Failed)]
    assert len(done) + len(failed) == len(sides)
    assert not failed
    keys = desk.events(m.Key)
    assert keys == [m.Key(m.KeyId.dice_1, n % 2 == 0) for n in range(presses)]
