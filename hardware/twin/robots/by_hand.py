"""What the robots do when something of the table is gone: they build, throw and call by hand, as people do.

Whether a page hears them they know by what it brings; where it brings nothing they use the seat keys.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from hardware.twin.plant.chance import stream
from hardware.twin.plant.plant import stand_walls
from hardware.twin.robots.after import AfterHand
from hardware.twin.robots.dealing import Wall, throws_needed
from hardware.twin.robots.people import People
from hardware.twin.robots.script import Asking, Pause, Screen, Script, Until
from hardware.twin.robots.throws import ThrowBook
from hardware.twin.robots.watcher import S
from hardware.twin.table.layout import TableTop
from rules.options import Options
from rules.seats import Seat
from rules.variant import Variant

PATIENCE_US = 60 * S
"""So long the players wait for the machine before they build the walls themselves."""
ASKED_MOST = 2
"""A throw that was not read this often is told on the page."""
MACHINE_PHASES = frozenset({"IDLE", "SETTLED", "BUILDING", "READY", "LIFTING", "FAULT"})


def _dice_of(screen: Screen) -> tuple[Any, ...]:
    """Return what a screen shows of dice and throws."""
    return tuple(screen.get(key) for key in ("phase", "dice", "draw"))


def link_is_up(screen: Screen) -> bool:
    """Return whether the board answers, as far as the screen tells."""
    health: dict[str, Any] = screen.get("health") or {}
    return bool(health.get("link", "up") == "up")


class ByHand(AfterHand, ABC):
    """The part of the evening that people do themselves while board, camera or pages are gone."""

    def __init__(
        self,
        top: TableTop,
        people: People,
        look: Callable[[], Screen],
        guest: int | None,
        variant: Variant,
        options: Options,
        remedy: Callable[[dict[str, Any] | None], None],
        tell: Callable[[Seat, tuple[int, int]], None],
        hands: int | None,
    ) -> None:
        super().__init__(top, people, look, guest, variant, remedy)
        self._options, self._hands = options, hands
        self._throws = ThrowBook(tell)
        self._wall: Wall | None = None
        self._asked = 0
        self._own_throws = 0

    def _needs_hands(self) -> bool:
        """Return whether the machine is due and cannot be reached; a guest decides for himself."""
        return (
            self._guest is None
            and self._screen.get("phase") in MACHINE_PHASES
            and not link_is_up(self._screen)
            and not self._screen.get("over")
        )

    def _build_by_hand(self, dealer: Seat) -> Script:
        """Wait a while for the board; then build the walls and say so, unless all hands have been played."""
        is_between = self._screen.get("phase") in ("IDLE", "SETTLED")
        if is_between and self._hands is not None and self.hand >= self._hands:
            yield self._moves_on(60 * S)
            return
        if (yield Until(link_is_up, PATIENCE_US)):
            return
        self._at("by hand")
        self._top.sweep()
        stand_walls(self._top.plant)
        self._top.heap = []
        self._top.changes += 1
        yield Pause(2 * S)
        yield from self._say("by_hand", {}, lambda screen: screen.get("phase") == "DICE")
        if self._screen.get("phase") != "DICE":
            first = [act["side"] for act in self._screen.get("act") or () if act.get("do") == "start"]
            self._people.press_long(first[0] if first else self._side(dealer))
            yield Until(lambda screen: screen.get("phase") == "DICE", 4 * S)

    def _say(self, name: str, body: dict[str, Any], shown: Callable[[Screen], bool]) -> Asking:
        """Say something on the page; returns whether it is to be seen there."""
        self._people.post(name, body)
        return (yield Until(shown, 3 * S))

    def _throw_by_hand(self) -> Script:
        """Throw dice of one's own; the machine's do not roll."""
        self._own_throws += 1
        rng = stream(self._top.plant.seed, "throw by hand", self.hand, self._own_throws)
        yield Pause(1 * S)
        pips = (rng.randint(1, 6), rng.randint(1, 6))
        self._thrown(pips)
        yield from self._tell_pips(pips)

    def _tell_pips(self, pips: tuple[int, int]) -> Script:
        """Say what lies there; where nobody hears it the players remember, and deal by it."""
        before = _dice_of(self._screen)
        heard = yield from self._say("set_dice", {"pips": list(pips)}, lambda one: _dice_of(one) != before)
        self._asked = 0
        if heard or self._throws.lying is None or self._throws.lying[1] != pips:
            return
        self._throws.remember()
        if len(self._throws.counted) >= throws_needed(self._options):
            yield from self._deal_unread()

    def _deal_unread(self) -> Script:
        """Deal by dice that the table does not know; the dealer's key says so."""
        yield from self._deal_tiles()
        dealer = Seat(self._screen.get("dealer") or "E")
        yield Pause(1 * S)
        yield self._short_key(dealer, Until(lambda screen: screen.get("phase") != "DICE", 4 * S))

    @abstractmethod
    def _thrown(self, pips: tuple[int, int]) -> None:
        """Take note of a throw: the pips of the two dice."""

    @abstractmethod
    def _deal_tiles(self) -> Script:
        """Take the tiles of a hand from the walls."""
