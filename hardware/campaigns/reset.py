"""Resets at evenly spread points of a build: nothing moves, the state has a name, the host finds its way on.

Each point has a table of its own with the same seed, so that it is the same build every time and a point can
be looked at alone. The four kinds of reset take turns. The host then does what the service does: tiles may
have passed a counter unseen, so the walls go up, people take them out, and all is built anew.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from hardware.campaigns.pool import Shown, spread, total
from hardware.campaigns.rig import Rig, TableStuck, shares
from hardware.firmware.build import build_firmware
from hardware.twin.harness_client import ResetKind
from hardware.twin.plant.collision import Collision
from hardware.twin.plant.plant import SIDES

BUILD_MS = 26_000
"""The points are spread over so much of a build; one that is over by then was in READY."""
RECOVERY_MS = 2_000
WATCHDOG_MS = 400
WHOLE_EVERY = 10
"""Every so many points the build is brought to its end; the others stop when motion is possible again."""
KINDS: tuple[ResetKind, ...] = get_args(ResetKind)
CAUSE = {
    "power": m.ResetCause.power_on,
    "external": m.ResetCause.external,
    "brownout": m.ResetCause.brown_out,
    "unknown": m.ResetCause.unknown,
    "hang": m.ResetCause.watchdog,
}
SAFE = (m.State.idle, m.State.ready)
UNKNOWN = 905
"""A start for no known reason is a fault that a person clears."""
SABOTAGES = {"keep-motor": "a firmware that lets run on after a reset what ran before"}


@dataclass
class Figures(Shown):
    """What was seen."""

    points: int = 0
    in_build: int = 0
    moved_after_reset: int = 0
    not_told: int = 0
    unnamed_state: int = 0
    late: int = 0
    not_recovered: int = 0
    whole: int = 0
    collisions: int = 0
    ready_ms: list[int] = field(default_factory=list)
    states: dict[str, int] = field(default_factory=dict)


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Return the figures of `n` points; `missed` names every bound that does not hold."""
    started = time.monotonic()
    elf = build_firmware(sabotage)
    points = [_Point(number, round((number + 0.5) * BUILD_MS / n), seed, elf) for number in range(n)]
    figures = total(Figures(), spread(_at_a_point, points, "points"))
    return _told(figures, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class _Point:
    number: int
    at_ms: int
    seed: int
    elf: Path


def _at_a_point(point: _Point) -> Figures:
    figures = Figures(points=1)
    kind = KINDS[point.number % len(KINDS)]
    where = f"seed {point.seed}, {kind} reset at {point.at_ms} ms"
    with Rig(point.seed, elf=point.elf) as rig:
        try:
            _one_point(rig, point.at_ms, kind, figures, where)
            _recover(rig, point.number % WHOLE_EVERY == WHOLE_EVERY // 2, figures)
        except Collision as error:
            figures.collisions += 1
            figures.note(f"{where}: {error}")
        except TableStuck as error:
            figures.not_recovered += 1
            figures.note(f"{where}: {error}")
    return figures


def _one_point(rig: Rig, at_ms: int, kind: ResetKind, figures: Figures, where: str) -> None:
    rig.home()
    rig.load()
    if rig.order(m.Build(rig.tiles)) != "ok":
        raise TableStuck("Build refused")
    rig.run(at_ms)
    figures.in_build += bool(rig.machine.plant.motors_on)
    since, resets, reset_ms = rig.mark(), rig.machine.resets, rig.now_ms
    rig.machine.harness.reset(kind)
    rig.wait(lambda: rig.machine.resets > resets, WATCHDOG_MS, "reset")
    moved: set[str] = set(rig.machine.plant.motors_on)
    check = rig.check

    def watch() -> None:
        check()
        moved.update(rig.machine.plant.motors_on)

    rig.check = watch
    boot_ms = rig.now_ms
    rig.wait(lambda: _ready(rig, since), RECOVERY_MS, "Ready after the reset")
    status = rig.ask_status()
    figures.ready_ms.append(rig.now_ms - boot_ms)
    figures.late += rig.now_ms - boot_ms > RECOVERY_MS or boot_ms - reset_ms > WATCHDOG_MS
    rig.run(300)
    rig.check = check
    causes = [each.cause for each in rig.heard[since:] if isinstance(each, fb.Rebooted)]
    if causes != [CAUSE[kind]]:
        figures.not_told += 1
        figures.note(f"{where}: told {causes}")
    figures.states[status.state.name] = figures.states.get(status.state.name, 0) + 1
    is_safe = status.state in SAFE or (kind == "unknown" and status.fault == UNKNOWN)
    if not is_safe or status.homed or status.actuators:
        figures.unnamed_state += 1
        figures.note(f"{where}: {status}")
    if moved:
        figures.moved_after_reset += 1
        figures.note(f"{where}: {', '.join(sorted(moved))} ran without an order")


def _ready(rig: Rig, since: int) -> bool:
    return any(isinstance(each, fb.Ready) for each in rig.heard[since:])


def _recover(rig: Rig, whole: bool, figures: Figures) -> None:
    if rig.ask_status().fault == UNKNOWN:
        rig.clear()
    rig.home()
    rig.raise_and_sweep()
    rig.load()
    if not whole:
        return
    since = rig.mark()
    answer = rig.order(m.Build(rig.tiles))
    if answer != "ok":
        raise TableStuck(f"Build refused: {answer}")
    if rig.build_ended(since, 120_000) is None:
        raise TableStuck(f"the build ended in {rig.faults(since)}")
    stands = tuple(sum(map(len, rig.machine.plant.sides[side].stacks)) for side in SIDES)
    if stands != shares(rig.tiles):
        raise TableStuck(f"walls of {stands} tiles")
    figures.whole += 1


def _told(figures: Figures, wall_s: float) -> dict[str, Any]:
    bad = (
        ("resets after which something moved unasked", figures.moved_after_reset),
        ("resets with another cause than told", figures.not_told),
        ("resets that end in no named safe state", figures.unnamed_state),
        (f"recoveries later than {RECOVERY_MS} ms", figures.late),
        ("tables that did not recover", figures.not_recovered),
        ("collisions", figures.collisions),
    )
    times = sorted(figures.ready_ms) or [0]
    return {
        "points": figures.points,
        "in_build": figures.in_build,
        "states": figures.states,
        "moved_after_reset": figures.moved_after_reset,
        "cause_not_told": figures.not_told,
        "unnamed_state": figures.unnamed_state,
        "late": figures.late,
        "not_recovered": figures.not_recovered,
        "collisions": figures.collisions,
        "builds_brought_to_an_end": figures.whole,
        "ready_after_boot_ms": {"median": times[len(times) // 2], "most": times[-1]},
        "wall_s": round(wall_s, 1),
        "shown": figures.shown[:10],
        "missed": [f"{what}: {count}" for what, count in bad if count],
    }
