"""哈尔滨麻将, and what the Northeast commonly asks of a hand. Source: rules text harbin.md."""

from __future__ import annotations

from rules.engine import Ruleset, Running, Told, Valued
from rules.engine_combine import times_all
from rules.errors import InvalidOption
from rules.hand import Hand
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.packed import HONORS, TERMINALS
from rules.shapes import REGULAR, Shape
from rules.situation import Win
from rules.splits import Reading
from rules.variant import Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, flag, integer, product
from rules.variants.dongbei import TILES_OPTION
from rules.variants.ledgered import CALLS, cap, kong_points, kong_rows, paid_by_ledger
from rules.variants.treasure import (
    MOST_MELDS,
    RED,
    as_payments,
    bao_indicator,
    bao_kinds,
    doubled_payers,
    feeder_was_ready,
    free_win,
    has_triplet,
    is_discarded_bao,
    may_declare,
    northern_rows,
    opened,
    suits_of,
    tiles_of,
)

TEXT = "harbin.md"
SEED = "004_1d2ea21491bcd513.txt"
OPTIONS = (
    Option(
        "profile",
        "choice",
        (Choice("harbin", "哈尔滨", "Harbin"), Choice("common", "东北通行", "the Northeast in common")),
        "harbin",
        "规则",
        "What a hand needs",
        f"{TEXT} (Win shapes)",
    ),
    TILES_OPTION,
    flag("bao", False, "宝牌", "Treasure tile", f"{TEXT} (Tile set and wall)"),
    flag("declare_ready", False, "报听", "No win without declaring ready", f"{TEXT} (Legal actions)"),
    flag("must_open", True, "必须开门", "A win needs an open meld", SEED),
    flag("honors_are_terminals", False, "字牌当幺", "Any honor serves as terminal (profile common)", TEXT),
    *kong_points(f"{TEXT} (Kong payments)"),
    flag("feeder_pays_all", False, "点炮包三家", "The feeder pays for all", f"{TEXT} (Settlement)"),
    integer("cap", 0, 0, 100_000, "封顶", "Most a hand is worth (0 = no limit)", f"{TEXT} (Settlement)"),
    PASS_LOCK,
    *WALL_OPTIONS,
)


def _fits(hand: Hand, reading: Reading, options: Options) -> bool:
    """Four tiles standing, a call, suits, a terminal; in Harbin a triplet too."""
    if len(hand.melds) > MOST_MELDS or (options.on("must_open") and not opened(hand)):
        return False
    if options["profile"] == "common":
        terminals = TERMINALS | (HONORS if options.on("honors_are_terminals") else 0)
        return suits_of(hand) == 3 and hand.kinds & terminals != 0
    terminals = TERMINALS | 1 << RED
    return suits_of(hand) >= 2 and hand.kinds & terminals != 0 and has_triplet(hand, reading)


_PUSHED = "pushed_pair"
ROWS = tuple(row for row in northern_rows(_fits, product(2), product(2)) if row.key != _PUSHED)
KONG_ROWS = kong_rows(f"{TEXT} (Kong payments)")


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    """All three pay, the feeder double unless he had declared ready; or the feeder for all."""
    win = valued.win
    doubled = not options.on("declare_ready") or not feeder_was_ready(valued)
    owed = doubled_payers(valued, running, feeder_doubled=doubled)
    if win.source is not None and options.on("feeder_pays_all"):
        owed = ((win.source, sum(amount for _, amount in owed)),)
    return as_payments(owed, win.seat)


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if options.on("bao") and not options.on("declare_ready"):
        raise InvalidOption("option bao (宝牌) needs declare_ready (报听) on")
    if options.on("declare_ready") and "undeclared" in win.flags:
        return "undeclared"
    return "bao_discarded" if options.on("bao") and is_discarded_bao(win, told) else None


def _free_win(win: Win, told: Told, options: Options) -> bool:
    return options.on("bao") and free_win(win, told, options)


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    return move.do == "declare" and not may_declare(move, _fits, options)


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR,)


def _permits(options: Options) -> frozenset[str]:
    return CALLS | {"declare"} if options.on("declare_ready") else CALLS


def _one_winner(options: Options) -> bool:
    return False


HARBIN = Ruleset(
    base=Variant(
        "harbin",
        "哈尔滨麻将",
        "Harbin",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_one_winner,
        cap=cap,
        circumstances=("after_kong", "undeclared", "last_tile"),
        table_flags=("passed",),
    ),
    rows=ROWS,
    combine=times_all,
    pay=_pay,
    kong_rows=KONG_ROWS,
    refuses=_refuses,
    forbids=_forbids,
    free_win=_free_win,
    tiles_of=tiles_of,
    turned=bao_kinds,
    ops={"bao_indicator": bao_indicator},
)
