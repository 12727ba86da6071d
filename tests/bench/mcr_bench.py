"""Chinese Official beside PyMahjongGB: score, waits, distance; the pure path and the compiled one.

Each path is measured in a process of its own, the peer within the same process, so that the ratios hold on a
busy machine too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

from hatch_build import SUFFIX, lacking
from rules import evaluate
from tests.bench.mcr_contests import CONTESTS, Contest, records, run, unseen
from tests.bench.mcr_stages import STAGES, stages
from tests.bench.row import Row
from tests.compiled import ROOT, built, environment


def rows() -> Iterator[Row]:
    """Yield the figures of both paths; of the pure one only where nothing can be compiled."""
    yield from _rows_with(ROOT)
    missing = lacking()
    if missing is None:
        yield from _rows_with(built())
    else:
        print(f"mcr compiled: left out, {missing}", file=sys.stderr)


def _rows_with(folder: Path) -> Iterator[Row]:
    """Yield the figures of the `rules` in this folder, measured in another process."""
    command = [sys.executable, "-P", "-m", "tests.bench.mcr_bench"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as measuring:
        assert measuring.stdout is not None
        for line in measuring.stdout:
            yield Row(*json.loads(line))
    if measuring.returncode:
        raise RuntimeError(f"measuring {folder} failed, exit {measuring.returncode}")


def figures() -> Iterator[Row]:
    """Yield the figures of the `rules` of this process."""
    path = "compiled" if evaluate.__file__.endswith(SUFFIX) else "pure"
    yield Row(
        f"mcr {path}: load of the machine, last minute", os.getloadavg()[0], "", f"{os.cpu_count()} cores"
    )
    for name, contests in CONTESTS.items():
        known, seen = records(name), set[str]()
        for contest in contests:
            medians = run(contest, unseen(known, seen))
            if contest.is_told:
                yield from told(path, contest, medians)
        if name == "vectors.jsonl":
            for stage, figure in stages(known).items():
                yield Row(f"mcr {path}: of it {stage}", figure, "us", STAGES[stage])


def told(path: str, contest: Contest, medians: dict[str, float]) -> Iterator[Row]:
    """Yield the rows of one contest: ours, then for every way to ask the peer its time and the ratio."""
    ours = medians["ours"]
    yield Row(f"mcr {path}: {contest.what}", ours, "us", contest.budget if path == "pure" else "")
    for way in contest.peers:
        yield Row(f"     PyMahjongGB, {way}", medians[way], "us")
        ratio = contest.ratio if path == "compiled" else ""
        yield Row(f"     ours / PyMahjongGB, {way}", ours / medians[way], "x", ratio)


if __name__ == "__main__":
    for row in figures():
        print(json.dumps(astuple(row)), flush=True)
