"""What is known only while the service runs: link, sensors, orders and photos in flight.

Never journaled and never part of a fold: after a restart the board's STATUS and the camera tell it anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class MachineLive:
    """The board as its last STATUS and events told. None = not known since the link came up."""

    known: bool = False
    homed: bool = False
    trays: str | None = None
    dome: str | None = None
    state: str = "unknown"
    busy: bool = False
    fault: int = 0
    fault_side: int = 0
    stopped: bool = False
    counts: tuple[int, int, int, int] = (0, 0, 0, 0)
    built: tuple[int, int, int, int] | None = None
    lamp: int | None = None
    boot_id: int | None = None
    uptime_ms: int = 0
    sensors: Mapping[str, bool] = field(default_factory=dict)
    actuators: Mapping[str, bool] = field(default_factory=dict)
    counters: Mapping[str, int] = field(default_factory=dict)
    programme_switch: int = 0
    """Where the rotary switch at the machine stands: 0 leaves the number of tiles to the game."""
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The last answer to each question of a technician, with its number since the service began."""

    @property
    def in_service(self) -> bool:
        """Return whether a technician has the machine: keys are his, and nothing is ordered."""
        return self.state == "service"


@dataclass(frozen=True, slots=True)
class Order:
    """A machine order in table terms: `name` home, lift, build, dice, lamp, clear_fault, selftest ...

    `key` tells two orders of the same kind apart (hand and attempt): the same key is the same want.
    """

    key: str
    name: str
    params: tuple[tuple[str, Any], ...] = ()
    moves: bool = True
    limit_ms: int = 20_000

    def get(self, param: str) -> Any:
        """Return one parameter."""
        return dict(self.params)[param]


BEHIND = "behind:"
"""Key of an order for the other set: it goes on beside the hand, and nobody waits for it."""


@dataclass(frozen=True, slots=True)
class PhotoWant:
    """A photo that is due; the same key is the same want."""

    key: str
    purpose: str
    side: int | None = None
    flowers: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """What should be going on now, derived from state and live values."""

    order: Order | None = None
    photo: PhotoWant | None = None
    timers: tuple[tuple[str, int], ...] = ()
    behind: Order | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark for the pages that changes nothing."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rival:
    """A further claim of the tile that is claimed already; it waits until the discarder is known."""

    seat: Seat
    flags: tuple[str, ...] = ()
    source: str = "page"


@dataclass(frozen=True, slots=True)
class Live:
    """All live values together."""

    link: str = "down"
    why: str = ""
    camera: str = "none"
    marks_off: tuple[int, ...] = ()
    clock_ok: bool = False
    ledger: str = "ok"
    machine: MachineLive = MachineLive()
    order: Order | None = None
    accepted: bool = False
    behind: str | None = None
    """Key of an order for the other set that is under way: until STATUS says, after its answer, that the
    board rests. Events lag behind and would tell of a rest that was before."""
    behind_taken: bool = False
    """The board has answered it."""
    behind_refused: int = 0
    sets: int = 1
    """Sets of tiles at this table."""
    is_fresh: bool = False
    """Table and tiles are new with this start of the service: nothing is where the ledger says."""
    done: str | None = None
    done_checked: bool = False
    unsure: str | None = None
    refused: int = 0
    photo: PhotoWant | None = None
    photo_tries: int = 0
    photo_failed: str | None = None
    attempt: int = 0
    wanted: Mapping[str, Any] = field(default_factory=dict)
    """The game that the settings ask for."""
    may_move: bool = False
    must_home: bool = False
    """After a cleared fault positions are found anew before anything else moves."""
    beside: frozenset[tuple[str, int]] = frozenset()
    """Key and side of the faults that were told beside the standing one, until it is cleared."""
    estop: bool = False
    sense: tuple[int, int, int, int] | None = None
    stacks: tuple[int, int, int, int] | None = None
    wall_due: bool = False
    wall_shots: int = 0
    payer_counts: bool = False
    """Enough time has passed since the claim for a key to mean "I discarded it"."""
    taps: int = 0
    """How often the claimant has tapped his key in a row, while that may still become the call of a kong."""
    claims_open: bool = False
    """The claim window is open: another claim of the same tile still counts."""
    rivals: tuple[Rival, ...] = ()
    turn: Seat | None = None
    """Whose clock runs: somebody called it."""
    turn_is_first: bool = False
    turns: int = 0
    """How often a clock was called since the service began."""
    timers: tuple[tuple[str, int, int], ...] = ()
    """Deadlines that people should know of: name, when (steady clock) and how long in all, milliseconds."""
    boxes: tuple[tuple[int, int, int, int] | None, ...] = ()
    notices: tuple[Notice, ...] = ()

    def noting(self, code: str, **params: Any) -> Live:
        """Return live values with one more notice; the same code is there once, at most eight are kept."""
        kept = tuple(notice for notice in self.notices if notice.code != code)[-7:]
        return replace(self, notices=(*kept, Notice(code, params)))

    def without(self, code: str) -> Live:
        """Return live values without the notice of this code: what it told of is over."""
        return replace(self, notices=tuple(notice for notice in self.notices if notice.code != code))


def with_camera(live: Live, state: str, moved_mm: float) -> Live:
    """Return live values after the camera told its state; a move is a remark until the table is measured
    anew."""
    was_moved, live = live.camera == "moved", replace(live, camera=state)
    if state == "moved":
        return live.without("camera.measured").noting("camera.moved", mm=round(moved_mm))
    if was_moved and state == "up":
        return live.without("camera.moved").noting("camera.measured")
    return live


def with_marks(live: Live, numbers: tuple[int, ...]) -> Live:
    """Return live values after it was told which marks lie off their places; a remark until all are back."""
    live = replace(live, marks_off=numbers).without("camera.mark")
    return live.noting("camera.mark", marks=", ".join(map(str, numbers))) if numbers else live
