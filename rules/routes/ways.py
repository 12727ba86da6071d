"""One way to reach a sum of patterns: blocks it asks for, and what the others may be, group by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from rules.routes.blocks import ANY, GROUP_OF, GROUPS, Admits, Block, Template
from rules.routes.cost import PAIR, SET, Bits

_NO_BLOCK: Bits = (1 << SET) - 1
_ONE_BLOCK: Bits = _NO_BLOCK << SET | _NO_BLOCK << PAIR


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a way asks of one group: the free blocks (bits of ranks) and the tiles its own sets take."""

    at: int
    chows: int
    pungs: int
    pairs: int
    fixed: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to reach a sum of patterns with sets and a pair, as the standing tiles see it.

    Attributes:
        asked: the sets that must be among all blocks, melds included.
        sets, pair: those of them that are not melded.
        free: how many more sets there are, of any kind that `admits` allows.
        parts: sets, pair and free blocks as each group sees them; equal parts are one object.
        cells: where groups are bound to one block each, which costs of each group count; else empty.
        plain: no two of `sets` and `pair` share a kind, so that what they lack may be added up.
        fixed: kinds and how many tiles of them `sets` and `pair` take.
        blocks: `sets` and the two tiles of `pair`.
        cell: a number for `free` and whether the pair is free.
    """

    admits: Admits
    asked: tuple[Block, ...]
    sets: tuple[Block, ...]
    pair: int | None
    free: int
    parts: tuple[Part, ...]
    cells: tuple[Bits, ...]
    plain: bool
    fixed: tuple[tuple[int, int], ...]
    blocks: tuple[Block, ...]
    cell: int


def make_way(
    admits: Admits, template: Template, room: int, one_of_each: bool, melds: tuple[Block, ...] = ()
) -> Way | None:
    """Return the way of a template in a hand of `room` sets, some of them melded; None if there is none."""
    sets = _less(template.sets, melds)
    free = room - len(melds) - len(sets)
    if free < 0 or not all(admits.block(block) for block in (*melds, *sets)):
        return None
    if template.pair is not None and not admits.pair(template.pair):
        return None
    cells = _cells(admits, [*melds, *sets], template.pair) if one_of_each else ()
    fixed = taken(sets, template.pair)
    if cells is None or max((fixed + taken(melds, None)).values(), default=0) > 4:
        return None
    blocks = sets if template.pair is None else (*sets, (template.pair, template.pair))
    return Way(
        admits,
        template.sets,
        sets,
        template.pair,
        free,
        _parts(admits, sets, template.pair),
        cells,
        all(set(one).isdisjoint(two) for one, two in combinations(blocks, 2)),
        tuple(fixed.items()),
        blocks,
        2 * free + (template.pair is None),
    )


def under(way: Way, melds: tuple[Block, ...], room: int) -> Way | None:
    """Return the way of a hand without melds as a hand with these melds sees it; None if they shut it."""
    if len(way.sets) + len(melds) > room and not set(way.sets) & set(melds):
        return None
    return make_way(way.admits, Template(way.asked, way.pair), room, bool(way.cells), melds)


def merged(templates: Sequence[Template]) -> Template | None:
    """Return the least that holds all templates; one set may serve several. None: two different pairs."""
    pairs = {template.pair for template in templates if template.pair is not None}
    if len(pairs) > 1:
        return None
    sets: Counter[Block] = Counter()
    for template in templates:
        sets |= Counter(template.sets)
    return Template(tuple(sorted(sets.elements())), min(pairs, default=None))


def asks_less(one: Way, other: Way) -> bool:
    """Return whether every hand of the other way is one of this way too."""
    return (
        (one.pair is None or one.pair == other.pair)
        and bool(one.cells) <= bool(other.cells)
        and (not one.asked or not _less(one.asked, other.asked))
        and other.admits <= one.admits
    )


def taken(blocks: Iterable[Block], pair: int | None) -> Counter[int]:
    """Return how many tiles of each kind sets and a pair take."""
    counts = Counter(kind for block in blocks for kind in block)
    if pair is not None:
        counts[pair] += 2
    return counts


def _less(blocks: tuple[Block, ...], gone: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks without those that are gone, each taken away once."""
    if not any(block in blocks for block in gone):
        return blocks
    left = list(blocks)
    for block in gone:
        if block in left:
            left.remove(block)
    return tuple(left)


def _cells(admits: Admits, sets: Sequence[Block], pair: int | None) -> tuple[Bits, ...] | None:
    """Return the costs that count where each group has exactly one block; None if two are in one already."""
    firsts = [block[0] for block in sets] + ([] if pair is None else [pair])
    full = [GROUP_OF[kind] for kind in firsts]
    allowed = admits.chows | admits.pungs | admits.pairs
    is_spread = all(any(allowed >> kind & 1 for kind in group) for group in GROUPS)
    if len(set(full)) < len(full) or not is_spread:
        return None
    return tuple(_NO_BLOCK if at in full else _ONE_BLOCK for at in range(len(GROUPS)))


@lru_cache(maxsize=1 << 14)
def _parts(admits: Admits, sets: tuple[Block, ...], pair: int | None) -> tuple[Part, ...]:
    fixed = taken(sets, pair)
    parts = []
    for at, group in enumerate(GROUPS):
        ranks = (1 << len(group)) - 1
        masks = (mask >> group.start & ranks for mask in (admits.chows, admits.pungs, admits.pairs))
        parts.append(_part(at, *masks, tuple(fixed[kind] for kind in group)))
    return tuple(parts)


@cache
def _part(at: int, chows: int, pungs: int, pairs: int, fixed: tuple[int, ...]) -> Part:
    return Part(at, chows, pungs, pairs, fixed)


ANY_PARTS = _parts(ANY, (), None)
