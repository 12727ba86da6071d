"""The service mode as the brain sees it: who may enter and when, and that nothing is ordered meanwhile."""

from __future__ import annotations

import io
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from controller.bits import SERVICE_CODE_MOST
from controller.cli import diag_service
from controller.cli.diag_desk import Ask
from controller.decide import COMMANDS
from controller.diag import DiagError, serving
from controller.fold import fold
from controller.projections import machine_view
from controller.questions import QUESTIONS, loopback, words_of
from controller.state import Phase
from controller.web.commands import Service
from firmware_bridge import messages as m
from tests.controller.conftest import FakeTable

ON = {"on": True, "code": 1234}
OPTIONS = asdict(Ask())


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
    table.run(3_000)
    assert told(table) == [True], "STATUS says it again and again"
    assert table.do("service", "technician", on=False).ok
    table.run(3_000)
    assert told(table) == [True, False]


def told(table: FakeTable) -> list[bool]:
    """Return what the ledger says of the service mode."""
    return [row.body["on"] for row in table.rows if row.body.get("event") == "service"]


def test_both_lift_keys_at_power_up_are_told_too() -> None:
    table = FakeTable()
    table.board.state = m.State.service
    table.connect()
    assert told(table) == [True]
    assert fold(table.rows).phase == Phase.IDLE


def test_why_the_board_refused_is_told() -> None:
    table = ready()
    table.board.refusing[m.Service] = m.Reason.wrong_code
    assert table.do("service", "technician", on=True, code=1).ok
    table.run(50)
    assert answers(table)["service"] == {"number": 1, "reason": "wrong_code"}
    assert table.do("service", "technician", on=True, code=2).ok
    table.run(50)
    assert answers(table)["service"] == {"number": 2, "reason": "wrong_code"}
    table.run(3_000)
    assert told(table) == []


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
    assert table.do("start").code == "refuse.in_service"
    table.run(5_000)
    over(table)
    assert not moved(table)
    table.ok("clear_fault")
    table.run(4_000)
    assert m.Home() in table.board.sent, "positions first, and only once a person said so"


def over(table: FakeTable) -> None:
    """The mode ends; positions are not known then."""
    table.board.state, table.board.homed = m.State.idle, False
    table.board.tell(m.StateChanged(m.State.idle), table.now)
    table.run(20_000)


def moved(table: FakeTable) -> list[object]:
    return [each for each in table.board.sent if isinstance(each, m.Home | m.Lift | m.Build | m.Dice)]


@pytest.mark.parametrize(
    ("go", "sets", "command"),
    [
        ("connect", 1, "start"),
        ("to_load", 1, "start"),
        ("to_ready", 1, "lift"),
        ("to_load_beside", 2, "start"),
        ("to_dice", 1, "throw"),
        ("to_settled", 1, "start"),
    ],
)
def test_nothing_that_is_asked_for_in_it_moves_when_it_ends(go: str, sets: int, command: str) -> None:
    table = FakeTable(sets=sets)
    table.connect()
    if go == "to_load_beside":
        table.to_ready()
        table.ok("lift")
        table.run(8_000)
        table.at(Phase.LIFTING, "load")
    elif go != "connect":
        getattr(table, go)()
    table.board.state, table.board.homed = m.State.service, False
    table.board.tell(m.StateChanged(m.State.service), table.now)
    table.run(2_000)
    table.board.sent.clear()
    before = (table.phase, table.step)
    assert table.do(command).code == "refuse.in_service"
    assert (table.phase, table.step) == before
    table.run(2_000)
    over(table)
    assert not moved(table)


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_every_question_reaches_the_board_in_any_phase(name: str) -> None:
    table = ready()
    table.to_load()
    question = QUESTIONS[name]
    if name == "selftest":  # as the command of that name
        held = table.do("ask", "technician", question=name)
        assert held.code == table.do("selftest", "technician").code == "refuse.selftest"
        table.ok("void", reason="test")
        table.run(4_000)
    assert table.do("ask", "technician", question=name, argument=question.most).ok
    table.run(50)
    assert question.command(question.most) in table.board.sent
    assert table.do("ask", question=name).code == "refuse.role"
    over = table.do("ask", "technician", question=name, argument=question.most + 1)
    assert over.code == "refuse.ask"
    assert "ask" in COMMANDS


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1", 1),
        ("9999\n", 9_999),
        ("0", "bad_code"),
        ("10000", "bad_code"),
        ("99999999", "bad_code"),
        ("-1", "bad_code"),
        ("²", "bad_code"),
        ("", "bad_code"),
    ],
)
def test_a_code_that_is_typed_is_bounded(
    monkeypatch: pytest.MonkeyPatch, typed: str, says: int | str
) -> None:
    terminal = io.StringIO(typed)
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdin", terminal)
    if isinstance(says, int):
        assert diag_service._code(None, Ask()) == says
        return
    with pytest.raises(DiagError) as refused:
        diag_service._code(None, Ask())
    assert refused.value.code == says


class Answering:
    """A desk whose board is in a state, and refuses or takes orders."""

    kind, place = "board", "/dev/somewhere"

    def __init__(self, state: str, reason: str = "none") -> None:
        self.state, self.reason = state, reason
        self.orders: list[object] = []

    def status(self) -> SimpleNamespace:
        return SimpleNamespace(state=self.state)

    def order(self, message: object) -> str:
        self.orders.append(message)
        return self.reason


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("estop", "latched"), ("stopped", "latched"), ("fault", "latched"), ("safe", "latched"),
        ("building", "busy"), ("paused", "busy"), ("in_play", "busy"), ("lifting", "busy"),
        ("homing", "busy"),
    ],
)  # fmt: skip
def test_what_the_machine_does_is_looked_at_before_the_code(state: str, says: str) -> None:
    """As the service does, which does not know the code: so both answer the same."""
    desk: Any = Answering(state, "wrong_code")
    with pytest.raises(DiagError) as refused:
        serving.enter(desk, lambda: pytest.fail("nobody is asked for the code"))
    assert (refused.value.code, desk.orders) == (says, [])


@pytest.mark.parametrize("state", ["idle", "loading", "ready", "service"])
def test_at_rest_the_board_judges_the_code(state: str) -> None:
    desk: Any = Answering(state)
    assert serving.enter(desk, lambda: 77) is (state == "service")
    assert desk.orders == [m.Service(True, 77)]
    wrong: Any = Answering(state, "wrong_code")
    with pytest.raises(DiagError) as refused:
        serving.enter(wrong, lambda: 78)
    assert refused.value.code == "wrong_code"


@pytest.mark.parametrize(("state", "says"), [("service", "out of service mode"), ("ready", "it was not in")])
def test_leaving_tells_whether_there_was_anything_to_leave(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], state: str, says: str
) -> None:
    desk = Answering(state)
    monkeypatch.setattr(Ask, "desk", lambda ask: nullcontext(desk))
    for as_json in (False, True):
        ask = {**OPTIONS, "as_json": as_json}
        diag_service.service(switch=diag_service.Switch.OFF, code=None, **ask)
    text, told = capsys.readouterr().out.splitlines()
    assert says in text
    assert json.loads(told) == {
        "source": "board", "place": "/dev/somewhere", "service": False, "was_on": state == "service",
    }  # fmt: skip
    assert desk.orders == [m.Service(False, 0)] * 2, "said in any case: the board may have changed since"


def test_no_lamp_is_named_that_does_not_light(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Answering("building", "busy")
    monkeypatch.setattr(Ask, "desk", lambda ask: nullcontext(desk))
    with pytest.raises(DiagError):
        diag_service.lamps(**OPTIONS)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("code", "fits"), [(0, True), (9_999, True), (10_000, False), (-1, False)])
def test_a_page_is_held_to_the_same_bound(code: int, fits: bool) -> None:
    if fits:
        assert Service(on=True, code=code).code == code
        return
    with pytest.raises(ValidationError):
        Service(on=True, code=code)


def test_the_board_keeps_no_other_code() -> None:
    rows = files("hardware").joinpath("firmware/core/config.c").read_text("utf-8")
    assert f"FIELD(service_code, 0, {SERVICE_CODE_MOST}," in rows


def test_a_loop_back_differs_each_time_and_carries_both_extremes() -> None:
    words = [words_of(loopback(seed))["words"] for seed in range(100)]
    assert len({tuple(each) for each in words}) == 100
    assert all({0, 0xFFFFFFFF} <= set(each) for each in words)
