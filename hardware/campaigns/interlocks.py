"""The rules that keep hands and parts whole, as properties over random steps on the core of the firmware.

A step changes an input, gives an order (past the link), beats, stops, resets, or lets some milliseconds pass.
Often the inputs answer as a table would, so that every state is reached; otherwise they do as they like. What
must hold is judged here from the levels that were put on the pins and the log of the motors.
"""

from __future__ import annotations

import time
from typing import Any

from hardware.campaigns.core import Core
from hardware.campaigns.interlock_rules import FEWEST, FULL, MUTANT, RULES, SABOTAGES, Figures
from hardware.campaigns.interlock_walk import Walk
from hardware.campaigns.progress import Progress

__all__ = ["RULES", "SABOTAGES", "run"]


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Return the figures of `n` steps; `missed` names every bound that does not hold.

    A run without one of the rules ends when that rule is seen broken.
    """
    figures = Figures()
    started = time.monotonic()
    mutant = None if sabotage is None else MUTANT.get(sabotage, sabotage)
    walk = Walk(seed, Core(mutant), figures)
    with Progress(n, "steps") as progress:
        while figures.steps < n and not (sabotage and figures.broken[sabotage]):
            walk.step()
            progress.add()
    return _told(figures, n, time.monotonic() - started)


def _told(figures: Figures, n: int, wall_s: float) -> dict[str, Any]:
    missed = [f"{rule} broken {figures.broken[rule]} times" for rule in RULES if figures.broken[rule]]
    fewest = FEWEST if n >= FULL else n * FEWEST // FULL // 2
    missed += [
        f"{rule} tried only {figures.tried[rule]} times, wanted {fewest}"
        for rule in RULES
        if figures.tried[rule] < fewest
    ]
    return {
        "steps": figures.steps,
        "tried": {rule: figures.tried[rule] for rule in RULES},
        "broken": sum(figures.broken.values()),
        "broken_by_rule": dict(figures.broken),
        "states": dict(figures.states.most_common()),
        "wall_s": round(wall_s, 1),
        "shown": figures.shown,
        "missed": missed,
    }
