"""The shapes of the views, used by the web's OpenAPI. Amounts are points (whole ones are integers)."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from controller.views_now import HealthView, KongView, NoticeView, TimeView
from controller.views_sheet import (
    AmendmentView,
    CorrectionView,
    OverView,
    SeatChangeView,
    UnreadView,
)

Number = int | float


class TableView(TypedDict):
    """The game: variant with its names; `circumstances` are the flags that people may have to tell with a
    win, `flowers` says whether the set has any, `several` whether one tile may have several winners, `kongs`
    whether a kong pays at once."""

    name: str
    variant: str
    variant_zh: str
    variant_en: str
    mode: str
    circumstances: list[str]
    flowers: bool
    several: bool
    kongs: bool


class SeatView(TypedDict):
    """One seat: `score` is that of the entry, the player who took the place first; "" = nobody sits there."""

    side: int
    entry: str
    player: str
    name: str
    score: Number
    wind: str
    dead: bool
    """After a false win he only draws and discards, and cannot win this hand."""


class ActView(TypedDict):
    """Who must act: do = start, load, empty, lift, throw, deal, discard, from, lay, confirm, review, clear,
    amend."""

    side: int
    do: str


class OtherSetView(TypedDict):
    """Of two sets the one that is not in play: state = out (to be pushed in), waiting, building, built."""

    set: int
    state: str
    tiles: int


class BuildView(TypedDict):
    """Building, tiles by side 1 to 4; `other` is null at a table with one set.

    `pause`: null where nothing is built now, `no` while the machine builds, `yes` while it waits for tiles.
    """

    tiles: int
    counts: list[int]
    target: list[int]
    done: bool
    other: OtherSetView | None
    pause: Literal["no", "yes"] | None


class ThrowView(TypedDict):
    """One throw."""

    seat: str
    pips: list[int]
    source: str


class OpeningView(TypedDict):
    """Where the wall opens: take first from `stack` of `seat`, counted on `count_seat`'s wall."""

    count_seat: str
    count: int
    seat: str
    stack: int


class DiceView(TypedDict):
    """The dice: `asking` = the camera was not sure, throw again or set them."""

    throws: list[ThrowView]
    thrower: str | None
    asking: bool
    opening: OpeningView | None


class DrawView(TypedDict):
    """Dice before a hand: what = seats, new_seats, first_dealer, dealer; thrower null = it is decided."""

    what: str
    thrower: str | None
    throws: list[ThrowView]


class LampView(TypedDict):
    """Dealer lamp: side asked for, side the camera saw, side the photodiodes say."""

    asked: int | None
    seen: int | None
    sense: int | None
    score: float | None
    agree: bool | None


class WallView(TypedDict):
    """Tiles left, as the camera counts the stacks; nothing while it does not look."""

    left: int | None
    stacks: list[int] | None
    source: str | None


ClaimView = TypedDict(
    "ClaimView",
    {
        "kind": str,
        "seat": str | None,
        "by": str | None,
        "from": str | None,
        "win_tile": str | None,
        "flags": list[str],
        "sources": dict[str, str],
    },
)


class TileView(TypedDict):
    """One tile of a reading; box = [x, y, w, h], pixels of the camera frame, lost at a restart."""

    tile: str
    score: float
    sure: bool
    alternatives: list[str]
    box: list[int] | None


class MeldView(TypedDict):
    """How many tiles of the reading's list form a meld."""

    kind: str
    source: int | None
    tiles: int


class FlowerView(TypedDict):
    """A flower laid aside; "?" = a tile that is not sure."""

    tile: str
    score: float
    sure: bool


class ReadingView(TypedDict):
    """The hand as read or corrected; source is camera, page or key; no flowers (null) = nobody looked.
    `laid`: the tiles of a meld run as they lie, so that the claimed one is where it was turned."""

    seat: str
    hand: str | None
    sure: bool
    source: str
    tiles: list[TileView]
    laid: bool
    melds: list[MeldView]
    flowers: list[FlowerView] | None
    problems: list[str]
    evidence: str | None


class ElementView(TypedDict):
    """One scored element: `value` is the worth of one, `sets` the tiles behind it, or `is_whole`: the whole
    hand. Neither = nobody can tell, e.g. of flowers that nobody named."""

    key: str
    zh: str
    en: str
    value: Number
    count: int
    sets: list[str]
    is_whole: bool


class NotCountedView(TypedDict):
    """An element that the hand has and that is not counted, with the reason."""

    key: str
    zh: str
    en: str
    count: int
    why_zh: str
    why_en: str


class ResultView(TypedDict):
    """What the rules say; `without_flowers` is what counts for the `minimum`, null where nobody can tell."""

    legal: bool
    reason: str | None
    elements: list[ElementView]
    not_counted: list[NotCountedView]
    total: Number
    minimum: Number
    without_flowers: Number | None
    deltas: dict[str, Number]


class StatedView(TypedDict):
    """Points that the winner stated, beside the checked ones (null = not known yet) and those that count."""

    points: int
    checked: Number | None
    counted: Number | None


class AlsoView(TypedDict):
    """Another winner of the same tile; total = null while his hand waits to be looked at."""

    seat: str
    total: Number | None


class IrregularityView(TypedDict):
    """What was not in order: kind = premature_reveal, early_draw, out_of_turn, late_claim, over_time, ..."""

    seat: str
    kind: str
    by: str | None


class FalseWinView(TypedDict):
    """Somebody (`by`, null = nobody named himself) says that a seat's win is none; the others are asked.

    hand = offender_dead (it goes on, he cannot win) or void (it is played again).
    """

    seat: str
    by: str | None
    hand: str
    deltas: dict[str, Number]


class FalseWinPaidView(TypedDict):
    """A false win of a hand, paid before the hand was settled."""

    seat: str
    deltas: dict[str, Number]


LastView = TypedDict(
    "LastView",
    {
        "hand": int,
        "kind": str,
        "seat": str | None,
        "by": str | None,
        "from": str | None,
        "hand_text": str | None,
        "laid": str | None,
        "flags": list[str],
        "flowers": list[str],
        "elements": list[ElementView],
        "not_counted": list[NotCountedView],
        "total": Number,
        "minimum": Number,
        "without_flowers": Number | None,
        "deltas": dict[str, Number],
        "false_wins": list[FalseWinPaidView],
        "stated": StatedView | None,
        "also": list[AlsoView],
        "unread": list[UnreadView],
        "kongs_called": list[str],
        "evidence": str | None,
        "players": dict[str, str],
        "head": str,
        "amended": list[AmendmentView],
    },
)


class FaultView(TypedDict):
    """A standing fault with cause and remedy."""

    code: int
    side: int
    key: str
    severity: str
    origin: str
    detail: int
    zh: str
    en: str
    remedy_zh: str
    remedy_en: str


class StateView(TypedDict):
    """GET /api/v1/state: everything a page or a robot's eyes may see."""

    epoch: int
    seq: int
    head: str
    table: TableView
    phase: str
    step: str | None
    hand: int
    circle: int
    circle_wind: str
    dealer: str
    run: int
    seats: dict[str, SeatView]
    act: list[ActView]
    build: BuildView
    dice: DiceView
    draw: DrawView | None
    finds_seats: bool
    lamp: LampView
    wall: WallView
    kongs: list[KongView]
    kongs_called: list[str]
    """Who called kongs by key that are still to be told of, by seat: they are not paid."""
    claim: ClaimView | None
    reading: ReadingView | None
    result: ResultView | None
    stated: StatedView | None
    false_win: FalseWinView | None
    also: list[AlsoView]
    irregularities: list[IrregularityView]
    referee: bool
    """All others agree, and the referee is asked now."""
    confirm: dict[str, str | None]
    aside: list[str]
    """Who agrees to put the hand aside, to be entered later."""
    last: LastView | None
    correction: CorrectionView | None
    over: OverView | None
    seat_change: SeatChangeView | None
    time: TimeView
    fault: FaultView | None
    notices: list[NoticeView]
    health: HealthView


class HistoryView(TypedDict):
    """Hands settled, newest first, and the running scores."""

    hands: list[LastView]
    total: int


class MachineView(TypedDict):
    """GET /api/v1/machine: the technician's view."""

    link: str
    why: str
    state: str
    busy: bool
    homed: bool
    trays: str | None
    dome: str | None
    lamp: int | None
    counts: list[int]
    boot_id: int | None
    uptime_ms: int
    order: str | None
    sensors: dict[str, bool]
    actuators: dict[str, bool]
    counters: dict[str, int]
    answers: dict[str, dict[str, Any]]
    inputs: dict[str, Any] | None
    selftest: dict[str, Any] | None
    lamps_sense: list[int] | None
    estop: bool
    camera: str
    marks_off: list[int]
    fault: FaultView | None
    faults: list[dict[str, Any]]
