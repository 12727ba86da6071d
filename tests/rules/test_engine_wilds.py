"""Wild tiles in the engine: nothing that can matter is left out, and only that is tried."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from rules.engine import Told, Worth, value_of
from rules.engine_wilds import everything, places, takings
from rules.errors import InvalidHand, InvalidWin
from rules.hand import Hand
from rules.notation import parse_hand
from rules.seats import Seat
from rules.situation import Situation, Win
from rules.splits import regular_readings
from rules.tiles import TILES, Tile
from rules.variants.tianjin import TIANJIN
from tests.rules.wild_hands import MASK, WILD, winning_hand

TOLD = Told(wild=WILD)
EVERYTHING = replace(TIANJIN, matters=everything)


def worth(hand: Hand, rules: object = TIANJIN) -> Worth:
    """Return the value of a self-drawn hand."""
    assert rules in (TIANJIN, EVERYTHING)
    ruleset = TIANJIN if rules is TIANJIN else EVERYTHING
    return value_of(ruleset, Win(Seat.S, hand, "self_draw"), Situation(Seat.E), TOLD)


def by_trying_every_kind(hand: Hand) -> set[tuple[object, ...]]:
    """Return every reading, place and what wild tiles stand for, from all kinds for each wild tile."""
    assert hand.win_tile is not None
    drawn = hand.win_tile in WILD
    plain = [tile for tile in hand.concealed if tile not in WILD]
    found = set()
    for standing in combinations_with_replacement(range(34), len(hand.concealed) - len(plain)):
        for win in range(34) if drawn else [hand.win_tile.index]:
            try:
                full = Hand(hand.melds, [*plain, *[TILES[kind] for kind in standing]], TILES[win])
            except InvalidHand:
                continue
            for reading in regular_readings(full):
                pair = reading.pair_kinds[0]
                for place in places(win, reading.hidden_chows, reading.hidden_pungs, pair):
                    found.add((reading.chows, reading.pungs, pair, standing, win, place))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_taking_is_found(seed: int) -> None:
    hand = winning_hand(random.Random(seed), 2, sets=2)
    found = set()
    for taking in takings(hand, MASK):
        reading, win = taking.reading, taking.hand.win_tile
        assert win is not None
        stands = tuple(sorted(taking.stands))
        found.add((reading.chows, reading.pungs, reading.pair_kinds[0], stands, win.index, taking.place))
    assert found == by_trying_every_kind(hand)
    assert found


@pytest.mark.parametrize(("seed", "wilds"), [(seed, 1 + seed % 4) for seed in range(16)])
def test_what_looks_the_same_is_worth_the_same(seed: int, wilds: int) -> None:
    hand = winning_hand(random.Random(100 + seed), wilds)
    assert worth(hand) == worth(hand, EVERYTHING)
    assert worth(hand).legal


@pytest.mark.parametrize("seed", range(4))
def test_a_wild_tile_instead_of_another_still_wins(seed: int) -> None:
    rng = random.Random(200 + seed)
    hand = winning_hand(rng, 2)
    plain = [tile for tile in hand.concealed if tile not in WILD]
    gone = rng.choice(plain)
    others: list[Tile] = list(hand.concealed)
    others.remove(gone)
    before, after = worth(hand), worth(Hand((), [*others, WILD[0]], hand.win_tile))
    lost = sum(each.row.key == "no_wild" for each in before.elements)
    assert after.legal
    assert after.total >= before.total >> lost


def test_the_winning_tile_counts_for_one_place_only() -> None:
    """五万 in the pair with a wild tile, or between 四万 and 六万: one of both, with a dragon either way."""
    found = worth(parse_hand("123m 46m 789m EEE 5m 3p + 5m"))
    keys = [each.row.key for each in found.elements]
    assert ("catch_five" in keys) + ("wild_pair_wait" in keys) == 1


def test_more_wild_tiles_than_there_are_make_no_hand() -> None:
    hand = Hand((), [TILES[11]] * 4 + [TILES[12]] * 4 + [TILES[13]] * 4 + [TILES[1]], TILES[13 + 1])
    with pytest.raises(InvalidWin, match="wild tiles"):
        next(iter(takings(hand, MASK | 1 << 13)))
