"""广东推倒胡: self-draw and robbed kongs only. Source: rules text guangdong-tuidaohu.md."""

from __future__ import annotations

from collections.abc import Mapping

from rules import patterns
from rules.engine import Row, Ruleset, Running, Told, Valued, WallEnd
from rules.engine_combine import doubled_by_fan
from rules.engine_ledger import reversed_payments
from rules.engine_patterns import any_win, flagged, robbed, seen
from rules.hand import MeldKind
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.shapes import REGULAR, SEVEN_PAIRS, Shape
from rules.situation import DISCARD, SELF_DRAW, Kong, Win
from rules.variant import KongRow, Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, WALLS108, flag, integer, product
from rules.variants.ledgered import cap, no_shares, paid_by_ledger, without_chows
from rules.view import View

TEXT = "guangdong-tuidaohu.md"
OPTIONS = (
    flag("qidui", True, "七对", "Seven pairs", f"{TEXT} (Win shapes)"),
    integer("cap", 64, 0, 100_000, "爆胡", "Most points of a win (0 = no limit)", TEXT),
    Option(
        "exposed_payer",
        "choice",
        (Choice("feeder", "点杠者", "the feeder alone"), Choice("all", "三家", "each other player")),
        "feeder",
        "明杠谁付",
        "Who pays for an exposed kong",
        f"{TEXT} (Kong payments)",
    ),
    flag("rob_pays_all", True, "抢杠包三家", "A robbed player pays for all", f"{TEXT} (Settlement)"),
    flag("multi_win", False, "一炮多响", "Several winners on one tile", f"{TEXT} (Legal actions)"),
    flag("draw_cancels_kongs", False, "荒庄荒杠", "A drawn hand pays kongs back", f"{TEXT} (Kong payments)"),
    integer("horses", 0, 0, 20, "买马", "Horses turned after a win", f"{TEXT} (Settlement)"),
    PASS_LOCK,
    WALLS108,
    *WALL_OPTIONS,
)


def last_drawn(view: View, told: Told) -> int:
    """Drew the last tile of the wall and won (海底捞月)."""
    return int(view.self_drawn and "last_tile" in view.flags)


ROWS = (
    Row("plain_hand", "鸡胡", "Chicken hand", product(0), any_win),
    Row("all_pungs", "碰碰胡", "All pungs", product(2), seen(patterns.four_pungs)),
    Row("full_flush", "清一色", "One suit", product(4), seen(patterns.full_flush)),
    Row("seven_pairs", "七对", "Seven pairs", product(4), seen(patterns.seven_pairs)),
    Row(
        "out_with_replacement_tile",
        "杠上开花",
        "Win on the kong replacement",
        product(1),
        flagged("after_kong"),
        True,
    ),
    Row("robbing_the_kong", "抢杠胡", "Robbing a kong", product(1), robbed, True),
    Row("last_tile_draw", "海底捞月", "Last tile drawn", product(1), last_drawn, True),
)


def _kong(key: str, zh: str, en: str, kind: MeldKind, points: int) -> KongRow:
    return KongRow(key, zh, en, kind, product(points), no_shares, TEXT)


KONG_ROWS = (
    _kong("kong_exposed", "明杠", "Exposed kong", MeldKind.EXPOSED_KONG, 3),
    _kong("kong_added", "补杠", "Added kong", MeldKind.ADDED_KONG, 1),
    _kong("kong_concealed", "暗杠", "Concealed kong", MeldKind.CONCEALED_KONG, 2),
)


def _kong_payers(kong: Kong, value: int, running: Running, options: Options) -> Mapping[Seat, int]:
    others = [seat for seat in running.playing if seat != kong.seat]
    if kong.kind is not MeldKind.EXPOSED_KONG:
        return dict.fromkeys(others, value)
    if options["exposed_payer"] == "all":
        return dict.fromkeys(others, 1)
    assert kong.source is not None
    return {kong.source: len(others)}


def _hits(valued: Valued, running: Running) -> int:
    """Horses on the winner: rank 1 5 9 the dealer, 2 6 the next, 3 7 the opposite, 4 8 the previous seat."""
    players = running.situation.players
    away = (players.index(valued.win.seat) - players.index(running.situation.dealer)) % len(players)
    return sum(tile.rank is not None and (tile.rank - 1) % 4 == away for tile in valued.told.horses)


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    win, amount = valued.win, valued.worth.total * (1 + _hits(valued, running))
    others = [seat for seat in running.playing if seat != win.seat]
    if win.by == SELF_DRAW:
        return tuple(Payment(payer, win.seat, amount, "win") for payer in others)
    assert win.source is not None
    times = len(others) if options.on("rob_pays_all") else 1
    return (Payment(win.source, win.seat, amount * times, "win"),)


def _drawn(rules: Ruleset, end: WallEnd, running: Running, options: Options) -> tuple[Payment, ...]:
    if not options.on("draw_cancels_kongs"):
        return ()
    return tuple(p for paid in running.kongs for p in reversed_payments(paid.payments, "kong_refund"))


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    return "self_draw_only" if win.by == DISCARD else None


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR, SEVEN_PAIRS) if options.on("qidui") else (REGULAR,)


def _several(options: Options) -> bool:
    return options.on("multi_win")


TUIDAOHU = Ruleset(
    base=Variant(
        "guangdong-tuidaohu",
        "广东推倒胡",
        "Guangdong, self-draw only",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=without_chows,
        multi_win=_several,
        cap=cap,
        tiles=108,
        circumstances=("after_kong", "last_tile"),
        table_flags=("passed",),
    ),
    rows=ROWS,
    combine=doubled_by_fan,
    pay=_pay,
    kong_rows=KONG_ROWS,
    kong_payers=_kong_payers,
    drawn=_drawn,
    refuses=_refuses,
    last_tile_robbed=True,
)
