"""福州麻将: 16 tiles, one gold (金) of three wild tiles, flowers. Source: rules text fuzhou.md."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Deal, Ruleset, Running, Told, Valued
from rules.errors import InvalidRequest, InvalidWin
from rules.fields import Fields
from rules.hand import Hand
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.packed import SUITED
from rules.seats import Seat
from rules.shapes import REGULAR, Shape
from rules.situation import DISCARD, SELF_DRAW, Win
from rules.splits import Reading
from rules.tiles import Tile
from rules.variant import Payment, Variant
from rules.variants.common import WALL_OPTIONS, flag, integer
from rules.variants.fuzhou_ops import OPS
from rules.variants.fuzhou_rows import GOLDS, ROWS, is_lone_gold, largest_formula, matters, may_take
from rules.variants.ledgered import paid_by_ledger

TEXT = "fuzhou.md"
SEED = "002_3780e991da0cc4a4.txt"
PLAYING_TILES = 108
CALLS = frozenset({"chow", "pung", "kong_exposed", "kong_added", "kong_concealed"})

OPTIONS = (
    Option(
        "first_taker",
        "choice",
        (Choice("dealer", "庄家", "the dealer"), Choice("counted_seat", "骰子所指", "the counted seat")),
        "dealer",
        "谁先拿牌",
        "Who takes tiles first",
        f"{TEXT} (Deal and wall break)",
    ),
    flag("same_turn_pass", True, "同圈不吃碰胡", "A kind let go waits for the own draw", SEED),
    flag("gold_in_claims", False, "金可吃碰杠", "A gold may be used in a claim", f"{TEXT} (Legal actions)"),
    Option(
        "gold_discard",
        "choice",
        (Choice("allowed_no_claim", "可打不可要", "allowed, nobody may claim it"),),
        "allowed_no_claim",
        "打金",
        "Discarding a gold",
        f"{TEXT} (Legal actions)",
    ),
    Option(
        "you_jin_lock",
        "choice",
        (
            Choice("except_specials", "金雀金龙除外", "a discard only as 金雀 or 金龙"),
            Choice("strict", "只能自摸", "never a discard"),
        ),
        "except_specials",
        "游金点炮",
        "A 游金 shape on a discard",
        f"{TEXT} (Scoring elements)",
    ),
    integer("kong_points.exposed", 0, 0, 100, "明杠分", "Points of an exposed kong", TEXT),
    integer("kong_points.concealed", 0, 0, 100, "暗杠分", "Points of a concealed kong", TEXT),
    Option(
        "discard_payment",
        "choice",
        (
            Choice("three_pay", "三家付", "all three pay"),
            Choice("discarder_only", "点炮者付", "the discarder pays once"),
            Choice("discarder_pays_for_all", "点炮者包", "the discarder pays for all"),
        ),
        "three_pay",
        "点炮付法",
        "Who pays for a discard",
        f"{TEXT} (Settlement formulas)",
    ),
    Option(
        "streak_scope",
        "choice",
        (Choice("all", "人人算", "for every winner"), Choice("dealer_only", "只算庄家", "for the dealer")),
        "all",
        "连庄归谁",
        "For whom the streak counts",
        f"{TEXT} (Settlement formulas)",
    ),
    integer("leave_reserve", 20, 0, 40, "留牌", "Tiles that stay in the wall", f"{TEXT} (Draw handling)"),
    integer("stake", 1, 1, 100_000, "底注", "Stake", f"{TEXT} (Settlement formulas)"),
    flag("escape_penalty", False, "逃跑罚分", "A club penalty for leaving", f"{TEXT} (Draw handling)"),
    *WALL_OPTIONS,
)


def _loose(win: Win, told: Told, options: Options) -> tuple[Hand, Reading] | None:
    """三金倒: three golds win whatever the other tiles are."""
    hand = win.hand
    if win.by != SELF_DRAW or sum(tile in told.wild for tile in hand.standing) != GOLDS:
        return None
    loose = tuple(tile.index for tile in hand.standing)
    return hand, Reading("three_golds", loose=loose, melds=hand.melds)


# ---- settlement ----


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    win, amount = valued.win, valued.worth.total
    others = [seat for seat in running.playing if seat != win.seat]
    if win.by == SELF_DRAW or options["discard_payment"] == "three_pay":
        return tuple(Payment(payer, win.seat, amount, "win") for payer in others)
    assert win.source is not None
    times = 1 if options["discard_payment"] == "discarder_only" else len(others)
    return (Payment(win.source, win.seat, amount * times, "win"),)


def _next_deal(running: Running, dealer: Seat | None) -> Deal:
    """The streak grows while the dealer stays."""
    stays = dealer == running.situation.dealer
    return Deal(streak=running.deal.streak + 1 if stays else 0)


def _told_next(deal: Deal) -> dict[str, object]:
    return {"next_streak": deal.streak}


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if len(told.wild) != 1 or not SUITED >> told.wild[0].index & 1:
        raise InvalidWin("the gold is missing (options.gold): one suit tile")
    if sum(tile in told.wild for tile in win.hand.tiles) > GOLDS:
        raise InvalidWin(f"one gold lies open: a hand holds {GOLDS} at most")
    if "qiang_jin" in told.called and (win.by != SELF_DRAW or win.hand.win_tile not in told.wild):
        raise InvalidWin("抢金 (qiang_jin) takes the opened gold, as a self-draw")
    if win.by != DISCARD:
        return None
    if win.hand.win_tile in told.wild:
        return "gold_discarded"
    gold = told.wild[0]
    special = options["you_jin_lock"] == "except_specials" and may_take(win.hand, gold)
    return "you_jin" if is_lone_gold(win.hand, gold) and not special else None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Forbid claims of a discarded gold, and kongs of golds where golds stay out of claims."""
    return move.tile in told.wild and move.do in ("chow", "pung", "kong_exposed", "kong_added")


def _wild(told: Told, options: Options) -> int:
    return sum(1 << tile.index for tile in told.wild)


def _playing_tiles(options: Options) -> int:
    return PLAYING_TILES


def _drawn_at(options: Options) -> int:
    return options.number("leave_reserve")


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR,)


def _permits(options: Options) -> frozenset[str]:
    return CALLS


def _one_winner(options: Options) -> bool:
    return False


# ---- cases ----

_EVENTS = ("san_jin_dao", "qiang_jin", "tian_hu")


def _read_deal(told: Fields) -> Deal:
    return Deal(streak=told.integer("streak", 0, 1000, 0))


def _flower_tiles(given: Fields) -> tuple[Tile, ...]:
    named = given.tiles("flowers")
    counts: Mapping[Tile, int] = {tile: named.count(tile) for tile in named}
    if any(tile.suit is not None or count > tile.copies for tile, count in counts.items()):
        raise InvalidRequest(f"{given.name('flowers')}: honors and a to h, as many as there are")
    return named


def _read_win(given: Fields, win: Win, told: Told) -> tuple[Win, Told]:
    gold = given.tiles("gold")
    event = given.one_of("event", _EVENTS) if given.has("event") else ""
    flags = win.flags | {"heavenly"} if event == "tian_hu" else win.flags
    called = {"qiang_jin"} if event == "qiang_jin" else set()
    if given.flag("jin_kan"):
        called.add("jin_kan")
    full = Win(win.seat, win.hand, win.by, win.source, flags, win.wall_left)
    return full, Told(wild=gold, flowers=_flower_tiles(given), called=frozenset(called))


FUZHOU = Ruleset(
    base=Variant(
        "fuzhou",
        "福州麻将",
        "Fuzhou",
        options=OPTIONS,
        fans=(),
        kongs=(),
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_one_winner,
        tiles=144,
        hand_size=16,
        circumstances=("heavenly",),
        told_as_options=("gold", "flowers", "streak", "event", "jin_kan", "tiles_left"),
    ),
    rows=ROWS,
    combine=largest_formula,
    pay=_pay,
    next_deal=_next_deal,
    told_next=_told_next,
    refuses=_refuses,
    forbids=_forbids,
    wild=_wild,
    matters=matters,
    loose=_loose,
    dealt_wins=True,
    tiles_of=_playing_tiles,
    drawn_at=_drawn_at,
    read_deal=_read_deal,
    read_win=_read_win,
    ops=OPS,
)
