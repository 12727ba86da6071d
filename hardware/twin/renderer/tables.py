"""Random tables that look like play, for training and evaluation: a pure function of a seed.

No rules are asked: a hand is built from sets of one shuffled tile set, so no face appears five times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hardware.tiles import TILE_TEXTS
from hardware.twin.scene import BACK, PlacedDie, PlacedTile, Scene

from .geometry import geometry
from .layout import LaidMeld, Nudge, hand_width, lay_hand, lay_river, lay_wall, stand_hand

KINDS = ("empty", "walls", "play", "reveal")
_WEIGHTS = (0.05, 0.08, 0.17, 0.70)


@dataclass(frozen=True, slots=True)
class Table:
    """A scene and what is true of it; `melds`, `concealed`, `win_tile` are the revealed hand of `side`."""

    scene: Scene
    kind: str
    side: int | None = None
    melds: tuple[LaidMeld, ...] = ()
    concealed: tuple[str, ...] = ()
    win_tile: str | None = None
    stacks: tuple[tuple[int, ...], ...] = ()


@dataclass
class _Bag:
    """The tiles not yet on the table."""

    rng: np.random.Generator
    left: Counter[str] = field(default_factory=Counter)

    def take(self, face: str) -> str:
        self.left[face] -= 1
        return face

    def any(self) -> str:
        faces = [face for face, count in sorted(self.left.items()) if count > 0]
        counts = np.array([self.left[face] for face in faces], float)
        return self.take(str(self.rng.choice(faces, p=counts / counts.sum())))

    def of_a_kind(self, count: int) -> tuple[str, ...]:
        faces = [face for face, held in sorted(self.left.items()) if held >= count]
        face = str(self.rng.choice(faces))
        return tuple(self.take(face) for _ in range(count))

    def chow(self) -> tuple[str, ...]:
        starts = [
            (f"{rank}{suit}", f"{rank + 1}{suit}", f"{rank + 2}{suit}")
            for suit in "mps"
            for rank in range(1, 8)
        ]
        free = [faces for faces in starts if all(self.left[face] > 0 for face in faces)]
        faces = free[int(self.rng.integers(len(free)))]
        return tuple(self.take(face) for face in faces)


def random_table(seed: int, kind: str | None = None, tiles: int | None = None) -> Table:
    """Return a random table; `kind` is one of KINDS, `tiles` 136 or 144, drawn from the seed if not given."""
    rng = np.random.default_rng([seed, 0x7AB1E])
    kind = kind or str(rng.choice(KINDS, p=_WEIGHTS))
    tiles = tiles or int(rng.choice((136, 144)))
    bag = _Bag(rng)
    for face in TILE_TEXTS[: 34 if tiles == 136 else 42]:
        bag.left[face] = 1 if face in "abcdefgh" else 4
    nudge = _unevenness(rng)
    lamp = int(rng.integers(0, 5))
    dice = _dice(rng)
    if kind == "empty":
        return Table(Scene((), dice if rng.random() < 0.8 else (), lamp, bool(rng.random() < 0.2)), kind)
    if kind == "walls":
        stacks = _walls(rng, tiles, 0)
        placed = [tile for side in (1, 2, 3, 4) for tile in lay_wall(side, stacks[side - 1], nudge)]
        return Table(Scene(tuple(placed), dice, lamp), kind, stacks=stacks)
    return _hands(rng, bag, kind, tiles, nudge, dice, lamp)


def _hands(
    rng: np.random.Generator,
    bag: _Bag,
    kind: str,
    tiles: int,
    nudge: Nudge,
    dice: tuple[PlacedDie, ...],
    lamp: int,
) -> Table:
    """Return a table in play or with one hand revealed."""
    winner = int(rng.integers(1, 5)) if kind == "reveal" else None
    placed: list[PlacedTile] = []
    melds: tuple[LaidMeld, ...] = ()
    concealed: tuple[str, ...] = ()
    win_tile: str | None = None
    turns = int(rng.integers(0, 29))
    for side in (1, 2, 3, 4):
        if side == winner:
            melds, concealed, win_tile = _winning_hand(rng, bag)
            width = hand_width(melds, len(concealed), True)
            geo = geometry()
            room = geo.hand_x[1] - geo.hand_x[0] - width
            left = geo.hand_x[0] + room * float(rng.uniform(0.15, 0.85)) if rng.random() < 0.7 else None
            placed += lay_hand(side, melds, concealed, win_tile, nudge, left)
            continue
        count = int(rng.choice(5, p=(0.45, 0.25, 0.15, 0.1, 0.05)))
        sets = tuple(_meld(rng, bag) for _ in range(count))
        rest = 13 - 3 * count
        if kind == "reveal" and rng.random() < 0.25:
            placed += lay_hand(side, sets, [BACK] * rest, None, nudge)
        else:
            placed += stand_hand(side, sets, rest, nudge)
    for side in (1, 2, 3, 4):
        length = min(28, max(0, turns // 1 + int(rng.integers(-2, 3)))) if turns else 0
        length = min(length, sum(bag.left.values()) // 4)
        placed += lay_river(side, [bag.any() for _ in range(length)], nudge)
    drawn = min(tiles - 16, 53 + 4 * turns)
    stacks = _walls(rng, tiles, drawn)
    for side in (1, 2, 3, 4):
        placed += lay_wall(side, stacks[side - 1], nudge)
    return Table(Scene(tuple(placed), dice, lamp), kind, winner, melds, concealed, win_tile, stacks)


def _meld(rng: np.random.Generator, bag: _Bag) -> LaidMeld:
    kind = str(
        rng.choice(
            ("chow", "pung", "exposed_kong", "added_kong", "concealed_kong"), p=(0.36, 0.3, 0.11, 0.11, 0.12)
        )
    )
    if kind == "chow":
        faces = list(bag.chow())
        claimed = int(rng.integers(3))
        faces.insert(0, faces.pop(claimed))  # the claimed tile lies sideways at the left
        return LaidMeld(kind, tuple(faces), 1)
    faces_alike = bag.of_a_kind(3 if kind == "pung" else 4)
    return LaidMeld(kind, faces_alike, None if kind == "concealed_kong" else int(rng.integers(1, 4)))


def _winning_hand(rng: np.random.Generator, bag: _Bag) -> tuple[tuple[LaidMeld, ...], tuple[str, ...], str]:
    """Return melds, the concealed row and the winning tile of a hand that could win, or of any tiles."""
    draw = float(rng.random())
    count = int(rng.choice(5, p=(0.34, 0.26, 0.2, 0.12, 0.08)))
    if draw < 0.25:  # any tiles: every face is met equally often
        melds = tuple(_meld(rng, bag) for _ in range(count))
        faces = [bag.any() for _ in range(14 - 3 * count)]
    elif draw < 0.32:
        melds = ()
        faces = [face for _ in range(7) for face in bag.of_a_kind(2)]
    else:
        melds = tuple(_meld(rng, bag) for _ in range(count))
        sets = [bag.chow() if rng.random() < 0.6 else bag.of_a_kind(3) for _ in range(4 - count)]
        faces = [face for group in (*sets, bag.of_a_kind(2)) for face in group]
    win_tile = faces.pop(int(rng.integers(len(faces))))
    if rng.random() < 0.75:
        faces.sort(key=TILE_TEXTS.index)
    return melds, tuple(faces), win_tile


def _walls(rng: np.random.Generator, tiles: int, drawn: int) -> tuple[tuple[int, ...], ...]:
    """Return tiles per stack for each side after `drawn` tiles left: most at the head, a few at the tail."""
    per_side = tiles // 8
    ring = [2] * (4 * per_side)
    start = int(rng.integers(len(ring)))
    from_tail = int(rng.integers(0, 5)) if drawn else 0
    for _ in range(max(0, drawn - from_tail)):
        while ring[start % len(ring)] == 0:
            start += 1
        ring[start % len(ring)] -= 1
    tail = start - 1
    for _ in range(from_tail):
        while ring[tail % len(ring)] == 0:
            tail -= 1
        ring[tail % len(ring)] -= 1
    return tuple(tuple(ring[side * per_side : (side + 1) * per_side]) for side in range(4))


def _dice(rng: np.random.Generator) -> tuple[PlacedDie, ...]:
    dice: list[PlacedDie] = []
    wanted = int(rng.choice((0, 1, 2, 3), p=(0.02, 0.03, 0.92, 0.03)))
    while len(dice) < wanted:
        radius, angle = 46 * float(np.sqrt(rng.random())), float(rng.uniform(0, 2 * np.pi))
        x, y = radius * float(np.cos(angle)), radius * float(np.sin(angle))
        if all(np.hypot(x - other.x_mm, y - other.y_mm) > 28.5 for other in dice):
            dice.append(PlacedDie(int(rng.integers(1, 7)), x, y, float(rng.uniform(0, 360))))
    return tuple(dice)


def _unevenness(rng: np.random.Generator) -> Nudge:
    """Return the nudges of hands more or less steady; a few tiles lie quite askew."""
    shift, turn = float(rng.uniform(0.1, 1.0)), float(rng.uniform(0.1, 1.8))

    def nudge() -> tuple[float, float, float]:
        loose = 2.2 if rng.random() < 0.03 else 1.0
        dx, dy = (float(value) for value in np.clip(rng.normal(0, shift, 2), -1.4, 1.4))
        return dx, dy * loose, float(np.clip(rng.normal(0, turn * loose), -7, 7))

    return nudge


def chosen_sides(seeds: Sequence[int]) -> Counter[int | None]:
    """Return how often each side is revealed over some seeds; for a test of variety."""
    return Counter(random_table(seed).side for seed in seeds)
