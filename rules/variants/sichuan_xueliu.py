"""四川麻将 血流成河: everyone keeps winning until the wall is empty. Source: rules text sichuan-xueliu.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.engine import Row, Ruleset, Running, Told
from rules.engine_waits import KONG_MOVES, keeps_waits
from rules.legal import Move
from rules.options import Choice, Option, Options
from rules.seats import Seat
from rules.situation import Win
from rules.variants.common import flag
from rules.variants.sichuan import OPTIONS, ROWS, XUEZHAN
from rules.view import View

TEXT = "sichuan-xueliu.md"

_OPTIONS = (
    *(option for option in OPTIONS if option.key != "mode"),
    Option(
        "dealer_next",
        "choice",
        (Choice("dice", "掷骰", "dice"), Choice("first_winner", "先胡者", "who won first")),
        "dice",
        "下局庄家",
        "Dealer of the next hand",
        f"{TEXT} (Players)",
    ),
    flag(
        "kong_after_win", True, "胡后可杠", "Kongs that keep the waits after a win", f"{TEXT} (Legal actions)"
    ),
    flag("dajiao_to_won", True, "大叫赔已胡", "Winners count as ready at the end", f"{TEXT} (Settlement)"),
    flag("heavenly", False, "天胡地胡", "Heavenly and earthly hand", f"{TEXT} (Win shapes)"),
)


def _where_agreed(row: Row) -> Row:
    """天胡 and 地胡 count only where the table plays with them."""
    counts = row.counts

    def agreed(view: View, told: Told) -> int:
        return counts(view, told) if view.options.on("heavenly") else 0

    return replace(row, counts=agreed) if row.key in ("heavenly_hand", "earthly_hand") else row


def _never_over(running: Running, options: Options) -> bool:
    return False


def _next_dealer(wins: Sequence[Win], running: Running, options: Options) -> Seat | None:
    return running.won[0] if running.won and options["dealer_next"] == "first_winner" else None


def _forbids(rules: Ruleset, move: Move, told: Told, options: Options) -> bool:
    """A frozen hand may make a kong only if its waits stay the same."""
    if XUEZHAN.forbids(rules, move, told, options):
        return True
    if not move.locked or move.do not in KONG_MOVES:
        return False
    return not options.on("kong_after_win") or move.tile is None or not keeps_waits(rules, move, options)


XUELIU = replace(
    XUEZHAN,
    base=replace(
        XUEZHAN.base,
        key="sichuan-xueliu",
        zh="四川麻将 血流成河",
        en="Sichuan, everyone keeps winning",
        options=_OPTIONS,
    ),
    rows=tuple(_where_agreed(row) for row in ROWS),
    ends=_never_over,
    next_dealer=_next_dealer,
    forbids=_forbids,
    winners_stay=True,
    kongs_when_locked=True,
)
