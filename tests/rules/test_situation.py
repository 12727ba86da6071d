"""What is told of a win: values that nothing changes, flags a variant has, and the end of the wall."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import InvalidWin
from rules.notation import parse_hand
from rules.records import answer_record
from rules.scoring import Settlement, Situation, Win, resolve_options, score
from rules.seats import ALL_SEATS, Seat
from rules.tiles import TILES, full_set
from rules.variant import Variant
from rules.variants import VARIANTS, get_variant

MCR, LIANZHONG = get_variant("mcr"), get_variant("lianzhong")
MCR_FAMILY = [variant for key, variant in VARIANTS.items() if variant.tiles == 144]
E, S, W, N = ALL_SEATS
STRAIGHT = "[123m,1] 456p 79s 666m NN + 8s"
DEALT = "123m 456p 789s 234s 55m"
KONG = "[123m,1](4444p) 79s 666m NN + 8s"


def names(record: dict[str, Any], variant: Variant) -> set[str]:
    return {row["name"] for row in answer_record(variant, record)["fan"]}


# ---- flags ----

FOREIGN = ["heavenly", "earthly", "human", "liang", "tuichu", "undeclared", "passed", "kong_discard"]


@pytest.mark.parametrize("flag", FOREIGN)
@pytest.mark.parametrize("told_by", ["win", "situation"])
def test_a_flag_of_another_variant_is_refused(flag: str, told_by: str) -> None:
    flags = frozenset({flag})
    win = Win(S, parse_hand(STRAIGHT), "discard", E, flags if told_by == "win" else frozenset())
    situation = Situation(E, flags=flags if told_by == "situation" else frozenset())
    wanted = f"^{flag} is no flag of this variant; it has: after_kong, last_of_kind, last_tile$"
    with pytest.raises(InvalidWin, match=wanted):
        score(MCR, win, situation)


def test_a_dealt_hand_needs_a_variant_that_has_such_a_win() -> None:
    with pytest.raises(InvalidWin, match="heavenly is no flag of this variant"):
        answer_record(MCR, {"hand": DEALT, "self_draw": True, "flags": ["heavenly"]})


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_every_circumstance_is_a_flag_of_the_variant(variant: Variant) -> None:
    assert set(variant.circumstances) | set(variant.table_flags) == variant.flags
    assert ("passed" in variant.flags) is any(option.key == "pass_lock" for option in variant.options)


# ---- the end of the wall ----


@pytest.mark.parametrize("variant", MCR_FAMILY, ids=lambda variant: variant.key)
def test_an_empty_wall_says_that_the_tile_was_the_last(variant: Variant) -> None:
    told = {"hand": STRAIGHT, "seat_wind": "S"}
    for by, name in (({"self_draw": True}, "妙手回春"), ({}, "海底捞月")):
        assert name in names({**told, **by, "wall_left": 0}, variant)
        assert names({**told, **by, "wall_left": 0}, variant) == names(
            {**told, **by, "last_tile": True}, variant
        )
        assert name not in names({**told, **by, "wall_left": 1}, variant)


def test_what_a_replacement_from_an_empty_wall_counts() -> None:
    told = {"hand": KONG, "self_draw": True, "kong_replacement": True, "wall_left": 0}
    assert {"妙手回春", "杠上开花"} <= names(told, MCR)


WALLS: list[tuple[str, dict[str, Any], str]] = [
    ("nobody declares a kong", {"hand": STRAIGHT, "rob_kong": True, "wall_left": 0}, "the wall is empty"),
    ("91 are left by the deal", {"hand": STRAIGHT, "wall_left": 92}, "after the deal 0 to 91 are left"),
    ("one for the kong", {"hand": KONG, "wall_left": 91}, "and 1 kongs and flowers 0 to 90 are left"),
    ("one for each flower", {"hand": KONG, "wall_left": 89, "flowers": 2}, "3 kongs and flowers 0 to 88"),
]


@pytest.mark.parametrize(("says", "record", "message"), WALLS)
def test_a_wall_that_cannot_be_is_refused(says: str, record: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidWin, match=message):
        answer_record(MCR, record)
    left = record["wall_left"]
    assert answer_record(MCR, {**record, "wall_left": 1 if left == 0 else 88})["total"], says


def test_fewer_players_leave_more_in_the_wall() -> None:
    win = Win(S, parse_hand("123m 456p 78s 666m EE + 9s"), "discard", E, wall_left=104)
    simplest = get_variant("simplest")
    assert 136 - 3 * 13 - 1 == 96
    for left, players in ((83, ALL_SEATS), (96, (E, S, W)), (109, (E, S))):
        at_most = Win(win.seat, win.hand, win.by, win.source, wall_left=left)
        assert score(simplest, at_most, Situation(E, players)).legal
        above = Win(win.seat, win.hand, win.by, win.source, wall_left=left + 1)
        with pytest.raises(InvalidWin, match=f"0 to {left} are left"):
            score(simplest, above, Situation(E, players))


# ---- values ----


def test_wins_scores_and_readings_are_compared_by_what_they_hold() -> None:
    one, same = (Win(S, parse_hand(STRAIGHT), "discard", E, flowers=2) for _ in range(2))
    other = Win(S, parse_hand(STRAIGHT), "discard", E, flowers=3)
    assert one == same != other
    assert len({one, same, other}) == 2
    assert one != "a win"
    scores = [score(MCR, win, Situation(E)) for win in (one, same, other)]
    assert scores[0] == scores[1] != scores[2]
    assert len(set(scores)) == 2
    readings = [scored.reading for scored in scores]
    assert readings[0] == readings[1] == readings[2]
    assert len(set(readings)) == 1
    kong = score(MCR, Win(S, parse_hand(KONG), "discard", E), Situation(E))
    assert kong.reading != readings[0]


def test_wins_scores_and_readings_say_what_they_hold() -> None:
    win = Win(S, parse_hand(STRAIGHT), "discard", E, frozenset({"last_tile"}), flowers=2)
    scored = score(MCR, win, Situation(E))
    assert repr(win) == (
        "Win(seat=S, hand=[123m,1] 666m 456p 79s NN + 8s, by='discard', source=E, flags={last_tile}, "
        "wall_left=None, flowers=2, flower_tiles=())"
    )
    assert repr(scored) == "Score(19, 花龙 8, 海底捞月 8, 坎张 1, 花牌 1x2)"
    assert repr(score(MCR, Win(S, parse_hand("123m 456p 78s 666m NN + 1s"), "discard", E), Situation(E))) == (
        "Score(0, not_win)"
    )
    assert repr(scored.reading).startswith(
        "Reading('regular', chows=(0, 12, 24), pungs=(5,), pair_kinds=(30,), hidden_chows=(12, 24), "
        "hidden_pungs=(5,), knitted=-1, loose=(), melds=("
    )


def test_nobody_shares_a_dictionary_with_the_caller() -> None:
    options: dict[str, object] = {"min_fan": 8}
    situation = Situation(E, options=options)
    deltas = {E: 1, S: -1}
    settlement = Settlement(deltas, E)
    options["min_fan"] = 0
    deltas[E] = 99
    assert situation.options == {"min_fan": 8}
    assert settlement.deltas == {E: 1, S: -1}
    for frozen in (situation.options, settlement.deltas):
        with pytest.raises(TypeError):
            frozen["x"] = 1  # type: ignore[index]
    resolved = resolve_options(MCR, {"min_fan": 3})
    assert Situation(E, options=resolved).options is resolved


@pytest.mark.parametrize("flowers", [2.5, True, "2", -1, 9])
def test_flowers_are_a_number_of_tiles(flowers: Any) -> None:
    win = Win(S, parse_hand(STRAIGHT), "discard", E, flowers=flowers)
    with pytest.raises(InvalidWin, match="flowers"):
        score(MCR, win, Situation(E))


def test_a_tile_stays_what_it_is() -> None:
    for tile in TILES:
        with pytest.raises(AttributeError):
            tile.index = 3  # type: ignore[misc]
        with pytest.raises(AttributeError):
            del tile.index
    assert [tile.index for tile in TILES] == list(range(42))
    assert full_set()[4] is TILES[1]
    assert Seat.E.index == 0
