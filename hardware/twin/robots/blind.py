"""Players without any page: they see lamps, dice and tiles, they use keys, and nobody tells them anything.

Nothing here looks at a screen. What the table made of a key shows in what it does next, or not at all: then
they do what people do, wait a little and press again, or go on by hand.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.twin.plant.plant import stand_walls
from hardware.twin.robots.after import ANSWER_US
from hardware.twin.robots.by_hand import PATIENCE_US
from hardware.twin.robots.dealing import throws_needed
from hardware.twin.robots.hand import Play
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.script import Asking, Pause, Script
from hardware.twin.robots.session import Session
from hardware.twin.robots.watcher import S
from rules.hand import MeldKind
from rules.procedure import dice_to_seat
from rules.scoring import settle_draw
from rules.seats import ALL_SEATS, Seat
from rules.situation import Situation
from rules.tiles import Tile

LOOK_US = 500_000
BUILT_US = 240 * S
"""So long people watch a machine that builds before they take the walls into their own hands."""
READ_US = 25 * S
"""So long they leave a hand that is laid open alone: the camera looks twice, or gives up."""
LAMP_US = 6 * S
KONG_TAPS = 3


class BlindSession(Session):
    """Hands played by lamps, tiles and keys alone; seats stay as they were taken."""

    def script(self) -> Script:
        """Play all hands, then sit."""
        while self._hands is None or self._hand < self._hands:
            yield from self._one_hand()

    @property
    def hand(self) -> int:
        """Return the number of the hand, as the players count."""
        return self._hand

    def _one_hand(self) -> Script:
        self._hand += 1
        self._throws.forget()
        self._wall, self._outcome, self._kongs = None, None, []
        yield Pause(3 * S)
        self._top.sweep()
        self._at("start")
        if (yield from self._walls_by_machine()):
            yield Pause(LAMP_US)
            self._dealer = self._lit_seat() or self._dealer
            yield from self._throw_dice()
        else:
            yield from self._walls_by_hand()
        yield from self._deal_tiles()
        yield Pause(1 * S)
        self._tap(self._dealer)
        yield Pause(1 * S)
        yield from self._play_it()
        yield from self._call_end()
        yield from self._agree()
        self._dealer = self._next_dealer()

    def _wait(self, shows: Callable[[], bool], limit_us: int) -> Asking:
        """Look again and again; returns whether it is to be seen at last."""
        for _ in range(limit_us // LOOK_US):
            if shows():
                return True
            yield Pause(LOOK_US)
        return shows()

    def _tap(self, seat: Seat) -> None:
        self._people.press_short(self._side(seat))

    def _lit_seat(self) -> Seat | None:
        """Return the seat whose dealer lamp is lit."""
        side = self._top.plant.lamp_side
        return next((seat for seat in ALL_SEATS if self._side(seat) == side), None)

    # ---- walls and dice ----

    def _walls_by_machine(self) -> Asking:
        """Let the machine build; returns whether it did."""
        plant = self._top.plant
        self._people.press_lift("lift_a")
        if not (yield from self._wait(lambda: plant.dome.is_up, PATIENCE_US)):
            return False
        yield Pause(2 * S)
        self._top.push_in()
        yield Pause(1 * S)
        self._people.press_lift("lift_b")
        if not (yield from self._wait(lambda: plant.ready_sides == (1, 2, 3, 4), BUILT_US)):
            return False
        yield Pause(1 * S)
        self._people.press_lift("lift_a")
        return (yield from self._wait(lambda: plant.walls_are_up, PATIENCE_US))

    def _walls_by_hand(self) -> Script:
        self._at("by hand")
        self._top.sweep()
        stand_walls(self._top.plant)
        self._top.heap = []
        self._top.changes += 1
        yield Pause(2 * S)
        self._people.press_long(self._side(self._dealer))
        yield Pause(2 * S)
        while len(self._throws.counted) < throws_needed(self._options):
            yield from self._throw_by_hand()

    def _throw_dice(self) -> Script:
        """Press the dice key until the dice have rolled as often as the walls need.

        The table rolls for whoever it thinks it is: where it could not read the dealer's throw, that is he.
        """
        tries = 0
        while len(self._throws.counted) < throws_needed(self._options):
            self._people.press_dice(self._side(self._dealer if tries % 2 else self._thrower()))
            tries += 1
            if (yield from self._wait(lambda: self._throws.lying is not None, 8 * S)):
                yield Pause(3 * S)
                self._throws.remember()
                tries = 0

    def _thrower(self) -> Seat:
        counted = self._throws.counted
        return dice_to_seat(self._dealer, sum(counted[0][1])) if counted else self._dealer

    def _thrown(self, pips: tuple[int, int]) -> None:
        self._throws.thrown(self._thrower(), pips)

    def _tell_pips(self, pips: tuple[int, int]) -> Script:
        """There is nobody to tell: the players remember what they threw."""
        self._throws.remember()
        yield Pause(LOOK_US)

    # ---- the hand ----

    def _play_it(self) -> Script:
        assert self._wall is not None
        self._at("play")
        wind = self._rounds.hand(self._hand, self._dealer, Seat.E)
        top, wall, sides = self._top, self._wall, self._sides()
        play = Play(
            top, wall, self._variant, self._options, self._dealer, sides, self._hand, self._declare, wind
        )
        yield from play.run()
        self._outcome = play.outcome
        self._write_end()

    def _declare(self, seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> Asking:
        """A kong is called by three taps of the own key."""
        self._write_kong(seat, kind, tile, source)
        for _ in range(KONG_TAPS):
            self._tap(seat)
            yield Pause(LOOK_US)
        return True

    def _call_end(self) -> Script:
        outcome = self._ended_with()
        yield Pause(600_000)
        self._at("claim")
        if outcome.seat is None:
            self._people.press_lift()
            return
        if outcome.source is None:
            self._people.press_long(self._side(outcome.seat))
            yield Pause(2 * S)
        else:
            self._tap(outcome.seat)
            yield Pause(ANSWER_US + LOOK_US)
            self._tap(outcome.source)
        self._lay_hand(outcome)
        yield Pause(2_500_000)
        self._tap(outcome.seat)
        yield Pause(READ_US)

    def _agree(self) -> Script:
        """The others tap: they agree to what was read, or put aside what was not."""
        outcome = self._ended_with()
        self._at("confirm")
        yield Pause(1 * S)
        for seat in ALL_SEATS:
            if seat is not outcome.seat:
                self._tap(seat)
                yield Pause(LOOK_US)
        yield Pause(1 * S)

    def _ended_with(self) -> Outcome:
        assert self._outcome is not None
        return self._outcome

    def _next_dealer(self) -> Seat:
        """Return who deals next, as everybody at the table knows."""
        outcome = self._ended_with()
        if outcome.next_dealer is not None:
            return outcome.next_dealer
        return settle_draw(self._variant, Situation(self._dealer, options=self._options)).next_dealer
