"""Wild tiles in the engine: nothing that can matter is left out, and only that is tried."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from rules.engine import Ruleset, Told, Worth
from rules.engine_value import value_of
from rules.engine_wilds import everything, places, takings
from rules.errors import InvalidHand, InvalidWin
from rules.hand import Hand
from rules.notation import parse_hand
from rules.seats import Seat
from rules.situation import Situation, Win
from rules.splits import regular_readings
from rules.tiles import TILES, Tile
from rules.variants.fuzhou import FUZHOU
from rules.variants.tianjin import TIANJIN
from rules.variants.zhuji import ZHUJI
from tests.rules.wild_hands import MASK, WILD, winning_hand

TOLD = Told(wild=WILD)


def worth(hand: Hand, rules: Ruleset = TIANJIN) -> Worth:
    """Return the value of a self-drawn hand."""
    return value_of(rules, Win(Seat.S, hand, "self_draw"), Situation(Seat.E), TOLD)


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
    rules = (TIANJIN, ZHUJI)[seed // 4 % 2]
    found = worth(hand, rules)
    assert found == worth(hand, replace(rules, matters=everything))
    assert found.reason in (None, "below_minimum")


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


@pytest.mark.parametrize(("seed", "golds"), [(seed, 1 + seed % 3) for seed in range(9)])
@pytest.mark.parametrize("by", ["self_draw", "discard"])
def test_golds_that_look_the_same_are_worth_the_same(seed: int, golds: int, by: str) -> None:
    rng = random.Random(400 + seed)
    hand = winning_hand(rng, golds, sets=5, wild=WILD[:1], kinds=27)
    called = frozenset({"jin_kan"}) if seed % 2 else frozenset()
    told = Told(wild=WILD[:1], flowers=(TILES[27],), called=called)
    win = Win(Seat.S, hand, by, None if by == "self_draw" else Seat.E)
    found = value_of(FUZHOU, win, Situation(Seat.E), told)
    assert found == value_of(replace(FUZHOU, matters=everything), win, Situation(Seat.E), told)
    assert found.legal or by == "discard"


@pytest.mark.parametrize("seed", range(8))
def test_a_further_wild_tile_never_lowers_the_best_total(seed: int) -> None:
    """Where there is one already: 无财 is for a hand without any."""
    rng = random.Random(300 + seed)
    hand = winning_hand(rng, 1 + seed % 2)
    others: list[Tile] = list(hand.concealed)
    others.remove(rng.choice([tile for tile in others if tile not in WILD]))
    more = Hand((), [*others, WILD[1]], hand.win_tile)
    assert worth(more, ZHUJI).total >= worth(hand, ZHUJI).total


def test_any_honors_win_where_it_is_agreed_and_wild_tiles_are_honors_then() -> None:
    agreed = Situation(Seat.E, options={"all_honours_needs_shape": False})
    win = Win(Seat.S, parse_hand("EEEE SSS WW N CF 3p + 4p"), "self_draw")
    found = value_of(ZHUJI, win, agreed, TOLD)
    assert ([each.row.zh for each in found.elements], found.total) == (["全字牌"], 8)
    assert value_of(ZHUJI, win, Situation(Seat.E), TOLD).reason == "not_win"


def test_the_winning_tile_counts_for_one_place_only() -> None:
    """五万 in the pair with a wild tile, or between 四万 and 六万: one of both, with a dragon either way."""
    found = worth(parse_hand("123m 46m 789m EEE 5m 3p + 5m"))
    keys = [each.row.key for each in found.elements]
    assert ("catch_five" in keys) + ("wild_pair_wait" in keys) == 1


def test_more_wild_tiles_than_there_are_make_no_hand() -> None:
    hand = Hand((), [TILES[11]] * 4 + [TILES[12]] * 4 + [TILES[13]] * 4 + [TILES[1]], TILES[13 + 1])
    with pytest.raises(InvalidWin, match="wild tiles"):
        next(iter(takings(hand, MASK | 1 << 13)))
