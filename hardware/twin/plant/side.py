"""One of the four sides: channel with its counter and jam sensor, stacker, and the wall on the tray."""

from __future__ import annotations

import random
from collections.abc import Callable

from hardware.twin.plant import timing
from hardware.twin.plant.eye import Eye
from hardware.twin.plant.schedule import Entry, Schedule, cancel, is_due
from hardware.twin.plant.tiles import DRUM, OUTSIDE, TileSet, feed, ledge, mouth, wall

Tell = Callable[[str, bool], None]


class Side:
    """Tiles come one by one past the counter, two make a stack, a stack is pushed to the wall."""

    def __init__(self, number: int, tiles: TileSet, schedule: Schedule, tell: Tell) -> None:
        self.number = number
        self._tiles, self._schedule, self._tell = tiles, schedule, tell
        self.queue: list[int] = []
        """Tiles of the drum that will come this way, in order."""
        self.others: Callable[[], list[list[int]]] = list
        """The queues of the other sides: a feed that runs on when its own is empty takes from them."""
        self.share = 0
        self.eye = Eye(schedule, lambda on: tell(f"count_{number}", on))
        self._way: int | None = None  # the tile under the counter
        self._mouth: list[int] = []
        self.stacks: list[list[int]] = []
        """The wall, first stack (at the owner's right) first; in a stack the bottom tile first."""
        self.ledge: list[list[int]] = []
        """The wall in play where there are two sets: the ledges hold it, the tray is free."""
        self._rng = random.Random(0)
        self._pace = 1.0
        self._feeding = False
        self._stacking = False
        self._pick: Entry | None = None
        self._on_the_way_us: int | None = None
        self._turn_us = 0  # how far the stacker has turned since home
        self._turn_since_us = 0
        self._turn: Entry | None = None
        self.jammed = False
        self.silent = False
        self._uncounted: list[int] = []
        self._jam_next = False
        self._hold_next = False
        self._held = False
        self._foreign: int | None = None
        self.stalled = False
        self._wedged = False
        self._frees: dict[str, int] = {}
        """How often the motor of what is stuck must be turned back until it is free; not there: never."""
        self._back = False
        self.on_held: Callable[[str, bool], None] = lambda motor, held: None
        """Called when something holds a motor of this side, or lets it go."""
        self.slowness = 1.0
        """The way through the channel takes so many times longer."""
        self._noise: Entry | None = None
        self.on_felt: Callable[[], None] = lambda: None
        """Called when what is broken first makes a difference."""

    def held(self) -> list[tuple[str, int]]:
        """Return what this side believes to hold, for the sum of tiles."""
        return [
            (feed(self.number), int(self._way is not None)),
            (mouth(self.number), len(self._mouth)),
            (wall(self.number), sum(map(len, self.stacks))),
            (ledge(self.number), sum(map(len, self.ledge))),
        ]

    def pieces(self) -> list[tuple[str, list[int]]]:
        """Return the very tiles of this side by place, for `conservation`."""
        return [
            (feed(self.number), [] if self._way is None else [self._way]),
            (mouth(self.number), list(self._mouth)),
            (wall(self.number), [number for stack in self.stacks for number in stack]),
            (ledge(self.number), [number for stack in self.ledge for number in stack]),
        ]

    def take(self, number: int) -> None:
        """A player took this tile; the place of its stack stays, empty if need be."""
        for stack in (*self.stacks, *self.ledge):
            if number in stack:
                stack.remove(number)

    def leave_wall(self) -> None:
        """The tray has come to the top: the ledges snap in under the wall."""
        for number in (number for stack in self.stacks for number in stack):
            self._tiles.move(number, wall(self.number), ledge(self.number))
        if self.stacks:
            self.ledge, self.stacks = self.stacks, []

    @property
    def built(self) -> int:
        """Return how many tiles came this way and are still here."""
        return 2 * len(self.stacks) + len(self._mouth) + int(self._way is not None)

    def begin(self, queue: list[int], rng: random.Random) -> None:
        """Start a build: these tiles will come, at intervals from `rng`."""
        self.queue, self.share, self._rng = queue, max(1, len(queue)), rng
        self._on_the_way_us = None
        self._pace = rng.lognormvariate(0.0, timing.PICK_SPREAD)

    # ---- feeding ----

    def drive_feed(self, on: bool) -> None:
        """The feed motor runs, with turntable and ring, or not."""
        if on == self._feeding:
            return
        self._feeding = on
        if self._pick is not None and is_due(self._pick):
            self._on_the_way_us = self._pick.at_us - self._schedule.now_us
        cancel(self._pick)
        self._pick = None
        if on:
            if self._wedged:
                self.on_felt()
            self._plan_pick()
        elif self._foreign is not None and self._way is None and self.built >= self.share:
            self.on_felt()
            self._enter()

    def turn_back(self, motor: str) -> None:
        """The feed or stacker motor turns the other way: what is stuck comes free, if not for good."""
        left = self._frees.get(motor, 0)
        if left == 0:
            return
        self._frees[motor] = left - 1
        if left == 1:
            free = self._come_free if motor == "feed" else lambda: self.stall(False)
            self._schedule.after(timing.COMES_FREE_US, free)

    def _come_free(self) -> None:
        self.wedge(False)
        self.jammed = self._jam_next = False
        self._tell_jam()

    def wedge(self, on: bool, frees: int = 0) -> None:
        """A tile wedges in the channel and holds the feed motor, or is taken out."""
        self._wedged = on
        self._frees["feed"] = frees
        self.on_held("feed", on)
        cancel(self._pick)
        self._pick = None
        if on and self._feeding:
            self.on_felt()
        elif not on:
            self.pick_again()

    def jam(self, on: bool, frees: int = 0) -> None:
        """The next tile that falls into the stacker stands across its mouth, or is pushed flat."""
        self._jam_next = on
        self._frees["feed"] = frees
        if not on:
            self.jammed = False
            self._tell_jam()
            self.pick_again()

    def silence(self, on: bool) -> None:
        """The counter sees nothing any more, or sees again."""
        self.silent = on

    def hold(self, on: bool) -> None:
        """The next tile stays under the counter, or someone takes it out and drops it in the drum."""
        self._hold_next = on
        if not on and self._held and self._way is not None:
            self._tiles.move(self._way, feed(self.number), DRUM)
            self.queue.insert(0, self._way)
            self._held, self._way = False, None
            self.eye.uncover()
            self.pick_again()

    def add_foreign(self) -> None:
        """A tile of another set clings to the last one of this side's share and comes along with it."""
        self._foreign = self._tiles.add_foreign(DRUM)

    def take_foreign_out(self) -> None:
        """Someone counts the set and takes the tile that is too many away."""
        number = self._foreign
        if number is None or number == self._way:
            return
        self._tiles.move(number, self._tiles.place(number), OUTSIDE)
        if number in self._mouth:
            self._mouth.remove(number)
        self._foreign = None
        self._tell_jam()

    def stall(self, on: bool, frees: int = 0) -> None:
        """Something holds the stacker's cam and its motor, or lets them go."""
        self._add_turn()
        self.stalled = on
        self._frees["stack"] = frees
        self.on_held("stack", on)
        if self._stacking:
            cancel(self._turn)
            self._plan_turn()

    def flicker(self, on: bool) -> None:
        """Sunlight on the counter: pulses far too short for tiles while nothing lies under it."""
        cancel(self._noise)
        self._noise = None
        if on:
            self.on_felt()
            self._flicker(True)
        elif self._way is None:
            self._tell(f"count_{self.number}", False)

    def _flicker(self, lit: bool) -> None:
        if self._way is None:
            self._tell(f"count_{self.number}", lit)
        self._noise = self._schedule.after(timing.FLICKER_US, lambda: self._flicker(not lit))

    def _tell_jam(self) -> None:
        """The jam sensor looks at the mouth: a tile across it, or a third one that finds no room."""
        self._tell(f"jam_{self.number}", self.jammed or len(self._mouth) > 2)

    def _plan_pick(self) -> None:
        if self.jammed or self._wedged or self._way is not None or len(self._mouth) > 2:
            return
        if not self.queue and not any(self.others()):
            return
        if self._on_the_way_us is not None:  # the belt stopped under it and goes on
            self._pick = self._schedule.after(self._on_the_way_us, self._enter)
            self._on_the_way_us = None
            return
        emptied = 1.0 - len(self.queue) / self.share
        mean = timing.PICK_MEAN_US * self._pace * (1.0 + timing.PICK_TAIL * emptied)
        self._pick = self._schedule.after(
            int(timing.PICK_LEAST_US * self.slowness + self._rng.expovariate(1.0 / mean)), self._enter
        )

    def _enter(self) -> None:
        self._pick = None
        if self.jammed or self._wedged:
            return
        number = self._next_tile()
        if number is None:
            return
        self._tiles.move(number, DRUM, feed(self.number))
        self._way = number
        pulse_us = None if self._hold_next else self._rng.randint(*timing.PULSE_US)
        if self.silent or not self.eye.cover(pulse_us):
            self._uncounted.append(number)
        if pulse_us is None:
            self._hold_next, self._held = False, True
            self.on_felt()
            return
        self._schedule.after(pulse_us, self._land)

    def _next_tile(self) -> int | None:
        """Return the tile that the ring brings: this side's next one, or, where the feed should have stopped,
        the one that would have come last on the side that has most to come."""
        if self.queue:
            return self.queue.pop(0)
        if self._foreign is not None and self._tiles.place(self._foreign) == DRUM:
            return self._foreign
        fullest = max(self.others(), key=len, default=[])
        return fullest.pop() if fullest else None

    def _land(self) -> None:
        """The tile leaves the counter and falls into the stacker (it coasts when the motor stops)."""
        assert self._way is not None
        self._tiles.move(self._way, feed(self.number), mouth(self.number))
        self._mouth.append(self._way)
        self._way = None
        self.eye.uncover()
        if self._jam_next and len(self._mouth) % 2:  # with a second one it would be pushed
            self._jam_next, self.jammed = False, True
            self.on_felt()
        if self._uncounted and len(self._mouth) > 2:  # nobody counted, so nobody pushes: they back up
            self.on_felt()
        self._tell_jam()
        if self._feeding:
            self._plan_pick()

    def take_out(self) -> list[int]:
        """Someone takes the tiles that stand in the stacker out; returns them."""
        taken, self._mouth = self._mouth, []
        self._uncounted.clear()
        self._tell_jam()
        return taken

    def empty_mouth(self) -> None:
        """Someone takes the tiles that nobody counted out of the stacker and drops them in the drum."""
        for number in reversed(self._uncounted):
            if number in self._mouth:
                self._mouth.remove(number)
                self._tiles.move(number, mouth(self.number), DRUM)
                self.queue.insert(0, number)
        self._uncounted.clear()
        self._tell_jam()

    def pick_again(self) -> None:
        """There may be tiles in the drum again: a feed that runs empty begins to bring them."""
        if self._feeding and not is_due(self._pick):
            self._plan_pick()

    def give_back(self) -> bool:
        """Someone takes the last tile of the stacker back and drops it in the drum."""
        if self.queue or not self._mouth or self._way is not None:
            return False
        number = self._mouth.pop()
        self._tiles.move(number, mouth(self.number), DRUM)
        self.queue.append(number)
        self._tell_jam()
        return True

    # ---- stacking ----

    def drive_stacker(self, on: bool, back: bool = False) -> None:
        """The stacker motor turns the cam: away from home, round, and home again with the stack pushed.

        Turned back from home the cam stands before it, and comes home without a push.
        """
        if on == self._stacking:
            return
        cancel(self._turn)
        self._turn = None
        self._add_turn()
        self._stacking, self._back = on, back
        if on:
            if back:
                self.turn_back("stack")
            self._plan_turn()

    def _add_turn(self) -> None:
        """Take the way since the last look into account."""
        if self._stacking and not self.stalled:
            way = self._schedule.now_us - self._turn_since_us
            self._turn_us += -way if self._back else way
        self._turn_since_us = self._schedule.now_us

    def _plan_turn(self) -> None:
        """Wake at the next place where the home sensor changes."""
        if self.stalled:
            self.on_felt()
            return
        marks = (0, timing.STACK_LEAVES_HOME_US, timing.STACK_TURN_US)
        if self._back:
            ways = [self._turn_us - mark + 1 for mark in marks if mark <= self._turn_us]
        else:
            ways = [mark - self._turn_us for mark in marks if mark > self._turn_us]
        if ways:
            self._turn = self._schedule.after(min(ways), self._reach)

    def _reach(self) -> None:
        self._add_turn()
        if self._turn_us >= timing.STACK_TURN_US:
            self._turn_us = 0
            self._push()
        is_home = 0 <= self._turn_us < timing.STACK_LEAVES_HOME_US
        self._tell(f"stack_home_{self.number}", is_home)
        if self._stacking:
            self._plan_turn()

    def _push(self) -> None:
        if len(self._mouth) < 2:
            return
        bottom, top = self._mouth[:2]
        del self._mouth[:2]
        for number in (bottom, top):
            self._tiles.move(number, mouth(self.number), wall(self.number))
        self.stacks.append([bottom, top])
        self._tell_jam()
        self.pick_again()
