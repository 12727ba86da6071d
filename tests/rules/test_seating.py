"""First seating, re-seating and the changes of seat: table-procedure.md sections 4, 5 and 10."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import seating as sit
from rules.cases import answer_case
from rules.errors import InvalidRequest, RuleError
from rules.seats import ALL_SEATS, Seat

E, S, W, N = ALL_SEATS
ABCD = sit.seating("ABCD")

seatings = st.permutations("ABCD").map(sit.seating)
fewer = st.integers(2, 4).flatmap(lambda n: st.permutations("ABCD"[:n])).map(sit.seating)
sums = st.integers(2, 12)


def order(seats: sit.Seating) -> str:
    return "".join(seats.values())


def ask(op: str, **given_: Any) -> dict[str, Any]:
    return answer_case({"variant": "table-procedure", "op": op, "in": given_})


# ---- relation ----


def test_the_six_cyclic_orders_are_same_mirror_and_four_others() -> None:
    found = [sit.relation(ABCD, sit.seating(("A", *rest))) for rest in permutations("BCD")]
    assert sorted(found) == ["changed"] * 4 + ["mirror", "same"]


@given(fewer, st.integers(0, 3))
def test_to_move_on_together_changes_no_relation(seats: dict[Seat, str], steps: int) -> None:
    players = list(seats.values())
    steps %= len(players)
    assert sit.relation(seats, sit.seating(players[steps:] + players[:steps])) == "same"


@given(seatings, seatings)
def test_the_relation_reads_the_same_both_ways(before: dict[Seat, str], after: dict[Seat, str]) -> None:
    assert sit.relation(before, after) == sit.relation(after, before)


@given(seatings)
def test_the_mirror_of_the_mirror_is_the_same(seats: dict[Seat, str]) -> None:
    mirror = sit.seating(list(reversed(seats.values())))
    assert sit.relation(seats, mirror) == "mirror"
    again = sit.seating(list(reversed(mirror.values())))
    assert sit.relation(mirror, again) == "mirror"
    assert sit.relation(seats, again) == "same"


def test_of_two_players_there_is_one_relation_of_three_two() -> None:
    assert sit.relation(sit.seating("AB"), sit.seating("BA")) == "same"
    assert {sit.relation(sit.seating("ABC"), sit.seating(p)) for p in permutations("ABC")} == {
        "same",
        "mirror",
    }


# ---- first seating ----


@given(st.permutations("ABCD"), st.lists(sums, min_size=4, max_size=4), st.sampled_from(sit.SEAT_ORDERS))
def test_higher_sums_sit_earlier_and_equal_ones_in_the_order_thrown(
    players: list[str], totals: list[int], letters: str
) -> None:
    throws = list(zip(players, totals, strict=True))
    seats = sit.seat_by_dice(throws, letters)
    assert isinstance(seats, dict)
    by_rank = [seats[Seat(letter)] for letter in letters]
    rank = {player: (-total, at) for at, (player, total) in enumerate(throws)}
    assert by_rank == sorted(players, key=rank.__getitem__)


@given(st.lists(st.integers(1, 2), min_size=4, max_size=4), st.data())
def test_who_tied_throws_again_until_nobody_ties(totals: list[int], data: st.DataObject) -> None:
    throws, again = list(zip("ABCD", totals, strict=True)), []
    found = sit.seat_by_dice(throws, tie="rethrow")
    rounds = 0
    while isinstance(found, sit.Tied):
        assert len(found.players) > 1
        new = [data.draw(st.integers(1, 2)) if rounds < 3 else at for at in range(len(found.players))]
        again += list(zip(found.players, new, strict=True))
        rounds += 1
        found = sit.seat_by_dice(throws, tie="rethrow", rethrows=again)
    assert sorted(found.values()) == list("ABCD")
    place = {player: seat.index for seat, player in found.items()}
    for one, higher in throws:
        for other, lower in throws:
            assert higher <= lower or place[one] < place[other]


def test_only_the_tied_throw_again_each_tie_by_itself() -> None:
    throws = [("A", 8), ("B", 5), ("C", 8), ("D", 5)]
    assert sit.seat_by_dice(throws, tie="rethrow") == sit.Tied(("A", "B", "C", "D"))
    again = [("A", 3), ("C", 4), ("B", 12)]
    assert sit.seat_by_dice(throws, tie="rethrow", rethrows=again) == sit.Tied(("D",))
    seats = sit.seat_by_dice(throws, tie="rethrow", rethrows=[*again, ("D", 2)])
    assert isinstance(seats, dict)
    assert order(seats) == "CABD"  # 12 of a lower tie stays below a 3 of the higher one


@pytest.mark.parametrize(
    ("throws", "tie", "rethrows", "words"),
    [
        ([("A", 3)], "rethrow", [], "two to four players"),
        ([("A", 3), ("A", 4)], "rethrow", [], "A sits at two seats"),
        ([("A", 3), ("B", 4)], "rethrow", [("A", 5)], "A throws again without a tie"),
        ([("A", 3), ("B", 3)], "rethrow", [("C", 5)], "C did not throw before"),
        ([("A", 3), ("B", 3)], "earlier_higher", [("A", 5)], "nobody throws again"),
        ([("A", 3), ("B", 3)], "higher", [], "tie is one of"),
    ],
)
def test_throws_that_make_no_sense_are_refused(
    throws: list[tuple[str, int]], tie: str, rethrows: list[tuple[str, int]], words: str
) -> None:
    with pytest.raises(InvalidRequest, match=words):
        sit.seat_by_dice(throws, tie=tie, rethrows=rethrows)


@given(seatings, st.sampled_from(ALL_SEATS), sums, st.permutations(ALL_SEATS))
def test_winds_drawn_in_turn_seat_everyone_and_repeat_only_where_all_neighbours_stay(
    seats: dict[Seat, str], thrower: Seat, total: int, winds: list[Seat]
) -> None:
    found = sit.draw_in_turn(seats, thrower, total, winds)
    assert sorted(found.seats.values()) == list("ABCD")
    assert found.seats[winds[0]] == found.first
    assert found.must_repeat == (sit.relation(seats, found.seats) == "same")


def test_habit_takes_seats_however_they_are_entered() -> None:
    wanted = {"E": "A", "S": "B", "W": "C", "N": "D"}
    for entered in (wanted, list("ABCD"), {player: seat for seat, player in wanted.items()}):
        assert ask("first_seating", method="habit", entered=entered) == {"seats": wanted}


# ---- re-seating ----


@given(fewer, st.data(), sums, st.sampled_from(sit.DIRECTIONS))
def test_the_counted_player_stays_and_everyone_else_moves(
    seats: dict[Seat, str], data: st.DataObject, total: int, direction: str
) -> None:
    thrower = data.draw(st.sampled_from(list(seats.values())))
    after = sit.reseat_by_dice(seats, thrower, total, direction)
    assert sorted(after.values()) == sorted(seats.values())
    stays = [seat for seat in seats if seats[seat] == after[seat]]
    assert len(stays) == (2 if len(seats) == 2 else 1)
    assert (stays[0].index - sit.seat_of(seats, thrower).index - total + 1) % len(seats) == 0 or len(
        seats
    ) == 2


@given(seatings, st.sampled_from("ABCD"), sums)
def test_the_two_directions_of_a_reseating_undo_each_other(
    seats: dict[Seat, str], thrower: str, total: int
) -> None:
    stays = sit.reseat_by_dice(seats, thrower, total, "ccw")
    kept = next(player for seat, player in stays.items() if seats[seat] == player)
    assert sit.reseat_by_dice(stays, kept, 5, "cw") == seats


@given(seatings, st.sampled_from("ABCD"), sums, st.permutations(ALL_SEATS), st.sampled_from(sit.DIRECTIONS))
def test_east_beside_west_makes_neighbours_opposites(
    seats: dict[Seat, str], thrower: str, total: int, stack: list[Seat], direction: str
) -> None:
    found = sit.reseat_by_wind_stack(seats, thrower, total, stack, direction)
    loose = sit.reseat_by_wind_stack(seats, thrower, total, stack, direction, enforce=False)
    if found.rejected is None:
        assert found == loose
        assert found.relation == "changed"
        return
    assert found.seats == seats
    assert loose.relation in ("same", "mirror")


def test_who_throws_after_a_game_that_nobody_won_is_the_dealer() -> None:
    assert [sit.reseat_thrower(None, "D", True, each) for each in sit.ON_DRAW] == ["D", "D"]
    assert [sit.reseat_thrower("B", "D", False, each) for each in sit.ON_DRAW] == ["B", "B"]
    assert ask("reseat_thrower", last_hand="draw", last_winner=None, dealer="D") == {"thrower": ["D"]}
    with pytest.raises(RuleError, match="last_winner is missing"):
        ask("reseat_thrower", last_hand="win", dealer="D")


# ---- Chinese Official ----


@given(seatings)
def test_every_round_gives_four_different_cyclic_orders(start: dict[Seat, str]) -> None:
    rounds = [sit.mcr_seats(start, "every_round", circle) for circle in (1, 2, 3, 4)]
    for at, one in enumerate(rounds):
        assert all(sit.relation(one, other) != "same" for other in rounds[at + 1 :])
    for seat in ALL_SEATS:
        assert {each[seat] for each in rounds} == set("ABCD")  # everyone sits at every wind once


@pytest.mark.parametrize(
    ("op", "given_", "words"),
    [
        ("first_seating", {"method": "age"}, "in.method is one of|method is one of"),
        ("first_seating", {"method": "draw", "draws": {"A": "E", "B": "E"}}, "same wind"),
        ("first_seating", {"method": "draw", "draws": {"A": "E", "B": "N"}}, "two sit at E and S"),
        ("first_seating", {"method": "dice", "throws": [["A", 1, 2]]}, "a list of .who, sum."),
        ("first_seating", {"method": "dice", "throws": [["A", 40]]}, "whole number from 1 to 18"),
        ("first_seating", {"method": "tianjin", "seats": {"E": "A"}, "sum": 7, "tiles": []}, "two sit at"),
        (
            "first_seating",
            {"method": "tianjin", "seats": {"E": "A", "S": "B"}, "sum": 7, "tiles": ["E", "E"]},
            "each once",
        ),
        (
            "reseat_winner_dice",
            {"seats": {"E": "A", "S": "B"}, "winner": "X", "sum": 5, "direction": "cw"},
            "X",
        ),
        (
            "reseat_wind_stack",
            {"seats": {"E": "A", "S": "B"}, "winner": "A", "sum": 5, "stack": ["E", "S"], "direction": "cw"},
            "by four players",
        ),
        ("mcr_seats", {"start": {"E": "A", "S": "B"}, "rounds": [3]}, "four players"),
        ("mcr_seats", {"start": {"E": "A", "S": "B"}, "rounds": [5]}, "rounds is a whole number"),
    ],
)
def test_questions_about_seats_that_make_no_sense_are_refused(
    op: str, given_: dict[str, Any], words: str
) -> None:
    with pytest.raises(RuleError, match=words):
        ask(op, **given_)
