"""The bench measures what it says: both feeds are the same hand, the stages are the score, rows come out."""

from __future__ import annotations

import os

import pytest

from rules.records import read_record
from rules.scoring import score
from tests.bench import mcr_bench, mcr_contests, mcr_stages
from tests.bench.mcr_regex import regex_hand
from tests.campaigns.peer import peer_hand
from tests.rules.mcr_hands import hands

MADE = list(hands(11, 300))


def test_both_feeds_tell_the_peer_the_same_hand() -> None:
    for record in MADE:
        assert regex_hand(record["hand"]) == peer_hand(record["hand"]), record["hand"]


def test_the_stages_are_the_score() -> None:
    for record in MADE:
        win, situation = read_record(mcr_contests.VARIANT, record)
        scored, times = mcr_stages.timed(record["hand"], win, situation)
        whole = score(mcr_contests.VARIANT, win, situation)
        assert scored is not None
        assert (scored.total, scored.elements) == (whole.total, whole.elements), record["hand"]
        assert len(times) == len(mcr_stages.STAGES)


def test_no_text_is_seen_twice() -> None:
    seen: set[str] = set()
    texts = [row["hand"] for _ in range(6) for row in mcr_contests.unseen(MADE, seen)]
    assert len(texts) == len(set(texts)) > 5 * len(MADE)


def test_every_contest_brings_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: mcr_contests.records(name)[:20] for name in mcr_contests.CONTESTS}
    monkeypatch.setattr(mcr_bench, "records", few.__getitem__)
    rows = list(mcr_bench.figures())
    assert all(row.figure > 0 for row in rows[1:])
    ratios = [row for row in rows if row.unit == "x"]
    told = [contest for each in mcr_contests.CONTESTS.values() for contest in each if contest.is_told]
    assert len(ratios) == sum(len(contest.peers) for contest in told)
    assert f"{os.cpu_count()} cores" in rows[0].budget
