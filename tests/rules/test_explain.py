"""What a result of 国标麻将 tells: sets behind each element, what is not counted, equal lists, minimum."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rules import evaluate
from rules.explain import explain
from rules.notation import parse_hand
from rules.plan import Plan
from rules.records import answer_record, read_record
from rules.scoring import Score, Situation, Win
from rules.seats import Seat
from rules.tiles import Tile
from rules.uncounted import REASONS, reason_text
from rules.variants import get_variant
from rules.variants.guides import GUIDES
from rules.variants.mcr_examples import EXAMPLES
from rules.view import View

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr"
MCR = get_variant("mcr")
ROWS = {fan.key: fan for fan in MCR.fans}


def told(hand: str, **circumstances: Any) -> dict[str, Any]:
    """Return the explained answer to a hand of South in the West round."""
    record = {"hand": hand, "seat_wind": "S", "round_wind": "W", **circumstances}
    return answer_record(MCR, record, explain=True)


def row_of(answer: Mapping[str, Any], name: str) -> dict[str, Any]:
    (row,) = [row for row in answer["fan"] if row["name"] == name]
    return dict(row)


# ---- the sets behind every element ----


def test_every_element_has_an_example() -> None:
    assert list(EXAMPLES) == [fan.key for fan in MCR.fans]


@pytest.mark.parametrize("key", EXAMPLES)
def test_the_example_of_an_element_counts_it_on_its_sets(key: str) -> None:
    example = EXAMPLES[key]
    answer = answer_record(MCR, example.record(), explain=True)
    assert (answer["total"], answer["meets_minimum"]) == (example.total, True)
    row = row_of(answer, ROWS[key].zh)
    if key == "flower_tiles":
        assert (row["count"], row["sets"]) == (example.flowers, [])
    elif example.sets:
        assert " ".join(row["sets"]) == example.sets
    else:  # the whole hand, every tile of it
        hand = parse_hand(example.hand)
        tiles = sorted(tile for text in row["sets"] for tile in parse_hand(text).concealed)
        assert tuple(tiles) == hand.tiles


SETS = [
    ("an element that counts twice", "123m 123p 456m 456p 9s + 9s", {}, "喜相逢", "123m 456m 123p 456p"),
    (
        "a pung finished by a discard is left out",
        "222m 555p 888s CC 11p + 1p",
        {},
        "三暗刻",
        "222m 555p 888s",
    ),
    ("an open pung too", "[222m,1] 555p 888s CCC 1p + 1p", {}, "三暗刻", "555p 888s CCC"),
    ("a concealed kong is in", "(2222m) 555p 888s 34m NN + 5m", {}, "三暗刻", "2222m 555p 888s"),
    ("the other terminal pung of nine gates", "1112345678999m + 5m", {}, "幺九刻", "999m"),
    ("little winds with their pair", "[EEE,1][SSS,2] WW NN 111m + W", {}, "小四喜", "EEE SSS WWW NN"),
    ("all four of a kind", "[123s,1][345s,1] 678m 33s 78p + 9p", {}, "四归一", "123s 345s 33s"),
    ("the knitted nine and the pair", "12369m 13347s 258p + 3m", {}, "组合龙", "369m 258p 147s"),
    ("an edge that is also knitted", "12369m 13347s 258p + 3m", {}, "边张", "123m"),
    ("each wind apart", "[EEE,1][SSS,2] WW NN 789m + W", {"round_wind": "E"}, "圈风刻", "EEE"),
    ("the own wind", "[EEE,1][SSS,2] WW NN 789m + W", {"round_wind": "E"}, "门风刻", "SSS"),
]


@pytest.mark.parametrize(("says", "hand", "more", "name", "sets"), SETS)
def test_sets(says: str, hand: str, more: dict[str, Any], name: str, sets: str) -> None:
    assert " ".join(row_of(told(hand, **more), name)["sets"]) == sets, says


@pytest.mark.parametrize(("flowers", "sets"), [((), []), (("a", "h"), ["ah"])], ids=["only counted", "named"])
def test_flowers_are_shown_where_they_are_named(flowers: tuple[str, ...], sets: list[str]) -> None:
    tiles = tuple(Tile.parse(tile) for tile in flowers)
    hand = parse_hand("[678m,1] 567p 23477s SS + 7s")
    win = Win(Seat.S, hand, "discard", Seat.E, flowers=2, flower_tiles=tiles)
    (element,) = [
        each for each in explain(MCR, win, Situation(Seat.E)).elements if each.key == "flower_tiles"
    ]
    assert (list(element.sets), element.is_whole, element.count) == (sets, False, 2)


# ---- what is not counted, and why ----

# hand, circumstances, (name, how often, sets, why, words of zh, words of en)
NOT_COUNTED: list[tuple[str, str, dict[str, Any], tuple[str, int, str, str, str, str]]] = [
    (
        "contained in another element",
        "[CCC,1][FFF,2] PP 111m 99p + P",
        {},
        ("双箭刻", 1, "CCC FFF PPP", "excluded", "已含于大三元", "contained in Big Three Dragons"),
    ),
    (
        "every pung of it",
        "[CCC,1][FFF,2] PP 111m 99p + P",
        {},
        ("幺九刻", 4, "111m CCC FFF PPP", "excluded", "已含于混幺九", "contained in"),
    ),
    (
        "pungs counted in another element",
        "[EEE,1][SSS,2] WW NN 789m + W",
        {},
        (
            "幺九刻",
            3,
            "EEE SSS WWW",
            "absorbed",
            "EEE SSS WWW 已计小四喜",
            "EEE SSS WWW counted in Little Four Winds",
        ),
    ),
    (
        "one pung of nine gates",
        "1112345678999m + 5m",
        {},
        ("幺九刻", 1, "111m", "absorbed", "111m 已计九莲宝灯", "111m counted in Nine Gates"),
    ),
    (
        "contained on its own sets",
        "[345m,1] 345p 35s 888m NN + 4s",
        {},
        ("喜相逢", 3, "345m 345p 345s", "excluded", "已含于三色三同顺", "contained in Mixed Triple Chow"),
    ),
    (
        "contained on its own sets, the straight",
        "[123m,1][456m,1] 789m 78s 33p + 9s",
        {},
        ("连六", 2, "123m 456m 789m", "excluded", "已含于清龙", "contained in Pure Straight"),
    ),
    (
        "account once: four sets make three pairs",
        "[123m,1] 789m 12p 789p EE + 3p",
        {},
        (
            "老少副",
            1,
            "123p 789p",
            "once",
            "面子已组合过（套算一次，已计喜相逢）",
            "account once: Mixed Double Chow",
        ),
    ),
    (
        "account once: one more beside three",
        "[123m,1][456m,1][456m,1][789m,1] 3p + 3p",
        {},
        ("连六", 2, "123m 456m 789m", "once", "已计清龙、一般高", "Pure Straight, Pure Double Chow"),
    ),
    (
        "not twice the same",
        "[123m,1] 445566p 79s EE + 8s",
        {},
        ("花龙", 1, "123m 456p 789s", "again", "同一番种不能再用已用过的面子", "not used twice"),
    ),
    (
        "one wait only has a name",
        "1233369m 258p 147s + 3m",
        {"self_draw": True},
        ("单钓将", 1, "33m", "one_of", "独听只计一种，已计边张", "one kind of wait counts, here Edge Wait"),
    ),
    (
        "not the only wait",
        "445566m 2277779s + 8s",
        {},
        ("坎张", 1, "789s", "not_only_wait", "还听 9s，不是独听", "not the only wait: 9s too"),
    ),
    (
        "a wait that is used up spoils it",
        "1234444678m 456p + 1m",
        {"self_draw": True},
        ("单钓将", 1, "11m", "not_only_wait", "还听 4m，不是独听", "not the only wait: 4m too"),
    ),
    (
        "finished by a discard",
        "222m 555p 888s CC 11p + 1p",
        {},
        (
            "四暗刻",
            1,
            "111p",
            "finished_by_others",
            "111p 由他人打出的牌凑成，不是暗刻",
            "111p was finished by another player's tile and is not concealed",
        ),
    ),
    (
        "four open melds and a self-draw",
        "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p",
        {"self_draw": True},
        ("全求人", 1, "", "drawn_oneself", "自摸和牌不计", "not with a self-draw"),
    ),
    (
        "a circumstance in another",
        "345m 567p 34s 55s 789s + 2s",
        {"rob_kong": True, "last_of_kind": True},
        ("和绝张", 1, "2s", "excluded", "已含于抢杠和", "contained in Robbing the Kong"),
    ),
    (
        "drawn the last tile",
        "[234m,1] 777p 99m 23s 567s + 4s",
        {"self_draw": True, "last_tile": True},
        ("自摸", 1, "4s", "excluded", "已含于妙手回春", "contained in Last Tile Draw"),
    ),
]


def uncounted(hand: str, circumstances: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(told(hand, **circumstances)["not_counted"])


@pytest.mark.parametrize(
    ("hand", "more", "expected"), [row[1:] for row in NOT_COUNTED], ids=[row[0] for row in NOT_COUNTED]
)
def test_what_is_not_counted_and_why(
    hand: str, more: dict[str, Any], expected: tuple[str, int, str, str, str, str]
) -> None:
    name, count, sets, why, zh, en = expected
    record = {"hand": hand, "seat_wind": "S", "round_wind": "W", **more}
    rows = [
        (row["count"], " ".join(row["sets"]))
        for row in uncounted(hand, more)
        if row["name"] == name and zh in row["why"] and en in row["why_en"]
    ]
    assert rows == [(count, sets)]
    assert why in {each.why for each in scored(record).not_counted if each.zh == name}


def scored(record: Mapping[str, Any]) -> Score:
    return explain(MCR, *read_record(MCR, record))


@pytest.mark.parametrize("hand", [row[1:3] for row in NOT_COUNTED], ids=[row[0] for row in NOT_COUNTED])
def test_english_reasons_are_english(hand: tuple[str, dict[str, Any]]) -> None:
    rows = uncounted(hand[0], hand[1])
    assert rows
    assert all(row["why_en"].isascii() and not row["why"].isascii() for row in rows)


def test_an_explanation_looks_at_each_reading_once(monkeypatch: pytest.MonkeyPatch) -> None:
    if evaluate.__file__.endswith(".so"):
        pytest.skip("compiled functions cannot be watched")
    win, situation = read_record(MCR, {"hand": "111222333m 456p E + E"})
    looked: list[int] = []
    real = evaluate.count_elements

    def watched(plan: Plan, view: View) -> evaluate.Found:
        looked.append(1)
        return real(plan, view)

    monkeypatch.setattr(evaluate, "count_elements", watched)
    plain = evaluate.score(MCR, win, situation)
    once = len(looked)
    explained = explain(MCR, win, situation)
    assert (once, len(looked)) == (2, 4)
    assert (explained.elements, explained.total) == (plain.elements, plain.total)


def test_english_texts_of_the_guide_are_english() -> None:
    guide = GUIDES["mcr"]
    texts = [text for section in guide.sections for text in (section.title, *section.items)]
    texts += [text for _, text in guide.profiles]
    texts += [each.why for each in guide.profile_hands]
    texts += [(each.zh, each.en) for each in guide.examples.values()]
    for zh, en in texts:
        assert en.isascii(), en
        assert not zh.isascii(), zh


def test_the_japanese_association_tells_why_seven_pairs_count_no_types() -> None:
    record = {"hand": "1166m 2288p 44s EEF + F"}
    answer = answer_record(get_variant("mcr-jmsa"), record, explain=True)
    (row,) = [row for row in answer["not_counted"] if row["name"] == "五门齐"]
    assert (row["why"], row["why_en"]) == ("七对不计", "not with seven pairs")


def test_every_reason_is_met_above() -> None:
    assert {row[3][3] for row in NOT_COUNTED} | {"seven_pairs"} == set(REASONS)


def test_a_hand_that_lacks_nothing_has_nothing_to_explain() -> None:
    assert uncounted("[123m,1] 456p 78s 333s EE + 9s", {}) == []


def test_reasons_read_in_both_languages() -> None:
    record = {"hand": "[CCC,1][FFF,2] PP 111m 99p + P"}
    for each in scored(record).not_counted:
        assert "{" not in reason_text(each, "zh-Hans") + reason_text(each, "en")
        assert reason_text(each, "zh-Hans") != reason_text(each, "en")


def shared(name: str) -> list[dict[str, Any]]:
    path = DATA / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"the shared MCR hands are not beside the checkout: {path}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_nothing_is_both_counted_as_often_as_there_and_left_out() -> None:
    """Where an element is left out for a reason that bars it, it is not counted at all."""
    for record in shared("vectors")[::10]:
        answer = answer_record(MCR, record, explain=True)
        counted = {row["name"] for row in answer["fan"]}
        for each in scored(record).not_counted:
            if each.why in ("one_of", "not_only_wait", "finished_by_others", "drawn_oneself"):
                assert each.zh not in counted, record
            if each.why == "excluded" and each.key not in {key for fan in MCR.fans for key in fan.contains}:
                assert each.zh not in counted, record
            assert each.by == "" or {ROWS[each.by].zh} <= counted, record


# ---- equal lists ----


@pytest.mark.parametrize("name", ["vectors", "disputed", "rulings"])
def test_the_equal_lists_are_exactly_those_of_the_shared_hands(name: str) -> None:
    with_alt = 0
    for record in shared(name):
        answer = answer_record(MCR, record, explain=True)
        worth = {row["name"]: row["points"] * row["count"] for row in answer["fan"]}
        ours, theirs = [worth, *answer["alt"]], [record["fan"], *record.get("alt", [])]
        with_alt += len(theirs) > 1
        assert all(one in theirs for one in ours), (record["id"], ours)
        assert all(one in ours for one in theirs), (record["id"], ours)
        assert all(sum(each.values()) == record["total"] for each in ours)
    assert with_alt == {"vectors": 55, "disputed": 1, "rulings": 1}[name]


# ---- total and minimum ----

MINIMUM = [
    ("[678m,1] 567p 23477s SS + 7s", {"flowers": 8}, 16, 8, True),
    ("[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", {"flowers": 8}, 15, 7, False),
    ("[123m,1] 456p 78s 333s EE + 9s", {}, 8, 8, True),
]


@pytest.mark.parametrize(("hand", "more", "total", "without_flowers", "meets"), MINIMUM)
def test_total_with_and_without_flowers_and_the_minimum(
    hand: str, more: dict[str, Any], total: int, without_flowers: int, meets: bool
) -> None:
    answer = told(hand, **more)
    assert (answer["total"], answer["total_without_flowers"]) == (total, without_flowers)
    assert (answer["minimum"], answer["meets_minimum"]) == (8, meets)


def test_the_minimum_is_an_option() -> None:
    answer = told("[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", options={"min_fan": 7})
    assert (answer["minimum"], answer["meets_minimum"]) == (7, True)


def test_every_profile_has_a_guide_whose_hands_have_their_totals() -> None:
    guide = GUIDES["mcr"]
    assert [key for key, _ in guide.profiles] == list(GUIDES)
    for each in guide.profile_hands:
        totals = {key: answer_record(get_variant(key), each.record())["total"] for key in GUIDES}
        assert totals == each.totals, each.hand
