"""Hands of the twin without camera, link or pages, in every combination: the ledger is true, or open.

Two evenings of four hands, one with pages and one without: camera and link go and the hand after is played
with what is left. Without pages the players are blind: they see lamps, dice and tiles and press keys.
"""

from __future__ import annotations

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
SEEDS = {True: 2, False: 3}
"""With pages and without: nothing happens in hands that are read by key alone which no key can tell."""
HANDS = ((False, True), (True, True), (True, False), (False, False))
"""Of each hand: is the camera there, is the link. Who deals after one that was put aside, the lamp shows."""


@contextmanager
def evening(folder: Path, *, browser: bool) -> Iterator[PlaySession]:
    with ExitStack() as stack:
        order = PlayOrder(len(HANDS), seed=SEEDS[browser], blind=not browser)
        made = PlaySession(order, folder, stack, lambda _text: None)
        made.table.no_pages = not browser
        made.table.start()
        yield made
        assert verify(journal_path(folder)).ok


def play(session: PlaySession, hand: int, *, camera: bool, link: bool) -> None:
    """Play one hand to its end with what is there."""
    table = session.table
    table.twin.fault("camera_back" if camera else "camera_gone")
    if not link:
        table.twin.fault("unplug", for_ms=EVENING_MS)
    table.run(lambda state: state.phase is Phase.SETTLED and state.hand == hand)


@pytest.mark.parametrize("browser", [True, False], ids=["pages", "keys"])
def test_hands_come_to_their_end_with_what_is_left(tmp_path: Path, browser: bool) -> None:
    with evening(tmp_path, browser=browser) as session:
        for hand, (camera, link) in enumerate(HANDS, 1):
            play(session, hand, camera=camera, link=link)
            row, records = judged(session, hand)
            kinds = [record.kind for record in records]
            assert ("by_hand" in kinds) == (not link)
            assert ("build_done" in kinds) == link
            assert ("wall_opened" in kinds) == (browser or (link and camera))
            assert row.read_sure == camera
            if camera or browser:
                assert (row.kind, row.ledger_matches) == ("win", True), row.differences
            else:
                is_put_aside(session, row, true_win(session, hand))
        if not browser:
            everything_is_said_by_key(session)
            for hand, (camera, _) in enumerate(HANDS, 1):
                if not camera:
                    entered_later(session, true_win(session, hand), hand)


def judged(session: PlaySession, hand: int) -> tuple[HandRow, list[Record]]:
    """Return the hand held against the twin's own record, and its rows of the ledger."""
    records = list(read_records(journal_path(session.folder)))
    row = compare(records, read_truth(session.truth), 2, hand)[-1]
    assert row.hand == hand
    assert sum(row.deltas.values()) == 0
    assert sum(place.score for place in session.table.runtime.state.seats) == 0
    assert row.wrong_and_confident == 0, row.differences
    starts = [at for at, each in enumerate(records) if each.kind == "hand_started"]
    return row, records[starts[-1] :]


def true_win(session: PlaySession, hand: int) -> dict[str, Any]:
    wins = (row for row in read_truth(session.truth) if (row["kind"], row["hand"]) == ("win", hand))
    return dict(next(wins))


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


def everything_is_said_by_key(session: PlaySession) -> None:
    """Not one row of the evening came from a page, and nobody tried to use one."""
    sources = [record.body.get("source") for record in read_records(journal_path(session.folder))]
    assert "key" in sources
    assert "page" not in sources
    assert session.table.unheard == 0


def entered_later(session: PlaySession, win: dict[str, Any], hand: int) -> None:
    """A page is back: the hand is written down, and every seat agrees by page."""
    table = session.table
    table.no_pages = False
    before = [place.score for place in table.runtime.state.seats]
    body = {
        "hand": hand,
        "kind": "win",
        "winner": win["seat"],
        "by": win["by"],
        "hand_text": win["hand_text"],
    }
    body |= {"from": win["from"]} if win["from"] else {}
    told = [row for row in read_truth(session.truth) if (row["kind"], row["hand"]) == ("kong", hand)]
    assert [one.value for one in table.runtime.state.sheet[hand - 1].called] == [row["seat"] for row in told]
    kongs = [{"seat": row["seat"], "kind": row["kong"], "tile": row["tile"]} for row in told]
    body["kongs"] = [
        {**kong, **({"from": row["from"]} if row["from"] else {})}
        for kong, row in zip(kongs, told, strict=True)
    ]
    assert table.post("correct_result", reason="entered later", **body), table.refusals[-1]
    for seat in SEATS:
        assert table.post("agree_correction", seat=seat.value), table.refusals[-1]
    after = [place.score for place in table.runtime.state.seats]
    brought = {seat.value: (after[seat.index] - before[seat.index]) / 2 for seat in SEATS}
    assert brought == {seat.value: sum(row["deltas"][seat.value] for row in (win, *told)) for seat in SEATS}
    assert table.runtime.state.sheet[hand - 1].called == ()
