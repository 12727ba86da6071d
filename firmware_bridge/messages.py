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

PROTOCOL_VERSION = 2
LAYOUT_HASH = 0x07DFAB6D
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
    paused = 12
    service = 13
    update = 14


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
    update = 6


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
    programme_switch = 15
    not_service = 16
    wrong_code = 17
    resting = 18
    busy_memory = 19


class SetId(WireEnum):
    """Which set of tiles, by the colour of its backs."""

    none = 0
    first = 1
    second = 2


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
    LEAST: ClassVar[int] = 7
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Build(Message):
    """Shuffle and build the walls, or go on with an interrupted build: the tiles of each side (all 0: shared evenly; 108 as 28, 26, 28, 26). BuildDone follows."""

    CODE: ClassVar[int] = 0x04
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 5
    LEAST: ClassVar[int] = 5
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<BBBBB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int,)

    tiles: int
    side_1: int = 0
    side_2: int = 0
    side_3: int = 0
    side_4: int = 0


@dataclass(frozen=True, slots=True)
class Lift(Message):
    """Move the trays or the dome. LiftDone follows."""

    CODE: ClassVar[int] = 0x05
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    stops: int


@dataclass(frozen=True, slots=True)
class ReadInputs(Message):
    """Ask for raw and debounced inputs and pulse totals."""

    CODE: ClassVar[int] = 0x0A
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x43
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class SelfTest(Message):
    """Check memory, stack, EEPROM and the plausibility of sensors; nothing moves."""

    CODE: ClassVar[int] = 0x0B
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x44
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class Pause(Message):
    """Interrupt a build to add tiles: motors off, dome up, state paused; off: dome down, the build goes on. Both lift keys do the same."""

    CODE: ClassVar[int] = 0x0C
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 1
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (bool,)

    on: bool


@dataclass(frozen=True, slots=True)
class Service(Message):
    """Enter (code = service_code of the configuration, never 0) or leave service mode; both lift keys held at power-up enter it too. Only at rest."""

    CODE: ClassVar[int] = 0x0D
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 3
    LEAST: ClassVar[int] = 3
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<BH")
    TYPES: ClassVar[tuple[type[int], ...]] = (bool, int,)

    on: bool
    code: int


@dataclass(frozen=True, slots=True)
class Jog(Message):
    """Service: run one actuator (bit number of devices.toml) for run_ms (at most 2000); held down by repeating it, 0 ends it."""

    CODE: ClassVar[int] = 0x0E
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 3
    LEAST: ClassVar[int] = 3
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<BH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int,)

    actuator: int
    run_ms: int


@dataclass(frozen=True, slots=True)
class CountTest(Message):
    """Service: feed one side until so many tiles passed its counter, 20 s at most. CountTested follows."""

    CODE: ClassVar[int] = 0x0F
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int,)

    side: int
    tiles: int


@dataclass(frozen=True, slots=True)
class LampTest(Message):
    """Light these lamps (bit numbers of devices.toml, the buzzer among them) for a while, at most 10 s; then they are as before."""

    CODE: ClassVar[int] = 0x10
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 4
    LEAST: ClassVar[int] = 4
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<HH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int,)

    lamps: int
    run_ms: int


@dataclass(frozen=True, slots=True)
class ReadAnalog(Message):
    """Ask for voltages, temperature and motor currents."""

    CODE: ClassVar[int] = 0x11
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x45
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class ReadEdges(Message):
    """Ask for the changes seen of 16 inputs since the start, from this bit number on (32 = keys)."""

    CODE: ClassVar[int] = 0x12
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 1
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x46
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    first: int


@dataclass(frozen=True, slots=True)
class ReadMargin(Message):
    """Ask how long tiles darkened the counter of a side (1 to 4), since the start."""

    CODE: ClassVar[int] = 0x13
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 1
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x47
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    side: int


@dataclass(frozen=True, slots=True)
class Loopback(Message):
    """Send these 32 bytes back."""

    CODE: ClassVar[int] = 0x14
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 32
    LEAST: ClassVar[int] = 32
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x48
    STRUCT: ClassVar[Struct] = Struct("<IIIIIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int,)

    word_1: int
    word_2: int
    word_3: int
    word_4: int
    word_5: int
    word_6: int
    word_7: int
    word_8: int


@dataclass(frozen=True, slots=True)
class ReadFaultLog(Message):
    """Ask for a record of the fault log, 0 = the newest."""

    CODE: ClassVar[int] = 0x15
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 1
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x49
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    index: int


@dataclass(frozen=True, slots=True)
class ReadStatistics(Message):
    """Ask what the machine has done in its life."""

    CODE: ClassVar[int] = 0x16
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x4A
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class ReadMotorSeconds(Message):
    """Ask how long eight motors have run in their life, from this bit number on (0 or 8)."""

    CODE: ClassVar[int] = 0x17
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 1
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x4B
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    first: int


@dataclass(frozen=True, slots=True)
class ReadConfig(Message):
    """Ask for the configuration."""

    CODE: ClassVar[int] = 0x18
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x4C
    STRUCT: ClassVar[Struct] = Struct("<")
    TYPES: ClassVar[tuple[type[int], ...]] = ()


@dataclass(frozen=True, slots=True)
class WriteConfig(Message):
    """Store the configuration, at rest; was = the crc of ConfigReport, so that nothing unseen is overwritten."""

    CODE: ClassVar[int] = 0x19
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 18
    LEAST: ClassVar[int] = 18
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<IBHHBBBHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int, int,)

    was: int
    sets: int
    service_code: int
    jam_ms: int
    tile_least_ms: int
    reverse_tries: int
    duty_percent: int
    feed_limit_ma: int
    stack_limit_ma: int
    main_limit_ma: int


@dataclass(frozen=True, slots=True)
class EnterUpdate(Message):
    """At rest: leave to the bootloader for a new program. key = 55504454 hex (UPDT)."""

    CODE: ClassVar[int] = 0x1A
    KIND: ClassVar[Kind] = "command"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 4
    LEAST: ClassVar[int] = 4
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = 0x40
    STRUCT: ClassVar[Struct] = Struct("<I")
    TYPES: ClassVar[tuple[type[int], ...]] = (int,)

    key: int


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """Accepted (reason none) or refused."""

    CODE: ClassVar[int] = 0x40
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 2
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, Reason,)

    command: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class HelloReport(Message):
    """Who the board is. version_least: the oldest it speaks. Bits of capabilities: 0 two sets, 1 pause, 2 service, 3 currents, 4 records, 5 update by bootloader."""

    CODE: ClassVar[int] = 0x41
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 31
    LEAST: ClassVar[int] = 24
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BIBBBBIBIBBIBHI")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, Board, int, int, int, int, ResetCause, int, int, bool, int, int, int, int,)

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
    version_least: int = 0
    capabilities: int = 0
    config_crc: int = 0


@dataclass(frozen=True, slots=True)
class StatusReport(Message):
    """The whole state. Also sent unasked: 5 Hz while something moves, 1 Hz at rest. built, in_play: the set that stands built inside and the one on the table; programme_switch: where the rotary switch of programmes stands."""

    CODE: ClassVar[int] = 0x42
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 41
    LEAST: ClassVar[int] = 38
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BHBBBBBBBBBBBIBHIHHHHHHBBBB")
    TYPES: ClassVar[tuple[type[int], ...]] = (State, int, int, bool, bool, Position, Position, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, SetId, SetId, int,)

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
    built: SetId = SetId.none
    in_play: SetId = SetId.none
    programme_switch: int = 0


@dataclass(frozen=True, slots=True)
class InputsReport(Message):
    """Inputs as wired devices (bit numbers: devices.toml), and pulses seen since the start."""

    CODE: ClassVar[int] = 0x43
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 18
    LEAST: ClassVar[int] = 18
    SINCE: ClassVar[int] = 2
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
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 6
    LEAST: ClassVar[int] = 6
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<HHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    ran: int
    failed: int
    stack_free: int


@dataclass(frozen=True, slots=True)
class AnalogReport(Message):
    """Motor supply and temperature sensor at the pin in millivolt, motor currents of three groups in milliampere."""

    CODE: ClassVar[int] = 0x45
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 10
    LEAST: ClassVar[int] = 10
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<HHHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int,)

    supply_mv: int
    temperature_mv: int
    feed_ma: int
    stack_ma: int
    main_ma: int


@dataclass(frozen=True, slots=True)
class EdgesReport(Message):
    """Changes of 16 inputs, each modulo 65536."""

    CODE: ClassVar[int] = 0x46
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 33
    LEAST: ClassVar[int] = 33
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BHHHHHHHHHHHHHHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,)

    first: int
    edges_0: int
    edges_1: int
    edges_2: int
    edges_3: int
    edges_4: int
    edges_5: int
    edges_6: int
    edges_7: int
    edges_8: int
    edges_9: int
    edges_10: int
    edges_11: int
    edges_12: int
    edges_13: int
    edges_14: int
    edges_15: int


@dataclass(frozen=True, slots=True)
class MarginReport(Message):
    """Widths of pulses at a counter: shortest and longest that counted, and how many fell into each bin of 8 ms (the last takes all longer ones)."""

    CODE: ClassVar[int] = 0x47
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 27
    LEAST: ClassVar[int] = 27
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BHHHHHHHHHHHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int, int, int, int, int, int,)

    side: int
    shortest_ms: int
    longest_ms: int
    too_short: int
    too_long: int
    bin_0: int
    bin_1: int
    bin_2: int
    bin_3: int
    bin_4: int
    bin_5: int
    bin_6: int
    bin_7: int
    bin_8: int


@dataclass(frozen=True, slots=True)
class LoopbackReport(Message):
    """What Loopback brought."""

    CODE: ClassVar[int] = 0x48
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 32
    LEAST: ClassVar[int] = 32
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<IIIIIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int,)

    word_1: int
    word_2: int
    word_3: int
    word_4: int
    word_5: int
    word_6: int
    word_7: int
    word_8: int


@dataclass(frozen=True, slots=True)
class FaultLogReport(Message):
    """One record of the fault log (code 0: none there); count = how many there are (at most 32), damaged = records whose CRC failed."""

    CODE: ClassVar[int] = 0x49
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 16
    LEAST: ClassVar[int] = 16
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBBHBHII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int,)

    index: int
    count: int
    damaged: int
    code: int
    side: int
    detail: int
    boot_count: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class StatisticsReport(Message):
    """Sums over the life of the board's memory; saved every few minutes and after each build."""

    CODE: ClassVar[int] = 0x4A
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 32
    LEAST: ClassVar[int] = 32
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<IIIIIIHHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int, int,)

    builds: int
    tiles: int
    lifts: int
    throws: int
    faults: int
    boots: int
    jams_1: int
    jams_2: int
    jams_3: int
    jams_4: int


@dataclass(frozen=True, slots=True)
class MotorSecondsReport(Message):
    """Seconds that motors from, from+1, ... have run."""

    CODE: ClassVar[int] = 0x4B
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 33
    LEAST: ClassVar[int] = 33
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BIIIIIIII")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int, int, int, int, int, int, int,)

    first: int
    seconds_0: int
    seconds_1: int
    seconds_2: int
    seconds_3: int
    seconds_4: int
    seconds_5: int
    seconds_6: int
    seconds_7: int


@dataclass(frozen=True, slots=True)
class ConfigReport(Message):
    """The configuration in force; valid: false when memory failed its check and the factory values are in force."""

    CODE: ClassVar[int] = 0x4C
    KIND: ClassVar[Kind] = "response"
    OPEN: ClassVar[bool] = True
    LENGTH: ClassVar[int] = 19
    LEAST: ClassVar[int] = 19
    SINCE: ClassVar[int] = 2
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<IBBHHBBBHHH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, bool, int, int, int, int, int, int, int, int, int,)

    crc: int
    valid: bool
    sets: int
    service_code: int
    jam_ms: int
    tile_least_ms: int
    reverse_tries: int
    duty_percent: int
    feed_limit_ma: int
    stack_limit_ma: int
    main_limit_ma: int


@dataclass(frozen=True, slots=True)
class Booted(Message):
    """The board started; it is not homed."""

    CODE: ClassVar[int] = 0x80
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 3
    LEAST: ClassVar[int] = 3
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 3
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 8
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 5
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 1
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
    LEAST: ClassVar[int] = 1
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<B")
    TYPES: ClassVar[tuple[type[int], ...]] = (StopReason,)

    reason: StopReason


@dataclass(frozen=True, slots=True)
class Freed(Message):
    """A jam of a side was freed by turning back, at this try."""

    CODE: ClassVar[int] = 0x8B
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 2
    LEAST: ClassVar[int] = 2
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BB")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int,)

    side: int
    tries: int


@dataclass(frozen=True, slots=True)
class CountTested(Message):
    """The count test of a side is over: tiles that passed, and how long it took."""

    CODE: ClassVar[int] = 0x8C
    KIND: ClassVar[Kind] = "event"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 4
    LEAST: ClassVar[int] = 4
    SINCE: ClassVar[int] = 1
    ANSWER: ClassVar[int | None] = None
    STRUCT: ClassVar[Struct] = Struct("<BBH")
    TYPES: ClassVar[tuple[type[int], ...]] = (int, int, int,)

    side: int
    tiles: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Heartbeat(Message):
    """The host is alive: wanted every 600 ms while something moves."""

    CODE: ClassVar[int] = 0xC0
    KIND: ClassVar[Kind] = "note"
    OPEN: ClassVar[bool] = False
    LENGTH: ClassVar[int] = 0
    LEAST: ClassVar[int] = 0
    SINCE: ClassVar[int] = 1
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
    0x0C: Pause,
    0x0D: Service,
    0x0E: Jog,
    0x0F: CountTest,
    0x10: LampTest,
    0x11: ReadAnalog,
    0x12: ReadEdges,
    0x13: ReadMargin,
    0x14: Loopback,
    0x15: ReadFaultLog,
    0x16: ReadStatistics,
    0x17: ReadMotorSeconds,
    0x18: ReadConfig,
    0x19: WriteConfig,
    0x1A: EnterUpdate,
    0x40: Ack,
    0x41: HelloReport,
    0x42: StatusReport,
    0x43: InputsReport,
    0x44: SelfTestReport,
    0x45: AnalogReport,
    0x46: EdgesReport,
    0x47: MarginReport,
    0x48: LoopbackReport,
    0x49: FaultLogReport,
    0x4A: StatisticsReport,
    0x4B: MotorSecondsReport,
    0x4C: ConfigReport,
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
    0x8B: Freed,
    0x8C: CountTested,
    0xC0: Heartbeat,
}
