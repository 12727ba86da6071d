"""Random evenings against a model that knows nothing of folds: a list of hands, added up anew each time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.facts import Fact
from controller.fold import apply_fact
from controller.fold_rows import SHEET_MAX, tallies
from controller.state import TableState
from tests.controller.evening import HAND, Evening, four

SEATS = "ESWN"
seats = st.sampled_from(SEATS)
amounts = st.tuples(*[st.integers(-40, 40)] * 3).map(lambda three: four(*three, -sum(three)))


@dataclass
class Hand:
    """What the model keeps: who sat where, what was paid meanwhile, how it ended."""

    entries: dict[str, str]
    players: dict[str, str]
    kongs: list[dict[str, int]] = field(default_factory=list)
    fines: list[dict[str, int]] = field(default_factory=list)
    result: dict[str, int] | None = None

    def by_seat(self) -> dict[str, int]:
        """Return what stands of it, by seat."""
        kongs = [] if self.result is None else self.kongs
        parts = [*kongs, *self.fines, self.result or {}]
        return {seat: sum(part.get(seat, 0) for part in parts) for seat in SEATS}


class Corrections(RuleBasedStateMachine):
    """Plays, corrects, swaps and replaces at random."""

    @initialize()
    def sit_down(self) -> None:
        self.evening = Evening()
        self.entries = {seat: f"p{i + 1}" for i, seat in enumerate(SEATS)}
        self.players = dict(self.entries)
        self.hands: list[Hand] = []
        self.guests = 4

    def _new_hand(self) -> Hand:
        self.hands.append(Hand(dict(self.entries), dict(self.players)))
        return self.hands[-1]

    @rule(kongs=st.lists(amounts, max_size=2), fines=st.lists(amounts, max_size=1), result=amounts, to=seats)
    def play(self, kongs: list[Any], fines: list[Any], result: dict[str, int], to: str) -> None:
        hand = self._new_hand()
        self.evening.start()
        self._pay(hand, kongs)
        for deltas in fines:
            hand.fines.append(deltas)
            self.evening.fine("W", deltas)
        hand.result = result
        self.evening.settle("win", result, to, seat=to, by="self_draw", total=1, text=HAND)

    def _pay(self, hand: Hand, kongs: list[dict[str, int]]) -> None:
        for index, deltas in enumerate(kongs):
            hand.kongs.append(deltas)
            self.evening.kong("E", f"{index + 1}p", deltas)

    @rule(kongs=st.lists(amounts, max_size=2))
    def call_off(self, kongs: list[Any]) -> None:
        hand = self._new_hand()
        self.evening.start()
        self._pay(hand, kongs)
        self.evening.ok("void", reason="tiles fell")

    @precondition(lambda self: self.hands)
    @rule(data=st.data(), kind=st.sampled_from(["win", "drawn", "void"]), to=seats, payer=seats)
    def correct(self, data: Any, kind: str, to: str, payer: str) -> None:
        number = data.draw(st.integers(1, len(self.hands)))
        ask: dict[str, Any] = {"hand": number, "kind": kind}
        result: dict[str, int] | None = {"win": {}, "drawn": {}, "void": None}[kind]
        if kind == "win":
            # simplest rules, base 1 point = 2 units: the discarder gives it, each other twice on a self-draw
            text = HAND if to != "E" else HAND.replace("E", "S")
            by = "self_draw" if to == payer else "discard"
            ask |= {"winner": to, "by": by, "hand_text": text, **({} if to == payer else {"from_": payer})}
            others = dict.fromkeys((seat for seat in SEATS if seat != to), -4)
            result = {**others, to: 12} if to == payer else {payer: -2, to: 2}
        self.evening.agreed("correct_result", **ask)
        self.hands[number - 1].result = result

    @precondition(lambda self: any(hand.result is not None for hand in self.hands))
    @rule(by_referee=st.booleans())
    def undo(self, by_referee: bool) -> None:
        if by_referee:
            self.evening.ok("undo_result", seat="N", reason="mistake")
            self.evening.ok("rule_correction", "referee", accept=True)
        else:
            self.evening.agreed("undo_result")
        last = max(i for i, hand in enumerate(self.hands) if hand.result is not None)
        self.hands[last].result = None

    @precondition(lambda self: self.hands)
    @rule(data=st.data(), stay=st.booleans(), two=st.permutations(SEATS).map(lambda order: order[:2]))
    def swap(self, data: Any, stay: bool, two: list[str]) -> None:
        first = data.draw(st.integers(1, len(self.hands)))
        pair = {self.entries[seat] for seat in two}
        self.evening.agreed("swap_players", seats=two, from_hand=first, stay=stay)
        for hand in self.hands[first - 1 :]:
            _exchange(hand.entries, hand.players, pair)
        if stay:
            _exchange(self.entries, self.players, pair)

    @rule(place=seats)
    def substitute(self, place: str) -> None:
        self.evening.agreed("replace_player", place=place)
        self.guests += 1
        self.players[place] = f"p{self.guests}"

    @precondition(lambda self: self.hands)
    @rule(place=seats)
    def ask_in_vain(self, place: str) -> None:
        before = self.evening.scores()
        self.evening.ok("correct_result", seat=place, reason="x", hand=1, kind="drawn")
        self.evening.ok("reject_correction", seat=place)
        assert self.evening.scores() == before

    @invariant()
    def totals_are_those_of_the_model(self) -> None:
        totals = dict.fromkeys((f"p{i}" for i in range(1, 5)), 0)
        by_player: dict[tuple[str, str], int] = {}
        for hand in self.hands:
            for seat, amount in hand.by_seat().items():
                totals[hand.entries[seat]] += amount
                key = (hand.entries[seat], hand.players[seat])
                by_player[key] = by_player.get(key, 0) + amount
        state = self.evening.state
        assert self.evening.scores() == totals
        assert {place.seat.value: place.account for place in state.seats} == self.entries
        assert {(one.entry, one.player): one.points for one in tallies(state.sheet)} == by_player
        self.evening.check()


def _exchange(entries: dict[str, str], players: dict[str, str], pair: set[str]) -> None:
    one, other = (seat for seat in SEATS if entries[seat] in pair)
    entries[one], entries[other] = entries[other], entries[one]
    players[one], players[other] = players[other], players[one]


TestCorrections = Corrections.TestCase
TestCorrections.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_a_game_without_end_keeps_its_totals_and_counts_when_rows_are_carried() -> None:
    evening = Evening()
    evening.win("S", "N", 3)
    evening.agreed("replace_player", place="S")
    for _ in range(SHEET_MAX + 3):
        evening.win("S", "N", 3)
    state = evening.state
    assert len(state.sheet) == SHEET_MAX
    counted = {(one.entry, one.player): one for one in tallies(state.sheet, state.carried)}
    assert counted["p2", "p2"].points == 3
    assert (counted["p2", "p5"].wins, counted["p2", "p5"].points) == (SHEET_MAX + 3, 3 * (SHEET_MAX + 3))
    assert sum(one.points for one in counted.values()) == 0
    assert evening.scores()["p2"] == 3 * (SHEET_MAX + 4)
    assert evening.do("swap_players", seat="E", reason="x", seats=["E", "S"], from_hand=4).code == (
        "refuse.no_hand"
    )


def test_an_old_ledger_without_any_of_this_folds() -> None:
    state = TableState()
    seats = {seat: {"side": i + 1, "player": f"p{i + 1}"} for i, seat in enumerate(SEATS)}
    game = {"table": "t", "variant": "simplest", "options": {}, "unit": 2, "tiles": 136, "dealer": "E"}
    settled = {"hand": 1, "kind": "void", "seat": None, "by": None, "from": None, "hand_text": None}
    settled |= {"elements": [], "total": 0, "deltas": four(0, 0, 0, 0), "evidence": None}
    settled |= {"next_dealer": "E", "circle": 1, "run": 1}
    for fact in (
        Fact("game_started", {**game, "seats": seats}),
        Fact("hand_started", {"hand": 1, "dealer": "E", "circle": 1, "run": 1}),
        Fact("settled", settled),
    ):
        state = apply_fact(state, fact)
    assert [row.outcome.kind for row in state.sheet] == ["void"]
