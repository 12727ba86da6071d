"""Chinese Official beside PyMahjongGB, in one process on the same hands: score, waits, distance.

No text is ever seen twice: each row of figures takes the hands of the shared data with their suits in
another order, so that a memory of whole hands could not help (a memory of single suits may, as it does at a
table; what it costs to build is told by the rows called "cold"). Ours and the peer take turns, a block of
hands each: a busy machine slows both, and neither pushes the other out of the processor's caches at once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, permutations
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
from tests.bench.row import Row, median
from tests.campaigns.peer import peer_circumstances, peer_hand, peer_standing
from tests.rules.mcr_hands import hands

BLOCK = 100  # hands
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr"
VARIANT = get_variant("mcr")
SHAPES = VARIANT.shapes(VARIANT.default_options)
SUIT_ORDERS = [str.maketrans("mps", "".join(order)) for order in permutations("mps")]

Record = Mapping[str, Any]
Call = Callable[[], object]
Prepare = Callable[[Record], Call]  # what may be done beforehand; the call it returns is timed


@dataclass(frozen=True, slots=True)
class Contest:
    """One thing both can do; `budget` and `ratio` are what DESIGN and the issue ask for."""

    what: str
    ours: Prepare
    peer: Prepare
    budget: str = ""
    ratio: str = ""


# ---- score ----


def _score_text(record: Record) -> Call:
    text = record["hand"]
    win, situation = read_record(VARIANT, record)
    fields = (win.by, win.source, win.flags, win.wall_left, win.flowers)
    return lambda: score(VARIANT, Win(win.seat, parse_hand(text), *fields), situation)


def _peer_score_text(record: Record) -> Call:
    text, told = record["hand"], peer_circumstances(record)
    return lambda: MahjongFanCalculator(*peer_hand(text), *told)


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


def _peer_waits_text(record: Record) -> Call:
    text = record["hand"]
    return lambda: peer_waits(peer_standing(text)[1])


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


# file -> what is run on it, in this order; six orders of the suits allow six contests a file
CONTESTS: dict[str, tuple[Contest, ...]] = {
    "vectors.jsonl": (
        Contest("score from text, cold", _score_text, _peer_score_text),
        Contest("score from text", _score_text, _peer_score_text, "<= 150", "<= 1.0 compiled"),
        Contest("score of a hand already read", _score_hand, _peer_score_hand),
        Contest("answer to a record (peer: from text)", _answer, _peer_score_text),
    ),
    "waits.jsonl": (
        Contest("waits from text, cold", _waits_text, _peer_waits_text),
        Contest("waits from text", _waits_text, _peer_waits_text),
        Contest("waits of a hand already read", _waits_hand, _peer_waits_hand),
    ),
    "shanten.jsonl": (
        Contest("distance in the nearest shape, cold", _distance, _peer_distance),
        Contest("distance in the nearest shape", _distance, _peer_distance),
        Contest("distance and useful tiles, all shapes", _useful, _peer_useful),
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


def run(contest: Contest, rows: Iterator[dict[str, Any]]) -> tuple[float, float]:
    """Return the medians of ours and the peer in us."""
    mine: list[float] = []
    theirs: list[float] = []
    while block := list(islice(rows, BLOCK)):
        ours, peers = [contest.ours(record) for record in block], [contest.peer(record) for record in block]
        theirs += [clock(call) for call in peers]
        mine += [clock(call) for call in ours]
    return median(mine), median(theirs)


def clock(call: Call) -> float:
    """Return how long a call takes, in us."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e6


def rows() -> Iterator[Row]:
    """Yield for each contest the median of ours, of the peer, and the ratio of the two."""
    for name, contests in CONTESTS.items():
        known, seen = records(name), set[str]()
        for contest in contests:
            mine, theirs = run(contest, unseen(known, seen))
            yield Row(f"mcr: {contest.what}", mine, "us", contest.budget)
            yield Row("     PyMahjongGB", theirs, "us")
            yield Row("     ours / PyMahjongGB", mine / theirs, "x", contest.ratio)
