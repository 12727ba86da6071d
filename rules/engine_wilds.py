"""Every way to take a hand with wild tiles that can matter to its value: sets and a pair, exact.

A wild tile that stands in the hand (or wins it) may be any kind that completes the hand, its own among them;
none stands for a fifth copy, and declared sets are what they show. What a suit's share of a hand can become
is worked out once and kept. A ruleset says what its elements look at in such a share (`Matters`); of shares
that look the same to them one is tried: four wild tiles cost some tens of readings, not some thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.errors import InvalidWin
from rules.hand import Hand
from rules.packed import GROUPS, RANK_BITS, UNITS, pack
from rules.splits import Kinds, Reading, melded_sets, suit_splits
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile
from rules.wilds import Filling, group_fillings

MOST_WILD = 8  # two kinds are wild at most


@dataclass(frozen=True, slots=True)
class Stock:
    """What is known of a hand's wild tiles before they are placed.

    Attributes:
        mask: the kinds that are wild.
        standing: kinds of the wild tiles that stand in the hand, ascending.
        win: kind of the winning tile, -1 where it is wild or the hand was won as dealt.
        drawn: whether the winning tile is a wild one.
    """

    mask: int
    standing: Kinds
    win: int
    drawn: bool


@dataclass(frozen=True, slots=True)
class Share:
    """One suit's (or the honors') part of a reading; `stands` are the kinds that its wild tiles stand for."""

    group: int
    chows: Kinds
    pungs: Kinds
    pair: int
    stands: Kinds


Matters = Callable[[Share, Stock], Hashable]
"""What the elements of a ruleset look at in a share; shares of which it is the same are worth the same."""


def everything(share: Share, stock: Stock) -> Hashable:
    """Return the whole share: each is tried."""
    return share


@dataclass(frozen=True, slots=True)
class Taking:
    """A complete hand that the tiles can be taken as.

    Attributes:
        stands: the kinds that the standing wild tiles stand for, ascending.
        place: where the winning tile went: "pair", "pung" or "chow" with the kind or lowest tile; None for a
            hand won as it was dealt.
    """

    hand: Hand
    reading: Reading
    stands: Kinds
    place: tuple[str, int] | None


def stock_of(hand: Hand, wild: int) -> Stock:
    """Return the wild tiles of a hand.

    Raises:
        InvalidWin: if there are more than two wild kinds can be.
    """
    standing = tuple(tile.index for tile in hand.concealed if wild >> tile.index & 1)
    win = hand.win_tile
    drawn = win is not None and bool(wild >> win.index & 1)
    if len(standing) + drawn > MOST_WILD:
        raise InvalidWin(f"{len(standing) + drawn} wild tiles; two kinds have {MOST_WILD}")
    return Stock(wild, standing, -1 if win is None or drawn else win.index, drawn)


def takings(hand: Hand, wild: int, matters: Matters = everything) -> Iterator[Taking]:
    """Yield the hands that matter, for every place the winning tile can have in them.

    Raises:
        InvalidWin: as `stock_of`.
    """
    stock = stock_of(hand, wild)
    plain = [tile for tile in hand.concealed if not wild >> tile.index & 1]
    counts = [0] * KINDS_WITHOUT_FLOWERS
    for tile in plain:
        counts[tile.index] += 1
    if stock.win >= 0:
        counts[stock.win] += 1
    melded = [0] * KINDS_WITHOUT_FLOWERS
    for meld in hand.melds:
        for tile in meld.tiles:
            melded[tile.index] += 1
    for shares in _spread(pack(counts), pack(melded), stock, matters):
        yield from _each_place(hand, plain, stock, shares)


def _spread(
    groups: tuple[int, int, int, int], melded: tuple[int, int, int, int], stock: Stock, matters: Matters
) -> list[tuple[Share, ...]]:
    """Return the shares of all groups together, one combination for each that looks different."""
    free = len(stock.standing) + stock.drawn
    found: dict[tuple[int, int, tuple[Hashable, ...]], tuple[Share, ...]] = {(free, 1, ()): ()}
    for group in range(GROUPS):
        following: dict[tuple[int, int, tuple[Hashable, ...]], tuple[Share, ...]] = {}
        for (left, pairs, keys), before in found.items():
            for own, paired, key, share in _shares(groups[group], melded[group], group, left, stock, matters):
                if paired <= pairs:
                    following.setdefault((left - own, pairs - paired, (*keys, key)), (*before, share))
        found = following
    return [shares for (left, pairs, _), shares in found.items() if not left and not pairs]


@lru_cache(maxsize=1 << 14)
def _shares(
    packed: int, melded: int, group: int, free: int, stock: Stock, matters: Matters
) -> tuple[tuple[int, int, Hashable, Share], ...]:
    """Return what a group can become with up to so many wild tiles: number, pairs, what matters, a share."""
    found: dict[tuple[int, int, Hashable], Share] = {}
    for pairs in (0, 1):
        for own in range(free + 1):
            for filling in group_fillings(packed, group, own, pairs):
                for share in _readings(packed, melded, group, filling, pairs):
                    found.setdefault((own, pairs, matters(share, stock)), share)
    return tuple((own, pairs, key, share) for (own, pairs, key), share in found.items())


def _readings(packed: int, melded: int, group: int, filling: Filling, pairs: int) -> Iterator[Share]:
    for kind in filling:
        packed += UNITS[kind]
        if (packed + melded) >> RANK_BITS * (kind % 9) & 7 > 4:
            return
    splits = suit_splits(packed, group)
    if pairs:
        for pair, chows, pungs in splits.paired:
            yield Share(group, chows, pungs, pair, filling)
    else:
        for chows, pungs in splits.plain:
            yield Share(group, chows, pungs, -1, filling)


def _each_place(hand: Hand, plain: list[Tile], stock: Stock, shares: tuple[Share, ...]) -> Iterator[Taking]:
    stands = tuple(kind for share in shares for kind in share.stands)
    hidden_chows = tuple(chow for share in shares for chow in share.chows)
    hidden_pungs = tuple(pung for share in shares for pung in share.pungs)
    pair = max(share.pair for share in shares)
    chows, pungs = melded_sets(hand.melds)
    reading = Reading(
        "regular",
        tuple(sorted((*chows, *hidden_chows))),
        tuple(sorted((*pungs, *hidden_pungs))),
        (pair,),
        hidden_chows,
        hidden_pungs,
        melds=hand.melds,
    )
    if hand.win_tile is None:
        full = Hand(hand.melds, [*plain, *[TILES[kind] for kind in stands]])
        yield Taking(full, reading, stands, None)
        return
    for win in sorted(set(stands)) if stock.drawn else (stock.win,):
        others = list(stands)
        if stock.drawn:
            others.remove(win)
        full = Hand(hand.melds, [*plain, *[TILES[kind] for kind in others]], TILES[win])
        for place in places(win, hidden_chows, hidden_pungs, pair):
            yield Taking(full, reading, tuple(others), place)


def places(win: int, chows: Kinds, pungs: Kinds, pair: int) -> list[tuple[str, int]]:
    """Return the sets and the pair that the winning tile can have completed, each once."""
    found = [("pair", win)] if win == pair else []
    if win in pungs:
        found.append(("pung", win))
    found += [("chow", first) for first in sorted(set(chows)) if first <= win <= first + 2]
    return found
