"""`make campaign-mcr`, second part: our distances, useful tiles and waits against PyMahjongGB.

The peer plans with a fifth copy: it calls a kind useful of which the hand holds all four, and takes a hand
for nearer that only such a tile would complete. Ours respects the four copies. Nothing else may differ.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from MahjongGB import (
    HonorsAndKnittedTilesShanten,
    KnittedStraightShanten,
    MahjongShanten,
    RegularShanten,
    SevenPairsShanten,
    ThirteenOrphansShanten,
)

from rules.hand import Hand
from rules.notation import parse_hand
from rules.ready import shanten, useful_tiles, waits
from rules.shapes import Shape
from rules.variants import get_variant
from tests.campaigns.figures import print_figures
from tests.campaigns.peer import our_tile, peer_standing
from tests.rules.mcr_hands import endless_hands, tiles_text
from tests.rules.mcr_recipes import EVERY, ORPHANS, ranks

SHOWN = 10  # differences that are printed
POOLS = (EVERY, EVERY, ORPHANS, ranks(1, 9, [0]), ranks(1, 9, [9, 18]))
PeerShape = Callable[[tuple[str, ...]], tuple[int, tuple[str, ...]]]
PEER_SHAPES: dict[str, PeerShape] = {
    "regular": RegularShanten,
    "seven_pairs": SevenPairsShanten,
    "thirteen_orphans": ThirteenOrphansShanten,
    "honors_knitted": HonorsAndKnittedTilesShanten,
    "knitted_straight": KnittedStraightShanten,
}
PEER_STANDING = {"regular": (1, 4, 7, 10, 13), "knitted_straight": (10, 13)}  # tiles it takes; others 13
SABOTAGES = ("stolen-step", "lost-wait")


@dataclass(slots=True)
class Figures:
    """What is compared; anything above zero in `differences` fails the campaign."""

    hands: int = 0
    ready: int = 0
    shapes: int = 0
    fifth_copy: int = 0
    differences: int = 0
    shown: list[str] = field(default_factory=list)

    def differ(self, text: str, what: str) -> None:
        """Count a difference and keep the first ones."""
        self.differences += 1
        if len(self.shown) < SHOWN:
            self.shown.append(f"{text}: {what}")


def texts(rng: Random) -> Iterator[str]:
    """Yield hands in play without end: ready ones, some steps away from ready, and random tiles."""
    for record in endless_hands(rng):
        ready = record["hand"].partition(" +")[0]
        yield ready
        yield loosened(parse_hand(ready), rng.randint(1, 8), rng)
        yield tiles_text(rng.sample([*rng.choice(POOLS)] * 4, 13))


def loosened(hand: Hand, steps: int, rng: Random) -> str:
    """Return the hand with some of its concealed tiles changed for any others of which there are copies."""
    melds = "".join(str(Hand((meld,))) for meld in hand.melds)
    kinds = [tile.index for tile in hand.concealed]
    for _ in range(min(steps, len(kinds))):
        kinds.pop(rng.randrange(len(kinds)))
        held = Counter(kinds) + Counter(tile.index for meld in hand.melds for tile in meld.tiles)
        kinds.append(rng.choice([kind for kind in EVERY if held[kind] < 4]))
    return f"{melds} {tiles_text(kinds)}".strip()


def compare(hands: Iterable[str], sabotage: str | None, figures: Figures) -> None:
    """Compare every hand in every shape and in all of them together."""
    variant = get_variant("mcr")
    shapes = variant.shapes(variant.default_options)
    for text in hands:
        figures.hands += 1
        hand = parse_hand(text)
        packs, tiles = peer_standing(text)
        ready = set[str]()
        for shape in shapes:
            if len(tiles) in PEER_STANDING.get(shape.key, (13,)):
                told = PEER_SHAPES[shape.key](tiles)
                ready |= _compare_shape(shape, hand, told, sabotage, figures)
        nearest, theirs = shanten(hand.counts, len(hand.melds), shapes), MahjongShanten(packs, tiles)
        if nearest != theirs and not (theirs < nearest and max(hand.counts) == 4):
            figures.differ(text, f"nearest: ours {nearest}, the peer {theirs}")
        _compare_waits(hand, shapes, ready, sabotage, figures)


def _compare_shape(
    shape: Shape,
    hand: Hand,
    theirs: tuple[int, tuple[str, ...]],
    sabotage: str | None,
    figures: Figures,
) -> set[str]:
    """Compare one shape; returns the peer's waits in it that the hand does not hold four times."""
    figures.shapes += 1
    melds, standing = len(hand.melds), Counter(map(str, hand.concealed))
    distance = shanten(hand.counts, melds, [shape]) - (sabotage == "stolen-step")
    useful = {str(tile) for tile in useful_tiles(hand.counts, melds, [shape])}
    wanted = {tile for code in theirs[1] if standing[tile := our_tile(code)] < 4}
    if (distance, useful) != (theirs[0], wanted):
        nearer = theirs[0] < distance or (theirs[0] == distance and useful < wanted)
        if nearer and max(standing.values()) == 4:
            figures.fifth_copy += 1
        else:
            figures.differ(str(hand), f"{shape.key}: ours {distance} {sorted(useful)}, the peer {theirs}")
    return wanted if theirs[0] == 0 else set()


def _compare_waits(
    hand: Hand, shapes: Sequence[Shape], ready: set[str], sabotage: str | None, figures: Figures
) -> None:
    """Compare the waits with the peer's useful tiles of every shape that is ready."""
    ours = {str(tile) for tile in waits(hand, shapes)}
    held = {str(tile) for tile in hand.concealed if hand.concealed.count(tile) == 4}
    if sabotage == "lost-wait":
        ours -= {min(ours)} if ours else set()
    figures.ready += bool(ours)
    if ours - held != ready:
        figures.differ(str(hand), f"only ours or the peer's waits for {sorted((ours - held) ^ ready)}")


def run(count: int, seed: int, sabotage: str | None = None) -> Figures:
    """Compare so many hands; the same numbers see the same hands."""
    figures = Figures()
    compare(islice(texts(Random(seed)), count), sabotage, figures)
    return figures


def main(arguments: list[str]) -> int:
    """Run the campaign a command line asks for; 0 = nothing differs."""
    parser = argparse.ArgumentParser(prog="mcr_shapes", description=__doc__)
    parser.add_argument("--n", type=int, default=20_000, help="hands to compare (default 20,000)")
    parser.add_argument("--seed", type=int, help="the same seed makes the same hands (default: a fresh one)")
    parser.add_argument("--sabotage", choices=SABOTAGES, help="prove that the figures can fail")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    asked = parser.parse_args(arguments)
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    started = time.perf_counter()
    figures = run(asked.n, seed, asked.sabotage)
    print("\n".join(figures.shown), file=sys.stderr, end="\n" if figures.shown else "")
    print_figures(summary(figures, seed, time.perf_counter() - started), as_json=asked.json)
    return 1 if figures.differences else 0


def summary(figures: Figures, seed: int, seconds: float) -> dict[str, Any]:
    """Return the figures as plain data."""
    return {
        "seed": seed,
        "hands": figures.hands,
        "ready": figures.ready,
        "shapes_compared": figures.shapes,
        "differences": figures.differences,
        "peer_plans_with_a_fifth_copy": figures.fifth_copy,
        "seconds": round(seconds, 1),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
