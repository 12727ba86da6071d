"""The service mode as the brain sees it: who may enter and when, and that nothing is ordered meanwhile."""

from __future__ import annotations

import pytest

from controller.decide import COMMANDS
from controller.projections import machine_view
from controller.questions import QUESTIONS, loopback, words_of
from controller.state import Phase
from firmware_bridge import messages as m
from tests.controller.conftest import FakeTable

ON = {"on": True, "code": 1234}


def ready() -> FakeTable:
    table = FakeTable()
    table.connect()
    return table


def answers(table: FakeTable) -> dict[str, dict[str, object]]:
    return dict(machine_view(table.state, table.runtime.live)["answers"])


def test_a_technician_takes_the_machine_between_hands() -> None:
    table = ready()
    assert table.do("service", "technician", **ON).ok
    table.run(50)
    assert m.Service(True, 1234) in table.board.sent
    assert answers(table)["service"] == {"number": 1, "reason": "none"}
    assert [row.body for row in table.rows if row.kind == "machine_event"][-1]["event"] == "service"


def test_why_the_board_refused_is_told() -> None:
    table = ready()
    table.board.refusing[m.Service] = m.Reason.wrong_code
    assert table.do("service", "technician", on=True, code=1).ok
    table.run(50)
    assert answers(table)["service"] == {"number": 1, "reason": "wrong_code"}
    assert table.do("service", "technician", on=True, code=2).ok
    table.run(50)
    assert answers(table)["service"] == {"number": 2, "reason": "wrong_code"}


def test_nobody_else_and_not_during_a_hand() -> None:
    table = ready()
    assert table.do("service", **ON).code == "refuse.role"
    table.to_load()
    refused = table.do("service", "technician", **ON)
    assert (refused.code, refused.params["phase"]) == ("refuse.service", "BUILDING")
    assert table.do("lamp_test", "technician", lamps=1, run_ms=100).code == "refuse.lamp_test"
    assert not any(isinstance(each, m.Service | m.LampTest) for each in table.board.sent)
    assert table.do("service", "technician", on=False).ok, "giving it back is always right"


def test_keys_start_no_hand_in_it_and_nothing_is_ordered() -> None:
    table = ready()
    table.board.state = m.State.service
    table.board.tell(m.StateChanged(m.State.service), table.now)
    table.run(100)
    assert machine_view(table.state, table.runtime.live)["state"] == "service"
    table.board.sent.clear()
    table.key("lift_a")
    table.key("dice_1")
    assert table.do("start").code == "refuse.in_service"
    table.run(20_000)
    assert table.phase == Phase.IDLE
    assert {type(each) for each in table.board.sent} <= {m.GetStatus}
    table.board.state = m.State.idle
    table.board.tell(m.StateChanged(m.State.idle), table.now)
    table.run(100)
    table.ok("start")
    table.run(100)
    assert m.Home() in table.board.sent, "it homes first"


def test_a_hand_under_way_waits_until_the_mode_is_over() -> None:
    """Somebody switched the table off in a hand, and on again with both lift keys held."""
    table = ready()
    table.to_load()
    table.board.state = m.State.service
    table.board.tell(m.StateChanged(m.State.service), table.now)
    table.run(100)
    table.board.sent.clear()
    table.do("start")
    table.run(5_000)
    assert {type(each) for each in table.board.sent} <= {m.GetStatus}


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_every_question_reaches_the_board_in_any_phase(name: str) -> None:
    table = ready()
    table.to_load()
    question = QUESTIONS[name]
    assert table.do("ask", "technician", question=name, argument=question.most).ok
    table.run(50)
    assert question.command(question.most) in table.board.sent
    assert table.do("ask", question=name).code == "refuse.role"
    over = table.do("ask", "technician", question=name, argument=question.most + 1)
    assert over.code == "refuse.ask"
    assert "ask" in COMMANDS


def test_a_loop_back_differs_each_time_and_carries_both_extremes() -> None:
    words = [words_of(loopback(seed))["words"] for seed in range(100)]
    assert len({tuple(each) for each in words}) == 100
    assert all({0, 0xFFFFFFFF} <= set(each) for each in words)
