"""What the world tells the brain: everything that happens enters `Runtime.feed` as one of these values.

`Runtime` turns them into `TableInput`s, table terms with a name that stands in the phase table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.facts import Record
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Restarted:
    """The service started: the first input of a runtime. `journal_seq` is for logs only."""

    journal_seq: int = 0


@dataclass(frozen=True, slots=True)
class PortUp:
    """The serial port is open."""


@dataclass(frozen=True, slots=True)
class PortDown:
    """The serial port is gone or could not be opened."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Bytes:
    """Whatever bytes came from the serial port."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Edge:
    """A GPIO input changed; `level` is logical. Lines: estop, lamp1..lamp4, seat1..seat4."""

    line: str
    level: int


@dataclass(frozen=True, slots=True)
class PageCommand:
    """A named command from a page or robot; the same `press` or `request_id` is answered the same, acts once.

    `press` names it for longer than the service runs, see `answers.press_text`; `based_on` is the row of the
    state it was decided on, None = not said, see `versions.py`. `player`: whom it speaks for,
    by id; "" = whoever stands at the table's own screen, or a referee.
    """

    request_id: str
    name: str
    body: Mapping[str, Any] = field(default_factory=dict)
    role: str = "player"
    press: str = ""
    based_on: int | None = None
    player: str = ""


@dataclass(frozen=True, slots=True)
class PhotoRead:
    """A photo was taken and read: `reading` is vision's value for the purpose.

    `evidence` is the SHA-256 (hex) of the picture of the hand zone; the driver has stored the file already.
    """

    effect_id: str
    purpose: str
    reading: Any
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class PhotoFailed:
    """No photo: `why` is "none" (no camera), "down", "frozen", "blind", "calibration", "moved" or "error"."""

    effect_id: str
    why: str


@dataclass(frozen=True, slots=True)
class CameraState:
    """Health of the camera: "up", "frozen", "blind", "moved", "down" or "none" (not configured).

    "moved" = it stands elsewhere, `moved_mm` off on the table; "up" after it = the table is measured anew.
    """

    state: str
    moved_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class MarksOff:
    """Which marks of the cloth lie off their places now; none = all are back. The camera goes on without."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClockState:
    """Whether the wall clock can be trusted (NTP or RTC); journal rows carry it."""

    ok: bool


@dataclass(frozen=True, slots=True)
class LedgerState:
    """Room for the ledger: ok, or low - the disk is nearly full, and only the ledger is still written."""

    state: str


@dataclass(frozen=True, slots=True)
class Committed:
    """The journal has these rows on disk: the answer to an effect `Commit`, before any other input."""

    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A deadline may have passed."""


Input = (
    Restarted | PortUp | PortDown | Bytes | Edge | PageCommand | PhotoRead | PhotoFailed
    | CameraState | MarksOff | ClockState | LedgerState | Committed | Tick
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableInput:
    """An input in table terms; `name` stands in the phase table, `seat` is who acts (None = unknown).

    `source` says how it came: key, page, machine, camera, clock. `reading` belongs to photo_read only.
    """

    name: str
    seat: Seat | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    source: str = "page"
    role: str = "player"
    reading: Any = None
    evidence: str | None = None
