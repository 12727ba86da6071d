"""What is made of the net's answer: places, sizes, turns, and no second answer for one tile."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.detect import KINDS, Place, apart, evened, joined, places_of, usual_size

STRIDE, TILE = 4, 40.0


def answer_with(*places: Place, cells: int = 32) -> np.ndarray:
    """Return an answer (10, cells, cells) that shows the given places and nothing else."""
    answer = np.zeros((len(KINDS) + 6, cells, cells), np.float32)
    answer[: len(KINDS)] = -30.0
    for place in places:
        row, column = int(place.y // STRIDE), int(place.x // STRIDE)
        turn = math.radians(2 * place.axis_deg)
        answer[KINDS.index(place.kind), row, column] = math.log(place.score / (1 - place.score))
        answer[len(KINDS) :, row, column] = (
            place.x / STRIDE - column - 0.5,
            place.y / STRIDE - row - 0.5,
            math.log(place.w / (0.75 * TILE)),
            math.log(place.h / TILE),
            math.cos(turn),
            math.sin(turn),
        )
    return answer


def tile(x: float, y: float, axis: float = 0.0, score: float = 0.9, kind: str = "face") -> Place:
    return Place(x, y, 30.0, 40.0, axis, kind, score)


@pytest.mark.parametrize(
    "place",
    [
        tile(50.3, 61.7),
        tile(13.0, 99.0, axis=135.0, kind="back"),
        Place(70.0, 40.0, 52.0, 31.0, 90.0, "face", 0.6),
        Place(70.0, 40.0, 17.0, 17.0, 20.0, "die", 0.8),
    ],
)
def test_a_place_is_read_as_it_was_answered(place: Place) -> None:
    (found,) = places_of(answer_with(place), 0.3, STRIDE, TILE)
    box = (place.x, place.y, place.w, place.h)
    assert (found.x, found.y, found.w, found.h) == pytest.approx(box, abs=1e-3)
    assert found.axis_deg == pytest.approx(place.axis_deg, abs=1e-3)
    assert found.kind == place.kind
    assert found.score == pytest.approx(place.score, abs=1e-5)


def test_what_is_less_sure_than_asked_is_left_out() -> None:
    answer = answer_with(tile(20, 20, score=0.4), tile(100, 100, score=0.8))
    assert [found.x for found in places_of(answer, 0.5, STRIDE, TILE)] == pytest.approx([100.0])


@pytest.mark.parametrize("axis", [0.0, 30.0, 90.0, 145.0])
def test_touching_tiles_stay_two_and_a_second_answer_goes(axis: float) -> None:
    turn = math.radians(axis)
    across = (30.0 * math.cos(turn), -30.0 * math.sin(turn))
    one, other = tile(60, 60, axis), tile(60 + across[0], 60 + across[1], axis, 0.8)
    again = tile(60 + 0.4 * across[0], 60 + 0.4 * across[1], axis, 0.7)
    assert apart([one, other, again]) == [one, other]


def test_a_sideways_tile_beside_an_upright_one_stays() -> None:
    upright, sideways = tile(60, 60), tile(60 + 35, 65, 90.0)
    assert apart([upright, sideways]) == [upright, sideways]


def test_parts_of_tiles_go_where_the_others_tell_the_size() -> None:
    row = [tile(30.0 * number, 60, score=0.7) for number in range(6)]
    dots = [Place(30.0 * number, 55, 10, 11, 0.0, "face", 0.95) for number in range(3)]
    assert apart([*dots, *row]) == row
    assert usual_size([*dots, *row]) == pytest.approx(math.sqrt(1200))


def test_two_tiles_tell_no_size_and_dice_have_none_of_theirs() -> None:
    small = Place(90, 90, 12, 16, 0.0, "face", 0.9)
    assert apart([tile(20, 20), small]) == [tile(20, 20), small]
    row = [tile(30.0 * number, 60) for number in range(6)]
    die = Place(100, 120, 14, 14, 0.0, "die", 0.6)
    assert die in apart([*row, die])


def test_cells_round_a_peak_have_a_say_unless_they_mean_another_tile() -> None:
    answer = answer_with(tile(62.0, 62.0, score=0.8))
    answer[0, 15, 16] = answer[0, 15, 15] - 1e-4
    answer[len(KINDS) :, 15, 16] = (-1.0, 0.4, 0.0, 0.2, 1.0, 0.0)  # centre 0.4 cells lower, a higher tile
    (found,) = places_of(answer, 0.3, STRIDE, TILE)
    assert (found.x, found.y) == pytest.approx((62.0, 62.8), abs=1e-3)
    assert found.h == pytest.approx(40.0 * math.exp(0.1), abs=1e-2)
    answer[len(KINDS) :, 15, 16] = (1.0, 0.0, 0.0, 0.2, 1.0, 0.0)
    (found,) = places_of(answer, 0.3, STRIDE, TILE)
    assert (found.x, found.y, found.h) == pytest.approx((62.0, 62.0, 40.0), abs=1e-3)


def test_a_frame_taken_for_its_tile_gets_the_size_of_its_neighbours() -> None:
    row = [tile(20 + 30.0 * number, 60) for number in range(6)]
    framed = Place(20 + 30.0 * 6, 61, 22, 30, 2.0, "face", 0.9)
    far = Place(20, 400, 24, 33, 0.0, "face", 0.9)
    sideways = Place(20 + 30 * 7.2, 60, 24, 33, 90.0, "face", 0.9)
    *even, last, other, turned = evened([*row, framed, far, sideways])
    assert even == row
    assert last == Place(framed.x, 61, 30, 40, 2.0, "face", 0.9)
    assert (other, turned) == (far, sideways)


def halves(x: float, y: float, apart: float = 20.0, axis: float = 0.0) -> list[Place]:
    """Two boxes, one above the other, that each hold half a tile's balls."""
    return [Place(x, y + step, 22, 20, axis, "face", 0.6) for step in (-apart / 2, apart / 2)]


@pytest.mark.parametrize("axis", [0.0, 90.0, 178.0])
def test_two_halves_of_a_tile_are_one(axis: float) -> None:
    """Also the last ones of a row, whose neighbours were halves themselves."""
    row = [tile(20 + 30.0 * number, 60) for number in range(6)]
    split = [half for number in range(6, 9) for half in halves(20 + 30.0 * number, 60, axis=axis)]
    found = sorted(joined([*split, *row]), key=lambda place: place.x)
    assert found[:6] == row
    assert len(found) == 9
    for number, place in enumerate(found[6:], 6):
        assert (place.x, place.y) == pytest.approx((20 + 30.0 * number, 60))
        assert (place.w, place.h, place.score) == (30.0, 40.0, 0.6)
        assert abs((place.axis_deg + 90.0) % 180.0 - 90.0) < 1.0


def test_what_makes_up_no_tile_stays_as_it_is() -> None:
    row = [tile(20 + 30.0 * number, 60) for number in range(6)]
    for odd in (
        halves(230, 60, apart=38.0),  # they do not touch
        halves(230, 60)[:1],
        [Place(230, 60, 22, 20, 0.0, "face", 0.6), Place(252, 60, 22, 20, 0.0, "face", 0.6)],  # side by side
        halves(900, 60),  # nobody near by tells a form
        [tile(230, 60), tile(230, 100)],  # two whole tiles
        [Place(230, y, 22, 20, 0.0, "back", 0.6) for y in (50, 70)],
    ):
        assert joined([*row, *odd]) == [*row, *odd]
    assert joined(halves(50, 60)) == halves(50, 60)
    assert joined([]) == []


def test_a_standing_tile_hides_what_it_stands_on_but_is_no_answer() -> None:
    standing = Place(60, 60, 30, 26, 0.0, "standing", 0.9)
    assert apart([standing, tile(61, 62, score=0.5), tile(120, 60)]) == [tile(120, 60)]
