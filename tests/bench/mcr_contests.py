"""What we and PyMahjongGB can both do, and how it is timed: call by call in turn, on the same hands.

No text is ever seen twice: each contest takes the hands of the shared data with their suits in another order,
so that a memory of whole hands could not help. A memory of single suits does, as it does at a table; contests
called "cold" come first in their process and tell what it costs to build, the others follow when it is full.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from MahjongGB import (
    HonorsAndKnittedTilesShanten,
    KnittedStraightShanten,
    MahjongFanCalculator,
    MahjongShanten,
    RegularShanten,
    SevenPairsShanten,
    ThirteenOrphansShanten,
)

from rules.notation import parse_hand
from rules.ready import shanten, useful_tiles, waits
from rules.records import answer_record, read_record
from rules.scoring import Win, score
from rules.variants import get_variant
from tests.bench.mcr_regex import regex_hand, regex_standing
from tests.bench.row import median
from tests.campaigns.peer import PeerHand, peer_circumstances, peer_hand, peer_standing
from tests.rules.mcr_hands import hands

BLOCK = 100  # hands made ready at a time
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr"
VARIANT = get_variant("mcr")
SHAPES = VARIANT.shapes(VARIANT.default_options)
# after three of them every suit of a hand has stood in every place: the memory of single suits is full
SUIT_ORDERS = [str.maketrans("mps", order) for order in ("mps", "psm", "smp", "msp", "pms", "spm")]

Record = Mapping[str, Any]
Call = Callable[[], object]
Prepare = Callable[[Record], Call]  # what may be done beforehand; the call it returns is timed
Standing = Callable[[str], tuple[tuple[Any, ...], tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Contest:
    """One thing both can do.

    `peers` are the ways to ask PyMahjongGB, by name; `budget` is what ours may take in us when it is pure
    Python, `ratio` what ours / peer may be when it is compiled, for the peer named `against`. `is_told` is
    False for orders that only let the memory of suits fill.
    """

    what: str
    ours: Prepare
    peers: Mapping[str, Prepare]
    budget: str = ""
    ratio: str = ""
    is_told: bool = True


# ---- score ----


def _score_text(record: Record) -> Call:
    text = record["hand"]
    win, situation = read_record(VARIANT, record)
    fields = (win.by, win.source, win.flags, win.wall_left, win.flowers)
    return lambda: score(VARIANT, Win(win.seat, parse_hand(text), *fields), situation)


def _peer_score_text(feed: Callable[[str], PeerHand], record: Record) -> Call:
    text, told = record["hand"], peer_circumstances(record)
    return lambda: MahjongFanCalculator(*feed(text), *told)


def _score_hand(record: Record) -> Call:
    win, situation = read_record(VARIANT, record)
    return lambda: score(VARIANT, win, situation)


def _peer_score_hand(record: Record) -> Call:
    told = (*peer_hand(record["hand"]), *peer_circumstances(record))
    return lambda: MahjongFanCalculator(*told)


def _answer(record: Record) -> Call:
    return lambda: answer_record(VARIANT, record)


# ---- waits ----


def _waits_text(record: Record) -> Call:
    text = record["hand"]
    return lambda: waits(parse_hand(text), SHAPES)


def _peer_waits_text(feed: Standing, record: Record) -> Call:
    text = record["hand"]
    return lambda: peer_waits(feed(text)[1])


def _waits_hand(record: Record) -> Call:
    hand = parse_hand(record["hand"])
    return lambda: waits(hand, SHAPES)


def _peer_waits_hand(record: Record) -> Call:
    tiles = peer_standing(record["hand"])[1]
    return lambda: peer_waits(tiles)


def peer_waits(tiles: tuple[str, ...]) -> set[str]:
    """Return the peer's waits: useful tiles of every shape that is ready."""
    found: set[str] = set()
    for shape in peer_shapes(len(tiles)):
        distance, useful = shape(tiles)
        if distance == 0:
            found.update(useful)
    return found


def peer_shapes(tiles: int) -> tuple[Callable[[tuple[str, ...]], tuple[int, tuple[str, ...]]], ...]:
    """Return the peer's shapes that are open to so many standing tiles."""
    if tiles == 13:
        return (
            RegularShanten,
            SevenPairsShanten,
            ThirteenOrphansShanten,
            HonorsAndKnittedTilesShanten,
            KnittedStraightShanten,
        )
    return (RegularShanten, KnittedStraightShanten) if tiles == 10 else (RegularShanten,)


# ---- distance ----


def _distance(record: Record) -> Call:
    hand = parse_hand(record["hand"])
    counts, melds = hand.counts, len(hand.melds)
    return lambda: shanten(counts, melds, SHAPES)


def _peer_distance(record: Record) -> Call:
    told = peer_standing(record["hand"])
    return lambda: MahjongShanten(*told)


def _useful(record: Record) -> Call:
    hand = parse_hand(record["hand"])
    counts, melds = hand.counts, len(hand.melds)
    return lambda: useful_tiles(counts, melds, SHAPES)


def _peer_useful(record: Record) -> Call:
    tiles = peer_standing(record["hand"])[1]
    return lambda: [shape(tiles) for shape in peer_shapes(len(tiles))]


_FEEDS = {"regex": partial(_peer_score_text, regex_hand), "split": partial(_peer_score_text, peer_hand)}
_WAIT_FEEDS = {
    "regex": partial(_peer_waits_text, regex_standing),
    "split": partial(_peer_waits_text, peer_standing),
}
_NEAREST = {"call": _peer_distance}

# file -> what is run on it, in this order; six orders of the suits allow six contests a file
CONTESTS: dict[str, tuple[Contest, ...]] = {
    "vectors.jsonl": (
        Contest("score from text, cold", _score_text, _FEEDS),
        Contest("score from text, warming up", _score_text, _FEEDS, is_told=False),
        Contest("score from text, warming up", _score_text, _FEEDS, is_told=False),
        Contest("score from text", _score_text, _FEEDS, "<= 150", "<= 1.0"),
        Contest("score of a hand already read", _score_hand, {"call": _peer_score_hand}),
        Contest("answer to a record (peer: from text)", _answer, _FEEDS),
    ),
    "waits.jsonl": (
        Contest("waits from text, cold", _waits_text, _WAIT_FEEDS),
        Contest("waits from text, warming up", _waits_text, _WAIT_FEEDS, is_told=False),
        Contest("waits from text, warming up", _waits_text, _WAIT_FEEDS, is_told=False),
        Contest("waits from text", _waits_text, _WAIT_FEEDS),
        Contest("waits of a hand already read", _waits_hand, {"call": _peer_waits_hand}),
    ),
    "shanten.jsonl": (
        Contest("distance in the nearest shape, cold", _distance, _NEAREST),
        Contest("distance, warming up", _distance, _NEAREST, is_told=False),
        Contest("distance, warming up", _distance, _NEAREST, is_told=False),
        Contest("distance in the nearest shape", _distance, _NEAREST),
        Contest("distance and useful tiles, all shapes", _useful, {"call": _peer_useful}),
    ),
}


def records(name: str) -> list[dict[str, Any]]:
    """Return the records of a shared data file; generated ones of the same form where it is not there."""
    path = DATA / name
    if path.is_file():
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    made = list(hands(1, 4000))
    if name == "vectors.jsonl":
        return made
    return [{"hand": record["hand"].partition(" +")[0]} for record in made[:1500]]


def unseen(rows: list[dict[str, Any]], seen: set[str]) -> Iterator[dict[str, Any]]:
    """Yield every record with its suits in an order that makes a text not seen before, if there is one."""
    for row in rows:
        for order in SUIT_ORDERS:
            text = row["hand"].translate(order)
            if text not in seen:
                seen.add(text)
                yield {**row, "hand": text}
                break


def run(contest: Contest, rows: Iterator[dict[str, Any]]) -> dict[str, float]:
    """Return the median of `ours` and of each way to ask the peer, in us; they take turns on every hand."""
    names = ["ours", *contest.peers]
    prepares = [contest.ours, *contest.peers.values()]
    times: list[list[float]] = [[] for _ in names]
    while block := list(islice(rows, BLOCK)):
        for number, calls in enumerate([[prepare(record) for prepare in prepares] for record in block]):
            for turn in range(len(calls)):
                who = (turn + number) % len(calls)  # nobody is always the first after another one
                times[who].append(clock(calls[who]))
    return dict(zip(names, map(median, times), strict=True))


def clock(call: Call) -> float:
    """Return how long a call takes, in us."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e6
