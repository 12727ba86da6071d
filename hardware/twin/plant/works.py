"""What the board drives: motors, lamps and dice of the table, and the sensors that answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hardware.twin.plant import timing
from hardware.twin.plant.chance import stream
from hardware.twin.plant.collision import Collision, find_collision
from hardware.twin.plant.currents import Currents
from hardware.twin.plant.motion import Switch, Travel
from hardware.twin.plant.schedule import Entry, Schedule, cancel
from hardware.twin.plant.shuffle import queues
from hardware.twin.plant.side import Side
from hardware.twin.plant.tiles import DRUM, TileSet
from hardware.twin.plant.wiring import load_wiring

SIDES = (1, 2, 3, 4)
DOME_DOWN = 0.02
"""Up to here the lower limit switch of the dome is pressed."""
MOTORS = frozenset(device.id for device in load_wiring().outputs if device.kind == "motor")
HEALTHY_MV = {device: millivolt for device, (_, millivolt) in load_wiring().analog.items()}
TellInput = Callable[[str, bool], None]
TellLine = Callable[[str, int], None]


def _pips(seed: int, throw: int) -> tuple[int, int]:
    rng = stream(seed, "throw", throw)
    return rng.randint(1, 6), rng.randint(1, 6)


class Works:
    """The table without people. With two sets the raised walls stay on ledges of the table, so that the trays
    can take the next ones."""

    def __init__(
        self,
        seed: int,
        tiles: int,
        schedule: Schedule,
        tell_input: TellInput,
        tell_line: TellLine,
        sets: int = 1,
    ) -> None:
        self.seed = seed
        self.tiles = TileSet(tiles, sets)
        self.schedule = schedule
        self._tell_input, self._tell_line = tell_input, tell_line
        self.sides = {number: Side(number, self.tiles, schedule, tell_input) for number in SIDES}
        for side in self.sides.values():
            side.others = partial(self._other_queues, side)
            side.on_held = partial(self._hold_of_side, side.number)
        self._on: set[str] = set()
        self.builds = 0
        self._raised = 0  # the build whose walls came to the table last
        self.throws = 0
        self.pips: tuple[int, int] | None = _pips(seed, 0)
        """What the dice show; None while they roll."""
        self.on_throw: Callable[[tuple[int, int]], None] = lambda pips: None
        self.on_lamp: Callable[[int], None] = lambda side: None
        self.on_collision: Callable[[str], None] = lambda what: None
        self.tell_analog: Callable[[str, int], None] = lambda device, millivolt: None
        self.currents = Currents(
            seed, schedule, lambda device, millivolt: self.tell_analog(device, millivolt)
        )
        self.strained: set[str] = set()
        """Analog inputs that are not at their healthy voltage."""
        self._settling: Entry | None = None
        self.hide_next_tiles = 0
        self.stuck_tray: int | None = None
        self.held_limit: int | None = None
        self.dome_limit_held = False
        self._stuck_keys: set[str] = set()
        self.estop_pressed = False
        self.lid_is_open = False
        self.trays = Travel(schedule, timing.TRAY_UP_US, timing.TRAY_DOWN_US, self._tray_switches())
        self.trays.on_arrival = self._tray_arrived
        self.trays.on_blocked = partial(self._hold_lift, "tray")
        self.dome = Travel(
            schedule,
            timing.DOME_US,
            timing.DOME_US,
            [
                Switch(0.0, DOME_DOWN, self._dome_down),
                Switch(0.98, 1.0, lambda on: tell_input("dome_up", on)),
            ],
        )
        self.dome.on_blocked = partial(self._hold_lift, "dome")

    def tell_all(self) -> None:
        """Put every input where the world stands: called once before the first run."""
        for side in SIDES:
            for name in ("count", "jam", "side_full"):
                self._tell_input(f"{name}_{side}", False)
            self._tell_input(f"stack_home_{side}", True)
            self._tell_input(f"tray_down_{side}", True)
            self._tell_input(f"tray_up_{side}", False)
            self._tell_input(f"key_dice_{side}", False)
            self._tell_line(f"lamp{side}", 0)
            self._tell_line(f"seat{side}", 0)
        for name, on in (("dome_down", True), ("dome_up", False), ("lid", False), ("estop", False)):
            self._tell_input(name, on)
        for name in ("key_lift_a", "key_lift_b"):
            self._tell_input(name, False)
        self.turn_switch(0)
        self._tell_line("estop", 0)

    def turn_switch(self, position: int) -> None:
        """Turn the rotary switch of programmes (0 = the host decides, 1 = 72 tiles ... 6 = 144)."""
        for bit in range(4):
            self._tell_input(f"decksel_{bit + 1}", bool(position >> bit & 1))

    def _tray_switches(self) -> list[Switch]:
        """Four trays on one motor pair: their switches close a little one after the other."""
        switches = []
        for side in SIDES:
            slack = 0.005 * side
            switches.append(Switch(0.0, slack, lambda on, side=side: self._tray_down(side, on)))  # type: ignore[misc]
            switches.append(Switch(1.0 - slack, 1.0, lambda on, side=side: self._tray_up(side, on)))  # type: ignore[misc]
        return switches

    def _tray_down(self, side: int, on: bool) -> None:
        self._tell_input(f"tray_down_{side}", side == self.held_limit or (on and side != self.stuck_tray))

    def _dome_down(self, on: bool) -> None:
        self._tell_input("dome_down", on or self.dome_limit_held)

    def _tray_up(self, side: int, on: bool) -> None:
        if on and self.has_ledges and self.sides[side].stacks:
            self.sides[side].leave_wall()
            self._raised = self.builds
        self._tell_input(f"tray_up_{side}", on and side != self.stuck_tray)

    # ---- motors and lamps ----

    def on_output(self, device: str, on: bool) -> None:
        """Hear that an output of the board changed.

        Raises:
            Collision: if it drives parts of the machine into each other; `on_collision` has heard it then.
        """
        (self._on.add if on else self._on.discard)(device)
        kind, _, side = device.rpartition("_")
        if device in MOTORS:
            self.currents.drive(device, on)
        if kind == "feed" or device in ("turn", "ring"):
            self._drive_feeds()
            if on and kind == "feed" and "reverse" in self._on:
                self.sides[int(side)].turn_back("feed")
        elif kind == "stack":
            self._drive_stacker(int(side), on)
        elif kind == "tray":
            self.trays.drive("tray_raise" in self._on, "tray_lower" in self._on)
            self._tell_full()
        elif kind == "dome":
            self.dome.drive("dome_raise" in self._on, "dome_lower" in self._on)
        elif kind == "lamp":
            self._lamp(int(side), on)
        elif device == "dice":
            self._dice(on)
        self.check()
        turning = [number for number in SIDES if f"stack_{number}" in self._on]
        collision = find_collision(self.trays, self.dome, turning, self._walls_meet())
        if collision is not None:
            self.on_collision(collision)
            raise Collision(f"collision: {collision}")

    def _walls_meet(self) -> bool:
        return any(each.stacks and any(each.ledge) for each in self.sides.values())

    @property
    def lamp_side(self) -> int:
        """Return the side whose dealer lamp is lit, 0 for none."""
        return next((side for side in SIDES if f"lamp_{side}" in self._on), 0)

    @property
    def motors_on(self) -> frozenset[str]:
        """Return the motor outputs that are on."""
        return MOTORS & self._on

    @property
    def ready_sides(self) -> tuple[int, ...]:
        """Return the sides whose ready lamp is lit."""
        return tuple(side for side in SIDES if f"ready_{side}" in self._on)

    @property
    def buzzes(self) -> bool:
        """Return whether the buzzer sounds."""
        return "buzzer" in self._on

    def _lamp(self, side: int, on: bool) -> None:
        self.schedule.after(timing.LAMP_US, lambda: self._tell_line(f"lamp{side}", int(on)))
        if on:
            self.on_lamp(side)

    def _drive_feeds(self) -> None:
        turning = all(self._turns(name) for name in ("turn", "ring"))
        if turning and not any(side.queue for side in self.sides.values()) and self.tiles.count(DRUM):
            self._begin_build()
        for number, side in self.sides.items():
            fed = self._turns(f"feed_{number}") and "reverse" not in self._on
            side.drive_feed(turning and fed)
        self._tell_full()

    def _turns(self, motor: str) -> bool:
        """Return whether a motor is on and able to turn."""
        return motor in self._on and not self.currents.is_dead(motor)

    def _drive_stacker(self, side: int, on: bool) -> None:
        if on and self.currents.is_cut(f"stack_{side}"):
            self.sides[side].on_felt()
            on = False
        self.sides[side].drive_stacker(on, "reverse" in self._on)

    def _hold_of_side(self, side: int, motor: str, held: bool) -> None:
        self.currents.hold(f"{motor}_{side}", held)

    def _hold_lift(self, kind: str, blocked: bool) -> None:
        for motor in (f"{kind}_raise", f"{kind}_lower"):
            self.currents.hold(motor, blocked and motor in self._on)

    def break_motor(self, motor: str, how: Callable[[str, bool], None]) -> None:
        """A motor is held, or its wire broken (a method of `currents`), at once if it runs."""
        how(motor, True)
        if motor in self._on:
            for side in self.sides.values():
                side.on_felt()
        self._drive_feeds()

    def _other_queues(self, side: Side) -> list[list[int]]:
        return [other.queue for other in self.sides.values() if other is not side]

    def _begin_build(self) -> None:
        """Shuffle what lies in the drum into the order in which it will come, side by side."""
        if any(side.stacks for side in self.sides.values()):
            return
        self.builds += 1
        self._share_out(SIDES)
        self.schedule.after(timing.FEEDS_FOLLOW_US, self._see_who_feeds)

    def _share_out(self, sides: Sequence[int]) -> None:
        order = [number for number in self.tiles.at(DRUM) if self.tiles.set_of(number)]
        stream(self.seed, "build", self.builds).shuffle(order)
        coming = queues(order, len(self.tiles), sides)
        for number, side in self.sides.items():
            side.begin(coming.get(number, []), stream(self.seed, "pick", self.builds, number))

    def _see_who_feeds(self) -> None:
        """Walls of two or three sides: all tiles come to those whose feed turns, before the first one has."""
        feeding = [number for number in SIDES if f"feed_{number}" in self._on]
        if 0 < len(feeding) < len(SIDES) and not any(side.built for side in self.sides.values()):
            self._share_out(feeding)

    def _tell_full(self) -> None:
        for number, side in self.sides.items():
            full = self.trays.is_down and len(side.stacks) * 8 >= len(self.tiles)
            self._tell_input(f"side_full_{number}", full)

    def _tray_arrived(self, at_top: bool) -> None:
        self._tell_full()

    # ---- dice ----

    def _dice(self, on: bool) -> None:
        cancel(self._settling)
        if self.currents.is_dead("dice"):
            return  # they lie as they lay
        if on:
            self.pips = None
        else:
            self._settling = self.schedule.after(timing.DICE_SETTLE_US, self._dice_lie)

    def _dice_lie(self) -> None:
        self.throws += 1
        self.pips = _pips(self.seed, self.throws)
        self.on_throw(self.pips)

    @property
    def has_ledges(self) -> bool:
        """Return whether this is a table for two sets."""
        return self.tiles.sets == 2

    @property
    def walls_are_up(self) -> bool:
        """Return whether walls stand on the table."""
        return self.trays.is_up or any(side.ledge for side in self.sides.values())

    @property
    def raised_build(self) -> int:
        """Return the number of the build whose walls are on the table, or come there next."""
        return self._raised if self.has_ledges else self.builds

    def standing(self, side: int) -> list[list[int]]:
        """Return the stacks of the wall that a side plays from, or will."""
        return self.sides[side].ledge if self.has_ledges else self.sides[side].stacks

    def check(self) -> None:
        """Check that every tile is somewhere, exactly once."""
        self.tiles.check(entry for side in self.sides.values() for entry in side.held())
