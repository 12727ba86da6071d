"""Elements that a hand has but that are not counted, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.combine import Part, Solution
from rules.evaluate import Found
from rules.notation import format_tiles
from rules.plan import Plan
from rules.set_texts import texts_at
from rules.tiles import TILES
from rules.variant import Fan, NotCounted, Places
from rules.view import CHOW_PLACE, PUNG_PLACE, View

# why an element is not counted, zh and en; {zh} and {en} name other elements, {sets} what it is about
REASONS: Mapping[str, tuple[str, str]] = {
    "excluded": ("已含于{zh}", "contained in {en}"),
    "absorbed": ("{sets} 已计{zh}", "{sets} counted in {en}"),
    "again": (
        "同一番种不能再用已用过的面子（已计{zh}）",
        "a set is not used twice for the same element (counted once already: {en})",
    ),
    "once": (
        "面子已组合过（套算一次，已计{zh}）",
        "its sets are combined already (account once: {en})",
    ),
    "one_of": ("独听只计一种，已计{zh}", "one kind of wait counts, here {en}"),
    "not_only_wait": ("还听 {sets}，不是独听", "not the only wait: {sets} too"),
    "finished_by_others": (
        "{sets} 由他人打出的牌凑成，不是暗刻",
        "{sets} was finished by another player's tile and is not concealed",
    ),
    "drawn_oneself": ("自摸和牌不计", "not with a self-draw"),
    "seven_pairs": ("七对不计", "not with seven pairs"),
}


def reason_text(each: NotCounted, lang: str) -> str:
    """Return why an element is not counted, in Chinese for `zh...`, else in English."""
    zh, en = REASONS[each.why]
    if lang.startswith("zh"):
        return zh.format(zh=each.by_zh, sets=" ".join(each.sets))
    return en.format(en=each.by_en, sets=" ".join(each.sets))


@dataclass(slots=True)
class _Left:
    """How often an element is left out for one reason, and the places of the sets it would be made of."""

    count: int = 0
    places: int = 0


_Why = tuple[str, tuple[int, ...]]  # key of REASONS, numbers of the elements it names


def not_counted(plan: Plan, found: Found) -> Iterator[NotCounted]:
    """Yield, in the order of the table, what the hand has beside what counts, and what it nearly has."""
    combined = _combinations_left(plan, found)
    for number, row in enumerate(plan.rows):
        if row.counts is None:
            left = combined.get(number, {})
        else:
            left = _elements_left(plan, found, number, row.counts(found.view))
        for (why, by), each in left.items():
            yield _named(plan, row, why, by, each.count, tuple(texts_at(found.view, each.places)))
        if row.missed is not None and not left and (why := row.missed(found.view)):
            about = _ABOUT.get(why)
            yield _named(plan, row, why, (), 1, () if about is None else about(found.view))


def _named(
    plan: Plan, row: Fan, why: str, by: tuple[int, ...], count: int, sets: tuple[str, ...]
) -> NotCounted:
    others = [plan.rows[number] for number in by]
    return NotCounted(
        row.key,
        row.zh,
        row.en,
        why,
        others[0].key if others else "",
        "、".join(other.zh for other in others),
        ", ".join(other.en for other in others),
        count,
        sets,
    )


def _other_waits(view: View) -> tuple[str, ...]:
    """Return what the hand waited for beside the winning tile, those it holds all four of too."""
    return tuple(
        str(TILES[kind]) for kind in range(34) if view.claimed.waits >> kind & 1 and kind != view.win
    )


def _pung_of_win(view: View) -> tuple[str, ...]:
    return (format_tiles([TILES[view.win]] * 3),)


_ABOUT = {"not_only_wait": _other_waits, "finished_by_others": _pung_of_win}


def _elements_left(plan: Plan, found: Found, number: int, there: int) -> dict[_Why, _Left]:
    """Return why an element that is there so often counts less often, and how often for each reason."""
    counted = dict(found.counted)
    missing = there - counted.get(number, 0)
    if missing <= 0:
        return {}
    where = plan.rows[number].where(found.view)
    excluder = next((other for other in counted if plan.bars(other, number)), None)
    word = plan.rows[number].one_of
    same = next((other for other in counted if word and plan.rows[other].one_of == word), None)
    places = 0
    for each in where:
        places |= each
    if excluder is not None:
        return {("excluded", (excluder,)): _Left(missing, places)}
    if same is not None:
        return {("one_of", (same,)): _Left(missing, places)}
    return _absorbed(plan, found, number, where)


def _absorbed(plan: Plan, found: Found, number: int, where: Places) -> dict[_Why, _Left]:
    """Return for each counted element that took some of these sets over which ones; a set is named once."""
    left: dict[_Why, _Left] = {}
    free = list(where)
    for other, taken in absorbed_places(plan, found, number):
        for each in [each for each in free if not each & ~taken]:
            free.remove(each)
            entry = left.setdefault(("absorbed", (other,)), _Left())
            entry.count, entry.places = entry.count + 1, entry.places | each
    return left


def absorbed_places(plan: Plan, found: Found, number: int) -> list[tuple[int, int]]:
    """Return the counted elements that take sets of this one over, each with the places it takes."""
    return [
        (other, places(found.view))
        for other, _ in found.counted
        for target, places in plan.absorbs[other]
        if target == number
    ]


def _combinations_left(plan: Plan, found: Found) -> dict[int, dict[_Why, _Left]]:
    """Return for each combination that could be seen but does not count why, how often and on which sets."""
    left: dict[int, dict[_Why, _Left]] = {}
    for solver, kinds, solution, shift in (
        (plan.chows, found.view.chows, found.chow_parts, CHOW_PLACE),
        (plan.pungs, found.view.pungs, found.pung_parts, PUNG_PLACE),
    ):
        for part in solver.candidates(kinds):
            if part not in solution.parts:
                why = _why_not_combined(plan, found, part, solution)
                entry = left.setdefault(part.number, {}).setdefault(why, _Left())
                entry.count += 1
                entry.places |= part.places << shift
    return left


def _why_not_combined(plan: Plan, found: Found, part: Part, solution: Solution) -> _Why:
    for other, _ in found.counted:
        if plan.bars(other, part.number):
            return "excluded", (other,)
    key = plan.rows[part.number].key
    for chosen in solution.parts:
        if not part.places & ~chosen.places and key in plan.rows[chosen.number].contains:
            return "excluded", (chosen.number,)
    touching = [chosen.number for chosen in solution.parts if chosen.places & part.places]
    if part.number in touching:
        return "again", (part.number,)
    return "once", tuple(sorted(set(touching)))
