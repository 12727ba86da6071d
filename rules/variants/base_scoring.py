"""基分 (generic settlement): every complete hand pays the same.

Who owes how much follows from the dealer, the way of winning and the pay mode. Source: rules text
base-scoring.md; names of the amounts: ../shared/rules/elements/base-scoring.csv. The text has no scoring
elements; the one row here is the win itself.

What the text leaves open: `cap` limits what a loser owes for the win, the discarder's sum with `bao_sum`
too, but not the kong points, which are booked beside it; neither does the multiplier touch these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rules import patterns
from rules.hand import MeldKind
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.settlement import scheme_factor
from rules.shapes import HONORS_KNITTED, REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, Shape
from rules.situation import ROB_KONG, SELF_DRAW, Situation
from rules.variant import Fan, Payment, Score, Variant, resolve_options
from rules.variants.common import PAY_MODE, SYSTEM, WALL_OPTIONS, flag, integer, product
from rules.view import View

TEXT = "base-scoring.md"
SEED = "seeds 000/002/003 (计分方法)"
UNIT = 2  # half points are exact (半陪)
MOST = 1_000_000

_SPECIAL: Mapping[str, Shape] = MappingProxyType(
    {
        "seven_pairs": SEVEN_PAIRS,
        "thirteen_unrelated": HONORS_KNITTED,
        "thirteen_orphans": THIRTEEN_ORPHANS,
    }
)

OPTIONS = (
    replace(SYSTEM, default="1-2-4", source=SEED),
    replace(PAY_MODE, default="full", source=SEED),
    integer("multiplier", 1, 1, 1000, "倍数", "Multiplier of every amount", TEXT),
    Option(
        "half_rounding",
        "choice",
        (
            Choice("exact", "半分照记", "half points are kept"),
            Choice("up", "进一", "up"),
            Choice("down", "舍去", "down"),
        ),
        "exact",
        "半陪取整",
        "Rounding of a half share",
        f"{TEXT} (Settlement formulas)",
    ),
    flag("bao_sum", False, "包三家", "The discarder pays for all", f"{TEXT} (Settlement formulas)"),
    Option(
        "rob_kong_as",
        "choice",
        (
            Choice("discard", "当点炮", "as a discard of the konging seat"),
            Choice("self_draw", "当自摸", "as a self-draw"),
        ),
        "discard",
        "抢杠算法",
        "A robbed kong is paid",
        f"{TEXT} (Settlement formulas)",
    ),
    flag("multi_win", False, "一炮多响", "Several winners on one tile", f"{TEXT} (Options)"),
    Option(
        "special_shapes",
        "set",
        (
            Choice("seven_pairs", "七对", "seven pairs"),
            Choice("thirteen_unrelated", "全不靠", "honors and knitted tiles"),
            Choice("thirteen_orphans", "字幺九", "thirteen orphans"),
        ),
        "",
        "特殊牌型",
        "Special shapes that win",
        f"{TEXT} (Win shapes)",
    ),
    integer("kong_points.exposed", 0, 0, MOST, "明杠分", "Points of an exposed or added kong", TEXT),
    integer("kong_points.concealed", 0, 0, MOST, "暗杠分", "Points of a concealed kong", TEXT),
    integer("draw_pay", 0, 0, MOST, "荒庄赔", "The dealer of a drawn hand pays each seat", TEXT),
    integer("cap", 0, 0, MOST, "封顶", "Most that one loser pays for a win", TEXT),
    *WALL_OPTIONS,
)

FANS = (Fan("any_win", "和牌", "Win", product("multiplier"), patterns.any_complete_hand, source=TEXT),)


# ---- what is owed ----


@dataclass(frozen=True, slots=True)
class Owed:
    """A win as far as its payment is concerned, with the winner's kongs."""

    seat: Seat
    by: str
    source: Seat | None = None
    exposed: int = 0
    concealed: int = 0


def amount_key(system: str, *, self_draw: bool, dealer: bool) -> str:
    """Return the name of what one loser owes, as elements/base-scoring.csv has it."""
    pair = "dealer_" if dealer else ""
    return f"u_{system.replace('-', '_')}_{pair}{'self_draw' if self_draw else 'discard'}"


def pay_wins(
    wins: Sequence[Owed], dealer: Seat, players: Sequence[Seat], options: Options
) -> tuple[Payment, ...]:
    """Return what the wins on one tile pay, in half points; a winner pays no other winner."""
    winners = {win.seat for win in wins}
    losers = [seat for seat in players if seat not in winners]
    payments: list[Payment] = []
    for win in wins:
        payments += _pay_win(win, dealer, losers, options)
        kongs = win.exposed * options.number("kong_points.exposed")
        kongs += win.concealed * options.number("kong_points.concealed")
        payments += [Payment(seat, win.seat, kongs * UNIT, "kong_points") for seat in losers if kongs]
    return tuple(payments)


def _pay_win(win: Owed, dealer: Seat, losers: Sequence[Seat], options: Options) -> list[Payment]:
    drawn = win.by == SELF_DRAW or (win.by == ROB_KONG and options["rob_kong_as"] == "self_draw")
    system, mode = str(options["system"]), options["pay_mode"]
    owed = dict.fromkeys(losers, 0)
    why: dict[Seat, str] = {}
    for loser in losers:
        pair = dealer in (win.seat, loser)
        own = scheme_factor(system, self_draw=drawn, dealer=pair) * options.number("multiplier") * UNIT
        feeds = drawn or loser is win.source
        if mode == "full" or feeds:
            owed[loser] += own
        elif mode == "half":
            owed[loser] += _rounded(own // 2, str(options["half_rounding"]))
        elif options.on("bao_sum") and win.source is not None:
            owed[win.source] += own
        why[loser] = amount_key(system, self_draw=drawn, dealer=pair)
    cap = options.number("cap") * UNIT
    return [
        Payment(loser, win.seat, min(owed[loser], cap) if cap else owed[loser], why[loser])
        for loser in losers
        if owed[loser]
    ]


def _rounded(units: int, how: str) -> int:
    """Return half points as whole points where the table rounds."""
    if how == "exact":
        return units
    return (units + (how == "up")) // UNIT * UNIT


def _owed(view: View) -> Owed:
    kinds = [meld.kind for meld in view.hand.melds]
    exposed = sum(kind in (MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG) for kind in kinds)
    return Owed(view.seat, view.by, view.source, exposed, kinds.count(MeldKind.CONCEALED_KONG))


def _pay_together(views: Sequence[tuple[View, Score]], situation: Situation) -> tuple[Payment, ...]:
    first = views[0][0]
    wins = [_owed(view) for view, _ in views]
    return pay_wins(wins, situation.dealer, situation.players, first.options)


def _pay(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    return _pay_together([(view, scored)], situation)


def _pay_draw(situation: Situation, options: Options) -> tuple[Payment, ...]:
    """少数地方: the dealer of a drawn hand pays each other seat."""
    units = options.number("draw_pay") * UNIT
    others = [seat for seat in situation.players if seat is not situation.dealer]
    return tuple(Payment(situation.dealer, seat, units, "draw_pay") for seat in others if units)


def _dealer_after(winners: tuple[Seat, ...], situation: Situation, following: Seat) -> Seat:
    """The dealer stays on his win and on a drawn hand, unless he pays for that: then he loses the deal."""
    if winners:
        return situation.dealer if situation.dealer in winners else following
    return (
        following if resolve_options(BASE_SCORING, situation.options).number("draw_pay") else situation.dealer
    )


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, *(shape for key, shape in _SPECIAL.items() if options.has("special_shapes", key))


def _permits(options: Options) -> frozenset[str]:
    return frozenset({"chow", "pung", "kong_exposed", "kong_added", "kong_concealed", "rob_kong"})


def _multi_win(options: Options) -> bool:
    return options.on("multi_win")


BASE_SCORING = Variant(
    "base-scoring",
    "基分玩法",
    "Generic settlement",
    options=OPTIONS,
    fans=FANS,
    kongs=(),
    shapes=_shapes,
    pay=_pay,
    pay_together=_pay_together,
    pay_draw=_pay_draw,
    permits=_permits,
    multi_win=_multi_win,
    dealer_after=_dealer_after,
    tiles=136,
    unit=UNIT,
    circumstances=("heavenly",),
    source="各地通行的基分与输法：一二四、一二三、一二，全陪、半陪、不陪 · "
    "the common base points and ways to pay: 1-2-4, 1-2-3, 1-2, everyone, half, the discarder alone",
)
