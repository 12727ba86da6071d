"""二人麻将, two games of one name. Source: rules text two-player.md.

Text A is Chinese Official with one suit, honors and flowers (72 tiles): its elements are the official rows
that one suit allows. Text B plays the first 71 tiles of a shuffled set of 136 and has no list of fan: the fan
is told, or counted by the official list (`two_player_ops`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import InvalidRequest
from rules.options import Choice, Option, Options
from rules.seats import Seat, seat_after
from rules.shapes import REGULAR, SEVEN_PAIRS, Shape
from rules.situation import SELF_DRAW, Situation, Win
from rules.tiles import TILES
from rules.variant import Fan, Payment, Score, no_routes
from rules.variants.common import WALL_OPTIONS, flag, integer
from rules.variants.mcr import BASE, FALSE_WIN_OPTIONS, FANS, MCR
from rules.view import View

TEXT = "two-player.md"
SLUG = "two-player"
TILES_A = 72
TILES_B = 136
PLAYED_B = 71
ONE_SUIT_AND_HONORS = (*TILES[:9], *TILES[27:34])

# rows that need another suit, or more tiles of one suit than there are
_NEEDS_MORE = (
    "mixed_triple_chow mixed_shifted_chows mixed_shifted_pungs mixed_straight mixed_double_chow double_pung "
    "triple_pung three_suited_terminal_chows all_types one_voided_suit all_green reversible_tiles "
    "all_terminals upper_tiles middle_tiles lower_tiles all_even_pungs all_fives thirteen_orphans "
    "greater_honors_and_knitted_tiles lesser_honors_and_knitted_tiles knitted_straight no_honors "
    "chicken_hand"
)
_IMPOSSIBLE = frozenset(_NEEDS_MORE.split())


def _one_suit(fan: Fan) -> Fan:
    return replace(fan, excludes=tuple(key for key in fan.excludes if key not in _IMPOSSIBLE))


ROWS = tuple(_one_suit(fan) for fan in FANS if fan.key not in _IMPOSSIBLE)

FEATURES = ("exchange_at_start", "exchange_in_play", "rub_tile")
OPTIONS = (
    Option(
        "text",
        "choice",
        (Choice("A", "国标72张", "Chinese Official, 72 tiles"), Choice("B", "71张", "71 tiles of 136")),
        "A",
        "玩法",
        "Which game",
        f"{TEXT} (Seed passages)",
    ),
    Option(
        "payment",
        "choice",
        (Choice("mcr_single", "底分加番", "8 and the fan"), Choice("fan_only", "只付番", "the fan alone")),
        "mcr_single",
        "付法",
        "What the loser pays (text A)",
        f"{TEXT} (Settlement formulas)",
    ),
    integer(
        "min_fan",
        8,
        0,
        88,
        "起和番",
        "Fewest points that may win, flowers left out (text A)",
        f"{TEXT} (Options)",
    ),
    Option(
        "fan_source",
        "choice",
        (Choice("manual", "报番", "players say the fan"), Choice("mcr", "国标番", "the official list")),
        "manual",
        "番数",
        "Where the fan comes from (text B)",
        f"{TEXT} (Scoring elements table)",
    ),
    integer("cap", 13, 0, 88, "封顶", "Most fan of a win (text B; 0 = no limit)", f"{TEXT} (Draw handling)"),
    Option(
        "haidi",
        "choice",
        (Choice("one_tile_from_the_rest", "余牌摸一张", "one tile of those not played"),),
        "one_tile_from_the_rest",
        "海底捞月",
        "The last draw (text B)",
        f"{TEXT} (Draw handling)",
    ),
    integer(
        "first_discard_limit",
        15,
        0,
        600,
        "首张时限（秒）",
        "Seconds for flowers and the first discard (text A)",
        f"{TEXT} (Deal)",
    ),
    flag(
        "exchange_at_start", False, "开局换牌", "Exchange of dealt tiles (text B)", f"{TEXT} (Legal actions)"
    ),
    flag("exchange_in_play", False, "局中换牌", "Exchange in play (text B)", f"{TEXT} (Legal actions)"),
    flag("rub_tile", False, "搓牌", "Rubbing a tile (text B)", f"{TEXT} (Legal actions)"),
    *FALSE_WIN_OPTIONS,
    *WALL_OPTIONS,
)


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, SEVEN_PAIRS


def _pay(view: View, scored: Score, situation: Situation) -> tuple[Payment, ...]:
    """The one loser pays the fan, and 8 more where that is agreed, whose tile it was makes no difference."""
    owed = scored.total + (BASE if view.options["payment"] == "mcr_single" else 0)
    return tuple(Payment(seat, view.seat, owed, "win") for seat in view.players if seat != view.seat)


def _contradicts(win: Win, situation: Situation, options: Options) -> str:
    if len(situation.players) != 2:
        return f"two play, not {len(situation.players)}"
    if options["text"] == "B":
        return "text B has no list of fan: settle71 settles the fan that the players say"
    return ""


TWO_PLAYER = replace(
    MCR,
    key=SLUG,
    zh="二人麻将",
    en="Two players",
    options=OPTIONS,
    fans=ROWS,
    shapes=_shapes,
    pay=_pay,
    routes=no_routes,
    contradicts=_contradicts,
    tiles=TILES_A,
    holds=(*ONE_SUIT_AND_HONORS, *TILES[34:]),
    told_as_options=("round_wind", "event", "flowers", "last_tile", "last_of_kind"),
    source="二人麻将规则两种 · two rule texts of mahjong for two",
)

# ---- who deals, and text B, whose fan is told ----


def next_dealer(text: str, dealer: Seat, winner: Seat | None, players: Sequence[Seat]) -> Seat:
    """Return who deals next: A alternates; in B the winner deals, and a drawn hand changes nothing."""
    if text == "A":
        return seat_after(dealer, tuple(players))
    return dealer if winner is None else winner


@dataclass(frozen=True, slots=True)
class Settled71:
    """A hand of text B that was won: fan under the cap, points by seat, how the win is booked."""

    fan: int
    deltas: Mapping[Seat, int]
    booked_as: str


def settle71(
    winner: Seat, by: str, fan: int, stake: int, players: Sequence[Seat], options: Options
) -> Settled71:
    """Return what a win of text B pays: the fan under the cap times the stake; a robbed kong is a self-draw.

    Raises:
        InvalidRequest: if the winner does not play.
    """
    if winner not in players or len(players) != 2:
        raise InvalidRequest(f"two play and one of them wins, not {winner}")
    cap = options.number("cap")
    counted = min(fan, cap) if cap else fan
    amount = counted * stake
    deltas = {seat: amount if seat is winner else -amount for seat in players}
    return Settled71(counted, deltas, SELF_DRAW if by == "rob_kong" else by)


def last_draw_of(ready: Sequence[Seat]) -> Seat | None:
    """Return who draws 海底捞月: of those who declared ready the first; None = the hand is drawn."""
    return ready[0] if ready else None


def is_closed(melds: Sequence[str]) -> bool:
    """Return whether a hand of text B is 门清: concealed kongs keep it."""
    return all(meld == "concealed_kong" for meld in melds)
