"""`python -m hardware.campaigns.NAME`: one JSON object on stdout, exit 1 when a bound is missed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.firmware.build import BuildError

Run = Callable[[int, int, str | None], dict[str, Any]]


def main(run: Run, sabotages: Mapping[str, str], full: int, arguments: Sequence[str] | None = None) -> int:
    """Run one campaign and print its figures; returns the exit status."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--n", type=_count, default=full, help=f"how many (full size {full})")
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--sabotage", choices=sabotages, help="prove that the figures can fail")
    given = line.parse_args(arguments)
    try:
        figures = run(given.n, given.seed, given.sabotage)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(figures, ensure_ascii=False), flush=True)
    return 1 if figures["missed"] else 0


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 up")
    return int(text)
