"""Hands of another shape: how many tiles they lack, what helps and what can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.routes.blocks import KINDS, Pattern, Pick, mask_of

HAND = 14
PAIRS = 7


@dataclass(frozen=True, slots=True)
class Target:
    """One way to a hand of another shape: how far, its tiles, masks of what helps and what can go."""

    distance: int
    tiles: tuple[int, ...]
    useful: int
    spare: int


def special_targets(
    pattern: Pattern, have: Sequence[int], most: Sequence[int], drawn: int | None = None
) -> list[Target]:
    """Return the nearest targets of a pattern; empty if too few tiles are left for any.

    Args:
        have: counts of the 34 kinds among the standing tiles, no melds declared.
        most: how many of each kind can be had at all, held ones included.
        drawn: the kind that came last, where a 14th tile is there.
    """
    found = [*_pick_targets(pattern, have, most), *_tile_targets(pattern, have, most)]
    found += _stand_targets(pattern, have, most, drawn)
    if pattern.seven_pairs:
        found += _pairs_target(have, most)
    nearest = min((target.distance for target in found), default=0)
    return [target for target in found if target.distance == nearest]


def _tile_targets(pattern: Pattern, have: Sequence[int], most: Sequence[int]) -> Iterator[Target]:
    for tiles in pattern.tiles:
        counts = {kind: tiles.count(kind) for kind in tiles}
        if all(count <= most[kind] for kind, count in counts.items()):
            lacks = {kind: count - have[kind] for kind, count in counts.items() if count > have[kind]}
            spare = mask_of(kind for kind in KINDS if have[kind] > counts.get(kind, 0))
            yield Target(sum(lacks.values()), tiles, mask_of(lacks), spare)


def _stand_targets(
    pattern: Pattern, have: Sequence[int], most: Sequence[int], drawn: int | None
) -> Iterator[Target]:
    for tiles in pattern.stands:
        suit = range(min(tiles), max(tiles) + 1)
        counts = [tiles.count(kind) for kind in KINDS]
        last = [kind for kind in suit if most[kind] > counts[kind]]
        if not last or any(count > most[kind] for kind, count in enumerate(counts)):
            continue
        lacks = [kind for kind in suit if have[kind] < counts[kind]]
        over = [kind for kind in KINDS for _ in range(have[kind] - counts[kind])]
        distance = sum(max(0, count - have[kind]) for kind, count in enumerate(counts)) + 1
        if distance == 1 and drawn is not None and drawn in suit and over == [drawn]:
            yield Target(0, (*tiles, drawn), 0, 0)
        else:
            yield Target(distance, (*tiles, last[0]), mask_of(lacks or last), mask_of(over))


def _pick_targets(pattern: Pattern, have: Sequence[int], most: Sequence[int]) -> Iterator[Target]:
    for pick in pattern.picks:
        target = _pick_target(pick, have, most)
        if target is not None:
            yield target


def _pick_target(pick: Pick, have: Sequence[int], most: Sequence[int]) -> Target | None:
    open_places = HAND - len(pick.needed)
    needed = sorted(pick.needed)
    held = [kind for kind in sorted(pick.choice) if have[kind]]
    to_come = [kind for kind in sorted(pick.choice) if not have[kind] and most[kind]]
    if not all(most[kind] for kind in needed) or len(held) + len(to_come) < open_places:
        return None
    chosen = [*held, *to_come][:open_places]
    lacks = [kind for kind in needed if not have[kind]]
    if len(held) < open_places:
        lacks += to_come
    wanted = pick.needed | (frozenset(held) if len(held) <= open_places else frozenset())
    spare = mask_of(kind for kind in KINDS if have[kind] > (kind in wanted))
    distance = sum(not have[kind] for kind in (*needed, *chosen))
    return Target(distance, tuple(sorted((*needed, *chosen))), mask_of(lacks), spare)


def _pairs_target(have: Sequence[int], most: Sequence[int]) -> list[Target]:
    """Return seven pairs; four of a kind are two of them."""
    pairs = [kind for kind in KINDS for _ in range(have[kind] // 2)][:PAIRS]
    halves = [kind for kind in KINDS if have[kind] % 2 and most[kind] > have[kind]]
    fresh = [
        kind for kind in KINDS for _ in range((most[kind] - have[kind] // 2 * 2) // 2 - (kind in halves))
    ]
    room = PAIRS - len(pairs)
    to_draw = max(0, room - len(halves))  # pairs of which no tile is held
    if len(fresh) < to_draw:
        return []
    chosen = [*pairs, *halves[:room], *fresh[:to_draw]]
    useful = mask_of(halves if room else ()) | mask_of(fresh if to_draw else ())
    kept = frozenset(halves if len(halves) <= room else ())
    spare = mask_of(kind for kind in KINDS if have[kind] % 2 and kind not in kept)
    return [Target(2 * to_draw + min(room, len(halves)), tuple(sorted(chosen * 2)), useful, spare)]
