"""From tiles lying in a hand zone to a revealed hand: melds, concealed row, winning tile apart.

The layout is agreed with the players (docs): melds on the left, each of touching tiles, then the concealed
row, then the winning tile alone and nearer to the middle of the table. In a meld the sideways tile tells
whose discard it was. Flowers lie aside in their place; a group of nothing but flowers in the row counts too.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .joint import COPIES, FLOOR, FLOWERS, PROMOTE_FROM, Group, decode, is_run
from .readings import BACK, UNSURE, HandReading, KindHint, MeldReading, TileReading

GROUP_GAP_MM = 7.0
"""Clear space between two tiles that parts groups: touching tiles show up to 4 mm (two jitters), groups 12
less that."""
OFF_ROW_MM = 14.0
"""A tile nearer to the centre than the row by this is no part of the row; the winning tile lies 28, an added
kong 30."""
WIN_GAP_MM = 8.0
"""Least clear space around the winning tile in x: 20 are asked for, jitter and parallax take some."""
LEAST = 0.80
"""Score from which a tile is sure, for those who have no model to ask."""
WITH_WIN_TILE, WITHOUT_WIN_TILE = frozenset({14, 17}), frozenset({13, 16})
"""Tiles of a hand, less one for each kong."""
KONGS = ("exposed_kong", "added_kong", "concealed_kong")


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


@dataclass(slots=True)
class _Layout:
    """How the tiles of a zone lie: groups of touching tiles left to right with the tiles that lie above each
    (added kongs), tiles apart, and the flowers (those that lay in the row last)."""

    groups: list[list[Laid]]
    above: list[list[Laid]]
    apart: list[Laid]
    flowers: list[TileReading]

    @property
    def tiles(self) -> list[Laid]:
        """The tiles of the hand: groups, tiles above, tiles apart."""
        grouped = [*itertools.chain(*self.groups), *itertools.chain(*self.above)]
        return grouped + self.apart


def read_layout(
    tiles: Sequence[Laid], aside: Sequence[TileReading] | None = None, least: float = LEAST
) -> HandReading:
    """Return the hand that the tiles of one zone make up.

    Args:
        aside: what lies in the place of the flowers; None = nobody looked there.
        least: score from which a tile is sure.
    """
    if not tiles:
        return HandReading(flowers=None if aside is None else limit_flowers(aside))
    layout = _decided(_lie(tiles, aside), least)
    hand = limit_copies(_hand_of(layout))
    return hand if aside is None else replace(hand, flowers=limit_flowers(layout.flowers))


def _lie(tiles: Sequence[Laid], aside: Sequence[TileReading] | None) -> _Layout:
    """Return how tiles lie; groups of nothing but flowers are laid aside, if somebody looks for flowers."""
    row_y = _row_y(tiles)
    row = sorted((tile for tile in tiles if tile.y - row_y <= OFF_ROW_MM), key=lambda tile: tile.x)
    off = [tile for tile in tiles if tile.y - row_y > OFF_ROW_MM]
    groups = _groups(row)
    flowers: list[TileReading] = list(aside or ())
    if aside is not None:
        shown = [group for group in groups if _is_flowers(group)]
        groups = [group for group in groups if not _is_flowers(group)]
        flowers += [tile.reading for group in shown for tile in group]
    bases = {id(tile): base for tile in off if (base := _under(tile, row)) is not None}
    above = [
        [tile for tile in off if id(tile) in bases and any(bases[id(tile)] is base for base in group)]
        for group in groups
    ]
    return _Layout(groups, above, [tile for tile in off if id(tile) not in bases], flowers)


def _hand_of(layout: _Layout) -> HandReading:
    """Return melds, concealed row and winning tile; the score is filled in by `limit_copies`."""
    apart, everything = layout.apart, layout.tiles
    is_laid_out = len(apart) <= 1 and all(_is_alone(tile, everything) for tile in apart)
    melds: list[MeldReading] = []
    concealed: list[Laid] = []
    for group, upper in zip(layout.groups, layout.above, strict=True):
        meld = _meld(group, upper)
        if meld is None:
            concealed += group
            continue
        melds.append(meld)
        is_laid_out &= meld.kind_hint != "unknown" and not concealed
    kongs = sum(meld.kind_hint in KONGS for meld in melds)
    win = apart[0].reading if len(apart) == 1 else None
    if len(apart) > 1:
        concealed += sorted(apart, key=lambda tile: tile.x)
    is_laid_out &= all(tile.reading.best != BACK for tile in concealed)
    is_laid_out &= len(everything) - kongs in _sizes(win is not None) if win is not None else True
    return HandReading(tuple(melds), tuple(tile.reading for tile in concealed), win, 0.0, is_laid_out)


def _sizes(has_win_tile: bool) -> frozenset[int]:
    """Return how many tiles a hand has, less one for each kong."""
    return WITH_WIN_TILE if has_win_tile else WITH_WIN_TILE | WITHOUT_WIN_TILE


def _decided(layout: _Layout, least: float) -> _Layout:
    """Return the layout with each tile read as the best hand that the pixels support has it."""
    laid: list[Laid] = []
    groups: list[Group] = []
    for group, upper in zip(layout.groups, layout.above, strict=True):
        first = len(laid)
        laid += [*group, *upper]
        groups += _decodable(group, upper, first)
    groups += [Group((len(laid) + at,)) for at in range(len(layout.apart))]
    laid += layout.apart
    groups += [Group((len(laid) + at,), "flower") for at in range(len(layout.flowers))]
    readings = [*(tile.reading for tile in laid), *layout.flowers]
    decoded = decode([_pixels(one) for one in readings], groups, sizes=_sizes(len(layout.apart) == 1))
    now = [
        _as_decoded(one, decoded.labels[at], decoded.chances[at], least) if at in decoded.touched else one
        for at, one in enumerate(readings)
    ]
    by_tile = {id(tile): replace(tile, reading=one) for tile, one in zip(laid, now, strict=False)}
    return _Layout(
        [[by_tile[id(tile)] for tile in group] for group in layout.groups],
        [[by_tile[id(tile)] for tile in upper] for upper in layout.above],
        [by_tile[id(tile)] for tile in layout.apart],
        now[len(laid) :],
    )


def _decodable(group: Sequence[Laid], upper: Sequence[Laid], first: int) -> list[Group]:
    """Return what is known of a group of touching tiles; `first` is the index of its first tile."""
    indices = tuple(range(first, first + len(group) + len(upper)))
    sideways = sum(tile.is_sideways for tile in group)
    if sideways == 1 and len(group) == 3 and len(upper) == 1:
        return [Group(indices, "added")]
    if sideways == 1 and not upper and len(group) in (3, 4):
        return [Group(indices, "meld")]
    hidden = [_pixels(tile.reading).get(BACK, 0.0) >= FLOOR for tile in group]
    if not sideways and not upper and not any(hidden):
        return [Group((index,)) for index in indices]
    if not sideways and not upper and len(group) == 4 and hidden[0] and hidden[3]:
        return [Group(indices, "ends")]
    return [Group((index,), "any") for index in indices]


def _pixels(reading: TileReading) -> dict[str, float]:
    """Return what the pixels say of a tile."""
    return dict(reading.alternatives) or {reading.tile: reading.score}


def _as_decoded(
    reading: TileReading, label: str | None, chances: Mapping[str, float], least: float
) -> TileReading:
    """Return the reading under the rules of a hand; what the pixels hardly support is never sure."""
    if label is None or label not in chances:
        return _unsure(reading)
    pixels = _pixels(reading)
    place = min(1.0, reading.score / max(pixels.get(reading.best, 1.0), 1e-6))
    score = min(1.0, chances[label] * place)
    if label != reading.best and pixels.get(label, 0.0) < PROMOTE_FROM:
        score = min(score, 0.5)
    rest = [(face, chance) for face, chance in chances.items() if face != label]
    rest += [(face, chance) for face, chance in pixels.items() if face not in chances]
    alternatives = [(label, chances[label]), *sorted(rest, key=lambda row: -row[1])]
    return replace(
        reading,
        tile=label if score >= least else UNSURE,
        score=round(score, 4),
        alternatives=tuple((face, round(chance, 4)) for face, chance in alternatives),
    )


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
            kind = "pung" if same else "chow" if is_run(faces) else "unknown"
        elif len(group) == 3 and same:
            kind = "added_kong"
        elif len(group) == 4 and not added and same:
            kind = "exposed_kong"
    return MeldReading(tiles, place, kind)


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
