"""What the winner says his hand is worth, beside the checked value. Source: win-procedure.md section 1."""

from __future__ import annotations

from controller.decide.claim import claim_of
from controller.decide.kit import Decision, World, asked_seat, refused
from controller.decide.settle import rejudged
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import win_options

POINTS_MOST = 100_000
"""More than any rule set gives for a hand."""


def state_points(world: World, given: TableInput) -> Decision:
    """The winner states his points; where points not stated are lost, the others are asked anew."""
    state = world.state
    if state.accused is not None:
        return refused("refuse.state_points", phase=state.phase.value)
    claim, seat = claim_of(world), asked_seat(world, given)
    if claim.kind != "win" or seat is not claim.seat:
        return refused("refuse.seat", seat=None if claim.seat is None else claim.seat.value)
    points = given.body.get("points")
    if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= POINTS_MOST:
        return refused("refuse.invalid", field="points")
    made = Decision((Fact("stated", {"seat": seat.value, "points": points, "source": given.source}),))
    loses = win_options(state)["stated_counts"] == "stated_max"
    return rejudged(world, made) if loses and state.reading is not None else made
