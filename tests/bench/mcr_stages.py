"""Where the time of a score from text goes: the steps of `rules.evaluate.score` timed one by one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from time import perf_counter

from rules.evaluate import as_score, best_of, claimed, count_elements, readings, refused
from rules.notation import parse_hand
from rules.plan import plan_of
from rules.records import read_record
from rules.scoring import Score, Situation, Win
from rules.situation import check_win
from rules.variant import resolve_options
from rules.view import View
from tests.bench.mcr_contests import VARIANT, Record
from tests.bench.row import median

STAGES = {
    "parse": "text to a hand",
    "check": "the win is put together, tiles and circumstances agree",
    "readings": "every split of the hand",
    "view": "what elements look at",
    "waits": "in form; asked of every hand here",
    "elements": "counted in every reading",
    "result": "the best reading as a score",
}


def timed(text: str, win: Win, situation: Situation) -> tuple[Score | None, list[float]]:
    """Return the score of a text and how long each stage took, in us, in the order of `STAGES`."""
    marks = [perf_counter()]
    hand = parse_hand(text)
    marks.append(perf_counter())
    claim = Win(win.seat, hand, win.by, win.source, win.flags, win.wall_left, win.flowers)
    plan = plan_of(VARIANT, resolve_options(VARIANT, situation.options))
    check_win(
        claim,
        situation,
        hand_size=VARIANT.hand_size,
        kinds=VARIANT.kinds_mask,
        tiles=VARIANT.tiles,
        known=VARIANT.flags,
    )
    refused(VARIANT, claim, situation, plan.options)
    marks.append(perf_counter())
    every = readings(plan, hand)
    marks.append(perf_counter())
    same = claimed(plan, claim, situation)
    views = [View(same, reading) for reading in every]
    marks.append(perf_counter())
    same.waits  # noqa: B018  kept there for the elements that ask
    marks.append(perf_counter())
    found = [count_elements(plan, view) for view in views]
    marks.append(perf_counter())
    best = best_of(plan, found)
    scored = None if best is None else as_score(plan, best)
    marks.append(perf_counter())
    return scored, [(end - start) * 1e6 for start, end in pairwise(marks)]


def stages(rows: Iterable[Record]) -> dict[str, float]:
    """Return the median of every stage over the records, in us."""
    times: list[list[float]] = []
    for record in rows:
        win, situation = read_record(VARIANT, record)
        times.append(timed(record["hand"], win, situation)[1])
    return dict(zip(STAGES, map(median, zip(*times, strict=True)), strict=True))
