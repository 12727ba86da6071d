"""Every simulated row of the table of faults, armed by name on many seeds: the right number and side in time,
all motors off, and the documented way out works.

A row says how to break the table, what is to be told, and how long after it makes a difference. The host does
what the service and the people at the table do: clear, home, and go on with what was interrupted.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.faults import FAULTS
from hardware.campaigns.fault_rows import CAUSES, NOT_SIMULATED, ROWS, Row
from hardware.campaigns.pool import Shown, spread, total
from hardware.campaigns.rig import Rig, TableStuck, shares
from hardware.firmware.build import OLD_PROTOCOL, build_firmware
from hardware.twin.harness_client import ResetKind
from hardware.twin.plant.breakage import BREAKS, ONE_SIDE, mend
from hardware.twin.plant.collision import Collision
from hardware.twin.plant.plant import SIDES
from hardware.twin.plant.tiles import LostTile

TRAYS_UP, TRAYS_DOWN = m.Lift(m.Target.trays, m.Direction.up), m.Lift(m.Target.trays, m.Direction.down)
DOME_UP, DOME_DOWN = m.Lift(m.Target.dome, m.Direction.up), m.Lift(m.Target.dome, m.Direction.down)
RIGHT_AT_LEAST = 0.99
OFF_MS = 20
"""From the telling of a fault that stops to all motors off (they are off before it is told)."""
BUILD_MS = 230_000


RESETS: dict[str, ResetKind] = {
    "hang": "hang", "brownout": "brownout", "reset": "external", "stray_reset": "unknown",
}  # fmt: skip
LINK: dict[str, type[fb.Lost] | type[fb.Mismatch]] = {"unplugged": fb.Lost, "old_firmware": fb.Mismatch}
"""What the link tells; the service gives it its number."""
SABOTAGES = {
    "wrong-side": "the firmware names the side beside the one that is broken: counted as wrong",
    "late-jam": "the firmware waits 2 s for a jam: counted as late",
}
TRAY_MS, DOME_HALF_WAY_MS = 2_200, 600
SPIN_MS = 1_500


@dataclass
class Figures(Shown):
    """What was seen of one row."""

    runs: int = 0
    right: int = 0
    late: int = 0
    unsafe: int = 0
    not_recovered: int = 0
    not_felt: int = 0
    crashed: int = 0
    ms: list[int] = field(default_factory=list)
    first_ms: list[int] = field(default_factory=list)
    """After it was felt, what is told on the way to the fault."""


class Trial:
    """One fault on one table."""

    def __init__(self, row: Row, seed: int, rig: Rig) -> None:
        self.row, self.rig = row, rig
        rng = random.Random(f"{row.name}/{seed}")
        self.side = rng.choice(SIDES)
        self.after_ms = rng.randint(500, 12_000)
        self.felt_ms: int | None = None
        self.first_ms: int | None = None
        self.since = 0

    @property
    def code(self) -> int:
        """Return the number that is right."""
        row = self.row
        return row.code + (self.side - 1 if row.one_side and not row.same_code else 0)

    def feel(self) -> None:
        """Note when it first makes a difference."""
        if self.felt_ms is None:
            self.felt_ms = self.rig.now_ms

    def strike(self) -> None:
        """Bring the fault about, in the middle of what it disturbs."""
        rig, plant = self.rig, self.rig.machine.plant
        ways: dict[str, Callable[[], None]] = {
            "build": self._in_a_build,
            "trays_up": lambda: self._in_a_lift(TRAYS_UP, TRAY_MS),
            "dome_up": lambda: self._in_a_lift(DOME_UP, DOME_HALF_WAY_MS),
            "dome_down": lambda: self._in_a_lift(DOME_DOWN, DOME_HALF_WAY_MS),
            "rest": self._at_rest,
            "dice": self._in_a_throw,
            "start": self._at_the_start,
        }
        for side in plant.sides.values():
            side.on_felt = self.feel
        if self.row.during != "start":
            rig.home()
        ways[self.row.during]()

    def _break(self) -> None:
        rig, name = self.rig, self.row.name
        if name in BREAKS:
            BREAKS[name](rig.machine.plant, self.side if name in ONE_SIDE else 0)
        elif name == "silence":
            rig.beating = False
        elif name == "unplugged":
            rig.plugged = False
        else:
            rig.machine.harness.reset(RESETS[name])

    def _in_a_build(self) -> None:
        rig = self.rig
        if self.row.name == "missing_tile":
            self._break()
        rig.load()
        self.since = rig.mark()
        if rig.order(m.Build(rig.tiles)) != "ok":
            raise TableStuck("Build refused")
        if self.row.name in ("slow_ring", "crawling_ring"):
            self.feel()
            self._break()
        elif self.row.name != "missing_tile":
            rig.run(self.after_ms)
            if self.row.name == "stray_reset":
                self.since = rig.mark()
            if self.row.felt.startswith("the "):
                self.feel()
            self._break()

    def _in_a_lift(self, order: m.Lift, healthy_ms: int) -> None:
        rig = self.rig
        if order == DOME_DOWN:
            rig.lift(m.Target.dome, m.Direction.up)
        self._break()
        self.since = rig.mark()
        self.felt_ms = rig.now_ms + healthy_ms
        if rig.order(order) != "ok":
            raise TableStuck(f"{order} refused")

    def _at_rest(self) -> None:
        self.since = self.rig.mark()
        self.feel()
        self._break()

    def _in_a_throw(self) -> None:
        self._break()
        self.since = self.rig.mark()
        self.feel()
        if self.rig.order(m.Dice(SPIN_MS)) != "ok":
            raise TableStuck("Dice refused")

    def _at_the_start(self) -> None:
        self.felt_ms = 0

    def told(self) -> tuple[int, int, int]:
        """Wait for the fault; returns its number, its side, and when it came."""
        rig = self.rig
        if self.row.code in CAUSES:
            rig.wait(lambda: self._rebooted() is not None, 3_000, "Rebooted")
            cause = self._rebooted()
            return next((code for code, each in CAUSES.items() if each == cause), 0), 0, rig.now_ms
        if self.row.name in LINK:
            self.rig.wait(self._lost, 4_000, LINK[self.row.name].__name__)
            return self.row.code, 0, rig.now_ms
        if self.row.name == "stray_reset":
            rig.wait(lambda: self._rebooted() is not None, 3_000, "Rebooted")
            return rig.ask_status().fault, 0, rig.now_ms
        limit = 210_000 if self.row.name.endswith("_ring") else 60_000
        event, at = self._fault(self.since, limit)
        while self._is_first(event.code):
            if self.first_ms is None:
                self.first_ms = rig.now_ms
            event, at = self._fault(at, limit)
        return event.code, event.side, rig.now_ms

    def _is_first(self, code: int) -> bool:
        """Return whether this is only what is told on the way to the fault."""
        first = self.row.first
        return code == first + (self.side - 1 if self.row.one_side and first else 0)

    def _fault(self, since: int, limit_ms: int) -> tuple[m.Fault, int]:
        """Wait for the next fault after a mark; returns it and the mark behind it."""
        event = self.rig.wait_for(since, limit_ms, m.Fault, m.BuildDone)
        if not isinstance(event, m.Fault):
            raise TableStuck("the build ended as if nothing were wrong")
        heard = self.rig.heard
        at = next(n for n in range(since, len(heard)) if getattr(heard[n], "message", None) is event)
        return event, at + 1

    def _lost(self) -> bool:
        kind = LINK[self.row.name]
        return any(isinstance(each, kind) for each in self.rig.heard[self.since :])

    def _rebooted(self) -> m.ResetCause | None:
        causes = [each.cause for each in self.rig.heard[self.since :] if isinstance(each, fb.Rebooted)]
        return causes[0] if causes else None

    def felt_at(self) -> int | None:
        """Return when it was felt, None if never."""
        if self.row.name == "missing_tile":
            heard = zip(self.rig.heard, self.rig.heard_ms, strict=True)
            counts = [
                ms
                for each, ms in heard
                if isinstance(each, fb.Received) and isinstance(each.message, m.Count)
            ]
            return counts[-1] if counts else None
        return self.felt_ms

    def recover(self) -> None:
        """Mend it, clear, home, and bring what was interrupted to its end.

        Raises:
            TableStuck: if the documented way does not work.
        """
        rig, row = self.rig, self.row
        if row.freed:
            self._gets_free()
            return
        rig.beating = rig.plugged = True
        mend(rig.machine.plant)
        if row.name == "old_firmware":
            self._is_flashed()
        if row.name == "unplugged":
            rig.wait(lambda: rig.link.state == "ready", 3_000, "Ready after the plug went in again")
        rig.run(300)
        if FAULTS[row.code].severity in ("info", "warn") and row.code not in CAUSES:
            if rig.ask_status().stopped:
                raise TableStuck("a warning stopped the machine")
        else:
            answer = rig.clear()
            if answer != "ok":
                raise TableStuck(f"ClearFault refused: {answer}")
            rig.home()
        ends = {"trays_up": TRAYS_UP, "dome_up": DOME_UP, "dome_down": DOME_DOWN}
        if row.during in ends:
            order = ends[row.during]
            rig.do(order, m.LiftDone(order.target, order.direction))
        elif row.during == "build":
            self._build_to_its_end()
        elif row.during == "dice":
            since = rig.mark()
            rig.run(2_000)
            rig.do(m.Dice(SPIN_MS), m.DiceDone())
            if any(rig.faults(since)):
                raise TableStuck(f"the next throw ended in {rig.faults(since)}")

    def _gets_free(self) -> None:
        """Nobody does anything: the build goes on and ends, whole."""
        rig = self.rig
        freed = rig.wait_for(self.since, 5_000, m.Freed, m.Stopped)
        if not isinstance(freed, m.Freed) or freed.side != self.side:
            raise TableStuck(f"not freed: {freed}, {rig.faults(self.since)}")
        if rig.build_ended(self.since, BUILD_MS) is None:
            raise TableStuck(f"the build ended in {rig.faults(self.since)}")
        self._stands()

    def _is_flashed(self) -> None:
        rig = self.rig
        if rig.order(m.Home()) == "ok":
            raise TableStuck("a board of another layout was ordered to move")
        rig.machine.harness.flash(build_firmware())
        rig.wait(lambda: rig.link.state == "ready", 5_000, "Ready after the right firmware")

    def _stands(self) -> None:
        stands = tuple(sum(map(len, self.rig.machine.plant.sides[side].stacks)) for side in SIDES)
        if stands != shares(self.rig.tiles):
            raise TableStuck(f"walls of {stands} tiles after the recovery")

    def _build_to_its_end(self) -> None:
        rig, name = self.rig, self.row.name
        if name in RESETS:
            rig.raise_and_sweep()  # tiles may have passed uncounted: all is taken out and built anew
            rig.load()
        for _ in range(4):
            goes_on = FAULTS[self.row.code].severity in ("info", "warn") and name not in RESETS
            since = self.since if goes_on else rig.mark()
            if not goes_on and rig.order(m.Build(rig.tiles)) != "ok":
                raise TableStuck("Build refused")
            if rig.build_ended(since, BUILD_MS) is not None:
                break
            missing = [each for each in rig.faults(since) if each.code == 341]
            if not missing:
                raise TableStuck(f"the build ended in {rig.faults(since)}")
            mend(rig.machine.plant, missing[0].side)
            rig.run(300)
            rig.clear()
            rig.home()
        self._stands()


def run(
    n: int, seed: int, sabotage: str | None = None, rows: tuple[Row, ...] | None = None
) -> dict[str, Any]:
    """Return the figures of `n` seeds of each row; `missed` names every bound that does not hold."""
    started = time.monotonic()
    elf = build_firmware(sabotage)
    rows = ROWS if rows is None else rows
    trials = [_One(row, seed + number, elf) for row in rows for number in range(n)]
    figures = spread(_one, trials, "trials")
    all_figures = {row.name: total(Figures(), figures[at * n : (at + 1) * n]) for at, row in enumerate(rows)}
    return _told(all_figures, rows, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class _One:
    row: Row
    seed: int
    elf: Path


def _one(one: _One) -> Figures:
    row, seed = one.row, one.seed
    elf = build_firmware(OLD_PROTOCOL) if row.name == "old_firmware" else one.elf
    figures = Figures(runs=1)
    with Rig(seed, elf=elf) as rig:
        trial = Trial(row, seed, rig)
        where = f"seed {seed}, side {trial.side}, after {trial.after_ms} ms"
        try:
            trial.strike()
            code, side, at_ms = trial.told()
            _judge(trial, code, side, at_ms, figures, where)
            trial.recover()
        except TableStuck as error:
            figures.not_recovered += 1
            figures.note(f"{where}: {error}")
        except (Collision, LostTile, ArithmeticError, LookupError, ValueError) as error:
            figures.crashed += 1
            figures.note(f"{where}: {type(error).__name__}: {error}")
    return figures


def _judge(trial: Trial, code: int, side: int, at_ms: int, figures: Figures, where: str) -> None:
    row, rig = trial.row, trial.rig
    want = trial.side if row.one_side else 0
    if code == trial.code and (side == want or not row.side_told):
        figures.right += 1
    else:
        figures.note(f"{where}: told {code} at side {side}, wanted {trial.code} at {want}")
    felt_ms = trial.felt_at()
    if felt_ms is None:
        figures.not_felt += 1
        figures.note(f"{where}: told before it made a difference")
        return
    figures.ms.append(at_ms - felt_ms)
    if row.first:
        _judge_first(trial, felt_ms, figures, where)
    if at_ms - felt_ms > row.within_ms:
        figures.late += 1
        figures.note(f"{where}: told {at_ms - felt_ms} ms later")
    if FAULTS[code].severity in ("stop", "latched"):
        rig.run(OFF_MS)
        if rig.machine.plant.motors_on:
            figures.unsafe += 1
            figures.note(f"{where}: {', '.join(sorted(rig.machine.plant.motors_on))} run on")


def _judge_first(trial: Trial, felt_ms: int, figures: Figures, where: str) -> None:
    """What is told on the way to the fault has a time of its own."""
    if trial.first_ms is None:
        figures.late += 1
        figures.note(f"{where}: {trial.row.first} was not told first")
        return
    figures.first_ms.append(trial.first_ms - felt_ms)
    if trial.first_ms - felt_ms > trial.row.first_ms:
        figures.late += 1
        figures.note(f"{where}: noticed {trial.first_ms - felt_ms} ms later")


def _told(all_figures: dict[str, Figures], rows: tuple[Row, ...], wall_s: float) -> dict[str, Any]:
    missed: list[str] = []
    told: dict[str, Any] = {}
    for row in rows:
        figures = all_figures[row.name]
        times = sorted(figures.ms) or [0]
        told[row.name] = {
            "code": row.code,
            "runs": figures.runs,
            "right": figures.right,
            "median_ms": times[len(times) // 2],
            "most_ms": times[-1],
            "within_ms": row.within_ms,
            "after": row.felt,
            "shown": figures.shown[:5],
        }
        if row.first:
            told[row.name] |= {
                "noticed_most_ms": max(figures.first_ms, default=0),
                "noticed_within_ms": row.first_ms,
            }
        if figures.right < RIGHT_AT_LEAST * figures.runs:
            missed.append(f"{row.name}: right {figures.right} of {figures.runs}")
        missed += [
            f"{row.name}: {what} {count}"
            for what, count in (
                ("late", figures.late),
                ("motors not off", figures.unsafe),
                ("not recovered", figures.not_recovered),
                ("never felt", figures.not_felt),
                ("crashed", figures.crashed),
            )
            if count
        ]
    return {
        "rows": told,
        "faults_armed": sum(each.runs for each in all_figures.values()),
        "right": sum(each.right for each in all_figures.values()),
        "not_simulated": {str(code): why for code, why in NOT_SIMULATED.items()},
        "wall_s": round(wall_s, 1),
        "missed": missed,
    }
