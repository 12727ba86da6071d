"""A hand of the twin without camera, link or pages, in every combination: the ledger is true, or open.

The robots see what players see, build and throw by hand where the board does not answer, and use their seat
keys where no page hears them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.config import journal_path
from controller.facts import Record
from controller.journal import read_records, verify
from controller.play import PlayOrder, PlaySession
from controller.state import SEATS, Phase
from controller.verdict import HandRow, compare, read_truth
from rules.seats import Seat

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-degraded")]

EVENING_MS = 6 * 3_600_000
BY_DISCARD, BY_HAND = 2, 3
"""Seeds: a win on a discard on walls of the machine, a self-drawn one on walls of the players. No kong is in
them: without a page nobody can declare one."""
GONE = list(itertools.product([False, True], repeat=3))


def name_of(gone: tuple[bool, bool, bool]) -> str:
    words = [word for word, is_gone in zip(("camera", "link", "browser"), gone, strict=True) if is_gone]
    return "-".join(words) or "nothing"


@contextmanager
def evening(folder: Path, seed: int) -> Iterator[PlaySession]:
    with ExitStack() as stack:
        made = PlaySession(PlayOrder(1, seed=seed), folder, stack, lambda _text: None)
        made.table.start()
        yield made
        assert verify(journal_path(folder)).ok


def settled(session: PlaySession) -> None:
    session.table.run(lambda state: state.phase is Phase.SETTLED and state.hand == 1)


def judged(session: PlaySession) -> tuple[HandRow, list[Record]]:
    """Return the hand held against the twin's own record, and the rows of the ledger."""
    records = list(read_records(journal_path(session.folder)))
    row = compare(records, read_truth(session.truth), 2, 1)[0]
    assert sum(row.deltas.values()) == 0
    assert sum(place.score for place in session.table.runtime.state.seats) == 0
    assert row.wrong_and_confident == 0, row.differences
    return row, records


def true_win(session: PlaySession) -> dict[str, Any]:
    return dict(next(row for row in read_truth(session.truth) if row["kind"] == "win"))


@pytest.mark.parametrize("gone", GONE, ids=map(name_of, GONE))
def test_a_hand_comes_to_its_end_with_what_is_left(tmp_path: Path, gone: tuple[bool, bool, bool]) -> None:
    camera, link, browser = (not is_gone for is_gone in gone)
    with evening(tmp_path, BY_DISCARD if link else BY_HAND) as session:
        table = session.table
        table.no_pages = not browser
        if not camera:
            table.twin.fault("camera_gone")
        if not link:
            table.twin.fault("unplug", for_ms=EVENING_MS)
        settled(session)
        row, records = judged(session)
        kinds = [record.kind for record in records]
        assert ("by_hand" in kinds) == (not link)
        assert ("build_done" in kinds) == link
        assert ("wall_opened" in kinds) == (browser or (link and camera))
        assert row.read_sure == camera
        win = true_win(session)
        if camera or browser:
            assert (row.kind, row.ledger_matches) == ("win", True), row.differences
        else:
            is_put_aside(session, row, win)
            entered_later(session, win)


def is_put_aside(session: PlaySession, row: HandRow, win: dict[str, Any]) -> None:
    """The ledger knows who won how and from whom, and no points were guessed."""
    last = session.table.runtime.state.last
    assert last is not None
    assert (row.kind, last.hand_text, set(row.deltas.values())) == ("void", None, {0})
    assert [(each.seat, each.by, each.from_seat) for each in last.unread] == [
        (seat_of(win["seat"]), win["by"], seat_of(win["from"]))
    ]


def seat_of(letter: str | None) -> Seat | None:
    return None if letter is None else Seat(letter)


def entered_later(session: PlaySession, win: dict[str, Any]) -> None:
    """A page is back: the hand is written down, and every seat agrees by key."""
    table = session.table
    table.no_pages = False
    body = {"hand": 1, "kind": "win", "winner": win["seat"], "by": win["by"], "hand_text": win["hand_text"]}
    body |= {"from": win["from"]} if win["from"] else {}
    assert table.post("correct_result", reason="entered later", **body), table.refusals[-1]
    for seat in SEATS:
        assert table.post("agree_correction", seat=seat.value), table.refusals[-1]
    state = table.runtime.state
    assert state.last is not None
    assert not state.last.unread
    scores = {place.seat.value: place.score / 2 for place in state.seats}
    assert scores == {seat: float(points) for seat, points in win["deltas"].items()}
