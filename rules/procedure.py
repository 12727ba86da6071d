"""Dice to seat, walls, opening, deal and tail. Source: rules text table-procedure.md sections 3, 7, 8 and 9.

Stacks (two tiles) are numbered from 1 at the owner's right hand. Counting and taking run clockwise: after the
last stack of a seat comes stack 1 of the seat before it in play order. Play runs counter-clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rules.errors import InvalidRequest
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after
from rules.tiles import Tile

OPENING_MODES = ("two_throw", "one_throw_min", "one_throw_sum", "own_wall_sum")
BREAK_AT = ("after", "at")
LAYERS = ("top", "bottom")
FLOWER_ROUNDS = ("until_none", "one_pass")
RELATIONS = ("thrower", "next", "opposite", "previous")
# Names of the places in play order (table-procedure.md section 2)
SEAT_LABELS: dict[str, tuple[str, ...]] = {"table": ("E", "S", "W", "N"), "compass": ("E", "N", "W", "S")}

# tiles -> stacks of the walls from the dealer on in play order (section 7)
_STACKS: dict[int, tuple[int, ...]] = {
    136: (17, 17, 17, 17),
    144: (18, 18, 18, 18),
    112: (14, 14, 14, 14),
    108: (14, 13, 14, 13),
}
_TWO_WALLS = {72: {Seat.E: 18, Seat.S: 18}}
WALL_SETS: tuple[int, ...] = (*_STACKS, *_TWO_WALLS)
# (tiles, players) -> stacks from E on, for games of fewer than four (_common-regional.md, Wall sizes)
_FEWER: dict[tuple[int, int], tuple[int, ...]] = {
    (84, 3): (14, 14, 14),
    (108, 3): (18, 18, 18),
    (136, 3): (23, 23, 22),
    (72, 2): (18, 18),
    (108, 2): (27, 27),
    (136, 2): (34, 34),
}
TRAY_STACKS = 18
"""As long as a wall can be that a table builds."""

Walls = Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class Opening:
    """The opening: `count` stacks of the wall of `count_seat` are counted; `seat`, `stack` is taken first."""

    count_seat: Seat
    count: int
    seat: Seat
    stack: int
    second_thrower: Seat | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """Flowers replaced after the deal: who drew which tile from the tail, and in how many passes."""

    draws: tuple[tuple[Seat, Tile], ...]
    passes: int


@dataclass(frozen=True, slots=True)
class TilePlace:
    """The place of one tile in the walls."""

    seat: Seat
    stack: int
    layer: str


# ---- dice ----


def dice_to_seat(thrower: Seat, total: int, players: Sequence[Seat] = ALL_SEATS) -> Seat:
    """Return the seat that a dice total points at, the thrower counted as 1 in play order.

    Args:
        players: the seats that are counted; three count modulo three, two modulo two.

    >>> dice_to_seat(Seat.N, 6), dice_to_seat(Seat.W, 6, (Seat.E, Seat.S, Seat.W))
    (<Seat.E: 'E'>, <Seat.S: 'S'>)
    """
    if total < 1:
        raise InvalidRequest(f"dice cannot show {total}")
    if thrower not in players:
        raise InvalidRequest(f"nobody sits at {thrower}")
    return seat_after(thrower, players, total - 1)


def dice_odds(dice: int = 2) -> dict[str, int]:
    """Return how many of the 6^dice throws point at each place relative to the thrower."""
    hits = Counter((sum(pips) - 1) % 4 for pips in product(range(1, 7), repeat=dice))
    return {relation: hits[offset] for offset, relation in enumerate(RELATIONS)}


def is_valid_throw(pips: Sequence[object], dice: int = 2) -> bool:
    """Return whether every die shows 1-6; an unreadable die (None) or a missing one means a new throw."""
    return len(pips) == dice and all(type(pip) is int and 1 <= pip <= 6 for pip in pips)


# ---- walls ----


def walls(
    tiles: int, dealer: Seat = Seat.E, walls108: Sequence[int] | None = None, players: int = 4
) -> dict[Seat, int]:
    """Return the stacks before each seat; a seat where nobody sits has none and is left out.

    Args:
        walls108: for 108 tiles, four counts from the dealer on in play order (54 in all).
        players: three sit at E, S and W, two at E and S.
    Raises:
        InvalidRequest: if no wall is known for so many tiles.
    """
    if players != 4:
        fewer = _FEWER.get((tiles, players))
        if fewer is None:
            raise InvalidRequest(f"no walls for {tiles} tiles and {players} players")
        return dict(zip(ALL_SEATS, fewer, strict=False))
    if tiles in _TWO_WALLS:
        return dict(_TWO_WALLS[tiles])
    counts = tuple(walls108) if tiles == 108 and walls108 is not None else _STACKS.get(tiles)
    if counts is None:
        raise InvalidRequest(f"no walls for {tiles} tiles; known: {', '.join(map(str, sorted(WALL_SETS)))}")
    if len(counts) != 4 or sum(counts) * 2 != tiles or min(counts) < 1:
        raise InvalidRequest(f"walls108 is four counts of stacks that make {tiles // 2}, not {list(counts)}")
    by_seat = {Seat.at(dealer.index + place): count for place, count in enumerate(counts)}
    return {seat: by_seat[seat] for seat in ALL_SEATS}


def walls_agreed(tiles: int, dealer: Seat, options: Mapping[str, object]) -> dict[Seat, int]:
    """Return the stacks before each seat as the table's options have it: `walls108` and `players`.

    Walls longer than a tray are built as four: the wall is one ring, so only its order matters
    (_common-regional.md, Wall sizes).

    >>> walls_agreed(108, Seat.S, {"walls108": "14,14,13,13"})[Seat.E]
    13
    """
    told = options.get("walls108")
    counts = None if told is None else [int(count) for count in str(told).split(",")]
    wanted = options.get("players", 4)
    players = wanted if isinstance(wanted, int) else 4
    ring = walls(tiles, dealer, counts, players)
    return ring if max(ring.values()) <= TRAY_STACKS else walls(tiles, dealer, counts)


def locate(walls: Walls, seat: Seat, z: int) -> tuple[Seat, int]:
    """Return seat and number of the stack after `z` stacks, counted from the right end of a seat's wall."""
    if seat not in walls:
        raise InvalidRequest(f"there is no wall before {seat}")
    ring = tuple(walls)
    z %= sum(walls.values())
    while z >= walls[seat]:
        z -= walls[seat]
        seat = seat_after(seat, ring, -1)
    return seat, z + 1


# ---- opening ----


def open_at(
    walls: Walls, count_seat: Seat, count: int, break_at: str = "after", second_thrower: Seat | None = None
) -> Opening:
    """Return the opening after `count` stacks of a wall; with `at` the last one counted is taken first."""
    if break_at not in BREAK_AT:
        raise InvalidRequest(f"break_at is one of {', '.join(BREAK_AT)}, not {break_at!r}")
    seat, stack = locate(walls, count_seat, count - (break_at == "at"))
    return Opening(count_seat, count, seat, stack, second_thrower)


def open_two_throw(
    walls: Walls,
    dealer: Seat,
    first: int,
    second: int,
    break_at: str = "after",
    players: Sequence[Seat] | None = None,
) -> Opening:
    """Return the opening: the first total names second thrower and wall, both totals are counted.

    Args:
        players: the seats that dice count, where they are not those that have a wall before them.
    """
    thrower = dice_to_seat(dealer, first, tuple(walls) if players is None else players)
    return open_at(walls, thrower, first + second, break_at, thrower)


def open_wall(
    mode: str,
    dealer: Seat,
    throws: Sequence[Sequence[int]],
    tiles: int = 136,
    break_at: str = "after",
    ring: Walls | None = None,
    players: Sequence[Seat] | None = None,
) -> Opening:
    """Return where the wall opens.

    Args:
        mode: one of OPENING_MODES.
        throws: pips of each throw; two throws for `two_throw`, one for the others.
        ring: the walls, where they are not those that so many tiles make by default.
        players: the seats that dice count, where they are not those that have a wall before them.
    Raises:
        InvalidRequest: for a wrong number of throws or an unreadable die.

    >>> open_wall("two_throw", Seat.E, [(3, 4), (2, 3)])  # 7, then 5: after 12 stacks of the opposite wall
    Opening(count_seat=<Seat.W: 'W'>, count=12, seat=<Seat.W: 'W'>, stack=13, second_thrower=<Seat.W: 'W'>)
    """
    if mode not in OPENING_MODES:
        raise InvalidRequest(f"opening is one of {', '.join(OPENING_MODES)}, not {mode!r}")
    if len(throws) != (2 if mode == "two_throw" else 1):
        raise InvalidRequest(f"{mode} needs {'two throws' if mode == 'two_throw' else 'one throw'}")
    if not all(throw and is_valid_throw(throw, len(throw)) for throw in throws):
        raise InvalidRequest("a die is unreadable: throw again")
    ring = walls(tiles, dealer) if ring is None else ring
    counted = tuple(ring) if players is None else players
    total = sum(throws[0])
    if mode == "two_throw":
        return open_two_throw(ring, dealer, total, sum(throws[1]), break_at, counted)
    if mode == "own_wall_sum":
        return open_at(ring, dealer, total, break_at)
    count = min(throws[0]) if mode == "one_throw_min" else total
    return open_at(ring, dice_to_seat(dealer, total, counted), count, break_at)


# ---- taking tiles ----


def head_draw(walls: Walls, opening: Opening, i: int) -> TilePlace:
    """Return the place of the i-th tile (0-based, deal included) taken from the head."""
    return _place(walls, opening, i // 2, LAYERS[i % 2])


def tail_draw(walls: Walls, opening: Opening, r: int, tail_first: str = "top") -> TilePlace:
    """Return the place of the r-th replacement tile (0-based); the tail lies just before the opening."""
    if tail_first not in LAYERS:
        raise InvalidRequest(f"tail_first is one of {', '.join(LAYERS)}, not {tail_first!r}")
    layer = LAYERS[(r + LAYERS.index(tail_first)) % 2]
    return _place(walls, opening, sum(walls.values()) - 1 - r // 2, layer)


def _place(walls: Walls, opening: Opening, stacks: int, layer: str) -> TilePlace:
    total = sum(walls.values())
    if not 0 <= stacks < total:
        raise InvalidRequest(f"the wall has {2 * total} tiles")
    if not 1 <= opening.stack <= walls.get(opening.seat, 0):
        raise InvalidRequest(f"there is no stack {opening.stack} before {opening.seat}")
    seat, stack = locate(walls, opening.seat, opening.stack - 1 + stacks)
    return TilePlace(seat, stack, layer)


def deal_order(dealer: Seat, hand: int = 13, players: Sequence[Seat] = ALL_SEATS) -> tuple[Seat, ...]:
    """Return which seat gets the i-th tile from the head: the whole deal, 53 tiles for four hands of 13.

    13 tiles: three rounds of two stacks each, then one tile each and one more for the dealer (跳牌).
    16 tiles: four rounds of two stacks each, then one tile for the dealer.
    """
    rounds = {13: 3, 16: 4}.get(hand)
    if rounds is None:
        raise InvalidRequest(f"a hand has 13 or 16 tiles, not {hand}")
    order = [seat_after(dealer, players, step) for step in range(len(players))]
    blocks = [seat for _ in range(rounds) for seat in order for _ in range(4)]
    return (*blocks, *order, dealer) if hand == 13 else (*blocks, dealer)


def replace_flowers(
    dealer: Seat,
    held: Mapping[Seat, int],
    tail: Sequence[Tile],
    flowers: Collection[Tile],
    flower_round: str = "until_none",
) -> Replaced:
    """Return how the dealt flowers are replaced from the tail, the dealer first, then in play order.

    Args:
        held: how many flowers each seat was dealt.
        tail: the tiles of the tail in the order they are drawn.
        flowers: the kinds that are flowers in this variant.
        flower_round: with `until_none` a seat goes on until it holds no flower; with `one_pass` it replaces
            what it holds, and flowers among the new tiles wait until its turn comes again.
    Raises:
        InvalidRequest: if the tail is too short, or the dealer is not among the seats.
    """
    if flower_round not in FLOWER_ROUNDS:
        raise InvalidRequest(f"flower_round is one of {', '.join(FLOWER_ROUNDS)}, not {flower_round!r}")
    if dealer not in held:
        raise InvalidRequest(f"the dealer {dealer} is not among the seats that may hold flowers")
    waiting = {seat: held[seat] for seat in (dealer, *in_order_after(dealer, tuple(held)))}
    draws: list[tuple[Seat, Tile]] = []
    passes = 0
    while any(waiting.values()):
        passes += 1
        for seat in waiting:
            due, waiting[seat] = waiting[seat], 0
            while due:
                if len(draws) == len(tail):
                    raise InvalidRequest(f"the tail has {len(tail)} tiles, more flowers are to be replaced")
                draws.append((seat, tail[len(draws)]))
                due -= 1
                if draws[-1][1] in flowers:
                    due += flower_round == "until_none"
                    waiting[seat] += flower_round == "one_pass"
    return Replaced(tuple(draws), passes)
