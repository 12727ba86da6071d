"""The routes of one hand in play: one record in, one answer out.

Keys: `hand` (13 tiles, or 14 with the drawn one after `+`), `seen` (further visible tiles), `seat_wind`,
`round_wind` (E where absent), `within` (leave out routes further than the nearest by more; absent: all),
`options`. Other keys are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.errors import InvalidRequest, Unsupported
from rules.fields import Fields
from rules.records import refuse_wild
from rules.routes.book import book_of
from rules.routes.find import Aim, Route, find_routes
from rules.tiles import KINDS_WITHOUT_FLOWERS, Tile, counts34
from rules.variant import Variant, resolve_options

FARTHEST = 14


def answer_routes(variant: Variant, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return `minimum` and `routes`, nearest first: patterns, points, distance, what is there and what helps.

    Raises:
        RuleError: if a field is odd, the hand is none in play, or there are more copies than a set has.
    """
    fields = Fields(record)
    options = resolve_options(variant, fields.mapping("options"))
    refuse_wild(variant, fields, "which patterns a hand can reach")
    hand, seen = fields.hand("hand"), fields.tiles("seen")
    for tile in (*hand.tiles, *seen):
        if tile not in variant.kinds or tile.index >= KINDS_WITHOUT_FLOWERS:
            raise InvalidRequest(f"{tile} is no tile of a hand of {variant.key}; flowers are left out here")
    patterns = variant.routes()
    if not patterns:
        raise Unsupported(f"{variant.key} has no minimum to steer to: every complete hand wins")
    routes = find_routes(
        book_of(variant, options, patterns),
        hand,
        seat_wind=fields.seat("seat_wind", "E"),
        round_wind=fields.seat("round_wind", "E"),
        seen=counts34([*hand.tiles, *seen]),
        within=fields.integer("within", 0, FARTHEST) if fields.has("within") else None,
    )
    return {"minimum": variant.minimum(options), "routes": [_row(route) for route in routes]}


def _row(route: Route) -> dict[str, Any]:
    return {
        "patterns": [{"name": each.zh, "en": each.en, "points": each.points} for each in route.patterns],
        "points": route.points,
        "distance": route.distance,
        "sets": [_set(aim) for aim in route.aims],
        "missing": _texts(route.missing),
        "useful": {str(each.tile): each.copies for each in route.useful},
        "live": route.live,
        "spare": _texts(route.spare),
        "concealed": route.is_concealed,
        "self_drawn": route.is_self_drawn,
    }


def _set(aim: Aim) -> dict[str, Any]:
    """Return a block of a nearest hand; `locked` = it is there already, `asked` = a pattern needs it."""
    return {
        "tiles": _texts(aim.tiles),
        "held": aim.held,
        "locked": aim.is_locked,
        "melded": aim.is_melded,
        "asked": aim.is_asked,
    }


def _texts(tiles: Sequence[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]
