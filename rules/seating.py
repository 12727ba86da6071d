"""Who sits where: first seating, re-seating between two games, seat changes of Chinese Official.

Source: rules text table-procedure.md sections 4 and 5, `mcr_seats` of section 10. A seating maps each seat in
use to a player; every function returns a new one and moves nobody twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.errors import InvalidRequest
from rules.procedure import dice_to_seat
from rules.seats import ALL_SEATS, Seat

Seating = Mapping[Seat, str]

SEAT_ORDERS = ("ESWN", "ENWS")
"""Whom the second and the last highest throw seat: both orders are named in the seed."""
TIES = ("earlier_higher", "rethrow")
DIRECTIONS = ("ccw", "cw")
ON_DRAW = ("last_winner_of_the_ju", "dealer")
MCR_SEATS = ("third_round_only", "every_round")
MCR_ROUNDS = 4

SAME, MIRROR, CHANGED = "same", "mirror", "changed"

# Where who sits at a seat goes before circles 2, 3 and 4
_SWAP = {Seat.E: Seat.S, Seat.S: Seat.E, Seat.W: Seat.N, Seat.N: Seat.W}
_CROSS = {Seat.E: Seat.W, Seat.W: Seat.S, Seat.S: Seat.N, Seat.N: Seat.E}
_STAY = {seat: seat for seat in ALL_SEATS}
_BEFORE_CIRCLE: Mapping[str, Mapping[int, Mapping[Seat, Seat]]] = {
    "third_round_only": {3: _SWAP},
    "every_round": {2: _SWAP, 3: _CROSS, 4: _SWAP},
}


# ---- seatings and their relation ----


def seating(players: Sequence[str]) -> dict[Seat, str]:
    """Return the seating of two to four players in play order from E on; three leave N empty.

    Raises:
        InvalidRequest: for another number of players, or one who sits twice.
    """
    if not 2 <= len(players) <= 4:
        raise InvalidRequest(f"two to four players sit at the table, not {len(players)}")
    return checked(dict(zip(ALL_SEATS, players, strict=False)))


def checked(seats: Seating) -> dict[Seat, str]:
    """Return a seating in play order.

    Raises:
        InvalidRequest: if somebody sits twice, or other seats are in use than E, S, (W, (N)).
    """
    if not 2 <= len(seats) <= 4 or set(seats) != set(ALL_SEATS[: len(seats)]):
        in_use = ", ".join(seat.value for seat in ALL_SEATS if seat in seats) or "none"
        raise InvalidRequest(f"two sit at E and S, three at E, S and W, four at every seat; taken: {in_use}")
    names = list(seats.values())
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidRequest(f"{twice} sits at two seats")
    return {seat: seats[seat] for seat in ALL_SEATS if seat in seats}


def seat_of(seats: Seating, player: str) -> Seat:
    """Return where a player sits.

    Raises:
        InvalidRequest: if he does not.
    """
    for seat, name in seats.items():
        if name == player:
            return seat
    raise InvalidRequest(f"{player} does not sit at the table; there are: {', '.join(seats.values())}")


def relation(before: Seating, after: Seating) -> str:
    """Return how the neighbours changed: `same`, `mirror` (the exact reverse order) or `changed`.

    Who sits at which seat does not matter, only who follows whom in play order. Of two it is always `same`.

    Raises:
        InvalidRequest: if not the same players sit in both.

    >>> relation(seating("ABCD"), seating("DABC")), relation(seating("ABCD"), seating("ADCB"))
    ('same', 'mirror')
    """
    old, new = list(checked(before).values()), list(checked(after).values())
    if set(old) != set(new):
        raise InvalidRequest("other players sit at the table now: there is no relation to what was")
    turned = _from(old[0], new)
    if turned == old:
        return SAME
    return MIRROR if turned == [old[0], *reversed(old[1:])] else CHANGED


def _from(player: str, order: Sequence[str]) -> list[str]:
    at = list(order).index(player)
    return [*order[at:], *order[:at]]


# ---- first seating ----


@dataclass(frozen=True, slots=True)
class Tied:
    """Players who threw the same and throw again, in the order of their first throws."""

    players: tuple[str, ...]


def seat_by_dice(
    throws: Sequence[tuple[str, int]],
    order: str = "ESWN",
    tie: str = "earlier_higher",
    rethrows: Sequence[tuple[str, int]] = (),
) -> dict[Seat, str] | Tied:
    """Return who sits where by the sums thrown, the highest at E (掷骰法).

    Args:
        throws: players with their sums, in the order they threw.
        order: seats by rank, one of SEAT_ORDERS; of fewer players, those seats that are in use.
        tie: with `earlier_higher` the earlier of equal throws counts as higher, with `rethrow` those who tied
            throw again among themselves.
        rethrows: what the tied threw again, in the order thrown; who tied twice is in it twice.
    Raises:
        InvalidRequest: if somebody throws twice, or throws again without a tie.

    >>> seat_by_dice([("A", 8), ("B", 11), ("C", 8), ("D", 3)], tie="rethrow")
    Tied(players=('A', 'C'))
    """
    _one_of("dice_seat_order", order, SEAT_ORDERS)
    _one_of("tie", tie, TIES)
    players = [player for player, _ in throws]
    seats = seating(players)
    ranked, late = _by_sum(throws), set[str]()
    if tie == "rethrow":
        ranked, late = _by_every_sum(throws, rethrows)
    elif rethrows:
        raise InvalidRequest("nobody throws again: of equal throws the earlier counts as higher")
    if late:
        return Tied(tuple(player for player in players if player in late))
    by_rank = [Seat(letter) for letter in order if Seat(letter) in seats]
    return checked(dict(zip(by_rank, ranked, strict=True)))


def _by_sum(throws: Sequence[tuple[str, int]]) -> list[str]:
    return [player for player, _ in sorted(throws, key=lambda throw: -throw[1])]


def _by_every_sum(
    throws: Sequence[tuple[str, int]], rethrows: Sequence[tuple[str, int]]
) -> tuple[list[str], set[str]]:
    """Return players by their sums, equal ones by what they threw again, and who still has to throw."""
    sums = {player: [total] for player, total in throws}
    for player, total in rethrows:
        if player not in sums:
            raise InvalidRequest(f"{player} did not throw before")
        sums[player].append(total)
    ranked: list[str] = []
    late: set[str] = set()
    for group, used in _groups(list(sums), sums, 0):
        ranked += group
        if len(group) > 1:
            late |= {player for player in group if len(sums[player]) == used}
        elif len(sums[group[0]]) > used:
            raise InvalidRequest(f"{group[0]} throws again without a tie")
    return ranked, late


def _groups(
    players: Sequence[str], sums: Mapping[str, Sequence[int]], throw: int
) -> list[tuple[list[str], int]]:
    """Return the players, highest first, equal ones together, each group with the throws looked at."""
    found: list[tuple[list[str], int]] = []
    for total in sorted({sums[player][throw] for player in players}, reverse=True):
        group = [player for player in players if sums[player][throw] == total]
        if len(group) > 1 and all(len(sums[player]) > throw + 1 for player in group):
            found += _groups(group, sums, throw + 1)
        else:
            found.append((group, throw + 1))
    return found


def seat_by_draw(draws: Mapping[str, Seat]) -> dict[Seat, str]:
    """Return who sits where by the wind tile that each drew (摸风法).

    Raises:
        InvalidRequest: if two drew the same wind.
    """
    if len(set(draws.values())) != len(draws):
        raise InvalidRequest("two players drew the same wind tile")
    return checked({wind: player for player, wind in draws.items()})


@dataclass(frozen=True, slots=True)
class WindDraw:
    """Seats by wind tiles drawn in turn: who drew first, and how the neighbours changed."""

    first: str
    seats: Mapping[Seat, str]
    relation: str

    @property
    def must_repeat(self) -> bool:
        """Whether everyone kept his neighbours, so that it has to be done again."""
        return self.relation == SAME


def draw_in_turn(seats: Seating, thrower: Seat, total: int, winds: Sequence[Seat]) -> WindDraw:
    """Return the seats after the counted player drew first and the others followed in play order (天津 打风).

    Args:
        seats: the arbitrary places in which the throw was counted.
        winds: the tiles in the order drawn.
    """
    seats = checked(seats)
    place = dice_to_seat(_in_use(thrower, seats), total, tuple(seats))
    return WindDraw(seats[place], *_drawn(seats, place, winds, "ccw"))


def _drawn(seats: Seating, first: Seat, winds: Sequence[Seat], direction: str) -> tuple[dict[Seat, str], str]:
    """Return seats and relation after the players drew, from one seat on in one direction."""
    if sorted(winds) != sorted(seats):
        raise InvalidRequest(f"the wind tiles are {', '.join(seats)}, each once, not {', '.join(winds)}")
    ring = tuple(seats)
    step = 1 if direction == "ccw" else -1
    at = ring.index(first)
    drawers = [seats[ring[(at + step * turn) % len(ring)]] for turn in range(len(ring))]
    after = checked(dict(zip(winds, drawers, strict=True)))
    return after, relation(seats, after)


# ---- re-seating between two games ----


def reseat_thrower(last_winner: str | None, dealer: str, was_draw: bool, on_draw: str) -> str:
    """Return the player who throws for the new seats: who won the last hand.

    Args:
        last_winner: who won last in the game, None where nobody did; after a win, the winner of that hand.
        was_draw: the last hand was drawn; the seeds are silent, so `on_draw` (one of ON_DRAW) says.
    """
    _one_of("winner_dice_on_draw", on_draw, ON_DRAW)
    if last_winner is None or (was_draw and on_draw == "dealer"):
        return dealer
    return last_winner


def reseat_by_dice(seats: Seating, thrower: str, total: int, direction: str) -> dict[Seat, str]:
    """Return the seats after the counted player stayed and the others moved one place on (胜家掷骰).

    Args:
        direction: `ccw` moves them in play order, each to the next seat that somebody gives up.

    >>> "".join(reseat_by_dice(seating("ABCD"), "A", 7, "ccw").values())
    'DACB'
    """
    _one_of("direction", direction, DIRECTIONS)
    seats = checked(seats)
    ring = tuple(seats)
    stays = dice_to_seat(seat_of(seats, thrower), total, ring)
    at = ring.index(stays)
    moving = [*ring[at + 1 :], *ring[:at]]
    step = 1 if direction == "ccw" else -1
    moved = {moving[(place + step) % len(moving)]: seats[seat] for place, seat in enumerate(moving)}
    return checked({stays: seats[stays], **moved})


@dataclass(frozen=True, slots=True)
class WindStack:
    """Seats after the wind tiles were taken off a stack; with `rejected` nobody moved."""

    seats: Mapping[Seat, str]
    relation: str
    rejected: str | None = None


def reseat_by_wind_stack(
    seats: Seating, thrower: str, total: int, stack: Sequence[Seat], direction: str, enforce: bool = True
) -> WindStack:
    """Return the seats after the counted player took the top wind tile and the others followed (掷骰选风).

    Args:
        stack: the wind tiles from the top down.
        direction: `ccw` lets them follow in play order.
        enforce: 东不离西: East and West, or South and North, lie beside each other in the stack (its ends are
            neighbours), so that the neighbours change and not into the mirror; another order is rejected.
    """
    _one_of("direction", direction, DIRECTIONS)
    seats = checked(seats)
    if len(seats) != 4:
        raise InvalidRequest("four wind tiles are taken off a stack by four players")
    first = dice_to_seat(seat_of(seats, thrower), total, tuple(seats))
    after, changed = _drawn(seats, first, stack, direction)
    if enforce and not has_east_beside_west(stack):
        return WindStack(seats, SAME, "east_not_beside_west")
    return WindStack(after, changed)


def has_east_beside_west(stack: Sequence[Seat]) -> bool:
    """Return whether East and West are neighbours in the stack as a ring; South and North are then, too."""
    return (stack.index(Seat.E) - stack.index(Seat.W)) % 4 != 2


# ---- seat changes of Chinese Official ----


def mcr_change(option: str, circle: int) -> Mapping[Seat, Seat]:
    """Return where who sits at a seat goes before a circle (1 to 4) of a match of sixteen hands."""
    _one_of("mcr_seats", option, MCR_SEATS)
    return _BEFORE_CIRCLE[option].get(circle, _STAY)


def mcr_seats(start: Seating, option: str, circle: int) -> dict[Seat, str]:
    """Return who sits where in a circle of a match that began with these seats.

    >>> [mcr_seats(seating("ABCD"), "third_round_only", circle)[Seat.E] for circle in (1, 2, 3, 4)]
    ['A', 'A', 'B', 'B']
    """
    seats = checked(start)
    if len(seats) != 4 or not 1 <= circle <= MCR_ROUNDS:
        raise InvalidRequest("four players change seats in circles 1 to 4")
    for each in range(2, circle + 1):
        moves = mcr_change(option, each)
        seats = checked({moves[seat]: player for seat, player in seats.items()})
    return seats


def mcr_moves(option: str, before: int, after: int) -> dict[Seat, Seat]:
    """Return where who sits at each seat in circle `before` sits in circle `after`, 1 to 4.

    Back is possible, too: a hand that is undone may be the last of the circle before.

    >>> mcr_moves("third_round_only", 2, 3)[Seat.E], mcr_moves("third_round_only", 3, 4)[Seat.E]
    (<Seat.S: 'S'>, <Seat.E: 'E'>)
    """
    start = seating(tuple(seat.value for seat in ALL_SEATS))
    there = {player: seat for seat, player in mcr_seats(start, option, after).items()}
    return {seat: there[player] for seat, player in mcr_seats(start, option, before).items()}


def _in_use(seat: Seat, seats: Seating) -> Seat:
    if seat not in seats:
        raise InvalidRequest(f"nobody sits at {seat}")
    return seat


def _one_of(key: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InvalidRequest(f"{key} is one of {', '.join(known)}, not {value!r}")
