"""Every programme and every kind of uneven wall, with pauses in which forgotten tiles are added.

The counts are right, nobody is alarmed, and no tile is lost. Half of the builds are paused at a random
moment, by both lift keys or by the host; in half of those one or two tiles lay on the floor until then. Sets
go round: table after table has another one.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge import messages as m
from hardware.campaigns.builds import Figures as Built
from hardware.campaigns.builds import checker, judge
from hardware.campaigns.pool import spread, total
from hardware.campaigns.rig import Rig, TableStuck
from hardware.firmware.build import build_firmware
from hardware.twin.plant.collision import Collision
from hardware.twin.plant.tiles import LostTile

BUILDS_A_TABLE = 5
LONGEST_MS = 210_000
BEFORE_MS = (200, 30_000)
"""From the start of a build to the pause, where it is not over by then."""
PAUSE_MS = (2_000, 90_000)
TOGETHER_MS = 250
Walls = tuple[int, int, int, int]
PLANS: tuple[tuple[int, Walls | None], ...] = (
    (72, None),
    (72, (36, 0, 36, 0)),
    (84, (28, 28, 28, 0)),
    (108, None),
    (108, (26, 28, 26, 28)),
    (108, (28, 28, 26, 26)),
    (108, (36, 36, 0, 36)),
    (112, None),
    (120, None),
    (136, None),
    (144, None),
)
"""Tiles, and the tiles of each side where they are told."""
SABOTAGES = {
    "one-short": "a side is ordered two tiles less and its neighbour two more than judged: counts are wrong",
    "tile-kept": "a tile that fell on the floor is kept there in the pause: it is missing at the end",
}


@dataclass
class Figures:
    """What was seen."""

    built: Built = field(default_factory=Built)
    pauses: int = 0
    tiles_added: int = 0
    by_plan: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Table:
    seed: int
    count: int
    tiles: int
    walls: Walls | None
    elf: Path
    sabotage: str | None


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Return the figures of `n` builds; `missed` names every bound that does not hold."""
    started = time.monotonic()
    elf = build_firmware()
    each = min(BUILDS_A_TABLE, max(1, -(-n // len(PLANS))))
    tables = []
    for number, begun in enumerate(range(0, n, each)):
        tiles, walls = PLANS[number % len(PLANS)]
        tables.append(_Table(seed + number, min(each, n - begun), tiles, walls, elf, sabotage))
    parts = spread(_one_table, tables, "builds", lambda table: table.count)
    built = total(Built(), [part.built for part in parts])
    by_plan: dict[str, int] = {}
    for part in parts:
        for plan, count in part.by_plan.items():
            by_plan[plan] = by_plan.get(plan, 0) + count
    pauses = sum(part.pauses for part in parts)
    added = sum(part.tiles_added for part in parts)
    return _told(built, by_plan, pauses, added, n, time.monotonic() - started)


def _one_table(table: _Table) -> Figures:
    figures = Figures()
    built = figures.built
    rng = random.Random(f"walls/{table.seed}")
    where = f"seed {table.seed}, {table.tiles} as {table.walls or 'even'}"
    with Rig(table.seed, table.tiles, walls=table.walls, elf=table.elf) as rig:
        rig.check = checker(rig, built)
        try:
            rig.home()
            while built.builds < table.count:
                _one_build(rig, figures, rng, f"{where}, build {built.builds + 1}", table.sabotage)
                rig.raise_and_sweep()
        except (LostTile, Collision) as error:
            built.lost_tiles += 1
            built.note(f"{where}: {error}")
        except TableStuck as error:
            built.stuck += 1
            built.note(f"{where}: {error}")
        built.virtual_ms += rig.now_ms
        figures.by_plan[f"{table.tiles} {'even' if table.walls is None else table.walls}"] = built.builds
    return figures


def _one_build(rig: Rig, figures: Figures, rng: random.Random, where: str, sabotage: str | None) -> None:
    plant, built = rig.machine.plant, figures.built
    pauses = rng.random() < 0.5 or sabotage == "tile-kept"
    lost = rng.choice((0, 0, 1, 2)) if pauses and sabotage != "tile-kept" else int(sabotage == "tile-kept")
    plant.lose_tile(lost)
    rig.load()
    since = rig.mark()
    if rig.order(_plan(rig, sabotage)) != "ok":
        raise TableStuck("Build refused")
    if pauses:
        _pause(rig, figures, rng, since, keep=sabotage == "tile-kept")
    done = rig.build_ended(since, LONGEST_MS + PAUSE_MS[1])
    for fault in rig.faults(since):
        built.false_alarms += 1
        built.note(f"{where}: fault {fault.code}, side {fault.side}, detail {fault.detail}")
    if done is None:
        raise TableStuck(f"no walls: {rig.faults(since)}")
    judge(rig, done, built, where)
    built.builds += 1


def _plan(rig: Rig, sabotage: str | None) -> m.Build:
    if sabotage != "one-short":
        return rig.plan
    sides = list(rig.walls)
    least = min((side for side in range(4) if sides[side]), key=lambda side: sides[side])
    most = next((side for side in range(4) if side != least and sides[side] < 36), None)
    sides[least] -= 2
    if most is not None:
        sides[most] += 2
    return m.Build(sum(sides), *sides)


def _pause(rig: Rig, figures: Figures, rng: random.Random, since: int, *, keep: bool) -> None:
    """Wait a while, let it stand, add what lies on the floor, and go on; nothing where it was over before."""
    plant, by_keys = rig.machine.plant, rng.random() < 0.5
    until_ms = rig.now_ms + rng.randint(*BEFORE_MS)
    while rig.now_ms < until_ms and not rig.events(since, m.BuildDone, m.Stopped):
        rig.run(min(200, until_ms - rig.now_ms))
    if rig.events(since, m.BuildDone, m.Stopped):
        return
    if by_keys:
        plant.press_key("lift_a")
        rig.run(rng.randint(0, TOGETHER_MS))
        plant.press_key("lift_b")
    elif rig.order(m.Pause(True)) != "ok":
        return  # it was over in this very moment
    rig.wait(lambda: plant.dome.is_up or bool(rig.events(since, m.BuildDone, m.Stopped)), 5_000, "dome up")
    if not plant.dome.is_up:
        return
    rig.run(rng.randint(*PAUSE_MS))
    figures.pauses += 1
    if not keep:
        figures.tiles_added += plant.pick_up()
    plant.push_in()
    if by_keys:
        plant.press_key(rng.choice(("lift_a", "lift_b")))
    elif rig.order(m.Pause(False)) != "ok":
        raise TableStuck("the build does not go on")


def _told(
    built: Built, by_plan: dict[str, int], pauses: int, added: int, n: int, wall_s: float
) -> dict[str, Any]:
    missed = [
        f"{name} {value}"
        for name, value in (
            ("wrong wall counts", built.wrong_wall_counts),
            ("false alarms", built.false_alarms),
            ("lost tiles", built.lost_tiles),
            ("tables stuck", built.stuck),
        )
        if value
    ]
    if built.builds < n:
        missed.append(f"builds {built.builds} of {n}")
    return {
        "builds": built.builds,
        "by_plan": by_plan,
        "pauses": pauses,
        "tiles_added": added,
        "wrong_wall_counts": built.wrong_wall_counts,
        "false_alarms": built.false_alarms,
        "lost_tiles": built.lost_tiles,
        "stuck": built.stuck,
        "conservation_checks": built.checks,
        "slowest_s": max(built.times_ms, default=0) / 1000,
        "virtual_h": round(built.virtual_ms / 3.6e6, 2),
        "wall_s": round(wall_s, 1),
        "shown": built.shown[:10],
        "missed": missed,
    }
