"""What cities of the Northeast share: a ready hand's waits, the treasure tile (宝), who pays how much.

A drawn 宝, or the fourth tile of an own concealed triplet (大风), wins for whoever is ready: it is taken as
any of his waits, or as itself. Source: rules text dongbei-baopai.md; harbin.md refers to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules import procedure
from rules.engine import Row, Running, Told, Valued
from rules.errors import InvalidHand, InvalidRequest, InvalidWin
from rules.fields import Fields
from rules.hand import Hand, MeldKind
from rules.legal import Move
from rules.options import Options
from rules.packed import SUIT_MASKS
from rules.seats import Seat
from rules.situation import DISCARD, SELF_DRAW, Win
from rules.splits import Reading, regular_readings
from rules.tiles import TILES, Tile, kinds_of
from rules.variant import Payment, Value
from rules.variants.common import product
from rules.view import View

RED = 31
MOST_MELDS = 3  # at least four tiles stand
_KEPT = 512  # hands whose waits are remembered, for one choice of options

Fits = Callable[[Hand, Reading, Options], bool]


@dataclass(frozen=True, slots=True)
class Wait:
    """A kind that wins; `narrow` in some legal reading as an edge or middle, `pair` as the pair tile."""

    kind: int
    narrow: bool
    pair: bool


def opened(hand: Hand) -> bool:
    """Return whether there is an open meld; a concealed kong is none."""
    return bool(hand.open_melds)


def suits_of(hand: Hand) -> int:
    """Return how many suits the hand has."""
    return sum(hand.kinds & mask != 0 for mask in SUIT_MASKS)


def has_triplet(hand: Hand, reading: Reading) -> bool:
    """Return whether there is a pung or kong, a concealed one too."""
    return bool(reading.pungs) or any(meld.kind is not MeldKind.CHOW for meld in hand.melds)


def tiles_of(options: Options) -> int:
    """Return how many tiles are played with."""
    return int(str(options["tiles"]))


def _is_narrow(kind: int, reading: Reading) -> bool:
    chows, rank = reading.hidden_chows, kind % 9
    if kind - 1 in chows and 0 < rank < 8:
        return True
    return (rank == 6 and kind in chows) or (rank == 2 and kind - 2 in chows)


def waits(hand: Hand, fits: Fits, options: Options) -> tuple[Wait, ...]:
    """Return the kinds that win for a hand without its winning tile, those it holds all four of left out."""
    known: dict[tuple[object, ...], tuple[Wait, ...]] = options.derived.setdefault("waits", {})
    key = hand.melds, hand.concealed
    found = known.get(key)
    if found is None:
        if len(known) >= _KEPT:
            known.clear()
        found = known[key] = tuple(_each_wait(hand, fits, options))
    return found


def _each_wait(hand: Hand, fits: Fits, options: Options) -> list[Wait]:
    found = []
    for tile in kinds_of(tiles_of(options)):
        try:
            full = hand.with_win_tile(tile)
        except InvalidHand:
            continue
        legal = [reading for reading in regular_readings(full) if fits(full, reading, options)]
        if legal:
            kind = tile.index
            narrow = any(_is_narrow(kind, reading) for reading in legal)
            found.append(Wait(kind, narrow, any(kind in reading.pair_kinds for reading in legal)))
    return found


def free_win(win: Win, told: Told, options: Options) -> bool:
    """Return whether the drawn tile may be taken as any: a 宝, or the fourth of an own concealed triplet."""
    drawn = win.hand.win_tile
    return win.by == SELF_DRAW and (drawn in told.bao or win.hand.concealed.count(drawn) == 3)


def northern_rows(fits: Fits, bkd: Value, zimo: Value) -> tuple[Row, ...]:
    """Return the elements from 平胡 to 大风; `fits` says which complete hands may win."""

    def plain(view: View, told: Told) -> int:
        return int(fits(view.hand, view.reading, view.options))

    def drawn(view: View, told: Told) -> int:
        return int(view.self_drawn)

    def narrow(view: View, told: Told) -> int:
        """As itself it is the tile's own wait that counts; else the one natural wait there is."""
        if "tuichu" in view.flags:
            return 0
        every = waits(view.hand, fits, view.options)
        if told.drawn is not None:
            return int(len(every) == 1 and (every[0].narrow or every[0].pair))
        own = [wait for wait in every if wait.kind == view.win]
        return int(bool(own) and (own[0].narrow or (own[0].pair and len(every) == 1)))

    def pushed(view: View, told: Told) -> int:
        return int("tuichu" in view.flags)

    def as_wild(view: View, told: Told) -> int:
        return int(told.drawn is not None and told.drawn in told.bao)

    def on_its_wait(view: View, told: Told) -> int:
        is_bao = told.drawn is None and view.self_drawn and TILES[view.win] in told.bao
        return int(is_bao and narrow(view, told))

    def fourth(view: View, told: Told) -> int:
        return int(told.drawn is not None and view.hand.concealed.count(told.drawn) == 3)

    def fourth_on_its_wait(view: View, told: Told) -> int:
        if told.drawn is not None or not view.self_drawn:
            return 0
        own = [wait for wait in waits(view.hand, fits, view.options) if wait.kind == view.win]
        return int(view.hand.concealed.count(TILES[view.win]) == 3 and bool(own) and own[0].narrow)

    treasures = ("self_drawn", "bao_as_wild")
    wind = ("self_drawn", "bao_as_wild", "bao_in_bao")
    return (
        Row("plain_hand", "平胡", "Plain hand", product(1), plain),
        Row("self_drawn", "自摸", "Self-draw", zimo, drawn, True),
        Row("edge_closed_single", "边卡吊", "Edge, closed or single wait", bkd, narrow, True),
        Row(
            "bao_as_wild", "摸宝", "Treasure drawn as wild", product(4), as_wild, True, excludes=treasures[:1]
        ),
        Row(
            "bao_in_bao",
            "宝中宝",
            "Treasure on its own wait",
            product(16),
            on_its_wait,
            True,
            excludes=(*treasures, "edge_closed_single"),
        ),
        Row("big_wind", "大风", "Fourth tile of a triplet", product(4), fourth, True, excludes=wind),
        Row(
            "big_wind",
            "大风",
            "Fourth tile of a triplet on its wait",
            product(16),
            fourth_on_its_wait,
            True,
            excludes=(*wind, "edge_closed_single"),
        ),
        Row("pushed_pair", "推出", "Pushed pair", product("tuichu_mult"), pushed, True),
    )


def check_pushed(win: Win) -> None:
    """Refuse 推出 of a hand that does not wait on two pairs, one of which the tile completes.

    Raises:
        InvalidWin: so.
    """
    tile, standing = win.hand.win_tile, win.hand.concealed
    pairs = [kind for kind in set(standing) if standing.count(kind) == 2]
    others = [kind for kind in pairs if _completes_pung(win.hand, kind)]
    wins_by_itself = win.by != SELF_DRAW or tile in others
    if len(others) < 2 or (wins_by_itself and tile not in others):
        raise InvalidWin("a pushed pair (tuichu) needs a wait on two pairs, and one of them won")


def _completes_pung(hand: Hand, tile: Tile) -> bool:
    full = hand.with_win_tile(tile)
    return any(tile.index in reading.hidden_pungs for reading in regular_readings(full))


def doubled_payers(valued: Valued, running: Running, *, feeder_doubled: bool) -> tuple[tuple[Seat, int], ...]:
    """Return what each other seat owes: double where the dealer is in it, and double again for the feeder."""
    win, dealer = valued.win, running.situation.dealer
    owed = []
    for payer in running.playing:
        if payer == win.seat:
            continue
        amount = valued.worth.total
        if dealer in (win.seat, payer):
            amount *= 2
        if payer == win.source and feeder_doubled:
            amount *= 2
        owed.append((payer, amount))
    return tuple(owed)


def feeder_was_ready(valued: Valued) -> bool:
    """Return whether the feeder had declared ready.

    Raises:
        InvalidWin: if nobody told.
    """
    if valued.win.by == SELF_DRAW:
        return True
    if valued.told.feeder_ready is None:
        raise InvalidWin("whether the feeder had declared ready is missing (discarder_tenpai)")
    return valued.told.feeder_ready


def as_payments(owed: tuple[tuple[Seat, int], ...], winner: Seat) -> tuple[Payment, ...]:
    """Return what is owed as payments to the winner."""
    return tuple(Payment(payer, winner, amount, "win") for payer, amount in owed)


def is_discarded_bao(win: Win, told: Told) -> bool:
    """Return whether another player's discard is a 宝."""
    return win.by == DISCARD and win.hand.win_tile in told.bao


def may_declare(move: Move, fits: Fits, options: Options) -> bool:
    """Return whether the hand, or what is left of it after some discard, is ready."""
    hand = move.hand
    if hand.win_tile is None:
        return bool(waits(hand, fits, options))
    standing = list(hand.standing)
    for tile in set(standing):
        left = list(standing)
        left.remove(tile)
        if waits(Hand(hand.melds, left), fits, options):
            return True
    return False


_NEXT_HONOR = {27: 28, 28: 29, 29: 30, 30: 27, 31: 32, 32: 33, 33: 31}


def next_kind(tile: Tile) -> Tile:
    """Return the next kind: number + 1, 9 -> 1; E S W N E; 中 发 白 中."""
    if tile.suit is None:
        return TILES[_NEXT_HONOR[tile.index]]
    return TILES[tile.index // 9 * 9 + (tile.index % 9 + 1) % 9]


def bao_kinds(tile: Tile, options: Options) -> dict[str, tuple[Tile, ...]]:
    """Return the 宝 of a turned tile: its kind and the next; 中 alone where it is the only honor."""
    alone = tiles_of(options) == 112 and tile.index == RED
    return {"bao": (tile,) if alone else (tile, next_kind(tile))}


def bao_indicator(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `bao_indicator`: the place of the indicator after so many replacements, with a full tail.

    It is the top tile of the fourth stack from the tail, then the lower one, then the stack before it.
    """
    place, replaced = given.object("open"), given.integer("replaced", 0, 50)
    walls = procedure.walls(tiles_of(options), Seat.E)
    seat, stack = place.seat("seat"), place.integer("stack", 1, 100)
    if stack > walls.get(seat, 0):
        raise InvalidRequest(f"{place.name('stack')}: there are {walls.get(seat, 0)} stacks before {seat}")
    found = procedure.tail_draw(walls, procedure.Opening(seat, stack - 1, seat, stack), 6 + replaced)
    return {"seat": found.seat.value, "stack": found.stack, "layer": found.layer}
