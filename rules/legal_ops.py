"""`op` cases that every playing variant has: `legal_action` and `precedence`."""

from __future__ import annotations

from typing import Any

from rules.errors import InvalidRequest
from rules.fields import Fields, as_seat, show
from rules.legal import ACTIONS, Claim, Move, legal_action, precedence
from rules.ops import op
from rules.seats import ALL_SEATS, Seat
from rules.variant import resolve_options
from rules.variants import answering_variant

NEEDS_NO_TILE = ("pass", "show", "declare")


def players_of(case: Fields) -> tuple[Seat, ...]:
    """Return the seats that play, in play order; all four where the case does not say."""
    named = {as_seat(seat, case.name("players")) for seat in case.items("players", list("ESWN"))}
    if len(named) < 2:
        raise InvalidRequest(f"{case.name('players')}: at least two seats play")
    return tuple(seat for seat in ALL_SEATS if seat in named)


@op("legal_action")
def _legal_action(given: Fields, case: Fields) -> dict[str, Any]:
    variant = answering_variant(case.text("variant"))
    do = given.one_of("do", ACTIONS)
    move = Move(
        given.seat("seat"),
        do,
        given.hand("hand"),
        None if do in NEEDS_NO_TILE and not given.has("tile") else given.tile("tile"),
        given.optional_seat("from"),
        given.optional_integer("wall_left", 0, variant.tiles),
        given.flag("locked"),
    )
    return {"legal": legal_action(variant, move, case.mapping("options"), players_of(case))}


@op("precedence")
def _precedence(given: Fields, case: Fields) -> dict[str, Any]:
    variant = answering_variant(case.text("variant"))
    claims = []
    for claim in given.items("claims"):
        if not isinstance(claim, (list, tuple)) or len(claim) != 2 or not isinstance(claim[1], str):
            raise InvalidRequest(f"{given.name('claims')}: a claim is [seat, kind], not {show(claim)}")
        claims.append(Claim(as_seat(claim[0], given.name("claims")), claim[1]))
    options = resolve_options(variant, case.mapping("options"))
    granted = precedence(given.seat("discarder"), claims, variant.multi_win(options), players_of(case))
    return {"granted": [[claim.seat.value, claim.kind] for claim in granted]}
