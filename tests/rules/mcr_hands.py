"""A seeded stream of winning MCR hands in the keys of shared/data/mcr/vectors.jsonl.

Circumstances are kept consistent as the README of that data says: a robbed kong only on a discard of a tile
the winner does not otherwise hold and never with the last tile; a kong replacement only on a self-draw with a
kong declared; the last of its kind never while a copy is concealed, and always when the own melds show three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from tests.rules.mcr_recipes import RECIPES, Plan, Set

HONOR_LETTERS = "ESWNCFP"
MAX_FLOWERS = 8


@dataclass(frozen=True, slots=True)
class Declared:
    """A planned hand with its melds declared; `melds` are (kinds, text)."""

    melds: tuple[tuple[Set, str], ...]
    standing: tuple[int, ...]
    has_kong: bool


def hands(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield so many winning hands as records; the same seed gives the same hands."""
    return islice(endless_hands(Random(seed)), count)


def endless_hands(rng: Random) -> Iterator[dict[str, Any]]:
    """Yield winning hands without end, every recipe equally often but in random order."""
    names = list(RECIPES)
    number = 0
    while True:
        rng.shuffle(names)
        for name in names:
            number += 1
            yield {"id": f"G{number:06d}", **hand_of(name, rng)}


def hand_of(name: str, rng: Random) -> dict[str, Any]:
    """Return one record by the named recipe."""
    while True:
        plan = RECIPES[name](rng)
        declared = _declare(plan, rng) if plan else None
        if plan and declared:
            return _record(plan, declared, rng)


def tiles_text(kinds: Sequence[int]) -> str:
    """Return kinds as tile text, e.g. `123m EE`."""
    parts = []
    for suit, base in zip("mps", (0, 9, 18), strict=True):
        digits = "".join(str(kind - base + 1) for kind in sorted(kinds) if base <= kind < base + 9)
        parts += [digits + suit] if digits else []
    letters = "".join(HONOR_LETTERS[kind - 27] for kind in sorted(kinds) if kind >= 27)
    return " ".join([*parts, letters] if letters else parts)


def _declare(plan: Plan, rng: Random) -> Declared | None:
    """Choose kongs and melds; None where the plan wants kongs of pungs that are not there."""
    places = list(range(len(plan.sets)))
    rng.shuffle(places)
    pungs = [place for place in places if plan.sets[place][0] == plan.sets[place][-1]]
    free = [place for place in pungs if _copies(plan)[plan.sets[place][0]] == 3]
    exposed, concealed = plan.kongs if plan.kongs is not None else _some_kongs(len(free), rng)
    if len(free) < exposed + concealed:
        return None
    kongs = free[: exposed + concealed]
    others = [place for place in places if place not in kongs]
    wanted = rng.choice((0, 0, 1, 1, 2, 3, 4)) if plan.melds is None else plan.melds
    opened = others[: max(0, wanted - exposed)]
    melds = [_kong(plan.sets[place][0], number < exposed, rng) for number, place in enumerate(kongs)]
    melds += [_meld(plan.sets[place], rng) for place in opened]
    rng.shuffle(melds)
    standing = [kind for place in others if place not in opened for kind in plan.sets[place]]
    standing += [plan.pair] * 2 if plan.pair is not None else []
    return Declared(tuple(melds), (*standing, *plan.loose), bool(kongs))


def _copies(plan: Plan) -> Counter[int]:
    eyes = [plan.pair] * 2 if plan.pair is not None else []
    return Counter([*(kind for each in plan.sets for kind in each), *eyes, *plan.loose])


def _some_kongs(most: int, rng: Random) -> tuple[int, int]:
    exposed = sum(rng.random() < 0.08 for _ in range(most))
    concealed = sum(rng.random() < 0.08 for _ in range(most - exposed))
    return exposed, concealed


def _kong(kind: int, exposed: bool, rng: Random) -> tuple[Set, str]:
    text = tiles_text([kind] * 4)
    added = "+" if rng.random() < 0.4 else ""
    return (kind,) * 4, f"[{text}{added},{rng.choice('123')}]" if exposed else f"({text})"


def _meld(kinds: Set, rng: Random) -> tuple[Set, str]:
    source = rng.choice("123") if kinds[0] == kinds[-1] else "1"
    return kinds, f"[{tiles_text(kinds)},{source}]"


def _record(plan: Plan, declared: Declared, rng: Random) -> dict[str, Any]:
    standing = list(declared.standing)
    wanted = [kind for kind in plan.win if kind in standing] or standing
    win = rng.choice(wanted)
    standing.remove(win)
    melds = "".join(text for _, text in declared.melds)
    hand = f"{melds} {tiles_text(standing)} + {tiles_text([win])}".strip()
    flowers = rng.choice((0, 0, 0, *range(1, MAX_FLOWERS + 1)))
    return {
        "hand": hand,
        **_circumstances(plan.wish, win, standing, declared, rng),
        "seat_wind": rng.choice("ESWN"),
        "round_wind": rng.choice("ESWN"),
        "flowers": flowers,
    }


def _circumstances(
    wish: str, win: int, standing: list[int], declared: Declared, rng: Random
) -> dict[str, bool]:
    """Return the five circumstances; a wish is followed where the hand allows it."""

    def happens(name: str, chance: float) -> bool:
        return wish == name or (wish != "plain" and rng.random() < chance)

    shown = sum(kinds.count(win) for kinds, _ in declared.melds)
    self_draw = wish not in ("discard", "rob_kong", "plain") and (
        wish in ("self_draw", "kong_replacement") or rng.random() < 0.4
    )
    rob_kong = not self_draw and shown == 0 and win not in standing and happens("rob_kong", 0.05)
    chance = 0.3 if rob_kong else 0.05  # a robbed kong shows the other three, named or not
    last_of_kind = shown == 3 or (win not in standing and happens("last_of_kind", chance))
    return {
        "self_draw": self_draw,
        "last_tile": not rob_kong and happens("last_tile", 0.08),
        "kong_replacement": self_draw and declared.has_kong and happens("kong_replacement", 0.15),
        "rob_kong": rob_kong,
        "last_of_kind": last_of_kind,
    }
