"""Dice, walls, opening, deal and tail: table-procedure.md sections 3, 7, 8 and 9."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import InvalidRequest
from rules.procedure import (
    OPENING_MODES,
    Opening,
    TilePlace,
    deal_order,
    dice_odds,
    dice_to_seat,
    head_draw,
    is_valid_throw,
    locate,
    open_wall,
    tail_draw,
    walls,
    walls_agreed,
)
from rules.seats import ALL_SEATS, Seat
from rules.variants.common import WALLS108

E, S, W, N = ALL_SEATS


@pytest.mark.parametrize(
    ("totals", "steps"),
    [((5, 9), 0), ((2, 6, 10), 1), ((3, 7, 11), 2), ((4, 8, 12), 3)],
    ids=["五自手 九自手", "二顺 六顺 十顺", "三对门 七对门 十一对门", "四倒后 八倒后 十二倒后"],
)
def test_dice_to_seat(totals: tuple[int, ...], steps: int) -> None:
    for thrower in ALL_SEATS:
        assert {dice_to_seat(thrower, total) for total in totals} == {Seat.at(thrower.index + steps)}


def test_one_and_three_dice_use_the_same_formula() -> None:
    assert dice_to_seat(E, 1) is E
    assert [dice_to_seat(E, total).value for total in (3, 9, 13, 18)] == ["W", "E", "E", "S"]
    with pytest.raises(InvalidRequest):
        dice_to_seat(E, 0)


def test_odds_of_two_dice() -> None:
    assert dice_odds(2) == {"thrower": 8, "next": 9, "opposite": 10, "previous": 9}
    assert sum(dice_odds(3).values()) == 216


@pytest.mark.parametrize(
    ("pips", "valid"),
    [([3, 5], True), ([3, None], False), ([6], False), ([1, 7], False), ([0, 1], False), ([True, 2], False)],
)
def test_an_unreadable_die_means_a_new_throw(pips: list[int | None], valid: bool) -> None:
    assert is_valid_throw(pips) is valid


@pytest.mark.parametrize(
    ("tiles", "dealer", "lengths"),
    [
        (136, S, [17, 17, 17, 17]),
        (144, S, [18, 18, 18, 18]),
        (112, S, [14, 14, 14, 14]),
        (108, E, [14, 13, 14, 13]),
        (108, S, [13, 14, 13, 14]),
        (72, S, [18, 18]),
    ],
)
def test_walls(tiles: int, dealer: Seat, lengths: list[int]) -> None:
    built = walls(tiles, dealer)
    assert list(built.values()) == lengths
    assert 2 * sum(built.values()) == tiles
    assert list(built) == list(ALL_SEATS[: len(lengths)])


def test_option_walls108_counts_from_the_dealer() -> None:
    assert walls(108, W, [14, 14, 13, 13]) == {E: 13, S: 13, W: 14, N: 14}
    for wrong in ([14, 14, 14, 14], [54], [27, 27, 0, 0]):
        with pytest.raises(InvalidRequest, match="walls108"):
            walls(108, W, wrong)
    with pytest.raises(InvalidRequest, match="no walls for 135"):
        walls(135)


@pytest.mark.parametrize(
    ("tiles", "players", "lengths"),
    [
        (108, 3, {E: 18, S: 18, W: 18}),
        (84, 3, {E: 14, S: 14, W: 14}),
        (136, 3, {E: 23, S: 23, W: 22}),
        (72, 2, {E: 18, S: 18}),
        (108, 2, {E: 27, S: 27}),
        (136, 2, {E: 34, S: 34}),
    ],
)
def test_walls_of_fewer_players(tiles: int, players: int, lengths: dict[Seat, int]) -> None:
    """_common-regional.md, Wall sizes."""
    assert walls(tiles, S, players=players) == lengths
    assert sum(lengths.values()) * 2 == tiles


def test_no_walls_for_a_set_that_so_many_players_do_not_play() -> None:
    with pytest.raises(InvalidRequest, match="144 tiles and 3 players"):
        walls(144, players=3)


@pytest.mark.parametrize(
    ("tiles", "dealer", "options", "lengths"),
    [
        (108, S, {}, {E: 13, S: 14, W: 13, N: 14}),
        (108, S, {"walls108": "14,14,13,13"}, {E: 13, S: 14, W: 14, N: 13}),
        (108, W, {"players": 3}, {E: 18, S: 18, W: 18}),
        (136, N, {"walls108": "14,14,13,13"}, {E: 17, S: 17, W: 17, N: 17}),
        (108, E, {"players": 2}, {E: 14, S: 13, W: 14, N: 13}),  # 27 stacks are longer than a tray
        (136, E, {"players": 3}, {E: 17, S: 17, W: 17, N: 17}),
    ],
)
def test_walls_as_a_table_agrees(
    tiles: int, dealer: Seat, options: dict[str, object], lengths: dict[Seat, int]
) -> None:
    assert walls_agreed(tiles, dealer, options) == lengths


def test_every_choice_of_walls108_is_four_walls() -> None:
    for choice in WALLS108.choices:
        assert sum(walls_agreed(108, E, {"walls108": choice.key}).values()) == 54


def test_the_opening_counts_on_the_walls_that_stand() -> None:
    ring = walls_agreed(108, E, {"walls108": "14,14,13,13"})
    assert open_wall("two_throw", E, [(3, 4), (5, 2)], 108, ring=ring) == Opening(W, 14, S, 2, W)
    assert open_wall("two_throw", E, [(3, 4), (5, 2)], 108) == Opening(W, 14, S, 1, W)


def test_counting_runs_clockwise_on_to_the_upper_seat() -> None:
    assert locate(walls(136), E, 16) == (E, 17)
    assert locate(walls(136), E, 17) == (N, 1)
    assert locate(walls(136), S, 17) == (E, 1)
    with pytest.raises(InvalidRequest, match="no wall before W"):
        locate(walls(72), W, 1)


# worked examples of section 8: (mode, dealer, throws, tiles, seat counted, count, seat, stack)
OPENINGS = [
    ("two_throw", E, [(3, 4), (2, 3)], 136, W, 12, W, 13),
    ("two_throw", E, [(4, 5), (6, 6)], 144, E, 21, N, 4),
    ("two_throw", E, [(4, 5), (6, 6)], 136, E, 21, N, 5),
    ("two_throw", S, [(6, 6), (6, 6)], 136, E, 24, N, 8),
    ("one_throw_min", E, [(2, 6)], 136, N, 2, N, 3),
    ("one_throw_min", E, [(3, 3)], 136, S, 3, S, 4),
    ("one_throw_min", W, [(6, 5)], 144, E, 5, E, 6),
    ("one_throw_sum", E, [(3, 5)], 144, N, 8, N, 9),
    ("one_throw_sum", S, [(4, 4, 6)], 144, W, 14, W, 15),
    ("own_wall_sum", E, [(4, 5)], 136, E, 9, E, 10),
]


@pytest.mark.parametrize(("mode", "dealer", "throws", "tiles", "counted", "count", "seat", "stack"), OPENINGS)
def test_openings(
    mode: str,
    dealer: Seat,
    throws: list[tuple[int, ...]],
    tiles: int,
    counted: Seat,
    count: int,
    seat: Seat,
    stack: int,
) -> None:
    opening = open_wall(mode, dealer, throws, tiles)
    second = counted if mode == "two_throw" else None
    assert opening == Opening(counted, count, seat, stack, second)


def test_break_at_takes_the_counted_stack_itself() -> None:
    assert open_wall("two_throw", E, [(3, 4), (2, 3)], 136, "at").stack == 12
    at = open_wall("two_throw", E, [(4, 5), (4, 5)], 144, "at")  # the 18th stack of the dealer
    assert (at.seat, at.stack) == (E, 18)
    with pytest.raises(InvalidRequest, match="break_at"):
        open_wall("two_throw", E, [(3, 4), (2, 3)], 136, "before")


@pytest.mark.parametrize(
    ("mode", "throws", "words"),
    [
        ("three_throw", [(1, 2)], "opening is one of"),
        ("two_throw", [(1, 2)], "two throws"),
        ("one_throw_sum", [(1, 2), (3, 4)], "one throw"),
        ("one_throw_sum", [(1, 7)], "unreadable"),
        ("one_throw_sum", [()], "unreadable"),
    ],
)
def test_openings_that_are_refused(mode: str, throws: list[tuple[int, ...]], words: str) -> None:
    with pytest.raises(InvalidRequest, match=words):
        open_wall(mode, E, throws)


def test_the_deal_gives_the_dealer_fourteen_and_the_jump_tiles() -> None:
    order = deal_order(E)
    assert len(order) == 53
    assert [order.count(seat) for seat in ALL_SEATS] == [14, 13, 13, 13]
    assert order[:8] == (E, E, E, E, S, S, S, S)
    assert order[48:] == (E, S, W, N, E)
    ring, opening = walls(144), Opening(W, 12, W, 13)
    assert head_draw(ring, opening, 48) == TilePlace(E, 1, "top")
    assert head_draw(ring, opening, 52) == TilePlace(E, 3, "top")
    assert head_draw(ring, opening, 53) == TilePlace(E, 3, "bottom")


def test_the_deal_of_sixteen_and_of_fewer_players() -> None:
    order = deal_order(S, 16)
    assert (len(order), order[-1]) == (65, S)
    assert [order.count(seat) for seat in ALL_SEATS] == [16, 17, 16, 16]
    three = deal_order(E, 13, (E, S, W))
    assert [three.count(seat) for seat in (E, S, W)] == [14, 13, 13]
    assert three[-4:] == (E, S, W, E)
    assert deal_order(E, 13, (E, S))[-3:] == (E, S, E)
    with pytest.raises(InvalidRequest, match="13 or 16"):
        deal_order(E, 14)


def test_the_tail_is_just_before_the_opening() -> None:
    ring, opening = walls(136), Opening(E, 0, E, 1)
    assert tail_draw(ring, opening, 0) == TilePlace(S, 17, "top")
    assert tail_draw(ring, opening, 1) == TilePlace(S, 17, "bottom")
    assert tail_draw(ring, opening, 2) == TilePlace(S, 16, "top")
    assert tail_draw(ring, opening, 0, "bottom") == TilePlace(S, 17, "bottom")
    assert tail_draw(ring, opening, 1, "bottom") == TilePlace(S, 17, "top")


def test_places_outside_the_wall_are_refused() -> None:
    ring = walls(136)
    for i in (-1, 136):
        with pytest.raises(InvalidRequest, match="136 tiles"):
            head_draw(ring, Opening(E, 0, E, 1), i)
    with pytest.raises(InvalidRequest, match="no stack 18"):
        head_draw(ring, Opening(E, 0, E, 18), 0)
    with pytest.raises(InvalidRequest, match="tail_first"):
        tail_draw(ring, Opening(E, 0, E, 1), 0, "left")


PIPS = st.tuples(st.integers(1, 6), st.integers(1, 6))


@given(
    st.sampled_from(OPENING_MODES),
    st.sampled_from(ALL_SEATS),
    PIPS,
    PIPS,
    st.sampled_from([136, 144, 112, 108]),
    st.sampled_from(["top", "bottom"]),
)
def test_every_tile_of_the_wall_is_taken_exactly_once(
    mode: str, dealer: Seat, first: tuple[int, int], second: tuple[int, int], tiles: int, tail_first: str
) -> None:
    throws = [first, second] if mode == "two_throw" else [first]
    ring, opening = walls(tiles, dealer), open_wall(mode, dealer, throws, tiles)
    head = [head_draw(ring, opening, i) for i in range(tiles)]
    tail = [tail_draw(ring, opening, r, tail_first) for r in range(tiles)]
    everywhere = {
        TilePlace(seat, stack, layer)
        for seat, stacks in ring.items()
        for stack in range(1, stacks + 1)
        for layer in ("top", "bottom")
    }
    assert set(head) == set(tail) == everywhere
    assert len(head) == len(everywhere)
    assert (head[0].seat, head[0].stack, head[0].layer) == (opening.seat, opening.stack, "top")
