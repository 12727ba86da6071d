"""What lies there, held against claim and kongs: the one body of `hand_read` and `corrected`.

Tiles are sure because they were seen or said so, never because somebody stated anew how they were won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.judge import fifth_copies, has_flowers, judge_body, kongs_are_paid, robbed_kong
from controller.live_values import Live
from controller.reveal import Reveal, kongs_of
from controller.state import ReadingState, TableState
from rules.seats import Seat

UNDECLARED = "kong.undeclared"
NOT_ROBBED = "kong.not_robbed"
FIFTH = "tiles.fifth_copy"
FLOWERS = "hand.flowers"
OTHER_TILE = "hand.other_tile"
JUDGED = frozenset({UNDECLARED, NOT_ROBBED, FIFTH, FLOWERS, OTHER_TILE})
"""Problems that come of claim, kongs and flowers: found anew each time, the others stay with the tiles."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A reading with the rules' answer: `agrees` says that nothing is left to review."""

    body: dict[str, Any]
    agrees: bool
    undeclared: tuple[str, ...] = ()

    def noting(self, live: Live) -> Live:
        """Return live values that tell which kongs were not declared."""
        return live.noting(UNDECLARED, tiles=" ".join(self.undeclared)) if self.undeclared else live


def judged(state: TableState, read: Reveal, waived: tuple[str, ...] = ()) -> Judged:
    """Return the body of a reading in this state: tiles, problems, and what the rules say.

    Kongs of the tiles `waived` need not be declared.
    """
    claim = state.claim
    assert claim is not None
    assert claim.seat is not None
    result = None if read.hand is None else judge_body(state, read.hand, known_flowers(read))
    undeclared = tuple(tile for tile in undeclared_kongs(state, claim.seat, read.hand) if tile not in waived)
    problems = (*read.problems, *((UNDECLARED,) if undeclared else ()), *_impossible(state, read.hand))
    if not flowers_known(state, read):
        problems = (*problems, FLOWERS)
    body = {
        "seat": claim.seat.value,
        "hand": read.hand,
        "sure": read.is_sure,
        **read.as_body(),
        "problems": list(problems),
        "result": result,
    }
    is_legal = result is not None and bool(result["legal"])
    return Judged(body, read.is_sure and not problems and is_legal and claim.is_known, undeclared)


def flowers_known(state: TableState, read: Reveal) -> bool:
    """Return whether the winner's flowers are known, or the set has none."""
    return not has_flowers(state) or read.knows_flowers


def known_flowers(read: Reveal) -> tuple[str, ...]:
    """Return the winner's flowers as far as they are sure: a doubtful one counts for nothing."""
    return tuple(sorted(tile for tile, _ in read.flowers or ())) if read.knows_flowers else ()


def _impossible(state: TableState, hand: str | None) -> tuple[str, ...]:
    """Return what cannot be so at one table: a kong that cannot be robbed, a fifth copy of a tile."""
    claim = state.claim
    if hand is None or claim is None or claim.seat is None:
        return ()
    problems = []
    robs = claim.by == "rob_kong" and claim.is_known
    if robs and kongs_are_paid(state) and robbed_kong(state, hand) is None:
        problems.append(NOT_ROBBED)
    tiles = {(win.reading.hand or "").rpartition("+")[2].strip() for win in state.agreed}
    if tiles - {hand.rpartition("+")[2].strip()}:
        problems.append(OTHER_TILE)
    if fifth_copies(state, claim.seat, hand):
        problems.append(FIFTH)
    return tuple(problems)


def as_read(reading: ReadingState) -> Reveal:
    """Return a reading as it was before it was judged, its own doubts and problems kept."""
    doubts = {int(index): tiles for index, tiles in reading.doubts.items()}
    problems = tuple(code for code in reading.problems if code not in JUDGED)
    return Reveal(
        reading.hand,
        reading.sure,
        reading.tiles,
        reading.melds,
        reading.has_win_tile,
        doubts,
        problems,
        flowers=reading.flowers,
    )


def undeclared_kongs(state: TableState, seat: Seat, hand: str | None) -> tuple[str, ...]:
    """Return the tile of every kong that lies on the table, is to be paid and was never declared."""
    if hand is None or not kongs_are_paid(state):
        return ()
    declared = {kong.tile for kong in state.kongs if kong.seat is seat and not kong.robbed}
    return tuple(tile for tile in kongs_of(hand) if tile not in declared)
