"""Messages of TableLink, one frozen dataclass each.

Generated from protocol.toml by `python -m firmware_bridge.generate`; do not edit.
"""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import ClassVar

from firmware_bridge.wire import Kind, Message, WireEnum

PROTOCOL_VERSION = 1
LAYOUT_HASH = 0x7E170FB4
BAUD = 250000
BAUD_FALLBACK = 115200
MAX_PAYLOAD = 48


class State(WireEnum):
    """What the machine does."""

    boot = 0
    idle = 1
    homing = 2
    loading = 3
    building = 4
    ready = 5
    lifting = 6
    in_play = 7
    fault = 8
    safe = 9
    estop = 10
    stopped = 11


class Position(WireEnum):
    """Where the trays or the dome are."""

    unknown = 0
    down = 1
    up = 2
    moving = 3


class Target(WireEnum):
    """What is lifted."""

    trays = 0
    dome = 1


class Direction(WireEnum):
    """Which way."""

    up = 0
    down = 1


class KeyId(WireEnum):
    """A key of the table."""

    lift_a = 0
    lift_b = 1
    dice_1 = 2
    dice_2 = 3
    dice_3 = 4
    dice_4 = 5


class ResetCause(WireEnum):
    """Why the board started."""

    unknown = 0
    power_on = 1
    external = 2
    brown_out = 3
    watchdog = 4
    jtag = 5


class StopReason(WireEnum):
    """Why the motors were stopped."""

    host = 0
    estop = 1
    heartbeat = 2
    lid = 3
    fault = 4


class Reason(WireEnum):
    """Why an order was refused."""

    none = 0
    not_homed = 1
    busy = 2
    lid_open = 3
    estop = 4
    latched = 5
    dome_not_down = 6
    trays_not_down = 7
    bad_value = 8
    unknown_command = 9
    stale_boot = 10
    stacker_not_home = 11
    wall_inside = 12
    no_session = 13
    stopped_since = 14


class Board(WireEnum):
    """The chip."""

    host = 0
    atmega2560 = 1


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Begin a session; a new number drops events and orders of the session before."""

    CODE: ClassVar[int] = 0x01
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 7
    ANSWER: ClassVar[int | None] = 0x41
    STRUCT: ClassVar[Struct] = Struct("<BHI")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    version: int
    session: int
    layout: int


@dataclass(frozen=True, slots=True)
class GetStatus(Message):
    """Ask for STATUS."""

    CODE: ClassVar[int] = 0x02
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = 0x42
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Home(Message):
    """Find the positions: dome down, trays down, stackers home. HomeDone follows."""

    CODE: ClassVar[int] = 0x03
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Build(Message):
    """Shuffle and build the walls (108, 112, 120, 136 or 144 tiles), or go on with an interrupted build. BuildDone follows."""

    CODE: ClassVar[int] = 0x04
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    tiles: int


@dataclass(frozen=True, slots=True)
class Lift(Message):
    """Move the trays or the dome. LiftDone follows."""

    CODE: ClassVar[int] = 0x05
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (Target, Direction,)

    target: Target
    direction: Direction


@dataclass(frozen=True, slots=True)
class Dice(Message):
    """Spin the dice for spin_ms (500 to 3000). DiceDone follows when they lie still."""

    CODE: ClassVar[int] = 0x06
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<H")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    spin_ms: int


@dataclass(frozen=True, slots=True)
class Lamp(Message):
    """Light the dealer lamp of one side (0 = none)."""

    CODE: ClassVar[int] = 0x07
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    side: int


@dataclass(frozen=True, slots=True)
class Stop(Message):
    """Stop all motors and latch. The raw pattern 00 18 18 18 00 does the same without a frame."""

    CODE: ClassVar[int] = 0x08
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class ClearFault(Message):
    """A person says that the cause is gone: unlatch fault, stop, e-stop, safe. Refused unless stops is that of STATUS: a stop that came since is not undone."""

    CODE: ClassVar[int] = 0x09
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    stops: int


@dataclass(frozen=True, slots=True)
class ReadInputs(Message):
    """Ask for raw and debounced inputs and pulse totals."""

    CODE: ClassVar[int] = 0x0A
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = 0x43
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class SelfTest(Message):
    """Check memory, stack, EEPROM and the plausibility of sensors; nothing moves."""

    CODE: ClassVar[int] = 0x0B
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = 0x44
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """Accepted (reason none) or refused."""

    CODE: ClassVar[int] = 0x40
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, Reason,)

    command: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class HelloReport(Message):
    """Who the board is."""

    CODE: ClassVar[int] = 0x41
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 24
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BIBBBBIBIBBI")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, Board, int, int, int, int, ResetCause, int, int, bool, int,)

    version: int
    layout: int
    board: Board
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    source: int
    reset_cause: ResetCause
    boot_count: int
    boot_id: int
    homed: bool
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class StatusReport(Message):
    """The whole state. Also sent unasked: 5 Hz while something moves, 1 Hz at rest."""

    CODE: ClassVar[int] = 0x42
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 38
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BHBBBBBBBBBBBIBHIHHHHHHB")
    TYPES: ClassVar[tuple[type[int], ...]] = (State, int, int, bool, bool, Position, Position, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,)

    state: State
    fault: int
    side: int
    stopped: bool
    homed: bool
    trays: Position
    dome: Position
    tiles: int
    count_1: int
    count_2: int
    count_3: int
    count_4: int
    lamp: int
    sensors: int
    keys: int
    actuators: int
    uptime_ms: int
    frames: int
    crc_errors: int
    cobs_errors: int
    overruns: int
    duplicates: int
    events_lost: int
    stops: int


@dataclass(frozen=True, slots=True)
class InputsReport(Message):
    """Inputs as wired devices (bit numbers: devices.toml), and pulses seen since the start."""

    CODE: ClassVar[int] = 0x43
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 18
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<IBIBHHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int,)

    raw_sensors: int
    raw_keys: int
    sensors: int
    keys: int
    pulses_1: int
    pulses_2: int
    pulses_3: int
    pulses_4: int


@dataclass(frozen=True, slots=True)
class SelfTestReport(Message):
    """Bits: 0 program memory, 1 stack, 2 EEPROM, 3 tray limits, 4 dome limits, 5 stackers home, 6 count sensors clear, 7 keys released."""

    CODE: ClassVar[int] = 0x44
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 6
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<HHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    ran: int
    failed: int
    stack_free: int


@dataclass(frozen=True, slots=True)
class Booted(Message):
    """The board started; it is not homed."""

    CODE: ClassVar[int] = 0x80
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 3
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBB")
    TYPES: ClassVar[tuple[type[int], ...]] = (ResetCause, int, bool,)

    reset_cause: ResetCause
    boot_id: int
    homed: bool


@dataclass(frozen=True, slots=True)
class Key(Message):
    """A key was pressed or released."""

    CODE: ClassVar[int] = 0x81
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (KeyId, bool,)

    key: KeyId
    pressed: bool


@dataclass(frozen=True, slots=True)
class Count(Message):
    """A tile passed the counter of a side: tiles of that side and of all sides."""

    CODE: ClassVar[int] = 0x82
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 3
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    side: int
    tiles: int
    total: int


@dataclass(frozen=True, slots=True)
class BuildDone(Message):
    """All sides have their share."""

    CODE: ClassVar[int] = 0x83
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 8
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBBBI")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int,)

    count_1: int
    count_2: int
    count_3: int
    count_4: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class LiftDone(Message):
    """Trays or dome arrived."""

    CODE: ClassVar[int] = 0x84
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (Target, Direction,)

    target: Target
    direction: Direction


@dataclass(frozen=True, slots=True)
class HomeDone(Message):
    """All positions are known."""

    CODE: ClassVar[int] = 0x85
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class DiceDone(Message):
    """The dice lie still."""

    CODE: ClassVar[int] = 0x86
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Fault(Message):
    """A fault by its number (table of faults); severity warn and info leave the machine running."""

    CODE: ClassVar[int] = 0x87
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 5
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<HBH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    code: int
    side: int
    detail: int


@dataclass(frozen=True, slots=True)
class FaultCleared(Message):
    """The latch is open again."""

    CODE: ClassVar[int] = 0x88
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class StateChanged(Message):
    """The machine's state changed."""

    CODE: ClassVar[int] = 0x89
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (State,)

    state: State


@dataclass(frozen=True, slots=True)
class Stopped(Message):
    """All motors were switched off out of turn."""

    CODE: ClassVar[int] = 0x8A
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (StopReason,)

    reason: StopReason


@dataclass(frozen=True, slots=True)
class Heartbeat(Message):
    """The host is alive: wanted every 600 ms while something moves."""

    CODE: ClassVar[int] = 0xC0
    KIND: ClassVar[Kind] = "note"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


MESSAGES: dict[int, type[Message]] = {
    0x01: Hello,
    0x02: GetStatus,
    0x03: Home,
    0x04: Build,
    0x05: Lift,
    0x06: Dice,
    0x07: Lamp,
    0x08: Stop,
    0x09: ClearFault,
    0x0A: ReadInputs,
    0x0B: SelfTest,
    0x40: Ack,
    0x41: HelloReport,
    0x42: StatusReport,
    0x43: InputsReport,
    0x44: SelfTestReport,
    0x80: Booted,
    0x81: Key,
    0x82: Count,
    0x83: BuildDone,
    0x84: LiftDone,
    0x85: HomeDone,
    0x86: DiceDone,
    0x87: Fault,
    0x88: FaultCleared,
    0x89: StateChanged,
    0x8A: Stopped,
    0xC0: Heartbeat,
}
