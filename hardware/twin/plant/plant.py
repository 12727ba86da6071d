"""The machine as wood, belts and light: it hears motor outputs and answers with sensor inputs.

Nothing here knows frames or commands. Every change comes from a pin edge, a hand on a key or the agenda;
after each of them the sum of tiles is checked.
"""

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
from hardware.twin.plant.tiles import ASIDE, DRUM, FLOOR, TABLE, TileSet, ledge, mouth, wall
from hardware.twin.plant.two_sets import set_to_push
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


class Plant:
    """One table. `tell_input(id, on)` sets a board input, `tell_line(line, level)` a GPIO line of the Pi.

    With two sets the raised walls stay on ledges of the table, so that the trays can take the next ones.
    """

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

    # ---- hands of people ----

    def press_key(self, key: str, hold_us: int = timing.KEY_PRESS_US) -> None:
        """Press a key of the board ("lift_a", "dice_3") and let it go after `hold_us`."""
        self._tell_input(f"key_{key}", True)
        self.schedule.after(hold_us, lambda: self._tell_input(f"key_{key}", False))

    def turn_switch(self, position: int) -> None:
        """Turn the rotary switch of programmes (0 = the host decides, 1 = 72 tiles ... 6 = 144)."""
        for bit in range(4):
            self._tell_input(f"decksel_{bit + 1}", bool(position >> bit & 1))

    def press_seat(self, side: int, hold_us: int) -> None:
        """Press the seat key of a side (a line of the Pi)."""
        self._tell_line(f"seat{side}", 1)
        self.schedule.after(hold_us, lambda: self._tell_line(f"seat{side}", 0))

    def press_estop(self, pressed: bool) -> None:
        """Push the emergency stop in, or turn it out again."""
        self.estop_pressed = pressed
        self._tell_input("estop", pressed)
        self._tell_line("estop", int(pressed))

    def open_lid(self, is_open: bool) -> None:
        """Open or close the lid."""
        self.lid_is_open = is_open
        self._tell_input("lid", is_open)

    def lose_tile(self, count: int = 1) -> None:
        """The next tiles that are pushed in fall on the floor instead."""
        self.hide_next_tiles += count

    def stick_tray(self, side: int) -> None:
        """Something holds the tray of a side (0 = none): its switches do not close any more."""
        self.stuck_tray = side or None
        for number in SIDES:
            free = number != side
            self._tell_input(f"tray_down_{number}", free and self.trays.position <= 0.005 * number)
            self._tell_input(f"tray_up_{number}", free and self.trays.position >= 1.0 - 0.005 * number)

    def hold_limit(self, side: int) -> None:
        """The lower limit switch of a tray stays pressed (0 = none)."""
        self.held_limit = side or None
        for number in SIDES:
            self._tray_down(number, self.trays.position <= 0.005 * number)

    def hold_dome_limit(self, held: bool) -> None:
        """The lower limit switch of the dome stays pressed, or comes up again."""
        self.dome_limit_held = held
        self._dome_down(self.dome.position <= DOME_DOWN)

    def stick_dome(self, limit: float, floor: float = 0.0) -> None:
        """Something keeps the dome from rising above `limit` (1 = nothing) or falling below `floor`."""
        self.dome.limit, self.dome.floor = limit, floor

    def stick_key(self, key: str, on: bool) -> None:
        """A key of the board stays pressed, or comes up again."""
        (self._stuck_keys.add if on else self._stuck_keys.discard)(key)
        self._tell_input(f"key_{key}", on)

    def strain(self, device: str, millivolt: int) -> None:
        """An analog input goes to a voltage that is not healthy."""
        self.strained.add(device)
        self.tell_analog(device, millivolt)

    def relax(self) -> None:
        """All analog inputs are healthy again."""
        for device in tuple(self.strained):
            self.strained.discard(device)
            self.tell_analog(device, HEALTHY_MV[device])

    def free_keys(self) -> None:
        """Let all stuck keys go."""
        for key in tuple(self._stuck_keys):
            self.stick_key(key, False)

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

    def take(self, side: int, number: int) -> None:
        """A player takes a tile from the raised wall of a side."""
        self.tiles.move(number, (ledge if self.has_ledges else wall)(side), TABLE)
        self.sides[side].take(number)

    def sweep(self) -> None:
        """Pull every tile off the walls to the middle of the table; of two sets only what is in reach."""
        for number, side in self.sides.items():
            for tile in self.tiles.at(ledge(number)):
                self.tiles.move(tile, ledge(number), TABLE)
            side.ledge.clear()
            if self.has_ledges and not self.trays.is_up:
                continue
            for tile in self.tiles.at(wall(number)):
                self.tiles.move(tile, wall(number), TABLE)
            side.stacks.clear()
            for tile in side.take_out():
                self.tiles.move(tile, mouth(number), TABLE)
        self.check()

    def push_in(self) -> bool:
        """Push a set into the dome, from the table or the box beside it; False if the dome is not up.

        With two sets people look at the backs (`set_to_push`); what else lies there goes into the box.
        """
        if not self.dome.is_up:
            return False
        begun = any(side.built for side in self.sides.values())
        for side in () if begun else self.sides.values():
            side.queue.clear()  # what was left of a build that was cut short is mixed anew
        wanted = set_to_push(self.tiles, SIDES, self.walls_are_up) if self.has_ledges else None
        for place in (ASIDE, TABLE):
            for number in self.tiles.at(place):
                if wanted in (None, self.tiles.set_of(number)):
                    target = FLOOR if self.hide_next_tiles else DRUM
                    self.hide_next_tiles = max(0, self.hide_next_tiles - 1)
                    self.tiles.move(number, place, target)
                    if begun and target == DRUM:
                        self._mix_in(number)
                elif place == TABLE and not self.walls_are_up:
                    self.tiles.move(number, place, ASIDE)
        self.check()
        return True

    def _mix_in(self, number: int) -> None:
        """A tile that is dropped in while a wall is half built comes somewhere, some time."""
        short = min(self.sides.values(), key=lambda side: (side.share <= 1, len(side.queue) + side.built))
        short.queue.insert(stream(self.seed, "mixed in", number).randint(0, len(short.queue)), number)

    def pick_up(self) -> int:
        """Pick tiles up from the floor and put them on the table; returns how many."""
        found = self.tiles.at(FLOOR)
        for number in found:
            self.tiles.move(number, FLOOR, TABLE)
        return len(found)

    def find_tiles(self) -> int:
        """Pick tiles up from the floor and drop them in the drum; they come on the side that lacks one."""
        found = self.tiles.at(FLOOR)
        for number in found:
            self.tiles.move(number, FLOOR, DRUM)
            short = min(self.sides.values(), key=lambda side: len(side.queue) + 2 * len(side.stacks))
            short.queue.append(number)
        for side in self.sides.values():
            side.empty_mouth()
        self._pick_again()
        return len(found)

    def _pick_again(self) -> None:
        for side in self.sides.values():
            side.pick_again()

    def send_round(self, side: int) -> bool:
        """Someone looks for the tile that `side` lacks although none lies on the floor: it passed a counter
        unseen and stands on a side that has more than its share, or on this side itself. It goes round once
        more; False if there is none."""
        surplus = [each for each in self.sides.values() if each.built > each.share + each.share % 2]
        sent = any(each.give_back() for each in [*surplus, self.sides[side]])
        self._pick_again()
        return sent

    def check(self) -> None:
        """Check that every tile is somewhere, exactly once."""
        self.tiles.check(entry for side in self.sides.values() for entry in side.held())


def stand_walls(plant: Plant) -> None:
    """Build and raise the walls at once, in the order a real build would give: for play without a machine."""
    plant.builds += 1
    wanted = set_to_push(plant.tiles, SIDES, plant.walls_are_up) if plant.has_ledges else None
    for place in (ASIDE, TABLE):
        for number in plant.tiles.at(place):
            if wanted in (None, plant.tiles.set_of(number)):
                plant.tiles.move(number, place, DRUM)
    order = [number for number in plant.tiles.at(DRUM) if plant.tiles.set_of(number)]
    stream(plant.seed, "build", plant.builds).shuffle(order)
    for number, tiles in queues(order, len(plant.tiles), SIDES).items():
        side = plant.sides[number]
        for tile in tiles:
            plant.tiles.move(tile, DRUM, wall(number))
        side.stacks = [tiles[at : at + 2] for at in range(0, len(tiles), 2)]
        if plant.has_ledges:
            side.leave_wall()
    plant.trays.put(0.0 if plant.has_ledges else 1.0)
    plant.check()
