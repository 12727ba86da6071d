"""联众麻将 (Lianzhong), a dialect of Chinese Official: its own names and patterns on the official rows.

Source: ../shared/rules/lianzhong.md; points, names and exclusions: ../shared/rules/elements/lianzhong.csv.
The official rows come from `rules.variants.mcr`; what the dialect adds stands here, row by row, in the order
of the table. What the rule text leaves open is decided in the row it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

from rules import patterns as has
from rules import set_patterns as sets
from rules.fields import Fields
from rules.hand import MeldKind
from rules.ops import op
from rules.options import Choice, Option, Options
from rules.packed import TERMINALS, ranks_where
from rules.seats import ALL_SEATS, Seat, seat_after
from rules.settlement import amount_to_number, settle_kong
from rules.situation import SELF_DRAW, Kong, Situation, Win
from rules.tiles import FLOWERS, TILES
from rules.variant import Fan, KongRow, Places, resolve_options
from rules.variants.common import WALL_OPTIONS, flag, integer
from rules.variants.mcr import FALSE_WIN_OPTIONS, MCR, points, row
from rules.variants.mcr import FANS as OFFICIAL
from rules.view import PUNG_PLACE, WILD_KONG, View

TEXT = "lianzhong.md"
WILD_KONG_POINTS = 88

# ---- what the extra patterns look at ----


def _four_directions_fa(view: View) -> int:
    """Four wind pungs and a pair of 发."""
    return int(view.pair == _GREEN and has.big_four_winds(view))


_GREEN = 32


def _told(name: str) -> Callable[[View], int]:
    """Return a predicate that people answer: a circumstance that no tile shows."""
    return lambda view: int(name in view.claimed.flags)


def _wild_kong(view: View) -> int:
    return view.claimed.wild_kongs.bit_count()


def _where_wild_kong(view: View) -> Places:
    return tuple(1 << PUNG_PLACE + at for at, kind in enumerate(view.pungs) if kind == WILD_KONG)


def _no_wilds(view: View) -> int:
    """A game with wild tiles, and none of them in the hand."""
    with_wilds = view.options.on("wilds") or view.claimed.wild != 0
    placement = view.claimed.placement
    return int(with_wilds and (placement is None or not placement.holds_wild))


_258 = ranks_where((2, 5, 8))


def _pair_among(kinds: int) -> Callable[[View], int]:
    """Return a predicate: four sets and a pair of these kinds; knitted tiles are no sets."""

    def count(view: View) -> int:
        return int(view.reading.shape == "regular" and kinds >> view.pair & 1)

    return count


def _eight_flowers(view: View) -> int:
    return int(view.claimed.flowers == len(FLOWERS))


def _all_of(letters: str) -> Callable[[View], int]:
    """Return a predicate: all these flowers are laid aside; flowers that nobody named are not known."""
    wanted = {TILES[34 + FLOWERS.index(letter)] for letter in letters}
    return lambda view: int(wanted <= set(view.claimed.flower_tiles))


def _own_flowers(view: View) -> int:
    """Flowers of the own seat, 1 and 5 for the dealer, who is East; flowers nobody named are not known."""
    own = view.claimed.seat_wind - 27
    return sum((tile.index - 34) % 4 == own for tile in view.claimed.flower_tiles)


def _closed_and_taken(view: View) -> int:
    """门清 is a closed hand that wins on another player's tile; a self-draw has 不求人."""
    return int(view.by_discard and has.concealed_hand(view))


# ---- rows ----


_extra = partial(row, source=TEXT)
_FLOWER_POINTS = "flower_tiles season_set plant_set own_flower"
_WAITS = "edge_wait closed_wait single_wait"

# fmt: off
EXTRAS = (
    # 全带幺 is implied by 字一色, which does not count here and so excludes nothing itself
    _extra("four_directions_fa", "四方大发", "Four Winds and a pair of Green Dragon", 168,
           _four_directions_fa,
           excludes="big_four_winds all_honors all_terminals_and_honors all_pungs prevalent_wind seat_wind "
                    "big_three_winds pung_of_terminals_or_honors half_flush outside_hand",
           where=has.where_winds),
    # who wins on his dealt tiles was ready on them: 天听 is implied by 天和 and 地和
    _extra("heavenly_hand", "天和", "Heavenly Win", 168, has.heavenly,
           excludes=f"earthly_hand human_hand fully_concealed_hand self_drawn {_WAITS} heavenly_ready"),
    _extra("earthly_hand", "地和", "Earthly Win", 158, _told("earthly"),
           excludes="heavenly_hand human_hand fully_concealed_hand self_drawn heavenly_ready"),
    _extra("human_hand", "人和", "Human Win", 108, _told("human"),
           excludes="heavenly_hand earthly_hand concealed_hand fully_concealed_hand"),
    # the kong gives nothing else (`Claimed.wild_kongs`); a second, ordinary kong keeps its 暗杠
    _extra("wild_kong", "混杠", "Kong of Wilds", WILD_KONG_POINTS, _wild_kong, where=_where_wild_kong),
    _extra("heavenly_ready", "天听", "Heavenly Ready", 32, _told("heavenly_ready")),
    _extra("mixed_four_shifted_pungs", "混四节", "Mixed Four Shifted Pungs", 6, sets.MIXED_FOUR_SHIFTED_PUNGS,
           excludes="mixed_three_shifted_pungs"),
    _extra("mixed_four_shifted_chows", "混四步", "Mixed Four Shifted Chows", 4, sets.MIXED_FOUR_SHIFTED_CHOWS,
           excludes="mixed_three_shifted_chows"),
    _extra("mixed_three_shifted_pungs", "混三节", "Two-suit Three Shifted Pungs", 4,
           sets.TWO_SUIT_SHIFTED_PUNGS),
    _extra("mixed_three_shifted_chows", "混三步", "Two-suit Three Shifted Chows", 2,
           sets.TWO_SUIT_SHIFTED_CHOWS),
    _extra("pair_258", "258将", "Pair of 2, 5 or 8", 1, _pair_among(_258), where=has.where_pair),
    _extra("pair_19", "幺九头", "Terminal Pair", 1, _pair_among(TERMINALS), where=has.where_pair),
)

# conditions as usually read, not confirmed by the rule text
PUBLIC_EXTRAS = (
    _extra("eight_immortals", "八仙过海", "Eight Flowers", 88, _eight_flowers, excludes=_FLOWER_POINTS,
           where=has.where_flowers),
    _extra("seven_rob_one", "七抢一", "Seven Flowers Rob the Eighth", 32, _told("seven_rob_one"),
           excludes=_FLOWER_POINTS, where=has.where_flowers),
    _extra("no_wilds", "无混", "No Wild", 2, _no_wilds),
    _extra("two_suit_straight", "混龙", "Two-suit Straight", 2, sets.TWO_SUIT_STRAIGHT),
    _extra("declared_ready", "立直", "Declared Ready", 2, _told("declared_ready")),
    _extra("plant_set", "梅兰竹菊", "Whole Plant Set", 1, _all_of("efgh"), where=has.where_flowers,
           helps_minimum=False),
    _extra("season_set", "春夏秋冬", "Whole Season Set", 1, _all_of("abcd"), where=has.where_flowers,
           helps_minimum=False),
    _extra("own_flower", "季花", "Own Flower", 1, _own_flowers, where=has.where_flowers,
           helps_minimum=False),
)
# fmt: on

NAMES: Mapping[str, str] = {
    "pure_straight": "青龙",
    "lesser_honors_and_knitted_tiles": "十三不靠",
    "two_terminal_chows": "老少配",
    "concealed_hand": "门清",
    "closed_wait": "嵌张",
    "single_wait": "单钓",
    "double_pung": "两同刻",
    "all_simples": "断幺九",
    "last_of_kind": "和决张",
}

# whose pair is fixed by the pattern
_PAIR_IMPLIED: Mapping[str, str] = {
    "all_fives": "pair_258",
    "three_suited_terminal_chows": "pair_258",
    "pure_terminal_chows": "pair_258",
    "all_terminals": "pair_19",
}

_KEYS_OF_EXTRAS = frozenset(fan.key for fan in (*EXTRAS, *PUBLIC_EXTRAS))
_KEYS_OF_FLOWERS = frozenset(_FLOWER_POINTS.split())


def _no_pattern(view: View, keys: frozenset[str]) -> bool:
    """无番和: open, won on another player's tile, no pattern but flowers; the extras are patterns too."""
    return view.by_discard and view.claimed.open_melds > 0 and not keys - _KEYS_OF_FLOWERS


def _no_official_pattern(view: View, keys: frozenset[str]) -> bool:
    """The same where only official patterns are looked at, those that stand back behind an extra one too."""
    if view.by_discard and view.claimed.open_melds > 0 and "four_directions_fa" not in keys:
        return not keys - _KEYS_OF_FLOWERS - _KEYS_OF_EXTRAS and not _official_combination(view)
    return False


def _official_combination(view: View) -> bool:
    """Return whether any sets form an official pattern, counted or not."""
    for fan in OFFICIAL:
        if fan.combination is not None:
            kinds = view.chows if fan.combination.of == "chow" else view.pungs
            if any(fan.combination.matches(some) for some in combinations(kinds, fan.combination.size)):
                return True
    return False


def _official(fan: Fan) -> Fan:
    """Return an official row as the dialect names it."""
    fan = replace(fan, zh=NAMES.get(fan.key, fan.zh))
    if fan.key in _PAIR_IMPLIED:
        fan = replace(fan, excludes=(*fan.excludes, _PAIR_IMPLIED[fan.key]))
    if fan.key == "concealed_hand":
        fan = replace(fan, counts=_closed_and_taken)
    if fan.key == "chicken_hand":
        fan = replace(fan, fallback=_no_pattern)
    return fan


FANS = (*EXTRAS, *PUBLIC_EXTRAS, *map(_official, OFFICIAL))

# ---- what the options change ----

# exclusions that the rule text of the dialect does not name where the official one does
_NOT_NAMED: Mapping[str, tuple[str, ...]] = {
    "seven_pairs": ("fully_concealed_hand",),
    "seven_shifted_pairs": ("fully_concealed_hand",),
    "greater_honors_and_knitted_tiles": ("fully_concealed_hand",),
    "lesser_honors_and_knitted_tiles": ("fully_concealed_hand",),
    "thirteen_orphans": ("fully_concealed_hand",),
    "big_three_dragons": ("dragon_pung",),
    "nine_gates": ("concealed_hand", "fully_concealed_hand"),
}
_PUNGS_NOT_NAMED = ("big_four_winds", "nine_gates")  # whose pungs count 幺九刻 as well
_FIRST_TURN = ("heavenly_hand", "earthly_hand", "human_hand")
_NOT_SELF_DRAWN = ("last_tile_claim", "melded_hand")


def _rows(fans: tuple[Fan, ...], options: Options) -> tuple[Fan, ...]:
    gone = set() if options.on("public_extras") else {fan.key for fan in PUBLIC_EXTRAS}
    if options["wild_kong"] == "at_once":
        gone.add("wild_kong")
    if options.on("self_draw_only"):
        gone.update(_NOT_SELF_DRAWN)
    every = tuple(fan.key for fan in fans)
    return tuple(_under(fan, options, every) for fan in fans if fan.key not in gone)


def _under(fan: Fan, options: Options, every: tuple[str, ...]) -> Fan:
    """Return one row as the options read it."""
    if options["exclusions"] == "literal":
        named = tuple(key for key in fan.excludes if key not in _NOT_NAMED.get(fan.key, ()))
        fan = replace(fan, excludes=named, absorbs=() if fan.key in _PUNGS_NOT_NAMED else fan.absorbs)
    # "stand alone, nothing is added": whatever the hand would be worth without it. The highest way to read a
    # hand is a choice among readings, not among circumstances; who has more without it need not tell it
    if fan.key in _FIRST_TURN and not options.on("first_turn_additive"):
        fan = replace(fan, excludes=tuple(key for key in every if key != fan.key))
    if fan.key == "chicken_hand" and not options.on("wufan_sees_extras"):
        fan = replace(fan, fallback=_no_official_pattern)
    return fan


OPTIONS = (
    Option(
        "exclusions",
        "choice",
        (
            Choice("official", "国标", "official ones too"),
            Choice("literal", "按原文", "those of the text only"),
        ),
        "official",
        "不计",
        "Exclusions",
        f"{TEXT} (Differences)",
    ),
    flag("wilds", False, "花混", "Wild tiles", f"{TEXT} (Tile set)"),
    Option(
        "wild_kong",
        "choice",
        (
            Choice("with_win", "和牌时计番", "fan of the winning hand"),
            Choice("at_once", "当时付", "paid when laid"),
        ),
        "with_win",
        "混杠",
        "Kong of wilds",
        f"{TEXT} (extras)",
    ),
    flag(
        "first_turn_additive", True, "天和地和人和加计", "First-turn wins add to the hand", f"{TEXT} (extras)"
    ),
    flag(
        "wufan_sees_extras",
        True,
        "无番和看附加番",
        "Extra patterns bar the chicken hand",
        f"{TEXT} (Differences)",
    ),
    integer(
        "min_fan", 8, 0, 88, "起和番", "Fewest points that may win, flowers left out", f"{TEXT} (extras)"
    ),
    flag("self_draw_only", False, "只许自摸", "Win by self-draw only", f"{TEXT} (Players)"),
    flag(
        "public_extras", False, "大众附加番", "Extra patterns of the public table", f"{TEXT} (Seed passages)"
    ),
    *FALSE_WIN_OPTIONS,
    *WALL_OPTIONS,
)


def _permits(options: Options) -> frozenset[str]:
    every = MCR.permits(options)
    return every - {"rob_kong"} if options.on("self_draw_only") else every


def _refuses(win: Win, options: Options) -> str | None:
    return "self_draw_only" if options.on("self_draw_only") and win.by != SELF_DRAW else None


def _wild(situation: Situation, options: Options) -> int:
    """The kinds named for this hand, whatever the option says: it tells what a table will play."""
    return sum(1 << tile.index for tile in set(situation.wild))


def _contradicts(win: Win, situation: Situation, options: Options) -> str:
    flags = situation.flags | win.flags
    after_dealer = seat_after(situation.dealer, situation.players)
    if options.on("wilds") and not situation.wild:
        return "the table plays with wild tiles: which kinds are wild is missing"
    if "earthly" in flags and (win.by != SELF_DRAW or win.seat != after_dealer or win.hand.melds):
        return f"earthly is the first self-draw of {after_dealer}, the seat after the dealer, without melds"
    if "heavenly_ready" in flags and win.hand.melds:
        return "heavenly_ready is a hand that has not changed since the deal; this one has melds"
    claims = 2 if "after_kong" in flags else 1  # a discard follows each but a kong
    if "human" in flags and len(win.hand.open_melds) > claims:
        return f"human is a win before the own second discard: after {claims} claimed sets at most"
    if "seven_rob_one" in flags and win.flowers != len(FLOWERS) - 1:
        return f"seven_rob_one needs seven flowers laid aside, not {win.flowers}"
    return ""


# ---- a kong of wild tiles, paid when it is laid ----


def _pay_wild_kong(kong: Kong, value: int, situation: Situation, options: Options) -> Mapping[Seat, int]:
    if options["wild_kong"] != "at_once" or not _wild(situation, options) >> kong.tile.index & 1:
        return {}
    return {seat: value for seat in situation.players if seat != kong.seat}


def _wild_kong_row(kind: MeldKind, zh: str, en: str) -> KongRow:
    return KongRow("wild_kong", zh, en, kind, points(WILD_KONG_POINTS), _pay_wild_kong, TEXT)


KONGS = (
    _wild_kong_row(MeldKind.CONCEALED_KONG, "混杠（暗杠）", "Kong of Wilds, concealed"),
    _wild_kong_row(MeldKind.EXPOSED_KONG, "混杠（明杠）", "Kong of Wilds, exposed"),
    _wild_kong_row(MeldKind.ADDED_KONG, "混杠（补杠）", "Kong of Wilds, added"),
)

LIANZHONG = replace(
    MCR,
    key="lianzhong",
    zh="联众麻将",
    en="Lianzhong, a dialect of Chinese Official",
    options=OPTIONS,
    fans=FANS,
    kongs=KONGS,
    rows=_rows,
    permits=_permits,
    refuses=_refuses,
    wild=_wild,
    contradicts=_contradicts,
    circumstances=(
        "after_kong",
        "last_tile",
        "last_of_kind",
        "heavenly",
        "earthly",
        "human",
        "heavenly_ready",
        "declared_ready",
        "seven_rob_one",
    ),
    told_as_options=("round_wind", "event", "flowers", "last_tile", "last_of_kind", "wild"),
    source="联众麻将规则图解、国标麻将番种图解 · the illustrated rules of Lianzhong and of Chinese Official",
)


@op("wild_kong", "lianzhong")
def _ask_wild_kong(given: Fields, case: Fields) -> dict[str, Any]:
    """Return what a kong of wild tiles pays at once and what it is worth in the winning hand."""
    options = resolve_options(LIANZHONG, {"wild_kong": given.text("wild_kong")})
    konger, tile = given.seat("konger"), TILES[0]
    situation = Situation(konger, ALL_SEATS, options, wild=(tile,))
    paid = settle_kong(LIANZHONG, Kong(konger, MeldKind.CONCEALED_KONG, tile), situation)
    rows = {fan.key: fan for fan in LIANZHONG.rows(LIANZHONG.fans, options)}
    return {
        "deltas": {
            seat.value: amount_to_number(units, LIANZHONG.unit) for seat, units in paid.deltas.items()
        },
        "added_at_win": rows["wild_kong"].value(options) if "wild_kong" in rows else 0,
    }
