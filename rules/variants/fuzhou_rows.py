"""What fuzhou counts, and its formulas: rows, and what they look at. Source: rules text fuzhou.md."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rules.engine import Counted, Row, Told
from rules.engine_wilds import Share, Stock, places, takings
from rules.hand import Hand, MeldKind
from rules.options import Options
from rules.splits import Kinds, Reading
from rules.tiles import TILES, Tile
from rules.variants.common import product
from rules.view import View

GOLDS = 3
SET_OF_FLOWERS = 6  # four equal flower tiles, or the four of a set, instead of one each

Place = tuple[str, int] | None


# ---- what is counted ----


def flower_points(flowers: Sequence[Tile]) -> int:
    """Return the points of the tiles laid aside: one each, four equal or a whole set of four 6."""
    points = 0
    for kind in set(flowers):
        count = flowers.count(kind)
        if not kind.is_flower:
            points += SET_OF_FLOWERS if count == 4 else count
    for first in (34, 38):
        there = sum(tile in flowers for tile in TILES[first : first + 4])
        points += SET_OF_FLOWERS if there == 4 else there
    return points


def _flowers(view: View, told: Told, options: Options) -> int:
    return flower_points(told.flowers)


def _golds(view: View, told: Told, options: Options) -> int:
    return len(told.standing) + (told.drawn is not None)


def _streak(view: View, told: Told, options: Options) -> int:
    return told.deal.streak if options["streak_scope"] == "all" or view.is_dealer else 0


def _kongs(view: View, told: Told, options: Options) -> int:
    concealed = sum(meld.kind is MeldKind.CONCEALED_KONG for meld in view.hand.kongs)
    exposed = len(view.hand.kongs) - concealed
    points = exposed * options.number("kong_points.exposed")
    return points + concealed * options.number("kong_points.concealed")


def _sum(view: View, told: Told, options: Options) -> int:
    """Flowers with kong points, golds, streak."""
    counted = (_flowers, _kongs, _golds, _streak)
    return sum(each(view, told, options) for each in counted)


# ---- shapes of golds ----


def _is_complete(view: View) -> bool:
    return view.reading.shape == "regular"


def is_lone_gold(hand: Hand, gold: Tile) -> bool:
    """Return whether a hand without its winning tile is five sets and one more gold: any tile wins (游金)."""
    used = {*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles), gold}
    other = next(tile for tile in TILES[:27] if tile not in used)
    return any(
        taking.place == ("pair", other.index) and other.index in taking.stands
        for taking in takings(hand.with_win_tile(other), 1 << gold.index, matters)
    )


def may_take(hand: Hand, gold: Tile) -> bool:
    """Return whether a discard completes 金雀 or 金龙."""
    return any(
        is_gold_pair(taking.reading, taking.stands, taking.place, drawn=False)
        or is_gold_pung(taking.reading, taking.stands, taking.place, drawn=False)
        for taking in takings(hand, 1 << gold.index, matters)
    )


def is_gold_pair(reading: Reading, stands: Kinds, place: Place, *, drawn: bool) -> bool:
    """Return whether both tiles of the pair are golds, wherever the others stand."""
    pair = reading.pair_kinds[0]
    if place is not None and place[0] == "pair":
        return drawn and pair in stands
    return stands.count(pair) >= 2


def is_gold_pung(reading: Reading, stands: Kinds, place: Place, *, drawn: bool) -> bool:
    """Return whether three golds are one pung; the rest is complete without them then."""
    for kind in reading.hidden_pungs:
        here = place == ("pung", kind)
        if (drawn or not here) and stands.count(kind) + here == GOLDS:
            return True
    return False


def _waited_with_lone_gold(view: View, told: Told) -> int:
    drawn_pair = told.place is not None and told.place[0] == "pair" and view.win in told.stands
    return int(view.self_drawn and drawn_pair)


def _pair_of_golds(view: View, told: Told) -> int:
    return int(is_gold_pair(view.reading, told.stands, told.place, drawn=told.drawn is not None))


def _pung_of_golds(view: View, told: Told) -> int:
    return int(is_gold_pung(view.reading, told.stands, told.place, drawn=told.drawn is not None))


def _gold_in_the_middle(view: View, told: Told) -> int:
    """金坎: announced, the drawn gold itself between its neighbours, no other gold concealed."""
    if "jin_kan" not in told.called or told.drawn is None or told.standing:
        return 0
    itself = view.win == told.drawn.index and 0 < view.win % 9 < 8
    return int(itself and told.place == ("chow", view.win - 1))


def _three_golds(view: View, told: Told) -> int:
    return int(view.self_drawn and len(told.standing) + (told.drawn is not None) == GOLDS)


def _robs_gold(view: View, told: Told) -> int:
    return int("qiang_jin" in told.called and _is_complete(view))


def _heavenly(view: View, told: Told) -> int:
    return int("heavenly" in view.flags and _is_complete(view))


def _no_flower_no_kong(view: View, told: Told) -> int:
    return int(_is_complete(view) and not told.flowers and not view.hand.kongs)


def _lone_gold(view: View, told: Told) -> int:
    return int(_is_complete(view) and _waited_with_lone_gold(view, told))


def _drawn(view: View, told: Told) -> int:
    return int(_is_complete(view) and view.self_drawn)


def _discarded(view: View, told: Told) -> int:
    return int(_is_complete(view) and not view.self_drawn)


def _complete(counts: Callable[[View, Told], int]) -> Callable[[View, Told], int]:
    def asked(view: View, told: Told) -> int:
        return counts(view, told) if _is_complete(view) else 0

    return asked


def _always(view: View, told: Told) -> int:
    return 1


def _kongs_there(view: View, told: Told) -> int:
    return int(_kongs(view, told, view.options) > 0)


def _special(extra: int) -> Callable[[View, Told, Options], int]:
    def amount(view: View, told: Told, options: Options) -> int:
        return 2 * _sum(view, told, options) + extra

    return amount


def _on_discard(view: View, told: Told, options: Options) -> int:
    return _sum(view, told, options) + 1


def _on_draw(view: View, told: Told, options: Options) -> int:
    return 2 * (_sum(view, told, options) + 1)


_0 = product(0)
ROWS = (
    Row("flowers", "花", "Flowers", _0, _always, True, worth=_flowers),
    Row("golds", "金", "Golds", _0, _always, True, worth=_golds),
    Row("streak", "连庄", "Dealer streak", _0, _always, True, worth=_streak),
    Row("kong_points", "杠", "Kong points", _0, _kongs_there, True, worth=_kongs),
    # the formulas in the order in which one of equal amounts is named
    Row("gold_dragon", "金龙", "Three golds as a pung", _0, _complete(_pung_of_golds), worth=_special(100)),
    Row("gold_pair", "金雀", "Gold pair", _0, _complete(_pair_of_golds), worth=_special(50)),
    Row("gold_middle", "金坎", "Gold in the middle", _0, _complete(_gold_in_the_middle), worth=_special(50)),
    Row("three_golds", "三金倒", "Three golds", _0, _three_golds, worth=_special(40)),
    Row("heavenly_hand", "天和", "Complete on the deal", _0, _heavenly, worth=_special(30)),
    Row("rob_gold", "抢金", "Robbing the gold", _0, _robs_gold, worth=_special(30)),
    Row("no_flower_no_kong", "平和", "No flower, no kong", _0, _no_flower_no_kong, worth=_special(30)),
    Row("lone_gold", "游金", "Lone gold wait", _0, _lone_gold, worth=_on_draw),
    Row("plain_self_draw", "普通自摸", "Ordinary self-draw", _0, _drawn, worth=_on_draw),
    Row("plain_discard", "普通点炮", "Ordinary discard win", _0, _discarded, worth=_on_discard),
)


def largest_formula(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return what is counted and the one formula with the largest amount, times the stake."""
    formulas = [each for each in found if not each.row.extra]
    if not formulas:
        return (), 0
    best = max(formulas, key=lambda each: each.value)  # of equal ones the first
    return (*(each for each in found if each.row.extra), best), best.value * options.number("stake")


def matters(share: Share, stock: Stock) -> Hashable:
    """Return what the formulas look at: golds in the pair and in a pung, where the winning tile may go."""
    golds = tuple(sorted(kind for kind in share.pungs if share.stands.count(kind) >= 2))
    pair = share.pair, share.stands.count(share.pair)
    wins = set(share.stands) if stock.drawn else {stock.win}
    gone = frozenset(
        (win, place[0], place == ("chow", win - 1))
        for win in wins
        for place in places(win, share.chows, share.pungs, share.pair)
    )
    return golds, pair, gone, tuple(sorted(set(share.stands)))
