"""Shapes that are not sets and a pair: their distances and waits, against every hand that has the shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.notation import format_tiles, parse_hand, parse_tiles
from rules.shapes import (
    ALL_258,
    HONORS_KNITTED,
    KNITTED_STRAIGHT,
    REGULAR,
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    Shape,
)
from rules.special import (
    honors_knitted_distance,
    knitted_straight_distance,
    thirteen_orphans_distance,
)
from rules.tiles import TILES, counts34
from rules.useful import useful_mask
from rules.wait_mask import wait_mask

Counts = tuple[int, ...]
MCR_SHAPES = (REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, HONORS_KNITTED, KNITTED_STRAIGHT)
FAR = 99

# ---- every complete hand of a shape, written from its definition and not from the code ----

KNITTED = [parse_tiles(f"{one}m {two}p {three}s") for one, two, three in permutations(("147", "258", "369"))]
HONORS = parse_tiles("ESWNCFP")
ORPHANS = parse_tiles("19m 19p 19s ESWNCFP")
PAIRS = [(tile, tile) for tile in TILES[:34]]
SETS = [(tile,) * 3 for tile in TILES[:34]] + [
    TILES[start : start + 3] for start in range(27) if start % 9 < 7
]


def counted(tiles: Sequence[object]) -> Counts:
    return tuple(counts34(tiles))  # type: ignore[arg-type]


@cache
def orphan_hands() -> list[Counts]:
    return [counted([*ORPHANS, twice]) for twice in ORPHANS]


@cache
def honors_knitted_hands() -> list[Counts]:
    return [counted(chosen) for each in KNITTED for chosen in combinations([*each, *HONORS], 14)]


@cache
def knitted_straight_hands(sets: int) -> list[Counts]:
    """Every knitted straight, those with a fifth copy too; without its set where a meld is the set."""
    third: Iterator[Sequence[object]] = iter(SETS if sets else [()])
    return [counted([*each, *one, *pair]) for one in third for each in KNITTED for pair in PAIRS]


def legal(hands: list[Counts]) -> list[Counts]:
    return [hand for hand in hands if max(hand) <= 4]


def missing(counts: Counts, hands: list[Counts]) -> int:
    kinds = [index for index in range(34) if counts[index]]
    size = sum(hands[0])
    return min(size - sum(min(counts[index], hand[index]) for index in kinds) for hand in hands)


@st.composite
def hands_near(draw: st.DrawFn, hands: list[Counts], size: int) -> Counts:
    """Draw a hand of `size` tiles that shares many with one of `hands`, four copies respected."""
    wanted = draw(st.sampled_from(hands))
    deck = draw(st.permutations([index for index in range(34) for _ in range(4)]))
    keep = draw(st.integers(0, size))
    pool = draw(st.permutations([index for index in range(34) for _ in range(wanted[index])]))
    counts = [0] * 34
    for index in [*pool[:keep], *deck]:
        if counts[index] < 4 and sum(counts) < size:
            counts[index] += 1
    return tuple(counts)


# ---- distances ----


@pytest.mark.parametrize(
    ("text", "orphans", "knitted", "straight"),
    [
        ("19m 19p 19s ESWNCFP + P", 0, 5, 9),
        ("19m 19p 19s ESWNCFP", 1, 5, 10),
        ("1199m 19p 119s ESWN", 3, 8, 8),
        ("147m 258p 369s ESWNC", 7, 0, 3),
        ("147m 258p 36s ESWNC", 8, 1, 4),
        ("17m 369p 8s ESWNCFP", 5, 1, 6),
        ("147m 258p 369s 123m EE", 10, 4, 0),
        ("147m 258p 369s 123m E", 10, 4, 1),
        ("147m 258p 369s 2222m", 12, 5, 2),
        ("1111m 47m 258p 369s E", 10, 4, 1),
        ("[EEE] 147m 258p 369s 5s", FAR, FAR, 1),
        ("(EEEE) 147m 258p 369s 5s + 5s", FAR, FAR, 0),
        ("[EEE][CCC] 147m 258p 3s", FAR, FAR, FAR),
        ("2222m 3333m 4444m 5m", 14, 12, 7),
    ],
)
def test_distance(text: str, orphans: int, knitted: int, straight: int) -> None:
    hand = parse_hand(text)
    found = [
        measure(hand.counts, len(hand.melds))
        for measure in (thirteen_orphans_distance, honors_knitted_distance, knitted_straight_distance)
    ]
    assert found == [orphans, knitted, straight]


@given(st.data(), st.sampled_from([13, 14]))
def test_distances_are_those_to_the_nearest_of_all_hands(data: st.DataObject, size: int) -> None:
    counts = data.draw(hands_near(honors_knitted_hands() + orphan_hands(), size))
    assert thirteen_orphans_distance(counts, 0) == missing(counts, orphan_hands())
    assert honors_knitted_distance(counts, 0) == missing(counts, honors_knitted_hands())


@given(st.data(), st.sampled_from([10, 11, 13, 14]))
def test_a_knitted_straight_is_as_far_as_the_nearest_of_all(data: st.DataObject, size: int) -> None:
    hands = legal(knitted_straight_hands(size // 3 - 3))
    counts = data.draw(hands_near(hands, size))
    assert knitted_straight_distance(counts, 4 - size // 3) == missing(counts, hands)


NEAR = {
    "regular": [counted([*SETS[3], *SETS[40], *SETS[41], *SETS[50], *PAIRS[4]])],
    "seven_pairs": [tuple(2 * (index in (0, 4, 9, 13, 20, 27, 31)) for index in range(34))],
    "all_258": [counted(parse_tiles("2222558m 225p 2588s"))],
    "thirteen_orphans": orphan_hands(),
    "honors_knitted": honors_knitted_hands(),
    "knitted_straight": legal(knitted_straight_hands(1)),
}


@pytest.mark.parametrize("shape", [*MCR_SHAPES, ALL_258], ids=lambda shape: shape.key)
@given(data=st.data())
def test_a_useful_tile_brings_the_shape_nearer_and_no_other_does(shape: Shape, data: st.DataObject) -> None:
    melds = data.draw(st.sampled_from([0, 1]))
    counts = list(data.draw(hands_near(NEAR[shape.key], 13 - 3 * melds)))
    now = shape.distance(counts, melds)
    expected = 0
    for index in range(34):
        counts[index] += 1
        expected |= (counts[index] <= 4 and shape.distance(counts, melds) < now) << index
        counts[index] -= 1
    assert useful_mask(shape, counts, melds, now) == expected


# ---- waits, as masks of kinds ----


def is_regular(counts: list[int], *, pair: bool = True) -> bool:
    """Return whether the tiles are sets and a pair, by taking every possible group from the lowest kind."""
    first = next((index for index, count in enumerate(counts) if count), None)
    if first is None:
        return not pair
    groups: list[tuple[tuple[int, ...], bool]] = [((first,) * 3, pair)]
    groups += [((first,) * 2, False)] if pair else []
    groups += [((first, first + 1, first + 2), pair)] if first < 27 and first % 9 < 7 else []
    for group, still in groups:
        left = list(counts)
        for index in group:
            left[index] -= 1
        if min(left) >= 0 and is_regular(left, pair=still):
            return True
    return False


def is_complete(counts: list[int], shape: Shape) -> bool:
    size = sum(counts)
    if shape is REGULAR:
        return is_regular(counts)
    if shape is KNITTED_STRAIGHT:
        return size in (11, 14) and tuple(counts) in _set_of_knitted_straights(size // 3 - 3)
    if shape is SEVEN_PAIRS:
        return size == 14 and not any(count % 2 for count in counts)
    return tuple(counts) in (orphan_hands() if shape is THIRTEEN_ORPHANS else honors_knitted_hands())


@cache
def _set_of_knitted_straights(sets: int) -> frozenset[Counts]:
    return frozenset(knitted_straight_hands(sets))


def waits_by_trying(counts: Counts, shape: Shape) -> int:
    mask = 0
    for index in range(34):
        drawn = [*counts[:index], counts[index] + 1, *counts[index + 1 :]]
        mask |= is_complete(drawn, shape) << index
    return mask


@st.composite
def regular_hands(draw: st.DrawFn, sets: int) -> Counts:
    """Draw sets and a pair, often of few kinds so that groups overlap; a fifth copy may occur."""
    base = draw(st.sampled_from([SETS, [each for each in SETS if each[0].suit == "m"]]))
    chosen = draw(st.lists(st.sampled_from(base), min_size=sets, max_size=sets))
    pair = draw(st.sampled_from(PAIRS[:9] if len(base) < 30 else PAIRS))
    return counted([*(tile for each in chosen for tile in each), *pair])


def all_pairs() -> st.SearchStrategy[Counts]:
    kinds = st.lists(st.integers(0, 33), min_size=7, max_size=7)
    return kinds.map(lambda chosen: tuple(2 * chosen.count(index) for index in range(34)))


COMPLETE = {
    "regular": st.integers(1, 4).flatmap(regular_hands),
    "seven_pairs": all_pairs(),
    "thirteen_orphans": st.sampled_from(orphan_hands()),
    "honors_knitted": st.sampled_from(honors_knitted_hands()),
    "knitted_straight": st.integers(0, 1).flatmap(lambda sets: st.sampled_from(knitted_straight_hands(sets))),
}


@pytest.mark.parametrize("shape", MCR_SHAPES, ids=lambda shape: shape.key)
@given(data=st.data())
def test_waits_are_found_by_trying_every_kind(shape: Shape, data: st.DataObject) -> None:
    complete = data.draw(COMPLETE[shape.key])
    taken = data.draw(st.sampled_from([index for index in range(34) if complete[index]]))
    ready = list(complete)
    ready[taken] -= 1
    if max(ready) > 4:
        return
    melds = (13 - sum(ready)) // 3
    mask = wait_mask(ready, melds, (shape,))
    assert mask >> taken & 1
    assert mask == waits_by_trying(tuple(ready), shape)
    odd = data.draw(st.integers(0, 33).filter(lambda index: index != taken and ready[index] < 4))
    gone = data.draw(st.sampled_from([index for index in range(34) if ready[index]]))
    ready[odd] += 1
    ready[gone] -= 1
    assert wait_mask(ready, melds, (shape,)) == waits_by_trying(tuple(ready), shape)


@given(st.permutations([index for index in range(34) for _ in range(4)]), st.integers(0, 4))
def test_dealt_hands_wait_for_what_brings_their_distance_to_zero(deck: list[int], melds: int) -> None:
    counts = [0] * 34
    for index in deck[: 13 - 3 * melds]:
        counts[index] += 1
    for shape in MCR_SHAPES:
        expected = 0
        for index in range(34):
            counts[index] += 1
            if counts[index] <= 4 and shape.distance(counts, melds) == 0:
                expected |= 1 << index
            counts[index] -= 1
        assert wait_mask(counts, melds, (shape,)) & ~_fours(counts) == expected


def _fours(counts: list[int]) -> int:
    return sum(1 << index for index, count in enumerate(counts) if count == 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("19m 19p 19s ESWNCFP", "19m 19p 19s ESWNCFP"),
        ("119m 19p 19s ESWNCF", "P"),
        ("11199m 19p 19s ESWN", ""),
        ("17m 369p 8s ESWNCFP", "4m 25s"),
        ("147m 258p 369s ESWN", "CFP"),
        ("147m 258p 36s EEEE SWNC", ""),
        ("147m 258p 369s 23m EE", "14m"),
        ("147m 258p 369s 123m E", "E"),
        ("147m 258p 369s EECC", "EC"),
        ("147m 258p 36s 123m EE", "9s"),
        ("147m 258p 369s 2222m", "2m"),
        ("[EEE] 147m 258p 369s 5s", "5s"),
        ("[EEE] 147m 258p 36s 55s", "9s"),
        ("[EEE] 147m 258p 36s 5s C", ""),
        ("147m 258p 36s 234m EC", ""),
        ("1111m 22223333m 4m", "12345m"),
        ("1122m 3344p 5566s E", "E"),
        ("112233m 445566m E", "E"),
        ("22m 5566p 1155s EEE", "E"),
    ],
)
def test_waits_in_any_shape(text: str, expected: str) -> None:
    hand = parse_hand(text)
    mask = wait_mask(hand.counts, len(hand.melds), MCR_SHAPES)
    assert format_tiles(tile for tile in TILES[:34] if mask >> tile.index & 1) == expected
