"""The machine as wood, belts and light: it hears motor outputs and answers with sensor inputs.

Nothing here knows frames or commands. Every change comes from a pin edge (`works.py`), a hand on a key or the
agenda; after each of them the sum of tiles is checked.
"""

from __future__ import annotations

from hardware.twin.plant import timing
from hardware.twin.plant.chance import stream
from hardware.twin.plant.shuffle import queues
from hardware.twin.plant.tiles import ASIDE, DRUM, FLOOR, TABLE, ledge, mouth, wall
from hardware.twin.plant.two_sets import set_to_push
from hardware.twin.plant.works import DOME_DOWN, HEALTHY_MV, SIDES, Works

__all__ = ["SIDES", "Plant", "stand_walls"]


class Plant(Works):
    """One table. `tell_input(id, on)` sets a board input, `tell_line(line, level)` a GPIO line of the Pi.

    Here is what people do to it: keys, tiles, and what they find broken.
    """

    # ---- hands of people ----

    def press_key(self, key: str, hold_us: int = timing.KEY_PRESS_US) -> None:
        """Press a key of the board ("lift_a", "dice_3") and let it go after `hold_us`."""
        self._tell_input(f"key_{key}", True)
        self.schedule.after(hold_us, lambda: self._tell_input(f"key_{key}", False))

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

    # ---- tiles in people's hands ----

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
