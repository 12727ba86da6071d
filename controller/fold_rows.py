"""The rows of the score sheet: what each settled hand of the game came to, and who changed it later.

Amounts are integers in the variant's unit, by seat in the order E S W N. A row is never taken away by a
correction: it gets a new outcome, and the one before stays in its amendment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.seats import Seat

Four = tuple[int, int, int, int]
ZERO: Four = (0, 0, 0, 0)
SHEET_MAX = 512
"""Hands of a game that can still be corrected: more than a night at one table; older ones only count."""


@dataclass(frozen=True, slots=True)
class PaidKong:
    """A kong of the hand; `robbed` = its payment was taken back."""

    seat: Seat
    kind: str
    tile: str
    deltas: Four
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """One winner of a hand."""

    seat: Seat
    by: str | None
    from_seat: Seat | None
    total: int
    stated: int | None = None
    """Points that he stated, None where he said nothing: at some tables no more than these count."""


@dataclass(frozen=True, slots=True)
class Gift:
    """What those paid a winner who showed their tiles before his win was agreed."""

    winner: Seat
    deltas: Four


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand came to, as one row of the journal says: `seq` is that row.

    `deltas` is the settlement, `paid` what was paid while people played (kongs, false wins) and still stands.
    """

    kind: str
    deltas: Four
    paid: Four
    seq: int
    wins: tuple[Winner, ...] = ()

    @property
    def sums(self) -> Four:
        """Return what the hand brought to each seat."""
        return added(self.deltas, self.paid)


@dataclass(frozen=True, slots=True)
class Amendment:
    """A correction of a hand: who asked for it and why, who agreed, and the outcome before it."""

    seq: int
    what: str
    reason: str
    asked_by: Seat | None
    role: str
    seats: tuple[Seat, ...]
    referee: str | None
    before: Outcome | None
    head: str = ""


@dataclass(frozen=True, slots=True)
class HandRow:
    """A settled hand: `seq` is the row that settled it first, `entries` and `players` who sat at E S W N.

    An entry is a place in the ranking: the player who took it at the start, whoever plays for him now.
    """

    hand: int
    seq: int
    outcome: Outcome
    dealer: Seat
    circle: int
    run: int
    entries: tuple[str, str, str, str]
    players: tuple[str, str, str, str]
    kongs: tuple[PaidKong, ...] = ()
    fines: Four = ZERO
    false_wins: tuple[Seat, ...] = ()
    amended: tuple[Amendment, ...] = ()
    head: str = ""
    gifts: tuple[Gift, ...] = ()
    called: tuple[Seat, ...] = ()
    """Kongs called by key and still to be entered, by seat."""

    def stated_by(self, seat: Seat) -> int | None:
        """Return what a seat stated as the winner of this hand, before any correction."""
        first = self.amended[0].before if self.amended else None
        wins = (first or self.outcome).wins
        return next((win.stated for win in wins if win.seat is seat), None)

    def given_to(self, winner: Seat) -> Four:
        """Return what tiles shown too early paid this seat as the winner of the hand."""
        total = ZERO
        for gift in self.gifts:
            total = added(total, gift.deltas) if gift.winner is winner else total
        return total


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player did for one entry: `fan` adds up the totals of his wins; `points` in units."""

    entry: str
    player: str
    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    deal_ins: int = 0
    fan: int = 0
    biggest: int = 0
    biggest_hand: int = 0
    false_wins: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that the seats are asked for: `id` is its row, `ask` what was asked for."""

    id: int
    what: str
    reason: str
    seat: Seat | None
    ask: Mapping[str, Any] = field(default_factory=dict)
    agreed: frozenset[Seat] = frozenset()


MATCH = "match"
"""Cause of a game's end that the table's own agreement brought."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended: `cause` is forced or what the rules of the match say."""

    cause: str
    reason: str
    asked_by: Seat | None
    role: str
    hand: int


def added(one: Four, other: Four) -> Four:
    """Return the sum, seat by seat.

    >>> added((1, 2, 3, -6), (0, 1, 0, -1))
    (1, 3, 3, -7)
    """
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def standing(kongs: Iterable[PaidKong]) -> Four:
    """Return what kongs paid, robbed ones left out."""
    total = ZERO
    for kong in kongs:
        total = total if kong.robbed else added(total, kong.deltas)
    return total


def entry_sums(rows: Iterable[HandRow]) -> dict[str, int]:
    """Return what the hands brought to each entry, in units."""
    sums: dict[str, int] = {}
    for row in rows:
        for entry, amount in zip(row.entries, row.outcome.sums, strict=True):
            sums[entry] = sums.get(entry, 0) + amount
    return sums


def tallies(rows: Iterable[HandRow], before: Iterable[Tally] = ()) -> tuple[Tally, ...]:
    """Return what every player did, added to what was counted before; in order of first appearance.

    A drawn hand counts as played, one that was called off or undone does not. Source: issue 6, item 6 (wins,
    self-draws, deal-ins, average fan, biggest hand, false wins).
    """
    found = {(tally.entry, tally.player): tally for tally in before}
    for row in rows:
        for seat in range(4):
            key = (row.entries[seat], row.players[seat])
            found[key] = _tallied(found.get(key) or Tally(*key), row, Seat.at(seat))
    return tuple(found.values())


def _tallied(tally: Tally, row: HandRow, seat: Seat) -> Tally:
    own = [win for win in row.outcome.wins if win.seat is seat]
    best = max((win.total for win in own), default=0)
    is_best = bool(own) and (best > tally.biggest or not tally.wins)
    return Tally(
        tally.entry,
        tally.player,
        tally.hands + (row.outcome.kind != "void"),
        tally.wins + len(own),
        tally.self_draws + sum(win.by == "self_draw" for win in own),
        tally.deal_ins + sum(win.from_seat is seat for win in row.outcome.wins),
        tally.fan + sum(win.total for win in own),
        best if is_best else tally.biggest,
        row.hand if is_best else tally.biggest_hand,
        tally.false_wins + row.false_wins.count(seat),
        tally.points + row.outcome.sums[seat.index],
    )
