"""`make campaign-kills`: 1,000 times kill -9 at random moments of twin evenings; nothing told is lost.

Chunks of 50 kills, each on a twin of its own, see `chunks.py`: with `--kept FILE` a stopped run goes on.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.campaigns.chunks import play_chunks
from tests.campaigns.figures import print_figures
from tests.evenings.killed import Tables

CHUNK = 50


def kill(number: int, kills: int, sabotage: str = "") -> dict[str, Any]:
    """Kill the service that often at a twin of this seed; return the figures."""
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="kills-") as place,
        Tables(Path(place), number, is_forgetful=bool(sabotage)) as tables,
    ):
        figures = tables.play(kills)
    return {**asdict(figures), "seconds": round(time.monotonic() - started, 1)}


def main(words: Sequence[str]) -> int:
    """Kill and print the figures; exit 1 where something that was told is gone."""
    parser = argparse.ArgumentParser(prog="campaign-kills", description=__doc__)
    parser.add_argument("--n", type=int, default=1_000, help="kills")
    parser.add_argument("--chunk", type=int, default=CHUNK, help="kills of one twin; 0 = all")
    parser.add_argument("--seed", type=int, default=None, help="of the first twin; by chance, and printed")
    parser.add_argument("--kept", type=Path, default=None, help="file of chunks that are done, to go on with")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.add_argument("--sabotage", choices=("forgetful",), default="", help="prove that it can fail")
    asked = parser.parse_args(words)
    number = secrets.randbelow(2**16) if asked.seed is None else asked.seed

    def play(one: int, kills: int) -> dict[str, Any]:
        return kill(one, kills, asked.sabotage)

    try:
        figures = play_chunks(asked.n, asked.chunk, number, play, asked.kept)
    except AssertionError as error:
        print(f"seed {number} or a later one: {error}", file=sys.stderr)
        return 1
    print_figures(figures, as_json=asked.json)
    if figures["lost"]:
        print(f"seed {number}: {figures['lost']} rows that were told are lost", file=sys.stderr)
    return 1 if figures["lost"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
