"""Strikes faults at the right moment and mends them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hardware.twin.faults import Fault
from hardware.twin.plant.breakage import BREAKS, COUNTS, LEVELS, mend
from hardware.twin.programs import PROGRAMS, program

if TYPE_CHECKING:
    from hardware.twin.twin import Twin

MS = 1_000
UNPLUGGED_MS = 3_000
OVERRUN_MS = 1
SLOW_BAUD = 115_200
"""Of an adapter that cannot do more, whatever the host asks for; the board follows."""
KNOCKS = {
    "camera_knock": (0.45, -0.3, 0.4),
    "camera_turned": (7.0, 4.0, 2.0),
    "camera_straight": (0.0, 0.0, 0.0),
}
"""Degrees of pan, tilt and roll from how the camera was set up: the table is still whole in the picture, it
is not, it stands as before."""
NO_BAUD = 9_600
"""Neither of the two rates: only rubbish comes through."""


def prepare(fault: Fault) -> None:
    """Do beforehand what takes its time, so that the table does not stand still when the fault strikes.

    Raises:
        BuildError: if a program that it needs cannot be built.
    """
    if fault.name in PROGRAMS:
        program(fault.name)


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
            prepare(fault)
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
        self._tell(fault)
        plant = self._twin.machine.plant
        if fault.level is not None:
            LEVELS[fault.name](plant, fault.side, fault.level)
            return
        if fault.count is not None:
            COUNTS[fault.name][1](plant, fault.count)
            return
        if fault.name in BREAKS:
            BREAKS[fault.name](plant, fault.side)
            return
        harness = self._twin.machine.harness
        actions: dict[str, Callable[[], object]] = {
            "hang": partial(harness.reset, "hang"),
            "reset": partial(harness.reset, "external"),
            "brownout": partial(harness.reset, "brownout"),
            "camera_freeze": partial(self._camera, True, False, fault.for_ms),
            "camera_gone": partial(self._camera, False, True, fault.for_ms),
            "camera_back": partial(self._camera, False, False, None),
            **{name: partial(self._twin.camera.knock, turn) for name, turn in KNOCKS.items()},
            "unplug": partial(self._unplug, fault.for_ms or UNPLUGGED_MS),
            "plug": partial(self._plug, True),
            "slow_adapter": partial(self._adapter, SLOW_BAUD, fault.for_ms),
            "wrong_baud": partial(self._adapter, NO_BAUD, fault.for_ms),
            "adapter_back": self._right_adapter,
            "overrun": partial(harness.hold_up_receiver, (fault.for_ms or OVERRUN_MS) * MS),
            "mend": self.mend,
            **{name: partial(self._flash, name, fault.for_ms) for name in PROGRAMS},
        }
        actions[fault.name]()

    def _tell(self, fault: Fault) -> None:
        more = {"side": fault.side or None, "level": fault.level, "count": fault.count}
        self._twin.machine.tell(
            "fault", name=fault.name, **{key: value for key, value in more.items() if value is not None}
        )

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

    def _adapter(self, baud: int, for_ms: int | None) -> None:
        self._twin.machine.harness.host_baud(baud)
        if for_ms:
            self._twin.machine.schedule.after(for_ms * MS, self._right_adapter)

    def _right_adapter(self) -> None:
        self._twin.speak(self._twin.host_baud)

    def _flash(self, name: str, for_ms: int | None) -> None:
        self._twin.machine.harness.flash(program(name))
        if for_ms:
            self._twin.machine.schedule.after(for_ms * MS, lambda: self._flash("right_firmware", None))

    def _plug(self, plugged: bool) -> None:
        if self._twin.serial_is_plugged != plugged:
            self._twin.serial_is_plugged = plugged
            self._twin.machine.tell("cable", plugged=plugged)
            self._twin.on_serial(plugged)

    def mend(self, fault: Mapping[str, Any] | None = None) -> None:
        """Do what a person at the table does about it: everything mechanical is right again.

        `fault` is what the screen says: where a tile is said to be missing and none lies on the floor, it
        passed the counter unseen (the board was in reset, or was just stopping) and is sent round once more.
        """
        told = fault or {}
        missing_at = int(told.get("side") or 0) if told.get("key") == "fault.missing" else 0
        mend(self._twin.machine.plant, missing_at)
        self._plug(True)
        self._right_adapter()
        self._twin.machine.tell("mend")
