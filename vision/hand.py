"""From tiles lying in a hand zone to a revealed hand: melds, concealed row, winning tile apart.

The layout is agreed with the players (docs): melds on the left, each of touching tiles, then the concealed
row, then the winning tile alone and nearer to the middle of the table. In a meld the sideways tile tells
whose discard it was. Flowers lie aside in their place; a group of nothing but flowers in the row counts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .readings import BACK, UNSURE, HandReading, KindHint, MeldReading, TileReading

GROUP_GAP_MM = 7.0
"""Clear space between two tiles that parts groups: touching tiles show up to 4 mm (two jitters), groups 12
less that."""
OFF_ROW_MM = 14.0
"""A tile nearer to the centre than the row by this is no part of the row; the winning tile lies 28, an added
kong 30."""
WIN_GAP_MM = 8.0
"""Least clear space around the winning tile in x: 20 are asked for, jitter and parallax take some."""
COPIES = 4
FLOWERS = tuple("abcdefgh")


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in local millimetres; `is_sideways` = turned by about 90 degrees for its player."""

    reading: TileReading
    x: float
    y: float
    is_sideways: bool

    @property
    def half_width(self) -> float:
        """Half of its extent along the row."""
        return 20.0 if self.is_sideways else 15.0


def read_layout(tiles: Sequence[Laid], aside: Sequence[TileReading] | None = None) -> HandReading:
    """Return the hand that the tiles of one zone make up.

    Args:
        aside: what lies in the place of the flowers; None = nobody looked there.
    """
    if not tiles:
        return HandReading(flowers=None if aside is None else limit_flowers(aside))
    row_y = _row_y(tiles)
    row = sorted((tile for tile in tiles if tile.y - row_y <= OFF_ROW_MM), key=lambda tile: tile.x)
    off = [tile for tile in tiles if tile.y - row_y > OFF_ROW_MM]
    groups = _groups(row)
    flowers: list[TileReading] = list(aside or ())
    if aside is not None:
        shown = [group for group in groups if _is_flowers(group)]
        groups = [group for group in groups if not _is_flowers(group)]
        flowers += [tile.reading for group in shown for tile in group]
    added = {id(tile): base for tile in off if (base := _under(tile, row)) is not None}
    apart = [tile for tile in off if id(tile) not in added]
    is_laid_out = len(apart) <= 1 and all(_is_alone(tile, [*row, *off]) for tile in apart)
    melds: list[MeldReading] = []
    concealed: list[Laid] = []
    for group in groups:
        upper = [tile for tile in off if id(tile) in added and any(added[id(tile)] is base for base in group)]
        meld = _meld(group, upper)
        if meld is None:
            concealed += group
            continue
        melds.append(meld)
        is_laid_out &= meld.kind_hint != "unknown" and not concealed
    kongs = sum(meld.kind_hint in ("exposed_kong", "added_kong", "concealed_kong") for meld in melds)
    win = apart[0].reading if len(apart) == 1 else None
    if len(apart) > 1:
        concealed += sorted(apart, key=lambda tile: tile.x)
    is_laid_out &= all(tile.reading.best != BACK for tile in concealed)
    count = len(tiles) - (0 if aside is None else len(flowers) - len(aside))
    is_laid_out &= count - kongs in (14, 17) if win is not None else True
    reading = HandReading(tuple(melds), tuple(tile.reading for tile in concealed), win, 0.0, is_laid_out)
    reading = limit_copies(reading)
    return reading if aside is None else replace(reading, flowers=limit_flowers(flowers))


def _is_flowers(group: Sequence[Laid]) -> bool:
    """Return whether a group of the row is nothing but flowers, all of them sure."""
    return all(tile.reading.tile in FLOWERS for tile in group)


def limit_flowers(flowers: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the flowers; what is no flower, or one that is seen twice, is made unsure."""
    faces = Counter(tile.tile for tile in flowers)
    return tuple(
        tile if tile.tile in FLOWERS and faces[tile.tile] == 1 else _unsure(tile) for tile in flowers
    )


def _unsure(tile: TileReading) -> TileReading:
    """Return the tile as a doubt: its face becomes the first guess."""
    score = min(tile.score, 0.5)
    return replace(tile, tile=UNSURE, score=score, alternatives=tile.alternatives or ((tile.tile, score),))


def _row_y(tiles: Sequence[Laid]) -> float:
    """Return the row's centre: the place where most tiles lie within a quarter tile, the outermost on a
    tie."""
    return max((tile.y for tile in tiles), key=lambda y: (sum(abs(other.y - y) < 8.0 for other in tiles), -y))


def _groups(row: Sequence[Laid]) -> list[list[Laid]]:
    groups: list[list[Laid]] = []
    for tile in row:
        if groups and tile.x - groups[-1][-1].x - tile.half_width - groups[-1][-1].half_width < GROUP_GAP_MM:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    return groups


def _under(tile: Laid, row: Sequence[Laid]) -> Laid | None:
    """Return the sideways tile that an added kong's fourth tile lies above, None for the winning tile."""
    if not tile.is_sideways:
        return None
    near = [base for base in row if base.is_sideways and abs(base.x - tile.x) < 12.0]
    return near[0] if near else None


def _is_alone(tile: Laid, others: Sequence[Laid]) -> bool:
    return all(
        other is tile or abs(other.x - tile.x) - other.half_width - tile.half_width >= WIN_GAP_MM
        for other in others
    )


def _meld(group: Sequence[Laid], added: Sequence[Laid]) -> MeldReading | None:
    """Return the meld that a group of touching tiles is, None for a part of the concealed row."""
    sideways = [index for index, tile in enumerate(group) if tile.is_sideways]
    faces = [tile.reading.best for tile in group]
    backs = [index for index, face in enumerate(faces) if face == BACK]
    if not sideways and not backs and not added:
        return None
    tiles = tuple(tile.reading for tile in (*group, *added))
    kind: KindHint = "unknown"
    place = sideways[0] if len(sideways) == 1 else None
    if len(group) == 4 and backs == [0, 3] and not sideways and not added and faces[1] == faces[2]:
        kind = "concealed_kong"
    elif place is not None and not backs and len(added) <= 1:
        same = len({tile.best for tile in tiles}) == 1
        if len(group) == 3 and not added:
            kind = "pung" if same else "chow" if _is_run(faces) else "unknown"
        elif len(group) == 3 and same:
            kind = "added_kong"
        elif len(group) == 4 and not added and same:
            kind = "exposed_kong"
    return MeldReading(tiles, place, kind)


def _is_run(faces: Sequence[str]) -> bool:
    if (
        any(len(face) != 2 or not face[0].isdigit() for face in faces)
        or len({face[1] for face in faces}) != 1
    ):
        return False
    low = min(int(face[0]) for face in faces)
    return sorted(int(face[0]) for face in faces) == [low, low + 1, low + 2]


def limit_copies(hand: HandReading) -> HandReading:
    """Return the hand with the least sure copy of a face seen a fifth time made unsure, and its score filled
    in.

    A set holds four of each face (flowers one): the constraint may only take confidence away, never add a
    tile.
    """
    by_face: dict[str, list[TileReading]] = {}
    for tile in hand.tiles:
        if tile.tile not in (BACK, UNSURE):
            by_face.setdefault(tile.tile, []).append(tile)
    doubtful: set[int] = set()
    for face, copies in by_face.items():
        allowed = 1 if face in FLOWERS else COPIES
        kongs = sum(
            2
            for meld in hand.melds
            if meld.kind_hint == "concealed_kong" and any(t.best == face for t in meld.tiles)
        )
        if len(copies) + kongs > allowed:
            doubtful |= {id(tile) for tile in copies}

    def shown(tile: TileReading) -> TileReading:
        return _unsure(tile) if id(tile) in doubtful else tile

    melds = tuple(replace(meld, tiles=tuple(shown(tile) for tile in meld.tiles)) for meld in hand.melds)
    concealed = tuple(shown(tile) for tile in hand.concealed)
    win = None if hand.win_tile is None else shown(hand.win_tile)
    scores = [tile.score for tile in (*(t for meld in melds for t in meld.tiles), *concealed)]
    scores += [] if win is None else [win.score]
    return replace(hand, melds=melds, concealed=concealed, win_tile=win, score=min(scores, default=0.0))
