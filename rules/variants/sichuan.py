"""四川麻将 血战到底: fight to the end. Source: rules text sichuan-xuezhan.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules import patterns
from rules.engine import PaidKong, Row, Ruleset, Running, Told, Valued
from rules.engine_combine import largest_times_extras
from rules.engine_patterns import (
    any_win,
    flagged,
    four_kongs,
    robbed,
    roots,
    seen,
    single_tile_left,
    with_quad,
    without_quad,
)
from rules.engine_value import value_of
from rules.errors import InvalidWin
from rules.hand import Hand, MeldKind
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.shapes import REGULAR, SEVEN_PAIRS, Shape
from rules.situation import DISCARD, SELF_DRAW, Kong, Situation, Win
from rules.variant import KongRow, Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, WALLS108, flag, integer, product
from rules.variants.ledgered import cap, no_shares, paid_by_ledger, without_chows
from rules.variants.sichuan_drawn import pay_drawn_end
from rules.view import View

TEXT = "sichuan-xuezhan.md"
SEED = "001_3d75f89868e24d42.txt"
NO_LIMIT = 0  # of option `cap`

OPTIONS = (
    Option(
        "mode",
        "choice",
        (
            Choice("xuezhan", "血战到底", "until three have won"),
            Choice("single", "单胡", "one win ends the hand"),
        ),
        "xuezhan",
        "玩法",
        "When the hand ends",
        f"{TEXT} (Players)",
    ),
    flag("dingque", True, "定缺", "Missing suit declared", "004_1d2ea21491bcd513.txt"),
    flag("swap3", False, "换三张", "Three tiles swapped before play", f"{TEXT} (Deal)"),
    integer("zhigang", 1, 1, 100, "直杠", "Points of an exposed kong", f"{TEXT} (Kong payments)"),
    Option(
        "zimo",
        "choice",
        (
            Choice("none", "不加", "nothing more"),
            Choice("add_base", "自摸加底", "one point more"),
            Choice("double", "自摸加番", "double"),
        ),
        "none",
        "自摸",
        "Self-draw",
        f"{TEXT} (Scoring elements)",
    ),
    integer("cap", NO_LIMIT, 0, 100_000, "封顶", "Most points of a win (0 = no limit)", TEXT),
    integer("pig", 16, 0, 1000, "花猪", "Points a flower pig pays each", SEED),
    Option(
        "pig_pays",
        "choice",
        (
            Choice("all", "赔所有人", "every other player"),
            Choice("unwon", "赔未胡者", "those who have not won"),
        ),
        "all",
        "花猪赔谁",
        "Whom a flower pig pays",
        SEED,
    ),
    Option(
        "pig_def",
        "choice",
        (
            Choice("three_suits", "三门", "holds three suits"),
            Choice("que_suit", "有缺门牌", "holds a tile of the missing suit"),
        ),
        "three_suits",
        "花猪定义",
        "What a flower pig is",
        f"{TEXT} (Settlement)",
    ),
    Option(
        "dianganghua",
        "choice",
        (Choice("self_draw", "算自摸", "a self-draw"), Choice("discard", "算点炮", "the kong's feeder pays")),
        "self_draw",
        "点杠花",
        "Win on the replacement of an exposed kong",
        f"{TEXT} (Settlement)",
    ),
    flag("transfer", False, "呼叫转移", "Kong money passes on with a win on the discard after it", TEXT),
    integer("forced_last", 4, 0, 54, "末张必胡", "Last tiles on which a win must be taken", SEED),
    PASS_LOCK,
    WALLS108,
    *WALL_OPTIONS,
)


def _fed_replacement(told: Told, options: Options) -> bool:
    """Return whether the feeder of the kong pays for the win on its replacement alone."""
    return told.kong_from is not None and options["dianganghua"] == "discard"


def _self_drawn_double(view: View, told: Told) -> int:
    doubled = view.self_drawn and view.options["zimo"] == "double"
    return int(doubled and not _fed_replacement(told, view.options))


_one_suit, _pungs, _pairs = patterns.full_flush, patterns.four_pungs, patterns.seven_pairs
_twos, _ends = patterns.all_tiles_258, patterns.outside_hand
_FOUR_ROOTS = (("root", 4),)
_ONE_ROOT = (("root", 1),)
_x = product

ROWS = (
    Row("plain_hand", "平胡", "Plain hand", _x(1), any_win),
    Row("all_pungs", "对对胡", "All pungs", _x(2), seen(_pungs)),
    Row("full_flush", "清一色", "One suit", _x(4), seen(_one_suit)),
    Row("outside_hand", "带幺九", "Terminals everywhere", _x(4), seen(_ends)),
    Row("seven_pairs", "七对", "Seven pairs", _x(4), seen(_pairs)),
    Row("golden_hook", "金钩钓", "Golden hook", _x(4), seen(single_tile_left)),
    Row("full_flush_pungs", "清对", "One suit, all pungs", _x(8), seen(_one_suit, _pungs)),
    Row("pungs_258", "将对", "All pungs of 2/5/8", _x(8), seen(_pungs, _twos)),
    Row(
        "dragon_seven_pairs",
        "龙七对",
        "Dragon seven pairs",
        _x(16),
        seen(_pairs, with_quad),
        swallows=_ONE_ROOT,
    ),
    Row(
        "full_flush_seven_pairs",
        "清七对",
        "One suit, seven pairs",
        _x(16),
        seen(_one_suit, _pairs, without_quad),
    ),
    Row(
        "full_flush_outside_hand",
        "清幺九",
        "One suit, terminals everywhere",
        _x(16),
        seen(_one_suit, _ends),
    ),
    Row(
        "full_flush_golden_hook",
        "清金钩钓",
        "One suit, golden hook",
        _x(16),
        seen(_one_suit, single_tile_left),
    ),
    Row("golden_hook_258", "将金钩钓", "Golden hook of 2/5/8", _x(16), seen(_twos, _pungs, single_tile_left)),
    Row(
        "full_flush_dragon_seven_pairs",
        "清龙七对",
        "One suit, dragon seven pairs",
        _x(32),
        seen(_one_suit, _pairs, with_quad),
        swallows=_ONE_ROOT,
    ),
    Row("heavenly_hand", "天胡", "Heavenly hand", _x(32), flagged("heavenly")),
    Row("earthly_hand", "地胡", "Earthly hand", _x(32), flagged("earthly")),
    Row("eighteen_arhats", "十八罗汉", "Eighteen arhats", _x(64), seen(four_kongs), swallows=_FOUR_ROOTS),
    Row(
        "full_flush_eighteen_arhats",
        "清十八罗汉",
        "One suit, eighteen arhats",
        _x(256),
        seen(_one_suit, four_kongs),
        swallows=_FOUR_ROOTS,
    ),
    Row("root", "根", "Root", _x(2), roots, extra=True),
    Row(
        "out_with_replacement_tile",
        "杠上花",
        "Win on the kong replacement",
        _x(2),
        flagged("after_kong"),
        extra=True,
    ),
    Row(
        "kong_discard",
        "杠上炮",
        "Win on the discard after a kong",
        _x(2),
        flagged("kong_discard"),
        extra=True,
    ),
    Row("robbing_the_kong", "抢杠胡", "Robbing a kong", _x(2), robbed, extra=True),
    Row("self_drawn_double", "自摸加番", "Self-draw double", _x(2), _self_drawn_double, extra=True),
)


KONG_ROWS = (
    KongRow("kong_exposed", "直杠", "Exposed kong", MeldKind.EXPOSED_KONG, _x("zhigang"), no_shares, SEED),
    KongRow("kong_added", "面下杠", "Added kong", MeldKind.ADDED_KONG, _x(1), no_shares, SEED),
    KongRow("kong_concealed", "下雨", "Concealed kong", MeldKind.CONCEALED_KONG, _x(2), no_shares, SEED),
)


def _kong_payers(kong: Kong, value: int, running: Running, options: Options) -> Mapping[Seat, int]:
    if kong.kind is MeldKind.EXPOSED_KONG:
        assert kong.source is not None
        return {kong.source: value}
    return {seat: value for seat in running.playing if seat != kong.seat}


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    win, total = valued.win, valued.worth.total
    payers: tuple[Seat, ...]
    if win.by != SELF_DRAW:
        assert win.source is not None
        payers = (win.source,)
    elif _fed_replacement(valued.told, options):
        assert valued.told.kong_from is not None
        payers = (valued.told.kong_from,)
    else:
        payers = tuple(seat for seat in running.playing if seat != win.seat)
        total += options["zimo"] == "add_base"
    return tuple(Payment(payer, win.seat, total, "win") for payer in payers)


def _hand_on(
    wins: Sequence[Valued], running: Running, options: Options
) -> tuple[tuple[Payment, ...], Running]:
    """呼叫转移: the money of the feeder's last kong goes to the first winner of the discard after it."""
    win = wins[0].win
    if not options.on("transfer") or "kong_discard" not in running.situation.flags | win.flags:
        return (), running
    feeder = win.source
    own = [place for place, paid in enumerate(running.kongs) if paid.kong.seat == feeder]
    if feeder is None or not own or running.kongs[own[-1]].closed:
        return (), running
    players = running.situation.players
    steps = [(players.index(each.win.seat) - players.index(feeder)) % len(players) for each in wins]
    first = wins[steps.index(min(steps))].win.seat
    paid = running.kongs[own[-1]]
    amount = sum(payment.units for payment in paid.payments)
    kongs = list(running.kongs)
    kongs[own[-1]] = PaidKong(paid.kong, paid.payments, closed=True)
    return (Payment(feeder, first, amount, "kong_transfer"),), replace(running, kongs=tuple(kongs))


def _is_over(running: Running, options: Options) -> bool:
    return options["mode"] == "single" or len(running.unwon) < 2


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    """Diced anew for every hand; in single mode the feeder, the drawer, or after a drawn hand the dealer."""
    if options["mode"] != "single":
        return None
    if not wins:
        return running.situation.dealer
    return wins[0].seat if wins[0].by == SELF_DRAW else wins[0].source


def _holds_suit(hand: Hand, suit: str | None) -> bool:
    return suit is not None and any(tile.suit == suit for tile in hand.tiles)


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if len({tile.suit for tile in win.hand.tiles}) > 2:
        return "three_suits"
    if options.on("dingque") and _holds_suit(win.hand, told.que):
        return "missing_suit"
    return None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Forbid claims of the missing suit, keeping its tiles, and passing by a forced win."""
    if move.do == "pass":
        left = move.wall_left
        last = options.number("forced_last")
        return (
            left is not None and left < last and move.tile is not None and _wins(rules, move, told, options)
        )
    if not options.on("dingque") or told.que is None or move.tile is None:
        return False
    if move.do == "discard":
        return move.tile.suit != told.que and any(tile.suit == told.que for tile in move.hand.standing)
    return move.tile.suit == told.que


def _wins(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """Return whether the tile wins for the seat; a win declined before does not matter here."""
    assert move.tile is not None
    own = move.source is None
    players = Situation(move.seat, options=options).players
    source = None if own else move.source
    win = Win(move.seat, move.hand.with_win_tile(move.tile), SELF_DRAW if own else DISCARD, source)
    try:
        return value_of(rules, win, Situation(players[0], players, options), told).legal
    except InvalidWin:
        return False


def _shapes(options: Options) -> tuple[Shape, ...]:
    return REGULAR, SEVEN_PAIRS


def _several(options: Options) -> bool:
    return True


def _base(key: str, zh: str, en: str) -> Variant:
    return Variant(
        key,
        zh,
        en,
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=without_chows,
        multi_win=_several,
        cap=cap,
        tiles=108,
        circumstances=("after_kong", "kong_discard", "heavenly", "earthly", "last_tile"),
        table_flags=("passed",),
    )


XUEZHAN = Ruleset(
    base=_base("sichuan-xuezhan", "四川麻将 血战到底", "Sichuan, fight to the end"),
    rows=ROWS,
    combine=largest_times_extras,
    pay=_pay,
    kong_rows=KONG_ROWS,
    kong_payers=_kong_payers,
    after_wins=_hand_on,
    ends=_is_over,
    drawn=pay_drawn_end,
    next_dealer=_next_dealer,
    refuses=_refuses,
    forbids=_forbids,
)
