"""`make campaign-evenings`: whole evenings by chance against a model with a pencil, through torn writes.

Each has at least 200 hands with claims, disputes, corrections, leaves and washouts; the real ledger is
copied in the middle of a write, and the evening goes on with the copy. Fails with the shortest evening that
hypothesis finds. Chunks of 25 evenings, see `chunks.py`: with `--kept FILE` a stopped run goes on.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.campaigns.chunks import play_chunks
from tests.campaigns.figures import print_figures
from tests.evenings.machine import machine

SABOTAGES = ("moved-point", "lost-commit")
CHUNK = 25


class Differs(Exception):
    """Table and model do not tell the same; anything else that stops a run is no finding of it."""


def run(evenings: int, hands: int, number: int, sabotage: str = "") -> dict[str, Any]:
    """Play that many evenings of so many hands.

    Raises:
        Differs: with the first difference between table and model.
    """
    played, started = machine(hands=hands, sabotage=sabotage), time.monotonic()
    order = settings(
        max_examples=evenings,
        stateful_step_count=max(10, 2 * hands // 5),
        deadline=None,
        database=None,
        phases=(Phase.generate,) if sabotage else (Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    try:
        run_state_machine_as_test(seed(number)(played), settings=order)
    except AssertionError as error:
        told = "\n".join([str(error), *getattr(error, "__notes__", ())])
        raise Differs(f"seed {number}: table and model differ: {told}") from error
    counts = played.counts
    return {
        "evenings": played.evenings,
        "hands": counts.hands,
        "inputs": counts.inputs,
        "refused": counts.refused,
        "rows": counts.rows,
        "corrections": counts.corrections,
        "crashes": counts.crashes,
        "torn_writes": counts.torn,
        "facts_lost_before_they_were_acknowledged": counts.lost_unacknowledged,
        **{name.replace(" ", "_"): count for name, count in sorted(counts.kinds.items())},
        "seconds": round(time.monotonic() - started, 1),
    }


def main(words: Sequence[str]) -> int:
    """Play and print the figures; exit 1 where table and model differ."""
    parser = argparse.ArgumentParser(prog="campaign-evenings", description=__doc__)
    parser.add_argument("--n", type=int, default=1_000, help="evenings")
    parser.add_argument("--hands", type=int, default=200, help="hands of an evening, at least")
    parser.add_argument("--chunk", type=int, default=CHUNK, help="evenings of one seed; 0 = all")
    parser.add_argument("--seed", type=int, default=None, help="of the first chunk; by chance, and printed")
    parser.add_argument("--kept", type=Path, default=None, help="file of chunks that are done, to go on with")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.add_argument("--sabotage", choices=SABOTAGES, default="", help="prove that the campaign can fail")
    asked = parser.parse_args(words)
    number = secrets.randbelow(2**32) if asked.seed is None else asked.seed

    def play(one: int, evenings: int) -> dict[str, Any]:
        return run(evenings, asked.hands, one, asked.sabotage)

    try:
        figures = play_chunks(asked.n, asked.chunk, number, play, asked.kept)
    except Differs as error:
        print(error, file=sys.stderr)
        return 1
    print_figures(figures, as_json=asked.json)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
