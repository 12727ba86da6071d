"""One hand of play, turn by turn: four minds that each see their own tiles and what lies open."""

from __future__ import annotations

from collections.abc import Callable, Generator
from random import Random

from hardware.twin.plant.chance import stream
from hardware.twin.robots import mind
from hardware.twin.robots.dealing import Wall
from hardware.twin.robots.eyes import Eyes
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.script import Asking, Pause, Script, Step
from hardware.twin.table.layout import Place, TableMeld, TableTop
from rules.hand import MeldKind
from rules.legal import Claim, precedence
from rules.options import Options
from rules.scoring import amount_to_number, settle
from rules.seats import ALL_SEATS, Seat, in_order_after
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW, Situation, Win
from rules.tiles import Tile
from rules.variant import Variant

THINK_US = (500_000, 1_300_000)
CALL_US = 600_000
LAST_OF_KIND_SHOWN = 3
"""A tile is the last of its kind when the other three lie open."""

Following = Generator[Step, bool, "tuple[Seat, bool] | None"]
DeclareKong = Callable[[Seat, MeldKind, Tile, Seat | None], Asking]


class Play:
    """The hand from the first discard to its end; `declare` tells the table about a kong."""

    def __init__(
        self,
        top: TableTop,
        wall: Wall,
        variant: Variant,
        options: Options,
        dealer: Seat,
        sides: dict[Seat, int],
        hand: int,
        declare: DeclareKong,
        round_wind: Seat = Seat.E,
    ) -> None:
        self._top, self._wall, self._variant, self._options = top, wall, variant, options
        self._dealer, self._sides, self._declare = dealer, sides, declare
        self._round_wind = round_wind
        self._rngs = {seat: stream(top.plant.seed, "robot", hand, seat.value) for seat in ALL_SEATS}
        self._waits: dict[Seat, frozenset[Tile]] = {}
        self._discards = 0
        self._after_kong = False
        self._kong_discard = False
        self.outcome: Outcome | None = None

    # ---- looking ----

    def _place(self, seat: Seat) -> Place:
        return self._top.places[self._sides[seat]]

    def eyes(self, seat: Seat) -> Eyes:
        """Return what a seat sees."""
        numbers = [number for each in ALL_SEATS for number in self._place(each).river]
        for other in ALL_SEATS:
            if other != seat:
                numbers += [number for meld in self._place(other).melds for number in meld.numbers]
        return Eyes(
            seat,
            self._top.hand(self._sides[seat]),
            self._top.tiles(numbers),
            self._wall.left,
            self._dealer,
            self._variant,
            self._options,
            round_wind=self._round_wind,
            flowers=self._top.tiles(self._place(seat).flowers),
        )

    def _rng(self, seat: Seat) -> Random:
        return self._rngs[seat]

    def _think(self, seat: Seat) -> Pause:
        return Pause(self._rng(seat).randint(*THINK_US))

    def _flags(self, by: str, seat: Seat, number: int | None) -> tuple[str, ...]:
        """Return the circumstances of a win that no tile shows, as far as they count."""
        flags = []
        if by == SELF_DRAW and self._after_kong:
            flags.append("after_kong")
        if by == DISCARD and self._kong_discard:
            flags.append("kong_discard")
        if self._wall.left == 0 and by != ROB_KONG:
            flags.append("last_tile")
        unmelded = not any(self._place(each).melds for each in ALL_SEATS)
        if by == SELF_DRAW and seat == self._dealer and self._discards == 0 and unmelded:
            flags.append("heavenly")
        if self._discards == 1 and unmelded and by == self._earthly_by(seat):
            flags.append("earthly")
        if number is not None and by != ROB_KONG and self._shown_before(number) == LAST_OF_KIND_SHOWN:
            flags.append("last_of_kind")
        return tuple(flag for flag in flags if flag in self._variant.circumstances)

    def _earthly_by(self, seat: Seat) -> str | None:
        """Return how a seat wins an earthly hand after the first discard: on it, or where the rules say that
        this is none, the seat after the dealer by its own first tile."""
        if self._fits("earthly", seat, DISCARD):
            return DISCARD
        return SELF_DRAW if self._fits("earthly", seat, SELF_DRAW) else None

    def _fits(self, flag: str, seat: Seat, by: str) -> bool:
        """Return whether the rules see no contradiction in a win that is told with this circumstance."""
        contradicts = self._variant.contradicts
        if contradicts is None:
            return True
        win = Win(seat, self._top.hand(self._sides[seat]), by, self._dealer if by == DISCARD else None)
        whys = {
            contradicts(win, Situation(self._dealer, options=self._options, flags=flags), self._options)
            for flags in (frozenset[str](), frozenset({flag}))
        }
        return len(whys) == 1

    def _shown_before(self, number: int) -> int:
        """Return how many other tiles of this face lie open for everyone: in rivers and in open melds."""
        numbers = [each for seat in ALL_SEATS for each in self._place(seat).river]
        for seat in ALL_SEATS:
            melds = self._place(seat).melds
            numbers += [
                each for meld in melds if meld.kind is not MeldKind.CONCEALED_KONG for each in meld.numbers
            ]
        face = self._top.tile(number)
        return sum(self._top.tile(each) == face for each in numbers if each != number)

    # ---- the turns ----

    def run(self) -> Script:
        """Play to the end; then `outcome` is set."""
        seat = self._dealer
        draws = False  # the dealer begins with fourteen tiles
        while self.outcome is None:
            if draws:
                if self._wall.left == 0:
                    self.outcome = Outcome(self._dealer)
                    return
                yield Pause(CALL_US)
                if not self._take(seat, self._wall.draw()):
                    return
            following = yield from self._turn(seat)
            if following is None:
                return
            seat, draws = following

    def _take(self, seat: Seat, number: int) -> bool:
        """Take a tile, laying flowers aside; False when the last tile of all was a flower: a drawn hand."""
        place = self._place(seat)
        while self._top.tile(number).is_flower:
            place.flowers.append(number)
            self._top.changes += 1
            if not self._wall.left:
                self.outcome = Outcome(self._dealer)
                return False
            number = self._wall.replace()
            self._after_kong = False  # what replaces a flower is no kong's tile
        place.drawn = number
        self._top.changes += 1
        return True

    def _turn(self, seat: Seat) -> Following:
        """Win, kong or discard; returns who is next and whether he draws, None when the hand is over."""
        while True:
            yield self._think(seat)
            eyes = self.eyes(seat)
            flags = self._flags(SELF_DRAW, seat, self._place(seat).drawn)
            if mind.wins_by_own_draw(eyes, frozenset(flags)):
                self._win(seat, SELF_DRAW, None, self._place(seat).drawn, flags)
                return None
            kong = mind.pick_own_kong(eyes) if self._wall.left else None
            if kong is None:
                break
            yield from self._own_kong(seat, kong)
            if self.outcome is not None:
                return None
        self._after_kong, was_kong = False, self._after_kong
        tile = mind.pick_discard(self.eyes(seat), self._rng(seat))
        number = self._put_down(seat, tile)
        self._kong_discard = was_kong
        return (yield from self._answers(seat, number))

    def _put_down(self, seat: Seat, tile: Tile) -> int:
        place = self._place(seat)
        if place.drawn is not None:
            place.concealed.append(place.drawn)
            place.drawn = None
        number = next(each for each in place.concealed if self._top.tile(each) == tile)
        place.concealed.remove(number)
        place.river.append(number)
        self._discards += 1
        self._top.changes += 1
        eyes = self.eyes(seat)
        self._waits[seat] = mind.waits_of(eyes.hand, eyes)
        return number

    def _answers(self, seat: Seat, number: int) -> Following:
        """The others look at the discard: win, kong, pung, chow, or the next one draws."""
        tile = self._top.tile(number)
        others = in_order_after(seat, ALL_SEATS)
        flags = self._flags(DISCARD, seat, number)
        claims = []
        chow_with = None
        for other in others:
            eyes = self.eyes(other)
            if self._may_win(other, tile) and mind.wins_on_discard(eyes, tile, seat, frozenset(flags)):
                claims.append(Claim(other, "win"))
            elif mind.wants_kong(eyes, tile, seat):
                claims.append(Claim(other, "kong"))
            elif mind.wants_pung(eyes, tile, seat):
                claims.append(Claim(other, "pung"))
            elif other == others[0] and (chow_with := mind.wants_chow(eyes, tile, seat)) is not None:
                claims.append(Claim(other, "chow"))
        granted = precedence(seat, claims, False) if claims else ()
        if not granted:
            return others[0], True
        claim = granted[0]
        yield Pause(CALL_US)
        if claim.kind == "win":
            self._win(claim.seat, DISCARD, seat, number, flags)
            return None
        self._place(seat).river.remove(number)
        self._claim(claim, seat, number, chow_with)
        if claim.kind == "kong":
            yield from self._declare(claim.seat, MeldKind.EXPOSED_KONG, tile, seat)
            yield Pause(CALL_US)
            self._after_kong = True
            if not self._take(claim.seat, self._wall.replace()):
                return None
        return claim.seat, False

    def _may_win(self, seat: Seat, tile: Tile) -> bool:
        """Return whether the seat waits for the tile; who has not discarded yet has to look."""
        return seat not in self._waits or tile in self._waits[seat]

    def _claim(self, claim: Claim, source: Seat, number: int, chow_with: tuple[Tile, Tile] | None) -> None:
        place, tile = self._place(claim.seat), self._top.tile(number)
        wanted = list(chow_with) if claim.kind == "chow" and chow_with else []
        wanted = wanted or [tile] * (3 if claim.kind == "kong" else 2)
        own = []
        for want in wanted:
            taken = next(each for each in place.concealed if self._top.tile(each) == want)
            place.concealed.remove(taken)
            own.append(taken)
        kind = {"kong": MeldKind.EXPOSED_KONG, "pung": MeldKind.PUNG, "chow": MeldKind.CHOW}[claim.kind]
        place.melds.append(TableMeld(kind, [*own, number], relation(claim.seat, source), number))
        self._waits.pop(claim.seat, None)
        self._top.changes += 1

    def _own_kong(self, seat: Seat, kong: mind.OwnKong) -> Script:
        """Declare a kong on the own turn; one that is robbed ends the hand."""
        place = self._place(seat)
        if place.drawn is not None:
            place.concealed.append(place.drawn)
            place.drawn = None
        numbers = [each for each in place.concealed if self._top.tile(each) == kong.tile]
        if kong.added:
            robber = self._robber(seat, kong.tile)
            if robber is not None:
                yield from self._declare(seat, MeldKind.ADDED_KONG, kong.tile, None)
                place.concealed.remove(numbers[0])
                place.river.append(numbers[0])  # it lies open in the middle; the robber lays it with his hand
                yield Pause(CALL_US)
                self._win(robber, ROB_KONG, seat, numbers[0], self._flags(ROB_KONG, robber, numbers[0]))
                return
            pung = next(meld for meld in place.melds if self._top.tile(meld.numbers[0]) == kong.tile)
            pung.kind = MeldKind.ADDED_KONG
            numbers = numbers[:1]
            pung.numbers.append(numbers[0])
        else:
            place.melds.append(TableMeld(MeldKind.CONCEALED_KONG, numbers, None))
        for number in numbers:
            place.concealed.remove(number)
        self._top.changes += 1
        kind = MeldKind.ADDED_KONG if kong.added else MeldKind.CONCEALED_KONG
        yield from self._declare(seat, kind, kong.tile, None)
        yield Pause(CALL_US)
        self._after_kong = True
        self._take(seat, self._wall.replace())

    def _robber(self, source: Seat, tile: Tile) -> Seat | None:
        for other in in_order_after(source, ALL_SEATS):
            if self._may_win(other, tile) and mind.robs(self.eyes(other), tile, source):
                return other
        return None

    # ---- the end ----

    def _win(
        self, seat: Seat, by: str, source: Seat | None, number: int | None, flags: tuple[str, ...]
    ) -> None:
        """The tile goes to the winner; what it pays is worked out from the tiles themselves."""
        assert number is not None
        place = self._place(seat)
        if source is not None:
            self._place(source).river.remove(number)
        place.drawn = number
        hand = self._top.hand(self._sides[seat])
        flowers = self._top.tiles(place.flowers)
        win = Win(seat, hand, by, source, flowers=len(flowers), flower_tiles=flowers)
        situation = Situation(
            self._dealer,
            options=self._options,
            flags=frozenset(flags),
            wall_left=self._wall.left,
            round_wind=self._round_wind,
        )
        settlement = settle(self._variant, [win], situation)
        points = {
            each.value: amount_to_number(settlement.deltas.get(each, 0), self._variant.unit)
            for each in ALL_SEATS
        }
        self.outcome = Outcome(
            self._dealer,
            seat,
            by,
            source,
            hand,
            number,
            flags,
            points,
            flowers,
            self._round_wind,
            settlement.next_dealer,
        )
        self._top.changes += 1


def relation(seat: Seat, source: Seat) -> int:
    """Return where a claimed tile came from: 1 upper, 2 opposite, 3 lower seat.

    >>> relation(Seat.S, Seat.E), relation(Seat.E, Seat.S)
    (1, 3)
    """
    return 4 - (source.index - seat.index) % 4
