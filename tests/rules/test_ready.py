"""Splits, distance to a win, useful tiles and waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.hand import Hand
from rules.notation import format_tiles, parse_hand, parse_tiles
from rules.ready import discards, exhausted_waits, shanten, useful_tiles, waits
from rules.shapes import ALL_258, HONORS_KNITTED, KNITTED_STRAIGHT, REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS
from rules.splits import regular_readings
from rules.tiles import full_set

MCR = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr"
MCR_SHAPES = (REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, HONORS_KNITTED, KNITTED_STRAIGHT)


def lines(name: str) -> list[dict[str, Any]]:
    if not (MCR / name).is_file():
        pytest.skip(f"shared data not beside the checkout: {MCR / name}")
    return [json.loads(line) for line in (MCR / name).read_text(encoding="utf-8").splitlines()]


def readings(text: str) -> list[list[str]]:
    found = []
    for reading in regular_readings(parse_hand(text)):
        sets = [format_tiles(each.tiles) for each in reading.sets]
        found.append(sorted([*sets, format_tiles(reading.pairs * 2)]))
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123m 456m 789m 123p 5s + 5s", ["123m 456m 789m 123p 55s"]),
        ("[123m](5555p) 678s EE 23m + 4m", ["123m 5555p 234m 678s EE"]),
        ("111222333m 456p E + E", ["111m 222m 333m 456p EE", "123m 123m 123m 456p EE"]),
        (
            "1112223334445m + 5m",
            [
                "111m 222m 333m 444m 55m",
                "111m 234m 234m 234m 55m",
                "111m 234m 345m 345m 22m",
                "123m 123m 123m 444m 55m",
            ],
        ),
        ("123m 456m 789m 123p 5s + 6s", []),
        ("1133m 5577m 2288p E + E", []),
        ("[111m][222m][333m][444m] C + C", ["111m 222m 333m 444m CC"]),
    ],
)
def test_all_readings(text: str, expected: list[str]) -> None:
    assert readings(text) == sorted(sorted(each.split()) for each in expected)


def test_every_reading_is_found_once() -> None:
    found = readings("1112233344455m + 5m")
    assert len(found) == len(set(map(tuple, found))) == 3


@pytest.mark.parametrize(
    ("text", "regular", "pairs"),
    [
        ("123m 456m 789m 123p 5s + 5s", -1, 5),
        ("123m 456m 789m 123p 5s", 0, 6),
        ("1133m 5577m 2288p E", 3, 0),
        ("1133m 5577m 2288p E + E", 3, -1),
        ("147m 258p 369s ESWN", 8, 6),
        ("[123m][456m][789m] 12p E + E", 0, 98),
        ("1111m 2222m 3333m 4m", 0, 0),
    ],
)
def test_shanten(text: str, regular: int, pairs: int) -> None:
    hand = parse_hand(text)
    assert shanten(hand.counts, len(hand.melds), (REGULAR,)) == regular
    assert shanten(hand.counts, len(hand.melds), (SEVEN_PAIRS,)) == pairs


@pytest.mark.parametrize(
    ("text", "expected", "gone"),
    [
        ("123m 456m 789m 123p 5s", "5s", ""),
        ("123m 456m 789m 23p 55s", "14p", ""),
        ("2345678m 111p 222s", "258m", ""),
        ("1112345678999m", "123456789m", ""),
        ("1133m 5577m 2288p E", "E", ""),
        ("[123m][456m][789m][123p] C", "C", ""),
        ("[5555p] 123m 456m EE 46p", "5p", "5p"),
        ("1111m 456m 789m 123p", "1m", "1m"),
        ("123m 456m 789m 1234p 5s", "", ""),
        ("147m 258p 369s ESWN", "", ""),
    ],
)
def test_waits(text: str, expected: str, gone: str) -> None:
    hand = parse_hand(text)
    assert format_tiles(waits(hand)) == expected
    assert format_tiles(exhausted_waits(hand)) == gone


def test_all_258_needs_no_shape_but_258_melds() -> None:
    hand = parse_hand("225588m 2258p 258s")
    assert format_tiles(waits(hand, (ALL_258,))) == "258m 258p 258s"
    assert exhausted_waits(parse_hand("222255m 2258p 258s"), (ALL_258,)) == parse_tiles("2m")
    assert waits(parse_hand("225588m 225p 258s 3p"), (ALL_258,)) == ()
    assert waits(parse_hand("[345m] 2258p 258s 558m"), (ALL_258,)) == ()


def test_shanten_and_useful_tiles_agree_with_two_scorers() -> None:
    rows = lines("shanten.jsonl")
    for row in rows:
        hand = parse_hand(row["hand"])
        melds = (13 - sum(hand.counts)) // 3
        for shape in MCR_SHAPES:
            if shape.key in row:
                assert shanten(hand.counts, melds, (shape,)) == row[shape.key], (row["id"], shape.key)
        if "best" in row:
            assert shanten(hand.counts, melds, MCR_SHAPES) == row["best"], row["id"]
        useful = useful_tiles(hand.counts, melds, (REGULAR,))
        assert [str(tile) for tile in useful] == row["useful"], row["id"]
    assert len(rows) == 1000


def test_waits_agree_with_three_scorers() -> None:
    rows = lines("waits.jsonl")
    for row in rows:
        hand = parse_hand(row["hand"])
        assert [str(tile) for tile in waits(hand, MCR_SHAPES)] == row["waits"], row["id"]
        assert [str(tile) for tile in exhausted_waits(hand, MCR_SHAPES)] == row["exhausted"], row["id"]
    assert len(rows) == 1500


@given(st.permutations(full_set(136)), st.integers(0, 3))
def test_a_useful_tile_is_one_step_and_no_other_tile_is(deck: list[Any], melds: int) -> None:
    hand = Hand((), tuple(deck[: 13 - 3 * melds]))
    now = shanten(hand.counts, melds)
    useful = useful_tiles(hand.counts, melds)
    for tile in set(deck):
        counts = list(hand.counts)
        if counts[tile.index] == 4:
            continue
        counts[tile.index] += 1
        assert shanten(counts, melds) == now - (tile in useful)


@given(st.permutations(full_set(136)))
def test_the_best_discard_keeps_the_distance(deck: list[Any]) -> None:
    hand = Hand((), tuple(deck[:14]))
    options = discards(hand.counts)
    assert {option.tile for option in options} == set(hand.concealed)
    assert options[0].shanten == max(shanten(hand.counts), 0)
    assert options == tuple(sorted(options, key=lambda each: (each.shanten, -each.live, each.tile)))


def test_every_complete_hand_has_distance_zero_and_a_reading() -> None:
    hand = parse_hand("[123m](5555p) 678s EE 23m + 4m")
    assert shanten(hand.counts, len(hand.melds)) == -1
    assert next(iter(regular_readings(hand))).pairs == (parse_hand("E").concealed[0],)
