"""Where tiles lie: a hand laid out, a standing hand, a river, flowers, a wall, as placed tiles of one side.

Faces are tile texts, so this module needs no rules; lengths come from hardware/table/geometry.toml.
Nothing here is random: `nudge` is the caller's unevenness, (dx_mm, dy_mm, turn_deg) for each tile in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardware.twin.scene import BACK, SIDE, PlacedTile, place

from .geometry import geometry

Nudge = Callable[[], tuple[float, float, float]]
MELD_KINDS = ("chow", "pung", "exposed_kong", "added_kong", "concealed_kong")
_GAP_SLACK_MM = 2.0
_WIN_SLACK_MM = 4.0


def straight() -> tuple[float, float, float]:
    """Return the nudge of a perfect hand: none."""
    return 0.0, 0.0, 0.0


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld on the table: `faces` left to right (an added kong's fourth last).

    `source` is 1 upper, 2 opposite, 3 lower seat, or None.
    """

    kind: str
    faces: tuple[str, ...]
    source: int | None = None

    @property
    def sideways(self) -> int | None:
        """Return the place in the row of the tile that lies sideways, or None."""
        if self.source is None or self.kind in ("concealed_kong"):
            return None
        last = 2 if self.kind == "added_kong" else len(self.faces) - 1
        return {1: 0, 2: 1, 3: last}[self.source]


def meld_width(meld: LaidMeld) -> float:
    """Return the width in mm of a meld in the row."""
    geo = geometry()
    in_row = 3 if meld.kind == "added_kong" else len(meld.faces)
    extra = geo.tile_length - geo.tile_width if meld.sideways is not None else 0.0
    return in_row * geo.tile_width + extra


def hand_width(melds: Sequence[LaidMeld], concealed: int, with_win: bool) -> float:
    """Return the width in mm of a whole laid-out hand."""
    geo = geometry()
    gap = geo.meld_gap + _GAP_SLACK_MM
    width = sum(meld_width(meld) + gap for meld in melds) + concealed * geo.tile_width
    if with_win:
        width += geo.win_gap + _WIN_SLACK_MM + geo.tile_width
    return width


def lay_meld(side: int, meld: LaidMeld, left: float, nudge: Nudge = straight) -> list[PlacedTile]:
    """Return the tiles of a meld whose left edge is at local x `left`."""
    geo = geometry()
    low_y = geo.row_y - geo.tile_length / 2 + geo.tile_width / 2  # a sideways tile shares the row's near edge
    in_row = meld.faces[:3] if meld.kind == "added_kong" else meld.faces
    tiles = []
    for index, face in enumerate(in_row):
        flat = index == meld.sideways
        width = geo.tile_length if flat else geo.tile_width
        hidden = meld.kind == "concealed_kong" and index in (0, 3)
        x, y = left + width / 2, low_y if flat else geo.row_y
        tiles.append(_nudged(side, BACK if hidden else face, x, y, 90.0 if flat else 0.0, nudge))
        if flat and meld.kind == "added_kong":
            tiles.append(_nudged(side, meld.faces[3], x, y + geo.added_kong_dy, 90.0, nudge))
        left += width
    return tiles


def lay_hand(
    side: int,
    melds: Sequence[LaidMeld],
    concealed: Sequence[str],
    win_tile: str | None,
    nudge: Nudge = straight,
    left: float | None = None,
) -> list[PlacedTile]:
    """Return a revealed hand, left to right: melds, the concealed row, the winning tile apart.

    Args:
        left: local x of the hand's left edge; None = the hand is centred on its zone.
    Raises:
        ValueError: if the hand is wider than its zone.
    """
    geo = geometry()
    width = hand_width(melds, len(concealed), win_tile is not None)
    if width > geo.hand_x[1] - geo.hand_x[0]:
        raise ValueError(f"a hand of {width:.0f} mm does not fit its zone")
    x = -width / 2 if left is None else left
    tiles = []
    for meld in melds:
        tiles += lay_meld(side, meld, x, nudge)
        x += meld_width(meld) + geo.meld_gap + _GAP_SLACK_MM
    for face in concealed:
        tiles.append(_nudged(side, face, x + geo.tile_width / 2, geo.row_y, 0.0, nudge))
        x += geo.tile_width
    if win_tile is not None:
        x += geo.win_gap + _WIN_SLACK_MM
        tiles.append(_nudged(side, win_tile, x + geo.tile_width / 2, geo.win_y, 0.0, nudge))
    return tiles


def stand_hand(
    side: int, melds: Sequence[LaidMeld], concealed: int, nudge: Nudge = straight
) -> list[PlacedTile]:
    """Return a hand in play: melds lie at the left, concealed tiles stand and show nothing."""
    return lay_hand(side, melds, [SIDE] * concealed, None, nudge)


def lay_river(side: int, faces: Sequence[str], nudge: Nudge = straight) -> list[PlacedTile]:
    """Return discards in rows of eight, the first row nearest the centre, the fourth inside it.

    Raises:
        ValueError: for more than 32 discards.
    """
    geo = geometry()
    if len(faces) > geo.river_per_row * len(geo.river_rows):
        raise ValueError(f"{len(faces)} discards do not fit a river")
    tiles = []
    for index, face in enumerate(faces):
        row, column = divmod(index, geo.river_per_row)
        x = geo.river_first_x + column * geo.river_pitch
        tiles.append(_nudged(side, face, x, geo.river_rows[row], 0.0, nudge))
    return tiles


def lay_flowers(side: int, faces: Sequence[str], nudge: Nudge = straight) -> list[PlacedTile]:
    """Return flowers laid aside, at the right of the river: the first row nearest to the player.

    Raises:
        ValueError: for more flowers than a set has.
    """
    geo = geometry()
    if len(faces) > geo.flowers_per_row * len(geo.flower_rows):
        raise ValueError(f"{len(faces)} flowers do not fit their place")
    tiles = []
    for index, face in enumerate(faces):
        row, column = divmod(index, geo.flowers_per_row)
        x = geo.flower_first_x + column * geo.flower_pitch
        tiles.append(_nudged(side, face, x, geo.flower_rows[row], 0.0, nudge))
    return tiles


def lay_wall(side: int, stacks: Sequence[int], nudge: Nudge = straight) -> list[PlacedTile]:
    """Return a wall: `stacks[i]` tiles (0-2) on stack i + 1, counted from the owner's right (17 or 18)."""
    geo = geometry()
    first_x = (len(stacks) - 1) * geo.wall_pitch / 2
    tiles = []
    for index, height in enumerate(stacks):
        x = first_x - index * geo.wall_pitch
        tiles += [_nudged(side, BACK, x, geo.wall_y, 0.0, nudge, layer) for layer in range(height)]
    return tiles


def _nudged(
    side: int, face: str, x: float, y: float, turn: float, nudge: Nudge, layer: int = 0
) -> PlacedTile:
    dx, dy, extra = nudge()
    return place(side, face, x + dx, y + dy, turn + extra, layer)
