"""An evening of the four robots: what the screen asks for, they do, hand after hand.

The script looks at the phase on the screen and acts; whatever is refused or brings nothing within a few
seconds is tried again. So it also goes on after a fault, a restart of the service, or a wrong reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.twin.robots.dealing import Wall, deal, throws_needed
from hardware.twin.robots.hand import Play
from hardware.twin.robots.judging import agrees, claim_is_right, flower_texts, hand_text
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.people import People
from hardware.twin.robots.rounds import Rounds
from hardware.twin.robots.script import Asking, Pause, Screen, Script, Until
from hardware.twin.robots.throws import ThrowBook
from hardware.twin.robots.truth import Truth
from hardware.twin.table.layout import TableTop
from rules.hand import MeldKind
from rules.options import Options
from rules.scoring import amount_to_number, settle_kong
from rules.seats import ALL_SEATS, Seat
from rules.situation import ROB_KONG, Kong, Situation
from rules.tiles import Tile
from rules.variant import Variant

S = 1_000_000
NAMES = {"E": "龙井", "S": "普洱", "W": "乌龙", "N": "茉莉"}
REVIEWS_MAX = 4
KONG_TRIES = 3
GUEST_US = 24 * 3600 * S
"""A guest at the page takes all the time in the world."""
GUEST_REVIEW_US = 120 * S
"""So long may a guest look at a doubted hand before the winner says what it is."""
ANSWER_US = 700_000
"""Whoever is asked what he discarded takes this long to answer, at any `--speed`: a key that comes sooner is
another player's call of the same discard to the table."""
GUEST_RESULT_US = 30 * S
"""So long the robots leave the result on the pages for the guest to read, whatever their own speed."""
FAULT_LOOK_US = 6 * S
"""So long robots leave a fault on the screen before they mend and clear it: people have to read it."""
PERSONS_FAULT = "fault.stop"
"""Somebody at the page stopped the machine and knows why: no robot clears that."""

Where = tuple[Any, Any, Any]
KongRow = tuple[Seat, Tile, dict[str, int | float]]


def where(screen: Screen) -> Where:
    """Return the place in the course of a hand that a screen shows."""
    return screen.get("hand"), screen.get("phase"), screen.get("step")


class Session:
    """The script of the evening; `script()` never ends."""

    def __init__(
        self,
        top: TableTop,
        people: People,
        truth: Truth,
        variant: Variant,
        options: Options,
        hands: int | None,
        remedy: Callable[[dict[str, Any] | None], None],
        look: Callable[[], Screen],
        guest: int | None = None,
    ) -> None:
        self._top, self._people, self._truth = top, people, truth
        self._variant, self._options = variant, options
        self._hands, self._remedy, self._look = hands, remedy, look
        self._guest = guest
        self._hand = 0
        self._throws = ThrowBook(self._tell_throw)
        self._wall: Wall | None = None
        self._outcome: Outcome | None = None
        self._ended = 0  # the hand whose end is in the record
        self._reviews = 0
        self._dealer = Seat.E
        self._rounds = Rounds()
        self._kongs: list[KongRow] = []
        self._here: Where = (None, None, None)  # where the act of now began
        self.stage = ""
        self.on_stage: Callable[[str], None] = lambda stage: None
        top.plant.on_throw = self._thrown
        top.plant.on_lamp = self._lit

    # ---- looking at the screen ----

    @property
    def hand(self) -> int:
        """Return the number of the hand on the screen."""
        return int(self._look().get("hand") or 0)

    @property
    def _screen(self) -> Screen:
        return self._look()

    def _sides(self) -> dict[Seat, int]:
        seats = self._screen.get("seats") or {}
        return {seat: int(seats.get(seat.value, {}).get("side", seat.index + 1)) for seat in ALL_SEATS}

    def _side(self, seat: Seat) -> int:
        return self._sides()[seat]

    def _moves_on(self, limit_us: int) -> Until:
        """Wait until the screen shows another place in the course."""
        here = where(self._screen)
        return Until(lambda screen: where(screen) != here, limit_us)

    def _has_moved_on(self) -> bool:
        """Return whether the screen has left the place at which this act began: somebody was quicker."""
        return where(self._screen) != self._here

    # ---- the guest: a person at the page, whose robot only moves the wood ----

    def _is_guest(self, seat: Seat | None) -> bool:
        return seat is not None and self._guest is not None and self._side(seat) == self._guest

    def _wait_for_guest(self, limit_us: int = GUEST_US) -> Until:
        """Wait until the page has brought the hand on from where the act began, or something broke.

        The guest may have been quicker than the robot's own pause: then there is nothing to wait for.
        """
        here, broken = self._here, bool(self._screen.get("fault"))
        return Until(lambda screen: (where(screen), bool(screen.get("fault"))) != (here, broken), limit_us)

    def _guest_is_asked(self) -> bool:
        """Return whether the screen asks the guest's side (alone or with others) to do something."""
        asked = {act.get("side") for act in self._screen.get("act") or ()}
        return self._guest is not None and self._guest in asked

    def _lift_key(self, key: str) -> Until:
        """Press a lift key, or leave it to the guest whose side is asked. Then wait for what it brings."""
        if self._has_moved_on() or self._guest_is_asked():
            return self._wait_for_guest()
        self._people.press_lift(key)
        return self._moves_on(5 * S)

    def _short_key(self, seat: Seat, limit: Until) -> Until:
        """Tap the seat key of a seat; the guest's is left to the page. Then wait for what it brings."""
        if self._is_guest(seat):
            return self._wait_for_guest()
        self._people.press_short(self._side(seat))
        return limit

    # ---- the evening ----

    def script(self) -> Script:
        """Do what the screen asks for, for ever."""
        yield Until(lambda screen: bool(screen.get("phase")), 3600 * S)
        self._say_names()
        acts = {
            "IDLE": self._start,
            "SETTLED": self._start,
            "BUILDING": self._build,
            "READY": self._lift,
            "LIFTING": self._load_other,
            "DICE": self._throw,
            "DEALING": self._deal,
            "PLAYING": self._play,
            "CLAIM": self._claim,
            "CONFIRM": self._confirm,
            "REVIEW": self._review,
            "FAULT": self._repair,
        }
        while True:
            phase, self._here = str(self._screen.get("phase")), where(self._screen)
            self._note_hand()
            self._throws.look(self._screen)
            yield Pause(200_000)
            act = acts.get(phase)
            if act is None:
                yield self._moves_on(10 * S)
            else:
                yield from act()

    def _say_names(self) -> None:
        """Say who sits where, unless somebody has named the seat already."""
        for letter, seat in (self._screen.get("seats") or {}).items():
            if seat.get("name") == seat.get("player"):
                self._people.post("rename", {"seat": letter, "name": NAMES[letter]})

    def _note_hand(self) -> None:
        """A new hand on the screen: what was known of the last one is forgotten."""
        hand = int(self._screen.get("hand") or 0)
        if self._screen.get("phase") != "SETTLED" and hand != self._hand:
            self._hand = hand
            self._throws.forget()
            self._wall, self._outcome, self._reviews, self._kongs = None, None, 0, []
        self._dealer = Seat(self._screen.get("dealer") or "E")

    def _at(self, stage: str) -> None:
        """Tell that the hand reached a stage (faults can be armed for it)."""
        self.stage = stage
        self.on_stage(stage)

    # ---- before the hand ----

    def _start(self) -> Script:
        if self._screen.get("fault"):
            yield from self._repair()
            return
        if self._hands is not None and int(self._screen.get("hand") or 0) >= self._hands:
            yield self._moves_on(60 * S)
            return
        is_result = self._screen.get("phase") == "SETTLED" and self._guest is not None
        if is_result and (yield self._wait_for_guest(GUEST_RESULT_US)):
            return
        yield Pause(2 * S)
        self._top.sweep()
        yield Pause(1 * S)
        self._at("start")
        yield self._lift_key("lift_a")

    def _build(self) -> Script:
        if self._screen.get("step") == "empty" and self._top.plant.walls_are_up:
            yield Pause(2 * S)
            self._top.sweep()
            self._people.press_lift("lift_b")
            yield self._moves_on(5 * S)
            return
        if self._screen.get("step") != "load":
            self._at(f"building:{self._screen.get('step')}")
            yield self._moves_on((3 if self._screen.get("step") == "empty" else 30) * S)
            return
        yield Pause(2 * S)
        if not self._top.plant.dome.is_up:
            yield Pause(1 * S)
            return
        self._top.push_in()
        self._at("loaded")
        yield Pause(1 * S)
        yield self._lift_key("lift_b")

    def _lift(self) -> Script:
        yield Pause(1 * S)
        self._at("ready")
        yield self._lift_key("lift_a")

    def _load_other(self) -> Script:
        """With two sets the other one comes in beside the walls."""
        if self._screen.get("step") != "load":
            yield self._moves_on(10 * S)
            return
        yield Pause(1 * S)
        if not self._top.plant.dome.is_up:
            return
        self._top.push_in()
        self._at("loaded other")
        yield Pause(1 * S)
        yield self._lift_key("lift_b")

    def _throw(self) -> Script:
        dice = self._screen.get("dice") or {}
        if self._screen.get("step") not in ("throw", "ask") or not dice.get("thrower"):
            yield self._moves_on(10 * S)
            return
        thrower = Seat(dice["thrower"])
        yield Pause(800_000)
        self._at("throw")
        if self._is_guest(thrower):
            yield self._wait_for_guest()
            return
        self._people.press_dice(self._side(thrower))
        yield self._moves_on(6 * S)

    def _thrown(self, pips: tuple[int, int]) -> None:
        thrower = (self._screen.get("dice") or {}).get("thrower") or self._dealer.value
        self._throws.thrown(Seat(thrower), pips)

    def _tell_throw(self, seat: Seat, pips: tuple[int, int]) -> None:
        self._truth.write(self._hand, "throw", seat=seat.value, pips=list(pips))

    def _lit(self, side: int) -> None:
        self._truth.write(int(self._screen.get("hand") or 0), "lamp", side=side)

    def _deal(self) -> Script:
        yield from self._deal_tiles()
        yield Pause(1 * S)
        yield self._short_key(self._dealer, Until(lambda screen: screen.get("phase") != "DEALING", 4 * S))

    def _deal_tiles(self) -> Script:
        """Break the wall where the players' own eyes say, and take the tiles."""
        needed = throws_needed(self._options)
        throws = self._throws.counted[:needed]
        if self._wall is not None or len(throws) < needed or not self._top.plant.walls_are_up:
            return
        self._at("deal")
        self._write_wall()
        pips_only = [pips for _, pips in throws]
        wall = Wall(self._top, self._variant, self._options, self._dealer, pips_only, self._sides())
        self._wall = wall
        opening = wall.opening
        self._truth.write(
            self._hand,
            "deal",
            opening={
                "count_seat": opening.count_seat.value,
                "count": opening.count,
                "seat": opening.seat.value,
                "stack": opening.stack,
            },
        )
        yield from deal(self._top, wall, self._dealer, self._variant.hand_size, self._sides())

    def _write_wall(self) -> None:
        tiles = {
            str(number): [
                str(self._top.tile(tile))
                for stack in self._top.plant.standing(number)
                for tile in reversed(stack)
            ]
            for number in self._top.plant.sides
        }
        self._truth.write(self._hand, "wall", tiles=tiles)

    # ---- the hand ----

    def _play(self) -> Script:
        if self._wall is None:
            yield from self._deal_tiles()
        if self._wall is None:  # the robots came too late to have seen this hand
            yield Pause(5 * S)
            self._people.post("void", {"reason": "the table was cleared"})
            yield self._moves_on(5 * S)
            return
        if self._outcome is None:
            self._at("play")
            play = Play(
                self._top,
                self._wall,
                self._variant,
                self._options,
                self._dealer,
                self._sides(),
                self._hand,
                self._declare,
                self._rounds.hand(self._hand, self._dealer, Seat(self._screen.get("circle_wind") or "E")),
            )
            yield from play.run()
            self._outcome = play.outcome
            self._write_end()
        yield from self._announce()

    def _declare(self, seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> Asking:
        """Tell the page about a kong; it is on the screen when the table has paid it."""
        kong = Kong(seat, kind, tile, source)
        units = settle_kong(self._variant, kong, Situation(self._dealer, options=self._options)).deltas
        points = {each.value: amount_to_number(units.get(each, 0), self._variant.unit) for each in ALL_SEATS}
        origin = None if source is None else source.value
        self._kongs.append((seat, tile, points))
        self._truth.write(
            self._hand,
            "kong",
            seat=seat.value,
            kong=kind.value,
            tile=str(tile),
            deltas=points,
            **{"from": origin},
        )
        body: dict[str, Any] = {"seat": seat.value, "kind": kind.value, "tile": str(tile)}
        if origin is not None:
            body["from"] = origin

        def shown(screen: Screen) -> bool:
            kongs = screen.get("kongs") or ()
            return any((each["seat"], each["tile"]) == (seat.value, str(tile)) for each in kongs)

        for _ in range(KONG_TRIES):
            self._people.post("declare_kong", body)
            if (yield Until(shown, 3 * S)):
                return True
        return False

    def _write_end(self) -> None:
        """Put the end of the hand in the record, once."""
        outcome = self._outcome
        if outcome is None or self._ended == self._hand:
            return
        self._ended = self._hand
        self._write_robbed(outcome)
        if outcome.seat is None:
            self._truth.write(self._hand, "washout", dealer=outcome.dealer.value)
            return
        self._truth.write(
            self._hand,
            "win",
            seat=outcome.seat.value,
            by=outcome.by,
            hand_text=hand_text(outcome),
            deltas=outcome.points,
            dealer=outcome.dealer.value,
            flags=list(outcome.flags),
            flowers=flower_texts(outcome),
            round_wind=outcome.round_wind.value,
            **{"from": None if outcome.source is None else outcome.source.value},
        )

    def _write_robbed(self, outcome: Outcome) -> None:
        """Put in the record that a kong which was robbed is paid back."""
        if outcome.by != ROB_KONG or outcome.hand is None:
            return
        for seat, tile, points in self._kongs:
            if seat == outcome.source and tile == outcome.hand.win_tile:
                back = {each: -amount for each, amount in points.items()}
                self._truth.write(self._hand, "kong_robbed", seat=seat.value, tile=str(tile), deltas=back)

    def _announce(self) -> Script:
        """Say how the hand ended: by key where a key can say it, else on the page."""
        outcome = self._outcome
        assert outcome is not None
        yield Pause(600_000)
        self._at("claim")
        if outcome.seat is None:
            self._people.post("washout", {"seat": outcome.dealer.value})
        elif outcome.flags or outcome.by == ROB_KONG:
            self._people.post("claim", self._claim_body(outcome))
        elif outcome.by == "self_draw":
            self._people.press_long(self._side(outcome.seat))
        else:
            self._people.press_short(self._side(outcome.seat))
        yield Until(lambda screen: screen.get("phase") not in ("PLAYING", "DEALING"), 4 * S)

    @staticmethod
    def _claim_body(outcome: Outcome) -> dict[str, Any]:
        assert outcome.seat is not None
        body: dict[str, Any] = {"seat": outcome.seat.value, "by": outcome.by, "flags": list(outcome.flags)}
        if outcome.source is not None:
            body["from"] = outcome.source.value
        return body

    # ---- after the hand ----

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
        elif outcome.seat is None:
            yield from self._take_back()
            return
        else:
            if not claim_is_right(self._screen, outcome):
                self._people.post("claim", self._claim_body(outcome))
                yield Pause(500_000)
            self._people.post("correct", self._hand_body(outcome))
        yield self._moves_on(4 * S)

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
