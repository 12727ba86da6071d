"""How tiles lie on a table: rows, melds, rivers, walls, grids, racks, heaps, and dice between them.

Places are in the table's plane: x right, y away from the viewer, angles counter-clockwise; the unit is the
long side of a tile, so a tile is `shape.w` x 1 and `shape.thick` high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.readings import BACK

from .data import FOREIGN
from .tops import NAMED

ORDINARY = NAMED[:34]


@dataclass(frozen=True, slots=True)
class Shape:
    """A set's tile: width and thickness as parts of its length."""

    w: float
    thick: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> Shape:
        """Return a tile of 1.2 to 1.45 by 1 and of usual thickness."""
        return cls(1.0 / float(rng.uniform(1.2, 1.45)), float(rng.uniform(0.45, 0.75)))


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in the table's plane: centre, turn in degrees, height of its lower side, what it shows, and
    whether it stands on its lower edge with the shown side towards -y."""

    x: float
    y: float
    turn_deg: float
    face: str
    z: float = 0.0
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A die: centre, turn in degrees, edge length, pips on top."""

    x: float
    y: float
    turn_deg: float
    edge: float
    pips: int


def any_face(rng: np.random.Generator) -> str:
    """Return a face: ordinary most often, a flower or a foreign picture sometimes."""
    if rng.random() < 0.06:
        return FOREIGN
    faces = NAMED if rng.random() < 0.3 else ORDINARY
    return faces[int(rng.integers(len(faces)))]


def row(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return a hand lying in a row, tiles touching or nearly so, perhaps with one apart and with melds."""
    count = int(rng.integers(1, 15)) if rng.random() < 0.4 else int(rng.integers(10, 19))
    gap = 0.0 if rng.random() < 0.6 else float(rng.uniform(0.0, 0.15))
    shake = float(rng.choice((0.0, 0.01, 0.04)))
    tiles, x = [], 0.0
    upside_down = rng.random() < 0.3
    for number in range(count):
        turn = 180.0 if upside_down and rng.random() < 0.4 else 0.0
        step = shape.w + gap + (float(rng.uniform(0.2, 0.9)) if number and rng.random() < 0.04 else 0.0)
        x += step
        face = BACK if rng.random() < 0.02 else any_face(rng)
        dx, dy = rng.normal(0, shake, 2)
        tiles.append(Laid(x + abs(dx), dy, turn + float(rng.normal(0, shake * 60)), face))
    for _ in range(int(rng.choice((0, 0, 0, 1, 2, 3)))):
        x += float(rng.uniform(0.1, 0.6))
        tiles += [replace(tile, x=tile.x + x) for tile in meld(rng, shape)]
        x = max(tile.x for tile in tiles) + shape.w / 2
    return tiles


def meld(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return an exposed set: three or four tiles, one sideways, or a kong with two backs."""
    count = int(rng.choice((3, 3, 4)))
    sideways = int(rng.integers(count)) if rng.random() < 0.75 else -1
    hidden = {0, 3} if count == 4 and rng.random() < 0.4 else set()
    face, tiles, x = any_face(rng), [], 0.0
    gap = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 0.08))
    for number in range(count):
        wide = 1.0 if number == sideways else shape.w
        turn = float(rng.choice((90.0, 270.0))) if number == sideways else 0.0
        y = (shape.w - 1.0) / 2 if number == sideways else 0.0
        shown = BACK if number in hidden else face
        tiles.append(Laid(x + wide / 2, y + float(rng.normal(0, 0.01)), turn, shown))
        if number == sideways and rng.random() < 0.1:  # added to a kong: beside the sideways one
            tiles.append(Laid(x + 0.5, y + shape.w, turn, face))
        x += wide + gap
    return tiles


def river(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return discards in rows of six, laid by hand."""
    shake = float(rng.uniform(0.0, 0.06))
    gap = float(rng.uniform(0.0, 0.12))
    tiles = []
    for number in range(int(rng.integers(1, 22))):
        line, place = divmod(number, 6)
        turn = 90.0 if rng.random() < 0.04 else 0.0
        x, y = place * (shape.w + gap), -line * (1.0 + gap)
        dx, dy = rng.normal(0, shake, 2)
        tiles.append(Laid(x + dx, y + dy, turn + float(rng.normal(0, shake * 70)), any_face(rng)))
    return tiles


def wall(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return a wall of backs, two high, with a part taken away and sometimes one tile turned up."""
    count = int(rng.integers(2, 18))
    tiles = []
    for number in range(count):
        x, dx = number * shape.w, float(rng.normal(0, 0.01))
        tiles.append(Laid(x + dx, 0.0, 0.0, BACK))
        if rng.random() < 0.85:
            face = any_face(rng) if rng.random() < 0.04 else BACK
            tiles.append(Laid(x + dx + float(rng.normal(0, 0.02)), 0.0, 0.0, face, shape.thick))
    return tiles


def grid(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return a set laid out for its picture: touching rows and columns, copies side by side."""
    rows, columns = int(rng.integers(2, 10)), int(rng.integers(2, 18))
    copies = int(rng.choice((0, 1, 2)))
    faces = [any_face(rng) for _ in range(max(rows, columns))]
    gap_x, gap_y = (0.0, 0.0) if rng.random() < 0.6 else (float(v) for v in rng.uniform(0, 0.2, 2))
    shake = float(rng.choice((0.0, 0.0, 0.015)))
    slip = rng.normal(0, 0.15, rows) if rng.random() < 0.15 else np.zeros(rows)
    tiles = []
    for line in range(rows):
        for place in range(columns):
            face = (any_face(rng), faces[line], faces[place])[copies]
            dx, dy = rng.normal(0, shake, 2)
            x = place * (shape.w + gap_x) + dx + float(slip[line])
            y = -line * (1.0 + gap_y) + dy
            tiles.append(Laid(x, y, float(rng.normal(0, shake * 50)), face))
    return tiles


def rack(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return a standing hand, its faces (or its backs) towards the viewer."""
    face = BACK if rng.random() < 0.35 else ""
    count = int(rng.integers(3, 15))
    gap = float(rng.choice((0.0, 0.0, 0.05)))
    return [
        Laid(number * (shape.w + gap), float(rng.normal(0, 0.01)), 0.0, face or any_face(rng), stands=True)
        for number in range(count)
    ]


def heap(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return tiles thrown on the table: any turn, none on another, about a third face down."""
    tiles: list[Laid] = []
    reach = float(rng.uniform(0.8, 5.0))
    apart = float(np.hypot(shape.w, 1.0)) * float(rng.uniform(0.85, 1.05))
    for _ in range(int(rng.integers(1, 60))):
        x, y = rng.uniform(-reach, reach, 2)
        if all((tile.x - x) ** 2 + (tile.y - y) ** 2 > apart**2 for tile in tiles):
            face = BACK if rng.random() < 0.35 else any_face(rng)
            tiles.append(Laid(float(x), float(y), float(rng.uniform(0, 360)), face))
    return tiles


def one(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return a single tile."""
    return [Laid(0.0, 0.0, 0.0, BACK if rng.random() < 0.25 else any_face(rng))]


Layout = Callable[[np.random.Generator, Shape], list[Laid]]
LAYOUTS: tuple[tuple[Layout, float], ...] = (
    (row, 0.26), (grid, 0.22), (river, 0.12), (wall, 0.12), (heap, 0.12), (meld, 0.08),
    (rack, 0.05), (one, 0.03)
)  # fmt: skip


def turned(tiles: Sequence[Laid], turn_deg: float, x: float, y: float) -> list[Laid]:
    """Return a layout turned about its middle and moved so that its middle lies at (x, y)."""
    middle = np.mean([(tile.x, tile.y) for tile in tiles], axis=0)
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    moved = []
    for tile in tiles:
        u, v = tile.x - middle[0], tile.y - middle[1]
        moved.append(
            replace(
                tile,
                x=x + c * u - s * v,
                y=y + s * u + c * v,
                turn_deg=tile.turn_deg + turn_deg,
            )
        )
    return moved


def arranged(rng: np.random.Generator, shape: Shape) -> list[Laid]:
    """Return one layout, or two or three beside each other as at a table, without tiles in one another."""
    shares = np.array([share for _, share in LAYOUTS])
    tiles: list[Laid] = []
    for number in range(int(rng.choice((1, 1, 1, 2, 3)))):
        layout = LAYOUTS[int(rng.choice(len(LAYOUTS), p=shares / shares.sum()))][0]
        turn = 0.0 if number == 0 or layout is rack else float(rng.choice((0, 90, 180, 270)))
        turn += float(rng.normal(0, 4)) if number and rng.random() < 0.3 else 0.0
        for _ in range(6):
            reach = 0.0 if number == 0 else 2.0 + 5.0 * float(rng.random())
            way = float(rng.uniform(0, 2 * np.pi))
            more = turned(layout(rng, shape), turn, reach * np.cos(way), reach * np.sin(way))
            if all((old.x - new.x) ** 2 + (old.y - new.y) ** 2 > 1.3**2 for old in tiles for new in more):
                tiles += more
                break
    return tiles


def dice_beside(rng: np.random.Generator, tiles: Sequence[Laid]) -> list[Die]:
    """Return up to three dice near the tiles, on none of them."""
    dice: list[Die] = []
    edge = float(rng.uniform(0.3, 0.5))
    for _ in range(int(rng.integers(0, 4))):
        if tiles:
            near = tiles[int(rng.integers(len(tiles)))]
            x, y = np.array([near.x, near.y]) + rng.normal(0, 1.6, 2)
        else:
            x, y = rng.normal(0, 1.5, 2)
        others = [(tile.x, tile.y) for tile in tiles] + [(die.x, die.y) for die in dice]
        if all((x - u) ** 2 + (y - v) ** 2 > 0.95**2 for u, v in others):
            dice.append(Die(float(x), float(y), float(rng.uniform(0, 90)), edge, int(rng.integers(1, 7))))
    return dice
