"""Why a win is worth what it is, for the pages: worked out again from what its fact holds, never stored.

A fact keeps what was agreed (names, worth, total) and what that depends on; the sets behind each element and
what is not counted follow from it by the rules. Where the rules of today would count another list than the
fact holds, the fact stands and is shown without its reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from controller.state import SEATS, Around, ClaimState, LastHand, ReadingState, TableInfo, TableState
from controller.views import ElementView, NotCountedView, Number
from rules.errors import RuleError
from rules.explain import explain
from rules.notation import parse_hand
from rules.scoring import Situation, Win, resolve_options
from rules.seats import Seat
from rules.tiles import Tile
from rules.uncounted import reason_text
from rules.variant import Score
from rules.variants import get_variant

Elements = Iterable[tuple[str, str, str, int]]
Row = tuple[str, str, str, int, int]


@dataclass(frozen=True, slots=True)
class Explained:
    """A result as the pages show it; `without_flowers` is what the minimum asks for, None if not known."""

    elements: list[ElementView]
    not_counted: list[NotCountedView]
    minimum: Number
    without_flowers: Number | None


def of_claim(state: TableState, flowers: tuple[str, ...]) -> Explained:
    """Return the result of the claim that is going on."""
    assert state.result is not None
    claim, reading = state.claim, state.reading
    scored = None if claim is None or reading is None else _of_claim(state, claim, reading, flowers)
    return _explained(state.table, state.result.elements, state.result.total, scored)


def _of_claim(
    state: TableState, claim: ClaimState, reading: ReadingState, flowers: tuple[str, ...]
) -> Score | None:
    around = Around(state.dealer, state.round_wind, claim.flags, flowers)
    return _scored(state.table, reading.hand, claim.seat, claim.by, claim.from_seat, around)


def of_last(table: TableInfo | None, last: LastHand) -> Explained:
    """Return the result of a settled hand."""
    scored = _scored(table, last.hand_text, last.seat, last.by, last.from_seat, last.around)
    return _explained(table, last.elements, last.total, scored)


def grouped(elements: Elements) -> list[Row]:
    """Return elements with how often each counts: a fact repeats the row of one that counts twice."""
    rows: dict[tuple[str, str, str, int], int] = {}
    for element in elements:
        rows[element] = rows.get(element, 0) + 1
    return [(*element, count) for element, count in rows.items()]


def _explained(table: TableInfo | None, elements: Elements, total: int, scored: Score | None) -> Explained:
    rows = grouped(elements)
    again: list[Row] = []
    if scored is not None:
        again = [(each.key, each.zh, each.en, each.value, each.count) for each in scored.elements]
    is_same = scored is not None and rows == again and total == scored.total
    if scored is None or not is_same:
        return Explained([_shown(row) for row in rows], [], _minimum(table), None)
    shown = [_shown(row, each.sets, each.is_whole) for row, each in zip(rows, scored.elements, strict=True)]
    not_counted: list[NotCountedView] = [
        {
            "key": each.key,
            "zh": each.zh,
            "en": each.en,
            "count": each.count,
            "why_zh": reason_text(each, "zh"),
            "why_en": reason_text(each, "en"),
        }
        for each in scored.not_counted
    ]
    return Explained(shown, not_counted, _minimum(table), scored.minimum_total)


def _shown(row: Row, sets: Iterable[str] = (), is_whole: bool = False) -> ElementView:
    key, zh, en, value, count = row
    return {
        "key": key,
        "zh": zh,
        "en": en,
        "value": value,
        "count": count,
        "sets": list(sets),
        "is_whole": is_whole,
    }


def _minimum(table: TableInfo | None) -> int:
    """Return the fewest points that win, flowers left out; 0 = any, or rules that have changed since."""
    if table is None:
        return 0
    variant = get_variant(table.variant)
    try:
        return variant.minimum(resolve_options(variant, table.options))
    except RuleError:
        return 0


def _scored(
    table: TableInfo | None,
    hand: str | None,
    seat: Seat | None,
    by: str | None,
    payer: Seat | None,
    around: Around | None,
) -> Score | None:
    if table is None or hand is None or seat is None or around is None:
        return None
    options = json.dumps(dict(table.options), sort_keys=True)
    return _cached(table.variant, options, hand, seat, by or "discard", payer, around)


@lru_cache(maxsize=64)
def _cached(
    variant: str, options: str, hand: str, seat: Seat, by: str, payer: Seat | None, around: Around
) -> Score | None:
    """Return the explained score; pages ask for the same one many times. None = the rules refuse to look."""
    flowers = tuple(Tile.parse(tile) for tile in around.flowers)
    try:
        win = Win(seat, parse_hand(hand), by, payer, flowers=len(flowers), flower_tiles=flowers)
        now = Situation(
            around.dealer, SEATS, json.loads(options), frozenset(around.flags), round_wind=around.round_wind
        )
        return explain(get_variant(variant), win, now)
    except RuleError:
        return None
