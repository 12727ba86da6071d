"""One of the four sides: channel with its counter and jam sensor, stacker, and the wall on the tray."""

from __future__ import annotations

import random
from collections.abc import Callable

from hardware.twin.plant import timing
from hardware.twin.plant.schedule import Entry, Schedule, cancel, is_due
from hardware.twin.plant.tiles import DRUM, TileSet, feed, mouth, wall

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
        self._way: int | None = None  # the tile under the counter
        self._mouth: list[int] = []
        self.stacks: list[list[int]] = []
        """The wall, first stack (at the owner's right) first; in a stack the bottom tile first."""
        self._rng = random.Random(0)
        self._pace = 1.0
        self._feeding = False
        self._stacking = False
        self._pick: Entry | None = None
        self._turn_us = 0  # how far the stacker has turned since home
        self._turn_since_us = 0
        self._turn: Entry | None = None
        self.jammed = False
        self.silent = False
        self._uncounted: list[int] = []

    def held(self) -> list[tuple[str, int]]:
        """Return what this side believes to hold, for the sum of tiles."""
        return [
            (feed(self.number), int(self._way is not None)),
            (mouth(self.number), len(self._mouth)),
            (wall(self.number), sum(map(len, self.stacks))),
        ]

    def take(self, number: int) -> None:
        """A player took this tile; the place of its stack stays, empty if need be."""
        for stack in self.stacks:
            if number in stack:
                stack.remove(number)

    @property
    def built(self) -> int:
        """Return how many tiles came this way and are still here."""
        return 2 * len(self.stacks) + len(self._mouth) + int(self._way is not None)

    def begin(self, queue: list[int], rng: random.Random) -> None:
        """Start a build: these tiles will come, at intervals from `rng`."""
        self.queue, self.share, self._rng = queue, max(1, len(queue)), rng
        self._pace = rng.lognormvariate(0.0, timing.PICK_SPREAD)

    # ---- feeding ----

    def drive_feed(self, on: bool) -> None:
        """The feed motor runs, with turntable and ring, or not."""
        if on == self._feeding:
            return
        self._feeding = on
        cancel(self._pick)
        self._pick = None
        self._tell(f"jam_{self.number}", on and self.jammed)
        if on:
            self._plan_pick()

    def jam(self, on: bool) -> None:
        """A tile stands across the channel, or is taken out."""
        self.jammed = on
        self._tell(f"jam_{self.number}", on and self._feeding)
        if not on:
            self.pick_again()

    def silence(self, on: bool) -> None:
        """The counter sees nothing any more, or sees again."""
        self.silent = on

    def _plan_pick(self) -> None:
        if self.jammed or self._way is not None or len(self._mouth) > 2:
            return
        if not self.queue and not any(self.others()):
            return
        emptied = 1.0 - len(self.queue) / self.share
        mean = timing.PICK_MEAN_US * self._pace * (1.0 + timing.PICK_TAIL * emptied)
        self._pick = self._schedule.after(
            int(timing.PICK_LEAST_US + self._rng.expovariate(1.0 / mean)), self._enter
        )

    def _enter(self) -> None:
        self._pick = None
        if self.jammed:
            return
        number = self._next_tile()
        if number is None:
            return
        self._tiles.move(number, DRUM, feed(self.number))
        self._way = number
        if self.silent:
            self._uncounted.append(number)
        else:
            self._tell(f"count_{self.number}", True)
        self._schedule.after(self._rng.randint(*timing.PULSE_US), self._land)

    def _next_tile(self) -> int | None:
        """Return the tile that the ring brings: this side's next one, or, where the feed should have stopped,
        the one that would have come last on the side that has most to come."""
        if self.queue:
            return self.queue.pop(0)
        fullest = max(self.others(), key=len, default=[])
        return fullest.pop() if fullest else None

    def _land(self) -> None:
        """The tile leaves the counter and falls into the stacker (it coasts when the motor stops)."""
        assert self._way is not None
        self._tiles.move(self._way, feed(self.number), mouth(self.number))
        self._mouth.append(self._way)
        self._way = None
        self._tell(f"count_{self.number}", False)
        if self._feeding:
            self._plan_pick()

    def take_out(self) -> list[int]:
        """Someone takes the tiles that stand in the stacker out; returns them."""
        taken, self._mouth = self._mouth, []
        self._uncounted.clear()
        return taken

    def empty_mouth(self) -> None:
        """Someone takes the tiles that nobody counted out of the stacker and drops them in the drum."""
        for number in reversed(self._uncounted):
            if number in self._mouth:
                self._mouth.remove(number)
                self._tiles.move(number, mouth(self.number), DRUM)
                self.queue.insert(0, number)
        self._uncounted.clear()

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
        return True

    # ---- stacking ----

    def drive_stacker(self, on: bool) -> None:
        """The stacker motor turns the cam: away from home, round, and home again with the stack pushed."""
        if on == self._stacking:
            return
        cancel(self._turn)
        self._turn = None
        if self._stacking:
            self._turn_us += self._schedule.now_us - self._turn_since_us
        self._stacking = on
        if on:
            self._turn_since_us = self._schedule.now_us
            self._plan_turn()

    def _plan_turn(self) -> None:
        mark = (
            timing.STACK_LEAVES_HOME_US
            if self._turn_us < timing.STACK_LEAVES_HOME_US
            else timing.STACK_TURN_US
        )
        self._turn = self._schedule.after(mark - self._turn_us, self._reach)

    def _reach(self) -> None:
        self._turn_us += self._schedule.now_us - self._turn_since_us
        self._turn_since_us = self._schedule.now_us
        if self._turn_us >= timing.STACK_TURN_US:
            self._turn_us = 0
            self._push()
            self._tell(f"stack_home_{self.number}", True)
        else:
            self._tell(f"stack_home_{self.number}", False)
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
        self.pick_again()
