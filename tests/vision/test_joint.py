"""The rules of a hand choose among what the pixels support, and nothing else."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.joint import COPIES, FLOOR, FLOWERS, ODD, REST, Decoded, Group, decode, is_legal
from vision.readings import BACK

Tile = Mapping[str, float]


def alone(count: int, kind: str = "free") -> list[Group]:
    return [Group((index,), kind) for index in range(count)]  # type: ignore[arg-type]


def sure(face: str, chance: float = 0.99) -> Tile:
    return {face: chance}


def test_where_nothing_is_excluded_nothing_changes() -> None:
    tiles = [{"1m": 0.6, "2m": 0.3}, sure("5p"), {"E": 0.04}]
    done = decode(tiles, alone(3))
    assert done.touched == frozenset()
    assert done.labels == ("1m", "5p", None)
    assert [dict(row) for row in done.chances] == [{"1m": 0.6, "2m": 0.3}, {"5p": 0.99}, {}]


def test_the_fifth_copy_is_what_else_it_looks_like() -> None:
    tiles = [*[sure("4s")] * 4, {"4s": 0.6, "3s": 0.39}]
    done = decode(tiles, alone(5))
    assert done.labels == ("4s",) * 4 + ("3s",)
    assert done.chances[4]["3s"] > 0.9
    assert done.touched == frozenset(range(5))


def test_five_sure_copies_stay_a_doubt() -> None:
    done = decode([sure("4s")] * 5, alone(5))
    assert sorted(done.labels, key=str) == ["4s"] * 4 + [None]
    assert all(row["4s"] == pytest.approx(0.8, abs=0.01) for row in done.chances)


def test_a_flower_is_there_once() -> None:
    done = decode([sure("a"), {"a": 0.5, "b": 0.49}], alone(2, "flower"))
    assert done.labels == ("a", "b")


MELDS = [
    ("a pung", [sure("5p"), sure("5p"), {"6p": 0.6, "5p": 0.39}], "meld", ("5p", "5p", "5p")),
    ("a chow", [sure("3m"), {"6m": 0.6, "4m": 0.39}, sure("5m")], "meld", ("3m", "4m", "5m")),
    ("a kong", [sure("C"), sure("C"), {"F": 0.7, "C": 0.29}, sure("C")], "meld", ("C",) * 4),
    ("an added kong", [sure("9s"), sure("9s"), sure("9s"), {"8s": 0.6, "9s": 0.39}], "added", ("9s",) * 4),
    ("strangers stay strangers", [sure("P"), sure("P"), sure("N")], "meld", ("P", "P", "N")),
    ("what is not supported", [sure("5p"), sure("5p"), {"6p": 0.96, "5p": 0.03}], "meld", ("5p", "5p", None)),
    ("a concealed kong", [{BACK: 0.9}, sure("5s"), {"6s": 0.6, "5s": 0.39}, {"P": 0.5, BACK: 0.49}], "ends",
     (BACK, "5s", "5s", BACK)),
    ("white dragons at both ends of a part of the row",
     [{"P": 0.9, BACK: 0.09}, sure("5s"), sure("7s"), {"P": 0.9, BACK: 0.09}], "ends",
     ("P", "5s", "7s", "P")),
    ("no back in the row", [{BACK: 0.55, "P": 0.44}], "free", ("P",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("tiles", "kind", "labels"), [row[1:] for row in MELDS], ids=[row[0] for row in MELDS]
)
def test_groups(tiles: list[Tile], kind: str, labels: tuple[str | None, ...]) -> None:
    done = decode(tiles, [Group(tuple(range(len(tiles))), kind)])  # type: ignore[arg-type]
    assert done.labels == labels


def test_a_concealed_kong_holds_all_four() -> None:
    tiles = [sure(BACK), sure("5s"), sure("5s"), sure(BACK), {"5s": 0.6, "6s": 0.39}]
    done = decode(tiles, [Group((0, 1, 2, 3), "ends"), Group((4,))])
    assert done.labels[4] == "6s"


def test_the_size_of_the_hand_tells_a_kong_from_a_part_of_the_row() -> None:
    ends = [{"P": 0.5, BACK: 0.45}, sure("5s"), sure("5s"), {"P": 0.5, BACK: 0.45}]
    rest = [sure(f"{1 + at % 9}{'mp'[at // 9]}") for at in range(11)]
    groups = [Group((0, 1, 2, 3), "ends"), *(Group((4 + at,)) for at in range(11))]
    with_kong = decode([*ends, *rest], groups, sizes=frozenset({14, 17}))
    assert with_kong.labels[:4] == (BACK, "5s", "5s", BACK)
    without = decode([*ends, *rest[:10]], groups[:-1], sizes=frozenset({14, 17}))
    assert without.labels[:4] == ("P", "5s", "5s", "P")


def brute_force(tiles: Sequence[Tile], groups: Sequence[Group]) -> list[dict[str, float]]:
    """The same sums over every labelling at once."""
    columns = []
    for tile in tiles:
        kept = [(face, chance) for face, chance in tile.items() if chance >= FLOOR]
        columns.append([*kept, (None, max(REST, 1.0 - sum(chance for _, chance in kept)))])
    sums: list[Counter[str]] = [Counter() for _ in tiles]
    total = 0.0
    for row in itertools.product(*columns):
        weight = 1.0
        for _, chance in row:
            weight *= chance
        counts = Counter(face for face, _ in row if face not in (None, BACK))
        for group in groups:
            labels = tuple(row[index][0] for index in group.indices)
            if None not in labels and not is_legal(group.kind, labels):
                weight *= ODD
        if any(count > (1 if face in FLOWERS else COPIES) for face, count in counts.items()):
            continue
        total += weight
        for place, (face, _) in enumerate(row):
            if face is not None:
                sums[place][face] += weight
    return [{face: weight / total for face, weight in row.items()} for row in sums]


FACES = ["1m", "2m", "3m", "a"]
tile_of = st.lists(
    st.tuples(st.sampled_from(FACES), st.sampled_from([0.02, 0.06, 0.2, 0.3, 0.45])), max_size=3
).map(lambda rows: dict(rows)) | st.sampled_from(FACES).map(lambda face: {face: 0.99})


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[Tile], list[Group]]:
    """Up to 8 tiles of few faces, so that they contend; perhaps a meld first."""
    tiles = draw(st.lists(tile_of, min_size=1, max_size=8))
    melded = 3 if len(tiles) > 3 and draw(st.booleans()) else 0
    groups = [Group((0, 1, 2), "meld")] if melded else []
    return tiles, groups + [Group((index,)) for index in range(melded, len(tiles))]


@given(hands())
@settings(max_examples=60, deadline=None)
def test_the_sums_are_exact(hand: tuple[list[Tile], list[Group]]) -> None:
    tiles, groups = hand
    done = decode(tiles, groups)
    for index, row in enumerate(brute_force(tiles, groups)):
        if index in done.touched:
            assert dict(done.chances[index]) == pytest.approx(row)


def picture(done: Decoded, tiles: Sequence[Tile], groups: Sequence[Group]) -> Counter[object]:
    """What was answered for whom, whatever the order; a group keeps its own order."""
    return Counter(
        tuple(
            (
                tuple(sorted(tiles[i].items())),
                done.labels[i],
                tuple((f, round(c, 9)) for f, c in done.chances[i].items()),
            )
            for i in group.indices
        )
        for group in groups
    )


@given(hands(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_the_tiles_changes_nothing(hand: tuple[list[Tile], list[Group]], chance: object) -> None:
    tiles, groups = hand
    order = list(range(len(tiles)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    place = {old: new for new, old in enumerate(order)}
    moved = [tiles[old] for old in order]
    shuffled = [Group(tuple(place[i] for i in group.indices), group.kind) for group in groups]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert picture(decode(tiles, groups), tiles, groups) == picture(decode(moved, shuffled), moved, shuffled)


@given(hands())
@settings(max_examples=100, deadline=None)
def test_what_the_pixels_hardly_support_is_never_chosen_nor_raised(
    hand: tuple[list[Tile], list[Group]],
) -> None:
    tiles, groups = hand
    done = decode(tiles, groups)
    for tile, label, row in zip(tiles, done.labels, done.chances, strict=True):
        assert all(tile[face] >= FLOOR for face in row)
        assert label is None or label in row
        assert sum(row.values()) <= 1.0 + 1e-9 or sum(tile.values()) > 1.0


@given(hands())
@settings(max_examples=100, deadline=None)
def test_no_answer_has_a_face_too_often(hand: tuple[list[Tile], list[Group]]) -> None:
    counts = Counter(label for label in decode(*hand).labels if label is not None)
    assert all(count <= (1 if face in FLOWERS else COPIES) for face, count in counts.items())


def test_a_hand_of_doubts_is_answered() -> None:
    """Eighteen tiles, each one of five faces: more ways to count than are kept."""
    faces = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)][:20]
    tiles = [{faces[(at * 3 + step) % 20]: 0.19 for step in range(5)} for at in range(18)]
    done = decode(tiles, alone(18))
    assert len(done.labels) == 18
    assert all(sum(row.values()) <= 1.0 + 1e-9 for row in done.chances)


def test_what_has_nothing_to_do_with_each_other_is_read_apart() -> None:
    """Eight faces, each of them perhaps there five times: together more ways to count than are kept."""
    alone_each = [[*[sure(f"{rank}m", 0.9)] * 4, {f"{rank}m": 0.5, f"{rank}p": 0.4}] for rank in range(1, 9)]
    together = decode([tile for tiles in alone_each for tile in tiles], alone(40))
    for number, tiles in enumerate(alone_each):
        done = decode(tiles, alone(5))
        here = slice(5 * number, 5 * number + 5)
        assert together.labels[here] == done.labels
        for one, other in zip(together.chances[here], done.chances, strict=True):
            assert dict(one) == pytest.approx(dict(other))
