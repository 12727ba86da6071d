"""What the table agreed on for the evening, as far as it plays it: who deals next, drawn hands, a game's end.

Games that were started before the ledger told it go on as the variant has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.facts import Fact
from controller.fold_rows import MATCH
from controller.state import SEATS, TableState
from rules.procedure_options import PROCEDURE_OPTIONS
from rules.rotation import CIRCLES, Deal, Result, next_deal
from rules.rotation import draw_payment as drawn_payment
from rules.seating import mcr_moves
from rules.seats import Seat
from rules.settings import SettingRefused, Settings, default_of, retention_of, settle_settings
from rules.win_options import WIN_OPTIONS

PLAYED = frozenset(
    {
        "mode",
        "on_dealer_win",
        "on_other_win",
        "on_draw",
        "draw_pay",
        "max_hands",
        "max_counts",
        "loss_limit",
        "hands",
        "mcr_seats",
        "seating",
        "dice_seat_order",
        "tie",
        "reseating",
        "winner_dice_on_draw",
        "first_dealer",
    }
)
"""Settings of the evening that the table follows; the others stay as the preset has them."""
_UNPLAYED = {
    "seating": ("draw", "tianjin"),
    "reseating": ("wind_stack",),
    "first_dealer": ("draw",),
}
"""Values that need wind tiles, which nobody sees at the table; people may seat themselves (`habit`)."""
_UNSEEN = frozenset({"countdown_s", "per_row", "forbid_same_turn"})
"""Settings of discards and readiness, which nobody tells the table: only their defaults stand."""
_NOT_YET = ("牌桌还不能照这样打，先用默认的", "the table cannot play this yet, keep the default")


def agreed_settings(variant: str, options: Mapping[str, Any], procedure: Mapping[str, Any]) -> Settings:
    """Return every setting of the table.

    Raises:
        SettingRefused: for what is no setting, contradicts another, or cannot be played at a table yet (code
            `setting_not_yet`).
    """
    found = settle_settings({"variant": variant, "options": dict(options), "procedure": dict(procedure)})
    played = PLAYED | {row.key for row in WIN_OPTIONS if row.key not in _UNSEEN}
    for row in (*PROCEDURE_OPTIONS, *WIN_OPTIONS):
        value = found.procedure.get(row.key)
        asked = row.key in found.procedure and (row.key not in played or value in _UNPLAYED.get(row.key, ()))
        if asked and found.procedure[row.key] != default_of(variant, row):
            raise SettingRefused("setting_not_yet", row.key, *_NOT_YET)
    return found


def _is_agreed(state: TableState) -> bool:
    return state.table is not None and "mode" in state.table.procedure


def dealer_after(state: TableState, result: Result, by_variant: Seat) -> Seat:
    """Return who deals after this hand: as the table agreed, else as the variant has it."""
    if state.table is None or not _is_agreed(state):
        return by_variant
    rule = retention_of(state.table.options, state.table.procedure)
    if rule.mode == "dice_each_hand":
        return state.dealer  # he throws for who deals, before the next hand
    return next_deal(Deal(state.dealer, run=state.run), state.first_dealer, result, rule).dealer


def counts_circles(state: TableState) -> bool:
    """Return whether the deal goes round, so that its return to the first dealer ends a circle."""
    mode = "circles" if state.table is None else state.table.procedure.get("mode", "circles")
    return mode in ("circles", "mcr")


def seat_moves(state: TableState, circle: int) -> dict[Seat, Seat]:
    """Return where everybody goes for the seats of a circle of Chinese Official; nothing: all stay."""
    if state.table is None or state.table.procedure.get("mode") != "mcr":
        return {}
    option = str(state.table.procedure.get("mcr_seats", "third_round_only"))
    moves = mcr_moves(option, state.seats_circle, circle)
    return moves if any(seat is not to for seat, to in moves.items()) else {}


def seats_due(state: TableState) -> dict[Seat, Seat]:
    """Return where everybody goes before the next hand; nothing while one is played or the game is over."""
    if state.is_open or state.over is not None or state.upcoming is None:
        return {}
    return seat_moves(state, state.upcoming[1])


def seat_facts(state: TableState, circle: int, hand: int) -> tuple[Fact, ...]:
    """Return the fact that people have taken the seats of a circle, where they are other ones."""
    moves = seat_moves(state, circle)
    if not moves:
        return ()
    body = {"moves": {seat.value: to.value for seat, to in moves.items()}, "circle": circle, "hand": hand}
    return (Fact("seats_changed", body),)


def draw_payment(state: TableState) -> dict[Seat, int]:
    """Return what a drawn hand pays beside what the variant has it pay itself, in units."""
    if state.table is None or not _is_agreed(state) or "draw_pay" in state.table.options:
        return dict.fromkeys(SEATS, 0)
    rule = retention_of(state.table.options, state.table.procedure)
    points = drawn_payment(rule, state.dealer)
    return {seat: points[seat] * state.table.unit for seat in SEATS}


def why_over(state: TableState) -> str | None:
    """Return what ends the game after the hand that was booked last, None where it goes on.

    It is `agreed_hands`, `loss_limit` (somebody has lost more than that) or `four_circles` (the deal is back
    at the first dealer for the fourth time). Hands that were called off or undone do not count.
    """
    if state.table is None or not _is_agreed(state):
        return None
    agreed = state.table.procedure
    hands, limit = int(agreed.get("hands", 0)), int(agreed.get("loss_limit", 0))
    if hands and sum(row.outcome.kind != "void" for row in state.sheet) >= hands:
        return "agreed_hands"
    if limit and min(place.score for place in state.seats) < -limit * state.table.unit:
        return "loss_limit"
    return "four_circles" if counts_circles(state) and _is_round_again(state) else None


def _is_round_again(state: TableState) -> bool:
    """Return whether the hand that comes next would be of a fifth circle: the count has begun anew."""
    return state.upcoming is not None and (state.circle, state.upcoming[1]) == (CIRCLES, 1)


def end_facts(state: TableState) -> tuple[Fact, ...]:
    """Return the fact that ends the game, if it is over and nobody plays; none otherwise."""
    why = None if state.over is not None or state.is_open else why_over(state)
    if why is None:
        return ()
    who: dict[str, Any] = {
        "asked_by": None,
        "reason": why,
        "role": "table",
        "seats": [],
        "referee": None,
        "source": "table",
    }
    return (Fact("game_ended", {**who, "cause": MATCH, "hand": state.hand}),)
