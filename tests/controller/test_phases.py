"""The phase table: every pair decides or refuses by name; docs/phases.md is its print."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.decide import COMMANDS, TABLE, World, decide
from controller.decide.diagram import page
from controller.decide.table import INPUTS
from controller.inputs import TableInput
from controller.live_values import Live
from controller.state import Phase, TableState

ROOT = Path(__file__).parents[2]
MISSING = [(phase, name) for phase in Phase for name in INPUTS if (phase, name) not in TABLE]


@pytest.mark.parametrize(("phase", "name"), MISSING)
def test_a_missing_pair_is_refused_by_name(phase: Phase, name: str) -> None:
    made = decide(World(TableState(phase=phase), Live()), TableInput(name))
    assert (made.ok, made.code, made.params, made.facts) == (
        False,
        f"refuse.{name}",
        {"phase": phase.value},
        (),
    )


def test_every_command_has_a_phase() -> None:
    assert set(INPUTS) >= COMMANDS


@pytest.mark.parametrize("name", ["stop", "clear_fault", "machine_fault", "restarted"])
def test_some_inputs_are_taken_everywhere(name: str) -> None:
    assert all((phase, name) in TABLE for phase in Phase)


def test_the_page_in_docs_is_printed_from_the_table() -> None:
    assert (ROOT / "docs" / "phases.md").read_text(encoding="utf-8") == page()
