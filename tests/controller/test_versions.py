"""A command that tells which state it was decided on: refused once that is no more, unless it commutes."""

from __future__ import annotations

from collections.abc import Callable

from controller.decide.table import COMMANDS
from controller.effects import Answer
from controller.facts import KINDS
from controller.inputs import PageCommand
from controller.state import Phase
from controller.versions import ANY_VERSION, COMMUTING, STALE
from controller.web.commands import COMMANDS as ROWS
from tests.controller.conftest import FakeTable


def ask(table: FakeTable, name: str, based_on: int | None, **body: object) -> Answer:
    table.feed(PageCommand("", name, body, "player", "", based_on))
    return table.answers[""]


def test_two_who_agree_to_the_same_result_are_both_heard(table: FakeTable) -> None:
    table.to_confirm()
    seen = table.state.seq
    assert ask(table, "confirm", seen, seat="E").ok
    assert table.state.seq > seen
    assert ask(table, "confirm", seen, seat="W").ok


def test_nobody_agrees_to_a_result_that_was_disputed_and_corrected_since(table: FakeTable) -> None:
    table.to_confirm()
    seen = table.state.seq
    table.ok("dispute", seat="N")
    table.ok("correct", hand="[555p,2] 123m 456s 99s EE + E")
    table.at(Phase.CONFIRM)
    rows = table.state.seq
    late = ask(table, "confirm", seen, seat="E")
    assert (late.ok, late.code, late.seq) == (False, STALE, rows)
    assert table.state.seq == rows
    assert ask(table, "confirm", rows, seat="E").ok


def test_what_is_not_said_or_does_not_matter_is_never_stale(table: FakeTable) -> None:
    table.to_playing()
    assert ask(table, "claim", 1, seat="S", by="self_draw").ok, "seats claim at the same moment"
    assert ask(table, "void", 1, reason="x").code == STALE
    assert ask(table, "stop", 1).ok
    assert ask(table, "void", None, reason="x").ok


def test_a_state_that_never_was_is_not_this_one(table: FakeTable) -> None:
    table.to_playing()
    assert ask(table, "void", table.state.seq + 1, reason="x").code == STALE
    assert ask(table, "void", -1, reason="x").code == STALE


def test_the_lists_name_what_there_is(make_table: Callable[..., FakeTable]) -> None:
    assert {*COMMANDS, "rename"} >= ANY_VERSION
    assert set(KINDS) >= COMMUTING
    assert "stop" in ANY_VERSION
    for row in ROWS:
        assert "state_version" in row.body.model_fields
