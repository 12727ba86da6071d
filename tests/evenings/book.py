"""The model: an evening as a person with a pencil keeps it. Nothing of the product is used or known here.

A hand is what its seats paid; every total is added up from the hands. Amounts are halves of a point, so that
half shares stay whole. Sources: simplest.md and shared/data/mcr for what is paid, win-procedure.md for false
wins and tiles shown early, table-procedure.md section 10 for the deal and the end of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

SEATS = "ESWN"
Pay = dict[str, int]
"""Halves of a point by seat."""


def nobody_pays() -> Pay:
    """Return nothing for every seat."""
    return dict.fromkeys(SEATS, 0)


def follower(seat: str) -> str:
    """Return who plays after this seat."""
    return SEATS[(SEATS.index(seat) + 1) % 4]


def others(*seats: str | None) -> list[str]:
    """Return the other seats."""
    return [seat for seat in SEATS if seat not in seats]


def nearest(payer: str, seats: Iterable[str]) -> list[str]:
    """Return seats in the order of play after the one who discarded."""
    return sorted(seats, key=lambda seat: (SEATS.index(seat) - SEATS.index(payer)) % 4)


@dataclass(frozen=True)
class Agreed:
    """What the table plays by."""

    variant: str = "simplest"
    base: int = 1
    system: str = "1-2"
    pay_mode: str = "none"
    exposed_payer: str = "all"
    several: bool = False
    fine: int = 10
    fine_ends_hand: bool = False
    reveal: int = 0
    lost_if_unstated: bool = False
    referee: bool = False
    hands: int = 0
    loss_limit: int = 0
    """A loss above it ends the game; at such a table the winner deals."""

    def worth(self, fan: int, by: str, flowers: int) -> int:
        """Return the value of a hand of `fan`; the simplest rules know only the base."""
        if self.variant == "simplest":
            return self.base
        return fan + flowers + {"self_draw": 1, "discard": 0, "rob_kong": 8}[by]

    def win(self, dealer: str, winner: str, payer: str | None, value: int) -> Pay:
        """Return what a win pays; nobody as payer = self-drawn."""
        pay = nobody_pays()
        for seat in SEATS:
            if seat != winner:
                amount = self._share(payer, seat, dealer in (seat, winner), value)
                pay[seat] -= amount
                pay[winner] += amount
        return pay

    def _share(self, payer: str | None, seat: str, deals: bool, value: int) -> int:
        if self.variant == "mcr":
            return 2 * (8 + (value if payer in (None, seat) else 0))
        drawn = 2 if payer is None else 1
        factor = {"1-2": drawn, "1-2-4": drawn * (1 + deals), "1-2-3": drawn + deals}[self.system]
        halves = {"none": 0, "half": 1, "full": 2}[self.pay_mode] if payer not in (None, seat) else 2
        return value * factor * halves

    def kong(self, seat: str, kind: str, feeder: str | None) -> Pay:
        """Return what a kong pays at once."""
        pay, each = nobody_pays(), 2 * self.base * (2 if kind == "concealed_kong" else 1)
        if self.variant == "mcr":
            return pay
        for other in SEATS:
            if other != seat:
                pays = feeder if feeder is not None and self.exposed_payer == "feeder" else other
                pay[pays] -= each
                pay[seat] += each
        return pay

    def false_win(self, seat: str, each: int | None = None) -> Pay:
        """Return what a false win pays: the same to each other player."""
        amount = 2 * (self.fine if each is None else each)
        return {other: -3 * amount if other == seat else amount for other in SEATS}


@dataclass
class Kong:
    """A kong of the hand; a robbed one pays nothing."""

    seat: str
    kind: str
    tile: str
    pay: Pay
    robbed: bool = False
    feeder: str | None = None


@dataclass
class Win:
    """One winner; `payer` None = self-drawn, `stated` what he said, None = nothing."""

    seat: str
    payer: str | None
    value: int
    stated: int | None = None


@dataclass
class Hand:
    """One hand: who sat where, what was paid in it, how it ended ("" = it is being played)."""

    number: int
    dealer: str
    circle: int
    entries: dict[str, str]
    players: dict[str, str]
    kongs: list[Kong] = field(default_factory=list)
    fines: list[tuple[str, Pay]] = field(default_factory=list)
    shown: list[tuple[str, str]] = field(default_factory=list)
    """Who showed his tiles too early, and for whose win."""
    end: str = ""
    wins: list[Win] = field(default_factory=list)
    pay: Pay = field(default_factory=nobody_pays)
    gifts: Pay = field(default_factory=nobody_pays)
    said: dict[str, int | None] = field(default_factory=dict)
    """What the winners of the first result had stated."""
    given: list[tuple[str, str]] = field(default_factory=list)
    """Who paid which winner of the first result because he had shown his tiles."""

    @property
    def dead(self) -> set[str]:
        """Return who may not win any more."""
        return {seat for seat, _ in self.fines}

    def parts(self) -> list[Pay]:
        """Return every payment that stands: kongs and results not in a hand that does not count."""
        kongs = [] if self.end == "void" else [kong.pay for kong in self.kongs if not kong.robbed]
        return [*kongs, *(pay for _, pay in self.fines), self.gifts, self.pay]

    def sums(self) -> Pay:
        """Return what the hand brought to each seat."""
        parts = self.parts()
        return {seat: sum(part[seat] for part in parts) for seat in SEATS}


@dataclass
class Line:
    """What a player did at a place of the ranking."""

    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    deal_ins: int = 0
    fan: int = 0
    biggest: int = 0
    false_wins: int = 0
    points: int = 0


class Book:
    """The games of an evening; figures are those of the game that is played."""

    def __init__(self, agreed: Agreed) -> None:
        self.agreed = agreed
        self.guests = 0
        self.players = dict.fromkeys(SEATS, "")
        self._settled: dict[str, int] | None = None
        self.new_game()

    def new_game(self) -> None:
        """Everyone begins at nothing where he sits; an empty place is a new guest's."""
        for seat, player in self.players.items():
            self.guests += not player
            self.players[seat] = player or f"p{self.guests}"
        self.entries = dict(self.players)
        self.hands: list[Hand] = []
        self.open: Hand | None = None
        self.next = ("E", 1)
        self.over = ""
        self._settled = None

    # ---- a hand

    def start(self) -> Hand:
        """A hand begins."""
        self.open = Hand(len(self.hands) + 1, *self.next, dict(self.entries), dict(self.players))
        return self.open

    @property
    def hand(self) -> Hand:
        """Return the hand that is played."""
        assert self.open is not None
        return self.open

    def won(self, wins: list[Win], robbed: Kong | None = None) -> None:
        """The hand is won, by several on one tile where the table has that."""
        hand = self.hand
        self._result(hand, wins, robbed)
        hand.said = {win.seat: win.stated for win in wins}
        hand.given = [(seat, winner) for seat, winner in hand.shown if winner in hand.said]
        hand.gifts = self._gifts(hand)
        self._close(hand)

    def _gifts(self, hand: Hand) -> Pay:
        """Return what tiles shown too early pay those who are winners of the hand now."""
        pay, winners = nobody_pays(), {win.seat for win in hand.wins}
        for seat, winner in hand.given:
            if winner in winners:
                pay[seat] -= 2 * self.agreed.reveal
                pay[winner] += 2 * self.agreed.reveal
        return pay

    def drawn(self) -> None:
        """The wall is used up."""
        self.hand.end = "drawn"
        self._close(self.hand)

    def void(self) -> None:
        """The hand does not count; what a false win cost stays."""
        self.hand.end = "void"
        self._close(self.hand)

    def false_win(self, seat: str, each: int | None = None) -> None:
        """A win was none; at some tables the hand ends by it."""
        self.hand.fines.append((seat, self.agreed.false_win(seat, each)))
        if self.agreed.fine_ends_hand:
            self.void()

    def _result(self, hand: Hand, wins: list[Win], robbed: Kong | None) -> None:
        hand.end, hand.wins, hand.pay = "win", wins, nobody_pays()
        for kong in hand.kongs:
            kong.robbed = kong is robbed
        for win in wins:
            counts = win.value
            if self.agreed.lost_if_unstated and win.stated is not None:
                counts = min(counts, win.stated)
            pay = self.agreed.win(hand.dealer, win.seat, win.payer, counts)
            hand.pay = {seat: hand.pay[seat] + pay[seat] for seat in SEATS}

    def _close(self, hand: Hand) -> None:
        self.hands.append(hand)
        self.open, self._settled = None, None
        self.next = self._follows(hand)
        if hand.end != "void":
            self._may_be_over()

    def _deals_after(self, hand: Hand) -> str:
        if hand.end == "void":
            return hand.dealer
        if self.agreed.loss_limit and hand.wins:  # the winner deals; where several win, who discarded
            return hand.wins[0].seat if len(hand.wins) == 1 else str(hand.wins[0].payer)
        stays = hand.end == "drawn" or hand.dealer in {win.seat for win in hand.wins}
        return follower(hand.dealer) if self.agreed.variant == "mcr" or not stays else hand.dealer

    def _follows(self, hand: Hand) -> tuple[str, int]:
        """Return dealer and circle of the next hand: a circle ends when the deal is back where it began."""
        dealer = self._deals_after(hand)
        is_round = dealer == "E" != hand.dealer and not self.agreed.loss_limit
        return dealer, hand.circle % 4 + 1 if is_round else hand.circle

    def _may_be_over(self) -> None:
        if self.over or self.open is not None:
            return
        played = sum(hand.end != "void" for hand in self.hands)
        is_full = bool(self.agreed.hands) and played >= self.agreed.hands
        limit = 2 * self.agreed.loss_limit
        four_circles = (self.hands[-1].circle, self.next[1]) == (4, 1)
        if is_full or four_circles or (limit and min(self.totals().values()) < -limit):
            self.over = "match"

    # ---- what is put right later

    def last_that_counts(self) -> Hand | None:
        """Return the last hand that counts."""
        return next((hand for hand in reversed(self.hands) if hand.end != "void"), None)

    def undo(self) -> None:
        """The last result does not count; its dealer deals again, and a game that ended goes on."""
        hand = self.last_that_counts()
        assert hand is not None
        self._call_off(hand)
        self.over = ""
        self._corrected(hand)

    def redo(
        self,
        number: int,
        end: str,
        wins: Sequence[Win] = (),
        robbed: Kong | None = None,
        kongs: list[Kong] | None = None,
    ) -> None:
        """A hand ended otherwise, and with these kongs if people tell them anew."""
        hand = self.hands[number - 1]
        self._call_off(hand)
        hand.kongs = hand.kongs if kongs is None else kongs
        if end == "win":
            for win in wins:
                win.stated = hand.said.get(win.seat)
            order = nearest(wins[0].payer or wins[0].seat, [win.seat for win in wins])
            self._result(hand, sorted(wins, key=lambda win: order.index(win.seat)), robbed)
            hand.gifts = self._gifts(hand)
        else:
            hand.end = end
        if self.over == "match":
            self.over = ""
        self._corrected(hand)
        self._may_be_over()

    def _call_off(self, hand: Hand) -> None:
        hand.end, hand.wins, hand.pay, hand.gifts = "void", [], nobody_pays(), nobody_pays()
        for kong in hand.kongs:
            kong.robbed = False

    def _corrected(self, hand: Hand) -> None:
        self._settled = None
        later = [each for each in self.hands[hand.number :] if each.end != "void"]
        if not later and self.open is None:
            self.next = self._follows(hand)

    def swap(self, one: str, other: str, first: int, stay: bool) -> None:
        """Who sits at these two seats exchanged everything from a hand on."""
        pair = (self.entries[one], self.entries[other])
        for hand in self.hands[first - 1 :]:
            _exchange(hand.entries, hand.players, pair)
        if stay:
            _exchange(self.entries, self.players, pair)
            if self.open is not None:
                _exchange(self.open.entries, self.open.players, pair)
        self._settled = None

    def take_place(self, seat: str, leaves: bool) -> None:
        """A guest takes a place over, or nobody does; its score stays."""
        self.guests += not leaves
        self.players[seat] = "" if leaves else f"p{self.guests}"
        if self.open is not None:
            self.open.players[seat] = self.players[seat]

    def end(self) -> None:
        """The players end the game; a hand that is open is called off."""
        if self.open is not None:
            self.void()
        self.over = "forced"

    # ---- what it comes to

    def totals(self) -> dict[str, int]:
        """Return every place's total, in halves of a point."""
        if self._settled is None:
            self._settled = dict.fromkeys(self.entries.values(), 0)
            for hand in self.hands:
                for seat, amount in hand.sums().items():
                    self._settled[hand.entries[seat]] += amount
        found = dict(self._settled)
        if self.open is not None:
            for seat, amount in self.open.sums().items():
                found[self.open.entries[seat]] += amount
        return found

    def lines(self) -> dict[tuple[str, str], Line]:
        """Return what every player did in the hands that are over."""
        found: dict[tuple[str, str], Line] = {}
        for hand in self.hands:
            sums = hand.sums()
            for seat in SEATS:
                line = found.setdefault((hand.entries[seat], hand.players[seat]), Line())
                own = [win for win in hand.wins if win.seat == seat]
                line.hands += hand.end != "void"
                line.wins += len(own)
                line.self_draws += sum(win.payer is None for win in own)
                line.deal_ins += sum(win.payer == seat for win in hand.wins)
                line.fan += sum(win.value for win in own)
                line.biggest = max([line.biggest, *(win.value for win in own)])
                line.false_wins += sum(fined == seat for fined, _ in hand.fines)
                line.points += sums[seat]
        return found


def _exchange(entries: dict[str, str], players: dict[str, str], pair: tuple[str, str]) -> None:
    one, other = (seat for seat in SEATS if entries[seat] in pair)
    entries[one], entries[other] = entries[other], entries[one]
    players[one], players[other] = players[other], players[one]
