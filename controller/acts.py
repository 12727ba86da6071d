"""Who must act now, as (side, do): the light on the rail, and the cue of the robots."""

from __future__ import annotations

from controller.decide.confirm import still_to_confirm
from controller.decide.corrections import waiting
from controller.decide.kit import World
from controller.state import SEATS, Phase
from controller.views import ActView
from rules.seats import Seat


def acts(world: World) -> list[ActView]:
    """Return every side that must act, in play order from E.

    One side is named where one person is enough (start, lift: the dealer's), all four for loading tiles.
    """
    state = world.state
    if state.phase in (Phase.IDLE, Phase.SETTLED) and state.correction is not None:
        return _at(world, "amend", *waiting(state, state.correction))
    if state.phase in (Phase.IDLE, Phase.SETTLED) and state.over is not None and state.fault is None:
        return []
    match state.phase, state.step:
        case Phase.IDLE, _:
            return _at(world, "start", state.dealer)
        case Phase.SETTLED, _:
            if state.fault is not None:
                return _at(world, "clear", state.dealer)
            return _at(world, "start", state.upcoming[0] if state.upcoming else state.dealer)
        case Phase.BUILDING, "empty" if world.live.machine.trays == "up":
            return _at(world, "empty", *SEATS)
        case ((Phase.BUILDING | Phase.LIFTING), "load"):
            return _at(world, "load", *SEATS)
        case Phase.READY, _:
            return _at(world, "lift", state.dealer)
        case Phase.DICE, ("throw" | "ask"):
            return _at(world, "throw", state.thrower())
        case Phase.PLAYING, _ if world.live.turn is not None:
            return _at(world, "discard", world.live.turn)
        case Phase.DEALING, _:
            return _at(world, "deal", state.dealer)
        case Phase.CLAIM, "from":
            return _at(world, "from", *(seat for seat in SEATS if seat is not _claimant(world)))
        case Phase.CLAIM, "lay":
            return _at(world, "lay", _claimant(world))
        case Phase.CONFIRM, _:
            return _at(world, "confirm", *still_to_confirm(world))
        case Phase.REVIEW, _:
            return _at(world, "review", _claimant(world))
        case Phase.FAULT, _:
            return _at(world, "clear", state.dealer)
    return []


def _claimant(world: World) -> Seat:
    claim = world.state.claim
    return claim.seat if claim is not None and claim.seat is not None else world.state.dealer


def _at(world: World, do: str, *seats: Seat) -> list[ActView]:
    return [{"side": world.state.side_of(seat), "do": do} for seat in seats]
