"""`make campaign-kills`: 1,000 times kill -9 at random moments of twin evenings; nothing told is lost."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.campaigns.figures import print_figures
from tests.evenings.killed import Tables


def main(words: Sequence[str]) -> int:
    """Kill and print the figures; exit 1 where something that was told is gone."""
    parser = argparse.ArgumentParser(prog="campaign-kills", description=__doc__)
    parser.add_argument("--n", type=int, default=1_000, help="kills")
    parser.add_argument("--seed", type=int, default=None, help="of twin and moments; by chance, and printed")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.add_argument("--sabotage", choices=("forgetful",), default="", help="prove that it can fail")
    asked = parser.parse_args(words)
    number = secrets.randbelow(2**16) if asked.seed is None else asked.seed
    started = time.monotonic()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="kills-") as place,
            Tables(Path(place), number, is_forgetful=bool(asked.sabotage)) as tables,
        ):
            figures = tables.play(asked.n)
    except AssertionError as error:
        print(f"seed {number}: {error}", file=sys.stderr)
        return 1
    told = {"seed": number, **asdict(figures), "seconds": round(time.monotonic() - started, 1)}
    print_figures(told, as_json=asked.json)
    if figures.lost:
        print(f"seed {number}: {figures.lost} rows that were told are lost", file=sys.stderr)
    return 1 if figures.lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
