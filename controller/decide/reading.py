"""What lies there, held against claim and kongs: the one body of `hand_read` and `corrected`.

Tiles are sure because they were seen or said so, never because somebody stated anew how they were won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.judge import fifth_copies, judge_body, robbed_kong
from controller.live_values import Live
from controller.reveal import Reveal, kongs_of
from controller.state import ReadingState, TableState
from rules.seats import Seat

UNDECLARED = "kong.undeclared"
NOT_ROBBED = "kong.not_robbed"
FIFTH = "tiles.fifth_copy"
JUDGED = frozenset({UNDECLARED, NOT_ROBBED, FIFTH})
"""Problems that come of claim and kongs: they are found anew each time, the others stay with the tiles."""


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
    result = None if read.hand is None else judge_body(state, read.hand)
    undeclared = tuple(tile for tile in undeclared_kongs(state, claim.seat, read.hand) if tile not in waived)
    problems = (*read.problems, *((UNDECLARED,) if undeclared else ()), *_impossible(state, read.hand))
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


def _impossible(state: TableState, hand: str | None) -> tuple[str, ...]:
    """Return what cannot be so at one table: a kong that cannot be robbed, a fifth copy of a tile."""
    claim = state.claim
    if hand is None or claim is None or claim.seat is None:
        return ()
    problems = []
    if claim.by == "rob_kong" and claim.is_known and robbed_kong(state, hand) is None:
        problems.append(NOT_ROBBED)
    if fifth_copies(state, claim.seat, hand):
        problems.append(FIFTH)
    return tuple(problems)


def as_read(reading: ReadingState) -> Reveal:
    """Return a reading as it was before it was judged, its own doubts and problems kept."""
    doubts = {int(index): tiles for index, tiles in reading.doubts.items()}
    problems = tuple(code for code in reading.problems if code not in JUDGED)
    return Reveal(
        reading.hand, reading.sure, reading.tiles, reading.melds, reading.has_win_tile, doubts, problems
    )


def undeclared_kongs(state: TableState, seat: Seat, hand: str | None) -> tuple[str, ...]:
    """Return the tile of every kong that lies on the table and was never declared."""
    if hand is None:
        return ()
    declared = {kong.tile for kong in state.kongs if kong.seat is seat and not kong.robbed}
    return tuple(tile for tile in kongs_of(hand) if tile not in declared)
