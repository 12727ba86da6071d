"""Clean builds one after the other: right counts, whole walls, no alarm, every tile somewhere at any time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge import messages as m
from hardware.campaigns.pool import Shown, spread, total
from hardware.campaigns.rig import Rig, TableStuck
from hardware.firmware.build import build_firmware
from hardware.twin.plant.plant import SIDES
from hardware.twin.plant.tiles import DRUM, LostTile, feed, mouth, wall

BUILDS_A_TABLE = 100
"""Then the next seed gets a table of its own."""
LONGEST_MS = 210_000
MEDIAN_S = (22.0, 28.0)
P95_S = (30.0, 40.0)
ENOUGH_FOR_TIMES = 200
FALSE_ALARMS_A_BUILD = 1 / 2_000
SABOTAGES = {
    "lost-tile": "a tile leaves a finished wall and nobody moves it: the sum of tiles is wrong",
    "twin-tile": "a tile stands in two stacks and another in none: every count is right, the tiles are not",
}


@dataclass
class Figures(Shown):
    """What was seen."""

    builds: int = 0
    wrong_wall_counts: int = 0
    false_alarms: int = 0
    lost_tiles: int = 0
    stuck: int = 0
    checks: int = 0
    times_ms: list[int] = field(default_factory=list)
    virtual_ms: int = 0


def run(n: int, seed: int, sabotage: str | None = None, tiles: int = 136) -> dict[str, Any]:
    """Return the figures of `n` builds; `missed` names every bound that does not hold."""
    started = time.monotonic()
    elf = build_firmware()  # the same one to the end, whatever is edited meanwhile
    tables = [
        _Table(seed + number, min(BUILDS_A_TABLE, n - number * BUILDS_A_TABLE), tiles, elf, sabotage)
        for number in range(-(-n // BUILDS_A_TABLE))
    ]
    figures = spread(_one_table, tables, "builds", lambda each: each.count)
    return _told(total(Figures(), figures), n, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class _Table:
    seed: int
    count: int
    tiles: int
    elf: Path
    sabotage: str | None


def _one_table(table: _Table) -> Figures:
    figures = Figures()
    where = f"seed {table.seed}"
    with Rig(table.seed, table.tiles, elf=table.elf) as rig:
        rig.check = checker(rig, figures)
        try:
            rig.home()
            while figures.builds < table.count:
                _one_build(rig, figures, f"{where}, build {figures.builds + 1}", table.sabotage)
        except LostTile as error:
            figures.lost_tiles += 1
            figures.note(f"{where}: {error}")
        except TableStuck as error:
            figures.stuck += 1
            figures.note(f"{where}: {error}")
        figures.virtual_ms += rig.now_ms
    return figures


def checker(rig: Rig, figures: Figures) -> Callable[[], None]:
    plant = rig.machine.plant

    def check() -> None:
        plant.check()
        figures.checks += 1

    return check


def _one_build(rig: Rig, figures: Figures, where: str, sabotage: str | None) -> None:
    plant = rig.machine.plant
    rig.load()
    since = rig.mark()
    if rig.order(m.Build(rig.tiles)) != "ok":
        raise TableStuck("Build refused")
    done = rig.build_ended(since, LONGEST_MS)
    if sabotage == "lost-tile":
        plant.sides[1].stacks[-1].pop()
        plant.check()
    elif sabotage == "twin-tile":
        plant.sides[1].stacks[-1][0] = plant.sides[1].stacks[0][0]
        plant.check()
    for fault in rig.faults(since):
        figures.false_alarms += 1
        figures.note(f"{where}: fault {fault.code}, side {fault.side}, detail {fault.detail}")
    if done is None:
        raise TableStuck(f"no walls: {rig.faults(since)}")
    judge(rig, done, figures, where)
    figures.builds += 1
    rig.raise_and_sweep()


def judge(rig: Rig, done: m.BuildDone, figures: Figures, where: str) -> None:
    """Hold the board's counts and the wood's against what the programme wants."""
    plant = rig.machine.plant
    want = rig.walls
    told = (done.count_1, done.count_2, done.count_3, done.count_4)
    stands = tuple(sum(map(len, plant.sides[side].stacks)) for side in SIDES)
    left = plant.tiles.count(DRUM) + sum(
        plant.tiles.count(place(side)) for side in SIDES for place in (feed, mouth)
    )
    walls = sum(plant.tiles.count(wall(side)) for side in SIDES)
    if told != want or stands != want or left or walls != rig.tiles:
        figures.wrong_wall_counts += 1
        figures.note(f"{where}: told {told}, stand {stands}, {left} not in a wall, wanted {want}")
    figures.times_ms.append(done.elapsed_ms)


def _told(figures: Figures, n: int, wall_s: float) -> dict[str, Any]:
    times = sorted(figures.times_ms) or [0]
    median_s = times[len(times) // 2] / 1000
    p95_s = times[min(len(times) - 1, int(len(times) * 0.95))] / 1000
    missed = [
        f"{name} {value}"
        for name, value in (
            ("wrong wall counts", figures.wrong_wall_counts),
            ("lost tiles", figures.lost_tiles),
            ("tables stuck", figures.stuck),
        )
        if value
    ]
    if figures.builds < n:
        missed.append(f"builds {figures.builds} of {n}")
    if figures.false_alarms > figures.builds * FALSE_ALARMS_A_BUILD:
        missed.append(f"false alarms {figures.false_alarms}")
    if len(times) >= ENOUGH_FOR_TIMES:
        for name, value, (least, most) in (("median", median_s, MEDIAN_S), ("p95", p95_s, P95_S)):
            if not least <= value <= most:
                missed.append(f"{name} {value} s is not within {least}-{most} s")
    return {
        "builds": figures.builds,
        "wrong_wall_counts": figures.wrong_wall_counts,
        "false_alarms": figures.false_alarms,
        "lost_tiles": figures.lost_tiles,
        "stuck": figures.stuck,
        "conservation_checks": figures.checks,
        "median_s": median_s,
        "p95_s": p95_s,
        "slowest_s": times[-1] / 1000,
        "virtual_h": round(figures.virtual_ms / 3.6e6, 2),
        "virtual_h_per_wall_min": round(figures.virtual_ms / 3.6e6 / max(wall_s / 60, 1e-9), 2),
        "wall_s": round(wall_s, 1),
        "shown": figures.shown[:10],
        "missed": missed,
    }
