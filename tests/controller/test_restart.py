"""kill -9 in every phase: the same state, nothing replayed, the hand goes on or is named as interrupted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.fold import fold
from controller.state import Phase
from firmware_bridge import messages as m

QUIET = ["connect", "to_load", "to_ready", "to_dice", "to_dealing", "to_playing", "to_claim", "to_confirm"]
QUIET += ["to_review", "to_settled"]


@pytest.mark.parametrize("go", QUIET)
def test_where_nothing_moves_the_hand_goes_on(table: Any, go: str) -> None:
    getattr(table, go)()
    phase, step, sent = table.phase, table.step, len(table.board.sent)
    table.restart()
    table.run(1_000)
    table.at(phase, step)
    moves = (m.Home, m.Lift, m.Build, m.Dice)
    assert not any(isinstance(message, moves) for message in table.board.sent[sent:])
    assert table.view["fault"] is None


def test_in_claim_and_review(table: Any, look: Any) -> None:
    table.eyes.hand = [look("[555p,2] 123m 45699s EE + E", doubt=0)]
    table.to_playing()
    table.press(2)
    table.restart()
    table.at(Phase.CLAIM, "from")
    table.run(700)
    table.press(4)
    table.restart()
    table.at(Phase.CLAIM, "lay")
    table.press(2)
    table.at(Phase.CLAIM, "read")
    table.restart()
    table.run(2_000)
    table.at(Phase.REVIEW)
    table.restart()
    table.ok("correct_tile", index=0, tile="5p")
    table.at(Phase.CONFIRM)
    table.ok("confirm", seat="E")
    table.restart()
    assert table.view["confirm"] == {"E": "yes", "W": None, "N": None}
    table.ok("confirm", seat="W")
    table.ok("confirm", seat="N")
    table.restart()
    table.at(Phase.SETTLED)
    assert table.scores() == [0, 2, 0, -2]
    assert table.view["last"]["head"]
    table.ok("start")


def test_during_a_build_the_board_stops_and_a_person_goes_on(table: Any) -> None:
    table.to_load()
    table.ok("start")
    table.run(10_000)
    table.board.disconnected(table.now)
    table.board.state, table.board.latched = m.State.safe, True
    table.restart()
    table.run(1_000)
    table.at(Phase.FAULT)
    table.ok("clear_fault")
    table.run(40_000)
    table.at(Phase.READY)


def test_while_lifting_it_is_named_as_interrupted(table: Any) -> None:
    table.to_ready()
    table.ok("lift")
    table.run(500)
    table.at(Phase.LIFTING)
    table.board.disconnected(table.now)
    table.board.state = m.State.idle
    table.board.trays = m.Position.unknown
    table.restart()
    table.run(1_000)
    table.at(Phase.FAULT)
    assert table.view["fault"]["key"] == "fault.interrupted"
    table.ok("clear_fault")
    table.run(8_000)
    table.at(Phase.DICE, "throw")


def test_a_build_that_ended_while_the_service_was_away(table: Any) -> None:
    table.to_load()
    table.ok("start")
    table.run(10_000)
    table.board.disconnected(table.now)
    table.board._built()
    table.restart()
    table.run(1_000)
    table.at(Phase.READY)


def test_dice_that_were_spinning_are_thrown_again(table: Any) -> None:
    table.to_dice()
    table.ok("throw")
    table.at(Phase.DICE, "spin")
    table.restart()
    table.run(500)
    table.at(Phase.DICE, "throw")
    assert table.view["notices"][-1]["code"] == "dice.again"


def test_changed_options_keep_the_game_until_a_new_one_is_asked_for(table: Any) -> None:
    table.to_settled()
    scores, agreed = table.scores(), dict(table.state.table.options)
    table.options = {"opening": "own_wall_sum"}
    table.restart()
    assert (table.scores(), dict(table.state.table.options)) == (scores, agreed)
    assert table.view["notices"] == [{"code": "options.differ", "params": {"options": "opening"}}]
    assert table.do("new_game").code == "refuse.role"
    assert table.do("new_game", role="owner").ok
    table.at(Phase.IDLE)
    assert (table.scores(), table.state.table.options["opening"]) == ([0] * 4, "own_wall_sum")
    table.to_load()
    assert table.do("new_game", role="owner").code == "refuse.new_game"


def test_an_option_of_another_version_is_no_difference(table: Any) -> None:
    table.to_settled()
    scores = table.scores()
    body = dict(table.rows[0].body)
    options = {**body["options"], "old": 1}
    options.pop("opening")
    table.rows[0] = replace(table.rows[0], body={**body, "options": options})
    table.runtime.state = fold(table.rows)
    table.restart()
    assert (table.scores(), table.view["notices"]) == (scores, [])


def test_a_fault_survives(table: Any) -> None:
    table.to_load()
    table.board.fail(303, 3, table.now)
    table.run(100)
    table.restart()
    table.run(1_000)
    table.at(Phase.FAULT)
    table.ok("clear_fault")
    table.run(10_000)
    table.at(Phase.BUILDING, "load")


def test_a_fault_that_the_board_has_cleared_already_can_be_cleared(table: Any) -> None:
    """The service died between the board's clearing and the row that tells of it."""
    table.to_load()
    table.ok("start")
    table.run(10_000)
    table.board.fail(303, 3, table.now)
    table.run(500)
    table.at(Phase.FAULT)
    table.board.disconnected(table.now)
    table.board.state, table.board.latched, table.board.fault = m.State.idle, False, 0
    table.restart()
    table.run(2_000)
    table.at(Phase.FAULT)
    table.ok("clear_fault")
    table.run(40_000)
    table.at(Phase.READY)
