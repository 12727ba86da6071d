"""Scoring one record: a hand and what a player would tell of it, in the keys of the shared MCR vectors.

Keys: `hand`, `self_draw`, `rob_kong`, `kong_replacement`, `last_tile`, `last_of_kind`, `seat_wind`,
`round_wind` (E where absent), `flowers`; beside them `options`, `flags`, `wall_left` and `from` for variants
that ask for more. The seat wind E is the dealer. Other keys are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.errors import InvalidRequest, RuleError
from rules.fields import Fields
from rules.notation import format_tiles
from rules.scoring import FLAGS, Score, Situation, Win, resolve_options, score
from rules.seats import Seat
from rules.situation import robs_a_tile_it_holds
from rules.splits import Reading
from rules.variant import ScoredElement, Variant

MAX_FLOWERS = 8


class NotWin(RuleError):
    """The hand is well formed and not complete in any shape of the variant."""

    code = "not_win"


def read_record(variant: Variant, record: Mapping[str, Any]) -> tuple[Win, Situation]:
    """Return the win and its situation.

    Raises:
        RuleError: if a field is missing, odd, or contradicts another one.
    """
    fields = Fields(record)
    hand = fields.hand("hand")
    self_draw, rob_kong = fields.flag("self_draw"), fields.flag("rob_kong")
    if self_draw and rob_kong:
        raise InvalidRequest("a robbed kong is never a self-draw")
    by = "self_draw" if self_draw else "rob_kong" if rob_kong else "discard"
    if fields.flag("last_of_kind") and hand.win_tile in hand.concealed:
        raise InvalidRequest("last_of_kind cannot be true while a copy is concealed in the hand")
    fields.seat("round_wind", "E")
    _check_flowers(variant, fields)
    flags = set(fields.words("flags", FLAGS, []))
    flags |= {"after_kong"} if fields.flag("kong_replacement") else set()
    flags |= {"last_tile"} if fields.flag("last_tile") else set()
    seat, dealer = fields.seat("seat_wind", "E"), Seat.E
    source = fields.optional_seat("from")
    if source is None and not self_draw:
        source = dealer if seat != dealer else seat.next  # nobody asked who fed it
    situation = Situation(
        dealer,
        options=resolve_options(variant, fields.mapping("options")),
        flags=frozenset(flags),
        wall_left=fields.optional_integer("wall_left", 0, variant.tiles),
    )
    win = Win(seat, hand, by, source)
    if robs_a_tile_it_holds(win):
        raise InvalidRequest("the robbed tile cannot be held elsewhere in the winning hand")
    return win, situation


def _check_flowers(variant: Variant, fields: Fields) -> None:
    flowers = fields.integer("flowers", 0, MAX_FLOWERS, 0)
    if flowers and not any(kind.is_flower for kind in variant.kinds):
        raise InvalidRequest(f"{variant.key} is played without flowers")


def answer_record(variant: Variant, record: Mapping[str, Any], *, explain: bool = False) -> dict[str, Any]:
    """Return `total`, `fan` rows and `meets_minimum` of a record.

    A complete hand that the rules refuse has `legal` (false) and `reason` too.

    Raises:
        NotWin: if the hand is not complete.
        RuleError: as `read_record`.
    """
    win, situation = read_record(variant, record)
    scored = score(variant, win, situation)
    if scored.reason == "not_win":
        raise NotWin("not a winning shape")
    meets = scored.reason != "below_minimum"
    answer: dict[str, Any] = {
        "total": scored.total,
        "fan": [_row(element, scored.reading if explain else None) for element in scored.elements],
        "meets_minimum": scored.legal and meets,
    }
    if not scored.legal and meets:
        answer |= {"legal": False, "reason": scored.reason}
    if explain:
        answer |= _explained(scored)
    return answer


def _row(element: ScoredElement, reading: Reading | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": element.zh,
        "en": element.en,
        "points": element.value,
        "count": element.count,
    }
    if reading is not None:
        row["sets"] = sets_text(reading)
    return row


def sets_text(reading: Reading) -> list[str]:
    """Return the sets and pairs of a reading as tile text; empty for a shape without sets."""
    sets = [format_tiles(each.tiles) for each in reading.sets]
    return sets + [format_tiles((pair, pair)) for pair in reading.pairs]


def _explained(scored: Score) -> dict[str, Any]:
    return {
        "not_counted": [{"name": each.zh, "why": f"{each.why} by {each.by}"} for each in scored.not_counted],
        "alt": [{element.zh: element.value * element.count for element in tie} for tie in scored.ties],
    }
