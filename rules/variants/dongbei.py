"""东北麻将 宝牌: declare ready, then a drawn treasure tile wins. Source: rules text dongbei-baopai.md."""

from __future__ import annotations

from dataclasses import replace

from rules import patterns
from rules.engine import Row, Ruleset, Running, Told, Valued
from rules.engine_combine import times_all
from rules.engine_patterns import seen
from rules.hand import Hand
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.packed import TERMINALS
from rules.shapes import REGULAR, Shape
from rules.situation import Win
from rules.splits import Reading
from rules.variant import Payment, Variant
from rules.variants.common import PASS_LOCK, WALL_OPTIONS, flag, integer, product
from rules.variants.ledgered import CALLS, cap, kong_points, kong_rows, paid_by_ledger
from rules.variants.treasure import (
    MOST_MELDS,
    RED,
    as_payments,
    bao_indicator,
    bao_kinds,
    check_pushed,
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

TEXT = "dongbei-baopai.md"
SEED = "002_3780e991da0cc4a4.txt"
TILES_OPTION = Option(
    "tiles",
    "choice",
    (Choice("112", "只有红中", "of the honors only red dragons"), Choice("136", "全部字牌", "all honors")),
    "112",
    "牌数",
    "Tiles played with",
    f"{TEXT} (Tile set and wall)",
)
OPTIONS = (
    TILES_OPTION,
    integer("zimo_mult", 2, 1, 100, "自摸倍数", "Factor of a self-draw", f"{TEXT} (Scoring elements)"),
    integer("bkd", 2, 1, 100, "边卡吊倍数", "Factor of an edge, closed or single wait", TEXT),
    integer("tuichu_mult", 2, 1, 100, "推出倍数", "Factor of a pushed pair", f"{TEXT} (Scoring elements)"),
    flag("must_open", False, "必须开门", "A win needs an open meld", f"{TEXT} (Legal actions)"),
    flag("win_on_discarded_bao", False, "可胡打出的宝", "A discarded treasure tile may be won", SEED),
    *kong_points(f"{TEXT} (Kong payments)"),
    integer("dead_stacks", 4, 0, 20, "留牌墩数", "Stacks left at the end of the wall", TEXT),
    integer("cap", 0, 0, 100_000, "封顶", "Most a hand is worth (0 = no limit)", f"{TEXT} (Settlement)"),
    PASS_LOCK,
    *WALL_OPTIONS,
)


def _fits(hand: Hand, reading: Reading, options: Options) -> bool:
    """A triplet or a pair of 中, a sequence, a 1, 9 or 中, two suits, four tiles standing."""
    if len(hand.melds) > MOST_MELDS or not reading.chows or suits_of(hand) < 2:
        return False
    if options.on("must_open") and not opened(hand):
        return False
    if not hand.kinds & (TERMINALS | 1 << RED):
        return False
    return has_triplet(hand, reading) or RED in reading.pair_kinds


_NORTHERN = northern_rows(_fits, product("bkd"), product("zimo_mult"))
ROWS = (
    *_NORTHERN[:3],
    replace(_NORTHERN[-1], excludes=("edge_closed_single",)),
    *_NORTHERN[3:-1],
    Row(
        "heavenly_hand",
        "天胡",
        "Heavenly hand",
        product(64),
        seen(patterns.heavenly),
        True,
        excludes=tuple(row.key for row in _NORTHERN if row.key != "plain_hand"),
    ),
)
KONG_ROWS = kong_rows(f"{TEXT} (Kong payments)")


def _pay(valued: Valued, running: Running, options: Options) -> tuple[Payment, ...]:
    """All three pay; the feeder double unless he had declared ready."""
    owed = doubled_payers(valued, running, feeder_doubled=not feeder_was_ready(valued))
    return as_payments(owed, valued.win.seat)


def _refuses(win: Win, told: Told, options: Options) -> str | None:
    if "undeclared" in win.flags:
        return "undeclared"
    if "tuichu" in win.flags:
        check_pushed(win)
    if is_discarded_bao(win, told) and not options.on("win_on_discarded_bao"):
        return "bao_discarded"
    return None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    return move.do == "declare" and not may_declare(move, _fits, options)


def _shapes(options: Options) -> tuple[Shape, ...]:
    return (REGULAR,)


def _permits(options: Options) -> frozenset[str]:
    return CALLS | {"declare"}


def _one_winner(options: Options) -> bool:
    return False


BAOPAI = Ruleset(
    base=Variant(
        "dongbei-baopai",
        "东北麻将 宝牌",
        "Northeast with the treasure tile",
        options=OPTIONS,
        fans=(),
        kongs=KONG_ROWS,
        shapes=_shapes,
        pay=paid_by_ledger,
        permits=_permits,
        multi_win=_one_winner,
        cap=cap,
        circumstances=("after_kong", "heavenly", "tuichu", "undeclared", "last_tile"),
        table_flags=("passed",),
    ),
    rows=ROWS,
    combine=times_all,
    pay=_pay,
    kong_rows=KONG_ROWS,
    refuses=_refuses,
    forbids=_forbids,
    free_win=free_win,
    tiles_of=tiles_of,
    turned=bao_kinds,
    ops={"bao_indicator": bao_indicator},
)
