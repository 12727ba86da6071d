"""From every state all motors are off in time, by whatever stops them; and what the campaign notices."""

from __future__ import annotations

import json

import pytest

from firmware_bridge import messages as m
from hardware.campaigns import stops
from hardware.campaigns.__main__ import main

# sabotage, state, what must be missed
SABOTAGES = (
    ("raw-stop", m.State.lifting, "lifting: never off or never told 2"),
    ("estop", m.State.building, "building: late 1"),
    ("heartbeat", m.State.idle, "idle: "),
    ("watchdog", m.State.idle, "idle: late 1"),
)


def test_every_state_has_a_way() -> None:
    assert set(stops.WAYS) == set(m.State)


@pytest.mark.e2e
@pytest.mark.parametrize("state", stops.WAYS, ids=lambda state: state.name)
def test_all_is_off_in_time(state: m.State) -> None:
    figures = stops.run(len(stops.FLOODS) if state == m.State.building else 1, 7, states=(state,))
    assert (figures["missed"], figures["shown"]) == ([], [])
    told = figures["states"][state.name]
    for how in stops.hows(state):
        assert told[f"{how}_most_ms"] <= stops.LIMIT_MS[how]
    if stops.WAYS[state].moves:
        assert told["silence_most_ms"] > 500  # it is the board that waits, not the host that says so
        assert told["stop_most_ms"] > 0


@pytest.mark.e2e
@pytest.mark.parametrize(("name", "state", "missed"), SABOTAGES, ids=[row[0] for row in SABOTAGES])
def test_a_sabotage_is_noticed(
    name: str,
    state: m.State,
    missed: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stops, "WAYS", {state: stops.WAYS[state]})
    assert main(["stops", "--n", "1", "--sabotage", name, "--json"]) == 1
    assert any(text.startswith(missed) for text in json.loads(capsys.readouterr().out)["missed"])
