"""How fast all motors are off, from every state: a stop, behind a flood too, the e-stop, a dead host, a hang.

A row for each state of the board says how it comes about and which motor runs then; where the state lets no
motor run, none may start. Times are the simulator's, from the last byte (pin, sign of life) to the last pin
of a motor that falls. Afterwards the host asks for STATUS and sends STOP, which every state must answer.
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
from firmware_bridge.frames import RAW_STOP, FrameClass, encode
from hardware.campaigns.pool import Shown, spread, total
from hardware.campaigns.rig import Rig, TableStuck
from hardware.campaigns.ways import WAYS
from hardware.firmware.build import build_firmware

BITS_A_BYTE = 10
FLOOD_BYTES = 6 * 1024
QUIET_MS = 300
"""So long nothing may start again."""
LIMIT_MS = {"stop": 5.0, "flood": 5.0, "estop": 1.0, "silence": 600.0, "hang": 400.0}
"""Of issue 4; a hang is the time to the report of the watchdog's reset."""
SABOTAGES = {
    "raw-stop": "the board does not look for the raw stop in its receive interrupt: motors run on",
    "estop": "only the debounced input tells of the e-stop: counted as late",
    "heartbeat": "nobody counts the time since the last sign of life: motors run on",
    "watchdog": "a watchdog of a second: a hang is told late",
}


def good_frames() -> bytes:
    """Return questions that the board answers each with 50 bytes: the most work that a host can make."""
    frame = encode(FrameClass.COMMAND, 200, 1, m.GetStatus())
    return frame * (FLOOD_BYTES // len(frame))


FLOODS = {
    "rubbish": random.Random(6).randbytes(FLOOD_BYTES).replace(b"\x18", b"\x19"),
    "no end of frame": b"\x55" * FLOOD_BYTES,
    "ends of frames": bytes(FLOOD_BYTES),
    "good frames": good_frames(),
    "nearly stops": b"\0\x18\x18\x18\x18\0" * (FLOOD_BYTES // 6),
}


def hows(state: m.State) -> tuple[str, ...]:
    """Return what can happen in a state."""
    return tuple(how for how in LIMIT_MS if WAYS[state].answers or how != "hang")


class Trial:
    """One table brought into a state, and what makes its motors stop."""

    def __init__(self, state: m.State, how: str, rig: Rig, number: int) -> None:
        self.state, self.how, self.rig = state, how, rig
        self._number = number
        self._chance = random.Random(f"{state.name}/{how}/{number}")
        self._off_us: int | None = None
        self.started: set[str] = set()

    def run(self) -> float | None:
        """Bring it about; returns milliseconds to all off (to the report, for a hang), None if never."""
        rig, way = self.rig, WAYS[self.state]
        rig.home()
        way.reach(rig, self._chance)
        if way.told:
            status = rig.ask_status()
            if status.state != self.state:
                raise TableStuck(f"the board is in {status.state.name}")
            if bool(rig.machine.plant.motors_on) != way.moves:
                raise TableStuck(f"motors on: {sorted(rig.machine.plant.motors_on)}")
        check = rig.check

        def watch() -> None:
            check()
            self._watch()

        rig.check = watch
        return _HOWS[self.how](self)

    def _watch(self) -> None:
        on = self.rig.machine.plant.motors_on
        if on and self._off_us is not None:
            self.started |= on
        elif not on and self._off_us is None:
            self._off_us = self.rig.machine.now_us

    def off_after(self, since_us: int, limit_ms: float) -> float | None:
        """Let time pass; returns the milliseconds from then to all off, and sees that all stays off."""
        end_us = since_us + int(1000 * (2 * limit_ms + 20))
        self._watch()
        while self._off_us is None and self.rig.machine.now_us < end_us:
            self.rig.run(1)
        if self._off_us is None:
            return None
        self.rig.run(QUIET_MS)
        return max(0, self._off_us - since_us) / 1000

    def stop(self, before: bytes = b"") -> float | None:
        """Send the raw stop, behind other bytes."""
        rig = self.rig
        rig.beating = not before  # a link in the flood would only add to it
        data = before + RAW_STOP
        sent_us = rig.machine.now_us + len(data) * BITS_A_BYTE * 1_000_000 // m.BAUD
        rig.machine.send(data)
        if before and WAYS[self.state].moves:
            while rig.machine.now_us < sent_us - 1_000:
                rig.run(1)
                if self._off_us is not None:
                    raise TableStuck("all was off before the stop came")
        off_ms = self.off_after(sent_us, LIMIT_MS["stop"])
        rig.beating = True
        return off_ms

    def flood(self) -> float | None:
        """Send the raw stop at the end of a flood."""
        return self.stop(FLOODS[list(FLOODS)[(self._number + self.state) % len(FLOODS)]])

    def estop(self) -> float | None:
        """Press the button."""
        pressed_us = self.rig.machine.now_us
        self.rig.machine.plant.press_estop(True)
        return self.off_after(pressed_us, LIMIT_MS["estop"])

    def silence(self) -> float | None:
        """Let the host die right behind a sign of life."""
        rig = self.rig
        rig.link.beat(rig.now_ms)
        rig.run(1)
        rig.beating = False
        off_ms = self.off_after(rig.machine.now_us, LIMIT_MS["silence"])
        rig.beating = True
        return off_ms

    def hang(self) -> float | None:
        """Let the program hang until the watchdog resets it and it tells so."""
        rig, since, begun = self.rig, self.rig.mark(), self.rig.machine.now_us
        rig.machine.harness.reset("hang")

        def told() -> bool:
            causes = [each.cause for each in rig.heard[since:] if isinstance(each, fb.Rebooted)]
            return m.ResetCause.watchdog in causes

        while not told():
            if rig.machine.now_us - begun > 5 * LIMIT_MS["hang"] * 1000:
                return None
            rig.run(1)
        told_ms = (rig.machine.now_us - begun) / 1000
        self.off_after(begun, LIMIT_MS["hang"])
        return told_ms

    def answers(self) -> bool:
        """Return whether STATUS and STOP are answered afterwards, as in every state."""
        self.rig.ask_status()
        return self.rig.order(m.Stop()) == "ok" and not self.rig.machine.plant.motors_on


_HOWS: dict[str, Callable[[Trial], float | None]] = {
    "stop": Trial.stop,
    "flood": Trial.flood,
    "estop": Trial.estop,
    "silence": Trial.silence,
    "hang": Trial.hang,
}


@dataclass
class Figures(Shown):
    """What was seen of one state."""

    trials: int = 0
    not_reached: int = 0
    never_off: int = 0
    late: int = 0
    started_again: int = 0
    not_answered: int = 0
    ms: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _One:
    state: m.State
    how: str
    seed: int
    elf: Path


def run(
    n: int, seed: int, sabotage: str | None = None, states: tuple[m.State, ...] | None = None
) -> dict[str, Any]:
    """Return the figures of `n` trials of each kind in each state; `missed` names every bound not kept."""
    started = time.monotonic()
    elf = build_firmware(sabotage)
    states = tuple(WAYS) if states is None else states
    trials = [
        _One(state, how, seed + number, elf) for state in states for number in range(n) for how in hows(state)
    ]
    seen = list(zip(trials, spread(_one, trials, "trials"), strict=True))
    by_state = {
        state.name: total(Figures(), [figures for trial, figures in seen if trial.state == state])
        for state in states
    }
    return _told(by_state, time.monotonic() - started)


def _one(one: _One) -> Figures:
    figures = Figures(trials=1)
    where = f"{one.state.name}, {one.how}, seed {one.seed}"
    with Rig(one.seed, elf=one.elf) as rig:
        trial = Trial(one.state, one.how, rig, one.seed)
        try:
            took_ms = trial.run()
        except TableStuck as error:
            figures.not_reached += 1
            figures.note(f"{where}: {error}")
            return figures
        if took_ms is None:
            figures.never_off += 1
            figures.note(f"{where}: {', '.join(sorted(rig.machine.plant.motors_on))} not off, or not told")
            return figures
        figures.ms[one.how] = [took_ms]
        if took_ms > LIMIT_MS[one.how]:
            figures.late += 1
            figures.note(f"{where}: {took_ms} ms")
        if trial.started:
            figures.started_again += 1
            figures.note(f"{where}: {', '.join(sorted(trial.started))} started again")
        try:
            answered = not WAYS[one.state].answers or trial.answers()
        except TableStuck:
            answered = False
        if not answered:
            figures.not_answered += 1
            figures.note(f"{where}: STATUS or STOP not answered")
    return figures


def _told(by_state: dict[str, Figures], wall_s: float) -> dict[str, Any]:
    most = {
        how: max((ms for figures in by_state.values() for ms in figures.ms.get(how, ())), default=0.0)
        for how in LIMIT_MS
    }
    missed = [
        f"{state}: {what} {count}"
        for state, figures in by_state.items()
        for what, count in (
            ("state not reached", figures.not_reached),
            ("never off or never told", figures.never_off),
            ("late", figures.late),
            ("started again", figures.started_again),
            ("STATUS or STOP not answered", figures.not_answered),
        )
        if count
    ]
    return {
        "trials": sum(figures.trials for figures in by_state.values()),
        **{f"{how}_most_ms": ms for how, ms in most.items()},
        "limits_ms": LIMIT_MS,
        "states": {
            state: {
                "trials": figures.trials,
                **{f"{how}_most_ms": max(figures.ms[how]) for how in LIMIT_MS if how in figures.ms},
            }
            for state, figures in by_state.items()
        },
        "wall_s": round(wall_s, 1),
        "shown": [text for figures in by_state.values() for text in figures.shown][:10],
        "missed": missed,
    }
