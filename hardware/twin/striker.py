"""Strikes faults at the right moment and mends them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hardware.twin.faults import Fault

if TYPE_CHECKING:
    from hardware.twin.twin import Twin

MS = 1_000
UNPLUGGED_MS = 3_000
HALF_WAY = 0.5


class Striker:
    """Holds the faults of a twin: those to come, and what is broken now."""

    def __init__(self, twin: Twin) -> None:
        self._twin = twin
        self._waiting: list[Fault] = []
        self.struck: list[str] = []

    def load(self, faults: Sequence[Fault]) -> None:
        """Take faults that strike later."""
        self._twin.session.on_stage = self._stage
        for fault in faults:
            self.arm(fault)

    def arm(self, fault: Fault) -> None:
        """Strike a fault now, at its time, or when its hand reaches its stage."""
        if fault.hand is not None or fault.when is not None:
            self._waiting.append(fault)
        elif fault.at_ms * MS > self._twin.now_us:
            self._later(fault.at_ms * MS - self._twin.now_us, fault)
        elif fault.after_ms:
            self._later(fault.after_ms * MS, fault)
        else:
            self.strike(fault)

    def _later(self, delay_us: int, fault: Fault) -> None:
        self._twin.machine.schedule.after(delay_us, lambda: self.strike(fault))

    def _stage(self, stage: str) -> None:
        hand = self._twin.session.hand
        due = [
            fault
            for fault in self._waiting
            if (fault.hand is None or fault.hand == hand) and (fault.when is None or fault.when == stage)
        ]
        for fault in due:
            self._waiting.remove(fault)
            self._later(fault.after_ms * MS, fault)

    def strike(self, fault: Fault) -> None:
        """Break it."""
        self.struck.append(fault.name)
        twin, plant = self._twin, self._twin.machine.plant
        harness = twin.machine.harness
        side = plant.sides.get(fault.side)
        actions: dict[str, Callable[[], object]] = {
            "hang": partial(harness.reset, "hang"),
            "reset": partial(harness.reset, "external"),
            "brownout": partial(harness.reset, "brownout"),
            "lid_open": partial(plant.open_lid, True),
            "lid_close": partial(plant.open_lid, False),
            "estop": partial(plant.press_estop, True),
            "estop_release": partial(plant.press_estop, False),
            "tray_stuck": partial(plant.stick_tray, fault.side),
            "dome_stuck": partial(plant.stick_dome, HALF_WAY),
            "missing_tile": plant.lose_tile,
            "camera_freeze": partial(self._camera, True, False, fault.for_ms),
            "camera_gone": partial(self._camera, False, True, fault.for_ms),
            "camera_back": partial(self._camera, False, False, None),
            "unplug": partial(self._unplug, fault.for_ms or UNPLUGGED_MS),
            "plug": partial(self._plug, True),
            "mend": self.mend,
        }
        if side is not None:
            actions["jam"] = partial(side.jam, True)
            actions["count_silent"] = partial(side.silence, True)
        actions[fault.name]()

    def _camera(self, frozen: bool, gone: bool, for_ms: int | None) -> None:
        camera = self._twin.camera
        if frozen:
            camera.picture()
        camera.is_frozen, camera.is_gone = frozen, gone
        if for_ms:
            self._twin.machine.schedule.after(for_ms * MS, lambda: self._camera(False, False, None))

    def _unplug(self, for_ms: int) -> None:
        self._plug(False)
        self._twin.machine.schedule.after(for_ms * MS, lambda: self._plug(True))

    def _plug(self, plugged: bool) -> None:
        if self._twin.serial_is_plugged != plugged:
            self._twin.serial_is_plugged = plugged
            self._twin.on_serial(plugged)

    def mend(self, fault: Mapping[str, Any] | None = None) -> None:
        """Do what a person at the table does about it: everything mechanical is right again.

        `fault` is what the screen says: where a tile is said to be missing and none lies on the floor, it
        passed the counter unseen (the board was in reset, or was just stopping) and is sent round once more.
        """
        plant = self._twin.machine.plant
        for side in plant.sides.values():
            side.jam(False)
            side.silence(False)
        plant.stick_tray(0)
        plant.stick_dome(1.0)
        found = plant.find_tiles()
        side_number = int((fault or {}).get("side") or 0)
        if not found and (fault or {}).get("key") == "fault.missing" and side_number in plant.sides:
            plant.send_round(side_number)
        if plant.lid_is_open:
            plant.open_lid(False)
        if plant.estop_pressed:
            plant.press_estop(False)
        self._plug(True)
