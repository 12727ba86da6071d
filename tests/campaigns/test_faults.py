"""A slice of the campaign of faults: each row once, the list complete, and that its figures can fail."""

from __future__ import annotations

import json

import pytest

from firmware_bridge.faults import FAULTS
from hardware.campaigns import faults
from hardware.campaigns.__main__ import main


@pytest.mark.e2e
@pytest.mark.parametrize("row", faults.ROWS, ids=lambda row: row.name)
def test_a_fault_is_told_in_time_and_has_a_way_out(row: faults.Row) -> None:
    figures = faults.run(1, 21, rows=(row,))
    told = figures["rows"][row.name]
    assert (figures["missed"], told["shown"]) == ([], [])
    assert told["right"] == 1


def test_every_row_of_the_table_is_simulated_or_says_why_not() -> None:
    simulated = {row.code + n for row in faults.ROWS for n in range(4 if FAULTS[row.code].side else 1)}
    assert simulated | set(faults.NOT_SIMULATED) == set(FAULTS)
    assert not simulated & set(faults.NOT_SIMULATED)


@pytest.mark.e2e
@pytest.mark.parametrize(("name", "missed"), [("wrong-side", "jam: right 0"), ("late-jam", "jam: late ")])
def test_a_sabotage_is_noticed(
    name: str, missed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "ROWS", faults.ROWS[:1])
    assert main(["faults", "--n", "1", "--sabotage", name, "--json"]) == 1
    assert any(text.startswith(missed) for text in json.loads(capsys.readouterr().out)["missed"])
