"""The shapes of score sheet, statistics and report. Amounts are points; people are named by entry and player.

An entry is a place in the ranking: the player who took it first, whoever plays for him now.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

Number = int | float


UnreadView = TypedDict("UnreadView", {"seat": str | None, "by": str | None, "from": str | None})
"""A win that was put aside: how it was won is known, its tiles are to be entered."""


class OutcomeView(TypedDict):
    """What a hand came to before a correction, by seat; `seq` is the ledger's row."""

    kind: str
    deltas: dict[str, Number]
    winners: list[str]
    total: Number
    seq: int


class AmendmentView(TypedDict):
    """A correction: who asked, why, who agreed (`seats`, or a referee by id), and what stood before.

    what = undo, result or swap; `before` is null where only the players changed.
    """

    hand: int
    what: str
    reason: str
    asked_by: str | None
    role: str
    seats: list[str]
    referee: str | None
    before: OutcomeView | None
    seq: int
    head: str


class ChangeView(TypedDict):
    """What a correction would do to one place of the ranking."""

    entry: str
    name: str
    was: Number
    will: Number


class CorrectionView(TypedDict):
    """The correction that is asked for now: what = undo, result, swap, player, end; `ask` says how.

    `answers`: yes, or null where a seat is still asked. `changes` is empty once it cannot be carried.
    `players`: who sat at each seat in the hand whose result is corrected, {} for other wishes.
    """

    id: int
    what: str
    reason: str
    seat: str | None
    ask: dict[str, Any]
    answers: dict[str, str | None]
    changes: list[ChangeView]
    players: dict[str, str]


class OverView(TypedDict):
    """The game has ended: cause = forced, or what the match's rules say."""

    cause: str
    reason: str
    asked_by: str | None
    role: str
    hand: int


class SeatChangeView(TypedDict):
    """Seats change before the next hand: whose circle it is, and where who sits at each seat goes."""

    circle_wind: str
    moves: dict[str, str]


class StintView(TypedDict):
    """A player at a place: substitutes are told apart."""

    player: str
    name: str
    hands: int
    points: Number


class EntryView(TypedDict):
    """A place of the ranking: the seat it has now, its score, and everybody who played for it."""

    entry: str
    name: str
    seat: str
    side: int
    player: str
    points: Number
    players: list[StintView]


WinnerView = TypedDict(
    "WinnerView", {"entry": str, "player": str, "by": str | None, "from": str | None, "total": Number}
)


class BookedKongView(TypedDict):
    """A kong of a settled hand: kind = exposed_kong, added_kong, concealed_kong; a robbed one is not paid."""

    seat: str
    kind: str
    tile: str
    robbed: bool


class SheetRowView(TypedDict):
    """One hand: amounts with kongs and false wins, by entry, and the totals after it.

    `seats`: the player who sat at each seat in that hand, wherever he sits now.
    """

    hand: int
    circle: int
    circle_wind: str
    dealer: str
    kind: str
    winners: list[WinnerView]
    seats: dict[str, str]
    kongs: list[BookedKongView]
    kongs_called: list[str]
    """Who called kongs by key that are still to be entered, by entry."""
    deltas: dict[str, Number]
    totals: dict[str, Number]
    head: str
    amended: list[AmendmentView]


class SheetView(TypedDict):
    """GET /api/v1/sheet: the score sheet of this game, first hand first.

    `before`: what hands brought that are too old to be listed; `open`: what the hand that is open has paid.
    """

    name: str
    variant: str
    entries: list[EntryView]
    before: dict[str, Number]
    rows: list[SheetRowView]
    open: dict[str, Number]
    totals: dict[str, Number]
    head: str


class PlayerStatisticsView(TypedDict):
    """One player at one place: `average_fan` and `biggest` of his wins, null where he has none."""

    entry: str
    player: str
    name: str
    hands: int
    wins: int
    self_draws: int
    deal_ins: int
    average_fan: Number | None
    biggest: Number | None
    biggest_hand: int | None
    false_wins: int
    points: Number


class StatisticsView(TypedDict):
    """GET /api/v1/statistics: this game, player by player; hands that do not count are left out."""

    players: list[PlayerStatisticsView]


class PlaceView(TypedDict):
    """A line of the ranking; equal points share a place."""

    place: int
    entry: str
    name: str
    points: Number
    players: list[StintView]


TransferView = TypedDict("TransferView", {"from": str, "to": str, "points": Number})


class ReportView(TypedDict):
    """GET /api/v1/report: how the game stands or ended, and the fewest transfers of points that even it out.

    `hands` and `wins` count what stands; `corrections` lists every correction of a hand.
    """

    name: str
    variant: str
    variant_zh: str
    variant_en: str
    over: OverView | None
    hands: int
    wins: int
    ranking: list[PlaceView]
    transfers: list[TransferView]
    corrections: list[AmendmentView]
    head: str
