"""What the robots do once a hand has ended: say so, lay it down, agree or not, and put a fault right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.twin.robots.judging import agrees, claim_is_right, flower_texts, hand_text
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.people import People
from hardware.twin.robots.script import Pause, Screen, Script, Until
from hardware.twin.robots.watcher import GUEST_US, S, Watcher
from hardware.twin.table.layout import TableTop
from rules.seats import ALL_SEATS
from rules.variant import Variant

REVIEWS_MAX = 4
GUEST_REVIEW_US = 120 * S
"""So long may a guest look at a doubted hand before the winner says what it is."""
ANSWER_US = 700_000
"""Whoever is asked what he discarded takes this long to answer, at any `--speed`: a key that comes sooner is
another player's call of the same discard to the table."""
FAULT_LOOK_US = 6 * S
"""So long robots leave a fault on the screen before they mend and clear it: people have to read it."""
PERSONS_FAULT = "fault.stop"
"""Somebody at the page stopped the machine and knows why: no robot clears that."""


class AfterHand(Watcher):
    """The part of the evening that begins when the hand is over, and the faults of any part."""

    def __init__(
        self,
        top: TableTop,
        people: People,
        look: Callable[[], Screen],
        guest: int | None,
        variant: Variant,
        remedy: Callable[[dict[str, Any] | None], None],
    ) -> None:
        super().__init__(top, people, look, guest)
        self._variant, self._remedy = variant, remedy
        self._outcome: Outcome | None = None
        self._reviews = 0

    @staticmethod
    def _claim_body(outcome: Outcome) -> dict[str, Any]:
        assert outcome.seat is not None
        body: dict[str, Any] = {"seat": outcome.seat.value, "by": outcome.by, "flags": list(outcome.flags)}
        if outcome.source is not None:
            body["from"] = outcome.source.value
        return body

    def _claim(self) -> Script:
        outcome, step = self._outcome, self._screen.get("step")
        if outcome is None or outcome.seat is None:
            yield from self._take_back()
        elif step == "from" and outcome.source is not None:
            yield Until(lambda screen: False, ANSWER_US)
            yield self._short_key(outcome.source, self._moves_on(4 * S))
        elif step == "lay":
            self._lay_hand(outcome)
            yield Pause(2_500_000)
            yield self._short_key(outcome.seat, self._moves_on(4 * S))
        else:
            yield self._moves_on(10 * S)

    def _take_back(self) -> Script:
        """Someone claimed what nobody at the table knows of (or another hand): it is taken back."""
        seat = (self._screen.get("claim") or {}).get("seat")
        yield Pause(1 * S)
        self._people.post("withdraw", {} if seat is None else {"seat": seat})
        yield self._moves_on(4 * S)

    def _lay_hand(self, outcome: Outcome) -> None:
        assert outcome.seat is not None
        place = self._top.places[self._side(outcome.seat)]
        place.laid, place.drawn = outcome.win_number, None
        place.lays += 1
        self._top.changes += 1

    def _confirm(self) -> Script:
        outcome = self._outcome
        if outcome is None:
            yield from self._take_back()
            return
        self._at("confirm")
        yield Pause(1_200_000)
        answers: dict[str, Any] = self._screen.get("confirm") or {}
        for seat in ALL_SEATS:
            if seat.value not in answers or answers[seat.value] is not None or self._is_guest(seat):
                continue
            if self._screen.get("phase") != "CONFIRM":
                return
            yield Pause(300_000)
            if agrees(self._screen, outcome):
                self._people.press_short(self._side(seat))
            else:
                self._people.press_long(self._side(seat))
                yield self._moves_on(4 * S)
                return
        yield Until(lambda screen: screen.get("phase") != "CONFIRM", 3 * S)

    def _review(self) -> Script:
        """The winner says what he holds; who fed it, if the screen has that wrong."""
        outcome = self._outcome
        if outcome is None:
            yield from self._take_back()
            return
        self._at("review")
        yield Pause(2 * S)
        if self._guest is not None and (yield self._wait_for_guest(GUEST_REVIEW_US)):
            return
        self._reviews += 1
        if self._reviews > REVIEWS_MAX:
            self._people.post("void", {"reason": "no agreement"})
            yield Until(lambda screen: screen.get("phase") != "REVIEW", 4 * S)
            if self._screen.get("phase") == "REVIEW":
                yield from self._put_aside()
        elif outcome.seat is None:
            yield from self._take_back()
            return
        else:
            if not claim_is_right(self._screen, outcome):
                self._people.post("claim", self._claim_body(outcome))
                yield Pause(500_000)
            self._people.post("correct", self._hand_body(outcome))
        yield self._moves_on(4 * S)

    def _put_aside(self) -> Script:
        """No page hears anybody: the other seats put the hand aside by their keys."""
        for seat in ALL_SEATS:
            if self._outcome is not None and seat != self._outcome.seat:
                self._people.press_short(self._side(seat))
                yield Pause(500_000)

    def _hand_body(self, outcome: Outcome) -> dict[str, Any]:
        """Return the winner's tiles as he writes them down."""
        body: dict[str, Any] = {"hand": hand_text(outcome)}
        if any(tile.is_flower for tile in self._variant.kinds):
            body["flowers"] = flower_texts(outcome)
        return body

    def _repair(self) -> Script:
        """Read the fault, take away what stands in the way, clear it. A person's stop is left to persons."""
        fault = self._screen.get("fault") or {}
        if fault.get("key") == PERSONS_FAULT:
            yield Until(lambda screen: (screen.get("fault") or {}).get("key") != PERSONS_FAULT, GUEST_US)
            return
        yield Pause(FAULT_LOOK_US)
        if not self._same_fault(fault):
            return
        self._remedy(self._screen.get("fault"))
        yield Pause(1 * S)
        if not self._same_fault(fault):
            return
        self._people.post("clear_fault", {})
        yield Until(lambda screen: not screen.get("fault"), 6 * S)

    def _same_fault(self, fault: Screen) -> bool:
        """Return whether the screen still shows this fault; another one is read anew."""
        return bool((self._screen.get("fault") or {}).get("key") == fault.get("key"))
