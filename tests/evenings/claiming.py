"""Claims, false wins, and whether the others agree: what people do from a call to the booking of a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.state import Phase
from tests.controller.conftest import NOT_WON, seen
from tests.evenings.book import SEATS, Win, nearest, others
from tests.evenings.talk import HANDS, HONORS, ROBBED, Claim, Talk, texts


class Claiming(Talk):
    """People who claim, doubt and agree."""

    def declare(self) -> None:
        """Somebody claims a win: from the page or by the key; maybe a second one claims the same tile."""
        seat = self.pick(self.alive)
        by = self.pick(["self_draw", "discard", "discard", "rob_kong"])
        text = self.pick(texts(self.book.hand.kongs))
        payer = None if by == "self_draw" else self.pick(others(seat))
        if by == "rob_kong":
            payers = [other for other in self.alive if other != seat]
            if not payers or not text.endswith(ROBBED):
                return
            payer = self.pick(payers)
            self.declare_kong(payer, ROBBED, "added_kong")
        flowers = self.pick(["", "", "a", "ce"]) if self.agreed.variant == "mcr" else ""
        self.claim = Claim(seat, by, payer, text, flowers)
        key = by != "rob_kong" and self.maybe(0.4)
        if key:
            self.ok("seat_long" if by == "self_draw" else "seat_short", seat)
        else:
            told = payer if self.maybe(0.6) else None
            self.ok("claim", seat_=seat, by=by, from_=told, flags=[])
        window = self.table.decided_in
        if self.table.state.step == "lay":
            if payer is not None and self.maybe(0.6 if self.agreed.several else 0.3):
                self.second(window)
        else:
            self.name_payer()

    def name_payer(self) -> None:
        """Whoever discarded says so."""
        assert self.claim is not None
        if self.maybe(0.5):
            self.ok("seat_short", self.claim.payer, rung="both")
        else:
            self.ok("answer_from", seat_=self.claim.payer)

    def second(self, window: int) -> None:
        """Another seat claims the same tile: too late after a restart, else all win, or the nearest alone."""
        claim = self.claim
        assert claim is not None
        rest = [seat for seat in self.alive if seat not in (claim.seat, claim.payer)]
        if not rest or claim.by == "rob_kong":
            return
        seat = self.pick(rest)
        made = self.do("claim", seat_=seat, by=claim.by, from_=claim.payer)
        in_time = self.table.decided_in == window
        self.counts.met("second claim in time" if in_time else "second claim late")
        if not in_time:
            assert made.facts[0].kind == "irregularity"
        elif self.agreed.several:
            assert made.facts[0].kind == "claim_also"
            claim.waiting.append(seat)
        elif nearest(str(claim.payer), [seat, claim.seat])[0] == seat:
            assert made.ok, made
            self.claim = Claim(seat, claim.by, claim.payer, claim.text, claim.flowers)
        else:
            assert made.code == "refuse.outranked"
        self.compare()

    def lay(self) -> None:
        """The hand is laid out and read, or the claim is taken back."""
        claim = self.claim
        assert claim is not None
        step = self.table.state.step
        if step == "lay":
            if self.maybe(0.1):
                return self.withdraw()
            if self.maybe(0.1) and claim.stated is None:
                return self.state_points()
            if self.maybe(0.06):
                return self.accuse(claim.seat)
            self.ok("seat_short", claim.seat) if self.maybe(0.5) else self.ok("laid", seat_=claim.seat)
            return None
        if step == "from":
            return self.name_payer()
        return self.photo()

    def photo(self) -> None:
        """The camera reads the hand: well, with a doubt, or not at all."""
        claim = self.claim
        assert claim is not None
        doubt = self.pick([None, None, None, 3])
        flowers = claim.flowers if self.agreed.variant == "mcr" else None
        fails = self.maybe(0.1)
        reading = seen(claim.text, doubt, flowers)
        while self.table.state.phase is Phase.CLAIM:
            if fails:
                self.ok("photo_failed")
            else:
                self.ok("photo_read", reading=reading)
        good = not fails and doubt is None
        assert (self.table.state.phase is Phase.CONFIRM) == good, self.table.state.reading

    def value(self, claim: Claim) -> int:
        """Return what the claimed hand is worth."""
        return self.agreed.worth(HANDS[claim.text], claim.by, len(claim.flowers))

    def state_points(self) -> None:
        """The winner says what his hand is worth: right, too little or too much."""
        claim = self.claim
        assert claim is not None
        claim.stated = max(0, self.value(claim) + self.pick([-2, -1, 0, 0, 3]))
        self.ok("state_points", seat_=claim.seat, points=claim.stated)

    def withdraw(self) -> None:
        """The claim is taken back: the next winner's turn, the booking of those agreed, or play goes on."""
        assert self.claim is not None
        self.must("withdraw", seat_=self.claim.seat)
        self.next_claim()

    def next_claim(self) -> None:
        """The claim that is looked at is over without a result of its own."""
        claim = self.claim
        assert claim is not None
        if claim.waiting:
            self.claim = Claim(claim.waiting[0], claim.by, claim.payer, claim.text, claim.flowers)
            self.claim.waiting, self.claim.agreed = claim.waiting[1:], claim.agreed
        elif claim.agreed:
            self.book_wins(claim)
        else:
            self.claim = None
        self.compare()

    def book_wins(self, claim: Claim) -> None:
        """All agreed wins are booked at once."""
        kongs = self.book.hand.kongs
        robbed = [kong for kong in kongs if claim.by == "rob_kong" and kong.tile == ROBBED]
        order = nearest(claim.payer or claim.seat, [win.seat for win in claim.agreed])
        self.book.won(
            sorted(claim.agreed, key=lambda win: order.index(win.seat)), robbed[0] if robbed else None
        )
        self.claim = None

    def accuse(self, seat: str) -> None:
        """Somebody says that this seat's win is none, and the others are asked."""
        by = self.pick([None, *others(seat)])
        had_claim = self.claim
        self.ok("false_win", seat_=seat, by=by)
        asked = [other for other in SEATS if other not in (seat, by)]
        self.chance.shuffle(asked)
        if self.maybe(0.3):
            if by is not None and self.maybe(0.5):
                self.ok("withdraw", seat_=by)
            else:
                self.ok("dispute", seat_=seat)
            self.claim = had_claim
            return
        for other in asked[:-1]:
            self.ok("confirm", seat_=other)
        self.must("seat_short", asked[-1])
        self.false(seat)

    def rule_false(self, seat: str) -> None:
        """A referee rules it; where it was meant he sets the amount."""
        each = self.pick([None, 0, 7, 25])
        more: dict[str, Any] = {} if each is None else {"deliberate": True, "each": each}
        self.refused("refuse.referee", "rule_false_win", seat_=seat, **more)
        self.must("rule_false_win", role="referee", seat_=seat, **more)
        self.false(seat, each)

    def false(self, seat: str, each: int | None = None) -> None:
        """A false win is booked."""
        ends = self.agreed.fine_ends_hand
        self.book.false_win(seat, each)
        self.counts.met("false win")
        if not ends and self.claim is not None:
            self.next_claim()
        self.claim = None if ends else self.claim
        self.compare()

    def confirm(self) -> None:
        """One of the others agrees, or something else happens before all have."""
        claim = self.claim
        if claim is None:
            return self.confirm_drawn()
        if self.maybe(0.06):
            return self.ok("dispute", seat_=self.pick(others(claim.seat))) and None
        if self.maybe(0.05) and claim.stated is None:
            return self.state_points()
        if self.maybe(0.05):
            return self.show_early()
        if self.maybe(0.03) and (late := [kong for kong in self.book.hand.kongs if kong.tile in HONORS]):
            return self.take_back(self.pick(late))
        asked = self.not_yet()
        if not asked:
            return self.check()
        seat = self.pick(asked)
        if len(asked) > 1 or self.agreed.referee:
            return self.agree(seat) and None
        self.agree(seat, last=True)
        return self.all_agreed()

    def not_yet(self) -> list[str]:
        """Return who was not asked yet, as pages show it."""
        claimant = None if self.claim is None else self.claim.seat
        agreed = {seat.value for seat in self.table.state.confirmed}
        return [seat for seat in SEATS if seat != claimant and seat not in agreed]

    def agree(self, seat: str, last: bool = False) -> bool:
        """A seat agrees, by key or page."""
        give = self.must if last else self.ok
        give("seat_short", seat) if self.maybe(0.5) else give("confirm", seat_=seat)
        return True

    def check(self) -> None:
        """The referee looks at a win that all have agreed to."""
        claim = self.claim
        assert claim is not None
        good = self.maybe(0.9)
        self.must("check_win", role="referee", ok=good)
        if good:
            self.all_agreed()
        else:
            self.false(claim.seat)

    def all_agreed(self) -> None:
        """The claim is agreed: the next winner of the same tile, or the booking."""
        claim = self.claim
        assert claim is not None
        claim.agreed.append(Win(claim.seat, claim.payer, self.value(claim), claim.stated))
        self.counts.met(f"win {claim.by}")
        if claim.waiting:
            self.next_claim()
        else:
            self.counts.met(f"winners {len(claim.agreed)}")
            self.book_wins(claim)
            self.compare()

    def show_early(self) -> None:
        """Somebody shows his tiles before all have agreed."""
        claim = self.claim
        assert claim is not None
        seat = self.pick(others(claim.seat))
        done = (seat, claim.seat) in self.book.hand.shown
        if done or not self.not_yet():
            return self.refused("refuse.reveal", "irregularity", seat_=seat, kind="premature_reveal")
        self.ok("irregularity", seat_=seat, kind="premature_reveal")
        self.book.hand.shown.append((seat, claim.seat))
        return None

    def confirm_drawn(self) -> None:
        """Those who did not say it agree that the wall is used up, or somebody does not."""
        agreed = {seat.value for seat in self.table.state.confirmed}
        asked = [seat for seat in SEATS if seat != self.drawn_by and seat not in agreed]
        if self.maybe(0.05):
            return self.ok("dispute", seat_=self.pick(others(self.drawn_by))) and None
        seat = self.pick(asked)
        if len(asked) > 1:
            return self.agree(seat) and None
        self.agree(seat, last=True)
        self.book.drawn()
        return self.compare()

    def review(self) -> None:
        """Something is doubted: a tile is put right, the hand is written down, shot again or taken back."""
        claim = self.claim
        if claim is None:
            self.ok("withdraw", seat_=self.drawn_by)
            return
        ways: list[Callable[[], None]] = [self.write_hand, self.write_hand, self.put_right, self.reshoot]
        ways += [self.other_payer, self.withdraw, self.put_aside]
        if not claim.agreed and not claim.waiting:
            ways += [self.write_nonsense]
        self.pick(ways)()

    def write_hand(self) -> None:
        """People write the hand down; maybe it is another one than the camera read."""
        claim = self.claim
        assert claim is not None
        if not claim.agreed and not claim.waiting and claim.by != "rob_kong":
            claim.text = self.pick(texts(self.book.hand.kongs))
        more: dict[str, Any] = {"flowers": list(claim.flowers)} if self.agreed.variant == "mcr" else {}
        self.ok("correct", hand=claim.text, **more)
        assert self.table.state.phase is Phase.CONFIRM, self.table.state.reading

    def put_right(self) -> None:
        """One tile is told; the camera's other tiles stay."""
        claim, reading = self.claim, self.table.state.reading
        assert claim is not None
        if reading is None or not reading.tiles:
            return self.refused("refuse.correct_tile", "correct_tile", index=3, tile="5m")
        doubts = [at for at, (tile, _) in enumerate(reading.tiles) if tile == "?"]
        at = doubts[0] if doubts else 0
        faces = [tile.tile for meld in seen(claim.text).melds for tile in meld.tiles]
        faces += [tile.tile for tile in seen(claim.text).concealed]
        known = reading.hand is None or bool(doubts)
        if not known or len(faces) + 1 != len(reading.tiles):
            return self.write_hand()
        self.ok("correct_tile", index=at, tile=faces[at])
        return None

    def put_aside(self) -> None:
        """Nobody can read the hand now: the others put it aside; what is sure is no matter of that."""
        claim = self.claim
        assert claim is not None
        asked = others(claim.seat)
        self.chance.shuffle(asked)
        made = self.do("set_aside", seat_=asked[0])
        if not made.ok:
            assert made.code == "refuse.set_aside", made
            return
        self.refused("refuse.agreed", "set_aside", seat_=asked[0])
        self.ok("set_aside", seat_=asked[1])
        self.must("set_aside", seat_=asked[2])
        self.claim = None
        self.book.void()
        self.counts.met("put aside")
        self.compare()

    def reshoot(self) -> None:
        """The photo is taken again."""
        self.ok("reshoot")

    def other_payer(self) -> None:
        """It was somebody else's discard."""
        claim = self.claim
        assert claim is not None
        if claim.by != "discard" or claim.agreed or claim.waiting:
            return self.withdraw()
        claim.payer = self.pick(others(claim.seat))
        self.ok("answer_from", seat_=claim.payer)
        return None

    def write_nonsense(self) -> None:
        """The hand is no win: it is called false."""
        claim = self.claim
        assert claim is not None
        if claim.by == "rob_kong":
            return
        more: dict[str, Any] = {"flowers": []} if self.agreed.variant == "mcr" else {}
        self.ok("correct", hand=NOT_WON, **more)
        assert self.table.state.phase is Phase.REVIEW
        self.accuse(claim.seat)
        if self.book.open is not None and self.table.state.phase is Phase.REVIEW:
            self.write_hand()
