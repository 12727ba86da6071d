"""Score of one claimed win: every reading, its elements, exclusions, the best total."""

from __future__ import annotations

from rules.combine import NOTHING, Solution
from rules.errors import InvalidWin
from rules.hand import Hand
from rules.options import Options
from rules.plan import Plan, Step, plan_of
from rules.situation import SELF_DRAW, Situation, Win, check_win
from rules.splits import Reading
from rules.variant import Score, ScoredElement, Variant, resolve_options
from rules.view import PUNG_PLACE, Claimed, View
from rules.wilds import Placement, kongs_last


class Found:
    """What counts in one reading: numbers of elements with how often, and the combinations chosen.

    The totals are sums: readings are compared before a cap (see `as_score`).
    """

    __slots__ = ("chow_parts", "counted", "minimum_total", "pung_parts", "total", "view")

    def __init__(self, view: View) -> None:
        self.view: View = view
        self.counted: list[tuple[int, int]] = []
        self.total: int = 0
        self.minimum_total: int = 0
        self.chow_parts: Solution = NOTHING
        self.pung_parts: Solution = NOTHING


def readings(plan: Plan, hand: Hand) -> list[Reading]:
    """Return every reading of the hand under every shape; empty if it is not complete."""
    found: list[Reading] = []
    for shape in plan.shapes:
        if shape.allows(hand.melds):
            found += shape.readings(hand)
    return found


def claimed(plan: Plan, win: Win, situation: Situation) -> Claimed:
    """Return what is the same for every reading of the win."""
    return Claimed(win, situation, plan.options, plan.shapes, wild_kinds(plan, situation))


def wild_kinds(plan: Plan, situation: Situation) -> int:
    """Return the mask of the kinds that stand for others in this hand."""
    wild = plan.variant.wild
    return 0 if wild is None else wild(situation, plan.options)


def view_of(variant: Variant, win: Win, situation: Situation, reading: Reading) -> View:
    """Return how an element sees the win under one reading."""
    plan = plan_of(variant, resolve_options(variant, situation.options))
    return View(claimed(plan, win, situation), reading)


def score(variant: Variant, win: Win, situation: Situation) -> Score:
    """Return the best score of a claimed win, or a refusal with its reason.

    Reasons: `not_win` (no winning shape), `passed` (a win was declined since the own last draw), `rob_kong`
    (kongs cannot be robbed here), `below_minimum`, or the variant's own one for a hand without an element.
    `rules.explain` says why it is so.

    Raises:
        InvalidWin: if tiles and circumstances contradict each other.
        InvalidOption: if an option of the situation is not one of the variant.
    """
    plan = plan_of(variant, resolve_options(variant, situation.options))
    found = weighed(plan, win, situation)
    if isinstance(found, str):
        return Score(False, found)
    best = best_of(plan, found)
    return Score(False, variant.no_element) if best is None else as_score(plan, best)


def weighed(plan: Plan, win: Win, situation: Situation) -> list[Found] | str:
    """Return what counts in each reading of a win that can have happened, or why it is refused.

    Raises:
        InvalidWin: as `score`.
    """
    variant = plan.variant
    check_win(
        win,
        situation,
        hand_size=variant.hand_size,
        kinds=variant.kinds_mask,
        tiles=variant.tiles,
        known=variant.flags,
    )
    if variant.contradicts is not None and (why := variant.contradicts(win, situation, plan.options)):
        raise InvalidWin(why)
    refusal = refused(variant, win, situation, plan.options)
    return refusal if refusal is not None else found_in(plan, win, situation) or "not_win"


def refused(variant: Variant, win: Win, situation: Situation, options: Options) -> str | None:
    """Return why the rules refuse the win before they look at the hand, or None."""
    if win.by != SELF_DRAW and options.on("pass_lock") and "passed" in situation.flags | win.flags:
        return "passed"
    if win.by == "rob_kong" and "rob_kong" not in variant.permits(options):
        return "rob_kong"
    return None if variant.refuses is None else variant.refuses(win, options)


def found_in(plan: Plan, win: Win, situation: Situation) -> list[Found]:
    """Return what counts in each reading of the hand; empty if it is not complete."""
    wild = wild_kinds(plan, situation)
    if win.hand.win_tile is None or wild & win.hand.kinds:
        return found_where_free(plan, win, situation, wild)
    every = readings(plan, win.hand)
    if not every:
        return []
    same = Claimed(win, situation, plan.options, plan.shapes, wild)
    return [count_elements(plan, View(same, reading)) for reading in every]


def found_where_free(plan: Plan, win: Win, situation: Situation, wild: int) -> list[Found]:
    """Return the same where wild tiles may stand for any, or any tile may be called the winning one."""
    placement = Placement(win.hand, wild, plan.shapes)
    found: list[Found] = []
    every: list[Reading] = []
    packed: tuple[int, int, int, int] | None = None
    for hand in placement.hands():
        same = Claimed(win.with_hand(hand), situation, plan.options, plan.shapes, wild, placement)
        if hand.packed != packed:  # which tile is called the winning one changes no reading
            packed, every = hand.packed, readings(plan, hand)
            if same.wild_kongs:
                every = [kongs_last(reading, same.wild_kongs) for reading in every]
        found += [count_elements(plan, View(same, reading)) for reading in every]
    return found


def best_of(plan: Plan, found: list[Found]) -> Found | None:
    """Return the highest sum, of equal ones that whose rows stand first; None if nothing counts."""
    best: Found | None = None
    for each in found:
        if each.counted and (best is None or _rank(each) < _rank(best)):
            best = each
    return best


def _rank(found: Found) -> tuple[int, list[tuple[int, int]]]:
    return -found.total, found.counted


def as_score(plan: Plan, found: Found) -> Score:
    """Return what counts as a score, under the cap; refused if it is below the minimum."""
    legal = found.minimum_total >= plan.minimum
    total, minimum_total, cap = found.total, found.minimum_total, plan.cap
    if cap is not None:
        total, minimum_total = min(total, cap), min(minimum_total, cap)
    return Score(
        legal,
        None if legal else "below_minimum",
        elements_of(plan, found),
        total,
        minimum_total,
        found.view.reading,
        hand=found.view.hand,
    )


def elements_of(plan: Plan, found: Found) -> tuple[ScoredElement, ...]:
    """Return the counted elements in the order of the table."""
    return tuple([plan.element(number, count) for number, count in found.counted])


def count_elements(plan: Plan, view: View) -> Found:
    """Return what counts in one reading."""
    found = Found(view)
    absorbed: dict[int, int] = {}
    before, after = plan.steps(view.features)
    excluded = _count_steps(plan, before, view, found, 0, absorbed)
    chows, pungs = view.chows, view.pungs
    if len(chows) > 1:
        found.chow_parts = plan.chows.best(chows, excluded)
        excluded |= _count_parts(plan, found, found.chow_parts)
    if len(pungs) > 1:
        found.pung_parts = plan.pungs.best(pungs, excluded)
        excluded |= _count_parts(plan, found, found.pung_parts)
    _count_steps(plan, after, view, found, excluded, absorbed)
    for number, needs in plan.fallbacks:
        if not needs & ~view.features:
            _count_fallback(plan, number, found)
    found.counted.sort()
    _add_up(plan, found)
    return found


def _count_steps(
    plan: Plan, steps: list[Step], view: View, found: Found, excluded: int, absorbed: dict[int, int]
) -> int:
    """Count the elements that no counted one excludes; returns the mask of what is excluded now."""
    counted = found.counted
    for step in steps:
        if excluded & step.bit:
            continue
        count = step.counts(view)
        if not count:
            continue
        if not step.is_plain:
            count = _absorb(plan, step.number, view, count, absorbed)
            if not count:
                continue
        counted.append((step.number, count))
        excluded |= step.excludes
    return excluded


def _absorb(plan: Plan, number: int, view: View, count: int, absorbed: dict[int, int]) -> int:
    """Return how often an element counts on sets that are still free, and take the sets that it absorbs."""
    if number in absorbed:
        free = ~absorbed[number]
        count = sum([1 for place in plan.rows[number].where(view) if place & free])
    if count:
        for other, places in plan.absorbs[number]:
            absorbed[other] = absorbed.get(other, 0) | places(view)
    return count


def _count_parts(plan: Plan, found: Found, solution: Solution) -> int:
    """Count the chosen combinations; returns the mask of what they exclude."""
    excluded = 0
    counts: dict[int, int] = {}
    for part in solution.parts:
        counts[part.number] = counts.get(part.number, 0) + 1
        excluded |= plan.excludes[part.number]
    found.counted.extend(counts.items())
    return excluded


def _count_fallback(plan: Plan, number: int, found: Found) -> None:
    keys = frozenset([plan.rows[other].key for other, _ in found.counted])
    fallback = plan.rows[number].fallback
    if fallback is not None and fallback(found.view, keys):
        found.counted.append((number, 1))


def _add_up(plan: Plan, found: Found) -> None:
    values, helping = plan.values, plan.helping
    total = minimum_total = 0
    for number, count in found.counted:
        total += values[number] * count
        minimum_total += helping[number] * count
    found.total, found.minimum_total = total, minimum_total


def chosen_places(found: Found) -> list[tuple[int, int]]:
    """Return the number of each counted combination with its places in the reading."""
    chows = [(part.number, part.places) for part in found.chow_parts.parts]
    return chows + [(part.number, part.places << PUNG_PLACE) for part in found.pung_parts.parts]
