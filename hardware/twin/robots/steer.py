"""Steering to the minimum: how likely a hand seems to end in a legal win, by the routes still open to it.

The weights are a robot's taste, tried in play (`python -m tests.campaigns.mcr_robots`): they bind no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from hardware.twin.robots.eyes import Eyes
from rules.hand import Hand, Meld, MeldKind, meld_kind_of
from rules.legal import can_win
from rules.ready import shanten, useful_tiles, waits
from rules.routes import Reach, Search, book_of
from rules.seats import Seat
from rules.shapes import Shape
from rules.situation import DISCARD, SELF_DRAW, Win
from rules.tiles import Tile, full_set

PLAIN_TILES = len(full_set(136))
WITHIN = 1  # routes further than the nearest by more than this are left out of account
CANDIDATES = 3  # discards that are looked at closely
CLOSE = 0.5  # and only if they are at first sight worth so much of the best one
CLAIM_CANDIDATES = 2  # the same after a claim that is only thought of
LATER_LIVE = (6, 10, 14, 18)  # useful tiles that a stage not yet reached may count on; the last stage first
DRAWN = 1.0  # chances a turn for each useful tile: the own draw,
DRAWN_OR_CLAIMED = 1.6  # and what may be claimed of three discards on the way,
DRAWN_OR_FED = 2.5  # and, for the last tile, what three others let go
NEXT_BEST = 0.4  # weight of each next route beside the one before
LUCK = 0.25  # part of the ready hands outside all routes that win in the end
STEP = 0.2  # what a hand is worth beside one that is a tile nearer, at first sight
CLAIM_GAIN = 1.05  # how much better a hand must look to be opened
KONG_GAIN = 0.95  # how good it must look after a kong, beside the best discard


Helped = tuple[Reach, int, int]  # a route, masks of the kinds that help it and of those that can go


def steers(eyes: Eyes) -> bool:
    """Return whether this variant asks for a minimum."""
    return eyes.variant.minimum(eyes.options) > 0


@dataclass(frozen=True, slots=True)
class _Sight:
    """What a player counts before he thinks: kinds seen, tiles unseen, turns left."""

    eyes: Eyes
    seen: Sequence[int]
    unseen: int
    turns: float
    shapes: tuple[Shape, ...]

    def live(self, kinds: int) -> int:
        """Return how many tiles of a mask of kinds are unseen."""
        return sum(4 - count for kind, count in enumerate(self.seen) if kinds >> kind & 1)

    def routes(self, hand: Hand) -> list[Helped]:
        """Return the nearest routes with masks of the kinds that help and of those that can go."""
        eyes = self.eyes
        book = book_of(eyes.variant, eyes.options, eyes.variant.routes())
        search = Search(book.sets, hand, self.seen)
        own_wind = Seat.at(eyes.seat.index - eyes.dealer.index)
        goals = book.goals(own_wind, eyes.round_wind, search.melds, bool(hand.open_melds))
        return [(reach, *search.helps(reach)) for reach in search.reaches(goals, WITHIN)]


def _look(eyes: Eyes) -> _Sight:
    seen = eyes.seen()
    unseen = max(1, PLAIN_TILES - sum(seen))
    return _Sight(eyes, seen, unseen, eyes.wall_left / 4, eyes.variant.shapes(eyes.options))


# ---- how likely ----


def outlook(eyes: Eyes, hand: Hand) -> float:
    """Return how likely a hand of 13 (melds counting as three) seems to win from here.

    0 is hopeless, 1 about certain; several good routes together may come to a little more.
    """
    sight = _look(eyes)
    return _outlook(sight, hand, sight.routes(hand))


def _outlook(sight: _Sight, hand: Hand, routes: Sequence[Helped]) -> float:
    chances = [_route_chance(sight, reach, useful) for reach, useful, _ in routes]
    melds = len(hand.melds)
    distance = shanten(hand.counts, melds, sight.shapes) + 1
    if distance == 1:
        chances.append(_ready_chance(sight, hand))
    live = sum(4 - sight.seen[tile.index] for tile in useful_tiles(hand.counts, melds, sight.shapes))
    chances.append(LUCK * _chance(sight, distance, live, DRAWN_OR_CLAIMED, DRAWN_OR_FED))
    total, weight = 0.0, 1.0
    for chance in sorted(chances, reverse=True):
        total += weight * chance
        weight *= NEXT_BEST
    return total


def _route_chance(sight: _Sight, reach: Reach, useful: int) -> float:
    on_the_way = DRAWN if reach.goal.is_concealed else DRAWN_OR_CLAIMED
    last = DRAWN if reach.goal.is_self_drawn else DRAWN_OR_FED
    return _chance(sight, max(1, reach.distance), sight.live(useful), on_the_way, last)


def _chance(sight: _Sight, distance: int, live: int, on_the_way: float, last: float) -> float:
    """Return the chance that as many stages as tiles are lacking pass within the turns that are left."""
    if not live:
        return 0.0
    needed = 0.0  # turns
    for after in range(distance):  # stages that follow
        tiles = live if after == distance - 1 else LATER_LIVE[min(after, len(LATER_LIVE) - 1)]
        needed += sight.unseen / ((on_the_way if after else last) * tiles)
    return _at_least(distance, distance * sight.turns / needed)


def _at_least(count: int, mean: float) -> float:
    """Return the chance of at least so many events where `mean` are expected (Poisson)."""
    term = fewer = exp(-mean)
    for number in range(1, count):
        term *= mean / number
        fewer += term
    return 1 - fewer


def _ready_chance(sight: _Sight, hand: Hand) -> float:
    """Return the chance of a hand that is ready in form, by which of its waits the rules accept."""
    rate = 0.0
    for tile in waits(hand, sight.shapes):
        live = 4 - sight.seen[tile.index]
        if live > 0 and _accepts(sight.eyes, hand, tile, SELF_DRAW):
            rate += live * DRAWN
        if live > 0 and _accepts(sight.eyes, hand, tile, DISCARD):
            rate += live * (DRAWN_OR_FED - DRAWN)
    return _at_least(1, rate * sight.turns / sight.unseen)


def _accepts(eyes: Eyes, hand: Hand, tile: Tile, by: str) -> bool:
    """Return whether the rules would let the hand win on a tile without any luck in how it comes."""
    source = None if by == SELF_DRAW else eyes.seat.next
    win = Win(eyes.seat, hand.with_win_tile(tile), by, source)
    return can_win(eyes.variant, win, eyes.situation())


# ---- what to do ----


def rank_discards(eyes: Eyes, hand: Hand, candidates: int = CANDIDATES) -> list[tuple[float, Tile]]:
    """Return the best discards of 14 standing tiles (melds counting as three) with the outlook after them."""
    sight = _look(eyes)
    routes = sight.routes(hand)
    rough = []
    for tile in dict.fromkeys(hand.standing):
        worth = 0.0
        for reach, useful, spare in routes:
            worth += (
                sight.live(useful) / sight.unseen * STEP ** (reach.distance + 1 - (spare >> tile.index & 1))
            )
        rest = list(hand.counts)
        rest[tile.index] -= 1
        nearness = shanten(rest, len(hand.melds), sight.shapes) + 1
        rough.append((worth + LUCK * STEP ** (nearness + 1), tile))
    rough.sort(key=_best_first)
    enough = CLOSE * rough[0][0]
    close = [
        (outlook(eyes, _without(hand, tile)), tile) for worth, tile in rough[:candidates] if worth >= enough
    ]
    return sorted(close, key=_best_first)


def _best_first(pair: tuple[float, Tile]) -> tuple[float, Tile]:
    return -pair[0], pair[1]


def _without(hand: Hand, tile: Tile) -> Hand:
    rest = list(hand.standing)
    rest.remove(tile)
    return Hand(hand.melds, tuple(rest))


def claim_pays(eyes: Eyes, tile: Tile, own: tuple[Tile, ...]) -> bool:
    """Return whether the hand looks better with the discard melded to own tiles than without."""
    return _best_claim(eyes, tile, (own,)) is not None


def best_chow(eyes: Eyes, tile: Tile, choices: Sequence[tuple[Tile, Tile]]) -> tuple[Tile, Tile] | None:
    """Return the two tiles to chow with, if a chow makes the hand look better."""
    best = _best_claim(eyes, tile, choices)
    return None if best is None else choices[best]


def _best_claim(eyes: Eyes, tile: Tile, choices: Sequence[tuple[Tile, ...]]) -> int | None:
    """Return which of some own tiles to meld with the discard; None if the hand looks better without.

    A discard that brings none of the nearest routes nearer is let go without further thought.
    """
    sight, hand = _look(eyes), eyes.hand.with_win_tile(None)
    routes = sight.routes(hand)
    if not any(useful >> tile.index & 1 for _, useful, _ in routes):
        return None
    after = [_after_claim(eyes, tile, own) for own in choices]
    best = max(range(len(choices)), key=after.__getitem__)
    return best if after[best] > CLAIM_GAIN * _outlook(sight, hand, routes) else None


def _after_claim(eyes: Eyes, tile: Tile, own: Sequence[Tile]) -> float:
    """Return the outlook with the meld made and, but for a kong, the best discard thrown."""
    tiles = tuple(sorted((tile, *own)))
    kind = meld_kind_of(tiles)
    assert kind is not None
    rest = list(eyes.hand.concealed)
    for each in own:
        rest.remove(each)
    hand = Hand((*eyes.hand.melds, Meld(kind, tiles)), tuple(rest))
    return outlook(eyes, hand) if len(own) == 3 else rank_discards(eyes, hand, CLAIM_CANDIDATES)[0][0]


def kong_pays(eyes: Eyes, tile: Tile, added: bool) -> bool:
    """Return whether the hand looks about as good after a kong on the own turn as after the best discard."""
    rest = tuple(each for each in eyes.hand.standing if each != tile)
    four = (tile,) * 4
    if added:
        melds = tuple(
            Meld(MeldKind.ADDED_KONG, four, meld.source)
            if (meld.kind, meld.tile) == (MeldKind.PUNG, tile)
            else meld
            for meld in eyes.hand.melds
        )
    else:
        melds = (*eyes.hand.melds, Meld(MeldKind.CONCEALED_KONG, four))
    after = outlook(eyes, Hand(melds, rest))
    return after >= KONG_GAIN * rank_discards(eyes, eyes.hand)[0][0]
