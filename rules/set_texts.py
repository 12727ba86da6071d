"""Sets of a reading as tile text."""

from __future__ import annotations

from collections.abc import Iterator

from rules.notation import format_tiles
from rules.splits import Reading
from rules.tiles import TILES
from rules.view import (
    CHOW_PLACE,
    FLOWER_PLACE,
    KNITTED_PLACE,
    PAIR_PLACE,
    PUNG_PLACE,
    WIN_PLACE,
    View,
)


def sets_text(reading: Reading) -> list[str]:
    """Return the sets and pairs of a reading as tile text, then what stands alone."""
    sets = [format_tiles(each.tiles) for each in reading.sets]
    sets += [format_tiles((pair, pair)) for pair in reading.pairs]
    loose = [tile for tile in reading.tiles if tile.index in reading.loose]
    return [*sets, format_tiles(loose)] if loose else sets


def texts_at(view: View, mask: int) -> Iterator[str]:
    """Yield what lies at these places as tile text: sets, pairs, the winning tile, flowers that are named."""
    reading = view.reading
    sets, chows = reading.sets, len(reading.chows)
    for at in range(chows):
        if mask >> CHOW_PLACE + at & 1:
            yield format_tiles(sets[at].tiles)
    for at in range(len(reading.pungs)):
        if mask >> PUNG_PLACE + at & 1:
            yield format_tiles(sets[chows + at].tiles)
    for at, pair in enumerate(reading.pairs):
        if mask >> PAIR_PLACE + at & 1:
            yield format_tiles((pair, pair))
    if mask >> KNITTED_PLACE & 1:
        yield format_tiles(sets[-1].tiles)
    if mask >> WIN_PLACE & 1:
        yield str(TILES[view.win])
    if mask >> FLOWER_PLACE & 1 and view.claimed.flower_tiles:
        yield format_tiles(view.claimed.flower_tiles)
