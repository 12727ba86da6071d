"""A long campaign in chunks: each has a seed of its own, tells its figures at once, and is kept if asked to.

What a stopped run has kept is not played again: the same words go on with the next chunk. A chunk is the same
run whoever plays it: `--seed SEED --n SIZE` as its line tells them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

Figures = Mapping[str, Any]
Play = Callable[[int, int], Figures]
MOST = "_most"
"""End of the name of a figure of which the largest counts."""


def sizes(total: int, chunk: int) -> list[int]:
    """Return how much each chunk plays.

    >>> sizes(7, 3), sizes(3, 0)
    ([3, 3, 1], [3])
    """
    whole, rest = divmod(total, chunk or max(1, total))
    return [chunk or total] * whole + ([rest] if rest else [])


def summed(one: Figures, other: Figures) -> dict[str, Any]:
    """Return the figures of two runs together.

    >>> summed({"kills": 2, "ms_most": 9, "phases": {"IDLE": 1}}, {"kills": 3, "ms_most": 4})
    {'kills': 5, 'ms_most': 9, 'phases': {'IDLE': 1}}
    """
    found = dict(one)
    for name, value in other.items():
        had = found.get(name)
        if isinstance(value, Mapping):
            found[name] = summed(had or {}, value)
        elif had is None:
            found[name] = value
        else:
            found[name] = max(had, value) if name.endswith(MOST) else round(had + value, 1)
    return found


def play_chunks(total: int, chunk: int, seed: int, play: Play, kept: Path | None = None) -> dict[str, Any]:
    """Play all chunks that are not kept yet and return the figures of all of them.

    Args:
        chunk: how much one plays; 0 = all in one.
        seed: of the first chunk, the next one has the next number.
        kept: file of JSON lines; a chunk that stands there is taken over.
    """
    done = _read(kept)
    figures: dict[str, Any] = {}
    parts = sizes(total, chunk)
    for at, size in enumerate(parts):
        made = done.get((seed + at, size))
        if made is None:
            made = play(seed + at, size)
            _keep(kept, {"seed": seed + at, "size": size, "figures": dict(made)})
        figures = summed(figures, made)
        if len(parts) > 1:
            print(f"{at + 1}/{len(parts)} --seed {seed + at} --n {size} {json.dumps(made)}", file=sys.stderr)
    return {"seed": seed, **figures}


def _read(kept: Path | None) -> dict[tuple[int, int], Figures]:
    """Return what is kept; half a line that a stopped run has left is none."""
    found = {}
    lines = [] if kept is None or not kept.exists() else kept.read_text("utf-8").splitlines()
    for line in lines:
        with suppress(ValueError):
            row = json.loads(line)
            found[row["seed"], row["size"]] = row["figures"]
    return found


def _keep(kept: Path | None, row: Figures) -> None:
    """Add a line, on one of its own whatever stands before it."""
    if kept is not None:
        with kept.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(row, ensure_ascii=False) + "\n")
