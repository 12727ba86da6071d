"""卡五星, for three with two suits and dragons; a ready hand may be shown (亮倒). Source: kawuxing.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules import patterns
from rules.engine import Row, Ruleset, Running, Told, Valued, WallEnd
from rules.engine_combine import times_all
from rules.engine_patterns import any_win, flagged, kinds_held_fourfold, robbed, seen
from rules.engine_waits import KONG_MOVES, keeps_waits, waits_of
from rules.hand import Hand, MeldKind
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.seats import Seat, seat_after
from rules.shapes import REGULAR, SEVEN_PAIRS, Shape
from rules.situation import SELF_DRAW, Kong, Win
from rules.tiles import TILES, Tile
from rules.variant import KongRow, Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, flag, integer, product
from rules.variants.ledgered import CALLS_WITHOUT_CHOWS, cap, no_shares, paid_by_ledger
from rules.view import View

TEXT = "kawuxing.md"
SEED = "001_3d75f89868e24d42.txt"
SHOWN = "liang"
FIVES = (TILES[13], TILES[22])  # 5 of dots and of bamboos

OPTIONS = (
    Option(
        "dealer_next",
        "choice",
        (
            Choice("winner", "胡家坐庄", "the winner; of two the feeder"),
            Choice("circles", "轮庄", "stays on an own win, else the next seat"),
        ),
        "winner",
        "下局庄家",
        "Dealer of the next hand",
        f"{TEXT} (Players)",
    ),
    flag("liang_discard_win", True, "亮倒可点炮", "A shown hand wins on discards", f"{TEXT} (Legal actions)"),
    integer("liang_min_wall", 0, 0, 44, "亮倒剩张", "Tiles left at least to show", f"{TEXT} (Legal actions)"),
    flag("no_feed_shown", False, "不可喂亮倒", "No waits of a shown hand fed", f"{TEXT} (Legal actions)"),
    integer("min_mult", 1, 1, 1000, "起胡倍数", "Smallest product that wins", f"{TEXT} (Win shapes)"),
    integer("cap", 0, 0, 100_000, "封顶", "Largest product (0 = no limit)", f"{TEXT} (Scoring elements)"),
    integer("liang_draw_fee", 1, 0, 1000, "荒庄亮倒赔", "A shown hand pays at a drawn end", SEED),
    PASS_LOCK,
    *WALL_OPTIONS,
)


# ---- what the elements look at ----


def _fourth_of_own_pung(view: View, told: Told) -> int:
    won = view.hand.win_tile
    return int(any(meld.kind is MeldKind.PUNG and meld.tile == won for meld in view.hand.melds))


def _fourth_of_three_held(view: View, told: Told) -> int:
    """Three stood in the hand, however the four are then used; seven pairs count their quads themselves."""
    won = view.hand.win_tile
    held = won is not None and view.hand.concealed.count(won) == 3
    return int(held and view.reading.shape != "seven_pairs")


def _pairs_with_quads(quads: int) -> Callable[[View], int]:
    """Return a predicate: seven pairs, so many times both pairs of a kind."""

    def counts(view: View) -> int:
        return int(patterns.seven_pairs(view) and kinds_held_fourfold(view.hand) == quads)

    return counts


def _all_melded(view: View, told: Told) -> int:
    """Four open melds, one tile left; a concealed kong is not open."""
    melds = view.hand.melds
    return int(len(melds) == 4 and all(meld.kind is not MeldKind.CONCEALED_KONG for meld in melds))


def _between_four_and_six(view: View, told: Told) -> int:
    """Won with a five that this reading puts between four and six; chows are never melded here."""
    won = view.hand.win_tile
    return int(won in FIVES and won is not None and won.index - 1 in view.chows)


_x = product
ROWS = (
    Row("plain_hand", "屁胡", "Plain hand", _x(1), any_win),
    Row("all_pungs", "碰碰胡", "All pungs", _x(2), seen(patterns.four_pungs)),
    Row("open_four_of_a_kind", "明四归一", "Open four of a kind", _x(2), _fourth_of_own_pung),
    Row("hidden_four_of_a_kind", "暗四归一", "Hidden four of a kind", _x(4), _fourth_of_three_held),
    Row("seven_pairs", "七对", "Seven pairs", _x(4), seen(_pairs_with_quads(0))),
    Row("dragon_seven_pairs", "龙七对", "Dragon seven pairs", _x(8), seen(_pairs_with_quads(1))),
    Row(
        "double_dragon_seven_pairs",
        "双龙七对",
        "Double dragon seven pairs",
        _x(16),
        seen(_pairs_with_quads(2)),
    ),
    Row(
        "triple_dragon_seven_pairs",
        "三龙七对",
        "Triple dragon seven pairs",
        _x(32),
        seen(_pairs_with_quads(3)),
    ),
    Row("little_three_dragons", "小三元", "Little three dragons", _x(4), seen(patterns.little_three_dragons)),
    Row("big_three_dragons", "大三元", "Big three dragons", _x(8), seen(patterns.big_three_dragons)),
    Row("full_flush", "清一色", "One suit", _x(4), seen(patterns.full_flush)),
    Row("melded_hand", "手抓一", "One tile in hand", _x(4), _all_melded),
    Row("closed_five", "卡五星", "Closed five", _x(2), _between_four_and_six),
    Row("out_with_replacement_tile", "杠上开花", "Win on the kong replacement", _x(2), flagged("after_kong")),
    Row("kong_discard", "杠上炮", "Win on the discard after a kong", _x(2), flagged("kong_discard")),
    Row("robbing_the_kong", "抢杠胡", "Robbing a kong", _x(2), robbed),
    Row("last_tile", "海底捞月", "Last tile", _x(2), flagged("last_tile")),
    Row("shown_hand", "亮倒", "Shown hand", _x(2), flagged(SHOWN)),
)


# ---- money ----


def _kong(key: str, zh: str, en: str, kind: MeldKind, points: int) -> KongRow:
    return KongRow(key, zh, en, kind, product(points), no_shares, SEED)


KONG_ROWS = (
    _kong("kong_added", "明杠", "Added kong", MeldKind.ADDED_KONG, 1),
    _kong("kong_concealed", "暗杠", "Concealed kong", MeldKind.CONCEALED_KONG, 2),
    _kong("kong_exposed", "直杠", "Exposed kong", MeldKind.EXPOSED_KONG, 2),
)


def _kong_payers(kong: Kong, value: int, running: Running, options: Options) -> Mapping[Seat, int]:
    """The k-th kong of a chain is worth 2^(k-1) times as much."""
    points = value * 2 ** (kong.chain - 1)
    if kong.kind is MeldKind.EXPOSED_KONG:
        assert kong.source is not None
        return {kong.source: points}
    return {seat: points for seat in running.playing if seat != kong.seat}


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    """Who feeds a shown hand pays the value twice (包胡)."""
    win, total = valued.win, valued.worth.total
    if win.by == SELF_DRAW:
        others = [seat for seat in running.playing if seat != win.seat]
        return tuple(Payment(payer, win.seat, total, "win") for payer in others)
    assert win.source is not None
    once = Payment(win.source, win.seat, total, "win")
    shown = SHOWN in running.situation.flags | win.flags
    return (once, Payment(win.source, win.seat, total, "feed_shown")) if shown else (once,)


def _drawn(rules: Ruleset, end: WallEnd, running: Running, options: Options) -> tuple[Payment, ...]:
    fee = options.number("liang_draw_fee")
    others = [seat for seat in running.situation.players if seat not in end.liang]
    payers = [seat for seat in running.situation.players if seat in end.liang] if fee else []
    return tuple(Payment(payer, seat, fee, "shown_draw_fee") for payer in payers for seat in others)


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    dealer = running.situation.dealer
    if not wins:
        return dealer
    if options["dealer_next"] == "circles":
        stays = any(win.seat == dealer for win in wins)
        return dealer if stays else seat_after(dealer, running.situation.players)
    return wins[0].source if len(wins) > 1 else wins[0].seat


# ---- who may do what ----


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    barred = SHOWN in win.flags and win.by != SELF_DRAW and not options.on("liang_discard_win")
    return "shown_self_draw_only" if barred else None


_AS_SHOWN = frozenset({SHOWN})


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    if move.do == "show":
        return not _may_show(rules, move, options)
    if move.do == "discard":
        return options.on("no_feed_shown") and _feeds(rules, move, told, options)
    if move.do == "pung":
        return move.wall_left == 0  # the last discard can only be won
    if move.do == "kong_added" and move.tile != move.hand.win_tile:
        return True  # the fourth tile is added in the turn it is drawn or never
    if move.locked and move.do in KONG_MOVES:
        return not keeps_waits(rules, move, options, by=SELF_DRAW, flags=_AS_SHOWN)
    return False


def _may_show(rules: Ruleset, move: Move, options: Options) -> bool:
    """A ready hand is shown once, while enough tiles are left; with the drawn tile, before a discard."""
    left = move.wall_left
    if move.locked or (left is not None and left < options.number("liang_min_wall")):
        return False
    return any(
        waits_of(rules, hand, move.seat, options, by=SELF_DRAW, flags=_AS_SHOWN)
        for hand in _hands_of_13(move.hand)
    )


def _hands_of_13(hand: Hand) -> list[Hand]:
    if hand.win_tile is None:
        return [hand]
    hands = []
    for tile in sorted(set(hand.standing), key=lambda each: each.index):
        left = list(hand.standing)
        left.remove(tile)
        hands.append(Hand(hand.melds, tuple(left)))
    return hands


def _feeds(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Return whether a wait of a shown hand is discarded while another tile is at hand."""
    waits: set[Tile] = set()
    for hand in told.shown:
        other = Seat.S if move.seat is Seat.E else Seat.E
        waits |= waits_of(rules, hand, other, options, flags=_AS_SHOWN)
    return move.tile in waits and any(tile not in waits for tile in move.hand.standing)


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, SEVEN_PAIRS


def _permits(options: Options) -> frozenset[str]:
    return CALLS_WITHOUT_CHOWS | {"show"}


def _several(options: Options) -> bool:
    return True


def _minimum(options: Options) -> int:
    return options.number("min_mult")


KAWUXING = Ruleset(
    base=Variant(
        "kawuxing",
        "卡五星",
        "Ka Wu Xing",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_several,
        minimum=_minimum,
        cap=cap,
        tiles=84,
        circumstances=("after_kong", "kong_discard", "last_tile", SHOWN),
        table_flags=("passed",),
    ),
    rows=ROWS,
    combine=times_all,
    pay=_pay,
    kong_rows=KONG_ROWS,
    kong_payers=_kong_payers,
    drawn=_drawn,
    next_dealer=_next_dealer,
    refuses=_refuses,
    forbids=_forbids,
    kongs_when_locked=True,
)
