"""Who may do what: the only legality code, used by robots and pages alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.errors import InvalidRequest, InvalidWin
from rules.evaluate import score
from rules.hand import Hand, MeldKind
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after
from rules.situation import Situation, Win
from rules.tiles import TILES, Tile
from rules.variant import Variant, resolve_options

CLAIMS = ("win", "kong", "pung", "chow")
ACTIONS = (
    "chow",
    "pung",
    "kong_exposed",
    "kong_added",
    "kong_concealed",
    "discard",
    "pass",
    "show",
    "declare",
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat calls one discard: win, kong, pung or chow."""

    seat: Seat
    kind: str


def nearest_first(source: Seat, seats: Sequence[Seat], players: Sequence[Seat] = ALL_SEATS) -> list[Seat]:
    """Return seats in play order, the one nearest after `source` first."""
    order = in_order_after(source, players)
    return sorted(seats, key=order.index)


def precedence(
    discarder: Seat, claims: Sequence[Claim], multi_win: bool, players: Sequence[Seat] = ALL_SEATS
) -> tuple[Claim, ...]:
    """Return the claims that are granted on one discard; empty if there is none.

    Win before pung and kong, those before chow; of several winners the nearest after the discarder, or all in
    that order with `multi_win`. A chow of anybody but the next seat is not a claim. The order in which claims
    are given does not matter.

    Raises:
        InvalidRequest: for an unknown kind, a claim of the discarder, or of a seat that does not play.
    Source: win-procedure.md section 2.
    """
    for claim in claims:
        if claim.kind not in CLAIMS:
            raise InvalidRequest(f"a claim is one of {', '.join(CLAIMS)}, not {claim.kind!r}")
        if claim.seat == discarder or claim.seat not in players:
            raise InvalidRequest(f"{claim.seat} cannot claim the discard of {discarder}")
    order = nearest_first(discarder, [seat for seat in players if seat != discarder], players)
    ranked = sorted(claims, key=lambda claim: (order.index(claim.seat), CLAIMS.index(claim.kind)))
    wins = [claim for claim in ranked if claim.kind == "win"]
    if wins:
        unique = list(dict.fromkeys(wins))
        return tuple(unique) if multi_win else (unique[0],)
    sets = [claim for claim in ranked if claim.kind in ("pung", "kong")]
    if sets:
        return (sets[0],)
    following = seat_after(discarder, players)
    chows = [claim for claim in ranked if claim.kind == "chow" and claim.seat == following]
    return (chows[0],) if chows else ()


# ---- what the tiles allow ----


def can_pung(hand: Hand, tile: Tile) -> bool:
    """Return whether two concealed tiles equal the discard."""
    return not tile.is_flower and hand.concealed.count(tile) >= 2


def can_kong_exposed(hand: Hand, tile: Tile) -> bool:
    """Return whether three concealed tiles equal the discard."""
    return not tile.is_flower and hand.concealed.count(tile) >= 3


def can_kong_added(hand: Hand, tile: Tile) -> bool:
    """Return whether the tile, drawn or concealed, joins an own pung."""
    own_pung = any(meld.kind is MeldKind.PUNG and meld.tile == tile for meld in hand.melds)
    return own_pung and tile in hand.standing


def can_kong_concealed(hand: Hand, tile: Tile) -> bool:
    """Return whether all four stand in the hand, the drawn tile counted."""
    return not tile.is_flower and hand.standing.count(tile) == 4


def chow_choices(hand: Hand, tile: Tile) -> tuple[tuple[Tile, Tile], ...]:
    """Return the pairs of concealed tiles that form a run with the discard."""
    if tile.suit is None or tile.rank is None:
        return ()
    choices = []
    for low in (-2, -1, 0):
        ranks = [tile.rank + low + step for step in range(3)]
        if ranks[0] < 1 or ranks[2] > 9:
            continue
        first, second = (TILES[tile.index + low + step] for step in range(3) if low + step != 0)
        if first in hand.concealed and second in hand.concealed:
            choices.append((first, second))
    return tuple(choices)


def can_chow(hand: Hand, tile: Tile) -> bool:
    """Return whether two concealed tiles form a run with the discard (the seat is not asked here)."""
    return bool(chow_choices(hand, tile))


def can_win(variant: Variant, win: Win, situation: Situation) -> bool:
    """Return whether the rules accept this win; False also where the tiles cannot be a win at all."""
    try:
        return score(variant, win, situation).legal
    except InvalidWin:
        return False


# ---- what the rules allow ----


@dataclass(frozen=True, slots=True)
class Move:
    """A seat wants to do something with a tile.

    `hand` is before the action: 13 tiles, or 14 with the drawn tile apart, on the own turn. `source` is the
    discarder, `wall_left` the tiles still to draw; `locked` says that the hand may not change any more.
    """

    seat: Seat
    do: str
    hand: Hand
    tile: Tile | None = None
    source: Seat | None = None
    wall_left: int | None = None
    locked: bool = False


def legal_action(
    variant: Variant,
    move: Move,
    options: Mapping[str, object],
    players: Sequence[Seat] = ALL_SEATS,
) -> bool:
    """Return whether the rules allow the move.

    Raises:
        InvalidRequest: if the move is not a move at all (unknown action, no tile, wrong number of tiles).
    """
    permitted = variant.permits(resolve_options(variant, options))
    if move.do not in ACTIONS:
        raise InvalidRequest(f"do is one of {', '.join(ACTIONS)}, not {move.do!r}")
    if move.seat not in players:
        raise InvalidRequest(f"{move.seat} does not play")
    own_turn = _own_turn(variant, move.hand)
    if move.do == "pass":
        return True
    if move.do in ("show", "declare"):
        return move.do in permitted
    if move.tile is None:
        raise InvalidRequest(f"{move.do} needs a tile")
    if move.do == "discard":
        return own_turn and _may_discard(move)
    if move.do not in permitted:
        return False
    if move.do in ("chow", "pung", "kong_exposed"):
        return not own_turn and _may_claim(move, players)
    return own_turn and _may_kong_own(move)


def _own_turn(variant: Variant, hand: Hand) -> bool:
    """Return whether the hand holds the drawn tile (14), not only the 13 of a waiting player."""
    total = hand.size + (hand.win_tile is not None and not hand.win_tile.is_flower)
    if total not in (variant.hand_size, variant.hand_size + 1):
        size = variant.hand_size
        raise InvalidRequest(
            f"{total} tiles, a kong counting as 3; a hand has {size}, or {size + 1} on its turn"
        )
    return total == variant.hand_size + 1


def _may_discard(move: Move) -> bool:
    if move.locked and move.hand.win_tile is not None:
        return move.tile == move.hand.win_tile
    return move.tile in move.hand.standing


def _may_claim(move: Move, players: Sequence[Seat]) -> bool:
    assert move.tile is not None
    if move.source is None:
        raise InvalidRequest(f"{move.do} needs the seat that discarded (from)")
    if move.source not in players:
        raise InvalidRequest(f"{move.source} does not play")
    if move.source == move.seat or move.locked:
        return False
    if move.do == "chow":
        return seat_after(move.source, players) == move.seat and can_chow(move.hand, move.tile)
    if move.do == "pung":
        return can_pung(move.hand, move.tile)
    return can_kong_exposed(move.hand, move.tile) and move.wall_left != 0


def _may_kong_own(move: Move) -> bool:
    assert move.tile is not None
    if move.locked or move.wall_left == 0:  # no replacement tile is left
        return False
    if move.do == "kong_added":
        return can_kong_added(move.hand, move.tile)
    return can_kong_concealed(move.hand, move.tile)
