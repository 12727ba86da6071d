"""`op` cases of the two games for two players (two-player.md, Case format)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.errors import InvalidRequest
from rules.evaluate import score
from rules.fields import Fields, as_seat, show, whole
from rules.legal_ops import players_of
from rules.ops import op
from rules.procedure import open_two_throw, walls
from rules.seats import Seat
from rules.situation import SELF_DRAW, WAYS, Situation, Win
from rules.variant import resolve_options
from rules.variants.mcr import MCR
from rules.variants.two_player import (
    FEATURES,
    PLAYED_B,
    SLUG,
    TILES_A,
    TILES_B,
    TWO_PLAYER,
    is_closed,
    last_draw_of,
    next_dealer,
    settle71,
)

TWO: tuple[Seat, Seat] = (Seat.E, Seat.S)
TEXTS = ("A", "B")
MOST_FAN = 1000
MOST_STAKE = 1_000_000
MELDS = ("chow", "pung", "exposed_kong", "added_kong", "concealed_kong")


def _players(case: Fields) -> tuple[Seat, ...]:
    return players_of(case) if case.has("players") else TWO


def _by_seat(deltas: Mapping[Seat, int]) -> dict[str, int]:
    return {seat.value: points for seat, points in deltas.items()}


def _drawn(dealer: Seat, players: Sequence[Seat]) -> dict[str, Any]:
    """Return a drawn hand of text B: nobody pays, the dealer deals again."""
    return {
        "result": "draw",
        "haidi": None,
        "deltas": _by_seat(dict.fromkeys(players, 0)),
        "next_dealer": next_dealer("B", dealer, None, players).value,
    }


def _seat_of(given: Fields, key: str, players: Sequence[Seat]) -> Seat:
    seat = given.seat(key)
    if seat not in players:
        raise InvalidRequest(f"{given.name(key)}: {seat} does not play")
    return seat


def _fan(given: Fields, winner: Seat, by: str, dealer: Seat, players: tuple[Seat, ...]) -> int:
    """Return the fan that the players say, or what the official list without a minimum gives the hand."""
    source = given.one_of("fan_source", ("manual", "mcr"), "manual")
    if source == "manual":
        return given.integer("fan", 0, MOST_FAN)
    other = next(seat for seat in players if seat != winner)
    fed = None if by == SELF_DRAW else other
    win = Win(winner, given.hand("hand", melds_anywhere=True), by, fed)
    scored = score(MCR, win, Situation(dealer, players, {"min_fan": 0}))
    if not scored.legal:
        raise InvalidRequest(f"{given.name('hand')} is no win: {scored.reason}")
    return scored.total


@op("settle71", SLUG)
def _settle71(given: Fields, case: Fields) -> dict[str, Any]:
    players = _players(case)
    winner, dealer = _seat_of(given, "winner", players), _seat_of(given, "dealer", players)
    by = given.one_of("by", WAYS)
    stake = given.integer("stake", 1, MOST_STAKE, 1)
    options = resolve_options(TWO_PLAYER, {"text": "B", **case.mapping("options")})
    settled = settle71(winner, by, _fan(given, winner, by, dealer, players), stake, players, options)
    return {
        "fan": settled.fan,
        "deltas": _by_seat(settled.deltas),
        "next_dealer": next_dealer("B", dealer, winner, players).value,
        "counted_as": settled.booked_as,
    }


@op("end71", SLUG)
def _end71(given: Fields, case: Fields) -> dict[str, Any]:
    """Answer what happens when the 71 tiles are used; `ready` in the order of the declarations."""
    players = _players(case)
    dealer = _seat_of(given, "dealer", players)
    drawer = last_draw_of([as_seat(seat, given.name("ready")) for seat in given.items("ready")])
    if drawer is None:
        return _drawn(dealer, players)
    if drawer not in players:
        raise InvalidRequest(f"{given.name('ready')}: {drawer} does not play")
    return {"result": "haidi", "haidi": drawer.value}


@op("haidi71", SLUG)
def _haidi71(given: Fields, case: Fields) -> dict[str, Any]:
    players = _players(case)
    dealer, ready = _seat_of(given, "dealer", players), _seat_of(given, "ready", players)
    if given.tile("tile") not in given.tiles("waits"):
        return _drawn(dealer, players)
    options = resolve_options(TWO_PLAYER, {"text": "B", **case.mapping("options")})
    fan, stake = given.integer("fan", 0, MOST_FAN), given.integer("stake", 1, MOST_STAKE, 1)
    settled = settle71(ready, SELF_DRAW, fan, stake, players, options)
    return {
        "result": "win",
        "counted_as": settled.booked_as,
        "deltas": _by_seat(settled.deltas),
        "next_dealer": next_dealer("B", dealer, ready, players).value,
    }


@op("closed71", SLUG)
def _closed71(given: Fields, case: Fields) -> dict[str, Any]:
    rows = [
        Fields({"melds": melds}, given.name("melds")).words("melds", MELDS) for melds in given.items("melds")
    ]
    return {"closed": [is_closed(melds) for melds in rows]}


_AFTER_READY = {  # event of a player who has declared: is it allowed, what the table does
    "declined_win": (True, "keep"),
    "exchange": (False, "refuse"),
    "draw_no_win": (True, "discard_drawn"),
}
_BEFORE_READY = {
    "declined_win": (True, "keep"),
    "exchange": (True, "exchange"),
    "draw_no_win": (True, "choose_discard"),
}


@op("ready71", SLUG)
def _ready71(given: Fields, case: Fields) -> dict[str, Any]:
    """Answer what a declaration changes; nothing that happens afterwards takes it back."""
    declared = given.flag("declared")
    table = _AFTER_READY if declared else _BEFORE_READY
    rows = [table[event] for event in given.words("events", tuple(table))]
    return {
        "ready_after": [declared] * len(rows),
        "allowed": [allowed for allowed, _ in rows],
        "action": [action for _, action in rows],
    }


@op("feature71", SLUG)
def _feature71(given: Fields, case: Fields) -> dict[str, Any]:
    switched = dict.fromkeys(given.words("on", FEATURES), True)
    options = resolve_options(TWO_PLAYER, switched)
    return {"allowed": [options.on(feature) for feature in given.words("features", FEATURES)]}


@op("may_discard", SLUG)
def _may_discard(given: Fields, case: Fields) -> dict[str, Any]:
    """Neither text bars a discard after a claim: the tile just claimed may be discarded too."""
    given.one_of("text", TEXTS)
    claimed, discards = given.tiles("claimed"), given.tiles("discard")
    if len(claimed) != len(discards):
        raise InvalidRequest(f"{given.name('discard')}: one discard for each claim, not {len(discards)}")
    return {"allowed": [not discard.is_flower for discard in discards]}


@op("break_two_player", SLUG)
def _break_two_player(given: Fields, case: Fields) -> dict[str, Any]:
    ring = walls(TILES_A, players=2)
    dealer = _seat_of(given, "dealer", tuple(ring))
    first, second = given.integer("first", 2, 12), given.integer("second", 2, 12)
    opening = open_two_throw(ring, dealer, first, second)
    assert opening.second_thrower is not None
    return {
        "second_thrower": opening.second_thrower.value,
        "count_wall": opening.count_seat.value,
        "count": opening.count,
        "open_seat": opening.seat.value,
        "open_stack": opening.stack,
    }


def _winner(result: object, name: str) -> Seat | None:
    """Return who won: a result is ["win", seat] or ["draw", null]."""
    if not isinstance(result, (list, tuple)) or len(result) != 2 or result[0] not in ("win", "draw"):
        raise InvalidRequest(f"{name}: a result is [win, seat] or [draw, null], not {show(result)}")
    return as_seat(result[1], name) if result[0] == "win" else None


@op("rotation", SLUG)
def _rotation(given: Fields, case: Fields) -> dict[str, Any]:
    players = _players(case)
    winners = [_winner(result, given.name("results")) for result in given.items("results")]
    found: dict[str, list[str]] = {}
    for text in given.words("text", TEXTS):
        dealer, dealers = _seat_of(given, "dealer", players), []
        for winner in winners:
            dealer = next_dealer(text, dealer, winner, players)
            dealers.append(dealer.value)
        found[text] = dealers
    return {"dealers": found}


@op("rob", SLUG)
def _rob(given: Fields, case: Fields) -> dict[str, Any]:
    given.one_of("text", TEXTS)
    return {"allowed": [kind == "added" for kind in given.words("kinds", ("added", "exposed", "concealed"))]}


@op("end72", SLUG)
def _end72(given: Fields, case: Fields) -> dict[str, Any]:
    given.one_of("text", TEXTS)
    _seat_of(given, "dealer", _players(case))
    return {"result": "draw", "deltas": _by_seat(dict.fromkeys(_players(case), 0))}


def _dealt(given: Fields) -> int:
    return sum(whole(tiles, 0, 14, given.name("deal")) for tiles in given.items("deal"))


@op("count71", SLUG)
def _count71(given: Fields, case: Fields) -> dict[str, Any]:
    used = given.integer("used", 1, given.integer("set", PLAYED_B, TILES_B, TILES_B), PLAYED_B)
    dealt = _dealt(given)
    if dealt > used:
        raise InvalidRequest(f"{given.name('deal')}: {dealt} tiles of {used}")
    return {"left": used - dealt}


@op("count72", SLUG)
def _count72(given: Fields, case: Fields) -> dict[str, Any]:
    total = sum(given.integer(part, 0, 36) for part in ("m", "winds", "dragons", "flowers"))
    stacks, dealt = total // (2 * len(TWO)), _dealt(given)
    if dealt > total:
        raise InvalidRequest(f"{given.name('deal')}: {dealt} tiles of {total}")
    return {"total": total, "stacks_each": stacks, "left": total - dealt}
