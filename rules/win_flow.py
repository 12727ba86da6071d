"""From the word 和牌 to the settlement: the states of a win, step by step.

A step out of order is refused and changes nothing but the list of what was refused. Source: win-procedure.md
section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.errors import InvalidRequest
from rules.false_win import reveal_deltas
from rules.seats import ALL_SEATS, Seat, in_order_after


class WinState(StrEnum):
    """Where a win stands: the last state that was reached."""

    PLAY = "PLAY"
    DECLARED = "DECLARED"
    LAID_OUT = "LAID_OUT"
    STATED = "STATED"
    CONFIRMED = "CONFIRMED"
    REVIEW = "REVIEW"
    SETTLED = "SETTLED"
    FALSE_WIN = "FALSE_WIN"


PREMATURE_REVEAL = "premature_reveal"
_UNCONFIRMED = (WinState.DECLARED, WinState.LAID_OUT, WinState.STATED, WinState.REVIEW)
"""States in which the other players' tiles stay where they are."""


@dataclass(frozen=True, slots=True)
class WinFlow:
    """One win. `refused` are the steps that were refused, `irregularities` (seat, what), both in order.

    Attributes:
        winner: who called the win; None = nobody did, and no step leads anywhere.
        has_referee: a referee checks after the players (option `referee`).
        reveal_penalty: points that laying tiles down too early costs (option `reveal_penalty`).
    """

    winner: Seat | None
    players: tuple[Seat, ...] = ALL_SEATS
    has_referee: bool = False
    reveal_penalty: int = 0
    state: WinState = WinState.PLAY
    confirmed: frozenset[Seat] = frozenset()
    irregularities: tuple[tuple[Seat, str], ...] = ()
    refused: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.winner is not None and self.winner not in self.players:
            raise InvalidRequest(f"{self.winner} does not play")

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Who still has to confirm, in play order after the winner; nobody but in state STATED."""
        if self.winner is None or self.state is not WinState.STATED:
            return ()
        return tuple(seat for seat in self._others() if seat not in self.confirmed)

    def _others(self) -> Sequence[Seat]:
        return () if self.winner is None else in_order_after(self.winner, self.players)

    def penalty(self) -> dict[Seat, int]:
        """Return what premature reveals cost, points by player; empty if nothing is to be paid.

        A false win has no winner who could be paid.
        """
        seats = [seat for seat, what in self.irregularities if what == PREMATURE_REVEAL]
        pays = seats and self.reveal_penalty and self.state is not WinState.FALSE_WIN
        if not pays or self.winner is None:
            return {}
        return reveal_deltas(self.winner, seats, self.reveal_penalty, self.players)

    def step(self, step: str) -> WinFlow:
        """Return the win after one more step, such as `declare` or `confirm:W`.

        Raises:
            InvalidRequest: for a word that is no step at all.

        >>> WinFlow(Seat.S).step("declare").step("state").refused
        ('state',)
        """
        word, seat = _read(step)
        after = None if self.winner is None else _STEPS[word](self, seat)
        return replace(self, refused=(*self.refused, step)) if after is None else after


Step = Callable[[WinFlow, Seat | None], WinFlow | None]
"""A step gives the win after it, or None where it is refused."""


def follow(flow: WinFlow, steps: Iterable[str]) -> WinFlow:
    """Return the win after all the steps."""
    for step in steps:
        flow = flow.step(step)
    return flow


def _read(step: str) -> tuple[str, Seat | None]:
    word, colon, letter = step.partition(":")
    if word not in _STEPS or bool(colon) != (word in _BY_SEAT) or (colon and letter not in tuple(ALL_SEATS)):
        named = [f"{name}:SEAT" if name in _BY_SEAT else name for name in _STEPS]
        raise InvalidRequest(f"a step is one of {', '.join(named)}, not {step!r}")
    return word, Seat(letter) if colon else None


def _moves(*ways: tuple[WinState, WinState]) -> Step:
    """Return a step that leads from some states each to another."""
    table = dict(ways)

    def step(flow: WinFlow, seat: Seat | None) -> WinFlow | None:
        target = table.get(flow.state)
        return None if target is None else replace(flow, state=target)

    return step


def _confirm(flow: WinFlow, seat: Seat | None) -> WinFlow | None:
    if seat not in flow.missing:
        return None
    agreed = flow.confirmed | {seat}
    if len(flow.missing) > 1:
        return replace(flow, confirmed=agreed)
    state = WinState.CONFIRMED if flow.has_referee else WinState.SETTLED
    return replace(flow, confirmed=agreed, state=state)


def _object(flow: WinFlow, seat: Seat | None) -> WinFlow | None:
    is_open = flow.state in (WinState.LAID_OUT, WinState.STATED, WinState.CONFIRMED)
    return replace(flow, state=WinState.REVIEW) if is_open and seat in flow._others() else None


def _reveal(flow: WinFlow, seat: Seat | None) -> WinFlow | None:
    if seat is None or seat not in flow._others() or flow.state in (WinState.PLAY, WinState.FALSE_WIN):
        return None
    if (seat, PREMATURE_REVEAL) in flow.irregularities:
        return None  # tiles that lie open cannot be laid down again
    if flow.state not in _UNCONFIRMED:
        return flow
    return replace(flow, irregularities=(*flow.irregularities, (seat, PREMATURE_REVEAL)))


S = WinState
_STEPS: dict[str, Step] = {
    "declare": _moves((S.PLAY, S.DECLARED)),
    "lay_out": _moves((S.DECLARED, S.LAID_OUT)),
    "state": _moves((S.LAID_OUT, S.STATED)),
    "confirm": _confirm,
    "referee": _moves((S.CONFIRMED, S.SETTLED)),
    "referee_fail": _moves((S.CONFIRMED, S.FALSE_WIN)),
    "object": _object,
    "review_ok": _moves((S.REVIEW, S.SETTLED)),
    "review_fail": _moves((S.REVIEW, S.FALSE_WIN)),
    "reveal": _reveal,
}
_BY_SEAT = frozenset({"confirm", "object", "reveal"})
STEPS: tuple[str, ...] = tuple(_STEPS)
