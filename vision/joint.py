"""The best joint reading of a hand: among what the pixels support, what a hand can be.

Pixels judge each tile alone. Together the tiles of a hand keep rules: no face more than four times (a flower
once), a meld is a chow, a pung or a kong, backs only lie at the ends of a concealed kong, and without its
fourth tiles of kongs a hand has 13, 14, 16 or 17 tiles. The chance of a labelling is the product of the
pixels' chances; labellings that break a rule are (nearly) excluded, and what is left is summed up exactly.

What this step may not do: choose a face that the pixels give less than `FLOOR`; forget that a tile may be
something that none of its supported faces is (`REST`); change anything where no rule excludes anything.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .readings import BACK

Labels = tuple[str | None, ...]
State = tuple[int, ...]
GroupKind = Literal["free", "flower", "meld", "added", "ends", "any"]

FLOOR = 0.05
"""A face that the pixels give less is not supported: no rule can bring it up."""
REST = 0.003
"""Least chance that a tile is nothing that its pixels support: as many answers over the threshold may be
wrong (issue 5)."""
ODD = 0.02
"""Weight of a labelling that breaks a rule of the layout (no meld, a back in the row): people lay tiles
wrong, and a gap can be read wrong. More than four of a face there never are."""
PROMOTE_FROM = 0.25
"""A face that the pixels did not put first becomes sure only if they gave it this much."""
SUPPORTED_MAX = 5
STATES_MAX = 4096
"""More ways to count the contested faces are not kept; the least likely go, and what they weighed counts as
doubt. Hands seen have fewer than 100."""
COPIES = 4
FLOWERS = frozenset("abcdefgh")
_KONG = "kong"
"""Stands for the number of kongs among contested faces."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that belong together, by their index, left to right.

    `free`: a tile of the concealed row or the winning tile; `flower`: a tile in the flowers' place; `meld`:
    3 or 4 touching tiles, one of them sideways; `added`: the same with the added tile last; `ends`: four
    upright tiles whose outer two may be backs; `any`: nothing is known of how it lies.
    """

    indices: tuple[int, ...]
    kind: GroupKind = "free"


@dataclass(frozen=True, slots=True)
class Decoded:
    """What each tile is, in the order given.

    `labels` is the best joint labelling (None = nothing supported fits), `chances` what each supported label
    is worth under the rules. `touched` are the tiles that a rule says something about: all others are as the
    pixels gave them.
    """

    labels: Labels
    chances: tuple[Mapping[str, float], ...]
    touched: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Option:
    labels: Labels
    weight: float
    copies: Mapping[str, int]
    kongs: int


@dataclass(slots=True)
class _Unit:
    """A group with its possible labellings; `gains` is what each adds to the counts."""

    indices: tuple[int, ...]
    options: list[_Option]
    is_ruled: bool
    gains: list[State] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """Units that have to be read together: `limits` of the faces that they contend for, and whether their
    kongs count."""

    units: list[_Unit]
    limits: State
    counts_kongs: bool


def decode(
    tiles: Sequence[Mapping[str, float]],
    groups: Sequence[Group],
    *,
    sizes: frozenset[int] | None = None,
    floor: float = FLOOR,
) -> Decoded:
    """Return the best joint labelling and what each label is worth.

    Args:
        tiles: chances of the likeliest labels (faces and `back`) of each tile, as the pixels give them.
        groups: every tile is in exactly one.
        sizes: allowed numbers of the hand's tiles less one for each kong; flowers aside do not count. None =
            not looked at.
        floor: least supported chance.
    """
    supports = [_supported(chances, floor) for chances in tiles]
    units = [_unit(group, supports) for group in groups]
    contested = _contested(units)
    hand = sum(len(group.indices) for group in groups if group.kind != "flower")
    kongs_vary = sizes is not None and any(len({o.kongs for o in unit.options}) > 1 for unit in units)
    touched = [
        unit
        for unit in units
        if unit.is_ruled
        or any(face in option.copies for option in unit.options for face in contested)
        or (kongs_vary and any(option.kongs for option in unit.options))
    ]
    if not touched:
        return Decoded(tuple(next(iter(support), None) for support in supports), tuple(supports), frozenset())
    fixed = sum(unit.options[0].kongs for unit in units) - sum(unit.options[0].kongs for unit in touched)
    fits = frozenset(hand - fixed - size for size in sizes) if sizes is not None and kongs_vary else None
    labels: list[str | None] = [next(iter(support), None) for support in supports]
    chances: list[Mapping[str, float]] = list(supports)
    for part in _parts(touched, contested, kongs_vary):
        best, marginals = _search(part, fits if part.counts_kongs else None)
        for unit, option, worth in zip(part.units, best, marginals, strict=True):
            for place, index in enumerate(unit.indices):
                labels[index] = option.labels[place]
                chances[index] = worth[place]
    return Decoded(tuple(labels), tuple(chances), frozenset(i for unit in touched for i in unit.indices))


def _parts(units: Sequence[_Unit], contested: Sequence[str], kongs_vary: bool) -> list[_Part]:
    """Return the units in parts that have nothing to do with each other: no contested face is in two of them,
    and all kongs are in one if their number varies."""
    parts: list[tuple[list[_Unit], set[str]]] = []
    for unit in units:
        ties = {face for option in unit.options for face in contested if face in option.copies}
        if kongs_vary and any(option.kongs for option in unit.options):
            ties.add(_KONG)
        mine, apart = [unit], []
        for others, theirs in parts:
            if theirs & ties:
                mine, ties = [*others, *mine], ties | theirs
            else:
                apart.append((others, theirs))
        parts = [*apart, (mine, ties)]
    return [_part(sorted(mine, key=_order), sorted(ties - {_KONG}), _KONG in ties) for mine, ties in parts]


def _part(units: list[_Unit], faces: Sequence[str], counts_kongs: bool) -> _Part:
    """Return a part with what each labelling of its units adds to the counts."""
    for unit in units:
        unit.gains = [
            (*(option.copies.get(face, 0) for face in faces), option.kongs if counts_kongs else 0)
            for option in unit.options
        ]
    return _Part(units, tuple(_limit(face) for face in faces), counts_kongs)


def _supported(chances: Mapping[str, float], floor: float) -> dict[str, float]:
    """Return the supported labels, likeliest first; names settle ties."""
    kept = sorted(
        ((label, chance) for label, chance in chances.items() if chance >= floor),
        key=lambda row: (-row[1], row[0]),
    )
    return dict(kept[:SUPPORTED_MAX])


def _order(unit: _Unit) -> tuple[object, ...]:
    """Return a key that does not know where a tile lies: the answer is the same however they are given."""
    return tuple((option.weight, tuple(label or "" for label in option.labels)) for option in unit.options)


def _limit(face: str) -> int:
    return 1 if face in FLOWERS else COPIES


def _contested(units: Sequence[_Unit]) -> tuple[str, ...]:
    """Return the faces that could be there too often."""
    most: Counter[str] = Counter()
    for unit in units:
        faces = {face for option in unit.options for face in option.copies}
        most.update({face: max(option.copies.get(face, 0) for option in unit.options) for face in faces})
    return tuple(sorted(face for face, count in most.items() if count > _limit(face)))


def _unit(group: Group, supports: Sequence[Mapping[str, float]]) -> _Unit:
    """Return all labellings of a group with their weights."""
    columns: list[list[tuple[str | None, float]]] = []
    for index in group.indices:
        support = supports[index]
        columns.append([*support.items(), (None, max(REST, 1.0 - sum(support.values())))])
    options: list[_Option] = []
    is_ruled = False
    for row in itertools.product(*columns):
        labels = tuple(label for label, _ in row)
        weight = 1.0
        for _, chance in row:
            weight *= chance
        if None not in labels and not is_legal(group.kind, labels):
            weight *= ODD
            is_ruled = True
        copies, kongs = _counted(group.kind, labels)
        options.append(_Option(labels, weight, copies, kongs))
    return _Unit(group.indices, options, is_ruled)


def is_legal(kind: GroupKind, labels: Labels) -> bool:
    """Return whether a group can be so.

    >>> is_legal("meld", ("4m", "3m", "5m")), is_legal("meld", ("4m", "4m", "5m"))
    (True, False)
    """
    if kind == "any":
        return True
    if kind == "free":
        return BACK not in labels
    if kind == "flower":
        return all(label in FLOWERS for label in labels)
    if kind == "ends":
        return BACK not in labels or _is_concealed_kong(labels)
    if BACK in labels or any(label in FLOWERS for label in labels):
        return False
    if len(set(labels)) == 1:
        return True
    return kind == "meld" and len(labels) == 3 and is_run(labels)


def _is_concealed_kong(labels: Labels) -> bool:
    return (
        len(labels) == 4
        and labels[0] == labels[3] == BACK
        and labels[1] == labels[2]
        and labels[1] not in (None, BACK, *FLOWERS)
    )


def is_run(faces: Sequence[str | None]) -> bool:
    """Return whether three faces are a chow, in any order."""
    known = [face for face in faces if face is not None and len(face) == 2 and face[0].isdigit()]
    if len(known) != 3 or len({face[1] for face in known}) != 1:
        return False
    low, middle, high = sorted(int(face[0]) for face in known)
    return low + 1 == middle == high - 1


def _counted(kind: GroupKind, labels: Labels) -> tuple[dict[str, int], int]:
    """Return how often each face is there (the hidden tiles of a concealed kong too), and the kongs."""
    faces = Counter(label for label in labels if label is not None and label != BACK)
    if kind == "ends" and _is_concealed_kong(labels):
        return dict.fromkeys(faces, COPIES), 1
    return dict(faces), int(kind in ("meld", "added") and len(labels) == COPIES)


def _search(part: _Part, fits: frozenset[int] | None) -> tuple[list[_Option], list[list[dict[str, float]]]]:
    """Return the likeliest option of each unit together, and the worth of each label of its tiles; `fits` are
    the allowed numbers of kongs."""
    units, limits = part.units, part.limits
    start: State = (0,) * (len(limits) + 1)
    forward: list[dict[State, float]] = [{start: 1.0}]
    peak: list[dict[State, tuple[float, State, int]]] = []
    best_now: dict[State, float] = {start: 1.0}
    lost = 0.0
    for unit in units:
        total: dict[State, float] = {}
        top: dict[State, tuple[float, State, int]] = {}
        for state, weight in forward[-1].items():
            for number, option in enumerate(unit.options):
                after = _added(state, unit.gains[number], limits)
                if after is None:
                    continue
                total[after] = total.get(after, 0.0) + weight * option.weight
                worth = best_now[state] * option.weight
                if after not in top or worth > top[after][0]:
                    top[after] = (worth, state, number)
        if len(total) > STATES_MAX:
            kept = sorted(total, key=lambda state: (-total[state], state))[:STATES_MAX]
            lost += sum(total.values()) - sum(total[state] for state in kept)
            total = {state: total[state] for state in kept}
        scale = sum(total.values())
        forward.append({state: weight / scale for state, weight in total.items()})
        lost /= scale
        best_now = {state: top[state][0] / scale for state in total}
        peak.append(top)
    last = {state: 1.0 if fits is None or state[-1] in fits else ODD for state in forward[-1]}
    end = max(best_now, key=lambda state: (best_now[state] * last[state], state))
    picked: list[int] = []
    for top in reversed(peak):
        _, end, number = top[end]
        picked.append(number)
    best = [unit.options[number] for unit, number in zip(units, reversed(picked), strict=True)]
    return best, _marginals(units, limits, forward, last, lost)


def _added(state: State, gain: State, limits: State) -> State | None:
    """Return the counts with an option's added, None if a face is there too often."""
    after = tuple(map(int.__add__, state, gain))
    return None if any(count > limit for count, limit in zip(after, limits, strict=False)) else after


def _marginals(
    units: Sequence[_Unit],
    limits: State,
    forward: Sequence[Mapping[State, float]],
    last: Mapping[State, float],
    lost: float,
) -> list[list[dict[str, float]]]:
    """Return for each unit and each of its tiles the worth of each supported label, backwards over units."""
    worths: list[list[dict[str, float]]] = []
    backward: Mapping[State, float] = last
    for unit, before in zip(reversed(units), reversed(forward[:-1]), strict=True):
        now: dict[State, float] = {}
        sums = [0.0] * len(unit.options)
        for state, weight in before.items():
            for number, option in enumerate(unit.options):
                after = _added(state, unit.gains[number], limits)
                if after is None or after not in backward:
                    continue
                part = option.weight * backward[after]
                now[state] = now.get(state, 0.0) + part
                sums[number] += weight * part
        total = sum(sums) * (1.0 + lost)
        rows: list[dict[str, float]] = []
        for place in range(len(unit.indices)):
            row: dict[str, float] = {}
            for option, part in zip(unit.options, sums, strict=True):
                label = option.labels[place]
                if label is not None:
                    row[label] = row.get(label, 0.0) + part / total
            rows.append(dict(sorted(row.items(), key=lambda item: (-item[1], item[0]))))
        worths.append(rows)
        scale = max(now.values(), default=1.0)
        backward = {state: value / scale for state, value in now.items()}
    worths.reverse()
    return worths
