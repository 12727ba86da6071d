"""Several winners of one tile: one hand after the other is agreed, all are booked at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.fold import fold
from controller.projections import plain
from controller.state import Phase
from rules.seats import Seat

E_HAND = "[555p,2] 123m 45699s EE + E"
W_HAND = "123789m 234p 777s E + E"


@pytest.fixture
def table(make_table: Callable[..., Any], look: Callable[..., Any]) -> Any:
    made = make_table(options={"multi_win": True})
    made.connect()
    made.eyes.hand = [look(E_HAND), look(W_HAND)]
    made.to_playing()
    return made


def agree(table: Any, seats: str) -> None:
    for seat in seats:
        table.ok("confirm", seat=seat)


def lay(table: Any, side: int) -> None:
    table.press(side)
    table.run(1_000)
    table.at(Phase.CONFIRM)


def two_keys(table: Any) -> None:
    """South and West call at once, North says that he discarded it."""
    table.press(2)
    table.press(3)
    table.run(600)
    table.press(4)
    table.at(Phase.CLAIM, "lay")


def test_with_keys_alone(table: Any) -> None:
    two_keys(table)
    assert table.state.claim.seat is Seat.S
    assert table.view["also"] == [{"seat": "W", "total": None}]
    lay(table, 2)
    first = table.state.result
    for side in (1, 3, 4):
        table.press(side)
    table.at(Phase.CLAIM, "lay")
    assert table.scores() == [0, 0, 0, 0]
    assert (table.state.claim.seat, table.state.claim.from_seat) == (Seat.W, Seat.N)
    assert table.view["also"] == [{"seat": "S", "total": first.total}]
    table.restart()
    lay(table, 3)
    second = table.state.result
    for side in (1, 2, 4):
        table.press(side)
    table.at(Phase.SETTLED)
    assert table.scores() == [a + b for a, b in zip(first.deltas, second.deltas, strict=True)]
    assert table.scores()[3] < 0
    settled = next(row.body for row in table.rows if row.kind == "settled")
    wins = [(win["seat"], win["total"]) for win in settled["wins"]]
    assert wins == [("S", first.total), ("W", second.total)]  # after North comes East, then South
    assert settled["seat"] == settled["wins"][0]["seat"]
    last = table.view["last"]
    assert {last["seat"], *(one["seat"] for one in last["also"])} == {"S", "W"}
    assert len(table.state.sheet[-1].outcome.wins) == 2
    assert (table.state.waiting, table.state.agreed) == ((), ())
    assert plain(fold(table.rows)) == plain(table.state)


def test_the_nearest_stands_first_whoever_called_first(table: Any) -> None:
    table.ok("claim", seat="W", by="discard", from_="E")
    table.ok("claim", seat="S", by="discard")
    table.eyes.hand = table.eyes.hand[::-1]
    lay(table, 3)
    agree(table, "ESN")
    lay(table, 2)
    agree(table, "EWN")
    settled = next(row.body for row in table.rows if row.kind == "settled")
    assert [win["seat"] for win in settled["wins"]] == ["S", "W"]
    assert [win["hand_text"].endswith("+ E") for win in settled["wins"]] == [True, True]
    assert {key: settled[key] for key in ("seat", "total", "hand_text", "laid")} == {
        key: settled["wins"][0][key] for key in ("seat", "total", "hand_text", "laid")
    }


def test_the_second_takes_his_win_back(table: Any) -> None:
    two_keys(table)
    lay(table, 2)
    deltas = table.state.result.deltas
    agree(table, "EWN")
    table.ok("withdraw", seat="W")
    table.at(Phase.SETTLED)
    assert tuple(table.scores()) == deltas
    settled = next(row.body for row in table.rows if row.kind == "settled")
    assert "wins" not in settled


def test_the_first_takes_his_win_back(table: Any) -> None:
    two_keys(table)
    table.ok("withdraw", seat="S")
    table.at(Phase.CLAIM, "lay")
    assert table.state.claim.seat is Seat.W
    table.ok("withdraw", seat="W")
    table.at(Phase.PLAYING)


def test_the_second_win_is_false(table: Any) -> None:
    two_keys(table)
    lay(table, 2)
    deltas = table.state.result.deltas
    agree(table, "EWN")
    table.ok("false_win", seat="W", by="E")
    agree(table, "SN")
    table.at(Phase.SETTLED)
    unit = table.state.table.unit
    fine = (10 * unit, 10 * unit, -30 * unit, 10 * unit)
    assert table.scores() == [a + b for a, b in zip(deltas, fine, strict=True)]


def test_both_are_of_one_tile_and_one_discarder(table: Any, look: Callable[..., Any]) -> None:
    two_keys(table)
    assert table.do("claim", seat="W", by="discard").code == "refuse.self"
    table.eyes.hand = [look(E_HAND), look("123789m 234p 777s C + C")]
    lay(table, 2)
    agree(table, "EWN")
    assert table.do("answer_from", seat="E").code == "refuse.from"
    assert table.do("claim", seat="W", by="self_draw").code == "refuse.from"
    table.press(3)
    table.run(1_000)
    table.at(Phase.REVIEW)
    assert "hand.other_tile" in table.view["reading"]["problems"]
    table.ok("correct", hand=W_HAND)
    table.at(Phase.CONFIRM)


def test_called_off_in_between(table: Any) -> None:
    two_keys(table)
    lay(table, 2)
    agree(table, "EWN")
    table.ok("void", reason="tiles fell")
    table.at(Phase.SETTLED)
    assert table.scores() == [0, 0, 0, 0]
    assert (table.state.waiting, table.state.agreed) == ((), ())


def test_whoever_pressed_too_early_as_payer_waits_for_nothing(table: Any) -> None:
    table.press(2)
    table.press(4)
    table.run(600)
    table.press(4)
    table.at(Phase.CLAIM, "lay")
    assert (table.state.claim.from_seat, table.state.waiting) == (Seat.N, ())


def test_early_shown_tiles_pay_the_winner_they_were_shown_for(
    make_table: Callable[..., Any], look: Callable[..., Any]
) -> None:
    made = make_table(options={"multi_win": True}, procedure={"reveal_penalty": 5, "referee": True})
    made.connect()
    made.eyes.hand = [look(E_HAND), look(W_HAND)]
    made.to_playing()
    two_keys(made)
    lay(made, 2)
    made.ok("irregularity", seat="E", kind="premature_reveal")
    agree(made, "EWN")
    assert made.do("check_win", role="referee", ok=True).ok
    lay(made, 3)
    agree(made, "ESN")
    assert made.do("check_win", role="referee", ok=True).ok
    made.at(Phase.SETTLED)
    paid = [row.body for row in made.rows if row.kind == "reveal_penalty"]
    assert [(each["winner"], each["seats"]) for each in paid] == [("S", ["E"])]
    assert sum(made.scores()) == 0


def test_the_deal_moves_on_as_the_table_agreed_for_several_winners(
    make_table: Callable[..., Any], look: Callable[..., Any]
) -> None:
    dealers = {}
    for mode in ("circles", "winner_deals"):
        made = make_table(options={"multi_win": True}, procedure={"mode": mode})
        made.connect()
        made.eyes.hand = [look(E_HAND), look(W_HAND)]
        made.to_playing()
        two_keys(made)
        lay(made, 2)
        agree(made, "EWN")
        lay(made, 3)
        agree(made, "ESN")
        made.at(Phase.SETTLED)
        dealers[mode] = made.state.upcoming[0]
    assert dealers["circles"] is Seat.S
    assert dealers["winner_deals"] is Seat.N  # of several winners the discarder deals


def test_a_game_that_is_over_with_it_ends(make_table: Callable[..., Any], look: Callable[..., Any]) -> None:
    made = make_table(options={"multi_win": True}, procedure={"hands": 1})
    made.connect()
    made.eyes.hand = [look(E_HAND), look(W_HAND)]
    made.to_playing()
    two_keys(made)
    lay(made, 2)
    agree(made, "EWN")
    assert made.state.over is None
    lay(made, 3)
    agree(made, "ESN")
    assert made.state.over is not None
