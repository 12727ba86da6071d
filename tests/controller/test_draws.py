"""Dice before a hand: for seats, for the first dealer, for the dealer of every hand; whole hands, no wood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.fold import fold
from controller.state import Phase
from tests.controller.test_evening import ends, seated, undo, upcoming, washout, win_of_west


def throws(table: Any, *pips: tuple[int, int]) -> list[str]:
    """Throw once for each pair, the right side by its key; returns who threw."""
    seats = []
    for pair in pips:
        seats.append(table.state.thrower().value)
        table.at(Phase.DICE, "throw")
        table.ok("set_dice", pips=list(pair))
    return seats


def dealers(table: Any) -> tuple[str, str]:
    return table.state.first_dealer.value, table.state.dealer.value


@pytest.mark.parametrize(
    ("how", "thrown", "throwers", "dealer"),
    [
        ("east_throw", [(3, 4)], "E", "W"),
        ("east_throw", [(4, 5)], "E", "E"),
        ("dice_high", [(1, 2), (5, 6), (6, 5), (1, 1)], "ESWN", "S"),
        ("dice_first_5_9", [(1, 3), (1, 6), (6, 6), (3, 3), (1, 2), (4, 5)], "ESWNES", "S"),
    ],
)
def test_the_first_dealer_is_thrown_for(
    make_table: Callable[..., Any], how: str, thrown: list[tuple[int, int]], throwers: str, dealer: str
) -> None:
    table = make_table(procedure={"first_dealer": how})
    table.connect()
    table.ok("start")
    assert table.view["draw"] == {"what": "first_dealer", "thrower": "E", "throws": []}
    assert "".join(throws(table, *thrown)) == throwers
    table.at(Phase.BUILDING, "home")  # the hand has begun: nobody presses twice
    assert dealers(table) == (dealer, dealer)
    assert fold(table.rows).dealer == table.state.dealer


def test_a_throw_before_the_hand_is_spun_read_and_asked_like_any_other(
    make_table: Callable[..., Any],
) -> None:
    table = make_table(procedure={"first_dealer": "dice_high"})
    table.connect()
    table.ok("start")
    assert table.do("throw", seat="W").code == "refuse.seat"
    for _ in range(4):
        table.key(f"dice_{table.state.side_of(table.state.thrower())}")
        table.run(4_000)
    read = [row.body for row in table.rows if row.kind == "draw_throw"]
    assert [row["seat"] for row in read] == ["E", "S", "W", "N"]
    assert {row["source"] for row in read} == {"camera"}
    assert table.state.hand == 1
    assert not table.state.throws  # those of the wall are another matter


def test_a_restart_between_throws_forgets_none(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"first_dealer": "dice_high"})
    table.connect()
    table.ok("start")
    throws(table, (1, 1), (2, 2))
    table.restart()
    table.at(Phase.DICE, "throw")
    assert table.view["dice"]["thrower"] == "W"
    throws(table, (6, 6), (1, 1))
    assert dealers(table) == ("W", "W")


def test_a_dealer_by_chance_is_drawn_from_the_seal(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"first_dealer": "random"})
    table.connect()
    table.ok("start")
    found = next(row.body for row in table.rows if row.kind == "dealer_found")
    assert (found["how"], found["dealer"]) == ("random", table.state.dealer.value)


def test_dice_name_the_dealer_of_every_hand(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "dice_each_hand", "hands": 3})
    table.connect()
    washout(table)
    table.ok("start")
    assert table.view["draw"]["what"] == "dealer"
    assert table.do("void", reason="a tile fell").code == "refuse.void"  # no hand has begun
    assert throws(table, (1, 2)) == ["E"]
    assert (table.state.dealer.value, table.state.run, table.state.circle) == ("W", 1, 1)
    called_off(table)
    assert upcoming(table) == ("W", 1, 1)
    play_washout(table)  # a hand that was called off is dealt again by the same dealer
    table.ok("start")
    assert throws(table, (2, 3)) == ["W"]
    assert (table.state.dealer.value, table.state.run) == ("W", 2)  # five: he deals again
    called_off(table)
    play_washout(table)
    assert ends(table) == ["match"]
    assert table.do("start").code == "refuse.game_over"


def called_off(table: Any) -> None:
    table.run(10_000)
    table.ok("void", reason="a tile fell")


def play_washout(table: Any) -> None:
    """Play a drawn hand, whoever deals."""
    table.to_playing()
    table.ok("washout", seat="E")
    for side in (2, 3, 4):
        table.press(side)
    table.at(Phase.SETTLED)


def test_throws_that_are_for_nothing_any_more_are_dropped(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "dice_each_hand"})
    table.connect()
    washout(table)
    table.ok("start")
    table.at(Phase.DICE, "throw")
    undo(table)
    table.at(Phase.SETTLED)
    assert upcoming(table) == ("E", 1, 1)
    table.ok("start")
    assert table.state.phase is Phase.BUILDING


def test_a_corrected_result_leaves_the_dealer_to_the_dice(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "dice_each_hand"})
    table.connect()
    washout(table)
    table.ok("start")
    throws(table, (1, 3))
    hand = "[555p,2] 123m 45699s EE + E"
    body = {"hand": 1, "kind": "win", "winner": "S", "by": "self_draw", "hand_text": hand}
    table.ok("correct_result", seat="E", reason="misread", **body)
    for seat in "SWN":
        table.ok("agree_correction", seat=seat)
    assert table.state.sheet[-1].outcome.kind == "win"
    assert table.state.dealer.value == "N"


def test_seats_are_thrown_for_before_a_game(make_table: Callable[..., Any]) -> None:
    table = make_table()
    table.connect()
    assert table.view["finds_seats"]
    table.ok("find_seats")
    assert throws(table, (2, 2), (6, 5), (2, 2), (1, 1)) == list("ESWN")
    table.at(Phase.IDLE)
    assert seated(table) == "2134"  # S threw highest and sits East; of equal throws the earlier is higher
    assert fold(table.rows).seats == table.state.seats
    table.to_playing()
    assert not table.view["finds_seats"]
    assert table.do("find_seats").code == "refuse.find_seats"


def test_equal_throws_are_thrown_again_where_that_was_agreed(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"tie": "rethrow", "dice_seat_order": "ENWS"})
    table.connect()
    table.ok("find_seats")
    again = throws(table, (2, 2), (6, 5), (2, 2), (1, 1), (1, 2), (3, 3))
    assert again == list("ESWNEW")
    assert seated(table) == "2413"  # S, W, E, N by their throws sit at E, N, W, S


def test_after_a_game_its_last_winner_throws_for_new_seats(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"hands": 1})
    table.connect()
    win_of_west(table)
    assert table.do("find_seats").code == "refuse.find_seats"
    table.ok("new_game")
    table.ok("find_seats")
    assert throws(table, (3, 4)) == ["W"]
    assert seated(table) == "1423"  # seven: who sits opposite of West stays, the others move on one place
    habit = make_table(procedure={"reseating": "none", "seating": "habit", "hands": 1})
    habit.connect()
    assert not habit.view["finds_seats"]
    washout(habit)
    habit.ok("new_game")
    assert not habit.view["finds_seats"]
