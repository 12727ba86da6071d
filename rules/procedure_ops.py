"""`op` cases of table-procedure that the functions of `rules.procedure` answer."""

from __future__ import annotations

from typing import Any

from rules import procedure
from rules.errors import InvalidRequest
from rules.fields import Fields, whole
from rules.ops import op, rule_book
from rules.procedure import Opening, TilePlace, Walls
from rules.seats import ALL_SEATS, Seat, in_order_after

SLUG = rule_book("table-procedure")
MAX_DICE = 3


def _dice(given: Fields, default: int = 2) -> int:
    return given.integer("dice", 1, MAX_DICE, default)


def _total(given: Fields, key: str, dice: int = 2) -> int:
    return given.integer(key, dice, 6 * dice)


def _walls(given: Fields) -> Walls:
    tiles = given.integer("tiles", 1, 1000, 136)
    return procedure.walls(tiles, given.seat("dealer", "E"), _walls108(given))


def _walls108(given: Fields) -> list[int] | None:
    if not given.has("walls108"):
        return None
    return [whole(count, 1, 53, given.name("walls108")) for count in given.items("walls108")]


def _break_at(given: Fields) -> str:
    return given.one_of("break_at", procedure.BREAK_AT, "after")


def _open(given: Fields, walls: Walls) -> Opening:
    place = given.object("open")
    seat, stack = place.seat("seat"), place.integer("stack", 1, 100)
    if stack > walls.get(seat, 0):
        raise InvalidRequest(f"{place.name('stack')}: there are {walls.get(seat, 0)} stacks before {seat}")
    return Opening(seat, stack - 1, seat, stack)


def _place(place: TilePlace) -> dict[str, Any]:
    return {"seat": place.seat.value, "stack": place.stack, "layer": place.layer}


def _opened(opening: Opening) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "count": opening.count,
        "count_wall": opening.count_seat.value,
        "open_seat": opening.seat.value,
        "open_stack": opening.stack,
    }
    if opening.second_thrower is not None:
        answer["second_thrower"] = opening.second_thrower.value
    return answer


@op("dice_to_seat", SLUG)
def _dice_to_seat(given: Fields, case: Fields) -> dict[str, Any]:
    dice = _dice(given)
    thrower = given.seat("thrower")
    sums = [whole(total, dice, 6 * dice, given.name("sums")) for total in given.items("sums")]
    return {"seats": {str(total): procedure.dice_to_seat(thrower, total).value for total in sums}}


@op("dice_odds", SLUG)
def _dice_odds(given: Fields, case: Fields) -> dict[str, Any]:
    return dict(procedure.dice_odds(_dice(given)))


@op("dice_valid", SLUG)
def _dice_valid(given: Fields, case: Fields) -> dict[str, Any]:
    dice = _dice(given)
    valid = []
    for throw in given.items("throws"):
        if not isinstance(throw, (list, tuple)):
            raise InvalidRequest(f"{given.name('throws')} is a list of throws, each a list of pips")
        valid.append(procedure.is_valid_throw(throw, dice))
    return {"valid": valid, "action": ["use" if each else "rethrow" for each in valid]}


@op("seat_labels", SLUG)
def _seat_labels(given: Fields, case: Fields) -> dict[str, Any]:
    labels = given.words("labels", procedure.SEAT_LABELS)
    return {"order": {label: list(procedure.SEAT_LABELS[label]) for label in labels}}


@op("walls", SLUG)
def _walls_op(given: Fields, case: Fields) -> dict[str, Any]:
    dealer, walls108 = given.seat("dealer", "E"), _walls108(given)
    sets = [whole(tiles, 1, 1000, given.name("sets")) for tiles in given.items("sets")]
    found = [procedure.walls(tiles, dealer, walls108) for tiles in sets]
    return {"walls": [{seat.value: stacks for seat, stacks in walls.items()} for walls in found]}


@op("break_two_throw", SLUG)
def _break_two_throw(given: Fields, case: Fields) -> dict[str, Any]:
    first, second = _total(given, "first"), _total(given, "second")
    dealer = given.seat("dealer")
    return _opened(procedure.open_two_throw(_walls(given), dealer, first, second, _break_at(given)))


@op("break_one_throw", SLUG)
def _break_one_throw(given: Fields, case: Fields) -> dict[str, Any]:
    pips = [whole(pip, 1, 6, given.name("dice")) for pip in given.items("dice")]
    if not 1 <= len(pips) <= MAX_DICE:
        raise InvalidRequest(f"{given.name('dice')} is one to three dice")
    walls = _walls(given)
    target = procedure.dice_to_seat(given.seat("dealer"), sum(pips), tuple(walls))
    return _opened(procedure.open_at(walls, target, min(pips), _break_at(given)))


@op("break_one_throw_sum", SLUG)
def _break_one_throw_sum(given: Fields, case: Fields) -> dict[str, Any]:
    total = _total(given, "sum", _dice(given))
    walls = _walls(given)
    target = procedure.dice_to_seat(given.seat("dealer"), total, tuple(walls))
    return _opened(procedure.open_at(walls, target, total, _break_at(given)))


@op("break_own_wall_sum", SLUG)
def _break_own_wall_sum(given: Fields, case: Fields) -> dict[str, Any]:
    total = _total(given, "sum", _dice(given))
    return _opened(procedure.open_at(_walls(given), given.seat("dealer"), total, _break_at(given)))


def _players(walls: Walls) -> tuple[Seat, ...]:
    return tuple(seat for seat in ALL_SEATS if seat in walls)


@op("deal", SLUG)
def _deal(given: Fields, case: Fields) -> dict[str, Any]:
    dealer, hand = given.seat("dealer"), given.integer("hand", 13, 16, 13)
    walls = _walls(given)
    opening = _open(given, walls)
    order = procedure.deal_order(dealer, hand, _players(walls))
    places = [_place(procedure.head_draw(walls, opening, i)) for i in range(len(order) + 1)]
    last = len(order) - 1  # the dealer's extra tile
    if hand == 13:
        dealt: dict[str, Any] = {"dealer_jump": [places[last - len(_players(walls))], places[last]]}
    else:
        dealt = {"dealer_single": places[last]}
    return {
        "counts": {seat.value: order.count(seat) for seat in _players(walls)},
        **dealt,
        "next_draw": places[last + 1],
        "left_in_wall": 2 * sum(walls.values()) - len(order),
    }


@op("deal_singles", SLUG)
def _deal_singles(given: Fields, case: Fields) -> dict[str, Any]:
    dealer = given.seat("dealer")
    walls = _walls(given)
    opening = _open(given, walls)
    players = _players(walls)
    first = len(procedure.deal_order(dealer, 13, players)) - len(players)
    return {
        seat.value: _place(procedure.head_draw(walls, opening, first + place))
        for place, seat in enumerate(in_order_after(dealer, players))
    }


@op("tail", SLUG)
def _tail(given: Fields, case: Fields) -> dict[str, Any]:
    walls = _walls(given)
    opening = _open(given, walls)
    n = given.integer("n", 0, 2 * sum(walls.values()))
    first = given.one_of("tail_first", procedure.LAYERS, "top")
    return {"tiles": [_place(procedure.tail_draw(walls, opening, r, first)) for r in range(n)]}
