"""`op` cases of table-procedure about people: seats, dealers, flowers after the deal, leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules import rotation, seating
from rules.errors import InvalidRequest
from rules.fields import Fields, as_seat, show, whole
from rules.ops import op
from rules.procedure import FLOWER_ROUNDS, replace_flowers
from rules.procedure_ops import MAX_DICE, SLUG
from rules.rotation import Deal, Result, Retention
from rules.seating import Seating, Tied
from rules.seats import ALL_SEATS, Seat
from rules.tiles import FLOWERS, Tile

MAX_SUM = 6 * MAX_DICE
MAX_POINTS = 1_000_000
MAX_LAPS = 1000
METHODS = ("dice", "draw", "tianjin", "habit")


# ---- reading ----


def _player(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidRequest(f"{name} is the name of a player, not {show(value)}")
    return value


def _seats(given: Fields, key: str = "seats") -> dict[Seat, str]:
    """Return a seating written as {seat: player}."""
    name = given.name(key)
    told = Fields(given.get(key), name).data
    return seating.checked({as_seat(seat, name): _player(who, name) for seat, who in told.items()})


def _pairs(given: Fields, key: str, default: Any = ...) -> list[tuple[Any, int]]:
    """Return (who, sum of dice) pairs in the order told: a list of pairs or an object."""
    name = given.name(key)
    value = given.get(key) if default is ... else given.get(key, default)
    rows = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(rows, (list, tuple)):
        raise InvalidRequest(f"{name} is a list of [who, sum], not {show(value)}")
    found = []
    for row in rows:
        if not isinstance(row, (list, tuple)) or len(row) != 2:
            raise InvalidRequest(f"{name} is a list of [who, sum], not {show(row)}")
        found.append((row[0], whole(row[1], 1, MAX_SUM, name)))
    return found


def _throws(given: Fields, key: str, default: Any = ...) -> list[tuple[str, int]]:
    return [(_player(who, given.name(key)), total) for who, total in _pairs(given, key, default)]


def _winds(given: Fields, key: str) -> list[Seat]:
    return [as_seat(wind, given.name(key)) for wind in given.items(key)]


def _written(seats: Seating) -> dict[str, str]:
    return {seat.value: player for seat, player in seats.items()}


# ---- first seating ----


@op("first_seating", SLUG)
def _first_seating(given: Fields, case: Fields) -> dict[str, Any]:
    return _SEATING[given.one_of("method", METHODS)](given)


def _by_dice(given: Fields) -> dict[str, Any]:
    found = seating.seat_by_dice(
        _throws(given, "throws"),
        given.one_of("dice_seat_order", seating.SEAT_ORDERS, "ESWN"),
        given.one_of("tie", seating.TIES, "earlier_higher"),
        _throws(given, "rethrows", ()),
    )
    return {"rethrow": list(found.players)} if isinstance(found, Tied) else {"seats": _written(found)}


def _by_draw(given: Fields) -> dict[str, Any]:
    name = given.name("draws")
    draws = {_player(who, name): as_seat(wind, name) for who, wind in given.object("draws").data.items()}
    return {"seats": _written(seating.seat_by_draw(draws))}


def _tianjin(given: Fields) -> dict[str, Any]:
    found = seating.draw_in_turn(
        _seats(given),
        given.seat("thrower", "E"),
        given.integer("sum", 1, MAX_SUM),
        _winds(given, "tiles"),
    )
    return {
        "first": found.first,
        "seats": _written(found.seats),
        "relation": found.relation,
        "repeat": found.must_repeat,
    }


def _by_habit(given: Fields) -> dict[str, Any]:
    """Seats entered by hand: {seat: player}, {player: seat}, or the players in play order from E on."""
    told, name = given.get("entered"), given.name("entered")
    if isinstance(told, (list, tuple)):
        return {"seats": _written(seating.seating([_player(who, name) for who in told]))}
    entered = Fields(told, name).data
    if set(entered) <= set(ALL_SEATS):
        return {"seats": _written(_seats(given, "entered"))}
    by_player = {_player(who, name): as_seat(seat, name) for who, seat in entered.items()}
    return {"seats": _written(seating.seat_by_draw(by_player))}


_SEATING: Mapping[str, Callable[[Fields], dict[str, Any]]] = {
    "dice": _by_dice,
    "draw": _by_draw,
    "tianjin": _tianjin,
    "habit": _by_habit,
}


# ---- re-seating ----


@op("reseat_winner_dice", SLUG)
def _reseat_winner_dice(given: Fields, case: Fields) -> dict[str, Any]:
    before = _seats(given)
    after = seating.reseat_by_dice(
        before,
        _player(given.get("winner"), given.name("winner")),
        given.integer("sum", 1, MAX_SUM),
        given.one_of("direction", seating.DIRECTIONS),
    )
    return {"seats": _written(after), "relation": seating.relation(before, after)}


@op("reseat_wind_stack", SLUG)
def _reseat_wind_stack(given: Fields, case: Fields) -> dict[str, Any]:
    found = seating.reseat_by_wind_stack(
        _seats(given),
        _player(given.get("winner"), given.name("winner")),
        given.integer("sum", 1, MAX_SUM),
        _winds(given, "stack"),
        given.one_of("direction", seating.DIRECTIONS),
        given.flag("enforce_east_beside_west", True),
    )
    answer = {"seats": _written(found.seats), "relation": found.relation}
    return answer if found.rejected is None else {**answer, "rejected": found.rejected}


@op("reseat_thrower", SLUG)
def _reseat_thrower(given: Fields, case: Fields) -> dict[str, Any]:
    was_draw = given.one_of("last_hand", (rotation.WIN, rotation.DRAW)) == rotation.DRAW
    last = given.get("last_winner", None)
    winner = None if last is None else _player(last, given.name("last_winner"))
    if winner is None and not was_draw:
        raise InvalidRequest(f"{given.name('last_winner')} is missing: the last hand was won")
    dealer = _player(given.get("dealer"), given.name("dealer"))
    options = given.words("options", seating.ON_DRAW, ["last_winner_of_the_ju"])
    return {"thrower": [seating.reseat_thrower(winner, dealer, was_draw, each) for each in options]}


@op("mcr_seats", SLUG)
def _mcr_seats(given: Fields, case: Fields) -> dict[str, Any]:
    start = _seats(given, "start")
    option = given.one_of("option", seating.MCR_SEATS, "third_round_only")
    rounds = [whole(circle, 1, seating.MCR_ROUNDS, given.name("rounds")) for circle in given.items("rounds")]
    hands = seating.MCR_ROUNDS * len(start)
    return {
        "seats": {str(circle): _written(seating.mcr_seats(start, option, circle)) for circle in rounds},
        "hands_total": hands,
        "dealer_player_of_hand_9": seating.mcr_seats(start, option, 3)[Seat.E],
    }


# ---- dealers ----


@op("first_dealer", SLUG)
def _first_dealer(given: Fields, case: Fields) -> dict[str, Any]:
    return _FIRST_DEALER[given.one_of("method", rotation.FIRST_DEALER)](given)


def _first_5_9(given: Fields) -> dict[str, Any]:
    dice = given.integer("dice", 1, 2, 2)
    throws = [whole(total, dice, 6 * dice, given.name("throws")) for total in given.items("throws")]
    found = rotation.dealer_by_sums(throws, dice)
    answer: dict[str, Any] = {
        "dealer": None if found.dealer is None else found.dealer.value,
        "throws_used": found.throws_used,
    }
    return answer if found.next_thrower is None else {**answer, "next_thrower": found.next_thrower.value}


def _east_throw(given: Fields) -> dict[str, Any]:
    return {"dealer": rotation.dealer_by_east(given.integer("sum", 1, MAX_SUM)).value, "throws_used": 1}


def _drawn_dealer(given: Fields) -> dict[str, Any]:
    name = given.name("draws")
    draws = {as_seat(seat, name): as_seat(wind, name) for seat, wind in given.object("draws").data.items()}
    return {"dealer": rotation.dealer_by_draw(draws).value}


def _highest(given: Fields) -> dict[str, Any]:
    name = given.name("sums")
    told = given.get("sums")
    if isinstance(told, (list, tuple)) and all(isinstance(total, int) for total in told):
        if len(told) > len(ALL_SEATS):
            raise InvalidRequest(f"{name} are the sums of E, S, W and N, not {show(told)}")
        sums = [(seat, whole(total, 1, MAX_SUM, name)) for seat, total in zip(ALL_SEATS, told, strict=False)]
    else:
        sums = [(as_seat(seat, name), total) for seat, total in _pairs(given, "sums")]
    return {"dealer": rotation.dealer_by_highest(sums).value, "throws_used": len(sums)}


def _by_chance(given: Fields) -> dict[str, Any]:
    return {"dealer": rotation.dealer_by_seed(given.integer("seed", 0, 2**63, 0)).value}


_FIRST_DEALER: Mapping[str, Callable[[Fields], dict[str, Any]]] = {
    "natural_east": lambda given: {"dealer": Seat.E.value},
    "dice_first_5_9": _first_5_9,
    "east_throw": _east_throw,
    "draw": _drawn_dealer,
    "dice_high": _highest,
    "random": _by_chance,
}


def _retention(given: Fields) -> Retention:
    told = Fields(given.mapping("options"), given.name("options"))
    known = {
        "mode": rotation.MODES,
        "on_dealer_win": rotation.ON_DEALER_WIN,
        "on_other_win": rotation.ON_OTHER_WIN,
        "on_draw": rotation.ON_DRAW,
        "max_counts": rotation.MAX_COUNTS,
    }
    numbers = ("draw_pay", "max_hands", "loss_limit")
    unknown = sorted(set(told.data) - {*known, *numbers})
    if unknown:
        raise InvalidRequest(f"{told.name(unknown[0])} is no option of the deal; it has: {', '.join(known)}")
    chosen: dict[str, Any] = {key: told.one_of(key, words) for key, words in known.items() if told.has(key)}
    for key in numbers:  # "none" is how the rule text writes that there is none
        if told.has(key) and told.get(key) != "none":
            chosen[key] = told.integer(key, 0, MAX_POINTS)
    return Retention(**chosen)


def _result(row: object, rule: Retention, name: str) -> Result:
    """Return one hand written as [kind, winner, extra]; what `extra` means depends on the mode."""
    if not isinstance(row, (list, tuple)) or not 2 <= len(row) <= 3 or row[0] not in ("win", "draw"):
        raise InvalidRequest(f"{name} is [win or draw, winner, extra], not {show(row)}")
    kind, told, extra = row[0], row[1], row[2] if len(row) == 3 else None
    if (kind == "draw") != (told is None):
        raise InvalidRequest(f"{name}: a win has a winner and a drawn hand has none")
    winners = told if isinstance(told, (list, tuple)) else [] if told is None else [told]
    seats = tuple(as_seat(winner, name) for winner in winners)
    if kind == "win" and (not seats or len(set(seats)) != len(seats)):
        raise InvalidRequest(f"{name}: each winner is named once")
    if extra is None:
        return Result(seats)
    if rule.mode == "winner_deals":
        totals = {
            as_seat(seat, name): _points(points, name) for seat, points in Fields(extra, name).data.items()
        }
        return Result(seats, totals=totals)
    if rule.mode == "dice_each_hand":
        return Result(seats, dice=whole(extra, 1, MAX_SUM, name))
    return Result(seats, as_seat(extra, name))


def _points(value: object, name: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MAX_POINTS:
        raise InvalidRequest(f"{name}: points are a number, not {show(value)}")
    return value


@op("next_dealer", SLUG)
def _next_dealer(given: Fields, case: Fields) -> dict[str, Any]:
    rule = _retention(given)
    start = given.object("start")
    first = given.seat("first", "E")
    deal = Deal(
        start.seat("dealer"), start.integer("quan", 1, rotation.CIRCLES), start.integer("run", 1, MAX_LAPS, 1)
    )
    states, deltas = [], dict.fromkeys(ALL_SEATS, 0)
    for place, row in enumerate(given.items("results")):
        result = _result(row, rule, given.name(f"results[{place}]"))
        if not result.winners:
            for seat, points in rotation.draw_payment(rule, deal.dealer).items():
                deltas[seat] += points
        deal = rotation.next_deal(deal, first, result, rule)
        states.append(_state(deal))
    return {"states": states, "deltas": {seat.value: points for seat, points in deltas.items()}}


def _state(deal: Deal) -> dict[str, Any]:
    return {"dealer": deal.dealer.value, "quan": deal.circle, "run": deal.run, "ju_over": deal.is_over}


@op("leave", SLUG)
def _leave(given: Fields, case: Fields) -> dict[str, Any]:
    """A player who leaves ends the game, whatever its circle; a new one begins (Tianjin text)."""
    deal = Deal(
        given.seat("dealer"), given.integer("quan", 1, rotation.CIRCLES), given.integer("run", 1, MAX_LAPS, 1)
    )
    given.seat("left")
    over = rotation.left(deal)
    return {"ju_over": over.is_over, "new_ju": True}


# ---- flowers after the deal ----


@op("flower_replacement", SLUG)
def _flower_replacement(given: Fields, case: Fields) -> dict[str, Any]:
    name = given.name("held")
    held = {
        as_seat(seat, name): whole(count, 0, 144, name) for seat, count in given.object("held").data.items()
    }
    kinds = given.tiles("flowers") if given.has("flowers") else tuple(map(Tile.parse, FLOWERS))
    found = replace_flowers(
        given.seat("dealer"),
        held,
        given.tiles("tail"),
        frozenset(kinds),
        given.one_of("flower_round", FLOWER_ROUNDS, "until_none"),
    )
    return {
        "draws": [[seat.value, str(tile)] for seat, tile in found.draws],
        "passes": found.passes,
    }
