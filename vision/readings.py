"""What the eyes answer: values that carry their doubt.

`box` is (x, y, w, h), axis-aligned, whole pixels of the frame. `score` is a calibrated chance of being
right, 0 to 1. Below the threshold a tile reads "?" with its best guesses in `alternatives`, a die or lamp
reads None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Box = tuple[int, int, int, int]

UNSURE = "?"
"""A tile is there, but no face is sure enough."""
BACK = "back"

KindHint = Literal["chow", "pung", "exposed_kong", "added_kong", "concealed_kong", "unknown"]


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile: `tile` is tile text, "back" or "?"; `angle` in degrees, counter-clockwise as seen in the
    picture, 0 = upright for the reader (for a calibrated frame: for the player of side 1).

    `alternatives` are (tile, score), best first, the answer itself included when it is "?".
    """

    tile: str
    box: Box
    angle: float
    score: float
    alternatives: tuple[tuple[str, float], ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the face (or the back) is sure."""
        return self.tile != UNSURE

    @property
    def best(self) -> str:
        """The most likely answer, sure or not."""
        if self.is_sure or not self.alternatives:
            return self.tile
        return self.alternatives[0][0]


@dataclass(frozen=True, slots=True)
class MeldReading:
    """One laid-out meld, tiles from left to right as its player sees it; the added tile of an added kong is
    last.

    `sideways_index` is the place of the tile turned by 90 degrees (left = upper, last = lower player's
    discard), None for a concealed kong. `source` is 1 upper, 2 opposite, 3 lower, or None.
    """

    tiles: tuple[TileReading, ...]
    sideways_index: int | None
    kind_hint: KindHint

    @property
    def source(self) -> int | None:
        """Whose discard was taken, by the place of the sideways tile."""
        if self.sideways_index is None or self.kind_hint in ("concealed_kong", "unknown"):
            return None
        last = 2 if self.kind_hint == "added_kong" else len(self.tiles) - 1
        if self.sideways_index == 0:
            return 1
        return 3 if self.sideways_index == last else 2


@dataclass(frozen=True, slots=True)
class HandReading:
    """A revealed hand as laid: melds, concealed tiles left to right, winning tile apart (None if none lies
    apart), and the flowers laid aside; None = nobody looked at their place.

    `is_laid_out` is False when the tiles do not follow the layout of a revealed hand (an odd group, two
    tiles apart). `score` is the least score of any tile, 0 for an empty zone.
    """

    melds: tuple[MeldReading, ...] = ()
    concealed: tuple[TileReading, ...] = ()
    win_tile: TileReading | None = None
    score: float = 0.0
    is_laid_out: bool = True
    flowers: tuple[TileReading, ...] | None = None

    @property
    def tiles(self) -> tuple[TileReading, ...]:
        """All tiles of the hand: melds, concealed, winning tile."""
        melded = tuple(tile for meld in self.melds for tile in meld.tiles)
        return melded + self.concealed + (() if self.win_tile is None else (self.win_tile,))

    @property
    def is_sure(self) -> bool:
        """Whether there are tiles, all are sure and they lie as a revealed hand does."""
        return bool(self.tiles) and self.is_laid_out and all(tile.is_sure for tile in self.tiles)

    @property
    def text(self) -> str:
        """The hand in tile text, best guesses where not sure; "" for an empty zone or an unreadable layout.

        Backs of a concealed kong are written as its face. The text is not checked: `rules.notation` does
        that.
        """
        if not self.tiles or not self.is_laid_out:
            return ""
        parts = [_meld_text(meld) for meld in self.melds]
        parts += [tile.best for tile in self.concealed]
        if self.win_tile is not None:
            parts += ["+", self.win_tile.best]
        return " ".join(parts)


def _meld_text(meld: MeldReading) -> str:
    faces = [tile.best for tile in meld.tiles]
    if meld.kind_hint == "concealed_kong":
        shown = [face for face in faces if face != BACK]
        return "(" + "".join(shown[:1] * 4) + ")" if shown else "(????)"
    plus = "+" if meld.kind_hint == "added_kong" else ""
    source = "" if meld.source is None else f",{meld.source}"
    return "[" + "".join(sorted(faces)) + plus + source + "]"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die: `pips` 1-6, or None when the top face is not sure."""

    pips: int | None
    score: float
    box: Box


@dataclass(frozen=True, slots=True)
class DiceReading:
    """The dice seen. A throw needs two sure dice: `pips` is None with a missing, extra or unreadable die."""

    dice: tuple[DieReading, ...] = ()
    score: float = 0.0

    @property
    def pips(self) -> tuple[int, int] | None:
        """The throw, or None when it is not two sure dice."""
        if len(self.dice) != 2:
            return None
        first, second = self.dice[0].pips, self.dice[1].pips
        return None if first is None or second is None else (first, second)


@dataclass(frozen=True, slots=True)
class LampReading:
    """Which side's dealer lamp is lit; None when none or more than one is, or the marks are hidden."""

    side: int | None
    score: float


@dataclass(frozen=True, slots=True)
class WallReading:
    """Wall stacks left on sides 1 to 4 (a stack of one tile counts)."""

    stacks: tuple[int, int, int, int]
    score: float
