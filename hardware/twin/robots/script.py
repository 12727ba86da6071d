"""Robots as scripts: generators that wait for time to pass or for something to show on the screen."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from hardware.twin.plant.schedule import Entry, Schedule, cancel

Screen = dict[str, Any]
REACTION_US = 300_000


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait that long, thinking or moving: the only thing that `--speed` shortens."""

    us: int


@dataclass(frozen=True, slots=True)
class Until:
    """Wait until the screen satisfies `shows`, at most `limit_us`; the answer is whether it does."""

    shows: Callable[[Screen], bool]
    limit_us: int


Step = Pause | Until
Script = Generator[Step, bool, None]
Asking = Generator[Step, bool, bool]


class Runner:
    """Runs one script on the agenda of the world."""

    def __init__(self, script: Script, schedule: Schedule, speed: float = 1.0) -> None:
        self._script, self._schedule, self._speed = script, schedule, speed
        self.screen: Screen = {}
        self._shows: Callable[[Screen], bool] | None = None
        self._entry: Entry | None = None
        self.finished = False
        self._entry = schedule.after(0, lambda: self._resume(None))

    def see(self, screen: Screen) -> None:
        """Look at a new screen."""
        self.screen = screen
        if self._shows is not None and self._shows(screen):
            self._shows = None
            cancel(self._entry)
            self._entry = self._schedule.after(self._scaled(REACTION_US), lambda: self._resume(True))

    def _scaled(self, us: int) -> int:
        return int(us / self._speed)

    def _resume(self, answer: bool | None) -> None:
        self._shows = None
        try:
            step = next(self._script) if answer is None else self._script.send(answer)
        except StopIteration:
            self.finished = True
            return
        if isinstance(step, Pause):
            self._entry = self._schedule.after(self._scaled(step.us), lambda: self._resume(True))
        elif self.screen and step.shows(self.screen):
            self._entry = self._schedule.after(0, lambda: self._resume(True))
        else:
            self._shows = step.shows
            self._entry = self._schedule.after(step.limit_us, lambda: self._resume(False))
