"""Winning hands with wild tiles, from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.errors import InvalidHand
from rules.hand import Hand
from rules.tiles import TILES, Tile

WILD = (TILES[11], TILES[12])  # 三饼 and 四饼
MASK = sum(1 << tile.index for tile in WILD)


def winning_hand(
    rng: random.Random, wilds: int, sets: int = 4, wild: Sequence[Tile] = WILD, kinds: int = 34
) -> Hand:
    """Return a hand of sets and a pair, so many of whose tiles are wild ones instead."""
    while True:
        tiles: list[Tile] = [TILES[rng.randrange(kinds)]] * 2
        for _ in range(sets):
            if rng.random() < 0.7:
                first = 9 * rng.randrange(3) + rng.randrange(7)
                tiles += TILES[first : first + 3]
            else:
                tiles += [TILES[rng.randrange(kinds)]] * 3
        if any(tile in WILD for tile in tiles):
            continue
        rng.shuffle(tiles)
        tiles[:wilds] = [wild[place % len(wild)] for place in range(wilds)]
        rng.shuffle(tiles)
        try:
            return Hand((), tiles[1:], tiles[0])
        except InvalidHand:  # a fifth copy
            continue
