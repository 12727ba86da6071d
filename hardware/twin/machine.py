"""Board and wood together: the harness runs to the next thing that happens on either side of the pins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hardware.twin.harness_client import Harness, RunReport
from hardware.twin.plant.bounce import MECHANICAL, Bouncer
from hardware.twin.plant.conservation import check_conservation
from hardware.twin.plant.plant import Plant
from hardware.twin.plant.schedule import Schedule
from hardware.twin.plant.walls import wall_order
from hardware.twin.plant.wiring import load_wiring
from hardware.twin.trace import Trace

OUTSIDE_FIRST_US = 1
"""Shortest run: the board always gets a little time, or two events of one instant would never end."""


@dataclass(frozen=True, slots=True)
class LineEdge:
    """A GPIO line of the Pi changed."""

    line: str
    level: int
    at_us: int


class Machine:
    """The simulated table below the service: serial bytes, GPIO lines and the plant behind the pins.

    With `check` every tile is looked for after everything that happens; `trace` hears all of it.
    """

    def __init__(
        self,
        harness: Harness,
        seed: int,
        tiles: int,
        *,
        sets: int = 1,
        check: bool = False,
        trace: Trace | None = None,
    ) -> None:
        self.harness = harness
        self._trace = trace
        self.wiring = load_wiring()
        self.schedule = Schedule()
        self.lines: dict[str, int] = {}
        self._line_edges: list[LineEdge] = []
        self._sent = bytearray()
        self._inputs: dict[str, bool] = {}
        self.resets = 0
        self.on_reset: Callable[[], None] = lambda: None
        self._bouncer = Bouncer(seed, self.schedule, self._put)
        self.plant = Plant(seed, tiles, self.schedule, self._set_input, self._set_line, sets)
        masks: dict[str, int] = {}
        for device in self.wiring.outputs:
            masks[device.port] = masks.get(device.port, 0) | 1 << device.bit
        for port, mask in masks.items():
            harness.watch(port, mask)
        self.plant.tell_analog = self._set_analog
        for name, (_, millivolt) in self.wiring.analog.items():
            self._set_analog(name, millivolt)
        self.plant.tell_all()
        self._line_edges.clear()
        self.check: Callable[[], None] = partial(check_conservation, self.plant) if check else lambda: None
        if check:
            self.schedule.after_each = self.check
        if trace is not None:
            self.plant.tiles.on_move = self._moved
            harness.tap(trace.wants_bytes)

    @property
    def now_us(self) -> int:
        """Return the time of this table since it was switched on."""
        return self.schedule.now_us

    def input_is_on(self, device: str) -> bool:
        """Return whether an input of the board is on."""
        return self._inputs.get(device, False)

    def send(self, data: bytes) -> None:
        """Put bytes of the service on the serial line."""
        self.harness.send(data)

    def hold_reset(self, held: bool) -> None:
        """Pull the board's reset line down or let it go."""
        self.harness.hold_reset(held)

    def run(self, until_us: int) -> None:
        """Let virtual time pass to the next thing, at most to `until_us`."""
        self.take(self.harness.run(self.next_stop(until_us)))

    def next_stop(self, until_us: int) -> int:
        """Return how far the board may run before the world does something."""
        due = self.schedule.next_us()
        stop = until_us if due is None else min(due, until_us)
        return max(stop, self.now_us + OUTSIDE_FIRST_US)

    def take(self, report: RunReport) -> None:
        """Let the world catch up with a run of the board."""
        if self._trace is not None:
            self._trace_board(self._trace, report)
        self.schedule.play(report.now_us)
        if report.sent:
            self._sent += report.sent
        for edge in report.edges:
            device = self.wiring.by_pin.get((edge.port, edge.bit))
            if device is not None:
                self.plant.on_output(device.id, edge.level == device.level(True))
                self.check()
                if device.id == "tray_raise" and edge.level == device.level(True):
                    self.tell("walls", **wall_order(self.plant))
        if report.was_reset:
            self.resets += 1
            self.on_reset()
        if self._trace is not None:
            self._trace.until(self.now_us)

    def tell(self, kind: str, **body: Any) -> None:
        """Put something into the trace, if there is one."""
        if self._trace is not None:
            self._trace.write(self.now_us, kind, **body)

    def _trace_board(self, trace: Trace, report: RunReport) -> None:
        """What the board did in this run comes before what the world makes of it."""
        if trace.wants_bytes:
            for byte in self.harness.tapped():
                trace.wire(byte)
        if report.was_reset:
            trace.reset(report.now_us)
        for edge in report.edges:
            trace.edge(edge)

    def _moved(self, number: int, source: str, target: str) -> None:
        self.tell("move", tile=number, face=str(self.plant.tiles.faces[number]), source=source, target=target)

    @property
    def has_news(self) -> bool:
        """Return whether there are bytes or line edges for the service."""
        return bool(self._sent or self._line_edges)

    def take_sent(self) -> bytes:
        """Return the bytes the board sent since the last call."""
        data = bytes(self._sent)
        self._sent.clear()
        return data

    def take_line_edges(self) -> list[LineEdge]:
        """Return the GPIO edges since the last call."""
        edges, self._line_edges = self._line_edges, []
        return edges

    def _set_input(self, device_id: str, on: bool) -> None:
        was = self._inputs.get(device_id)
        if was == on:
            return
        self._inputs[device_id] = on
        self.tell("input", id=device_id, on=on)
        if was is not None and self.wiring.devices[device_id].kind in MECHANICAL:
            self._bouncer.change(device_id, on)
        else:
            self._put(device_id, on)

    def _put(self, device_id: str, on: bool) -> None:
        device = self.wiring.devices[device_id]
        self.harness.set_pin(device.port, device.bit, device.level(on))
        if self._trace is not None:
            self._trace.pin(self.now_us, device_id, device.level(on))

    def _set_analog(self, device_id: str, millivolt: int) -> None:
        self.harness.set_adc(self.wiring.analog[device_id][0], millivolt)
        if self._trace is not None:
            self._trace.analog(self.now_us, device_id, millivolt)

    def _set_line(self, line: str, level: int) -> None:
        if self.lines.get(line) == level:
            return
        self.lines[line] = level
        self.tell("line", id=line, level=level)
        self._line_edges.append(LineEdge(line, level, self.schedule.now_us))
