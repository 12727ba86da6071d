"""The referee's check, where a table has one: after the players agreed, before the hand is booked.

Source: win-procedure.md section 1. A ruling in between is `rule_false_win`.
"""

from __future__ import annotations

from controller.decide import false_win
from controller.decide.confirm import still_to_confirm
from controller.decide.kit import Decision, World, refused
from controller.decide.several import after_agreement
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import waits_for_referee


def check(world: World, given: TableInput) -> Decision:
    """The referee finds the win as the players agreed, or no win at all: then it is a false win."""
    if given.role not in false_win.REFEREES:
        return refused("refuse.referee", role=given.role)
    is_good = given.body.get("ok")
    if not isinstance(is_good, bool):
        return refused("refuse.invalid", field="ok")
    if still_to_confirm(world) or not waits_for_referee(world.state):
        return refused("refuse.check_win", phase=world.state.phase.value)
    checked = Fact("checked", {"ok": is_good, "source": "referee"})
    if is_good:
        return Decision((checked, *after_agreement(world)))
    claim = world.state.claim
    assert claim is not None
    assert claim.seat is not None
    return Decision((checked, *false_win.ruled_facts(world.state, claim.seat)))
