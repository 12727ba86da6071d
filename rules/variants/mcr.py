"""国标麻将, Chinese Official: the 81 elements of the 1998 rules and 明暗杠, as the League reads them (2025).

Exclusions are one hop: a row excludes what it necessarily contains. `absorbs` takes sets, not rows: the pungs
of 大三元 count no 幺九刻, a fourth pung of ones still does. Points, exclusions and names:
../shared/data/mcr/fan.csv; choices between rule bodies: the README beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rules import patterns as has
from rules import set_patterns as sets
from rules.combine import Combination
from rules.options import Options
from rules.seats import Seat
from rules.shapes import (
    HONORS_KNITTED,
    KNITTED_STRAIGHT,
    REGULAR,
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    Shape,
)
from rules.situation import SELF_DRAW, Situation
from rules.variant import (
    Fan,
    Payment,
    Places,
    Score,
    Value,
    Variant,
    whole_hand,
)
from rules.variants.common import WALL_OPTIONS, integer
from rules.view import View

if TYPE_CHECKING:
    from rules.routes.blocks import Pattern

FAN_LIST = "shared/data/mcr/fan.csv (1998 list; League rules 2025, annex 1)"
BASE = 8  # what every other player owes whatever the hand is worth
TERMINAL_PUNG = "pung_of_terminals_or_honors"


def points(value: int) -> Value:
    """Return a worth that no option changes."""
    return lambda options: value


def _places_of(mask: Callable[[View], int]) -> Callable[[View], Places]:
    return lambda view: (mask(view),)


def row(
    key: str,
    zh: str,
    en: str,
    value: int,
    counts: Callable[[View], int] | Combination | None,
    *,
    source: str,
    excludes: str = "",
    contains: str = "",
    absorbs: Callable[[View], int] | None = None,
    where: Callable[[View], Places] | None = None,
    fallback: Callable[[View, frozenset[str]], bool] | None = None,
    helps_minimum: bool = True,
    one_of: str = "",
    missed: Callable[[View], str] | None = None,
) -> Fan:
    """Return a row of the family of Chinese Official.

    Args:
        excludes, contains: keys with spaces between.
        absorbs: the sets on which 幺九刻 does not count any more.
        where: as in `Fan`; the absorbed sets where it is not given, else the whole hand.
    """
    if where is None:
        where = whole_hand if absorbs is None else _places_of(absorbs)
    return Fan(
        key,
        zh,
        en,
        points(value),
        None if isinstance(counts, Combination) else counts,
        excludes=tuple(excludes.split()),
        where=where,
        absorbs=() if absorbs is None else ((TERMINAL_PUNG, absorbs),),
        combination=counts if isinstance(counts, Combination) else None,
        fallback=fallback,
        helps_minimum=helps_minimum,
        one_of=one_of,
        missed=missed,
        source=source,
        contains=tuple(contains.split()),
    )


_fan = partial(row, source=FAN_LIST)

# fmt: off
FANS = (
    # 88
    _fan("big_four_winds", "大四喜", "Big Four Winds", 88, has.big_four_winds,
         excludes="prevalent_wind seat_wind big_three_winds all_pungs", absorbs=has.wind_pungs),
    _fan("big_three_dragons", "大三元", "Big Three Dragons", 88, has.big_three_dragons,
         excludes="two_dragon_pungs dragon_pung", absorbs=has.dragon_pungs),
    _fan("all_green", "绿一色", "All Green", 88, has.all_green, excludes="half_flush"),
    _fan("nine_gates", "九莲宝灯", "Nine Gates", 88, has.nine_gates,
         excludes="full_flush concealed_hand fully_concealed_hand no_honors", absorbs=has.gate_pung,
         where=whole_hand),
    _fan("four_kongs", "四杠", "Four Kongs", 88, has.four_kongs,
         excludes="three_kongs two_concealed_kongs two_melded_kongs concealed_kong_and_melded_kong "
                  "kong_concealed kong_exposed all_pungs single_wait", where=has.where_kongs),
    _fan("seven_shifted_pairs", "连七对", "Seven Shifted Pairs", 88, has.seven_shifted_pairs,
         excludes="seven_pairs full_flush concealed_hand fully_concealed_hand single_wait no_honors"),
    _fan("thirteen_orphans", "十三幺", "Thirteen Orphans", 88, has.thirteen_orphans,
         excludes="all_types all_terminals_and_honors concealed_hand fully_concealed_hand single_wait"),
    # 64
    _fan("all_terminals", "清幺九", "All Terminals", 64, has.all_terminals,
         excludes="all_pungs outside_hand double_pung pung_of_terminals_or_honors no_honors"),
    _fan("little_four_winds", "小四喜", "Little Four Winds", 64, has.little_four_winds,
         excludes="big_three_winds", absorbs=has.wind_pungs,
         where=has.where_winds),
    _fan("little_three_dragons", "小三元", "Little Three Dragons", 64, has.little_three_dragons,
         excludes="two_dragon_pungs dragon_pung", absorbs=has.dragon_pungs,
         where=has.where_dragons),
    _fan("all_honors", "字一色", "All Honors", 64, has.all_honors,
         excludes="all_pungs outside_hand pung_of_terminals_or_honors"),
    _fan("four_concealed_pungs", "四暗刻", "Four Concealed Pungs", 64, has.four_concealed_pungs,
         excludes="three_concealed_pungs two_concealed_pungs all_pungs concealed_hand fully_concealed_hand",
         where=has.where_concealed_pungs,
         missed=has.missed_four_concealed_pungs),
    _fan("pure_terminal_chows", "一色双龙会", "Pure Terminal Chows", 64, has.pure_terminal_chows,
         excludes="full_flush all_chows seven_pairs pure_double_chow two_terminal_chows no_honors"),
    # 48
    _fan("quadruple_chow", "一色四同顺", "Quadruple Chow", 48, sets.QUADRUPLE_CHOW,
         excludes="pure_triple_chow pure_shifted_pungs pure_double_chow tile_hog"),
    _fan("four_pure_shifted_pungs", "一色四节高", "Four Pure Shifted Pungs", 48, sets.FOUR_PURE_SHIFTED_PUNGS,
         excludes="pure_shifted_pungs pure_triple_chow all_pungs"),
    # 32
    _fan("four_pure_shifted_chows", "一色四步高", "Four Pure Shifted Chows", 32, sets.FOUR_PURE_SHIFTED_CHOWS,
         excludes="pure_shifted_chows short_straight two_terminal_chows"),
    _fan("three_kongs", "三杠", "Three Kongs", 32, has.three_kongs,
         excludes="two_concealed_kongs two_melded_kongs "
                  "concealed_kong_and_melded_kong kong_concealed kong_exposed", where=has.where_kongs),
    _fan("all_terminals_and_honors", "混幺九", "All Terminals and Honors", 32, has.all_terminals_and_honors,
         excludes="all_pungs outside_hand pung_of_terminals_or_honors"),
    # 24
    _fan("seven_pairs", "七对", "Seven Pairs", 24, has.seven_pairs,
         excludes="concealed_hand fully_concealed_hand single_wait"),
    _fan("greater_honors_and_knitted_tiles", "七星不靠", "Greater Honors and Knitted Tiles", 24,
         has.greater_honors_and_knitted_tiles,
         excludes="lesser_honors_and_knitted_tiles all_types concealed_hand "
                  "fully_concealed_hand single_wait"),
    _fan("all_even_pungs", "全双刻", "All Even Pungs", 24, has.all_even_pungs,
         excludes="all_pungs all_simples no_honors"),
    _fan("full_flush", "清一色", "Full Flush", 24, has.full_flush, excludes="no_honors"),
    _fan("pure_triple_chow", "一色三同顺", "Pure Triple Chow", 24, sets.PURE_TRIPLE_CHOW,
         excludes="pure_shifted_pungs", contains="pure_double_chow"),
    _fan("pure_shifted_pungs", "一色三节高", "Pure Shifted Pungs", 24, sets.PURE_SHIFTED_PUNGS,
         excludes="pure_triple_chow"),
    _fan("upper_tiles", "全大", "Upper Tiles", 24, has.upper_tiles, excludes="upper_four no_honors"),
    _fan("middle_tiles", "全中", "Middle Tiles", 24, has.middle_tiles,
         excludes="all_simples no_honors"),
    _fan("lower_tiles", "全小", "Lower Tiles", 24, has.lower_tiles, excludes="lower_four no_honors"),
    # 16
    _fan("pure_straight", "清龙", "Pure Straight", 16, sets.PURE_STRAIGHT,
         contains="short_straight two_terminal_chows"),
    _fan("three_suited_terminal_chows", "三色双龙会", "Three-Suited Terminal Chows", 16,
         has.three_suited_terminal_chows,
         excludes="all_chows mixed_double_chow two_terminal_chows no_honors"),
    _fan("pure_shifted_chows", "一色三步高", "Pure Shifted Chows", 16, sets.PURE_SHIFTED_CHOWS),
    _fan("all_fives", "全带五", "All Fives", 16, has.all_fives, excludes="all_simples no_honors"),
    _fan("triple_pung", "三同刻", "Triple Pung", 16, sets.TRIPLE_PUNG, contains="double_pung"),
    _fan("three_concealed_pungs", "三暗刻", "Three Concealed Pungs", 16, has.three_concealed_pungs,
         excludes="two_concealed_pungs", where=has.where_concealed_pungs,
         missed=has.missed_three_concealed_pungs),
    # 12
    _fan("lesser_honors_and_knitted_tiles", "全不靠", "Lesser Honors and Knitted Tiles", 12,
         has.lesser_honors_and_knitted_tiles,
         excludes="all_types concealed_hand fully_concealed_hand single_wait"),
    _fan("knitted_straight", "组合龙", "Knitted Straight", 12, has.knitted_straight,
         where=has.where_knitted),
    _fan("upper_four", "大于五", "Upper Four", 12, has.upper_four, excludes="no_honors"),
    _fan("lower_four", "小于五", "Lower Four", 12, has.lower_four, excludes="no_honors"),
    _fan("big_three_winds", "三风刻", "Big Three Winds", 12, has.big_three_winds,
         absorbs=has.wind_pungs),
    # 8
    _fan("mixed_straight", "花龙", "Mixed Straight", 8, sets.MIXED_STRAIGHT),
    _fan("reversible_tiles", "推不倒", "Reversible Tiles", 8, has.reversible_tiles,
         excludes="one_voided_suit"),
    _fan("mixed_triple_chow", "三色三同顺", "Mixed Triple Chow", 8, sets.MIXED_TRIPLE_CHOW,
         contains="mixed_double_chow"),
    _fan("mixed_shifted_pungs", "三色三节高", "Mixed Shifted Pungs", 8, sets.MIXED_SHIFTED_PUNGS),
    _fan("chicken_hand", "无番和", "Chicken Hand", 8, None, fallback=has.nothing_but_flowers),
    _fan("last_tile_draw", "妙手回春", "Last Tile Draw", 8, has.last_tile_draw, excludes="self_drawn",
         where=has.where_win),
    _fan("last_tile_claim", "海底捞月", "Last Tile Claim", 8, has.last_tile_claim,
         where=has.where_win),
    _fan("out_with_replacement_tile", "杠上开花", "Out with Replacement Tile", 8, has.replacement_tile,
         excludes="self_drawn",
         where=has.where_win),
    _fan("robbing_the_kong", "抢杠和", "Robbing the Kong", 8, has.robbed_kong, excludes="last_of_kind",
         where=has.where_win),
    # 6
    _fan("all_pungs", "碰碰和", "All Pungs", 6, has.all_pungs),
    _fan("half_flush", "混一色", "Half Flush", 6, has.half_flush),
    _fan("mixed_shifted_chows", "三色三步高", "Mixed Shifted Chows", 6, sets.MIXED_SHIFTED_CHOWS),
    _fan("all_types", "五门齐", "All Types", 6, has.all_types),
    _fan("melded_hand", "全求人", "Melded Hand", 6, has.four_open_melds, excludes="single_wait",
         missed=has.missed_melded_hand),
    _fan("two_concealed_kongs", "双暗杠", "Two Concealed Kongs", 6, has.two_concealed_kongs,
         excludes="two_concealed_pungs kong_concealed", where=has.where_concealed_kongs),
    _fan("two_dragon_pungs", "双箭刻", "Two Dragon Pungs", 6, has.two_dragon_pungs,
         excludes="dragon_pung", absorbs=has.dragon_pungs),
    # 5
    _fan("concealed_kong_and_melded_kong", "明暗杠", "Concealed Kong and Melded Kong", 5,
         has.concealed_kong_and_melded_kong,
         excludes="kong_concealed kong_exposed", where=has.where_kongs),
    # 4
    _fan("outside_hand", "全带幺", "Outside Hand", 4, has.outside_hand),
    _fan("fully_concealed_hand", "不求人", "Fully Concealed Hand", 4, has.fully_concealed_hand,
         excludes="concealed_hand self_drawn"),
    _fan("two_melded_kongs", "双明杠", "Two Melded Kongs", 4, has.two_melded_kongs,
         excludes="kong_exposed", where=has.where_melded_kongs),
    _fan("last_of_kind", "和绝张", "Last Tile", 4, has.last_of_kind, where=has.where_win),
    # 2
    _fan("dragon_pung", "箭刻", "Dragon Pung", 2, has.dragon_pung, absorbs=has.dragon_pungs,
         where=has.where_dragon_pungs),
    _fan("prevalent_wind", "圈风刻", "Prevalent Wind", 2, has.prevalent_wind,
         absorbs=has.prevalent_wind_pung),
    _fan("seat_wind", "门风刻", "Seat Wind", 2, has.seat_wind, absorbs=has.seat_wind_pung),
    _fan("concealed_hand", "门前清", "Concealed Hand", 2, has.concealed_hand),
    _fan("all_chows", "平和", "All Chows", 2, has.all_chows, excludes="no_honors"),
    _fan("tile_hog", "四归一", "Tile Hog", 2, has.tile_hog, where=has.where_quads),
    _fan("double_pung", "双同刻", "Double Pung", 2, sets.DOUBLE_PUNG),
    _fan("two_concealed_pungs", "双暗刻", "Two Concealed Pungs", 2, has.two_concealed_pungs,
         where=has.where_concealed_pungs,
         missed=has.missed_two_concealed_pungs),
    _fan("kong_concealed", "暗杠", "Concealed Kong", 2, has.concealed_kong, where=has.where_concealed_kongs),
    _fan("all_simples", "断幺", "All Simples", 2, has.all_simples, excludes="no_honors"),
    # 1
    _fan("pure_double_chow", "一般高", "Pure Double Chow", 1, sets.PURE_DOUBLE_CHOW),
    _fan("mixed_double_chow", "喜相逢", "Mixed Double Chow", 1, sets.MIXED_DOUBLE_CHOW),
    _fan("short_straight", "连六", "Short Straight", 1, sets.SHORT_STRAIGHT),
    _fan("two_terminal_chows", "老少副", "Two Terminal Chows", 1, sets.TWO_TERMINAL_CHOWS),
    _fan("pung_of_terminals_or_honors", "幺九刻", "Pung of Terminals or Honors", 1,
         has.pung_of_terminals_or_honors,
         where=has.where_terminal_pungs),
    _fan("kong_exposed", "明杠", "Melded Kong", 1, has.melded_kong, where=has.where_melded_kongs),
    _fan("one_voided_suit", "缺一门", "One Voided Suit", 1, has.one_voided_suit),
    _fan("no_honors", "无字", "No Honors", 1, has.no_honors),
    _fan("edge_wait", "边张", "Edge Wait", 1, has.edge_wait, where=has.where_edge, one_of="wait",
         missed=has.missed_edge_wait),
    _fan("closed_wait", "坎张", "Closed Wait", 1, has.closed_wait, where=has.where_gap,
         one_of="wait", missed=has.missed_closed_wait),
    _fan("single_wait", "单钓将", "Single Wait", 1, has.single_wait, where=has.where_pair,
         one_of="wait", missed=has.missed_single_wait),
    _fan("self_drawn", "自摸", "Self-Drawn", 1, has.self_drawn, where=has.where_win),
    _fan("flower_tiles", "花牌", "Flower Tiles", 1, has.flower_tiles, where=has.where_flowers,
         helps_minimum=False),
)
# fmt: on

FALSE_WIN_OPTIONS = (
    integer(
        "false_win_each",
        10,
        0,
        1000,
        "诈和罚每家",
        "A false win pays each other player",
        "a choice of this house (win-procedure.md section 3: the amount is not confirmed by a source)",
    ),
    integer(
        "false_win_not_ready_each",
        20,
        0,
        1000,
        "未听诈和罚每家",
        "A false win without a ready hand pays each other player",
        "a choice of this house (twice the other amount; win-procedure.md section 3 has no such rule)",
    ),
)
OPTIONS = (
    integer(
        "min_fan",
        8,
        0,
        88,
        "起和番",
        "Fewest points that may win, flowers left out",
        "1998 rules; League 2025",
    ),
    *FALSE_WIN_OPTIONS,
    *WALL_OPTIONS,
)


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, HONORS_KNITTED, KNITTED_STRAIGHT


def _permits(options: Options) -> frozenset[str]:
    return frozenset({"chow", "pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})


def _one_winner(options: Options) -> bool:
    return False


def _minimum(options: Options) -> int:
    return options.number("min_fan")


def pay_base_and_total(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    """Return 8 and the total from the discarder, or from everyone on a self-draw; 8 from the others."""
    payments = []
    for payer in view.players:
        if payer == view.seat:
            continue
        owes_total = view.by == SELF_DRAW or payer == view.source
        payments.append(Payment(payer, view.seat, BASE + (scored.total if owes_total else 0), "win"))
    return tuple(payments)


def pay_false_win(seat: Seat, not_ready: bool, situation: Situation, options: Options) -> tuple[Payment, ...]:
    """Return the same amount to each other player, more where the hand was not even ready."""
    each = options.number("false_win_not_ready_each" if not_ready else "false_win_each")
    return tuple(Payment(seat, other, each, "false_win") for other in situation.players if other != seat)


def _pass(winners: tuple[Seat, ...], situation: Situation, following: Seat) -> Seat:
    """The deal passes after every hand: four hands a round, sixteen a game."""
    return following


def _routes() -> tuple[Pattern, ...]:
    from rules.routes.patterns import PATTERNS  # hundreds of templates, which scoring has no use for

    return PATTERNS


MCR = Variant(
    "mcr",
    "国标麻将",
    "Chinese Official (MCR)",
    options=OPTIONS,
    fans=FANS,
    kongs=(),
    shapes=_shapes,
    pay=pay_base_and_total,
    permits=_permits,
    multi_win=_one_winner,
    minimum=_minimum,
    dealer_after=_pass,
    routes=_routes,
    pay_false_win=pay_false_win,
    tiles=144,
    circumstances=("after_kong", "last_tile", "last_of_kind"),
    source="1998年竞赛规则（试行）、国际麻将联盟2025年补充规则 · "
    "rules of 1998 (trial), League supplement of 2025",
)


# ---- profiles: the same rows where other rule bodies read them differently ----


def _changed(
    values: Mapping[str, int], excludes: Mapping[str, tuple[str, ...]], without: str = ""
) -> tuple[Fan, ...]:
    """Return the rows with other points, with exclusions taken away, and without some."""
    gone = without.split()
    changed = []
    for fan in FANS:
        if fan.key in gone:
            continue
        if fan.key in values:
            fan = replace(fan, value=points(values[fan.key]))
        dropped = (*excludes.get(fan.key, ()), *gone)
        if set(dropped) & set(fan.excludes):
            fan = replace(fan, excludes=tuple(key for key in fan.excludes if key not in dropped))
        changed.append(fan)
    return tuple(changed)


def _moved(fans: tuple[Fan, ...], key: str, before: str) -> tuple[Fan, ...]:
    """Return the rows with one of them before another, where the list numbers it so."""
    row = next(fan for fan in fans if fan.key == key)
    others = [fan for fan in fans if fan.key != key]
    at = next(place for place, fan in enumerate(others) if fan.key == before)
    return (*others[:at], row, *others[at:])


# hands that are always concealed; the European reading lets a self-draw of them count 不求人
_ALWAYS_CONCEALED = (
    "nine_gates",
    "seven_shifted_pairs",
    "thirteen_orphans",
    "four_concealed_pungs",
    "seven_pairs",
    "greater_honors_and_knitted_tiles",
    "lesser_honors_and_knitted_tiles",
)
_WMO_FANS = _moved(
    _changed(
        {"two_concealed_kongs": 8, "concealed_kong_and_melded_kong": 6},
        dict.fromkeys(_ALWAYS_CONCEALED, ("fully_concealed_hand",)),
    ),
    "two_concealed_kongs",
    before="all_pungs",
)
MCR_WMO2006 = replace(
    MCR,
    key="mcr-wmo2006",
    zh="国标麻将 2006",
    en="Chinese Official, world rules of 2006",
    fans=_WMO_FANS,
    source="2006年世界规则，欧洲的读法 · world rule book of 2006, European reading",
)

JMSA_CAP = 88


def _cap(options: Options) -> int | None:
    """Return 88; flowers are under the cap too (a choice: our sources do not name them)."""
    return JMSA_CAP


def _types_without_pairs(view: View) -> int:
    """All three suits, winds and dragons, but not as seven pairs."""
    return 0 if view.reading.shape == "seven_pairs" else has.all_types(view)


def _missed_types(view: View) -> str:
    return "seven_pairs" if view.reading.shape == "seven_pairs" and has.all_types(view) else ""


MCR_JMSA = replace(
    MCR,
    key="mcr-jmsa",
    zh="国标麻将（日本协会）",
    en="Chinese Official, Japanese association",
    fans=tuple(
        replace(fan, counts=_types_without_pairs, missed=_missed_types) if fan.key == "all_types" else fan
        for fan in FANS
    ),
    cap=_cap,
    source="日本协会的规则 · rules of the Japanese association",
)

MCR_1998 = replace(
    MCR,
    key="mcr-1998",
    zh="国标麻将 1998",
    en="Chinese Official, text of 1998",
    fans=_changed({}, {}, without="concealed_kong_and_melded_kong"),
    source="1998年竞赛规则（试行），不加联盟补充 · rules of 1998 (trial) without the League's additions",
)

PROFILES = (MCR, MCR_WMO2006, MCR_JMSA, MCR_1998)
