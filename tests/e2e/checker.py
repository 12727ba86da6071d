"""What `simplest` with its usual options pays, worked out anew: nothing here imports `rules`.

Source: simplest.md. A complete hand is worth one point: the feeder pays it, or after a self-draw everyone
pays two. A kong pays at once: one point from each other player, two for a concealed one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

SEATS = ("E", "S", "W", "N")
KONG_POINTS = {"exposed_kong": 1, "added_kong": 1, "concealed_kong": 2}


def tiles_of(text: str) -> list[str]:
    """Return the tiles of text without melds.

    >>> tiles_of("34p 5s PP")
    ['3p', '4p', '5s', 'P', 'P']
    """
    tiles = []
    for ranks, suit, honor in re.findall(r"([1-9]+)([mps])|([ESWNCFP])", text):
        tiles += [honor] if honor else [rank + suit for rank in ranks]
    return tiles


def is_complete(text: str) -> bool:
    """Return whether a hand in the notation of the ledger is four sets and a pair, or seven pairs."""
    melds = re.findall(r"\[[^\]]*\]|\([^)]*\)", text)
    counts = Counter(tiles_of(re.sub(r"\[[^\]]*\]|\([^)]*\)", " ", text)))
    if not all(_is_set(meld) for meld in melds) or sum(counts.values()) != 14 - 3 * len(melds):
        return False
    if not melds and sorted(counts.values()) == [2] * 7:
        return True
    return any(amount >= 2 and _is_sets(counts - Counter({pair: 2})) for pair, amount in counts.items())


def _is_set(meld: str) -> bool:
    tiles = tiles_of(meld.split(",")[0])
    counts = Counter(tiles)
    return (len(counts) == 1 and len(tiles) in (3, 4)) or (len(tiles) == 3 and _is_sets(counts))


def _is_sets(counts: Counter[str]) -> bool:
    """Return whether the tiles are sets and nothing else."""
    if not counts:
        return True
    first = min(counts)
    if counts[first] >= 3 and _is_sets(counts - Counter({first: 3})):
        return True
    if len(first) == 1:
        return False
    chow = Counter([first, *(f"{int(first[0]) + step}{first[1]}" for step in (1, 2))])
    return all(counts[tile] for tile in chow) and _is_sets(counts - chow)


def payments(events: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the points of each seat after the kongs, robbed kongs and wins of a hand.

    Raises:
        ValueError: for a win whose tiles are no complete hand.
    """
    points = dict.fromkeys(SEATS, 0)
    for event in events:
        if event["kind"] in ("kong", "kong_robbed"):
            kind = event.get("kong", "added_kong")  # only an added kong can be robbed
            sign = 1 if event["kind"] == "kong" else -1
            for seat in SEATS:
                if seat != event["seat"]:
                    _pay(points, seat, event["seat"], sign * KONG_POINTS[kind])
        elif event["kind"] == "win":
            if not is_complete(event["hand_text"]):
                raise ValueError(f"{event['hand_text']} is no complete hand")
            if event["by"] == "self_draw":
                for seat in SEATS:
                    if seat != event["seat"]:
                        _pay(points, seat, event["seat"], 2)
            else:
                _pay(points, event["from"], event["seat"], 1)
    return points


def _pay(points: dict[str, int], payer: str, winner: str, amount: int) -> None:
    points[payer] -= amount
    points[winner] += amount
