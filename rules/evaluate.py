"""Score of one claimed win: every reading, its elements, exclusions, the best total."""

from __future__ import annotations

from rules.options import Options
from rules.situation import SELF_DRAW, Situation, Win, check_win
from rules.variant import NotCounted, Score, ScoredElement, Variant, View, resolve_options


def views(variant: Variant, win: Win, situation: Situation) -> tuple[View, ...]:
    """Return one view for each reading of the hand; empty if it is not complete."""
    options = resolve_options(variant, situation.options)
    flags = situation.flags | win.flags
    wall_left = situation.wall_left if win.wall_left is None else win.wall_left
    return tuple(
        View(
            win.hand,
            reading,
            win.seat,
            win.by,
            win.source,
            situation.dealer,
            situation.players,
            flags,
            wall_left,
            options,
        )
        for shape in variant.shapes(options)
        if shape.allows(win.hand.melds)
        for reading in shape.readings(win.hand)
    )


def score(variant: Variant, win: Win, situation: Situation) -> Score:
    """Return the best score of a claimed win, or a refusal with its reason.

    Reasons: `not_win` (no winning shape), `passed` (a win was declined since the own last draw), `rob_kong`
    (kongs cannot be robbed here), `below_minimum`, or the variant's own one for a hand without an element.

    Raises:
        InvalidWin: if tiles and circumstances contradict each other.
        InvalidOption: if an option of the situation is not one of the variant.
    """
    options = resolve_options(variant, situation.options)
    check_win(win, situation, hand_size=variant.hand_size, kinds=variant.kinds)
    refusal = _refused(variant, win, situation, options)
    if refusal is not None:
        return Score(False, refusal)
    complete = views(variant, win, situation)
    if not complete:
        return Score(False, "not_win")
    scored = [_score_view(variant, view) for view in complete]
    ranked = sorted((each for each in scored if each.elements), key=lambda each: _rank(variant, each))
    if not ranked:
        return Score(False, variant.no_element)
    best = ranked[0]
    if best.total < variant.minimum(options):
        return Score(False, "below_minimum", best.elements, best.total, best.reading, best.not_counted)
    ties: list[tuple[ScoredElement, ...]] = []
    for other in ranked[1:]:
        if other.total == best.total and other.elements not in (best.elements, *ties):
            ties.append(other.elements)
    return Score(True, None, best.elements, best.total, best.reading, best.not_counted, tuple(ties))


def _refused(variant: Variant, win: Win, situation: Situation, options: Options) -> str | None:
    if "passed" in situation.flags | win.flags and win.by != SELF_DRAW and options.on("pass_lock"):
        return "passed"
    if win.by == "rob_kong" and "rob_kong" not in variant.permits(options):
        return "rob_kong"
    return None


def _score_view(variant: Variant, view: View) -> Score:
    """Return elements and total of one reading; no elements where the variant finds none."""
    found = [(fan, count) for fan in variant.fans if (count := fan.counts(view))]
    excluded = {key: fan for fan, _ in found for key in fan.excludes}
    elements = tuple(
        ScoredElement(fan.key, fan.zh, fan.en, fan.value(view.options), count)
        for fan, count in found
        if fan.key not in excluded
    )
    not_counted = tuple(
        NotCounted(fan.key, fan.zh, fan.en, "excluded", excluded[fan.key].zh)
        for fan, _ in found
        if fan.key in excluded
    )
    total = variant.combine(elements, view.options)
    return Score(True, None, elements, total, view.reading, not_counted)


def _rank(variant: Variant, scored: Score) -> tuple[int, list[int]]:
    """Order scores: the highest total first; of equal ones that whose rows stand first in the table."""
    place = {fan.key: index for index, fan in enumerate(variant.fans)}
    return -scored.total, [place[element.key] for element in scored.elements]
