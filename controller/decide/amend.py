"""What each kind of correction brings about: the facts that carry it, or why it cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from controller.decide.kit import World, body_seat, optional_seat
from controller.decide.play import BY, read_flags
from controller.decide.settle import folded, following, void
from controller.errors import Refused
from controller.evening import end_facts, seat_facts
from controller.facts import Fact
from controller.fold_rows import ZERO, Four, HandRow, added, standing
from controller.fold_sheet import row_of
from controller.inputs import TableInput
from controller.judge import (
    canonical_hand,
    counted_points,
    draw_result,
    fifth_copies,
    has_flowers,
    judge_body,
    kongs_are_paid,
    robbed_kong,
    walls_suit_any_dealer,
)
from controller.reveal import FLOWERS
from controller.state import SEATS, ClaimState, KongState, Phase, TableState
from rules.seats import Seat

UNDO = "undo"
KINDS = ("win", "drawn", "void")
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
    body = {**who, "of": row.seq, "hand": row.hand, **_deal(state, row, follows)}
    return (Fact("result_undone", body), *_seats(state, body))


def _seats(state: TableState, body: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return the change of seats for a hand that has begun and is now one of another circle."""
    return seat_facts(state, body["circle"], state.hand) if body["leads"] == "open" else ()


def _deal(
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


# ---------------------------------------------------------------------- a result was another one


def redone(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """A hand ended otherwise than it was booked: scored anew with the dealer and winds it was played with."""
    state = world.state
    row, kind = _row(state, ask), ask.get("kind")
    if kind not in KINDS:
        raise Refused("refuse.invalid", field="kind")
    played = _as_played(state, row)
    make = {"win": _won, "drawn": _drawn, "void": _called_off}[kind]
    result = make(played, row, ask)
    dealer = Seat(result["next_dealer"])
    follows = (dealer, row.circle, row.run) if kind == "void" else (dealer, *following(played, dealer))
    body = {
        **who,
        "of": row.seq,
        "hand": row.hand,
        "kind": kind,
        **result,
        **_deal(state, row, follows, kind),
    }
    facts = (Fact("result_corrected", body), *_seats(state, body))
    return (*facts, *end_facts(folded(state, facts)))


def _row(state: TableState, ask: Ask) -> HandRow:
    hand = ask.get("hand")
    row = row_of(state, hand) if isinstance(hand, int) else None
    if row is None:
        raise Refused("refuse.no_hand", hand=hand)
    return row


def _as_played(state: TableState, row: HandRow) -> TableState:
    """Return the table as it stood in that hand: its dealer, its winds, its kongs."""
    kongs = tuple(KongState(kong.seat, kong.kind, kong.tile, None, kong.deltas) for kong in row.kongs)
    then: dict[str, Any] = {"hand": row.hand, "dealer": row.dealer, "circle": row.circle, "run": row.run}
    return replace(state, **then, kongs=kongs, claim=None, stated=None, accused=None)


def _booked(
    row: HandRow, deltas: Mapping[str, int], dealer: str, robbed: list[int], gifts: Four = ZERO
) -> dict[str, Any]:
    """Return what every corrected result says: no hand, no winner, kongs and other payments as they stand."""
    kongs = (replace(kong, robbed=index in robbed) for index, kong in enumerate(row.kongs))
    paid = added(added(standing(kongs), row.fines), gifts)
    return {
        "seat": None,
        "by": None,
        "from": None,
        "hand_text": None,
        "elements": [],
        "total": 0,
        "deltas": dict(deltas),
        "paid": {seat.value: paid[seat.index] for seat in SEATS},
        "robbed": robbed,
        "evidence": None,
        "next_dealer": dealer,
    }


def _called_off(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    nothing = dict.fromkeys((seat.value for seat in SEATS), 0)
    return _booked(row, nothing, row.dealer.value, list(range(len(row.kongs))))


def _drawn(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    deltas, dealer = draw_result(played)
    return _booked(row, deltas, dealer.value, [])


def _won(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    winner, by, payer = body_seat(ask, "winner"), ask.get("by"), optional_seat(ask, "from")
    if by not in BY:
        raise Refused("refuse.invalid", field="by")
    if (payer is None) != (by == "self_draw") or payer is winner:
        raise Refused("refuse.invalid", field="from")
    text = ask.get("hand_text")
    if not isinstance(text, str):
        raise Refused("refuse.invalid", field="hand_text")
    hand, flags, flowers = canonical_hand(text), read_flags(ask), _flowers(played, ask)
    stated = row.stated_by(winner)
    played = replace(played, claim=ClaimState("win", winner, by, payer, flags), stated=stated)
    result = judge_body(played, hand, flowers)
    if not result["legal"]:
        raise Refused("refuse.not_win", reason=result["reason"])
    if fifth_copies(played, winner, hand):
        raise Refused("refuse.not_win", reason="five_copies")
    robbed, gifts = _robbed(played, hand, by), row.given_to(winner)
    body = _booked(row, result["deltas"], result["next_dealer"], robbed, gifts)
    around = {"dealer": row.dealer.value, "round_wind": played.round_wind.value}
    return {
        **body,
        "seat": winner.value,
        "by": by,
        "from": None if payer is None else payer.value,
        "hand_text": hand,
        "elements": result["elements"],
        "total": result["total"],
        "around": {**around, "flags": list(flags), "flowers": list(flowers)},
        **({} if stated is None else {"stated": stated, "counted": counted_points(played, result["total"])}),
    }


def _robbed(played: TableState, hand: str, by: str) -> list[int]:
    """Return which kong of the hand was robbed: its payment does not stand."""
    if by != "rob_kong" or not kongs_are_paid(played):
        return []
    kong = robbed_kong(played, hand)
    if kong is None:
        raise Refused("refuse.not_win", reason="rob_kong")
    return [played.kongs.index(kong)]


def _flowers(state: TableState, ask: Ask) -> tuple[str, ...]:
    tiles = ask.get("flowers") or []
    if not isinstance(tiles, list | tuple) or not all(isinstance(tile, str) for tile in tiles):
        raise Refused("refuse.invalid", field="flowers")
    named = sorted(tiles)
    if len(set(named)) != len(named) or not set(named) <= FLOWERS or (named and not has_flowers(state)):
        raise Refused("refuse.invalid", field="flowers")
    return tuple(named)


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
