"""The treasure tile of the Northeast: what a drawn one is worth, against its definition on ready hands."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.cases import answer_case
from rules.engine import Told, Worth
from rules.engine_value import value_of
from rules.errors import InvalidWin, RuleError
from rules.fields import Fields
from rules.hand import Hand
from rules.notation import parse_hand
from rules.seats import Seat
from rules.situation import Situation, Win
from rules.tiles import Tile, full_set
from rules.variants.dongbei import BAOPAI
from rules.variants.harbin import HARBIN
from rules.variants.treasure import bao_indicator, bao_kinds

KINDS = tuple(dict.fromkeys(full_set(112)))
READY = (
    "[999m] 123p 345p 66s 78s",
    "[999m] 123p 345p 66s 79s",
    "[123m][789m] 11s 555s 67p",
    "[123m][789m] 11s 45556s",
    "[999m] 123p 345p 678s 4s",
    "[999m] 123p 345p 6667s",
    "123m 456p 789s CC 56m",
    "111222333m 45p 99s",
)


def _worth(hand: str, tile: Tile, *bao: Tile) -> Worth:
    return value_of(
        BAOPAI,
        Win(Seat.S, parse_hand(hand).with_win_tile(tile), "self_draw"),
        Situation(Seat.E),
        Told(bao=bao),
    )


def _drawable(hand: str) -> list[Tile]:
    held = parse_hand(hand).tiles
    return [tile for tile in KINDS if held.count(tile) < 4]


def _is_narrow(worth: Worth) -> bool:
    return any(each.row.key == "edge_closed_single" for each in worth.elements)


@pytest.mark.parametrize("hand", READY)
def test_a_drawn_treasure_is_worth_the_best_of_what_it_may_be(hand: str) -> None:
    plain = {tile: _worth(hand, tile) for tile in _drawable(hand)}
    triplets = {tile for tile in KINDS if parse_hand(hand).concealed.count(tile) == 3}
    waits = [tile for tile, worth in plain.items() if worth.legal and tile not in triplets]
    waits += [tile for tile in triplets if plain[tile].total in (16,)]
    alone = len(waits) == 1 and (_is_narrow(plain[waits[0]]) or waits[0] in triplets)
    for tile, natural in plain.items():
        found = _worth(hand, tile, tile)
        assert found.legal
        assert found.total >= natural.total  # a treasure never lowers a win
        if tile in triplets:
            assert found.total == natural.total  # 大风 is there without 宝 too, and counts before it
        elif tile in waits and _is_narrow(natural):
            assert [each.row.zh for each in found.elements] == ["宝中宝"]
        else:
            assert found.total == max(natural.total, 4 * (2 if alone else 1))


def test_the_order_of_tiles_does_not_matter() -> None:
    mixed = random.Random(7)
    for text in READY:
        hand = parse_hand(text)
        tiles = list(hand.concealed)
        mixed.shuffle(tiles)
        win = Win(Seat.S, Hand(hand.melds, tiles, KINDS[9]), "self_draw")
        told = Told(bao=(KINDS[9],))
        if KINDS[9] in _drawable(text):
            assert value_of(BAOPAI, win, Situation(Seat.E), told) == _worth(text, KINDS[9], KINDS[9])


@pytest.mark.parametrize("hand", ["[999m] 123p 345p 66s 78s + 9s", "[999m] 123p 345p 678s 1s + 1s"])
def test_a_pushed_pair_needs_two_pairs(hand: str) -> None:
    win = Win(Seat.S, parse_hand(hand), "self_draw", flags=frozenset({"tuichu"}))
    with pytest.raises(InvalidWin, match="two pairs"):
        value_of(BAOPAI, win, Situation(Seat.E))


def test_who_fed_must_have_told_whether_he_was_ready() -> None:
    case: dict[str, Any] = {
        "seat": "S",
        "hand": "[999m] 123p 345p 66s 78s + 9s",
        "by": "discard",
        "from": "W",
    }
    with pytest.raises(RuleError, match="discarder_tenpai"):
        answer_case({"variant": "dongbei-baopai", "dealer": "E", "winner": case})


def test_the_treasure_needs_the_declaration() -> None:
    win = Win(Seat.S, parse_hand("[999m] 123p 345p 66s 78s + 9s"), "self_draw")
    with pytest.raises(RuleError, match="declare_ready"):
        value_of(HARBIN, win, Situation(Seat.E, options={"bao": True}))


def test_the_indicator_walks_back_through_the_whole_wall() -> None:
    options = BAOPAI.base.default_options
    places = [
        tuple(bao_indicator(Fields({"open": {"seat": "E", "stack": 1}, "replaced": n}), options).values())
        for n in range(20)
    ]
    assert len(set(places)) == 20
    assert places[:3] == [("S", 11, "top"), ("S", 11, "bottom"), ("S", 10, "top")]


def test_every_kind_turns_up_its_follower() -> None:
    options = BAOPAI.base.default_options
    followers = [bao_kinds(tile, options)["bao"][-1] for tile in KINDS]
    assert sorted(followers) == sorted(KINDS)
