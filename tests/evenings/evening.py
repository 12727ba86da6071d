"""An evening as four people play it: every command that they give is told to the model, too."""

from __future__ import annotations

from controller.facts import Fact
from controller.orders import brain_fault
from controller.state import Phase
from tests.evenings import amending, surfaces
from tests.evenings.book import SEATS
from tests.evenings.claiming import Claiming
from tests.evenings.talk import HONORS

NOISES = ("early_draw", "out_of_turn", "late_claim", "over_time", "wrong_call")


class Evening(Claiming):
    """Plays whole hands, corrects, loses its power, and looks at the pages."""

    def play(self) -> None:
        """Play a hand to its end, whatever happens in it."""
        self.begin()
        while self.book.open is not None:
            phase = self.table.state.phase
            if self.maybe(0.01):
                self.ok("stop", self.pick([None, *SEATS]))
            elif self.maybe(0.004):
                self.call_off()
            elif phase is Phase.PLAYING and not self.alive:
                self.wash_out()
            elif phase is Phase.PLAYING:
                self.pick([self.kong, self.meanwhile, self.declare, self.declare, self.wash_out])()
            elif phase is Phase.CLAIM:
                self.lay()
            elif phase is Phase.REVIEW:
                self.review()
            else:
                assert phase is Phase.CONFIRM, phase
                self.confirm()
        self.counts.hands += 1
        self.counts.met(self.book.hands[-1].end)

    def begin(self) -> None:
        """The next hand: what the machine does is done at once."""
        if self.stopped:
            self.must("clear_fault")
            self.ok("fault_cleared")
            self.stopped = False
        if self.book.over:
            self.refused("refuse.game_over", "start")
            self.new_game()
        self.table.changed_seats = False
        self.must("start")
        hand = self.book.start()
        if (
            self.table.changed_seats
        ):  # the rules of the match move the players: seats of the table, told as such
            hand.entries = {place.seat.value: place.account for place in self.table.state.seats}
            hand.players = {place.seat.value: place.player for place in self.table.state.seats}
            self.book.entries, self.book.players = dict(hand.entries), dict(hand.players)
        assert self.table.state.hand == hand.number
        state = self.table.state
        assert (state.dealer.value, state.circle) == (hand.dealer, hand.circle)
        self.claim = None
        self.compare()
        if self.maybe(0.03):
            self.call_off()  # while the wall is built
        else:
            self.table.machine(Fact("phase", {"phase": "PLAYING", "step": None}))

    def new_game(self) -> None:
        """All begin at nothing."""
        self.must("new_game", role="player" if self.book.over else "owner")
        self.book.new_game()
        self.compare()

    def call_off(self) -> None:
        """The hand does not count."""
        self.must("void", reason="tiles fell")
        self.book.void()
        self.compare()

    def kong(self) -> None:
        """A kong is declared, or taken back, or tried with a dead hand."""
        hand = self.book.hand
        if hand.kongs and self.maybe(0.2):
            return self.take_back(self.pick(hand.kongs))
        if hand.dead and self.maybe(0.2):
            return self.refused(
                "refuse.dead", "declare_kong", seat_=self.pick(sorted(hand.dead)), kind="added", tile="E"
            )
        tiles = [tile for tile in HONORS if tile not in {kong.tile for kong in hand.kongs}]
        if tiles and len(hand.kongs) < 4:
            self.declare_kong(self.pick(self.alive), self.pick(tiles))
        return None

    def meanwhile(self) -> None:
        """Something else than tiles: a correction, a false win, a remark, a fault of the machine."""
        what = self.pick(["note", "false_win", "correct", "fault", "rule"])
        if what == "note":
            by = self.pick([None, *SEATS])
            self.ok("irregularity", seat_=self.pick(SEATS), kind=self.pick(NOISES), by=by)
        elif what in ("false_win", "rule") and self.maybe(0.5):
            return
        elif what == "false_win" and len(self.book.hand.fines) < 2:
            self.accuse(self.pick(self.alive))
        elif what == "rule" and len(self.book.hand.fines) < 2:
            self.rule_false(self.pick(self.alive))
        elif what == "correct" and self.maybe(0.5):
            self.amend()
        elif what == "fault" and not self.stopped and self.maybe(0.2):
            body = brain_fault("fault.estop", origin="gpio").body
            self.ok("machine_fault", **body)
            self.stopped = True

    def wash_out(self) -> None:
        """Somebody says that the wall is used up, and the others are asked."""
        if self.maybe(0.5):
            return
        seat = self.pick([None, *SEATS])
        self.ok("washout", seat_=seat)
        self.claim = None
        self.drawn_by = seat

    def amend(self) -> None:
        """Something booked is put right, if all agree or a referee says so."""
        amending.amend(self)
        self.compare()

    def look(self) -> None:
        """Hold every page and paper against the model."""
        surfaces.check(self.table, self.book)

    def crash(self) -> None:
        """The power fails while nothing is written."""
        self.table.crash()
        self.compare()

    def end(self) -> None:
        """The evening is over: look at everything once more."""
        self.look()
        surfaces.check_paper(self.table, self.book)
        self.table.close()
