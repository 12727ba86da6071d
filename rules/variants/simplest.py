"""最简单的玩法: the simplest rules, and their 258 profile (Wuhan, Jinan). Source: rules text simplest.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules import patterns
from rules.hand import MeldKind
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.settlement import pay_by_scheme
from rules.shapes import ALL_258, REGULAR, SEVEN_PAIRS, Shape
from rules.situation import Kong, Situation
from rules.variant import Fan, KongRow, Payment, Score, Variant
from rules.variants.common import PASS_LOCK, PAY_MODE, SYSTEM, WALL_OPTIONS, flag, integer, product
from rules.view import View

SEED = "004_1d2ea21491bcd513.txt"
UNIT = 2  # half points are exact (半陪)

OPTIONS = (
    Option(
        "pair_rule",
        "choice",
        (Choice("any", "任意", "any pair"), Choice("258", "二五八", "a pair of 2, 5 or 8", ("258将",))),
        "any",
        "将牌",
        "Pair needed",
        f"{SEED} (屁胡)",
    ),
    integer("base", 1, 1, 1000, "底分", "Base points", "simplest.md (Options)"),
    integer(
        "big_unit", 10, 1, 1000, "大胡分", "Points of a big element, times base", "simplest.md (elements)"
    ),
    integer("haidi_from", 7, 1, 34, "海底起", "Sea-bottom from which stack, counted from the tail", SEED),
    SYSTEM,
    PAY_MODE,
    flag("multi_win", False, "一炮多响", "Several winners on one tile", "simplest.md (Legal actions)"),
    Option(
        "exposed_payer",
        "choice",
        (Choice("all", "三家", "each other player"), Choice("feeder", "点杠者", "the feeder alone")),
        "all",
        "明杠谁付",
        "Who pays for an exposed kong",
        "simplest.md (Kong payments)",
    ),
    PASS_LOCK,
    *WALL_OPTIONS,
)


def _sea_bottom(view: View) -> int:
    """Self-draw from stack `haidi_from`, counted from the tail, on: 7 = at most 13 left, 1 = the last."""
    stack = view.options.number("haidi_from")
    return patterns.drawn_with_at_most(view, 2 * stack - 1 if stack > 1 else 0)


def _plain(key: str, zh: str, en: str, counts: Callable[[View], int]) -> Fan:
    return Fan(key, zh, en, product("base"), counts, source=SEED)


def _big(key: str, zh: str, en: str, counts: Callable[[View], int]) -> Fan:
    return Fan(
        key,
        zh,
        en,
        product("base", "big_unit"),
        counts,
        ("any_win", "plain_hand"),
        source=SEED,
    )


FANS = (
    _plain("any_win", "和牌", "Win", patterns.any_complete_hand),
    _plain("plain_hand", "屁胡", "Plain hand", patterns.pair_of_258),
    _big("heavenly_hand", "天胡", "Heavenly hand", patterns.heavenly),
    _big("earthly_hand", "地胡", "Earthly hand", patterns.earthly_on_first_discard),
    _big("full_flush", "清一色", "One suit", patterns.one_suit_or_honors),
    _big("all_258", "将一色", "All 2/5/8", patterns.all_tiles_258),
    _big("all_pungs", "碰碰胡", "All pungs", patterns.four_pungs),
    _big("seven_pairs", "七小对", "Seven pairs", patterns.seven_pairs),
    _big("out_with_replacement_tile", "杠开", "Win on the kong replacement", patterns.replacement_tile),
    _big("robbing_the_kong", "抢杠", "Robbing a kong", patterns.robbed_kong),
    _big("melded_hand", "全求人", "All melded", patterns.four_open_melds),
    _big("last_tile_draw", "海捞", "Sea-bottom draw", _sea_bottom),
)


def _rows(fans: tuple[Fan, ...], options: Options) -> tuple[Fan, ...]:
    """Any win is worth the base; the other rows are those of the 258 profile."""
    with_258 = options["pair_rule"] == "258"
    return tuple(fan for fan in fans if (fan.key != "any_win") == with_258)


def _everyone(kong: Kong, value: int, situation: Situation, options: Options) -> Mapping[Seat, int]:
    return {seat: value for seat in situation.players if seat != kong.seat}


def _everyone_or_feeder(kong: Kong, value: int, situation: Situation, options: Options) -> Mapping[Seat, int]:
    shares = _everyone(kong, value, situation, options)
    if options["exposed_payer"] == "all" or kong.source is None:
        return shares
    return {kong.source: sum(shares.values())}


KONGS = (
    KongRow(
        "kong_exposed",
        "明杠",
        "Exposed kong",
        MeldKind.EXPOSED_KONG,
        product("base"),
        _everyone_or_feeder,
        SEED,
    ),
    KongRow("kong_added", "补杠", "Added kong", MeldKind.ADDED_KONG, product("base"), _everyone, SEED),
    KongRow(
        "kong_concealed",
        "暗杠",
        "Concealed kong",
        MeldKind.CONCEALED_KONG,
        product(2, "base"),
        _everyone,
        SEED,
    ),
)


def _shapes(options: Options) -> tuple[Shape, ...]:
    plain = (REGULAR, SEVEN_PAIRS)
    return (*plain, ALL_258) if options["pair_rule"] == "258" else plain


def _permits(options: Options) -> frozenset[str]:
    always = {"pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"}
    return frozenset(always | {"chow"} if options["pair_rule"] == "258" else always)


def _multi_win(options: Options) -> bool:
    return options.on("multi_win")


def _pay(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    return pay_by_scheme(view, scored, view.options, UNIT)


SIMPLEST = Variant(
    "simplest",
    "最简单的玩法",
    "Simplest rules",
    options=OPTIONS,
    fans=FANS,
    rows=_rows,
    kongs=KONGS,
    shapes=_shapes,
    pay=_pay,
    permits=_permits,
    multi_win=_multi_win,
    no_element="pair_not_258",
    tiles=136,
    hand_size=13,
    unit=UNIT,
    source="最简单的玩法，武汉、济南二五八将 · the simplest rules, and the pair of 2, 5 or 8 (Wuhan, Jinan)",
    circumstances=("after_kong", "last_tile", "heavenly", "earthly"),
    table_flags=("passed",),
)
