"""长沙麻将: small and big wins, starting wins, birds. Source: rules text changsha.md."""

from __future__ import annotations

from collections.abc import Sequence

from rules import patterns
from rules.engine import Counted, Happened, Row, Ruleset, Running, Told, Valued, dealer_stays
from rules.engine_patterns import flagged, kinds_held_fourfold, robbed, seen
from rules.errors import InvalidRequest, InvalidWin
from rules.fields import Fields
from rules.hand import Hand
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.shapes import ALL_258, REGULAR, SEVEN_PAIRS, Shape, is_258
from rules.situation import SELF_DRAW, Win
from rules.tiles import Tile
from rules.variant import Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, WALLS108, flag, integer, product
from rules.variants.ledgered import every_call, kong_points, kong_rows, paid_by_ledger
from rules.view import View

TEXT = "changsha.md"
BIG = 6
START = 2
LAST_STACKS = {1: 0, 7: 13}  # tiles left in the wall when the 海捞 zone has begun

OPTIONS = (
    Option(
        "dealer_next",
        "choice",
        (Choice("winner", "胡者坐庄", "the winner"), Choice("circles", "轮庄", "the next seat")),
        "winner",
        "下局庄家",
        "Dealer of the next hand",
        f"{TEXT} (Players)",
    ),
    integer("open_kong_tiles", 1, 1, 2, "开杠翻牌", "Tiles turned for an open kong", TEXT),
    flag("qishou_ends_hand", False, "起手胡即止", "A starting win ends the hand", f"{TEXT} (Win shapes)"),
    *kong_points(f"{TEXT} (Kong payments)"),
    flag("zhuangxian", False, "庄闲", "One more to and from the dealer", f"{TEXT} (Settlement)"),
    integer("bird_count", 2, 0, 20, "扎鸟数", "Birds turned after a win", f"{TEXT} (Settlement)"),
    Option(
        "bird_base",
        "choice",
        (Choice("winner", "胡者起", "from the winner"), Choice("dealer", "庄家起", "from the dealer")),
        "winner",
        "鸟从谁数",
        "Where birds are counted from",
        f"{TEXT} (Settlement)",
    ),
    Option(
        "bird_mode",
        "choice",
        (
            Choice("add", "加倍数", "one time more for each"),
            Choice("double", "翻倍", "double for each"),
            Choice("plus", "加分", "one point for each"),
        ),
        "add",
        "中鸟算法",
        "What a bird does",
        f"{TEXT} (Settlement)",
    ),
    Option(
        "haidi_from",
        "choice",
        (Choice("1", "末张", "the last tile"), Choice("7", "末七墩", "the last seven stacks")),
        "1",
        "海捞起点",
        "Where the last draws begin",
        f"{TEXT} (Scoring elements)",
    ),
    integer("cap", 0, 0, 100_000, "封顶", "Most one payer pays one winner (0 = no limit)", TEXT),
    PASS_LOCK,
    WALLS108,
    *WALL_OPTIONS,
)


def _plain_drawn(view: View, told: Told) -> int:
    return int(view.self_drawn and patterns.pair_of_258(view))


def _plain_claimed(view: View, told: Told) -> int:
    return int(not view.self_drawn and patterns.pair_of_258(view))


def _quads(view: View, told: Told) -> int:
    return kinds_held_fourfold(view.hand) if patterns.seven_pairs(view) else 0


def _last_draws(view: View, told: Told) -> int:
    return patterns.drawn_with_at_most(view, LAST_STACKS[int(str(view.options["haidi_from"]))])


def _last_discard(view: View, told: Told) -> int:
    return int("last_tile" in view.flags and not view.self_drawn)


_6 = product(BIG)
ROWS = (
    Row("plain_hand", "小胡", "Small win", product(1), _plain_claimed),
    Row("plain_hand", "小胡", "Small win, self-drawn", product(2), _plain_drawn),
    Row("all_pungs", "碰碰胡", "All pungs", _6, seen(patterns.four_pungs)),
    Row("all_258", "将将胡", "All 2/5/8", _6, seen(patterns.all_tiles_258)),
    Row("full_flush", "清一色", "One suit", _6, seen(patterns.full_flush)),
    Row("seven_pairs", "七小对", "Seven pairs", _6, seen(patterns.seven_pairs)),
    Row("luxury_quad", "豪华", "Quad in seven pairs", _6, _quads),
    Row("melded_hand", "全求人", "All melded", _6, seen(patterns.four_open_melds)),
    Row(
        "out_with_replacement_tile",
        "杠上开花",
        "Win on the kong replacement",
        _6,
        flagged("after_kong"),
        True,
    ),
    Row("kong_discard", "杠上炮", "Win on the discard after a kong", _6, flagged("kong_discard"), True),
    Row("robbing_the_kong", "抢杠胡", "Robbing a kong", _6, robbed, True),
    Row("heavenly_hand", "天胡", "Heavenly hand", _6, seen(patterns.heavenly), True),
    Row("earthly_hand", "地胡", "Earthly hand", _6, seen(patterns.earthly_on_first_discard), True),
    Row("last_tile_draw", "海底捞月", "Last tile drawn", _6, _last_draws, True),
    Row("last_tile_claim", "海底炮", "Last tile discarded", _6, _last_discard, True),
)


def _small_or_big(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return all big elements, or the small win where there is none; what happened needs one of both."""
    if all(each.row.extra for each in found):
        return (), 0
    big = tuple(each for each in found if each.value == BIG)
    kept = big or tuple(found)
    return kept, sum(each.value * each.count for each in kept)


# ---- payments ----


def _birds_on(seat: Seat, base: Seat, birds: Sequence[Tile], players: Sequence[Seat]) -> int:
    away = (players.index(seat) - players.index(base)) % len(players)
    return sum(tile.rank is not None and (tile.rank - 1) % len(players) == away for tile in birds)


def _bird_base(win: Win, running: Running, options: Options) -> Seat:
    if options["bird_base"] == "dealer":
        return running.situation.dealer
    if len(running.winning) > 1:
        assert win.source is not None
        return win.source
    return win.seat


def _owed(valued: Valued, payer: Seat, running: Running, options: Options) -> int:
    """Return what this payer owes: one more where the dealer is in it, then the birds, then the cap."""
    win, amount = valued.win, valued.worth.total
    if options.on("zhuangxian") and running.situation.dealer in (win.seat, payer):
        amount += max(1, amount // BIG)
    base, players = _bird_base(win, running, options), running.situation.players
    birds = sum(_birds_on(seat, base, valued.told.birds, players) for seat in (win.seat, payer))
    if options["bird_mode"] == "double":
        amount <<= birds
    elif options["bird_mode"] == "plus":
        amount += birds
    else:
        amount *= 1 + birds
    most = options.number("cap")
    return min(amount, most) if most else amount


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    win = valued.win
    if len(valued.told.birds) > options.number("bird_count"):
        raise InvalidWin(f"{len(valued.told.birds)} birds; {options.number('bird_count')} are turned here")
    if win.by == SELF_DRAW:
        payers = [seat for seat in running.playing if seat != win.seat]
    else:
        assert win.source is not None
        payers = [win.source]
    return tuple(Payment(payer, win.seat, _owed(valued, payer, running, options), "win") for payer in payers)


# ---- starting wins ----


def starting_wins(tiles: Sequence[Tile]) -> tuple[str, ...]:
    """Return the starting wins of dealt tiles, 四喜 once for each quad."""
    counts = [tiles.count(tile) for tile in set(tiles)]
    found = ["四喜"] * counts.count(4)
    if not any(is_258(tile) for tile in tiles):
        found.append("板板胡")
    if len({tile.suit for tile in tiles}) < 3:
        found.append("缺一色")
    if sum(count >= 3 for count in counts) >= 2:
        found.append("六六顺")
    return tuple(found)


_START_KEYS = {
    "四喜": "start_four_of_a_kind",
    "板板胡": "start_no_258",
    "缺一色": "start_missing_suit",
    "六六顺": "start_two_triplets",
}


def _start(event: Fields, running: Running, options: Options) -> Happened:
    """Pay the starting wins of one seat: each other player, for each element."""
    seat, tiles = event.seat("seat"), event.tiles("tiles")
    dealt = 14 if seat == running.situation.dealer else 13
    Hand((), tiles)  # refuses a fifth copy
    if len(tiles) != dealt or any(tile.suit is None for tile in tiles):
        raise InvalidRequest(f"{event.name('tiles')}: {seat} was dealt {dealt} suit tiles, not {len(tiles)}")
    found = starting_wins(tiles)
    told = event.words("types", tuple(_START_KEYS), list(found))
    if sorted(told) != sorted(found) or not found:
        has = ", ".join(found) or "nothing"
        raise InvalidRequest(f"{event.name('types')}: these tiles have {has}")
    payments = tuple(
        Payment(payer, seat, START, _START_KEYS[each])
        for each in found
        for payer in running.situation.players
        if payer != seat
    )
    if not options.on("qishou_ends_hand"):
        return Happened(payments)
    dealer = running.situation.dealer
    if options["dealer_next"] == "winner" or seat == dealer:
        return Happened(payments, True, seat)
    players = running.situation.players
    return Happened(payments, True, players[(players.index(dealer) + 1) % len(players)])


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    """The winner, of several the feeder, after a drawn hand who drew the last tile; or the circle goes on."""
    if options["dealer_next"] == "circles":
        return dealer_stays(wins, running, options)
    if len(wins) > 1:
        return wins[0].source
    if wins:
        return wins[0].seat
    if running.last_draw is None:
        raise InvalidWin("who drew the last tile of the wall is missing (last_draw)")
    return running.last_draw


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, SEVEN_PAIRS, ALL_258


def _several(options: Options) -> bool:
    return True


KONG_ROWS = kong_rows(f"{TEXT} (Kong payments)")
CHANGSHA = Ruleset(
    base=Variant(
        "changsha",
        "长沙麻将",
        "Changsha",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=every_call,
        multi_win=_several,
        tiles=108,
        circumstances=("after_kong", "kong_discard", "heavenly", "earthly", "last_tile"),
        table_flags=("passed",),
    ),
    rows=ROWS,
    combine=_small_or_big,
    pay=_pay,
    kong_rows=KONG_ROWS,
    events={"qishou": _start},
    next_dealer=_next_dealer,
)
