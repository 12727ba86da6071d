"""诸暨麻将: wild tiles (财神), counted in 台. Source: rules text zhuji.md."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rules import patterns
from rules.engine import Counted, Deal, Row, Ruleset, Running, Told, Valued
from rules.engine_patterns import Counts, flagged, robbed, seen
from rules.engine_wilds import Share, Stock
from rules.errors import InvalidRequest, InvalidWin
from rules.fields import Fields, as_seat
from rules.hand import Hand
from rules.legal import Claim, Move, precedence
from rules.options import Choice, Option, Options
from rules.packed import HONORS, SUITED
from rules.seats import Seat
from rules.shapes import REGULAR, Shape
from rules.situation import DISCARD, ROB_KONG, Win
from rules.splits import Reading
from rules.tiles import TILES, Tile
from rules.variant import Payment, Variant
from rules.variants.common import WALL_OPTIONS, flag, integer, product
from rules.variants.ledgered import CALLS, paid_by_ledger
from rules.view import View

TEXT = "zhuji.md"
TOP = 8  # 台 of 天胡, 地胡, 无财, 全字牌
TOP_BAO = 7
MARK_NEEDS = 3  # real 台 without which 天胡, 地胡 and 无财 do not count
RESERVE = 14
MANY_WILDS = 3
EAST, DRAGONS = 27, {"red_dragon": 31, "green_dragon": 32, "white_dragon": 33}

OPTIONS = (
    Option(
        "mode",
        "choice",
        (Choice("free", "自由麻将", "free"), Choice("bao", "包麻将", "包, counted only")),
        "free",
        "玩法",
        "Mode",
        f"{TEXT} (Seed passages)",
    ),
    integer("wild_kinds", 1, 1, 2, "财神种数", "Kinds that are wild", f"{TEXT} (Tile set and wall)"),
    Option(
        "min_tai",
        "choice",
        (
            Choice("mode", "按玩法", "3 in free mode, 2 in 包"),
            *(Choice(str(tai), f"{tai}台", f"{tai}") for tai in range(2, TOP + 1)),
        ),
        "mode",
        "起胡",
        "Fewest 台 that win",
        f"{TEXT} (Settlement)",
    ),
    flag("rob_kong_allowed", True, "可抢杠", "A kong may be robbed", f"{TEXT} (Win shapes)"),
    Option(
        "rob_kong_payer",
        "choice",
        (Choice("all", "三家付", "all three"), Choice("konger_all", "杠家包", "the konging seat for all")),
        "all",
        "抢杠谁付",
        "Who pays for a robbed kong",
        f"{TEXT} (Settlement)",
    ),
    flag("all_honours_needs_shape", True, "全字牌要成牌", "All honours needs sets and a pair", TEXT),
    integer("old_dealer_factor", 2, 1, 100, "老庄倍数", "Factor of a hand after a kept deal", TEXT),
    *WALL_OPTIONS,
)


# ---- elements ----


def is_free(options: Options) -> bool:
    """Return whether the free mode is played."""
    return options["mode"] == "free"


def wilds_held(view: View, told: Told) -> int:
    """Return how many tiles of a wild kind the whole hand has, declared ones too."""
    declared = sum(tile in told.wild for meld in view.hand.melds for tile in meld.tiles)
    return declared + len(told.standing) + (told.drawn is not None)


def _pung_of(kind: int) -> Counts:
    def counts(view: View, told: Told) -> int:
        return view.pung_kinds >> kind & 1

    return counts


def _all_chows(view: View) -> int:
    return int(view.reading.shape == "regular" and not view.pungs)


def _half_flush(view: View) -> int:
    return int(patterns.suits_in(view) == 1 and view.kinds & HONORS != 0)


def _only_honors(view: View, told: Told) -> int:
    return int(not view.kinds & SUITED)


def _many_wilds(view: View, told: Told) -> int:
    return int(is_free(view.options) and wilds_held(view, told) >= MANY_WILDS)


def _no_wilds(view: View, told: Told) -> int:
    return int(not wilds_held(view, told))


def _in_free_mode(counts: Counts) -> Counts:
    def asked(view: View, told: Told) -> int:
        return counts(view, told) if is_free(view.options) else 0

    return asked


def _by_mode(free: int, bao: int) -> Callable[[Options], int]:
    def value(options: Options) -> int:
        return free if is_free(options) else bao

    return value


_1 = product(1)
ROWS = (
    Row("red_dragon", "红中", "Red dragon pung", _1, _pung_of(DRAGONS["red_dragon"])),
    Row("green_dragon", "发财", "Green dragon pung", _1, _pung_of(DRAGONS["green_dragon"])),
    Row("white_dragon", "白板", "White dragon pung", _1, _pung_of(DRAGONS["white_dragon"])),
    Row("east_wind", "东风", "East pung", product(2), _pung_of(EAST)),
    Row("all_chows", "平胡", "All chows", _1, seen(_all_chows)),
    Row("all_pungs", "对对胡", "All pungs", _1, seen(patterns.four_pungs)),
    Row("half_flush", "混一色", "Half flush", _1, seen(_half_flush)),
    Row("full_flush", "清一色", "Full flush", product(3), seen(patterns.full_flush)),
    Row("three_wilds", "三财神", "Three wilds", product(2), _many_wilds),
    Row("out_with_replacement_tile", "杠开", "Win on a kong replacement", _1, flagged("after_kong")),
    Row("robbing_the_kong", "抢杠", "Robbing a kong", _1, robbed),
    Row("heavenly_hand", "天胡", "Heavenly win", product(TOP), _in_free_mode(flagged("heavenly")), True),
    Row("earthly_hand", "地胡", "Earthly win", product(TOP), _in_free_mode(flagged("earthly")), True),
    Row("no_wilds", "无财", "No wild", _by_mode(TOP, 1), _no_wilds, True),
    Row("all_honors", "全字牌", "All honours", _by_mode(TOP, TOP_BAO), _only_honors, True),
)


def tai(found: Sequence[Counted], options: Options) -> tuple[tuple[Counted, ...], int]:
    """Return all 台; a mark lifts what is less than it, 天胡 地胡 无财 only with three real 台."""
    real = sum(each.value for each in found if not each.row.extra)
    marks = [each for each in found if each.row.extra]
    if not is_free(options):
        real += sum(each.value for each in marks if each.row.key == "no_wilds")
        lifted = any(each.row.key == "all_honors" for each in marks)
        return tuple(found), max(real, TOP_BAO) if lifted else real
    if real < MARK_NEEDS:
        marks = [each for each in marks if each.row.key == "all_honors"]
    kept = tuple(each for each in found if not each.row.extra or each in marks)
    return kept, max(real, TOP) if marks else real


def matters(share: Share, stock: Stock) -> Hashable:
    """Return what elements look at: chows or pungs, which pungs of honors, is there a tile at all."""
    honors = frozenset(share.pungs) if share.group == 3 else frozenset()
    there = bool(share.chows or share.pungs or share.pair >= 0)
    return bool(share.chows), bool(share.pungs), honors, there


def _loose(win: Win, told: Told, options: Options) -> tuple[Hand, Reading] | None:
    """Any 14 honors, where that is agreed; wild tiles become honors of which there is room."""
    hand = win.hand
    if options.on("all_honours_needs_shape"):
        return None
    tiles: list[Tile] = [tile for tile in hand.standing if tile not in told.wild]
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    if any(not tile.is_honor for tile in (*tiles, *melded)):
        return None
    for _ in range(len(hand.standing) - len(tiles)):
        tiles.append(next(t for t in TILES[27:34] if tiles.count(t) + melded.count(t) < 4))
    full = Hand(hand.melds, tiles[1:], tiles[0])
    return full, Reading("all_honors", loose=tuple(tile.index for tile in tiles), melds=hand.melds)


# ---- settlement ----


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    """Each other seat pays 2 to the power of 台 - 2, more in a 老庄 hand; a robbed one perhaps for all."""
    win = valued.win
    amount = 2 ** (valued.worth.total - 2)
    if running.deal.old_dealer:
        amount *= options.number("old_dealer_factor")
    others = [seat for seat in running.playing if seat != win.seat]
    if win.by == ROB_KONG and options["rob_kong_payer"] == "konger_all":
        assert win.source is not None
        return (Payment(win.source, win.seat, amount * len(others), "win"),)
    return tuple(Payment(payer, win.seat, amount, "win") for payer in others)


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    return wins[0].seat if wins else running.situation.dealer


def _next_deal(running: Running, dealer: Seat | None) -> Deal:
    """Return 老庄 where the dealer won or nobody did: then he deals again."""
    return Deal(old_dealer=dealer == running.situation.dealer)


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if not 1 <= len(set(told.wild)) <= 2:
        raise InvalidWin("one or two kinds are wild (options.wild)")
    if win.by == DISCARD and is_free(options):
        return "self_draw_only"
    return "rob_kong" if win.by == ROB_KONG and not options.on("rob_kong_allowed") else None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    return move.do == "kong_added" and move.tile in told.wild


def _wild(told: Told, options: Options) -> int:
    return sum(1 << tile.index for tile in set(told.wild))


def _minimum(options: Options) -> int:
    agreed = str(options["min_tai"])
    return int(agreed) if agreed != "mode" else 3 if is_free(options) else 2


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR,)


def _permits(options: Options) -> frozenset[str]:
    return CALLS


def _one_winner(options: Options) -> bool:
    return False


def _drawn_at(options: Options) -> int:
    return RESERVE


# ---- cases ----

_EVENTS = {"gang_kai": "after_kong", "tian_hu": "heavenly", "di_hu": "earthly"}


def _read_deal(told: Fields) -> Deal:
    return Deal(old_dealer=told.flag("lao_zhuang"))


def _read_win(given: Fields, win: Win, told: Told) -> tuple[Win, Told]:
    flags = win.flags
    if given.has("event"):
        flags |= {_EVENTS[given.one_of("event", tuple(_EVENTS))]}
    told_wild = Told(wild=given.tiles("wild"))
    return Win(win.seat, win.hand, win.by, win.source, flags, win.wall_left), told_wild


def _told_next(deal: Deal) -> dict[str, object]:
    return {"next_lao_zhuang": deal.old_dealer}


def _rotation(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `rotation`: dealer and 老庄 after each result."""
    dealer, states = given.seat("dealer"), []
    for result in given.items("results"):
        if not isinstance(result, (list, tuple)) or len(result) != 2 or result[0] not in ("win", "draw"):
            raise InvalidRequest(f"{given.name('results')}: a result is [win, seat] or [draw, null]")
        before = dealer
        if result[0] == "win":
            dealer = as_seat(result[1], given.name("results"))
        states.append([dealer.value, dealer == before])
    return {"states": states}


def _may_kong(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `may_kong`: a wild tile joins no pung; four of them may be a concealed kong."""
    wild = given.tiles("wild")
    allowed = []
    for kind, tile in given.items("kongs"):
        if kind not in ("exposed", "added", "concealed"):
            raise InvalidRequest(f"{given.name('kongs')}: exposed, added or concealed, not {kind!r}")
        allowed.append(not (kind == "added" and Tile.parse(tile) in wild))
    return {"allowed": allowed}


def _rob(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `rob`: added kongs only; in 包 only that of the 包 seat."""
    kinds = given.items("kinds")
    free = given.one_of("mode", ("free", "bao")) == "free"
    kongers = given.items("konger", [None] * len(kinds))
    seat = given.optional_seat("bao_seat")
    pairs = zip(kinds, kongers, strict=True)
    return {"allowed": [kind == "added" and (free or konger == seat) for kind, konger in pairs]}


def _claim(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `claim`: who gets one discard."""
    where = given.name("claims")
    claims = [Claim(as_seat(seat, where), kind) for seat, kind in given.items("claims")]
    granted = precedence(given.seat("discarder"), claims, multi_win=False)
    return {"granted": [[claim.seat.value, claim.kind] for claim in granted]}


def _wall_end(given: Fields, options: Options) -> dict[str, object]:
    """Answer op `wall_end`: is the hand drawn with so many tiles left?"""
    return {"drawn": [left <= RESERVE for left in given.items("tiles_left")]}


ZHUJI = Ruleset(
    base=Variant(
        "zhuji",
        "诸暨麻将",
        "Zhuji",
        options=OPTIONS,
        fans=(),
        kongs=(),
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_one_winner,
        minimum=_minimum,
        circumstances=("after_kong", "heavenly", "earthly"),
        told_as_options=("wild", "event", "lao_zhuang", "tiles_left"),
    ),
    rows=ROWS,
    combine=tai,
    pay=_pay,
    next_dealer=_next_dealer,
    next_deal=_next_deal,
    told_next=_told_next,
    refuses=_refuses,
    forbids=_forbids,
    wild=_wild,
    matters=matters,
    loose=_loose,
    dealt_wins=True,
    settles=is_free,
    drawn_at=_drawn_at,
    read_deal=_read_deal,
    read_win=_read_win,
    ops={"rotation": _rotation, "may_kong": _may_kong, "rob": _rob, "claim": _claim, "wall_end": _wall_end},
)
