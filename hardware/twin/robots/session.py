"""An evening of the four robots: what the screen asks for, they do, hand after hand.

The script looks at the phase on the screen and acts; whatever is refused or brings nothing within a few
seconds is tried again. So it also goes on after a fault, a restart of the service, or a wrong reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.twin.robots.by_hand import ASKED_MOST, ByHand, link_is_up
from hardware.twin.robots.dealing import Wall, deal, throws_needed
from hardware.twin.robots.draws import Draws
from hardware.twin.robots.hand import Play
from hardware.twin.robots.judging import flower_texts, hand_text
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.people import People
from hardware.twin.robots.rounds import Rounds
from hardware.twin.robots.script import Asking, Pause, Screen, Script, Until
from hardware.twin.robots.truth import Truth
from hardware.twin.robots.watcher import S, kongs_shown, where
from hardware.twin.table.layout import TableTop
from rules.hand import MeldKind
from rules.options import Options
from rules.scoring import amount_to_number, settle_kong
from rules.seats import ALL_SEATS, Seat
from rules.situation import ROB_KONG, Kong, Situation
from rules.tiles import Tile
from rules.variant import Variant

NAMES = {"E": "龙井", "S": "普洱", "W": "乌龙", "N": "茉莉"}
KONG_TRIES = 3
GUEST_RESULT_US = 30 * S
"""So long the robots leave the result on the pages for the guest to read, whatever their own speed."""

KongRow = tuple[Seat, Tile, dict[str, int | float]]


class Session(ByHand):
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
        *,
        seating: bool = False,
    ) -> None:
        super().__init__(top, people, look, guest, variant, options, remedy, self._tell_throw, hands)
        self._truth = truth
        self._hand, self._before = 0, 0  # hands are counted over all games; so many had the games before
        self._draws = Draws(self._tell_draw)
        self._seating = seating
        self._ended = 0  # the hand whose end is in the record
        self._dealer = Seat.E
        self._rounds = Rounds()
        self._kongs: list[KongRow] = []
        self._changed: tuple[int, str] = (0, "")  # the change of seats that was made last
        top.plant.on_throw = self._thrown
        top.plant.on_lamp = self._lit

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
            self._look_at_dice()
            yield Pause(200_000)
            act = acts.get(phase)
            if act is None:
                yield self._moves_on(10 * S)
            elif self._needs_hands():
                yield from self._build_by_hand(self._dealer)
            else:
                yield from act()

    def _say_names(self) -> None:
        """Say who sits where, unless somebody has named the seat already."""
        for letter, seat in (self._screen.get("seats") or {}).items():
            if seat.get("name") == seat.get("player"):
                self._people.post("rename", {"seat": letter, "name": NAMES[letter]})

    @property
    def hand(self) -> int:
        """Return the number of the hand on the screen, counted over all games of the evening."""
        return self._before + int(self._screen.get("hand") or 0)

    def _note_hand(self) -> None:
        """A new hand on the screen: what was known of the last one is forgotten."""
        hand = self.hand
        if self._screen.get("phase") != "SETTLED" and hand != self._hand:
            self._hand = hand
            self._throws.forget()
            self._wall, self._outcome, self._reviews, self._kongs = None, None, 0, []
            self._asked = 0
        self._dealer = Seat(self._screen.get("dealer") or "E")

    # ---- before the hand ----

    def _start(self) -> Script:
        if self._screen.get("fault"):
            yield from self._repair()
            return
        if self._hands is not None and self.hand >= self._hands:
            yield self._moves_on(60 * S)
            return
        is_result = self._screen.get("phase") == "SETTLED" and self._guest is not None
        if is_result and (yield self._wait_for_guest(GUEST_RESULT_US)):
            return
        if self._screen.get("over"):
            yield from self._next_game()
            return
        if self._seating and self._screen.get("finds_seats") and not self._draws.found_seats(self._screen):
            self._people.post("find_seats", {})
            yield self._moves_on(5 * S)
            return
        yield Pause(2 * S)
        self._top.sweep()
        yield Pause(1 * S)
        self._at("start")
        self._change_seats()
        yield self._lift_key("lift_a")

    def _change_seats(self) -> None:
        """Sit where the screen asks everybody to, and say so in the record once the hand begins."""
        change = self._screen.get("seat_change") or {}
        key = (self.hand, str(change))
        if change and key != self._changed:
            self._changed = key
            self._draws.move(change["moves"])

    def _next_game(self) -> Script:
        """The game is over: the four of them begin another one."""
        played = self.hand
        self._people.post("new_game", {})
        if (yield Until(lambda screen: not screen.get("over") and not screen.get("hand"), 5 * S)):
            self._before = played

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
        if not link_is_up(self._screen):
            yield from self._throw_by_hand()
            return
        self._asked += self._screen.get("step") == "ask"
        if self._asked > ASKED_MOST and (lying := self._throws.lying):
            yield from self._tell_pips(lying[1])
            return
        self._people.press_dice(self._side(thrower))
        yield self._moves_on(6 * S)

    def _thrown(self, pips: tuple[int, int]) -> None:
        thrower = (self._screen.get("dice") or {}).get("thrower") or self._dealer.value
        book = self._draws if self._draws.is_on(self._screen) else self._throws
        book.thrown(Seat(thrower), pips)

    def _look_at_dice(self) -> None:
        """Look what the screen took of the last throw: of the hand, or of a draw before it."""
        self._draws.look(self._screen)
        if not self._draws.is_on(self._screen):
            self._throws.look(self._screen)

    def _tell_draw(self, seat: Seat, pips: tuple[int, int]) -> None:
        self._truth.write(self.hand, "draw", seat=seat.value, pips=list(pips))

    def _tell_throw(self, seat: Seat, pips: tuple[int, int]) -> None:
        self._truth.write(self._hand, "throw", seat=seat.value, pips=list(pips))

    def _lit(self, side: int) -> None:
        self._truth.write(self.hand, "lamp", side=side)

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
        places = {seat.value: player for seat, player in self._draws.places.items()}
        self._truth.write(self._hand, "seated", places=places)

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
                self._round_wind(),
            )
            yield from play.run()
            self._outcome = play.outcome
            self._write_end()
        yield from self._announce()

    def _round_wind(self) -> Seat:
        """Return the prevalent wind of this hand as the players count it."""
        shown = Seat(self._screen.get("circle_wind") or "E")
        if (self._screen.get("table") or {}).get("mode", "circles") not in ("circles", "mcr"):
            return Seat.E  # the deal does not go round
        return self._rounds.hand(self._hand - self._before, self._dealer, shown)

    def _declare(self, seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> Asking:
        """Tell the page about a kong; it is on the screen when the table has paid it."""
        origin = self._write_kong(seat, kind, tile, source)
        body: dict[str, Any] = {"seat": seat.value, "kind": kind.value, "tile": str(tile)}
        if origin is not None:
            body["from"] = origin

        kong = Kong(seat, kind, tile, source)
        before = kongs_shown(self._screen, kong)
        for _ in range(KONG_TRIES):
            self._people.post("declare_kong", body)
            if (yield Until(lambda screen: kongs_shown(screen, kong) > before, 3 * S)):
                return True
        return False

    def _write_kong(self, seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> str | None:
        """Put a kong in the record; returns the letter of whoever discarded its tile."""
        kong = Kong(seat, kind, tile, source)
        units = settle_kong(self._variant, kong, Situation(self._dealer, options=self._options)).deltas
        points = {each.value: amount_to_number(units.get(each, 0), self._variant.unit) for each in ALL_SEATS}
        origin = None if source is None else source.value
        self._kongs.append((seat, tile, points))
        told = {"seat": seat.value, "kong": kind.value, "tile": str(tile), "deltas": points, "from": origin}
        self._truth.write(self._hand, "kong", **told)
        return origin

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
            if not (yield Until(lambda screen: screen.get("phase") != "PLAYING", 4 * S)):
                self._people.press_lift()  # no page heard it: a lift key says the same
        elif outcome.flags or outcome.by == ROB_KONG:
            self._people.post("claim", self._claim_body(outcome))
        elif outcome.by == "self_draw":
            self._people.press_long(self._side(outcome.seat))
        else:
            self._people.press_short(self._side(outcome.seat))
        yield Until(lambda screen: screen.get("phase") not in ("PLAYING", "DEALING"), 4 * S)
