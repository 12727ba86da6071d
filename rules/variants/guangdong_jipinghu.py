"""广东鸡平胡: chows and discards too, one pattern times its extras. Source: guangdong-jipinghu.md."""

from __future__ import annotations

from dataclasses import replace

from rules import patterns
from rules.engine import (
    Row,
    Running,
    Told,
    Valued,
    nothing_at_wall_end,
    refuses_nothing,
)
from rules.engine_combine import largest_times_extras
from rules.engine_patterns import any_win, flagged, robbed, seen
from rules.options import Options
from rules.shapes import REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, Shape
from rules.situation import SELF_DRAW
from rules.variant import Payment
from rules.variants.common import PAY_MODE, flag, integer, product
from rules.variants.guangdong import OPTIONS, TUIDAOHU, last_drawn
from rules.view import View

TEXT = "guangdong-jipinghu.md"
UNIT = 2  # half points are exact (半陪)
_NOT_HERE = ("qidui", "rob_pays_all", "multi_win", "draw_cancels_kongs", "horses", "walls108")
_OPTIONS = (
    *(option for option in OPTIONS if option.key not in _NOT_HERE),
    PAY_MODE,
    flag("pinghu_any_pair", False, "平胡任意将", "All sequences with any pair", f"{TEXT} (Scoring elements)"),
    flag("qidui", False, "七对", "Seven pairs", f"{TEXT} (Win shapes)"),
    flag("multi_win", True, "一炮多响", "Several winners on one tile", f"{TEXT} (Legal actions)"),
    integer("min_value", 1, 1, 1000, "起胡", "Fewest points that win", f"{TEXT} (Win shapes)"),
)


def _all_chows(view: View) -> int:
    regular = view.reading.shape == "regular" and not view.pungs
    return int(regular and (view.pair < 27 or view.options.on("pinghu_any_pair")))


def _nine_gates(view: View) -> int:
    """No melds, 1112345678999 and any of the suit, however it was waited for."""
    if view.hand.melds or not patterns.full_flush(view):
        return 0
    ranks = [tile.rank for tile in view.tiles]
    return int(all(ranks.count(rank) >= (3 if rank in (1, 9) else 1) for rank in range(1, 10)))


def _mixed(view: View) -> int:
    """Terminals and honors, both there."""
    return int(patterns.all_terminals_and_honors(view) and not patterns.all_terminals(view))


def _no_suit_tile(view: View) -> int:
    return int(all(tile.suit is None for tile in view.tiles))


def _self_drawn(view: View, told: Told) -> int:
    return int(view.self_drawn)


def _half_flush(view: View) -> int:
    """One suit and honors, both there."""
    suits = {tile.suit for tile in view.tiles}
    return int(len(suits) == 2 and None in suits)


_pungs = patterns.four_pungs
_little_dragons, _little_winds = patterns.little_three_dragons, patterns.little_four_winds
_x = product
ROWS = (
    Row("plain_hand", "鸡胡", "Chicken hand", _x(1), any_win),
    Row("all_chows", "平胡", "All sequences", _x(2), seen(_all_chows)),
    Row("all_pungs", "碰碰胡", "All pungs", _x(4), seen(_pungs)),
    Row("seven_pairs", "七对", "Seven pairs", _x(4), seen(patterns.seven_pairs)),
    Row("half_flush", "混一色", "Half suit", _x(4), seen(_half_flush)),
    Row("half_flush_pungs", "混碰", "Half suit of pungs", _x(16), seen(_half_flush, _pungs)),
    Row("full_flush", "清一色", "One suit", _x(16), seen(patterns.full_flush)),
    Row("full_flush_pungs", "清碰", "One suit, all pungs", _x(32), seen(patterns.full_flush, _pungs)),
    Row("all_terminals_and_honors", "混幺九", "Terminals and honors", _x(32), seen(_mixed, _pungs)),
    Row("little_three_dragons", "小三元", "Little three dragons", _x(32), seen(_little_dragons)),
    Row("little_four_winds", "小四喜", "Little four winds", _x(32), seen(_little_winds)),
    Row("all_honors", "字一色", "All honors", _x(64), seen(_no_suit_tile)),
    Row("all_terminals", "清幺九", "All terminals", _x(64), seen(patterns.all_terminals, _pungs)),
    Row("big_three_dragons", "大三元", "Big three dragons", _x(64), seen(patterns.big_three_dragons)),
    Row("big_four_winds", "大四喜", "Big four winds", _x(64), seen(patterns.big_four_winds)),
    Row("nine_gates", "九莲宝灯", "Nine gates", _x(64), seen(_nine_gates)),
    Row("thirteen_orphans", "十三幺", "Thirteen orphans", _x(64), seen(patterns.thirteen_orphans)),
    Row("self_drawn", "自摸", "Self-draw", _x(2), _self_drawn, True),
    Row(
        "out_with_replacement_tile",
        "杠上开花",
        "Win on the kong replacement",
        _x(2),
        flagged("after_kong"),
        True,
    ),
    Row("robbing_the_kong", "抢杠胡", "Robbing a kong", _x(2), robbed, True),
    Row("last_tile_draw", "海底捞月", "Last tile drawn", _x(2), last_drawn, True),
)


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    """The feeder pays alone, or all who do not win this tile pay the same, or half of it."""
    win, units = valued.win, valued.worth.total * UNIT
    payments = []
    for payer in running.playing:
        if payer in (win.seat, *running.winning):
            continue
        if win.by == SELF_DRAW or payer == win.source or options["pay_mode"] == "full":
            payments.append(Payment(payer, win.seat, units, "win"))
        elif options["pay_mode"] == "half":
            payments.append(Payment(payer, win.seat, units // 2, "win"))
    return tuple(payments)


def _shapes(options: Options) -> tuple[Shape, ...]:
    plain = (REGULAR, THIRTEEN_ORPHANS)
    return (*plain, SEVEN_PAIRS) if options.on("qidui") else plain


def _permits(options: Options) -> frozenset[str]:
    return frozenset({"chow", "pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})


def _minimum(options: Options) -> int:
    return options.number("min_value")


JIPINGHU = replace(
    TUIDAOHU,
    base=replace(
        TUIDAOHU.base,
        key="guangdong-jipinghu",
        zh="广东鸡平胡",
        en="Guangdong, with chows and discards",
        options=_OPTIONS,
        shapes=_shapes,
        permits=_permits,
        minimum=_minimum,
        tiles=136,
        unit=UNIT,
    ),
    rows=ROWS,
    combine=largest_times_extras,
    pay=_pay,
    drawn=nothing_at_wall_end,
    refuses=refuses_nothing,
)
