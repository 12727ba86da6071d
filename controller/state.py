"""What is known about the game: `TableState` is a fold of facts, and of nothing else.

Live values (link, sensors, counts while building, orders in flight) are in `controller.live_values`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from controller.fold_rows import ZERO, Four, GameOver, Gift, HandRow, Proposal, Tally
from rules.seats import Seat

SEATS: tuple[Seat, ...] = tuple(Seat.at(i) for i in range(4))


class Phase(StrEnum):
    """Where a hand stands."""

    IDLE = "IDLE"
    BUILDING = "BUILDING"
    READY = "READY"
    LIFTING = "LIFTING"
    DICE = "DICE"
    DEALING = "DEALING"
    PLAYING = "PLAYING"
    CLAIM = "CLAIM"
    CONFIRM = "CONFIRM"
    REVIEW = "REVIEW"
    SETTLED = "SETTLED"
    FAULT = "FAULT"


PLAY_PHASES = frozenset({Phase.DEALING, Phase.PLAYING, Phase.CLAIM, Phase.CONFIRM, Phase.REVIEW})
"""People are playing: a fault of the machine is shown beside the phase and does not interrupt."""

# phase -> its steps, the first one is where the phase starts; LIFTING has some with two sets only
STEPS: dict[Phase, tuple[str, ...]] = {
    Phase.BUILDING: ("home", "open", "load", "close", "build", "empty", "behind"),
    Phase.LIFTING: ("raise", "lower", "open", "load", "close"),
    Phase.DICE: ("lamp", "throw", "spin", "read", "ask"),
    Phase.CLAIM: ("from", "lay", "read"),
}


@dataclass(frozen=True, slots=True)
class SeatState:
    """One place of the game: `score` in ledger units, of the entry: the player who took the place first.

    `player` sits there now, maybe as a substitute; "" = nobody does.
    """

    seat: Seat
    side: int
    player: str
    score: int = 0
    entry: str = ""

    @property
    def account(self) -> str:
        """Return whose score this is."""
        return self.entry or self.player


@dataclass(frozen=True, slots=True)
class Throw:
    """One accepted throw of two dice."""

    seat: Seat
    pips: tuple[int, int]
    source: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """Throws before a hand: for seats, new_seats, first_dealer or dealer. `thrower` None: it is decided."""

    what: str
    thrower: Seat | None
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, slots=True)
class LampRead:
    """The dealer lamp: the side asked for, the side the camera saw, the side the photodiodes say."""

    asked: int
    side: int | None
    sure: bool
    score: float | None
    sense: int | None


@dataclass(frozen=True, slots=True)
class OpeningState:
    """Where the wall opens: first tile from `stack` of `seat`'s wall, counted on `count_seat`'s."""

    count_seat: Seat
    count: int
    seat: Seat
    stack: int


@dataclass(frozen=True, slots=True)
class KongState:
    """A declared kong, settled at once: `deltas` in units, E S W N."""

    seat: Seat
    kind: str
    tile: str
    source_seat: Seat | None
    deltas: tuple[int, int, int, int]
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class ClaimState:
    """A claim (kind win) or the proposal of a drawn hand; every field known carries its source."""

    kind: str
    seat: Seat | None
    by: str | None = None
    from_seat: Seat | None = None
    flags: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether `by`, and a payer where there must be one, are known: nothing settles before."""
        return self.kind == "drawn" or (
            self.seat is not None
            and self.by is not None
            and (self.by == "self_draw" or self.from_seat is not None)
        )


@dataclass(frozen=True, slots=True)
class ReadingState:
    """The hand as the camera read it or people corrected it: `hand` is None while a tile is not known.

    `tiles` run melds, concealed, winning tile; `shape` says how: melds as [kind, source, n], then counts.
    """

    seat: Seat
    hand: str | None
    sure: bool
    source: str
    tiles: tuple[tuple[str, float], ...] = ()
    melds: tuple[tuple[str, int | None, int], ...] = ()
    has_win_tile: bool = True
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    evidence: str | None = None
    waived: tuple[str, ...] = ()
    """Tiles of kongs that people agreed to leave undeclared and unpaid."""
    flowers: tuple[tuple[str, float], ...] | None = ()
    """The flowers laid aside, "?" for one that is not sure; None while nobody has looked."""
    is_laid: bool = False
    """The tiles run as they lie on the table: the claimed one of a meld where it was turned."""


@dataclass(frozen=True, slots=True)
class ResultState:
    """What the rules say of claim and hand: deltas in units, E S W N."""

    legal: bool
    reason: str | None
    elements: tuple[tuple[str, str, str, int], ...]
    total: int
    deltas: tuple[int, int, int, int]
    next_dealer: Seat


@dataclass(frozen=True, slots=True)
class Around:
    """The circumstances of a settled win: dealer, prevalent wind, flags told by people, flowers."""

    dealer: Seat
    round_wind: Seat
    flags: tuple[str, ...] = ()
    flowers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreedWin:
    """A win that the others agreed to, while another winner of the same tile is still looked at."""

    claim: ClaimState
    reading: ReadingState
    result: ResultState
    stated: int | None = None


@dataclass(frozen=True, slots=True)
class Accusation:
    """A win is said to be none: `deltas` in units, E S W N, are paid once the others agree.

    `hand` says what then becomes of the hand: offender_dead (it goes on) or void.
    """

    seat: Seat
    by: Seat | None
    hand: str
    deltas: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FalseWinState:
    """A false win of this hand, paid at once: `deltas` in units, E S W N."""

    seat: Seat
    deltas: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something of this hand that was not in order; `winner` is whose win tiles were shown too early for."""

    seat: Seat
    kind: str
    by: Seat | None = None
    winner: Seat | None = None


@dataclass(frozen=True, slots=True)
class LastHand:
    """The hand settled last, with the seal of its row."""

    hand: int
    kind: str
    seat: Seat | None
    by: str | None
    from_seat: Seat | None
    hand_text: str | None
    elements: tuple[tuple[str, str, str, int], ...]
    total: int
    deltas: tuple[int, int, int, int]
    evidence: str | None
    seq: int
    head: str = ""
    around: Around | None = None
    """What the score depends on besides the hand; rows of older tables do not tell."""
    false_wins: tuple[FalseWinState, ...] = ()
    stated: int | None = None
    """Points that the winner stated, None where he said nothing; `counted` are those that were paid for."""
    counted: int | None = None
    also: tuple[tuple[Seat, int], ...] = ()
    """The other winners of the same tile, each with his total."""
    laid: str | None = None
    """The hand with each meld as it lay; None where people wrote it, and in rows of older tables."""
    players: tuple[str, ...] = ()
    """Who sat at E S W N, in a game in which seats have changed; nothing: who sits there now."""
    unread: tuple[ClaimState, ...] = ()
    """Wins of a hand that was put aside: nobody could read it, it is to be entered."""
    called: tuple[Seat, ...] = ()
    """Kongs that were called by key and are still to be entered, by seat."""


@dataclass(frozen=True, slots=True)
class FaultState:
    """A standing fault: `origin` is mcu, link, gpio or brain; phase and step are those it came from."""

    code: int
    side: int
    key: str
    severity: str
    origin: str
    detail: int
    phase: Phase
    step: str | None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What game is played: `unit` ledger units make one point."""

    name: str
    variant: str
    options: Mapping[str, Any]
    unit: int
    tiles: int
    procedure: Mapping[str, Any] = field(default_factory=dict)
    """What the table agreed on beside the rule set; rows of older tables tell nothing: the defaults."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The fold of the journal. `seq` counts its rows, `head` is the hash of the last one (hex)."""

    seq: int = 0
    head: str = ""
    table: TableInfo | None = None
    phase: Phase = Phase.IDLE
    step: str | None = None
    hand: int = 0
    is_open: bool = False
    """A hand has started and is not settled yet: only then can it be booked or called off."""
    circle: int = 1
    first_dealer: Seat = SEATS[0]
    dealer: Seat = SEATS[0]
    run: int = 1
    seats: tuple[SeatState, ...] = field(
        default_factory=lambda: tuple(SeatState(seat, seat.index + 1, f"p{seat.index + 1}") for seat in SEATS)
    )
    seats_circle: int = 1
    """The circle whose seats people have: in Chinese Official they change before some circles."""
    drawing: Drawing | None = None
    """What was thrown for last before a hand, or is thrown for now."""
    reseat_by: Seat | None = None
    """Who throws for new seats: a game was played before this one."""
    loaded: bool = False
    emptying: bool = False
    """A half-built wall that nobody has counted must be taken out before another is built."""
    built: tuple[int, ...] | None = None
    by_hand: bool = False
    """The walls of this hand were built by people: the machine was out of action."""
    playing: int = 0
    """With two sets: which one was raised last, 1 or 2; 0 = none yet."""
    behind: str = "out"
    """With two sets: where the one is that is not in play: out, inside (pushed in, being built), built."""
    begun: bool = False
    """Its walls were begun: a board that starts anew forgets how far. Before, all lies in the drum."""
    lamp: LampRead | None = None
    throws: tuple[Throw, ...] = ()
    opening: OpeningState | None = None
    kongs: tuple[KongState, ...] = ()
    called: tuple[Seat, ...] = ()
    """Who called kongs by key that nobody has told of yet: they are not paid."""
    false_wins: tuple[FalseWinState, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    accused: Accusation | None = None
    """Somebody says that a win is none, and the others are asked."""
    claim: ClaimState | None = None
    stated: int | None = None
    """Points that the winner says his hand is worth."""
    waiting: tuple[ClaimState, ...] = ()
    """Further winners of the same tile, where the rules have several."""
    agreed: tuple[AgreedWin, ...] = ()
    reading: ReadingState | None = None
    result: ResultState | None = None
    confirmed: frozenset[Seat] = frozenset()
    disputed: frozenset[Seat] = frozenset()
    aside: frozenset[Seat] = frozenset()
    """Who agrees to put the hand aside, to be entered later."""
    last: LastHand | None = None
    fault: FaultState | None = None
    next_thrower: Seat | None = None
    upcoming: tuple[Seat, int, int] | None = None
    """Dealer, circle and run of the next hand, known once this one is settled."""
    paid: Four = ZERO
    """What was paid in the hand that is open: kongs, false wins."""
    fines: Four = ZERO
    false_calls: tuple[Seat, ...] = ()
    gifts: tuple[Gift, ...] = ()
    sheet: tuple[HandRow, ...] = ()
    """The settled hands of this game, the last `SHEET_MAX`; older ones count in `carried`."""
    carried: tuple[Tally, ...] = ()
    correction: Proposal | None = None
    over: GameOver | None = None
    guests: int = 4
    """How many guests this ledger knows: p1, p2 and so on."""

    @property
    def moved(self) -> bool:
        """Return whether seats have changed since the game began."""
        return self.seats_circle != 1

    @property
    def round_wind(self) -> Seat:
        """Return the prevalent wind: East in the first circle, then South, West and North."""
        return Seat.at(self.circle - 1)

    @property
    def dead(self) -> frozenset[Seat]:
        """Return who may only draw and discard in this hand, after a false win."""
        return frozenset(booked.seat for booked in self.false_wins)

    def side_of(self, seat: Seat) -> int:
        """Return the side 1-4 at which `seat` sits."""
        return self.seats[seat.index].side

    def seat_at(self, side: int) -> Seat:
        """Return the seat that sits at `side` 1-4."""
        return next(place.seat for place in self.seats if place.side == side)

    @property
    def is_drawing(self) -> bool:
        """Return whether people throw for seats or a dealer now."""
        return self.drawing is not None and self.drawing.thrower is not None

    def thrower(self) -> Seat:
        """Return who throws next: the dealer, then the seat that the first throw hit; or who draws."""
        if self.drawing is not None and self.drawing.thrower is not None:
            return self.drawing.thrower
        return self.next_thrower if self.next_thrower is not None else self.dealer
