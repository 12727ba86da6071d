"""Small predicates on a view, shared by variants; each counts how often its pattern is there.

Patterns of the whole hand first, then of its sets and pair, then of kongs, waits and the way it was won. What
is made of a few sets (三色三同顺 ...) is in `rules.set_patterns`.
"""

from __future__ import annotations

from typing import Final

from rules.packed import (
    DRAGONS,
    HONORS,
    ORPHANS,
    SUIT_MASKS,
    SUITED,
    TERMINALS,
    WINDS,
    mask_of,
    ranks_where,
)
from rules.shapes import is_258
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW
from rules.splits import Kinds
from rules.tiles import TILES
from rules.variant import Places
from rules.view import (
    CHOW_PLACE,
    FLOWER_PLACE,
    KNITTED_PLACE,
    PAIR_PLACE,
    PUNG_PLACE,
    WILD_KONG,
    WIN_PLACE,
    View,
)

# ---- any hand ----


def any_complete_hand(view: View) -> int:
    """Any complete hand (和牌)."""
    return 1


# ---- which tiles there are ----

GREEN: Final = mask_of("23468s F")
REVERSIBLE: Final = mask_of("1234589p 245689s P")
_FIVES: Final = ranks_where((5,))


def all_green(view: View) -> int:
    """Only 2 3 4 6 8 of bamboos and the green dragon (绿一色)."""
    return int(not view.kinds & ~GREEN)


def all_honors(view: View) -> int:
    """Only winds and dragons (字一色)."""
    return int(not view.kinds & SUITED)


def all_terminals(view: View) -> int:
    """Only ones and nines (清幺九)."""
    return int(not view.kinds & ~TERMINALS)


def all_terminals_and_honors(view: View) -> int:
    """Ones, nines and honors, both kinds there (混幺九)."""
    kinds = view.kinds
    return int(not kinds & ~ORPHANS and kinds & HONORS != 0 and kinds & TERMINALS != 0)


def suits_in(view: View) -> int:
    """Return how many of the three suits occur."""
    kinds = view.kinds
    return (
        (1 if kinds & SUIT_MASKS[0] else 0)
        + (1 if kinds & SUIT_MASKS[1] else 0)
        + (1 if kinds & SUIT_MASKS[2] else 0)
    )


def full_flush(view: View) -> int:
    """One suit only (清一色)."""
    return int(not view.kinds & HONORS and suits_in(view) == 1)


def half_flush(view: View) -> int:
    """One suit and honors (混一色)."""
    return int(view.kinds & HONORS != 0 and suits_in(view) == 1)


def one_suit_or_honors(view: View) -> int:
    """One suit only, or honors only (清一色, 字一色)."""
    return int(full_flush(view) or all_honors(view))


_UPPER: Final = ranks_where((7, 8, 9))
_MIDDLE: Final = ranks_where((4, 5, 6))
_LOWER: Final = ranks_where((1, 2, 3))
_UPPER_FOUR: Final = ranks_where((6, 7, 8, 9))
_LOWER_FOUR: Final = ranks_where((1, 2, 3, 4))


def upper_tiles(view: View) -> int:
    """Ranks 7, 8, 9 only (全大)."""
    return int(not view.kinds & ~_UPPER)


def middle_tiles(view: View) -> int:
    """Ranks 4, 5, 6 only (全中)."""
    return int(not view.kinds & ~_MIDDLE)


def lower_tiles(view: View) -> int:
    """Ranks 1, 2, 3 only (全小)."""
    return int(not view.kinds & ~_LOWER)


def upper_four(view: View) -> int:
    """Ranks 6 to 9 only (大于五)."""
    return int(not view.kinds & ~_UPPER_FOUR)


def lower_four(view: View) -> int:
    """Ranks 1 to 4 only (小于五)."""
    return int(not view.kinds & ~_LOWER_FOUR)


def reversible_tiles(view: View) -> int:
    """Only tiles that look the same upside down (推不倒)."""
    return int(not view.kinds & ~REVERSIBLE)


def all_types(view: View) -> int:
    """All three suits, winds and dragons (五门齐)."""
    kinds = view.kinds
    return int(kinds & WINDS != 0 and kinds & DRAGONS != 0 and suits_in(view) == 3)


def all_simples(view: View) -> int:
    """No ones, nines or honors (断幺)."""
    return int(not view.kinds & ORPHANS)


def one_voided_suit(view: View) -> int:
    """Exactly one suit is missing (缺一门)."""
    return int(suits_in(view) == 2)


def no_honors(view: View) -> int:
    """No honors (无字)."""
    return int(not view.kinds & HONORS)


def all_tiles_258(view: View) -> int:
    """Every tile a 2, 5 or 8 (将一色)."""
    return int(all(is_258(tile) for tile in view.tiles))


def tile_hog(view: View) -> int:
    """All four of a kind without a kong, for each such kind (四归一)."""
    return view.claimed.quads.bit_count()


def where_quads(view: View) -> Places:
    """Return for each 四归一 the sets and pairs that hold the four."""
    quads = view.claimed.quads
    return tuple(_where_kind(view, kind) for kind in range(34) if quads >> kind & 1)


def _where_kind(view: View, kind: int) -> int:
    places = 0
    for at, first in enumerate(view.chows):
        if first <= kind <= first + 2:
            places |= 1 << CHOW_PLACE + at
    for at, pung in enumerate(view.pungs):
        if pung == kind:
            places |= 1 << PUNG_PLACE + at
    for at, pair in enumerate(view.reading.pair_kinds):
        if pair == kind:
            places |= 1 << PAIR_PLACE + at
    if view.reading.knitted >= 0 and kind in knitted_kinds(view):
        places |= 1 << KNITTED_PLACE
    return places


def knitted_kinds(view: View) -> Kinds:
    """Return the kinds of the nine knitted tiles of a reading that has them."""
    return tuple(tile.index for tile in view.reading.sets[-1].tiles)


# ---- shapes ----


def seven_pairs(view: View) -> int:
    """Seven pairs (七对)."""
    return int(view.reading.shape == "seven_pairs")


def seven_shifted_pairs(view: View) -> int:
    """Seven pairs of consecutive ranks in one suit (连七对)."""
    kinds = view.kinds
    if view.reading.shape != "seven_pairs" or kinds & HONORS:
        return 0
    low = (kinds & -kinds).bit_length() - 1
    return int(kinds >> low == 0x7F and low % 9 <= 2)


def thirteen_orphans(view: View) -> int:
    """One of each one, nine and honor, one of them twice (十三幺)."""
    return int(view.reading.shape == "thirteen_orphans")


def lesser_honors_and_knitted_tiles(view: View) -> int:
    """Fourteen different knitted tiles and honors (全不靠)."""
    return int(view.reading.shape == "honors_knitted")


def greater_honors_and_knitted_tiles(view: View) -> int:
    """The same with all seven honors (七星不靠)."""
    return int(view.reading.shape == "honors_knitted" and view.kinds & HONORS == HONORS)


def knitted_straight(view: View) -> int:
    """147, 258 and 369 in three suits (组合龙)."""
    reading = view.reading
    if reading.knitted >= 0:
        return 1
    return int(reading.shape == "honors_knitted" and (view.kinds & SUITED).bit_count() == 9)


def where_knitted(view: View) -> Places:
    """Return the place of the knitted tiles."""
    return (1 << KNITTED_PLACE,) if view.reading.knitted >= 0 else ()


_GATES: Final = 0o311111113  # 1112345678999 packed


def nine_gates(view: View) -> int:
    """1112345678999 of one suit and any tile of it (九莲宝灯)."""
    win, hand = view.win, view.hand
    if hand.melds or win > 26:
        return 0
    return int(hand.packed[win // 9] - (1 << 3 * (win % 9)) == _GATES)


def gate_pung(view: View) -> int:
    """Return the place of one pung of ones or nines: the gates hold it."""
    for at, kind in enumerate(view.pungs):
        if TERMINALS >> kind & 1:
            return 1 << PUNG_PLACE + at
    return 0


# ---- sets and pair ----


def _is_regular(view: View) -> bool:
    return view.pair >= 0 and view.reading.knitted < 0 and len(view.chows) + len(view.pungs) >= 4


def all_pungs(view: View) -> int:
    """Four pungs or kongs and a pair (碰碰和)."""
    return int(len(view.pungs) >= 4 and not view.chows)


def four_pungs(view: View) -> int:
    """Only pungs and kongs beside the pair (碰碰胡)."""
    return int(view.reading.shape == "regular" and not view.chows)


_EVEN: Final = ranks_where((2, 4, 6, 8))


def all_even_pungs(view: View) -> int:
    """Pungs and a pair of 2, 4, 6, 8 (全双刻)."""
    return int(len(view.pungs) >= 4 and not view.chows and not view.kinds & ~_EVEN)


def all_chows(view: View) -> int:
    """Only chows (or knitted tiles and a chow) and a number pair (平和)."""
    return int(not view.pungs and 0 <= view.pair < 27 and (view.reading.knitted >= 0 or _is_regular(view)))


def all_fives(view: View) -> int:
    """A five in every set and in the pair (全带五)."""
    if not _is_regular(view) or view.pair > 26 or view.pair % 9 != 4:
        return 0
    for first in view.chows:
        if not 2 <= first % 9 <= 4:
            return 0
    return int(not (view.pung_kinds | view.claimed.wild_kongs) & ~_FIVES)


def outside_hand(view: View) -> int:
    """A one, a nine or honors in every set and in the pair (全带幺)."""
    if not _is_regular(view) or not ORPHANS >> view.pair & 1:
        return 0
    if (view.pung_kinds | view.claimed.wild_kongs) & ~ORPHANS:
        return 0
    for first in view.chows:
        if first % 9 != 0 and first % 9 != 6:
            return 0
    return 1


def pair_of_258(view: View) -> int:
    """Sets and a pair of 2, 5 or 8."""
    return int(view.reading.shape == "regular" and is_258(TILES[view.pair]))


def pure_terminal_chows(view: View) -> int:
    """123 123 789 789 and a pair of 5 in one suit (一色双龙会)."""
    chows = view.chows
    if len(chows) != 4 or view.pair < 0 or view.pair > 26 or view.pair % 9 != 4:
        return 0
    low = view.pair - 4
    return int(chows == (low, low, low + 6, low + 6))


def three_suited_terminal_chows(view: View) -> int:
    """123 and 789 in two suits and a pair of 5 in the third (三色双龙会)."""
    chows = view.chows
    if len(chows) != 4 or view.pair < 0 or view.pair > 26 or view.pair % 9 != 4:
        return 0
    first, second = (suit for suit in (0, 9, 18) if suit != view.pair - 4)
    return int(chows == (first, first + 6, second, second + 6))


# ---- pungs of honors and terminals ----


def _pungs_among(view: View, kinds: int) -> int:
    return (view.pung_kinds & kinds).bit_count()


def _places_among(view: View, kinds: int) -> int:
    places = 0
    for at, kind in enumerate(view.pungs):
        if kinds >> kind & 1:
            places |= 1 << PUNG_PLACE + at
    return places


def wind_pungs(view: View) -> int:
    """Return the places of the pungs of winds."""
    return _places_among(view, WINDS)


def dragon_pungs(view: View) -> int:
    """Return the places of the pungs of dragons."""
    return _places_among(view, DRAGONS)


def where_winds(view: View) -> Places:
    """Return the places of the pungs and the pair of winds."""
    return (_with_pair(view, WINDS),)


def where_dragons(view: View) -> Places:
    """Return the places of the pungs and the pair of dragons."""
    return (_with_pair(view, DRAGONS),)


def _with_pair(view: View, kinds: int) -> int:
    pair = 1 << PAIR_PLACE if view.pair >= 0 and kinds >> view.pair & 1 else 0
    return _places_among(view, kinds) | pair


def big_four_winds(view: View) -> int:
    """Pungs of all four winds (大四喜)."""
    return int(_pungs_among(view, WINDS) == 4)


def little_four_winds(view: View) -> int:
    """Pungs of three winds and a pair of the fourth (小四喜)."""
    return int(view.pair >= 27 and WINDS >> view.pair & 1 and _pungs_among(view, WINDS) == 3)


def big_three_winds(view: View) -> int:
    """Pungs of three winds or all four (三风刻)."""
    return int(_pungs_among(view, WINDS) >= 3)


def big_three_dragons(view: View) -> int:
    """Pungs of all three dragons (大三元)."""
    return int(_pungs_among(view, DRAGONS) == 3)


def little_three_dragons(view: View) -> int:
    """Pungs of two dragons and a pair of the third (小三元)."""
    return int(view.pair > 30 and _pungs_among(view, DRAGONS) == 2)


def two_dragon_pungs(view: View) -> int:
    """Pungs of two dragons or all three (双箭刻)."""
    return int(_pungs_among(view, DRAGONS) >= 2)


def dragon_pung(view: View) -> int:
    """A pung of a dragon, for each (箭刻)."""
    return (view.pung_kinds >> 31).bit_count()


def prevalent_wind(view: View) -> int:
    """A pung of the wind of the round (圈风刻)."""
    return view.pung_kinds >> view.claimed.round_wind & 1


def seat_wind(view: View) -> int:
    """A pung of the own wind (门风刻)."""
    return view.pung_kinds >> view.claimed.seat_wind & 1


def prevalent_wind_pung(view: View) -> int:
    """Return the place of the pung of the round's wind."""
    return _places_among(view, 1 << view.claimed.round_wind)


def seat_wind_pung(view: View) -> int:
    """Return the place of the pung of the own wind."""
    return _places_among(view, 1 << view.claimed.seat_wind)


def pung_of_terminals_or_honors(view: View) -> int:
    """A pung of ones, nines or honors, for each (幺九刻)."""
    return (view.pung_kinds & ORPHANS).bit_count()


def where_terminal_pungs(view: View) -> Places:
    """Return the place of each pung of ones, nines or honors."""
    return tuple(1 << PUNG_PLACE + at for at, kind in enumerate(view.pungs) if ORPHANS >> kind & 1)


def where_dragon_pungs(view: View) -> Places:
    """Return the place of each pung of a dragon."""
    return tuple(1 << PUNG_PLACE + at for at, kind in enumerate(view.pungs) if DRAGONS >> kind & 1)


# ---- concealment and kongs ----


def four_concealed_pungs(view: View) -> int:
    """Four concealed pungs (四暗刻)."""
    return int(view.concealed_pungs == 4)


def three_concealed_pungs(view: View) -> int:
    """Three concealed pungs or more (三暗刻)."""
    return int(view.concealed_pungs >= 3)


def two_concealed_pungs(view: View) -> int:
    """Two concealed pungs or more (双暗刻)."""
    return int(view.concealed_pungs >= 2)


def missed_four_concealed_pungs(view: View) -> str:
    """Return why the hand lacks one concealed pung of four, if it does."""
    return _missed_concealed_pungs(view, 4)


def missed_three_concealed_pungs(view: View) -> str:
    """Return why the hand lacks one concealed pung of three, if it does."""
    return _missed_concealed_pungs(view, 3)


def missed_two_concealed_pungs(view: View) -> str:
    """Return why the hand lacks one concealed pung of two, if it does."""
    return _missed_concealed_pungs(view, 2)


def _missed_concealed_pungs(view: View, wanted: int) -> str:
    standing = view.claimed.kongs_concealed + len(view.reading.hidden_pungs)
    return "finished_by_others" if view.concealed_pungs < standing == wanted else ""


def where_concealed_pungs(view: View) -> Places:
    """Return the places of the concealed pungs and kongs."""
    open_kinds = {meld.tile.index for meld in view.hand.open_melds if meld.tile == meld.tiles[1]}
    exposed = view.concealed_pungs < view.claimed.kongs_concealed + len(view.reading.hidden_pungs)
    if exposed:
        open_kinds.add(view.win)
    open_kinds.add(WILD_KONG)
    return (sum(1 << PUNG_PLACE + at for at, kind in enumerate(view.pungs) if kind not in open_kinds),)


def four_kongs(view: View) -> int:
    """Four kongs (四杠)."""
    return int(view.claimed.kongs_open + view.claimed.kongs_concealed == 4)


def three_kongs(view: View) -> int:
    """Three kongs or four (三杠)."""
    return int(view.claimed.kongs_open + view.claimed.kongs_concealed >= 3)


def two_concealed_kongs(view: View) -> int:
    """Two concealed kongs (双暗杠)."""
    return int(view.claimed.kongs_concealed >= 2)


def two_melded_kongs(view: View) -> int:
    """Two exposed kongs (双明杠)."""
    return int(view.claimed.kongs_open >= 2)


def concealed_kong_and_melded_kong(view: View) -> int:
    """One concealed and one exposed kong (明暗杠)."""
    return int(view.claimed.kongs_open >= 1 and view.claimed.kongs_concealed >= 1)


def concealed_kong(view: View) -> int:
    """A concealed kong (暗杠)."""
    return view.claimed.kongs_concealed


def melded_kong(view: View) -> int:
    """An exposed kong (明杠)."""
    return view.claimed.kongs_open


def where_kongs(view: View) -> Places:
    """Return the places of all kongs together."""
    return (_places_among(view, sum(1 << meld.tile.index for meld in view.hand.kongs)),)


def where_concealed_kongs(view: View) -> Places:
    """Return the place of each concealed kong."""
    return tuple(_places_among(view, 1 << meld.tile.index) for meld in view.hand.kongs if not meld.is_open)


def where_melded_kongs(view: View) -> Places:
    """Return the place of each exposed kong."""
    return tuple(_places_among(view, 1 << meld.tile.index) for meld in view.hand.kongs if meld.is_open)


def fully_concealed_hand(view: View) -> int:
    """No open meld and a self-draw (不求人)."""
    return int(view.self_drawn and not view.claimed.open_melds)


def concealed_hand(view: View) -> int:
    """No open meld (门前清)."""
    return int(not view.claimed.open_melds)


def four_open_melds(view: View) -> int:
    """Four open melds and a win on another player's tile (全求人)."""
    return int(view.claimed.open_melds == 4 and view.by_discard)


def missed_melded_hand(view: View) -> str:
    """Return why four open melds are no 全求人, if they are not."""
    return "drawn_oneself" if view.claimed.open_melds == 4 and view.self_drawn else ""


# ---- the wait ----


def _only_wait(view: View) -> bool:
    """Return whether the winning tile was the only wait in form."""
    return view.claimed.waits == 1 << view.win


def _ends_edge(view: View) -> bool:
    rank = view.win % 9
    first = view.win - 2 if rank == 2 else view.win if rank == 6 else -1
    return first >= 0 and view.win < 27 and first in view.reading.hidden_chows


def _fills_gap(view: View) -> bool:
    return view.win - 1 in view.reading.hidden_chows


def _makes_pair(view: View) -> bool:
    return view.pair == view.win


def edge_wait(view: View) -> int:
    """The 3 of 12 or the 7 of 89, and nothing else, was waited for (边张)."""
    return int(_ends_edge(view) and _only_wait(view))


def closed_wait(view: View) -> int:
    """The middle of a chow, and nothing else, was waited for (坎张)."""
    return int(_fills_gap(view) and _only_wait(view))


def single_wait(view: View) -> int:
    """The second tile of the pair, and nothing else, was waited for (单钓将)."""
    return int(_makes_pair(view) and _only_wait(view))


def _other_waits(view: View) -> str:
    waits = view.claimed.waits  # none where the hand won as it was dealt
    return "not_only_wait" if waits and not _only_wait(view) else ""


def missed_edge_wait(view: View) -> str:
    """Return why an edge does not count, if there is one."""
    return _other_waits(view) if _ends_edge(view) else ""


def missed_closed_wait(view: View) -> str:
    """Return why a gap does not count, if there is one."""
    return _other_waits(view) if _fills_gap(view) else ""


def missed_single_wait(view: View) -> str:
    """Return why a pair does not count as a single wait."""
    return _other_waits(view) if _makes_pair(view) else ""


def where_edge(view: View) -> Places:
    """Return the chow that the edge made."""
    return _where_chow(view, view.win - 2 if view.win % 9 == 2 else view.win)


def where_gap(view: View) -> Places:
    """Return the chow whose middle came last."""
    return _where_chow(view, view.win - 1)


def _where_chow(view: View, first: int) -> Places:
    return (1 << CHOW_PLACE + view.chows.index(first),)


def where_pair(view: View) -> Places:
    """Return the pair."""
    return (1 << PAIR_PLACE,)


# ---- the way it was won ----


def where_win(view: View) -> Places:
    """Return the winning tile."""
    return (1 << WIN_PLACE,)


def where_flowers(view: View) -> Places:
    """Return the flowers laid aside."""
    return (1 << FLOWER_PLACE,)


def self_drawn(view: View) -> int:
    """The winning tile was drawn (自摸)."""
    return int(view.self_drawn)


def last_tile_draw(view: View) -> int:
    """A self-draw of the last tile of the wall (妙手回春)."""
    return int("last_tile" in view.claimed.flags and view.self_drawn)


def last_tile_claim(view: View) -> int:
    """A win on the last discard (海底捞月)."""
    return int("last_tile" in view.claimed.flags and not view.self_drawn)


def last_of_kind(view: View) -> int:
    """The other three lie open, among the own melds or elsewhere (和绝张)."""
    return int("last_of_kind" in view.claimed.flags or view.claimed.shown == 3)


def heavenly(view: View) -> int:
    """The dealer wins with the tiles dealt (天胡)."""
    return int("heavenly" in view.claimed.flags and view.by == SELF_DRAW and view.is_dealer)


def earthly_on_first_discard(view: View) -> int:
    """Another seat wins on the dealer's first discard (地胡)."""
    fed_by_dealer = view.by == DISCARD and view.source == view.dealer
    return int("earthly" in view.claimed.flags and fed_by_dealer)


def replacement_tile(view: View) -> int:
    """Self-draw on the replacement tile of a kong (杠上开花, 杠开)."""
    return int("after_kong" in view.claimed.flags and view.self_drawn)


def robbed_kong(view: View) -> int:
    """Win on the tile of another player's added kong (抢杠)."""
    return int(view.claimed.by == ROB_KONG)


def drawn_with_at_most(view: View, wall_left: int) -> int:
    """Self-draw that leaves at most so many tiles in the wall (海捞); `last_tile` says that none is left."""
    if view.by != SELF_DRAW:
        return 0
    left = 0 if "last_tile" in view.flags else view.wall_left
    return int(left is not None and left <= wall_left)


def flower_tiles(view: View) -> int:
    """Flowers laid aside, each (花牌)."""
    return view.claimed.flowers


def nothing_but_flowers(view: View, keys: frozenset[str]) -> bool:
    """No other element, flowers left out (无番和)."""
    return not keys - {"flower_tiles"}
