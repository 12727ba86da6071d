"""Deadlines as the pages are told of them: by a steady clock, for whom, and what follows. Nothing ticks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.live_values import Live
from controller.projections import state_view
from controller.state import Phase
from controller.timers import as_of


def timers(table: Any) -> list[dict[str, Any]]:
    return list(table.view["time"]["timers"])


def test_the_deal_ends_by_itself(table: Any) -> None:
    table.to_dealing()
    (timer,) = timers(table)
    assert {key: timer[key] for key in ("what", "of_ms", "seats", "then")} == {
        "what": "deal",
        "of_ms": 90_000,
        "seats": ["E"],
        "then": "play",
    }
    table.run(timer["at_ms"] - table.now - 1)
    table.at(Phase.DEALING)
    table.run(2)
    table.at(Phase.PLAYING)
    assert timers(table) == []


def test_the_claim_window_is_told_to_those_who_may_still_call(table: Any) -> None:
    table.to_claim()
    (timer,) = timers(table)
    assert (timer["what"], timer["seats"], timer["then"]) == ("claim_window", ["E", "W", "N"], "late")
    table.ok("answer_from", seat="N")
    assert timers(table) == [{**timer, "seats": ["E", "W"]}]  # the same deadline, whatever else is said
    table.run(timer["at_ms"] - table.now)
    assert timers(table) == []
    assert not table.runtime.live.claims_open


def test_a_clock_that_is_called_warns_and_notes(table: Any) -> None:
    table.to_playing()
    assert table.do("stop_clock").code == "refuse.stop_clock"
    table.ok("call_clock", seat="W")
    (timer,) = timers(table)
    assert (timer["what"], timer["of_ms"], timer["seats"], timer["then"]) == ("turn", 15_001, ["W"], "noted")
    assert table.view["act"] == [{"side": 3, "do": "discard"}]
    table.run(15_000)
    assert table.view["irregularities"] == []  # exactly the limit is in time
    table.run(1)
    assert table.view["irregularities"] == [{"seat": "W", "kind": "over_time", "by": None}]
    assert table.view["notices"][-1] == {"code": "turn.over", "params": {"seat": "W"}}
    assert (timers(table), table.view["act"]) == ([], [])
    table.at(Phase.PLAYING)


def test_a_clock_that_is_stopped_or_called_anew_notes_nothing_of_the_old_turn(table: Any) -> None:
    table.to_playing()
    table.ok("call_clock", seat="W")
    table.run(10_000)
    table.ok("call_clock", seat="N")
    (timer,) = timers(table)
    assert timer["at_ms"] == table.now + 15_001
    table.ok("stop_clock")
    table.run(60_000)
    assert table.view["irregularities"] == []
    table.ok("call_clock", seat="S")
    table.press(2)  # he wins instead
    assert [each["what"] for each in timers(table)] == ["claim_window"]
    table.ok("withdraw", seat="S")
    table.run(60_000)
    assert table.view["irregularities"] == []


def test_limits_are_those_of_the_table(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"time_profile": "two_player", "claim_window_s": 5})
    table.connect()
    table.to_playing()
    assert table.do("call_clock", seat="S", first=True).code == "refuse.invalid"
    table.ok("call_clock", seat="E", first=True)
    assert timers(table)[0]["of_ms"] == 15_001
    table.press(2)
    assert timers(table)[0]["of_ms"] == 5_000
    usual = make_table()
    usual.connect()
    usual.to_playing()
    usual.ok("call_clock", seat="E", first=True)
    assert timers(usual)[0]["of_ms"] == 30_001


def test_time_passes_without_news(table: Any) -> None:
    table.to_playing()
    table.ok("call_clock", seat="W")
    told, rows = table.view["time"], len(table.rows)
    table.run(14_000)
    assert (table.view["time"], len(table.rows)) == (told, rows)


def test_a_view_is_told_with_the_time_of_telling(table: Any) -> None:
    table.to_dealing()
    view = state_view(table.state, table.runtime.live, now_ms=table.now)
    later = as_of(view, table.now + 3_000)
    assert later["time"] == {**view["time"], "now_ms": table.now + 3_000}
    assert {**later, "time": None} == {**view, "time": None}
    assert as_of({}, 5) == {}
    assert state_view(table.state, Live())["time"] == {"now_ms": 0, "timers": []}
