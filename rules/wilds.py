"""Tiles that stand for others: every hand that a hand with wild tiles can be taken as, none left out.

A wild tile that stands in the hand (or completes it) may be any tile that makes the hand one of its shapes,
the kind printed on it among them; nothing is decided greedily. What fills up a suit is read once and kept, so
that only complete hands are ever built. Two things are the same for every variant: a wild tile never stands
for a fifth copy of a kind, and a declared set is what its tiles show.

Every free tile multiplies the hands there are, so that no more than `MAX_FREE` are weighed: enough for all
four of one wild kind, wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from rules.errors import InvalidWin
from rules.hand import Hand
from rules.packed import GROUPS, HONOR_GROUP, HONORS, KNITTED, ORPHANS, RANK_BITS, pack
from rules.shapes import Shape
from rules.splits import Reading
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile

MAX_FREE = 5  # fewer than 10 000 hands to score; six are fifty thousand, eight a million
MAX_TRIED = 3  # where a shape only tells complete hands and every kind is tried

Filling = tuple[int, ...]  # kinds that wild tiles stand for, ascending


class Placement:
    """A hand whose wild tiles (and, where no tile is called the winning one, that tile) are free.

    Attributes:
        holds_wild: whether any tile of the hand is of a wild kind, declared sets included.
        wins_freely: whether the winning tile is a wild one, or none is called so.
    """

    def __init__(self, hand: Hand, wild: int, shapes: Sequence[Shape]) -> None:
        """Take a hand and the mask of the wild kinds (0 = only the winning tile is free)."""
        self.holds_wild: bool = hand.kinds & wild != 0
        self._hand: Hand = hand
        self._shapes: list[Shape] = [shape for shape in shapes if shape.allows(hand.melds)]
        self._plain: list[Tile] = [tile for tile in hand.concealed if not wild >> tile.index & 1]
        win = hand.win_tile
        self._win: Tile | None = None if win is None or wild >> win.index & 1 else win
        self.wins_freely: bool = self._win is None
        self._standing: int = len(hand.concealed) - len(self._plain)  # wild tiles beside the winning one
        self._free: int = self._standing + (win is not None and self.wins_freely)
        self._waits: int = -1

    def hands(self) -> Iterator[Hand]:
        """Yield every complete hand that the tiles can be taken as, with every choice of its winning tile.

        Raises:
            InvalidWin: if more wild tiles are free than can be weighed.
        """
        self._check_number()
        if not self._free:
            yield from self._hands_of(())
            return
        counts = _counts([*self._plain, *([] if self._win is None else [self._win])])
        for filling in sorted(set(self._fillings(counts, self._free))):
            yield from self._hands_of(filling)

    def _check_number(self) -> None:
        """A dealt hand may call any of its tiles the winning one: it counts as one more that is free."""
        unnamed = self._hand.win_tile is None
        most = MAX_FREE if all(shape.key in _FORMS for shape in self._shapes) else MAX_TRIED
        if self._free and self._free + unnamed > most:
            more = ", one fewer where no winning tile is named" if unnamed else ""
            raise InvalidWin(
                f"{self._free} wild tiles stand in this hand or win it; at most {most} are supported, wild "
                f"tiles in declared sets not counted{more}"
            )

    def _fillings(self, counts: Sequence[int], free: int) -> Iterator[Filling]:
        """Yield every way to complete the counts with so many tiles, none of them a fifth copy."""
        room = self._room(counts)
        for filling in _each_filling(counts, len(self._hand.melds), free, self._shapes):
            if all(filling.count(kind) <= room[kind] for kind in filling):
                yield filling

    def _room(self, counts: Sequence[int]) -> list[int]:
        """Return how many copies of each kind the hand may still take."""
        room = [4 - count for count in counts]
        for meld in self._hand.melds:
            for tile in meld.tiles:
                room[tile.index] -= 1
        return room

    def _hands_of(self, filling: Filling) -> Iterator[Hand]:
        melds, tiles = self._hand.melds, [*self._plain, *[TILES[kind] for kind in filling]]
        if self._win is not None:
            yield Hand(melds, tuple(tiles), self._win)
            return
        others = tiles if self._hand.win_tile is None else [TILES[kind] for kind in filling]
        for win in sorted(set(others)):
            at = tiles.index(win)
            yield Hand(melds, (*tiles[:at], *tiles[at + 1 :]), win)

    def waits(self) -> int:
        """Return the mask of the kinds that complete the hand in form, wherever its wild tiles stand.

        A wild tile that is still to come is no wait of its own: it would stand for one of these. A hand
        without a winning tile (won as it was dealt) waited for nothing.
        """
        if self._waits < 0:
            self._waits = 0 if self._hand.win_tile is None else self.completing()
        return self._waits

    def completing(self) -> int:
        """Return the mask of the kinds that would complete the hand less its winning tile, if it has one."""
        counts = _counts(self._plain)
        mask = 0
        for kind in range(KINDS_WITHOUT_FLOWERS):
            counts[kind] += 1
            if any(True for _ in self._fillings(counts, self._standing)):
                mask |= 1 << kind
            counts[kind] -= 1
        return mask


def _counts(tiles: Sequence[Tile]) -> list[int]:
    counts = [0] * KINDS_WITHOUT_FLOWERS
    for tile in tiles:
        counts[tile.index] += 1
    return counts


def _each_filling(counts: Sequence[int], melds: int, free: int, shapes: Sequence[Shape]) -> Iterator[Filling]:
    """Yield every way to complete the counts of 34 kinds with so many tiles, some of them more than once."""
    for shape in shapes:
        fill = _FORMS.get(shape.key)
        if fill is None:
            yield from _by_trying(shape, counts, free)
        else:
            yield from fill(counts, melds, free)


# ---- sets and a pair ----


@lru_cache(maxsize=1 << 15)
def group_fillings(packed: int, group: int, free: int, pairs: int) -> tuple[Filling, ...]:
    """Return every way to make a packed group (see `rules.packed`) sets, and a pair if `pairs` is 1.

    Args:
        free: how many tiles are added; none makes more than four of a kind.
    """
    ranks = 7 if group == HONOR_GROUP else 9
    counts = [packed >> RANK_BITS * rank & 7 for rank in range(ranks)]
    found: set[Filling] = set()
    _fill(counts, 0, free, pairs, 0, 0, group, [], found)
    return tuple(sorted(found))


def _fill(
    counts: list[int],
    rank: int,
    free: int,
    pairs: int,
    running: int,
    ending: int,
    group: int,
    added: list[int],
    found: set[Filling],
) -> None:
    """Add every way to go on from a rank; `running` chows go on beyond it, `ending` ones end here."""
    if rank == len(counts):
        if not free and not pairs:
            found.add(tuple(added))
        return
    have, kind = counts[rank], 9 * group + rank
    # three equal chows are three pungs of the same tiles, so two starting here are enough
    for chows in range(3 if group != HONOR_GROUP and rank < 7 else 1):
        for rest in range(running + ending + chows, running + ending + chows + 4, 3):
            for pair in range(pairs + 1):
                wanted = rest + 2 * pair
                more = wanted - have
                if 0 <= more <= free and (wanted <= 4 or not more):
                    added += [kind] * more
                    _fill(counts, rank + 1, free - more, pairs - pair, chows, running, group, added, found)
                    del added[len(added) - more :]


def _sets_and_pair(counts: Sequence[int], melds: int, free: int) -> Iterator[Filling]:
    yield from _over_groups(pack(counts), 0, free, 1)


def _over_groups(groups: Sequence[int], at: int, free: int, pairs: int) -> Iterator[Filling]:
    """Yield every way to spread so many tiles over the groups from `at` on."""
    if at == GROUPS:
        if not free and not pairs:
            yield ()
        return
    tiles = sum(groups[at] >> RANK_BITS * rank & 7 for rank in range(9))
    for pair in range(pairs + 1):
        for more in range((2 * pair - tiles) % 3, free + 1, 3):
            own = group_fillings(groups[at], at, more, pair)
            if own:
                for rest in _over_groups(groups, at + 1, free - more, pairs - pair):
                    for each in own:
                        yield each + rest


# ---- the other shapes ----


def _seven_pairs(counts: Sequence[int], melds: int, free: int) -> Iterator[Filling]:
    singles = tuple([kind for kind, count in enumerate(counts) if count & 1])
    left = free - len(singles)
    if melds or left < 0 or left & 1:
        return
    for pairs in combinations_with_replacement(range(KINDS_WITHOUT_FLOWERS), left // 2):
        yield tuple(sorted(singles + pairs + pairs))


def _thirteen_orphans(counts: Sequence[int], melds: int, free: int) -> Iterator[Filling]:
    if melds or any(count and not ORPHANS >> kind & 1 for kind, count in enumerate(counts)):
        return
    orphans = [kind for kind in range(KINDS_WITHOUT_FLOWERS) if ORPHANS >> kind & 1]
    missing = [kind for kind in orphans if not counts[kind]]
    if len(missing) == free:
        if max(counts) <= 2:
            yield tuple(missing)
    elif len(missing) == free - 1 and max(counts) < 2:
        for kind in orphans:
            yield tuple(sorted([*missing, kind]))


def _honors_knitted(counts: Sequence[int], melds: int, free: int) -> Iterator[Filling]:
    held = sum(1 << kind for kind, count in enumerate(counts) if count)
    if melds or max(counts) > 1:
        return
    for knitted in KNITTED:
        if not held & ~(knitted | HONORS):
            others = (knitted | HONORS) & ~held
            pool = [kind for kind in range(KINDS_WITHOUT_FLOWERS) if others >> kind & 1]
            yield from combinations(pool, free)


def _knitted_straight(counts: Sequence[int], melds: int, free: int) -> Iterator[Filling]:
    if melds > 1:
        return
    for knitted in KNITTED:
        left = list(counts)
        missing = []
        for kind in range(27):
            if knitted >> kind & 1:
                if left[kind]:
                    left[kind] -= 1
                else:
                    missing.append(kind)
        if len(missing) <= free:
            for rest in _sets_and_pair(left, melds, free - len(missing)):
                yield tuple(sorted([*missing, *rest]))


def _by_trying(shape: Shape, counts: Sequence[int], free: int) -> Iterator[Filling]:
    """Yield the fillings of a shape that only tells complete hands."""
    tiles = [TILES[kind] for kind, count in enumerate(counts) for _ in range(count)]
    for filling in combinations_with_replacement(range(KINDS_WITHOUT_FLOWERS), free):
        if all(counts[kind] + filling.count(kind) <= 4 for kind in filling):
            full = [*tiles, *[TILES[kind] for kind in filling]]
            if shape.readings(Hand((), tuple(full[1:]), full[0])):
                yield filling


_FORMS: dict[str, Callable[[Sequence[int], int, int], Iterator[Filling]]] = {
    "regular": _sets_and_pair,
    "seven_pairs": _seven_pairs,
    "thirteen_orphans": _thirteen_orphans,
    "honors_knitted": _honors_knitted,
    "knitted_straight": _knitted_straight,
}


# ---- kongs of wild tiles ----


def kongs_last(reading: Reading, kongs: int) -> Reading:
    """Return the reading with the kongs of these kinds (a mask) behind all other pungs."""
    pungs = tuple(sorted(reading.pungs, key=lambda kind: (kongs >> kind & 1, kind)))
    return reading.with_pungs(pungs)
