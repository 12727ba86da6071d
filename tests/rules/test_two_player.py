"""The two games for two players: the shared cases, and what holds for every hand and op of them."""

from __future__ import annotations

import csv
import json
import random
import re
from typing import Any

import pytest

from rules.cases import answer_case
from rules.errors import InvalidWin, RuleError
from rules.fields import Fields
from rules.notation import parse_hand
from rules.scoring import Situation, Win, score, settle
from rules.seats import Seat
from rules.tiles import TILES
from rules.variants import VARIANTS, answering_variant
from rules.variants.two_player import SLUG, TWO_PLAYER
from tests.rules.shared_cases import CASES, cases

ALL = cases(SLUG)
WINS = [case for case in ALL if "winner" in case]
needs_shared = pytest.mark.skipif(
    not CASES.is_dir(), reason=f"shared rule cases not beside the checkout: {CASES}"
)
TWO = (Seat.E, Seat.S)


def asked(case: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in case.items() if key != "expect"}


def ask(op: str, **given: Any) -> dict[str, Any]:
    return answer_case({"variant": SLUG, "op": op, "in": given})


@needs_shared
def test_cases_are_there() -> None:
    assert len(ALL) == 59


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    answer, expected = answer_case(asked(case)), case["expect"]
    if "elements" in expected:
        answer["elements"].sort()
        expected = {**expected, "elements": sorted(expected["elements"])}
    assert {key: answer[key] for key in expected} == expected
    json.dumps(answer)


@pytest.mark.parametrize("case", WINS, ids=lambda case: case["id"])
def test_points_sum_to_zero_and_the_order_of_tiles_is_irrelevant(case: dict[str, Any]) -> None:
    answer = answer_case(asked(case))
    assert sum(answer["deltas"].values()) == 0
    text = case["winner"]["hand"]
    hand = Fields(case["winner"]).hand("hand", melds_anywhere=True)
    tiles = list(hand.concealed)
    random.Random(text).shuffle(tiles)
    melds = "".join(re.findall(r"\[[^]]*\]|\([^)]*\)", text))
    mixed = f"{melds} {' '.join(map(str, tiles))} + {hand.win_tile}"
    assert answer_case({**asked(case), "winner": {**case["winner"], "hand": mixed}}) == answer


@needs_shared
def test_elements_are_those_of_the_shared_table() -> None:
    with (CASES.parent / "elements" / f"{SLUG}.csv").open(encoding="utf-8") as file:
        table = {row["key"]: (row["zh"], int(row["value"])) for row in csv.DictReader(file)}
    plain = TWO_PLAYER.default_options
    assert {fan.key: (fan.zh, fan.value(plain)) for fan in TWO_PLAYER.fans} == table


def test_one_suit_honors_and_flowers_are_the_set() -> None:
    assert sum(tile.copies for tile in TWO_PLAYER.kinds) == TWO_PLAYER.tiles == 72
    win = Win(Seat.E, parse_hand("111p 222m 333m 444m C + C"), "self_draw")
    with pytest.raises(InvalidWin, match="1p is not in the tile set"):
        score(TWO_PLAYER, win, Situation(Seat.E, TWO))


@pytest.mark.parametrize("dealer", TWO)
def test_the_other_seat_is_south_whoever_deals(dealer: Seat) -> None:
    other = Seat.S if dealer is Seat.E else Seat.E
    for seat, wind in ((dealer, "EEE"), (other, "SSS")):
        win = Win(seat, parse_hand(f"[{wind}] 123m 456m 99m 78m + 9m"), "self_draw")
        found = score(TWO_PLAYER, win, Situation(dealer, TWO, round_wind=Seat.N))
        assert "seat_wind" in {element.key for element in found.elements}
    three = (Seat.E, Seat.S, Seat.W)  # of three, East sits after West
    win = Win(Seat.E, parse_hand("[SSS] 123m 456m 99m 78m + 9m"), "self_draw")
    found = score(answering_variant("mcr"), win, Situation(Seat.W, three))
    assert "seat_wind" in {element.key for element in found.elements}


def test_only_two_play_and_text_b_has_no_list_of_fan() -> None:
    win = Win(Seat.E, parse_hand("1112345678999m + 5m"), "self_draw")
    with pytest.raises(InvalidWin, match="two play"):
        score(TWO_PLAYER, win, Situation(Seat.E))
    with pytest.raises(InvalidWin, match="no list of fan"):
        score(TWO_PLAYER, win, Situation(Seat.E, TWO, {"text": "B"}))
    assert settle(TWO_PLAYER, [win], Situation(Seat.E, TWO)).deltas == {Seat.E: 100, Seat.S: -100}


def test_tables_are_not_offered_what_only_answers_cases() -> None:
    assert SLUG not in VARIANTS
    assert answering_variant(SLUG) is TWO_PLAYER
    assert TILES[9] not in TWO_PLAYER.kinds


def test_text_b_may_count_by_the_official_list_without_a_minimum() -> None:
    told = {"dealer": "E", "winner": "S", "stake": 2, "fan_source": "mcr"}
    answer = ask("settle71", **told, by="discard", hand="[123m] 456p 789s 55p 34s + 5s")
    assert answer["fan"] == 10  # 花龙 8, 平和 2
    assert answer["deltas"] == {"E": -20, "S": 20}
    with pytest.raises(RuleError, match="no win"):
        ask("settle71", **told, by="discard", hand="[123m] 456p 789s 55p 34s + 9s")


def test_a_robbed_kong_of_text_b_is_booked_as_a_self_draw() -> None:
    answer = ask("settle71", dealer="E", winner="S", by="rob_kong", fan=20, stake=1)
    assert (answer["counted_as"], answer["fan"]) == ("self_draw", 13)


def test_of_two_who_are_ready_the_first_to_declare_draws_the_last_tile() -> None:
    assert ask("end71", dealer="E", ready=["S", "E"]) == {"result": "haidi", "haidi": "S"}


@pytest.mark.parametrize(
    ("op", "given", "words"),
    [
        ("settle71", {"dealer": "E", "winner": "W", "by": "discard", "fan": 1}, "W does not play"),
        ("settle71", {"dealer": "E", "winner": "S", "by": "luck", "fan": 1}, "by is one of"),
        ("end71", {"dealer": "E", "ready": ["N"]}, "N does not play"),
        ("count71", {"set": 136, "used": 71, "deal": [14] * 6}, "84 tiles of 71"),
        ("may_discard", {"text": "A", "claimed": ["5m"], "discard": []}, "one discard for each"),
        ("rotation", {"dealer": "E", "text": ["A"], "results": [["nap", "E"]]}, "a result is"),
        ("closed71", {"melds": [["pair"]]}, "melds are among"),
        ("nope", {}, "no op 'nope'"),
    ],
)
def test_an_odd_question_is_refused_by_name(op: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        ask(op, **given)
