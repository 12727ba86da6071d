"""The whole twin in one object, the same for both clocks: board, table, robots, camera, faults, record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from hardware.twin.camera import Camera
from hardware.twin.faults import Fault
from hardware.twin.harness_client import Harness
from hardware.twin.machine import LineEdge, Machine
from hardware.twin.plant.wiring import load_wiring
from hardware.twin.renderer import Renderer
from hardware.twin.robots.blind import BlindSession
from hardware.twin.robots.people import People
from hardware.twin.robots.script import Runner, Screen
from hardware.twin.robots.session import Session
from hardware.twin.robots.truth import Truth
from hardware.twin.scene import Scene
from hardware.twin.striker import Striker
from hardware.twin.table.layout import TableTop
from hardware.twin.table.scenes import scene_of
from hardware.twin.trace import Trace
from rules.scoring import resolve_options
from rules.variants import get_variant

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a twin is started with."""

    seed: int
    variant: str
    options: Mapping[str, object] = field(default_factory=dict)
    truth: Path | None = None
    faults: Sequence[Fault] = ()
    sabotage: str | None = None
    hands: int | None = None
    speed: float = 1.0
    guest: int | None = None
    """Side whose decisions are left to a person at the page."""
    check: bool = False
    """Look for every tile after everything that happens."""
    vcd: Path | None = None
    """Every pin and byte of the board goes there."""
    trace: Path | None = None
    """What the wood does goes there, as JSON lines."""
    sets: int = 1
    """Sets of tiles at the table."""
    seating: bool = False
    """The players throw for their seats before each game, where the table offers it."""
    blind: bool = False
    """There is no page anywhere: the players see the table and use its keys."""


@dataclass(frozen=True, slots=True)
class Post:
    """Something a robot says on the page."""

    name: str
    body: dict[str, Any]


class Twin:
    """One table. Time passes only in `run` (or, paced, between `machine.next_stop` and `machine.take`)."""

    def __init__(self, setup: Setup, harness: Harness) -> None:
        variant = get_variant(setup.variant)
        options = resolve_options(variant, setup.options)
        self.setup = setup
        wants_trace = setup.vcd is not None or setup.trace is not None
        self.trace = Trace(load_wiring(), setup.vcd, setup.trace) if wants_trace else None
        self.machine = Machine(
            harness, setup.seed, variant.tiles, sets=setup.sets, check=setup.check, trace=self.trace
        )
        self.top = TableTop(self.machine.plant)
        self.truth = Truth(setup.truth)
        self.posts: deque[Post] = deque()
        self.serial_is_plugged = True
        self.host_baud = 0
        self.on_serial: Callable[[bool], None] = lambda plugged: None
        self.camera = Camera(Renderer(setup.seed, setup.sabotage), self.scene)
        people = People(self.machine.plant, lambda name, body: self.posts.append(Post(name, body)))
        self.striker = Striker(self)
        kind = BlindSession if setup.blind else Session
        self.session = kind(
            self.top,
            people,
            self.truth,
            variant,
            options,
            setup.hands,
            self.striker.mend,
            lambda: {} if setup.blind else self._runner.screen,
            setup.guest,
            seating=setup.seating,
        )
        self.machine.plant.on_collision = lambda what: self.truth.write(
            self.session.hand, "collision", what=what
        )
        self.machine.plant.on_throw = _both(self.machine.plant.on_throw, self._tell_throw)
        self._runner = Runner(self.session.script(), self.machine.schedule, setup.speed)
        self._scene: tuple[object, Scene] | None = None
        self.striker.load(setup.faults)

    @property
    def now_us(self) -> int:
        """Return the table's time."""
        return self.machine.now_us

    def _tell_throw(self, pips: tuple[int, int]) -> None:
        self.machine.tell("throw", pips=list(pips))

    def see(self, screen: Screen) -> None:
        """Show the robots a new screen, if there is one at their table."""
        if not self.setup.blind:
            self._runner.see(screen)

    def scene(self) -> Scene:
        """Return what the camera would see now; built anew only when something visible changed."""
        plant = self.machine.plant
        key = (
            self.top.changes,
            plant.pips,
            plant.throws,
            plant.lamp_side,
            plant.dome.is_down,
            plant.walls_are_up,
            plant.raised_build,
        )
        if self._scene is None or self._scene[0] != key:
            self._scene = (key, scene_of(self.top))
        return self._scene[1]

    def run(self, until_us: int) -> None:
        """Let time pass to the first thing for the service: bytes, a line, a post; at most to `until_us`."""
        while self.now_us < until_us and not self.has_news:
            self.machine.run(until_us)

    @property
    def has_news(self) -> bool:
        """Return whether there is something for the service."""
        return self.machine.has_news or bool(self.posts)

    def take_sent(self) -> bytes:
        """Return the board's bytes since the last call; nothing comes through a cable that is out."""
        data = self.machine.take_sent()
        return data if self.serial_is_plugged else b""

    def send(self, data: bytes) -> None:
        """Put the service's bytes on the cable."""
        if self.serial_is_plugged:
            self.machine.send(data)

    def speak(self, baud: int) -> None:
        """The service speaks at this rate; 0 = the one it sets on its port."""
        self.host_baud = baud
        self.machine.harness.host_baud(baud)

    def take_line_edges(self) -> list[LineEdge]:
        """Return GPIO edges since the last call."""
        return self.machine.take_line_edges()

    def take_posts(self) -> list[Post]:
        """Return what the robots said since the last call."""
        posts = list(self.posts)
        self.posts.clear()
        return posts

    def whereabouts(self) -> dict[str, Any]:
        """Return how far the robots' hand is, and which motors run."""
        return {"where": self.session.stage, "motors": sorted(self.machine.plant.motors_on)}

    def set_line(self, line: str, level: int) -> None:
        """The service drives one of its outputs."""
        if line == "mcu_reset":
            self.machine.hold_reset(bool(level))

    def close(self) -> None:
        """End the board's process and close the records."""
        self.machine.harness.close()
        self.truth.close()
        if self.trace is not None:
            self.trace.close(self.now_us)


def _both(first: Callable[[_T], None], second: Callable[[_T], None]) -> Callable[[_T], None]:
    def both(told: _T) -> None:
        first(told)
        second(told)

    return both
