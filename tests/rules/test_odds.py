"""The odds of the training page: the shared cases, and the edges of the model."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.errors import InvalidHand, InvalidRequest, RuleError
from rules.notation import parse_hand, parse_tiles
from rules.odds import DiscardReturn, best_discards, draw_odds, expected_return, may_hint, wait_widths
from rules.odds_ops import percent
from rules.ready import exhausted_waits, waits
from rules.shapes import REGULAR
from rules.tiles import TILES, Tile, full_set

CASES = Path(__file__).resolve().parents[3] / "shared" / "rules" / "cases" / "tile-odds.json"
SHARED: list[dict[str, Any]] = (
    json.loads(CASES.read_text(encoding="utf-8"))["cases"] if CASES.is_file() else []
)


@pytest.mark.skipif(not SHARED, reason=f"shared rule cases not beside the checkout: {CASES}")
def test_cases_are_there() -> None:
    assert len(SHARED) >= 27


@pytest.mark.parametrize("case", SHARED, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    question = {key: value for key, value in case.items() if key != "expect"}
    answer = answer_case({"variant": "tile-odds", **question})
    assert json.dumps(answer) == json.dumps(case["expect"])  # the order of tiles counts too


def returns(hand: str, bottom: str | None = None, seen: str = "") -> dict[str, DiscardReturn]:
    last = None if bottom is None else Tile.parse(bottom)
    found = expected_return(parse_tiles(hand), last, parse_tiles(seen))
    return {str(each.discard): each for each in found}


# the published example of the paper, its discard, its bottom tile, and the value the model gives
PAPER = [
    ("NNN SSS 678s 1234m W", "W", {"W": 6, "1m": 6, "4m": 6}),
    ("2223m 456p 333666s W", "W", {"W": 11, "3m": 8}),
    ("NNN 1234m 1234567s", "4m", {"1m": 9, "4m": 9, "1s": 7, "4s": 7, "7s": 7}),
]


@pytest.mark.parametrize(("hand", "bottom", "values"), PAPER)
def test_table_of_the_paper(hand: str, bottom: str, values: dict[str, int]) -> None:
    found = {tile: each.value for tile, each in returns(hand, bottom).items()}
    assert {tile: found[tile] for tile in values} == values


def test_a_tile_that_is_wait_and_kong_counts_once_with_the_better_value() -> None:
    found = returns("1112333m 5556777s", "4m")["6s"]
    assert (found.value, found.self_draw, found.double_counted) == (13, 8, 14)


@pytest.mark.parametrize(
    ("hand", "bottom", "seen", "discard", "live", "kongs"),
    [
        # the bottom tile is the fourth copy of the pair's wait: ready, nothing can come, the kong wins
        ("111m 456m 789m 123p EE", "E", "E", "E", {}, {"1m": 1}),
        # the fourth copy of the pung has been discarded: no kong
        ("111m 456m 789m 123p EE", "E", "1m", "E", {"E": 1}, {}),
        # two copies and the bottom tile are no concealed pung
        ("11m 456m 789m 123p NNE", "1m", "", "E", {"1m": 1, "N": 2}, {}),
        # the discard itself breaks the pung that a kong would need
        ("111m 456m 789m 123p EE", "E", "", "1m", {"1m": 1, "E": 1}, {}),
    ],
)
def test_edges(
    hand: str, bottom: str, seen: str, discard: str, live: dict[str, int], kongs: dict[str, int]
) -> None:
    found = returns(hand, bottom, seen)[discard]
    assert {str(tile): copies for tile, copies in found.live.items()} == live
    assert {str(tile): copies for tile, copies in found.kong_tiles.items()} == kongs
    assert found.value == sum(live.values()) + 2 * sum(kongs.values())


def test_a_complete_hand_may_give_up_any_tile_that_leaves_it_ready() -> None:
    assert set(returns("123m 456m 789m 123p EE")) >= {"1m", "9m", "E"}


def test_seven_pairs_is_no_basic_shape() -> None:
    assert wait_widths(parse_tiles("1133m 5577m 2288p E")) == {}
    assert returns("1133m 5577m 2288p EW") == {}


def test_best_is_every_discard_of_the_highest_value_even_zero() -> None:
    found = expected_return(parse_tiles("123m 456p 5789s 111p W"), None, parse_tiles("WWW 555s"))
    assert [each.value for each in found] == [0, 0]
    assert [str(tile) for tile in best_discards(found)] == ["5s", "W"]
    assert best_discards(()) == ()


BASES = (("single 单钓", "NNN 111m 999p 111s E", 3), ("closed 嵌张", "NNN 111m 999p EE 46s", 4))


@pytest.mark.parametrize(("name", "hand", "live"), BASES)
def test_width_of_a_wait(name: str, hand: str, live: int) -> None:
    assert sum(wait_widths(parse_tiles(hand)).values()) == live, name


def test_seen_tiles_narrow_a_wait_to_nothing() -> None:
    hand = parse_tiles("NNN 111m 999p 111s E")
    assert wait_widths(hand, parse_tiles("EE")) == {Tile.parse("E"): 1}
    assert wait_widths(hand, parse_tiles("EEE")) == {}


@settings(max_examples=60, deadline=None)
@given(st.permutations(list(full_set(136))[:36] + list(full_set(136))[-8:]), st.integers(0, 12))
def test_waits_agree_with_the_engine(wall: list[Tile], more: int) -> None:
    hand, seen = tuple(wall[:13]), wall[13 : 13 + more]
    text = parse_hand("".join(map(str, hand)))
    known = Counter([*hand, *seen])
    expected = set(waits(text, [REGULAR])) - set(exhausted_waits(text, [REGULAR]))
    assert set(wait_widths(hand, seen)) == {tile for tile in expected if known[tile] < 4}


@settings(max_examples=60, deadline=None)
@given(st.permutations(list(full_set(136))[:36]), st.integers(0, 8))
def test_sums_hold_on_every_hand(wall: list[Tile], more: int) -> None:
    for each in expected_return(wall[:14], wall[14], wall[15 : 15 + more]):
        assert max(each.self_draw, 2 * sum(each.kong_tiles.values())) <= each.value <= each.double_counted
        assert each.self_draw == sum(each.live.values())
        assert all(1 <= copies <= 4 for copies in each.live.values())
        assert all(copies == 1 for copies in each.kong_tiles.values())
        assert list(each.live) == sorted(each.live)


@pytest.mark.parametrize(
    ("live", "draws", "unseen", "shown"),
    [(3, 10, 123, 22.6), (3, 17, 123, 36.3), (4, 17, 123, 45.3), (8, 5, 123, 29.0), (11, 17, 123, 82.0)],
)
def test_table_of_draw_odds(live: int, draws: int, unseen: int, shown: float) -> None:
    assert percent(draw_odds(unseen, live, draws)) == shown


@pytest.mark.parametrize(
    ("unseen", "live", "draws", "chance"),
    [(0, 0, 0, 0), (5, 5, 1, 1), (5, 1, 5, 1), (4, 1, 1, Fraction(1, 4))],
)
def test_draw_odds_at_the_ends(unseen: int, live: int, draws: int, chance: Fraction) -> None:
    assert draw_odds(unseen, live, draws) == chance


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (145, 0, 0), (5, 6, 1), (5, -1, 1), (5, 1, 6), (5, 1, -1)])
def test_draw_odds_of_impossible_numbers(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(InvalidRequest, match="unseen"):
        draw_odds(*numbers)


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("live_hints", [False, True])
def test_hint_gate(running: bool, live_hints: bool) -> None:
    gate = {"hand_running": running, "live_hints": live_hints}
    assert not may_hint("rated_hand", **gate)
    assert may_hint("unrated_hand", **gate) is live_hints
    assert may_hint("training", **gate) is (live_hints or not running)
    with pytest.raises(InvalidRequest, match="place of a hint"):
        may_hint("kitchen", **gate)


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ("123m", "14 own tiles are needed, there are 3"),
        ("123456789m 12345p", "5 of E are visible"),
        ("NNN 1234m 123p 78p Wa", "no flowers"),
    ],
)
def test_impossible_tiles(tiles: str, words: str) -> None:
    with pytest.raises(InvalidHand, match=words):
        expected_return(parse_tiles(tiles), TILES[27], [TILES[27]] * 4)


@pytest.mark.parametrize(
    ("op", "given_in", "words"),
    [
        ("expected_return", {}, "in.hand is missing"),
        ("expected_return", {"hand": "[123m]456m 789m 123p EE"}, "no melds"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "bottom": "0"}, "in.bottom: '0' is not a tile"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "bottom": "N", "seen": ["N"]}, "5 of N"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "seen": 7}, "in.seen are tiles, not 7"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "seen": [7]}, r"in.seen are tiles, not \[7\]"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "seen": ["7"]}, "in.seen: digits without a suit"),
        ("expected_return", {"hand": "NNN1234m123p789pW", "seen": ["a"]}, "no flowers"),
        ("waits", {"hand": "NNN1234m123p789pW"}, "13 own tiles are needed, there are 14"),
        ("draw_odds", {"unseen": 145, "live": [], "draws": []}, "in.unseen is a whole number from 0 to 144"),
        ("draw_odds", {"unseen": 95, "live": [96], "draws": [1]}, "in.live is a whole number from 0 to 95"),
        ("draw_odds", {"unseen": 95, "live": [1], "draws": [0.5]}, "in.draws is a whole number"),
        ("hint_gate", {"asks": [["training", False]]}, r"one of them is \[place, hand_running, live_hints\]"),
        ("hint_gate", {"asks": [["home", False, False]]}, "in.asks.place is one of training"),
        ("hint_gate", {"asks": [["training", 0, False]]}, "in.asks.hand_running is true or false"),
        ("hint_gate", {"asks": [], "fields": ["place"]}, "each once"),
        ("precedence", {}, "no op 'precedence' in this version; known: draw_odds"),
    ],
)
def test_a_question_that_makes_no_sense_says_what_is_wrong(
    op: str, given_in: dict[str, Any], words: str
) -> None:
    with pytest.raises(RuleError, match=words):
        answer_case({"variant": "tile-odds", "op": op, "in": given_in})


@pytest.mark.parametrize("seen", ["11m 4m WW", ["1m", "1m", "4m", "W", "W"], ["11m", "4mWW"]])
def test_visible_tiles_are_a_text_or_a_list_of_texts(seen: Any) -> None:
    def ask(given: Any) -> dict[str, Any]:
        line = {"hand": "NNN 1234m 123p 789p W", "seen": given}
        return answer_case({"variant": "tile-odds", "op": "expected_return", "in": line})

    assert ask(seen) == ask(["1m", "1m", "4m", "W", "W"]) != ask([])


def test_the_order_of_the_fields_of_an_ask_may_be_told() -> None:
    given_in = {"asks": [[True, True, "unrated_hand"]], "fields": ["live_hints", "hand_running", "place"]}
    assert answer_case({"variant": "tile-odds", "op": "hint_gate", "in": given_in}) == {"allowed": [True]}


def test_a_drawn_tile_may_stand_apart() -> None:
    ask = {"variant": "tile-odds", "op": "expected_return"}
    joined = answer_case({**ask, "in": {"hand": "NNN1234m123p789pW"}})
    assert answer_case({**ask, "in": {"hand": "NNN 1234m 123p 789p + W"}}) == joined
