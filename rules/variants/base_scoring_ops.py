"""Cases of base-scoring, written in a form of their own: hands may be untold, `total` is what is received."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.errors import InvalidRequest
from rules.fields import Fields
from rules.legal import nearest_first
from rules.legal_ops import players_of
from rules.ops import case_form
from rules.settlement import (
    Settlement,
    WinRefused,
    amount_to_number,
    settle,
    settle_draw,
    settlement_of,
)
from rules.situation import FLAGS, SELF_DRAW, WAYS, Situation, Win
from rules.variant import resolve_options
from rules.variants.base_scoring import BASE_SCORING, UNIT, Owed, pay_wins


@case_form("base-scoring")
def _answer(case: Fields) -> dict[str, Any]:
    """Answer `winner` (null = drawn hand) or `winners`; a hand of null is settled untold."""
    situation = Situation(
        case.seat("dealer"), players_of(case), resolve_options(BASE_SCORING, case.mapping("options"))
    )
    if not case.has("winners") and not case.has("winner"):
        if "winner" not in case.data:
            raise InvalidRequest("a case needs a winner (null for a drawn hand), winners, events or an op")
        return _answered(settle_draw(BASE_SCORING, situation), 0)
    if case.has("winners") and case.has("winner"):
        raise InvalidRequest("a case has a winner or winners, not both")
    told = case.items("winners") if case.has("winners") else [case.get("winner")]
    rows = [Fields(row, f"winners[{place}]" if len(told) > 1 else "winner") for place, row in enumerate(told)]
    try:
        settled = _settled(rows, situation)
    except WinRefused as refused:
        nothing = {seat.value: 0 for seat in situation.players}
        return {"legal": False, "reason": refused.reason, "elements": [], "total": 0, "deltas": nothing}
    received = sum(payment.units for payment in settled.payments)
    return {"legal": True, **_answered(settled, received)}


def _answered(settled: Settlement, received: int) -> dict[str, Any]:
    return {
        "elements": [],
        "total": amount_to_number(received, UNIT),
        "deltas": {seat.value: amount_to_number(units, UNIT) for seat, units in settled.deltas.items()},
        "next_dealer": settled.next_dealer.value,
    }


def _settled(rows: Sequence[Fields], situation: Situation) -> Settlement:
    """Settle wins that are told with their hands, or all without."""
    if not rows:
        raise InvalidRequest("no win to settle")
    told = [row.has("hand") for row in rows]
    if any(told) != all(told):
        raise InvalidRequest("either every winner's hand is told or none")
    if any(told):
        return settle(BASE_SCORING, [_win(row) for row in rows], situation)
    options = resolve_options(BASE_SCORING, situation.options)
    wins = [_untold(row, situation) for row in rows]
    if len({win.seat for win in wins}) != len(wins):
        raise InvalidRequest("a seat wins once")
    if len(wins) > 1:
        if any(win.by == SELF_DRAW for win in wins) or len({(win.by, win.source) for win in wins}) > 1:
            raise InvalidRequest("several seats can win only on one discard or one robbed kong")
        source = wins[0].source
        assert source is not None
        order = nearest_first(source, [win.seat for win in wins], situation.players)
        wins.sort(key=lambda win: order.index(win.seat))
        wins = wins if options.on("multi_win") else wins[:1]
    payments = pay_wins(wins, situation.dealer, situation.players, options)
    return settlement_of(BASE_SCORING, payments, tuple(win.seat for win in wins), situation)


def _win(row: Fields) -> Win:
    return Win(
        row.seat("seat"),
        row.hand("hand", melds_anywhere=True),
        row.one_of("by", WAYS),
        row.optional_seat("from"),
        frozenset(row.words("flags", FLAGS, [])),
        row.optional_integer("wall_left", 0, 1000),
    )


def _untold(row: Fields, situation: Situation) -> Owed:
    win = Owed(row.seat("seat"), row.one_of("by", WAYS), row.optional_seat("from"))
    if win.seat not in situation.players or (win.source is not None and win.source not in situation.players):
        raise InvalidRequest(f"{row.where}: who wins and who feeds the win are among those who play")
    if (win.by == SELF_DRAW) != (win.source is None) or win.source is win.seat:
        raise InvalidRequest(f"{row.where}: a self-draw comes from nobody, any other win from another seat")
    return win
