"""天津麻将: wild tiles (混儿), self-draw only, 坐庄 and 拉庄, side bets. Source: rules text tianjin.md."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from math import prod

from rules import procedure
from rules.engine import Counted, Deal, Happened, Row, Ruleset, Running, Told, Valued, dealer_stays
from rules.engine_patterns import flagged
from rules.engine_wilds import Share, Stock, places
from rules.errors import InvalidRequest, InvalidWin
from rules.fields import Fields, as_seat
from rules.hand import MeldKind
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.seats import Seat, seat_after
from rules.shapes import REGULAR, Shape
from rules.situation import SELF_DRAW, Kong, Win
from rules.splits import Kinds
from rules.tiles import Tile
from rules.variant import KongRow, Payment, Variant
from rules.variants.common import WALL_OPTIONS, flag, integer, product
from rules.variants.ledgered import cap, no_shares, paid_by_ledger
from rules.variants.treasure import next_kind
from rules.view import View

TEXT = "tianjin.md"
SEED = "001_3d75f89868e24d42.txt"
FIVE = 4  # 五万
BETS = ("三对子", "一立三", "五个字", "上下摸", "门前清", "缺一门", "绘吊")

OPTIONS = (
    integer("hun_dice", 2, 1, 2, "打混骰子", "Dice that find the wild tile", SEED),
    Option(
        "draw_dealer",
        "choice",
        (
            Choice("stay", "连庄", "the dealer stays"),
            Choice("kong_rule", "看杠", "a kong elsewhere moves it"),
        ),
        "stay",
        "荒庄后坐庄",
        "Dealer after a drawn hand",
        f"{TEXT} (Players)",
    ),
    flag("chuai", False, "踹", "The dealer redoubles against whoever pulled", f"{TEXT} (Players)"),
    flag("discard_wild", True, "可打混", "A wild tile may be discarded", f"{TEXT} (Legal actions)"),
    Option(
        "fan_mode",
        "choice",
        (
            Choice("double", "翻番", "2 to the power of the fan"),
            Choice("add", "加番", "1 and the sum of the fan"),
            Choice("table", "番表", "the published table"),
        ),
        "double",
        "番的算法",
        "What fan are worth",
        f"{TEXT} (Scoring elements)",
    ),
    integer("gangkai_fan", 1, 1, 10, "杠开番", "Fan of a win on the kong replacement", TEXT),
    flag("zhuowu_wild_ok", True, "混捉五", "A drawn wild may be the five", f"{TEXT} (Scoring elements)"),
    integer("kong_unit", 1, 1, 100, "杠底", "Points that kongs are counted in", f"{TEXT} (Kong payments)"),
    integer("gold_kong", 4, 0, 100, "金杠", "Points of four wilds", f"{TEXT} (Kong payments)"),
    integer("shovel_base", 1, 0, 100, "铲底", "Points of 铲", f"{TEXT} (Kong payments)"),
    integer("min_points", 1, 1, 1000, "起和", "Fewest points that win", f"{TEXT} (Win shapes)"),
    integer("cap", 0, 0, 100_000, "封顶", "Most points of a win (0 = no limit)", f"{TEXT} (Settlement)"),
    *WALL_OPTIONS,
)


# ---- what the winning tile made ----


def _are_strangers(standing: Sequence[int], kinds: Sequence[int]) -> bool:
    """Return whether wild tiles can stand for these kinds, none of them for its own."""
    return any(
        all(tile != kind for tile, kind in zip(chosen, kinds, strict=True))
        for chosen in permutations(standing, len(kinds))
    )


def _stands_for(stands: Sequence[int], kinds: Sequence[int], standing: Sequence[int]) -> bool:
    """Return whether these kinds are among those wild tiles stand for, as strangers."""
    left = list(stands)
    for kind in kinds:
        if kind not in left:
            return False
        left.remove(kind)
    return _are_strangers(standing, kinds)


def _others(place: tuple[str, int], win: int) -> tuple[int, ...]:
    """Return the kinds beside the winning tile in the set or pair it went to."""
    kind, first = place
    if kind == "pair":
        return (win,)
    if kind == "pung":
        return win, win
    return tuple(each for each in (first, first + 1, first + 2) if each != win)


_CATCH = ("chow", FIVE - 1)


def _made(
    place: tuple[str, int], win: int, stands: Sequence[int], standing: Sequence[int]
) -> tuple[bool, bool, bool]:
    """Return whether the tile made 混吊, 双混吊, 捉五."""
    wild = _stands_for(stands, _others(place, win), standing)
    return wild and place[0] == "pair", wild and place[0] != "pair", place == _CATCH and win == FIVE


def _is_dragon(chows: Kinds, group: int) -> bool:
    return group < 3 and {9 * group, 9 * group + 3, 9 * group + 6} <= set(chows)


def matters(share: Share, stock: Stock) -> Hashable:
    """Return what elements look at: is there a dragon, what may the winning tile have made here."""
    wins = set(share.stands) if stock.drawn else {stock.win}
    made = set()
    for win in wins:
        stands = list(share.stands)
        if stock.drawn:
            stands.remove(win)
        for place in places(win, share.chows, share.pungs, share.pair):
            made.add(_made(place, win, stands, stock.standing))
    return _is_dragon(share.chows, share.group), frozenset(made)


def _win_made(view: View, told: Told) -> tuple[bool, bool, bool]:
    assert told.place is not None
    return _made(told.place, view.win, told.stands, told.standing)


def _plain(view: View, told: Told) -> int:
    return 1


def _pair_wait(view: View, told: Told) -> int:
    return int(_win_made(view, told)[0])


def _double_wait(view: View, told: Told) -> int:
    return int(_win_made(view, told)[1])


def _catch_five(view: View, told: Told) -> int:
    """The five may be a drawn wild; where that is not agreed, only if 4 and 6 are wild tiles too."""
    _, double, five = _win_made(view, told)
    own = told.drawn is None or told.drawn.index == FIVE or double
    return int(five and (own or view.options.on("zhuowu_wild_ok")))


def _dragons(view: View) -> list[int]:
    return [group for group in range(3) if _is_dragon(view.reading.chows, group)]


def _wild_suits(told: Told) -> set[int]:
    return {tile.index // 9 for tile in told.wild if tile.suit is not None}


def _dragon(view: View, told: Told) -> int:
    return int(any(group not in _wild_suits(told) for group in _dragons(view)))


def _wild_dragon(view: View, told: Told) -> int:
    return int(any(group in _wild_suits(told) for group in _dragons(view)))


def _no_wild(view: View, told: Told) -> int:
    """No tile of a wild kind, melds included."""
    in_melds = any(tile in told.wild for meld in view.hand.melds for tile in meld.tiles)
    return int(not told.standing and told.drawn is None and not in_melds)


_1 = product(1)
ROWS = (
    Row("plain_hand", "提溜", "Small win", product(0), _plain),
    Row("wild_pair_wait", "混吊", "Wild pair wait", _1, _pair_wait, True),
    Row("double_wild_wait", "双混吊", "Double wild wait", _1, _double_wait, True),
    Row("catch_five", "捉五", "Catch the five", _1, _catch_five, True),
    Row("pure_dragon", "龙", "Dragon", product(2), _dragon, True),
    Row("wild_suit_dragon", "本混龙", "Dragon in the wild suit", product(3), _wild_dragon, True),
    Row("no_wild", "素", "No wilds", _1, _no_wild, True),
    Row(
        "out_with_replacement_tile",
        "杠开",
        "Win on the kong replacement",
        product("gangkai_fan"),
        flagged("after_kong"),
        True,
    ),
)
_DOUBLES_IN_TABLE = (
    "wild_pair_wait",
    "double_wild_wait",
    "no_wild",
    "out_with_replacement_tile",
    "wild_suit_dragon",
)


def _points(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return the elements of one reading, added, and their points by the agreed way."""
    kept = tuple(each for each in found if each.row.extra) or tuple(found)
    fan = sum(each.value for each in kept)
    if options["fan_mode"] == "double":
        return kept, 2**fan
    if options["fan_mode"] == "add":
        return kept, 1 + fan
    keys = {each.row.key for each in kept}
    base = 3 * ("catch_five" in keys) + 4 * bool(keys & {"pure_dragon", "wild_suit_dragon"})
    return kept, max(base, 1) * prod(2 for key in _DOUBLES_IN_TABLE if key in keys)


# ---- payments ----


def factor(one: Seat, other: Seat, running: Running, options: Options) -> int:
    """Return how often two seats pay each other: 坐庄, 拉庄 and 踹 double where one of them deals."""
    dealer = running.situation.dealer
    if dealer not in (one, other):
        return 1
    pulls = running.deal.pulls.get(other if one == dealer else one, 0)
    doubled = pulls + running.deal.dealer_doubled + (options.on("chuai") and pulls > 0)
    return 1 << int(doubled)


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    win, total = valued.win, valued.worth.total
    return tuple(
        Payment(payer, win.seat, total * factor(win.seat, payer, running, options), "win")
        for payer in running.playing
        if payer != win.seat
    )


def _kong(key: str, zh: str, en: str, kind: MeldKind, points: str | int, *, wilds: bool = False) -> KongRow:
    return KongRow(key, zh, en, kind, product(points, "kong_unit"), no_shares, TEXT, wilds)


KONG_ROWS = (
    _kong("kong_exposed", "明杠", "Exposed kong", MeldKind.EXPOSED_KONG, 1),
    _kong("kong_added", "补杠", "Added kong", MeldKind.ADDED_KONG, 1),
    _kong("kong_concealed", "暗杠", "Concealed kong", MeldKind.CONCEALED_KONG, 2),
    _kong("kong_gold", "金杠", "Gold kong", MeldKind.CONCEALED_KONG, "gold_kong", wilds=True),
)


def _kong_payers(kong: Kong, value: int, running: Running, options: Options) -> Mapping[Seat, int]:
    return {
        seat: value * factor(kong.seat, seat, running, options)
        for seat in running.playing
        if seat != kong.seat
    }


def _shovel(event: Fields, running: Running, options: Options) -> Happened:
    """铲: all discarded first what the dealer did; he pays each of them."""
    dealer, base = running.situation.dealer, options.number("shovel_base")
    return Happened(
        tuple(
            Payment(dealer, seat, base * factor(dealer, seat, running, options), "shovel")
            for seat in running.playing
            if seat != dealer and base
        )
    )


def _side_bet(event: Fields, running: Running, options: Options) -> Happened:
    """彩: the owner who makes it is paid by all; if he misses, he pays each who makes it."""
    owner, bet = event.seat("owner"), event.one_of("bet", BETS)
    chips = event.integer("chips", 1, 100_000)
    hits = [as_seat(seat, event.name("hits")) for seat in event.items("hits")]
    players = running.situation.players
    if owner not in players or len(set(hits)) < len(hits) or any(seat not in players for seat in hits):
        raise InvalidRequest(f"{event.name('hits')}: each seat that plays makes a bet once")
    if owner in hits:
        pays = [Payment(seat, owner, chips, bet) for seat in players if seat != owner]
    else:
        pays = [Payment(owner, seat, chips, bet) for seat in hits]
    return Happened(tuple(pays))


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    dealer = running.situation.dealer
    if not wins and options["draw_dealer"] == "kong_rule":
        owners = {paid.kong.seat for paid in running.kongs}
        if owners and dealer not in owners:
            return seat_after(dealer, running.situation.players)
    return dealer_stays(wins, running, options)


# ---- play ----


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if win.by != SELF_DRAW:
        return "self_draw_only"
    if not told.wild:
        raise InvalidWin("which kinds are wild is missing (jokers)")
    return None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Forbid claims of a discarded wild tile, and discarding one where that is not agreed."""
    if move.tile is None or move.tile not in told.wild:
        return False
    if move.do == "discard":
        return not options.on("discard_wild")
    return move.do in ("pung", "kong_exposed")


def _wild(told: Told, options: Options) -> int:
    return sum(1 << tile.index for tile in told.wild)


def _jokers(tile: Tile, options: Options) -> dict[str, tuple[Tile, ...]]:
    return {"jokers": (tile, next_kind(tile))}


def _wild_stack(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `wild_stack`: so many stacks back from the tail, the tail stack being 1; the top tile."""
    place, dice = given.object("open"), given.items("dice")
    if len(dice) != options.number("hun_dice") or not procedure.is_valid_throw(dice, len(dice)):
        raise InvalidRequest(f"{given.name('dice')}: {options['hun_dice']} dice of 1 to 6 are thrown")
    opening = procedure.Opening(
        place.seat("seat"),
        place.integer("stack", 1, 100) - 1,
        place.seat("seat"),
        place.integer("stack", 1, 100),
    )
    found = procedure.tail_draw(procedure.walls(136, Seat.E), opening, 2 * (sum(dice) - 1))
    return {"seat": found.seat.value, "stack": found.stack, "layer": found.layer}


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR,)


def _permits(options: Options) -> frozenset[str]:
    return frozenset({"pung", "kong_exposed", "kong_added", "kong_concealed"})


def _one_winner(options: Options) -> bool:
    return False


def _minimum(options: Options) -> int:
    return options.number("min_points")


def read_deal(told: Fields) -> Deal:
    """Read 坐庄 and the pulls of a hand."""
    pulls = told.object("pulls") if told.has("pulls") else None
    return Deal(
        dealer_doubled=told.flag("zuozhuang"),
        pulls={} if pulls is None else {as_seat(s, pulls.where): pulls.integer(s, 0, 2) for s in pulls.data},
    )


TIANJIN = Ruleset(
    base=Variant(
        "tianjin",
        "天津麻将",
        "Tianjin",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_one_winner,
        cap=cap,
        minimum=_minimum,
        circumstances=("after_kong", "last_tile"),
        told_as_options=("zuozhuang", "pulls"),
    ),
    rows=ROWS,
    combine=_points,
    pay=_pay,
    kong_rows=KONG_ROWS,
    kong_payers=_kong_payers,
    next_dealer=_next_dealer,
    refuses=_refuses,
    forbids=_forbids,
    wild=_wild,
    matters=matters,
    turned=_jokers,
    events={"shovel": _shovel, "side_bet": _side_bet},
    ops={"wild_stack": _wild_stack},
    read_deal=read_deal,
)
