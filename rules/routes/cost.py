"""What one group of tiles lacks to hold sets and a pair: exact costs as bits, and the tiles they call for.

A group is a suit, the winds or the dragons. Costs are kept in one integer: bit `pair * PAIR + sets * SET +
cost` is set when so many sets, and the pair or not, can be had for `cost` more tiles. Choosing a set is a
shift, choosing between ways is an OR, joining two groups is a shift for every bit of one of them; so an exact
search over all targets of a group takes well under a tenth of a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

SET = 32  # bits from one number of sets to the next; costs take the lower 16
PAIR = 12 * SET
MAX_SETS = 5
_COSTS = (1 << 16) - 1
_STATES = 5  # chows that run on from the rank before, and from two ranks before: 0-4 each

Bits = int
Step = tuple[int, int, int]  # next state, tiles of this rank, shift by sets and pair


class Group(NamedTuple):
    """One group as a search sees it, rank by rank.

    Attributes:
        have: tiles held.
        most: tiles that can still be had, held ones included.
        chows, pungs, pairs: bit masks of the ranks where such a block may start.
    """

    have: tuple[int, ...]
    most: tuple[int, ...]
    chows: int
    pungs: int
    pairs: int


@cache
def cells(sets: int) -> Bits:
    """Return a mask of all costs of up to so many sets, without and with a pair."""
    half = sum(_COSTS << SET * k for k in range(sets + 1))
    return half | half << PAIR


@cache
def _steps(most: int, chow: bool, pung: bool, pair: bool) -> tuple[tuple[Step, ...], ...]:
    """Return what may be done at one rank, by state; a state is `running * 5 + ending` chows."""
    table = []
    for running in range(_STATES):
        for ending in range(_STATES):
            ways = []
            for chows in range(_STATES if chow else 1):
                for pungs in range(2 if pung else 1):
                    for pairs in range(2 if pair else 1):
                        tiles = running + ending + chows + 3 * pungs + 2 * pairs
                        if tiles <= most:
                            shift = SET * (chows + pungs) + PAIR * pairs
                            ways.append((chows * _STATES + running, tiles, shift))
            table.append(tuple(ways))
    return tuple(table)


_PRICES = tuple(tuple(max(0, tiles - have) for tiles in range(5)) for have in range(5))


def _plan(group: Group) -> list[tuple[tuple[tuple[Step, ...], ...], tuple[int, ...]]]:
    """Return steps and prices of each rank."""
    last_chow = len(group.have) - 3
    return [
        (
            _steps(
                most,
                rank <= last_chow and bool(group.chows >> rank & 1),
                bool(group.pungs >> rank & 1),
                bool(group.pairs >> rank & 1),
            ),
            _PRICES[have],
        )
        for rank, (have, most) in enumerate(zip(group.have, group.most, strict=True))
    ]


@lru_cache(maxsize=1 << 12)
def _forward(group: Group, mask: Bits) -> list[dict[int, Bits]]:
    """Return what each state can have cost before every rank and after the last (kept, so never changed)."""
    layer = {0: 1}
    layers = [layer]
    for steps, prices in _plan(group):
        following: dict[int, Bits] = {}
        for state, bits in layer.items():
            for to, tiles, shift in steps[state]:
                moved = bits << shift + prices[tiles] & mask
                if moved:
                    following[to] = following.get(to, 0) | moved
        layer = following
        layers.append(layer)
    return layers


def _cheapest(bits: Bits) -> Bits:
    """Keep the lowest cost of each cell."""
    kept, at = 0, 0
    while bits:
        low = bits & -bits
        kept |= low << at
        past = (low.bit_length() - 1) // SET * SET + SET
        bits >>= past
        at += past
    return kept


def positions(bits: Bits) -> tuple[int, ...]:
    """Return where bits are set, lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def costs(group: Group, sets: int) -> Bits:
    """Return the lowest cost of every cell with up to `sets` sets."""
    return _cheapest(_forward(group, cells(sets))[-1].get(0, 0))


@lru_cache(maxsize=1 << 16)
def join(left: Bits, right: Bits, sets: int) -> Bits:
    """Return the lowest costs when sets and pair are spread over two groups."""
    found = 0
    for at in positions(left):
        found |= right << at
    return _cheapest(found & cells(sets))


class Use(NamedTuple):
    """What the targets of a group take of each rank: fewest and most tiles, and one target as blocks.

    A block is a tuple of ranks counted from 0: a chow, a pung or a pair.
    """

    fewest: tuple[int, ...]
    most: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 14)
def use(group: Group, sets: int, chosen: Bits) -> Use:
    """Return what the targets that cost exactly one of `chosen` (bits of `costs`) take."""
    mask = cells(sets)
    plan = _plan(group)
    layers = _forward(group, mask)
    ahead = {0: chosen}
    aheads = [ahead]
    fewest, most = [], []
    for rank in range(len(plan) - 1, -1, -1):
        steps, prices = plan[rank]
        before: dict[int, Bits] = {}
        taken = set()
        for state, bits in layers[rank].items():
            for to, tiles, shift in steps[state]:
                end = ahead.get(to, 0)
                if bits << shift + prices[tiles] & end:
                    taken.add(tiles)
                    before[state] = before.get(state, 0) | end >> shift + prices[tiles] & mask
        fewest.append(min(taken))
        most.append(max(taken))
        ahead = before
        aheads.append(ahead)
    aheads.reverse()
    return Use(tuple(reversed(fewest)), tuple(reversed(most)), _one_target(plan, aheads))


def _one_target(
    plan: Sequence[tuple[tuple[tuple[Step, ...], ...], tuple[int, ...]]], aheads: Sequence[dict[int, Bits]]
) -> tuple[tuple[int, ...], ...]:
    """Walk one way to the end and return its blocks."""
    blocks: list[tuple[int, ...]] = []
    state, spent = 0, 1
    for rank, (steps, prices) in enumerate(plan):
        for to, tiles, shift in steps[state]:
            moved = spent << shift + prices[tiles]
            if moved & aheads[rank + 1].get(to, 0):
                break
        else:
            raise AssertionError("no way to an end that was reached")
        chows, pairs = to // _STATES, shift // PAIR
        blocks += [(rank, rank + 1, rank + 2)] * chows
        blocks += [(rank,) * 3] * (shift % PAIR // SET - chows)
        blocks += [(rank,) * 2] * pairs
        state, spent = to, moved
    return tuple(blocks)
