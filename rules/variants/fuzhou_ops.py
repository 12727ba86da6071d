"""Questions of fuzhou that are no win: opening, claims, the last four tiles, rotation. Source: fuzhou.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.errors import InvalidRequest
from rules.fields import Fields, as_seat
from rules.legal import Claim, precedence
from rules.options import Options
from rules.procedure import dice_to_seat
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after
from rules.tiles import Tile

ESCAPE = 200  # stakes
_ON_ONE_TILE = {"金龙": 0, "金雀": 1, "ordinary": 2}
_AFTER = {"chow": False, "pung": False, "draw": True, "kong_replacement": True}

Answer = dict[str, object]


def _claim_priority(given: Fields, options: Options) -> Answer:
    """金龙 before 金雀 before ordinary hands; of equal ones the nearest after the discarder."""
    order = in_order_after(given.seat("discarder"), ALL_SEATS)
    claims = [Fields(each, given.name("claims")) for each in given.items("claims")]
    ranked = [
        (_ON_ONE_TILE[each.one_of("kind", tuple(_ON_ONE_TILE))], order.index(each.seat("seat")))
        for each in claims
    ]
    return {"winner": order[min(ranked)[1]].value}


def opening_winner(calls: list[tuple[Seat, str]], dealer: Seat = Seat.E) -> Seat:
    """Return who wins before the first discard: 三金倒, 天和, 抢金 of another, 抢金 of the dealer.

    Of several the nearest after the dealer.
    """
    order = (*in_order_after(dealer, ALL_SEATS), dealer)
    rank = {"三金倒": 0, "天和": 1}

    def place(call: tuple[Seat, str]) -> tuple[int, int]:
        seat, kind = call
        return rank.get(kind, 3 if seat == dealer else 2), order.index(seat)

    return min(calls, key=place)[0]


def _opening_priority(given: Fields, options: Options) -> Answer:
    winners = []
    for words in given.items("sets"):
        calls = []
        for word in words:
            seat, _, kind = str(word).partition(":")
            if kind not in ("三金倒", "天和", "抢金"):
                raise InvalidRequest(f"{given.name('sets')}: 三金倒, 天和 or 抢金, not {kind!r}")
            calls.append((as_seat(seat, given.name("sets")), kind))
        winners.append(opening_winner(calls).value)
    return {"winners": winners}


def _open_gold(given: Fields, options: Options) -> Answer:
    """开金: flowers turned up are the dealer's, the first suit tile is the gold."""
    tail = given.tiles("tail")
    for used, tile in enumerate(tail, 1):
        if tile.suit is not None:
            flowers = [str(each) for each in tail[: used - 1]]
            return {"gold": str(tile), "dealer_flowers": flowers, "used": used}
    raise InvalidRequest(f"{given.name('tail')}: no suit tile turns up")


def _last_four(given: Fields, options: Options) -> Answer:
    """The last four tiles go round without discard and without flower replacement."""
    seat, waits = given.seat("first"), given.object("waits")
    for tile in given.tiles("draws"):
        if tile.suit is not None and tile in waits.tiles(seat.value):
            return {"winner": seat.value, "tile": str(tile), "by": "self_draw"}
        seat = seat_after(seat, ALL_SEATS)
    return {"winner": None, "result": "draw"}


def _escape(given: Fields, options: Options) -> Answer:
    """逃跑: a club penalty for whoever leaves, never part of the hand's ledger."""
    leaver, stake = given.seat("leaver"), given.integer("stake", 1, 100_000)
    penalties = [{leaver.value: -ESCAPE * stake} if on else None for on in given.items("enabled")]
    return {"penalty": penalties, "deltas": {seat.value: 0 for seat in ALL_SEATS}}


def _claim(given: Fields, options: Options) -> Answer:
    """Who gets a discard; nobody a gold."""
    if given.tile("tile") == given.tile("gold"):
        return {"granted": []}
    where = given.name("claims")
    claims = [Claim(as_seat(seat, where), kind) for seat, kind in given.items("claims")]
    granted = precedence(given.seat("discarder"), claims, multi_win=False)
    return {"granted": [[claim.seat.value, claim.kind] for claim in granted]}


def _may_win(given: Fields, options: Options) -> Answer:
    """Whoever discarded a gold wins by self-draw only."""
    locked = given.flag("discarded_gold")
    return {"allowed": [not locked or by == "self_draw" for by in given.items("by")]}


def _meld_allowed(given: Fields, options: Options) -> Answer:
    """A gold from the hand in a claimed set, where that is agreed."""
    own = list(given.tiles("meld"))
    claimed, gold = given.tile("claimed"), given.tile("gold")
    if claimed not in own:
        raise InvalidRequest(f"{given.name('meld')}: {claimed} is not in it")
    own.remove(claimed)
    return {
        "allowed": [claimed != gold and (bool(on) or gold not in own) for on in given.items("gold_in_claims")]
    }


def _same_turn_pass(given: Fields, options: Options) -> Answer:
    """同圈: a kind let go is not claimed before the own next draw."""
    passed, on = given.tile("passed"), given.flag("same_turn_pass")
    drawn = given.items("own_draw_before")
    claims = [Tile.parse(text) for text in given.items("claims")]
    pairs = zip(claims, drawn, strict=True)
    return {"allowed": [not on or bool(before) or tile != passed for tile, before in pairs]}


def _may_kong(given: Fields, options: Options) -> Answer:
    return {"allowed": [_AFTER[each] for each in given.words("after", tuple(_AFTER))]}


def _wall_end(given: Fields, options: Options) -> Answer:
    reserve = given.integer("leave_reserve", 0, 144)
    return {"drawn": [left <= reserve for left in given.items("tiles_left")]}


def _rotation(given: Fields, options: Options) -> Answer:
    """Dealer and streak after each result."""
    dealer, streak, states = given.seat("dealer"), given.integer("streak", 0, 1000), []
    for kind, winner in given.items("results"):
        stays = kind == "draw" or as_seat(winner, given.name("results")) == dealer
        dealer, streak = (dealer, streak + 1) if stays else (seat_after(dealer, ALL_SEATS), 0)
        states.append([dealer.value, streak])
    return {"states": states}


def _first_taker(given: Fields, options: Options) -> Answer:
    dealer, total = given.seat("dealer"), given.integer("sum", 2, 12)
    counted = dice_to_seat(dealer, total)
    takers = {"dealer": dealer, "counted_seat": counted}
    return {"first": [takers[each].value for each in given.words("options", tuple(takers))]}


OPS: Mapping[str, Callable[[Fields, Options], Answer]] = {
    "claim_priority": _claim_priority,
    "opening_priority": _opening_priority,
    "open_gold": _open_gold,
    "last_four": _last_four,
    "escape": _escape,
    "claim": _claim,
    "may_win": _may_win,
    "meld_allowed": _meld_allowed,
    "same_turn_pass": _same_turn_pass,
    "may_kong": _may_kong,
    "wall_end": _wall_end,
    "rotation": _rotation,
    "first_taker": _first_taker,
}
