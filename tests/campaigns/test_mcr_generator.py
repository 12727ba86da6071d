"""The hands that the generator makes: all win, all are possible, and every fan comes out often."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from rules.notation import parse_hand
from rules.tiles import TILES
from tests.campaigns.peer import peer_fans
from tests.rules.mcr_hands import hand_of, hands
from tests.rules.mcr_recipes import RECIPES

CIRCUMSTANCES = ("self_draw", "last_tile", "kong_replacement", "rob_kong", "last_of_kind")
FANS = 82  # the 81 of 1998 and 明暗杠
HANDS = list(hands(20261130, 6000))


def contradictions(record: dict[str, Any]) -> list[str]:
    """Return what cannot be in a record, worked out from its tiles."""
    hand = parse_hand(record["hand"])
    win = hand.win_tile
    assert win is not None
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    held = win in hand.concealed
    found = {
        "a robbed kong is a self-draw": record["rob_kong"] and record["self_draw"],
        "the robbed tile is held": record["rob_kong"] and (held or win in melded),
        "a kong takes the last tile": record["rob_kong"] and record["last_tile"],
        "no kong to replace": record["kong_replacement"] and not (record["self_draw"] and hand.kongs),
        "the last of its kind is held": record["last_of_kind"] and held,
        "three are shown and it is not the last": melded.count(win) == 3 and not record["last_of_kind"],
        "flowers": not 0 <= record["flowers"] <= 8,
        "a wrong number of tiles": hand.size != 13,
        "a flower among the tiles": any(tile.is_flower for tile in hand.tiles),
    }
    return [name for name, broken in found.items() if broken]


def test_every_record_is_possible() -> None:
    broken = [(record, found) for record in HANDS if (found := contradictions(record))]
    assert broken == []


def test_the_check_of_records_can_fail() -> None:
    plain: dict[str, Any] = dict.fromkeys(CIRCUMSTANCES, False)
    plain |= {"hand": "[555m,1] 46m 123p 789p SS + 5m", "flowers": 0}
    assert contradictions(plain) == ["three are shown and it is not the last"]
    assert contradictions({**plain, "last_of_kind": True, "kong_replacement": True}) == ["no kong to replace"]


def test_every_hand_wins_and_every_fan_comes_out_often() -> None:
    fans: Counter[str] = Counter()
    for record in HANDS:
        fans.update(peer_fans(record).keys())  # raises if the peer takes it for no win
    assert len(fans) == FANS
    assert min(fans.values()) >= 15, fans.most_common()[-5:]


def test_hands_of_little_value_are_among_them() -> None:
    worths = [peer_fans(record) for record in HANDS]
    low = sum(sum(fans.values()) - fans.get("花牌", 0) < 8 for fans in worths)
    assert 0.1 < low / len(HANDS) < 0.5


def test_all_ways_to_declare_occur() -> None:
    kinds = Counter(meld.kind for record in HANDS for meld in parse_hand(record["hand"]).melds)
    assert len(kinds) == 5
    numbers = Counter(len(parse_hand(record["hand"]).melds) for record in HANDS)
    assert min(numbers[number] for number in range(5)) > 300
    wins = Counter(parse_hand(record["hand"]).win_tile for record in HANDS)
    assert set(wins) == set(TILES[:34])


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_makes_winning_hands(name: str) -> None:
    rng = Random(name)
    for _ in range(5):
        assert peer_fans(hand_of(name, rng))


def test_a_seed_names_its_hands() -> None:
    assert list(hands(7, 200)) == list(hands(7, 200))
    assert list(hands(7, 200)) != list(hands(8, 200))
