"""Records of wins and of waiting hands: flowers with names, wild tiles, circumstances, visible tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.errors import RuleError
from rules.records import answer_record
from rules.routes import answer_routes
from rules.variants import get_variant
from rules.wait_records import answer_shanten, answer_waits

MCR = get_variant("mcr")
LIANZHONG = get_variant("lianzhong")
EXTRAS = {"public_extras": "on"}
PLAIN = "[123m,1] 456p 79s 666m NN + 8s"
WILD = "123m 456m 789m 5p9p 34s + 2s"
READY = "[123m,1](5555p) 678s EE 23m"


def fan(answer: dict[str, Any]) -> dict[str, int]:
    return {row["name"]: row["points"] * row["count"] for row in answer["fan"]}


# ---- flowers ----


@pytest.mark.parametrize("flowers", ["abcd", ["a", "b", "c", "d"], "a b cd", ["ab", "cd"]])
def test_flowers_with_names_are_counted_and_known(flowers: Any) -> None:
    record = {"hand": PLAIN, "flowers": flowers, "options": EXTRAS, "seat_wind": "S"}
    found = fan(answer_record(LIANZHONG, record))
    assert (found["花牌"], found["春夏秋冬"], found["季花"]) == (4, 1, 1)


def test_flowers_without_names_count_and_no_more() -> None:
    named = answer_record(MCR, {"hand": PLAIN, "flowers": "abe"})
    number = answer_record(MCR, {"hand": PLAIN, "flowers": 3})
    assert named == number
    assert fan(number)["花牌"] == 3
    assert "季花" not in fan(answer_record(LIANZHONG, {"hand": PLAIN, "flowers": 3, "options": EXTRAS}))
    assert "花牌" not in fan(answer_record(MCR, {"hand": PLAIN, "flowers": None}))


ODD_FLOWERS = [
    (9, "flowers is a whole number from 0 to 8"),
    (True, "flowers is a whole number from 0 to 8"),
    (1.5, "flowers are a number or tiles a to h"),
    ("abx", "flowers: "),
    ("aE", "flowers are named a to h, not E"),
    ("aa", "flowers"),
    (["a", "b", "a"], "a is named twice"),
    (["a", 3], "flowers are tiles"),
]


@pytest.mark.parametrize(("flowers", "words"), ODD_FLOWERS)
def test_odd_flowers_are_refused(flowers: Any, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_record(MCR, {"hand": PLAIN, "flowers": flowers})


# ---- wild tiles ----


@pytest.mark.parametrize("wild", ["9p", ["9p"]])
def test_a_record_names_the_wild_kinds(wild: Any) -> None:
    without = {"hand": WILD.replace("9p", "5p"), "options": {"wilds": "on"}, "wild": wild}
    record = {"hand": WILD, "options": {"wilds": "on"}, "wild": wild}
    assert fan(answer_record(LIANZHONG, record))["青龙"] == 16
    plain, placed = (answer_record(LIANZHONG, each)["total"] for each in (without, record))
    assert placed >= plain - 1  # 258将 stays, a single wait may go


REFUSED_WILD: list[tuple[Any, dict[str, Any], str]] = [
    (MCR, {"hand": WILD, "wild": "9p"}, "mcr is played without wild tiles"),
    (LIANZHONG, {"hand": WILD, "wild": "a"}, "a flower is never wild"),
    (LIANZHONG, {"hand": WILD, "wild": 9}, "wild are tiles, not 9"),
    (LIANZHONG, {"hand": WILD, "options": {"wilds": "on"}}, "which kinds are wild is missing"),
    (LIANZHONG, {"hand": "1357m 2468p 369s 9pE + E", "wild": "9p"}, "wherever its wild tiles stand"),
]


@pytest.mark.parametrize(("variant", "record", "words"), REFUSED_WILD)
def test_wild_tiles_that_make_no_sense_are_refused(variant: Any, record: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_record(variant, record)


WILD_WAITS = [
    ("a wild beside an edge; a wild to come is a wait too", "[123m][777s] 456p 12s N9p", "9p", "9p 3s N"),
    ("as ever where none is held, and any wild", "123m 456m 789m 234s 5p", "C", "5p C"),
    ("nothing", "1357m 2468p 369s 9sE", "9s", ""),
    ("two of two kinds", "[777s][123m][456p] 1s5p 9sE", "9sE", "3p 4p 5p 6p 7p 1s 2s 3s 9s E"),
]


@pytest.mark.parametrize(("says", "hand", "wild", "wanted"), WILD_WAITS)
def test_waits_of_hands_with_wild_tiles(says: str, hand: str, wild: str, wanted: str) -> None:
    found = answer_waits(LIANZHONG, {"hand": hand, "wild": wild})["waits"]
    assert found == wanted.split(), says


def test_a_tile_is_waited_for_exactly_where_it_wins() -> None:
    """Every kind is tried as the winning tile of hands with one, two and three wild tiles."""
    kinds = [str(tile) for tile in LIANZHONG.kinds if not tile.is_flower]
    for hand in ("[123m][777s] 456p 12s N9p", "[777s] 456p 2233s 99p E", "[555p] 123m 78m 99s 999p"):
        waits = answer_waits(LIANZHONG, {"hand": hand, "wild": "9p"})
        won = []
        for kind in kinds:
            try:
                answer_record(LIANZHONG, {"hand": f"{hand} + {kind}", "wild": "9p"})
            except RuleError:
                continue
            won.append(kind)
        assert won == [kind for kind in waits["waits"] if kind not in waits["exhausted"]], hand


def test_what_a_wait_is_worth_knows_the_wild_kinds() -> None:
    hand = "123m 456m 789m 5p9p 34s"
    answer = answer_waits(LIANZHONG, {"hand": hand, "wild": "9p"}, explain=True)
    row = next(each for each in answer["detail"] if each["tile"] == "2s")
    won = answer_record(LIANZHONG, {"hand": f"{hand} + 2s", "wild": "9p", "self_draw": True})
    assert row["ways"]["self_draw"]["total"] == won["total"] > 0


def test_what_is_not_worked_out_with_wild_tiles_is_refused() -> None:
    on = {"options": {"wilds": "on"}}
    for record in ({"wild": "9p"}, on):
        with pytest.raises(RuleError, match="not worked out with wild tiles"):
            answer_shanten(LIANZHONG, {"hand": "123m 456m 789m 5p9p 34s", **record})
        with pytest.raises(RuleError, match="not worked out with wild tiles"):
            answer_routes(LIANZHONG, {"hand": "123m 456m 789m 5p9p 34s", **record})
    with pytest.raises(RuleError, match="name their kinds"):
        answer_waits(LIANZHONG, {"hand": "123m 456m 789m 5p9p 34s", **on})
    with pytest.raises(RuleError, match="without wild tiles"):
        answer_waits(MCR, {"hand": "123m 456m 789m 5p9p 34s", "wild": "9p"})


# ---- circumstances of a wait ----


def detail(record: dict[str, Any], variant: Any = MCR) -> dict[str, dict[str, Any]]:
    rows = answer_waits(variant, record, explain=True)["detail"]
    return {row["tile"]: row for row in rows}


@pytest.mark.parametrize("flag", ["after_kong", "kong_discard", "last_of_kind"])
def test_flags_that_say_how_the_tile_came_are_left_alone(flag: str) -> None:
    for hand in (READY, "123m 456m 789m 55p 34s", "[456m][345p] 567s 55m 55s"):
        assert detail({"hand": hand, "flags": [flag]}) == detail({"hand": hand})


def test_a_way_that_the_circumstances_rule_out_cannot_be() -> None:
    row = detail({"hand": "123m 456m 789m 55p 34s", "flags": ["heavenly"]}, get_variant("simplest"))["2s"]
    assert row["ways"]["discard"] is row["ways"]["last_of_kind"] is None
    assert row["ways"]["self_draw"]["total"] > 0
    earthly = {"hand": "123m 456m 789m 55p 34s", "flags": ["earthly"], "seat_wind": "S"}
    row = detail(earthly, LIANZHONG)["5s"]
    assert row["ways"]["discard"] is None
    assert "地和" in [each["name"] for each in row["ways"]["self_draw"]["fan"]]


def test_circumstances_that_rule_out_every_way_are_refused() -> None:
    melded = {"hand": READY, "flags": ["heavenly"]}
    with pytest.raises(RuleError, match="heavenly is the dealer's self-draw"):
        answer_waits(LIANZHONG, melded, explain=True)
    with pytest.raises(RuleError, match="heavenly is no flag of this variant"):
        answer_waits(MCR, {"hand": READY, "flags": ["heavenly"]}, explain=True)
    with pytest.raises(RuleError, match="last_tile with 5 tiles left"):
        answer_waits(MCR, {"hand": READY, "last_tile": True, "wall_left": 5}, explain=True)
    with pytest.raises(RuleError, match="flags are among"):
        answer_waits(MCR, {"hand": READY, "flags": ["nonsense"]}, explain=True)


def test_a_variant_without_the_last_of_its_kind_does_not_ask_for_it() -> None:
    simplest = get_variant("simplest")
    row = detail({"hand": "123m 456m 789m 55p 34s", "seen": "222s"}, simplest)["2s"]
    assert row["copies"] == 1
    assert row["ways"]["discard"]["total"] > 0
    assert row["ways"]["last_of_kind"] is row["ways"]["last_of_kind_self_draw"] is None


# ---- visible tiles ----


@pytest.mark.parametrize("seen", ["11m 4m WW", ["1m", "1m", "4m", "W", "W"], ["11m", "4m WW"], "1m1m4mWW"])
def test_visible_tiles_are_read_alike_everywhere(seen: Any) -> None:
    wanted = "11m 4m WW"
    questions: tuple[Callable[[Any], dict[str, Any]], ...] = (
        lambda given: answer_waits(MCR, {"hand": READY, "seen": given}, explain=True),
        lambda given: answer_shanten(MCR, {"hand": READY, "seen": given}, explain=True),
        lambda given: answer_routes(MCR, {"hand": READY, "seen": given, "within": 0}),
    )
    for question in questions:
        assert question(seen) == question(wanted)
