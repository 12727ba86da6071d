"""A laid-out hand as seen or corrected -> tile text of `rules`, with every doubt kept.

Tiles run melds, concealed row, winning tile; a meld is [kind, source, number of tiles]. Flowers stand apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.state import ReadingState
from rules.errors import RuleError
from rules.notation import format_hand, parse_hand
from vision.readings import BACK, UNSURE, HandReading, TileReading

Melds = tuple[tuple[str, int | None, int], ...]
Flowers = tuple[tuple[str, float], ...]
KONGS = ("exposed_kong", "added_kong", "concealed_kong")
DOUBTS_MAX = 3
FLOWERS = frozenset("abcdefgh")
LAYOUT = frozenset({"hand.meld", "hand.layout", "hand.win_tile"})
"""Problems of how the tiles lie: naming one tile does not mend them."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """What lies there: `hand` is canonical tile text, None while a tile or the layout is not known."""

    hand: str | None = None
    is_sure: bool = False
    tiles: tuple[tuple[str, float], ...] = ()
    melds: Melds = ()
    has_win_tile: bool = True
    doubts: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    boxes: tuple[tuple[int, int, int, int] | None, ...] = ()
    flowers: Flowers | None = None
    """The flowers laid aside; None = nobody looked."""

    @property
    def knows_flowers(self) -> bool:
        """Whether somebody looked for flowers and every one is sure, each seen once."""
        faces = [tile for tile, _ in self.flowers or ()]
        return self.flowers is not None and len(set(faces)) == len(faces) and set(faces) <= FLOWERS

    def as_body(self) -> dict[str, Any]:
        """Return the part of a fact's body that tells what lies there."""
        return {
            "tiles": [[tile, round(score, 4)] for tile, score in self.tiles],
            "melds": [list(meld) for meld in self.melds],
            "has_win_tile": self.has_win_tile,
            "doubts": {str(index): list(tiles) for index, tiles in self.doubts.items()},
            "flowers": None
            if self.flowers is None
            else [[tile, round(score, 4)] for tile, score in self.flowers],
        }


def reveal(reading: HandReading) -> Reveal:
    """Return the hand of a camera reading; below the threshold a tile stays "?" and the hand unknown."""
    aside = reading.flowers
    flowers = None if aside is None else tuple((seen.tile, float(seen.score)) for seen in aside)
    if not reading.tiles:
        return Reveal(problems=("hand.empty",), has_win_tile=False, flowers=flowers)
    tiles: list[tuple[str, float]] = []
    boxes: list[tuple[int, int, int, int] | None] = []
    doubts: dict[int, tuple[str, ...]] = {}
    melds: list[tuple[str, int | None, int]] = []
    problems: list[str] = []

    def add(seen: TileReading, as_tile: str | None = None) -> None:
        tile = as_tile or seen.tile
        if tile == UNSURE:
            doubts[len(tiles)] = tuple(face for face, _ in seen.alternatives[:DOUBTS_MAX])
        tiles.append((tile, float(seen.score)))
        boxes.append(seen.box)

    for meld in reading.melds:
        faces = {seen.tile for seen in meld.tiles if seen.tile not in (BACK, UNSURE)}
        hidden = next(iter(faces)) if meld.kind_hint == "concealed_kong" and len(faces) == 1 else None
        if meld.kind_hint == "unknown":
            problems.append("hand.meld")
        for seen in meld.tiles:
            add(seen, hidden if hidden is not None and seen.tile == BACK else None)
        melds.append((meld.kind_hint, meld.source, len(meld.tiles)))
    for seen in reading.concealed:
        add(seen)
    if reading.win_tile is not None:
        add(reading.win_tile)
    else:
        problems.append("hand.win_tile")
    if not reading.is_laid_out:
        problems.append("hand.layout")
    hand = _assembled(
        tuple(tiles), tuple(melds), reading.win_tile is not None, doubts, tuple(problems), tuple(boxes)
    )
    return replace(hand, flowers=flowers)


def _assembled(
    tiles: tuple[tuple[str, float], ...],
    melds: Melds,
    has_win_tile: bool,
    doubts: Mapping[int, tuple[str, ...]],
    problems: tuple[str, ...] = (),
    boxes: tuple[tuple[int, int, int, int] | None, ...] = (),
) -> Reveal:
    hand = None
    if has_win_tile and not any(tile in (UNSURE, BACK) for tile, _ in tiles):
        try:
            text = hand_text([tile for tile, _ in tiles], melds)
            hand = format_hand(parse_hand(text))
        except RuleError:
            problems = (*problems, "hand.invalid")
    sure = hand is not None and not problems
    return Reveal(hand, sure, tiles, melds, has_win_tile, doubts, problems, boxes)


def hand_text(tiles: Sequence[str], melds: Melds) -> str:
    """Return tile text of tiles in order melds, concealed, winning tile.

    >>> hand_text(["5p", "5p", "5p", "1m", "2m", "3m"], (("pung", 2, 3),))
    '[5p5p5p,2] 1m2m + 3m'
    """
    parts, at = [], 0
    for kind, source, count in melds:
        faces = "".join(tiles[at : at + count])
        at += count
        if kind == "concealed_kong":
            parts.append(f"({faces})")
        else:
            plus = "+" if kind == "added_kong" else ""
            parts.append(f"[{faces}{plus}{'' if source is None else f',{source}'}]")
    parts.append("".join(tiles[at:-1]))
    return " ".join(part for part in parts if part) + f" + {tiles[-1]}"


def from_text(text: str, flowers: Flowers | None = None) -> Reveal:
    """Return the hand that people typed; it is theirs, so it is sure. Of the flowers it says nothing.

    Raises:
        RuleError: if the text is no hand.
    """
    hand = parse_hand(text)
    tiles: list[tuple[str, float]] = []
    melds: list[tuple[str, int | None, int]] = []
    for meld in hand.melds:
        tiles += [(str(tile), 1.0) for tile in meld.tiles]
        melds.append((meld.kind.value, meld.source, len(meld.tiles)))
    tiles += [(str(tile), 1.0) for tile in hand.concealed]
    if hand.win_tile is not None:
        tiles.append((str(hand.win_tile), 1.0))
    has_win_tile = hand.win_tile is not None
    problems = () if has_win_tile else ("hand.win_tile",)
    known = format_hand(hand) if has_win_tile else None
    return Reveal(
        known, has_win_tile, tuple(tiles), tuple(melds), has_win_tile, {}, problems, flowers=flowers
    )


def with_tile(reading: ReadingState, index: int, tile: str) -> Reveal:
    """Return the reading with one tile put right; the others keep their doubt, the layout its problems."""
    tiles = tuple((tile, 1.0) if at == index else old for at, old in enumerate(reading.tiles))
    doubts = {int(at): faces for at, faces in reading.doubts.items() if int(at) != index}
    problems = tuple(code for code in reading.problems if code in LAYOUT)
    made = _assembled(tiles, reading.melds, reading.has_win_tile, doubts, problems)
    return replace(made, flowers=reading.flowers)


def kongs_of(text: str) -> tuple[str, ...]:
    """Return the tile of every kong in a hand."""
    return tuple(str(meld.tiles[0]) for meld in parse_hand(text).melds if meld.kind.value in KONGS)
