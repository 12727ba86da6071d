"""Tiles, sets and seats."""

from __future__ import annotations

import pytest

from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after
from rules.tiles import TILES, InvalidTile, Tile, counts34, full_set, tile_name


def test_42_kinds_in_the_order_of_the_contract() -> None:
    texts = [str(tile) for tile in TILES]
    assert len(texts) == 42
    assert texts[:10] == ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p"]
    assert texts[27:] == list("ESWNCFPabcdefgh")
    assert [Tile.parse(text) for text in texts] == list(TILES) == sorted(TILES)
    assert [tile.index for tile in TILES] == list(range(42))


@pytest.mark.parametrize(
    "text", ["", "0m", "10m", "5", "m", "5z", "1z", "Z", "X", "i", "5M", " 5m", "55m", "é", "东"]
)
def test_other_texts_are_no_tile(text: str) -> None:
    with pytest.raises(InvalidTile):
        Tile.parse(text)


def test_what_a_tile_knows() -> None:
    five, east, plum = Tile.parse("5p"), Tile.parse("E"), Tile.parse("e")
    assert (five.suit, five.rank, five.is_honor, five.is_flower) == ("p", 5, False, False)
    assert (east.suit, east.rank, east.is_honor, east.is_flower) == (None, None, True, False)
    assert (plum.suit, plum.rank, plum.is_honor, plum.is_flower) == (None, None, False, True)


@pytest.mark.parametrize(("size", "kinds"), [(136, 34), (144, 42), (112, 28), (108, 27), (84, 21), (72, 18)])
def test_full_sets(size: int, kinds: int) -> None:
    tiles = full_set(size)
    assert len(tiles) == size
    assert len(set(tiles)) == kinds


def test_unknown_set_is_refused() -> None:
    with pytest.raises(InvalidTile, match="no set has 135 tiles"):
        full_set(135)


def test_every_tile_has_a_name_in_both_languages() -> None:
    for language in ("zh-Hans", "en"):
        names = [tile_name(tile, language) for tile in TILES]
        assert all(names)
        assert len(set(names)) == 42


def test_flowers_are_not_among_the_34() -> None:
    assert sum(counts34(full_set(144))) == 136


def test_seats_run_e_s_w_n() -> None:
    assert [seat.next.value for seat in ALL_SEATS] == ["S", "W", "N", "E"]
    assert [seat.index for seat in ALL_SEATS] == [0, 1, 2, 3]
    assert Seat.at(-1) is Seat.N
    assert Seat.E.previous is Seat.N
    assert str(Seat.W) == "W"


def test_an_empty_place_is_skipped() -> None:
    three = (Seat.E, Seat.S, Seat.W)
    assert seat_after(Seat.W, three) is Seat.E
    assert in_order_after(Seat.S, three) == (Seat.W, Seat.E)
