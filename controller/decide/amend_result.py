"""A hand ended otherwise than it was booked: scored anew with the dealer, winds and kongs it was played with.

What is told is everything: all winners of the tile where the rules have several, and, if people say so, all
kongs of the hand. Nothing is computed here: kongs are paid and hands are scored by the rules.
Source: win-procedure.md section 2 (multi_win); issue 6, item 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.decide.amend import Ask, Who, deal, follow
from controller.decide.kit import World, body_seat, body_text, optional_seat
from controller.decide.play import BY, read_flags
from controller.decide.reading import undeclared_kongs
from controller.decide.settle import folded, following, win_row
from controller.errors import Refused
from controller.evening import end_facts
from controller.facts import Fact
from controller.fold_rows import HandRow, added, standing
from controller.fold_sheet import by_seat, paid_kong, row_of
from controller.judge import (
    canonical_hand,
    canonical_tile,
    draw_result,
    fifth_copies,
    has_flowers,
    judge_body,
    kong_deltas,
    kong_kind,
    kongs_are_paid,
    may_several_win,
    robbed_kong,
    settle_agreed,
)
from controller.reveal import FLOWERS
from controller.state import SEATS, AgreedWin, ClaimState, KongState, ReadingState, ResultState, TableState
from rules.hand import MeldKind
from rules.notation import parse_hand
from rules.seats import Seat

KINDS = ("win", "drawn", "void")
KONGS_MOST = 16
"""Kongs that four players can have."""
FIELDS = ("hand", "kind", "winner", "by", "from", "hand_text", "flags", "flowers", "also", "kongs")
"""What a wish for another result says."""


def redone(world: World, ask: Ask, who: Who) -> tuple[Fact, ...]:
    """Return the facts that give a hand another result, and what follows from it."""
    state = world.state
    row, kind = _row(state, ask), ask.get("kind")
    if kind not in KINDS:
        raise Refused("refuse.invalid", field="kind")
    told = _told_kongs(_as_played(state, row), row, ask)
    if told is not None:
        row = replace(row, kongs=tuple(paid_kong(kong) for kong in told))
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
        **({} if told is None else {"kongs": told}),
        **deal(state, row, follows, kind),
    }
    facts = (Fact("result_corrected", body), *follow(state, body))
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
    nothing: dict[str, Any] = {"claim": None, "reading": None, "stated": None, "accused": None}
    return replace(state, **then, **nothing, kongs=kongs, agreed=(), waiting=())


def _booked(
    row: HandRow, deltas: Mapping[str, int], dealer: Seat, robbed: list[int], winners: tuple[Seat, ...] = ()
) -> dict[str, Any]:
    """Return what every corrected result says: no hand, no winner, kongs and other payments as they stand."""
    kongs = (replace(kong, robbed=index in robbed) for index, kong in enumerate(row.kongs))
    paid = added(standing(kongs), row.fines)
    for winner in winners:
        paid = added(paid, row.given_to(winner))
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
        "next_dealer": dealer.value,
    }


def _called_off(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    if ask.get("kongs") is not None:  # none of them is paid
        raise Refused("refuse.invalid", field="kongs")
    nothing = dict.fromkeys((seat.value for seat in SEATS), 0)
    return _booked(row, nothing, row.dealer, list(range(len(row.kongs))))


def _drawn(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    deltas, dealer = draw_result(played)
    return _booked(row, deltas, dealer, [])


# ---------------------------------------------------------------------- kongs


def _told_kongs(played: TableState, row: HandRow, ask: Ask) -> list[dict[str, Any]] | None:
    """Return all kongs of the hand as people tell them now; None = they stand as they were booked."""
    told = ask.get("kongs")
    if told is None:
        return None
    if not isinstance(told, list | tuple) or len(told) > KONGS_MOST:
        raise Refused("refuse.invalid", field="kongs")
    kongs = [_told_kong(played, row, one) for one in told]
    tiles = [kong["tile"] for kong in kongs]
    if len(set(tiles)) != len(tiles):
        raise Refused("refuse.kong", tile=next(tile for tile in tiles if tiles.count(tile) > 1))
    return kongs


def _told_kong(played: TableState, row: HandRow, told: object) -> dict[str, Any]:
    """Return a kong with what it pays: as it was booked, unless it is new or its source is told."""
    if not isinstance(told, Mapping):
        raise Refused("refuse.invalid", field="kongs")
    seat, kind, feeder = body_seat(told, "seat"), kong_kind(told.get("kind")), optional_seat(told, "from")
    tile = canonical_tile(body_text(told, "tile", 2))
    known = next(
        (kong for kong in row.kongs if (kong.seat, kong.kind, kong.tile) == (seat, kind, tile)), None
    )
    is_exposed = kind == MeldKind.EXPOSED_KONG.value
    if is_exposed and feeder is None and known is None:
        raise Refused("refuse.from", field="from")
    if feeder is seat or (feeder is not None and not is_exposed):
        raise Refused("refuse.invalid", field="from")
    if known is not None and feeder is None:
        deltas = {each.value: known.deltas[each.index] for each in SEATS}
    else:
        deltas = kong_deltas(played, seat, kind, tile, feeder)
    source = None if feeder is None else feeder.value
    return {"seat": seat.value, "kind": kind, "tile": tile, "from": source, "deltas": deltas}


# ---------------------------------------------------------------------- winners


def _won(played: TableState, row: HandRow, ask: Ask) -> dict[str, Any]:
    by, payer = ask.get("by"), optional_seat(ask, "from")
    if by not in BY:
        raise Refused("refuse.invalid", field="by")
    if (payer is None) != (by == "self_draw"):
        raise Refused("refuse.invalid", field="from")
    wins = tuple(_win(played, row, one, str(by), payer) for one in (ask, *_also(played, ask)))
    _check_together(wins)
    if ask.get("kongs") is not None:
        _check_kongs(played, wins)
    robbed = _robbed(played, wins[0])
    deltas, dealer, order = settle_agreed(replace(played, agreed=wins))
    wins = tuple(sorted(wins, key=lambda win: order.index(_seat(win))))
    rows = [win_row(played, win) for win in wins]
    body = _booked(row, deltas, dealer, robbed, order)
    return {**body, **rows[0], **({"wins": rows} if len(rows) > 1 else {})}


def _seat(win: AgreedWin) -> Seat:
    assert win.claim.seat is not None
    return win.claim.seat


def _also(played: TableState, ask: Ask) -> list[Mapping[str, Any]]:
    """Return the further winners that people tell: none where one tile has one winner."""
    also = ask.get("also") or []
    if not isinstance(also, list | tuple) or not all(isinstance(one, Mapping) for one in also):
        raise Refused("refuse.invalid", field="also")
    if also and (ask.get("by") == "self_draw" or not may_several_win(played)):
        raise Refused("refuse.invalid", field="also")
    return list(also)


def _win(played: TableState, row: HandRow, ask: Ask, by: str, payer: Seat | None) -> AgreedWin:
    """Return one winner's hand with what the rules say of it."""
    winner, text = body_seat(ask, "winner"), ask.get("hand_text")
    if payer is winner:
        raise Refused("refuse.invalid", field="from")
    if not isinstance(text, str):
        raise Refused("refuse.invalid", field="hand_text")
    hand, flowers = canonical_hand(text), _flowers(played, ask)
    claim, stated = ClaimState("win", winner, by, payer, read_flags(ask)), row.stated_by(winner)
    claimed = replace(played, claim=claim, stated=stated)
    result = judge_body(claimed, hand, flowers)
    if not result["legal"]:
        raise Refused("refuse.not_win", reason=result["reason"])
    if fifth_copies(claimed, winner, hand):
        raise Refused("refuse.not_win", reason="five_copies")
    reading = ReadingState(winner, hand, True, "page", flowers=tuple((tile, 1.0) for tile in flowers))
    elements = tuple((str(key), str(zh), str(en), int(value)) for key, zh, en, value in result["elements"])
    told = by_seat(result["deltas"])
    scored = ResultState(True, None, elements, int(result["total"]), told, Seat(result["next_dealer"]))
    return AgreedWin(claim, reading, scored, stated)


def _check_together(wins: tuple[AgreedWin, ...]) -> None:
    """Refuse winners that cannot have won one tile together."""
    if len({win.claim.seat for win in wins}) != len(wins):
        raise Refused("refuse.invalid", field="also")
    if len({parse_hand(win.reading.hand or "").win_tile for win in wins}) > 1:
        raise Refused("refuse.not_win", reason="other_tile")


def _check_kongs(played: TableState, wins: tuple[AgreedWin, ...]) -> None:
    """Refuse a hand with a kong that is not among those that people told: it would stay unpaid."""
    if any(undeclared_kongs(played, _seat(win), win.reading.hand) for win in wins):
        raise Refused("refuse.not_win", reason="kong_untold")


def _robbed(played: TableState, win: AgreedWin) -> list[int]:
    """Return which kong of the hand was robbed: its payment does not stand."""
    if win.claim.by != "rob_kong" or not kongs_are_paid(played):
        return []
    kong = robbed_kong(replace(played, claim=win.claim), win.reading.hand or "")
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
