"""`make campaign-mcr`: our Chinese Official scores against PyMahjongGB on fresh random hands.

Every hand must have the same total and the same list of fan, where a list that we name as an equal reading
counts as the same. Then many more hands are scored by ours alone: none may be refused or raise. Exit 1 on
anything else.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.errors import RuleError
from rules.records import answer_record
from rules.variant import Variant
from rules.variants import get_variant
from tests.campaigns.figures import print_figures
from tests.campaigns.peer import PeerRefused, peer_fans
from tests.rules.mcr_hands import hands

VARIANT = "mcr"
SHOWN = 10  # differences that are printed
Record = dict[str, Any]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sabotage:
    """What is spoiled to prove that the figures can fail: the rules, the question or our answer."""

    variant: Callable[[Variant], Variant] = lambda variant: variant
    record: Callable[[Record], Record] = lambda record: record
    answer: Callable[[Answer], Answer] = lambda answer: answer


def _without_exclusions(variant: Variant) -> Variant:
    """Let 清一色 keep 无字 beside it, and so on: the row excludes nothing any more."""
    fans = [replace(fan, excludes=()) if fan.zh == "清一色" else fan for fan in variant.fans]
    return replace(variant, fans=tuple(fans))


def _without_last_fan(answer: Answer) -> Answer:
    rows = answer["fan"][:-1]
    return {**answer, "fan": rows, "total": sum(row["points"] * row["count"] for row in rows)}


def _seat_of_the_next(record: Record) -> Record:
    return {**record, "seat_wind": "ESWN"["ESWN".index(record["seat_wind"]) - 3]}


SABOTAGES: dict[str, Sabotage] = {
    "lost-exclusion": Sabotage(variant=_without_exclusions),
    "lost-fan": Sabotage(answer=_without_last_fan),
    "stolen-point": Sabotage(answer=lambda answer: {**answer, "total": answer["total"] - 1}),
    "wrong-wind": Sabotage(record=_seat_of_the_next),
    "lost-kong": Sabotage(record=lambda record: {**record, "kong_replacement": False}),
    "lost-flower": Sabotage(record=lambda record: {**record, "flowers": max(0, record["flowers"] - 1)}),
}


@dataclass(slots=True)
class Figures:
    """What a campaign counts; everything above zero in `differences` or `errors` fails it."""

    compared: int = 0
    differences: int = 0
    named_otherwise: int = 0
    below_minimum: int = 0
    scored: int = 0
    errors: int = 0
    fans: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def show(self, record: Mapping[str, Any], text: str) -> None:
        """Keep what is wrong with a hand, if there is still room."""
        if len(self.shown) < SHOWN:
            self.shown.append(f"{json.dumps(record, ensure_ascii=False)}\n    {text}")


def our_fans(answer: Answer) -> dict[str, int]:
    """Return our list in the peer's form: what each fan brings."""
    return {row["name"]: row["points"] * row["count"] for row in answer["fan"]}


def compare(records: Iterable[Record], sabotage: str | None, figures: Figures) -> None:
    """Score every record by both and count the differences."""
    spoiled = SABOTAGES[sabotage] if sabotage else Sabotage()
    variant = spoiled.variant(get_variant(VARIANT))
    for record in records:
        figures.compared += 1
        theirs = peer_fans(record)
        figures.fans.update(theirs.keys())
        try:
            ours = spoiled.answer(answer_record(variant, spoiled.record(record), explain=True))
        except RuleError as error:
            figures.differences += 1
            figures.show(record, f"ours refuses: {error}; the peer: {theirs}")
            continue
        figures.below_minimum += not ours["meets_minimum"]
        named = our_fans(ours)
        total = sum(theirs.values())
        if ours["total"] == total and named == theirs:
            continue
        if ours["total"] == total and theirs in ours["alt"]:
            figures.named_otherwise += 1
            continue
        figures.differences += 1
        figures.show(record, f"ours {ours['total']}: {named}; the peer {total}: {theirs}")


def score_alone(records: Iterable[Record], figures: Figures) -> None:
    """Score every record by ours and count those that do not come out as a complete hand."""
    variant = get_variant(VARIANT)
    for record in records:
        figures.scored += 1
        try:
            answer = answer_record(variant, record)
        except Exception as error:  # whatever it is, the campaign goes on and names the hand
            figures.errors += 1
            figures.show(record, f"ours raises {type(error).__name__}: {error}")
            continue
        refused = answer.get("reason", "below_minimum") != "below_minimum"
        if refused or not answer["fan"] or sum(our_fans(answer).values()) != answer["total"]:
            figures.errors += 1
            figures.show(record, f"ours answers {answer}")


def run(compared: int, scored: int, seed: int, sabotage: str | None = None) -> Figures:
    """Run a campaign; the same numbers and seed see the same hands."""
    figures = Figures()
    try:
        compare(hands(seed, compared), sabotage, figures)
    except PeerRefused as error:
        raise SystemExit(f"the generator made a hand that the peer takes for none: {error}") from error
    score_alone(hands(seed + 1, scored), figures)
    return figures


def summary(figures: Figures, seed: int, seconds: float) -> dict[str, Any]:
    """Return the figures as plain data."""
    rarest = min(figures.fans.items(), key=lambda item: item[1], default=("", 0))
    return {
        "seed": seed,
        "compared": figures.compared,
        "differences": figures.differences,
        "named_otherwise": figures.named_otherwise,
        "below_minimum": figures.below_minimum,
        "scored_alone": figures.scored,
        "errors": figures.errors,
        "fans_seen": len(figures.fans),
        "rarest": list(rarest),
        "seconds": round(seconds, 1),
    }


def main(arguments: list[str]) -> int:
    """Run the campaign a command line asks for; 0 = nothing differs."""
    parser = argparse.ArgumentParser(prog="mcr_differential", description=__doc__)
    parser.add_argument("--n", type=int, default=20_000, help="hands to compare (default 20,000)")
    parser.add_argument("--alone", type=int, default=100_000, help="more hands to score (default 100,000)")
    parser.add_argument("--seed", type=int, help="the same seed makes the same hands (default: a fresh one)")
    parser.add_argument("--sabotage", choices=SABOTAGES, help="prove that the figures can fail")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    asked = parser.parse_args(arguments)
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    started = time.perf_counter()
    figures = run(asked.n, asked.alone, seed, asked.sabotage)
    found = summary(figures, seed, time.perf_counter() - started)
    for text in figures.shown:
        print(text, file=sys.stderr)
    print_figures(found, as_json=asked.json)
    return 1 if figures.differences or figures.errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
