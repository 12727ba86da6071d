"""How a robot plays: the nearest way to a win, pungs and kongs that do not lead away from it.

Where the variant asks for a minimum the way is chosen by `steer`, else by the distance in tiles alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hardware.twin.robots import steer
from hardware.twin.robots.eyes import Eyes
from rules.hand import Hand, Meld, MeldKind
from rules.legal import Move, can_win, chow_choices, legal_action
from rules.ready import discards, shanten, useful_tiles
from rules.seats import Seat
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW, Win
from rules.tiles import Tile


@dataclass(frozen=True, slots=True)
class OwnKong:
    """A kong on the own turn: `added` to a pung or concealed."""

    tile: Tile
    added: bool


def wins_on(eyes: Eyes, tile: Tile, by: str, source: Seat | None, flags: frozenset[str]) -> bool:
    """Return whether the rules let this player win on the tile (his hand without it)."""
    waiting = eyes.hand.with_win_tile(None)
    shapes = eyes.variant.shapes(eyes.options)
    counts = list(waiting.counts)
    if tile.is_flower:
        return False
    counts[tile.index] += 1
    if shanten(counts, len(waiting.melds), shapes) != -1:
        return False
    win = Win(eyes.seat, waiting.with_win_tile(tile), by, source)
    return can_win(eyes.variant, win, eyes.situation(flags))


def wins_by_own_draw(eyes: Eyes, flags: frozenset[str]) -> bool:
    """Return whether the drawn tile wins."""
    drawn = eyes.hand.win_tile
    return drawn is not None and wins_on(eyes, drawn, SELF_DRAW, None, flags)


def wins_on_discard(eyes: Eyes, tile: Tile, source: Seat, flags: frozenset[str]) -> bool:
    """Return whether the discard wins."""
    return wins_on(eyes, tile, DISCARD, source, flags)


def robs(eyes: Eyes, tile: Tile, source: Seat) -> bool:
    """Return whether the tile that joins a pung of another player wins."""
    if "rob_kong" not in eyes.variant.permits(eyes.options):
        return False
    return wins_on(eyes, tile, ROB_KONG, source, frozenset())


def pick_discard(eyes: Eyes, rng: Random) -> Tile:
    """Return the tile to throw: nearest to ready, then most tiles that may still help."""
    flower = next((tile for tile in eyes.hand.standing if tile.is_flower), None)
    if flower is not None:
        return flower
    if steer.steers(eyes):
        return steer.rank_discards(eyes, eyes.hand)[0][1]
    shapes = eyes.variant.shapes(eyes.options)
    rows = discards(list(eyes.hand.counts), len(eyes.hand.melds), shapes, eyes.seen())
    best = [row for row in rows if (row.shanten, row.live) == (rows[0].shanten, rows[0].live)]
    return rng.choice(best).tile


def pick_own_kong(eyes: Eyes) -> OwnKong | None:
    """Return a kong to declare on the own turn, if one does not lead away from a win."""
    for tile in dict.fromkeys(eyes.hand.standing):
        for do, added in (("kong_concealed", False), ("kong_added", True)):
            move = Move(eyes.seat, do, eyes.hand, tile, wall_left=eyes.wall_left)
            if tile.is_flower or not legal_action(eyes.variant, move, eyes.options):
                continue
            kong = OwnKong(tile, added)
            if steer.kong_pays(eyes, tile, added) if steer.steers(eyes) else _kong_is_no_loss(eyes, kong):
                return kong
    return None


def _kong_is_no_loss(eyes: Eyes, kong: OwnKong) -> bool:
    shapes = eyes.variant.shapes(eyes.options)
    melds = len(eyes.hand.melds)
    counts = list(eyes.hand.counts)
    now = shanten(counts, melds, shapes)
    counts[kong.tile.index] -= 1 if kong.added else 4
    return shanten(counts, melds + (not kong.added), shapes) <= now


def wants_kong(eyes: Eyes, tile: Tile, source: Seat) -> bool:
    """Return whether to kong a discard: three in hand, and the hand gets no further from a win."""
    move = Move(eyes.seat, "kong_exposed", eyes.hand, tile, source, eyes.wall_left)
    if not legal_action(eyes.variant, move, eyes.options):
        return False
    if steer.steers(eyes):
        return steer.claim_pays(eyes, tile, (tile,) * 3)
    return _nearness_after(eyes, tile, 3) <= _nearness(eyes)


def wants_pung(eyes: Eyes, tile: Tile, source: Seat) -> bool:
    """Return whether to pung a discard: only if the hand gets nearer to a win."""
    move = Move(eyes.seat, "pung", eyes.hand, tile, source, eyes.wall_left)
    if not legal_action(eyes.variant, move, eyes.options):
        return False
    if steer.steers(eyes):
        return steer.claim_pays(eyes, tile, (tile,) * 2)
    return _nearness_after(eyes, tile, 2) < _nearness(eyes)


def wants_chow(eyes: Eyes, tile: Tile, source: Seat) -> tuple[Tile, Tile] | None:
    """Return the two tiles to chow with, if the rules allow it and the hand gets nearer to a win."""
    move = Move(eyes.seat, "chow", eyes.hand, tile, source, eyes.wall_left)
    if not legal_action(eyes.variant, move, eyes.options):
        return None
    if steer.steers(eyes):
        return steer.best_chow(eyes, tile, chow_choices(eyes.hand, tile))
    shapes = eyes.variant.shapes(eyes.options)
    best: tuple[int, tuple[Tile, Tile]] | None = None
    for pair in chow_choices(eyes.hand, tile):
        counts = list(eyes.hand.counts)
        for own in pair:
            counts[own.index] -= 1
        nearness = discards(counts, len(eyes.hand.melds) + 1, shapes)[0].shanten
        if nearness < _nearness(eyes) and (best is None or nearness < best[0]):
            best = nearness, pair
    return None if best is None else best[1]


def waits_of(hand: Hand, eyes: Eyes) -> frozenset[Tile]:
    """Return the tiles that complete a standing hand of 13, empty if it is not ready."""
    shapes = eyes.variant.shapes(eyes.options)
    counts = list(hand.with_win_tile(None).counts)
    if shanten(counts, len(hand.melds), shapes) != 0:
        return frozenset()
    return frozenset(useful_tiles(counts, len(hand.melds), shapes))


def _nearness(eyes: Eyes) -> int:
    shapes = eyes.variant.shapes(eyes.options)
    return shanten(list(eyes.hand.with_win_tile(None).counts), len(eyes.hand.melds), shapes)


def _nearness_after(eyes: Eyes, tile: Tile, taken: int) -> int:
    """Return the distance after claiming with `taken` own tiles (and, after a pung, the best discard)."""
    shapes = eyes.variant.shapes(eyes.options)
    counts = list(eyes.hand.with_win_tile(None).counts)
    counts[tile.index] -= taken
    melds = len(eyes.hand.melds) + 1
    if taken == 3:
        return shanten(counts, melds, shapes)
    return discards(counts, melds, shapes)[0].shanten


def claimed_meld(kind: MeldKind, tiles: tuple[Tile, ...], source: int) -> Meld:
    """Return the meld made with a discard."""
    return Meld(kind, tiles, source)
