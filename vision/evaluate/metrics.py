"""Figures from answers on given crops: accuracy by set, acceptance, calibration curve, mix-ups."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.readings import UNSURE

BINS = 10
MOST_WRONG = 0.003
"""Part of the accepted answers that may be wrong."""
STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
"""Thresholds of the coverage table."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said about one crop.

    `best`: at threshold 0; `told`: at the default threshold ("?" = not sure); `score`: of `best`, 0 to 1.
    """

    set: str
    face: str
    best: str
    told: str
    score: float
    file: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the best answer is the tile's face."""
        return self.best == self.face


def part(count: float, of: float) -> float:
    """Return a share 0 to 1 with five digits; 0 of nothing is 0."""
    return round(count / of, 5) if of else 0.0


def by_set(right: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Return pooled share, mean of the sets and worst set of (right, all) by set; None where there is
    nothing: what was not measured has met no target."""
    shares = {name: part(*counts) for name, counts in sorted(right.items()) if counts[1]}
    if not shares:
        return {"n": 0, "pooled": None, "mean": None, "worst": None, "worst_set": "", "sets": {}}
    worst = min(shares, key=lambda name: shares[name])
    return {
        "n": sum(counts[1] for counts in right.values()),
        "pooled": part(
            sum(counts[0] for counts in right.values()), sum(counts[1] for counts in right.values())
        ),
        "mean": round(statistics.fmean(shares.values()), 5),
        "worst": shares[worst],
        "worst_set": worst,
        "sets": {name: [*right[name], share] for name, share in shares.items()},
    }


def accuracy(answers: Sequence[Answer], faces: Collection[str]) -> dict[str, Any]:
    """Return how many of the crops with one of `faces` are named right at threshold 0, by set."""
    right: dict[str, tuple[int, int]] = {}
    for answer in answers:
        if answer.face in faces:
            good, count = right.get(answer.set, (0, 0))
            right[answer.set] = (good + answer.is_right, count + 1)
    return by_set(right)


def acceptance(answers: Sequence[Answer], faces: Collection[str]) -> dict[str, Any]:
    """Return how many crops are answered at the default threshold and how many of those answers are wrong."""
    known = [answer for answer in answers if answer.face in faces]
    sets: dict[str, list[Answer]] = defaultdict(list)
    for answer in known:
        sets[answer.set].append(answer)
    counts = {name: _accepted(group) for name, group in sorted(sets.items())}
    accepted, wrong = _accepted(known)
    shares = {name: part(count[0], len(sets[name])) for name, count in counts.items()}
    worst = min(shares, key=lambda name: shares[name], default="")
    return {
        "n": len(known),
        "accepted": accepted,
        "wrong": wrong,
        "accepted_part": part(accepted, len(known)) if known else None,
        "wrong_part": part(wrong, accepted) if known else None,
        "mean": round(statistics.fmean(shares.values()), 5) if shares else None,
        "worst": shares.get(worst),
        "worst_set": worst,
        "sets": {name: [*count, len(sets[name])] for name, count in counts.items()},
    }


def _accepted(answers: Sequence[Answer]) -> tuple[int, int]:
    told = [answer for answer in answers if answer.told != UNSURE]
    return len(told), sum(answer.told != answer.face for answer in told)


def foreign(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return how many tiles outside the 42 faces got a face or "back" at the default threshold."""
    told = [answer for answer in answers if answer.told != UNSURE]
    names = Counter(answer.told for answer in told)
    return {
        "n": len(answers),
        "accepted": len(told),
        "accepted_part": part(len(told), len(answers)) if answers else None,
        "named": dict(names.most_common(12)),
    }


def calibration(answers: Sequence[Answer], faces: Collection[str]) -> dict[str, Any]:
    """Return the reliability curve, the expected calibration error and what each threshold would do.

    The error is the mean distance of score and share of right answers over the bins, weighed by their crops.
    `threshold` is the least that keeps wrong answers within `MOST_WRONG` of the accepted ones, None if none
    does.
    """
    known = [answer for answer in answers if answer.face in faces]
    bins: list[list[Answer]] = [[] for _ in range(BINS)]
    for answer in known:
        bins[min(BINS - 1, int(answer.score * BINS))].append(answer)
    rows = [
        {
            "from": index / BINS,
            "to": (index + 1) / BINS,
            "n": len(group),
            "score": round(statistics.fmean(answer.score for answer in group), 5) if group else None,
            "right": part(sum(answer.is_right for answer in group), len(group)) if group else None,
        }
        for index, group in enumerate(bins)
    ]
    off = sum(
        abs(sum(answer.score for answer in group) - sum(answer.is_right for answer in group))
        for group in bins
    )
    return {
        "n": len(known),
        "bins": rows,
        "ece": part(off, len(known)),
        "coverage": [_at(known, step) for step in STEPS],
        "threshold": least_threshold(known),
    }


def _at(answers: Sequence[Answer], threshold: float) -> dict[str, Any]:
    told = [answer for answer in answers if answer.score >= threshold]
    wrong = sum(not answer.is_right for answer in told)
    return {
        "threshold": threshold,
        "accepted": len(told),
        "accepted_part": part(len(told), len(answers)),
        "wrong": wrong,
        "wrong_part": part(wrong, len(told)),
    }


def least_threshold(answers: Sequence[Answer], most_wrong: float = MOST_WRONG) -> float | None:
    """Return the least score from which no more than `most_wrong` of the answers are wrong; None if none
    does."""
    ordered = sorted(answers, key=lambda answer: -answer.score)
    best: float | None = None
    wrong = 0
    for count, answer in enumerate(ordered, 1):
        wrong += not answer.is_right
        last_of_score = count == len(ordered) or ordered[count].score < answer.score
        if last_of_score and wrong <= most_wrong * count:
            best = answer.score
    return best


def mix_ups(answers: Sequence[Answer], most: int = 40, files: int = 4) -> list[dict[str, Any]]:
    """Return which faces are taken for which, the most frequent first, with some of their pictures."""
    pairs: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        if not answer.is_right:
            pairs[answer.face, answer.best].append(answer)
    rows = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))[:most]
    return [
        {
            "face": face,
            "read": read,
            "n": len(group),
            "accepted": sum(answer.told != UNSURE for answer in group),
            "sets": sorted({answer.set for answer in group}),
            "files": [[answer.file, answer.score] for answer in sorted(group, key=_surest)[:files]],
        }
        for (face, read), group in rows
    ]


def _surest(answer: Answer) -> tuple[float, str]:
    return -answer.score, answer.file
