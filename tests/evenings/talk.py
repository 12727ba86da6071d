"""People at a table: every input that they give, and what must hold after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from controller.decide import Decision
from tests.evenings.book import SEATS, Agreed, Book, Kong, Win, others
from tests.evenings.table import Counts, Table

HANDS = {"[345p,1] 345m 678p 34s 66s + 5s": 13, "22m 44m 66m 33p 55p 88s 7s + 7s": 26}
"""Hands with their fan in mcr on a discard, worked out by hand.

三色三同顺 8, 平和 2, 断幺 2, 连六 1; 七对 24, 断幺 2.
A self-draw adds 自摸 1, a robbed kong 抢杠和 8, a flower 1.
In the simplest rules any hand is worth the base.
"""
ROBBED = "5s"
"""The tile of the kong that is robbed in these evenings: the first hand wins with it, the other has none."""
HONORS = "ESWNCFP"


@dataclass
class Claim:
    """What somebody has claimed, as far as people said it."""

    seat: str
    by: str
    payer: str | None
    text: str
    flowers: str = ""
    stated: int | None = None
    waiting: list[str] = field(default_factory=list)
    """Further winners of the same tile."""
    agreed: list[Win] = field(default_factory=list)


class Talk:
    """A table with the model beside it; after each input their totals are compared."""

    def __init__(
        self,
        folder: Path,
        agreed: Agreed,
        seed: int | bytes,
        counts: Counts | None = None,
        tears: float = 0.002,
    ) -> None:
        self.book, self.agreed, self.chance = Book(agreed), agreed, Random(seed)
        self.counts = counts or Counts()
        self.table = Table(folder, game_of(agreed), self.chance, self.counts, tears)
        self.claim: Claim | None = None
        self.drawn_by: str | None = None
        self.stopped = False
        self.compare()

    def compare(self) -> None:
        """Hold every place's score against the model: same totals, and nothing won or lost among the four."""
        scores = self.table.scores
        assert sum(scores.values()) == 0
        assert scores == self.book.totals(), (scores, self.book.totals(), self.book.open)

    def do(self, name: str, seat: str | None = None, **more: Any) -> Decision:
        """Give an input; the model is told by the caller before it compares."""
        return self.table.do(name, seat, **more)

    def ok(self, name: str, seat: str | None = None, **more: Any) -> Decision:
        """Give an input that must be taken, and that moves no points."""
        made = self.must(name, seat, **more)
        self.compare()
        return made

    def must(self, name: str, seat: str | None = None, **more: Any) -> Decision:
        """Give an input that must be taken; the caller tells the model and compares."""
        made = self.do(name, seat, **more)
        assert made.ok, (name, seat, more, made.code, dict(made.params), self.table.state.phase)
        return made

    def refused(self, code: str, name: str, seat: str | None = None, **more: Any) -> None:
        """Give an input that must be refused; nothing changes."""
        seq = self.table.state.seq
        made = self.do(name, seat, **more)
        assert (made.ok, made.code, self.table.state.seq) == (False, code, seq), (name, more, made)
        self.compare()

    def maybe(self, share: float) -> bool:
        """Return whether it happens this time."""
        return self.chance.random() < share

    def pick(self, values: Iterable[Any]) -> Any:
        """Return one of them."""
        return self.chance.choice(list(values))

    @property
    def alive(self) -> list[str]:
        """Return who may win and declare."""
        return [seat for seat in SEATS if seat not in self.book.hand.dead]

    def declare_kong(self, seat: str, tile: str, kind: str = "") -> Kong:
        """A kong, paid at once."""
        kind = kind or self.pick(["exposed_kong", "added_kong", "concealed_kong"])
        feeder = self.pick(others(seat)) if kind == "exposed_kong" else None
        self.must("declare_kong", seat_=seat, kind=kind, tile=tile, from_=feeder)
        kong = Kong(seat, kind, tile, self.agreed.kong(seat, kind, feeder), feeder=feeder)
        self.book.hand.kongs.append(kong)
        self.compare()
        return kong

    def take_back(self, kong: Kong) -> None:
        """It was declared by mistake."""
        self.must("withdraw_kong", seat_=kong.seat, tile=kong.tile)
        self.book.hand.kongs.remove(kong)
        self.compare()


def texts(kongs: Iterable[Kong]) -> list[str]:
    """Return the hands that can be won beside these kongs: there are four tiles of a kind."""
    is_gone = any(kong.tile == ROBBED for kong in kongs)
    return [text for text in HANDS if not (is_gone and text.endswith(ROBBED))]


def game_of(agreed: Agreed) -> dict[str, Any]:
    """Return the settings of a table that plays as agreed."""
    options: dict[str, Any] = {}
    if agreed.variant == "simplest":
        options = {"base": agreed.base, "system": agreed.system, "pay_mode": agreed.pay_mode}
        options |= {"exposed_payer": agreed.exposed_payer, "multi_win": agreed.several}
    procedure: dict[str, Any] = {
        "referee": agreed.referee,
        "stated_counts": "stated_max" if agreed.lost_if_unstated else "checked",
        "reveal_penalty": agreed.reveal,
        "false_win_hand": "void" if agreed.fine_ends_hand else "offender_dead",
        "hands": agreed.hands,
        "loss_limit": agreed.loss_limit,
    }
    procedure |= {"mode": "winner_deals"} if agreed.loss_limit else {}
    if agreed.variant == "simplest":
        procedure["false_win_each"] = agreed.fine
    else:
        options["false_win_each"] = options["false_win_not_ready_each"] = agreed.fine
    return {"variant": agreed.variant, "options": options, "procedure": procedure}
