"""Which tiles a hand waits for under a `Ruleset`, and what a hand is after a kong: for hands that are frozen,
shown or counted at a drawn end."""

from __future__ import annotations

from rules.engine import NOTHING_TOLD, Ruleset, Told
from rules.engine_value import value_of
from rules.errors import InvalidHand, InvalidWin
from rules.hand import Hand, Meld, MeldKind
from rules.legal import Move
from rules.options import Options
from rules.seats import Seat
from rules.situation import DISCARD, SELF_DRAW, Situation, Win
from rules.tiles import Tile

KONG_MOVES = {
    "kong_exposed": MeldKind.EXPOSED_KONG,
    "kong_added": MeldKind.ADDED_KONG,
    "kong_concealed": MeldKind.CONCEALED_KONG,
}


def waits_of(
    rules: Ruleset,
    hand: Hand,
    seat: Seat,
    options: Options,
    *,
    by: str = DISCARD,
    flags: frozenset[str] = frozenset(),
    told: Told = NOTHING_TOLD,
) -> frozenset[Tile]:
    """Return the kinds that win for a hand of 13 under the rules; one of which it holds all four is none."""
    source = None if by == SELF_DRAW else next(other for other in (Seat.E, Seat.S) if other != seat)
    plain = Situation(Seat.E, options=options)
    found = set()
    for tile in rules.base.kinds:
        if hand.tiles.count(tile) == tile.copies:
            continue
        try:
            won = value_of(rules, Win(seat, hand.with_win_tile(tile), by, source, flags), plain, told)
        except (InvalidWin, InvalidHand):
            continue
        if won.legal:
            found.add(tile)
    return frozenset(found)


def after_kong(hand: Hand, tile: Tile, kind: MeldKind) -> Hand:
    """Return the hand with its kong of this tile, before the replacement is drawn."""
    kept = tuple(meld for meld in hand.melds if meld.kind is not MeldKind.PUNG or meld.tile != tile)
    melds = kept if kind is MeldKind.ADDED_KONG else hand.melds
    left = tuple(each for each in hand.standing if each != tile)
    return Hand((*melds, Meld(kind, (tile,) * 4)), left)


def keeps_waits(
    rules: Ruleset, move: Move, options: Options, *, by: str = DISCARD, flags: frozenset[str] = frozenset()
) -> bool:
    """Return whether a kong leaves the hand waiting for the same tiles as before the tile was drawn."""
    assert move.tile is not None
    before = Hand(move.hand.melds, move.hand.concealed)
    after = after_kong(move.hand, move.tile, KONG_MOVES[move.do])
    waits = waits_of(rules, before, move.seat, options, by=by, flags=flags)
    return waits == waits_of(rules, after, move.seat, options, by=by, flags=flags)
