"""An evening at the level of facts: hands are booked as rows, corrections go through decide. No machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.decide import Decision, World, decide
from controller.facts import Fact, Record
from controller.fold import apply_fact, fold, stamp
from controller.inputs import TableInput
from controller.live_values import Live
from controller.projections import plain
from controller.state import SEATS, Phase, TableState
from rules.variants import get_variant

HAND = "[555p,2] 123m 45699s EE + E"


def four(*amounts: int) -> dict[str, int]:
    """Return amounts by seat."""
    return dict(zip("ESWN", amounts, strict=True))


def _letters(amounts: Sequence[int]) -> dict[str, int]:
    return dict(zip("ESWN", amounts, strict=True))


@dataclass
class Evening:
    """A table whose ledger is a list of rows; every row is sealed by its number."""

    variant: str = "simplest"
    procedure: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    rows: list[Record] = field(default_factory=list)
    state: TableState = field(default_factory=TableState)

    def __post_init__(self) -> None:
        rules = get_variant(self.variant)
        seats = {seat.value: {"side": seat.index + 1, "player": f"p{seat.index + 1}"} for seat in SEATS}
        game = {
            "table": "六号台",
            "variant": rules.key,
            "options": dict(self.options),
            "unit": rules.unit,
            "tiles": rules.tiles,
        }
        game |= {"procedure": dict(self.procedure)} if self.procedure else {}
        self.book(Fact("game_started", {**game, "dealer": "E", "seats": seats}))

    # ---- what happens

    def book(self, *facts: Fact) -> None:
        """Write facts as rows."""
        for fact in facts:
            record = Record(len(self.rows) + 1, fact.kind, dict(fact.body), f"{len(self.rows) + 1:08x}" * 8)
            self.rows.append(record)
            self.state = stamp(apply_fact(self.state, fact), record)
            assert sum(place.score for place in self.state.seats) == 0, fact

    def start(self, phase: Phase = Phase.PLAYING) -> None:
        """Start the next hand."""
        dealer, circle, run = self.state.upcoming or (self.state.dealer, self.state.circle, self.state.run)
        body = {"hand": self.state.hand + 1, "dealer": dealer.value, "circle": circle, "run": run}
        self.book(Fact("hand_started", body), Fact("phase", {"phase": phase.value, "step": None}))

    def kong(self, seat: str, tile: str, deltas: Mapping[str, int], kind: str = "added_kong") -> None:
        """A kong that is paid at once."""
        body = {"seat": seat, "kind": kind, "tile": tile, "from": None, "source": "page", "deltas": deltas}
        self.book(Fact("kong", body))

    def fine(self, seat: str, deltas: Mapping[str, int]) -> None:
        """A false win, paid at once."""
        body = {"seat": seat, "hand": "offender_dead", "deliberate": False, "source": "page"}
        self.book(Fact("false_win", {**body, "deltas": dict(deltas)}))

    def settle(
        self,
        kind: str,
        deltas: Mapping[str, int],
        next_dealer: str | None = None,
        *,
        seat: str | None = None,
        by: str | None = None,
        from_: str | None = None,
        total: int = 0,
        text: str | None = None,
        wins: Sequence[Mapping[str, Any]] = (),
        circle: int | None = None,
    ) -> None:
        """Book the hand that is open."""
        state, dealer = self.state, next_dealer or self.state.dealer.value
        body: dict[str, Any] = {"hand": state.hand, "kind": kind, "seat": seat, "by": by, "from": from_}
        body |= {"hand_text": text, "elements": [], "total": total, "deltas": dict(deltas), "evidence": None}
        body |= {"next_dealer": dealer, "circle": circle or state.circle}
        body |= {"run": state.run + 1 if dealer == state.dealer.value else 1}
        calls = [{"seat": one.seat.value, "deltas": _letters(one.deltas)} for one in state.false_wins]
        body |= {"false_wins": calls} if calls else {}
        body |= {} if state.stated is None else {"stated": state.stated, "counted": state.stated}
        body |= {"wins": [dict(win) for win in wins]} if wins else {}
        self.book(Fact("settled", body), Fact("phase", {"phase": "SETTLED", "step": None}))

    def hand(self, kind: str, deltas: Mapping[str, int], next_dealer: str | None = None, **more: Any) -> None:
        """Start a hand and book it."""
        self.start()
        self.settle(kind, deltas, next_dealer, **more)

    def win(self, seat: str, from_: str | None, value: int, next_dealer: str | None = None) -> None:
        """Book a win whose payer gives `value`, or all others where it was self-drawn."""
        payers = [from_] if from_ else [other for other in "ESWN" if other != seat]
        deltas = {**four(0, 0, 0, 0), **dict.fromkeys(payers, -value), seat: value * len(payers)}
        by = "discard" if from_ else "self_draw"
        self.hand("win", deltas, next_dealer or seat, seat=seat, by=by, from_=from_, total=value, text=HAND)

    # ---- what people do

    def do(self, name: str, role: str = "player", source: str = "page", **body: Any) -> Decision:
        """Give a command and book what it brings about."""
        body = {key.rstrip("_"): value for key, value in body.items()}
        made = decide(World(self.state, Live()), TableInput(name, None, body, source, role))
        if made.ok:
            self.book(*made.facts)
        return made

    def ok(self, name: str, role: str = "player", **body: Any) -> None:
        """Give a command that must be accepted."""
        made = self.do(name, role, **body)
        assert made.ok, (name, made.code, dict(made.params))

    def agreed(self, name: str, **body: Any) -> None:
        """Ask for a correction and let every seat agree."""
        self.ok(name, **{"reason": "mistake", "seat": "E", **body})
        for place in self.state.seats:
            if place.player and place.seat.value != body.get("seat", "E"):
                self.ok("agree_correction", seat=place.seat.value)

    # ---- what one sees

    def scores(self) -> dict[str, int]:
        """Return the score of each entry, whoever sits there."""
        return {place.account: place.score for place in self.state.seats}

    def check(self) -> None:
        """Say that the ledger folds to this very state and that nobody's points were lost."""
        assert plain(fold(self.rows)) == plain(self.state)
        assert sum(self.scores().values()) == 0
