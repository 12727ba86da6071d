"""What each kind of correction brings about: the facts that carry it, or why it cannot be.

Another result of a hand is a subject of its own: `amend_result`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from controller.decide.kit import World, body_seat
from controller.decide.settle import void
from controller.errors import Refused
from controller.evening import seat_facts
from controller.facts import Fact
from controller.fold_rows import HandRow
from controller.fold_sheet import row_of
from controller.inputs import TableInput
from controller.judge import walls_suit_any_dealer
from controller.state import Phase, TableState
from rules.seats import Seat

UNDO = "undo"
PLAYER = re.compile(r"[A-Za-z0-9_-]{1,32}")
Who = Mapping[str, Any]
Ask = Mapping[str, Any]
Carry = Callable[[World, Ask, Who], tuple[Fact, ...]]


# ---------------------------------------------------------------------- the last result is taken back


def undone(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """The last result does not count: paid back with its kongs; its dealer deals the next hand."""
    state = world.state
    row = next((row for row in reversed(state.sheet) if row.outcome.kind != "void"), None)
    if row is None:
        raise Refused("refuse.undo_result", phase=state.phase.value)
    follows = (row.dealer, row.circle, row.run)
    body = {**who, "of": row.seq, "hand": row.hand, **deal(state, row, follows)}
    return (Fact("result_undone", body), *follow(state, body))


def follow(state: TableState, body: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return the change of seats for a hand that has begun and is now one of another circle."""
    return seat_facts(state, body["circle"], state.hand) if body["leads"] == "open" else ()


def deal(
    state: TableState, row: HandRow, follows: tuple[Seat, int, int], kind: str = "void"
) -> dict[str, Any]:
    """Return who deals after a corrected hand, and which hand that still is: hands that were dealt stand."""
    assert state.table is not None
    later = [each for each in state.sheet if each.hand > row.hand and each.outcome.kind != "void"]
    leads = None if later else "next"
    if leads is not None and state.is_open:
        where = state.fault.phase if state.phase is Phase.FAULT and state.fault else state.phase
        suits = walls_suit_any_dealer(state.table.tiles, state.table.options)
        leads = "open" if where in (Phase.BUILDING, Phase.READY) and suits else None
    if state.table.procedure.get("mode") == "dice_each_hand" and kind != "void":
        leads = None  # dice say who deals, whatever the result was
    dealer, circle, run = follows
    return {"next_dealer": dealer.value, "circle": circle, "run": run, "leads": leads}


# ---------------------------------------------------------------------- players


def swapped(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """Two players sat at each other's places from a hand on: what those places brought is theirs.

    With `stay` false they have gone back to their own places: only the hands that were played change.
    """
    state, seats = world.state, ask.get("seats")
    if not isinstance(seats, list | tuple) or len(seats) != 2:
        raise Refused("refuse.invalid", field="seats")
    one, other = (body_seat({"seats": seat}, "seats") for seat in seats)
    first, stay = ask.get("from_hand"), ask.get("stay", True)
    if one is other or not isinstance(stay, bool):
        raise Refused("refuse.invalid", field="seats" if one is other else "stay")
    is_played = isinstance(first, int) and row_of(state, first) is not None
    if not is_played and not (state.is_open and stay and first == state.hand):
        raise Refused("refuse.no_hand", hand=first)
    entries = [state.seats[seat.index].account for seat in (one, other)]
    body = {"entries": entries, "seats": [one.value, other.value], "from_hand": first, "stay": stay}
    return (Fact("players_swapped", {**who, **body}),)


def replaced(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """Somebody else plays from now on, or (`leaves`) nobody: the place keeps its score."""
    state = world.state
    place = state.seats[body_seat(ask, "place").index]
    player, leaves = ask.get("player"), ask.get("leaves", False)
    if leaves and (player is not None or not place.player):
        raise Refused("refuse.invalid", field="leaves")
    if not leaves:
        player = f"p{state.guests + 1}" if player is None else player
        if not isinstance(player, str) or not PLAYER.fullmatch(player):
            raise Refused("refuse.invalid", field="player")
        if any(player == each.player for each in state.seats):
            raise Refused("refuse.player_here", player=player)
    body = {"seat": place.seat.value, "entry": place.account, "player": player, "was": place.player}
    hand = state.hand if state.is_open else state.hand + 1
    return (Fact("player_replaced", {**who, **body, "hand": hand}),)


# ---------------------------------------------------------------------- the end


def ended(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """The game ends now; a hand that is being played is called off first, as `void` does."""
    state = world.state
    if state.over is not None:
        raise Refused("refuse.game_over")
    facts: tuple[Fact, ...] = ()
    if state.is_open:
        made = void(world, TableInput("void", body={"reason": who["reason"]}, source=who["source"]))
        if not made.ok:
            raise Refused(made.code, **made.params)
        facts = made.facts
    return (*facts, Fact("game_ended", {**who, "cause": "forced", "hand": state.hand}))
