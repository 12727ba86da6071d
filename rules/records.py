"""Scoring one record: a hand and what a player would tell of it, in the keys of the shared MCR vectors.

Keys: `hand`, `self_draw`, `rob_kong`, `kong_replacement`, `last_tile`, `last_of_kind`, `seat_wind`,
`round_wind` (E where absent), `flowers` (a number, or the tiles laid aside such as "ae"); beside them
`options`, `flags`, `wall_left`, `from` and `wild` (tiles: the kinds that stand for others in this hand) for
variants that ask for more. The seat wind E is the dealer. Other keys are left alone here; the command line
refuses those that are nearly one of these (`rules.keys`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.errors import InvalidRequest, RuleError, Unsupported
from rules.explain import explain as explained
from rules.fields import Fields
from rules.hand import Hand
from rules.notation import format_tiles
from rules.ready import waits
from rules.scoring import FLAGS, Score, Situation, Win, resolve_options, score
from rules.seats import Seat
from rules.set_texts import sets_text
from rules.splits import Reading
from rules.tiles import Tile
from rules.uncounted import reason_text
from rules.variant import NotCounted, ScoredElement, Variant

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
    flowers, named = fields.flowers("flowers", MAX_FLOWERS)
    if flowers and not any(kind.is_flower for kind in variant.kinds):
        raise InvalidRequest(f"{variant.key} is played without flowers")
    flags = set(fields.words("flags", FLAGS, []))
    flags |= {"after_kong"} if fields.flag("kong_replacement") else set()
    flags |= {"last_tile"} if fields.flag("last_tile") else set()
    flags |= {"last_of_kind"} if fields.flag("last_of_kind") else set()
    seat, dealer = _wind(fields, "seat_wind"), Seat.E
    source = fields.optional_seat("from")
    if source is None and not self_draw:
        source = dealer if seat != dealer else seat.next  # nobody asked who fed it
    situation = Situation(
        dealer,
        options=resolve_options(variant, fields.mapping("options")),
        flags=frozenset(flags),
        wall_left=fields.optional_integer("wall_left", 0, variant.tiles),
        round_wind=_wind(fields, "round_wind"),
        wild=wild_tiles(variant, fields),
    )
    return Win(seat, hand, by, source, flowers=flowers, flower_tiles=named), situation


def _wind(fields: Fields, key: str) -> Seat:
    """Return the wind of a field, E where it is absent; small letters are named as what is wrong."""
    if fields.text(key, "E") in ("e", "s", "w", "n"):
        raise InvalidRequest(f"{fields.name(key)}: winds are capital letters E, S, W or N")
    return fields.seat(key, "E")


def wild_tiles(variant: Variant, fields: Fields) -> tuple[Tile, ...]:
    """Return the kinds that a record names as wild.

    Raises:
        InvalidRequest: if the variant is played without such tiles, or one of them is a flower.
    """
    wild = fields.tiles("wild")
    if wild and variant.wild is None:
        raise InvalidRequest(f"{variant.key} is played without wild tiles")
    if any(tile.is_flower for tile in wild):
        raise InvalidRequest(f"{fields.name('wild')}: a flower is never wild")
    return wild


def refuse_wild(variant: Variant, fields: Fields, question: str) -> None:
    """Raise Unsupported for a question that is not worked out where the hand is played with wild tiles."""
    options = resolve_options(variant, fields.mapping("options"))
    if wild_tiles(variant, fields) or (variant.wild is not None and options.on("wilds")):
        raise Unsupported(f"{question} is not worked out with wild tiles: leave wild and wilds out")


def answer_record(variant: Variant, record: Mapping[str, Any], *, explain: bool = False) -> dict[str, Any]:
    """Return `total`, `fan` rows and `meets_minimum` of a record.

    A complete hand that the rules refuse has `legal` (false) and `reason` too; one below the minimum keeps
    its total and its rows.

    Raises:
        NotWin: if the hand is not complete.
        RuleError: as `read_record`.
    """
    win, situation = read_record(variant, record)
    scored = (explained if explain else score)(variant, win, situation)
    if scored.reason == "not_win":
        raise NotWin(f"no winning shape: {_what_is_missing(variant, win.hand, situation)}")
    answer: dict[str, Any] = {
        "total": scored.total,
        "fan": [_row(element, scored.reading if explain else None) for element in scored.elements],
        "meets_minimum": scored.legal,
    }
    if not scored.legal:
        answer |= {"legal": False, "reason": scored.reason}
    if explain:
        answer |= _explained(scored, win.hand.win_tile) | {
            "minimum": variant.minimum(resolve_options(variant, situation.options))
        }
    return answer


def _what_is_missing(variant: Variant, hand: Hand, situation: Situation) -> str:
    """Return what the hand waited for, or which shape it is nearest to and how many tiles it lacks."""
    options = resolve_options(variant, situation.options)
    possible = [shape for shape in variant.shapes(options) if shape.allows(hand.melds)]
    wild = 0 if variant.wild is None else variant.wild(situation, options)
    if wild & hand.kinds:
        return "wherever its wild tiles stand"
    waiting = waits(hand, possible)
    if waiting:
        return f"the hand waits for {' '.join(map(str, waiting))}, not for {hand.win_tile}"
    lacks = {shape: shape.distance(hand.counts, len(hand.melds)) for shape in possible}
    nearest = min(possible, key=lambda shape: lacks[shape])
    number = lacks[nearest]
    names = " or ".join(f"{shape.zh} {shape.en}" for shape in possible if lacks[shape] == number)
    return f"{number} {'tile' if number == 1 else 'tiles'} short of the nearest shape: {names}"


def _row(element: ScoredElement, reading: Reading | None) -> dict[str, Any]:
    """Return one element; with a reading also the sets behind it, all of them for the whole hand."""
    row: dict[str, Any] = {
        "name": element.zh,
        "en": element.en,
        "points": element.value,
        "count": element.count,
    }
    if reading is not None:
        row["sets"] = sets_text(reading) if element.is_whole else list(element.sets)
    return row


def _sets_left(each: NotCounted, win: Tile | None) -> list[str]:
    """Return the sets of what is not counted; of a wait the set it completed, not the other waits."""
    if each.why != "not_only_wait" or win is None:
        return list(each.sets)
    if each.key == "single_wait" or win.rank is None:
        return [format_tiles((win, win))]
    low = {"closed_wait": win.rank - 1, "edge_wait": 1 if win.rank == 3 else 7}.get(each.key)
    return [] if low is None else [f"{low}{low + 1}{low + 2}{win.suit}"]


def _explained(scored: Score, win: Tile | None) -> dict[str, Any]:
    return {
        "not_counted": [
            {
                "name": each.zh,
                "en": each.en,
                "why": reason_text(each, "zh"),
                "why_en": reason_text(each, "en"),
                "count": each.count,
                "sets": _sets_left(each, win),
            }
            for each in scored.not_counted
        ],
        "alt": [{element.zh: element.value * element.count for element in tie} for tie in scored.ties],
        "total_without_flowers": scored.minimum_total,
        "reading": [] if scored.reading is None else sets_text(scored.reading),
    }
