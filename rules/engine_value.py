"""The exact value of a win under a `Ruleset`: over every reading and every meaning of its wild tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.engine import NOTHING_TOLD, Counted, Ruleset, Told, Worth, options_of
from rules.engine_wilds import stock_of, takings
from rules.errors import InvalidWin
from rules.evaluate import readings, refused
from rules.hand import Hand
from rules.options import Options
from rules.plan import plan_of
from rules.situation import ROB_KONG, Situation, Win, check_win
from rules.tiles import Tile, kinds_of
from rules.view import Claimed, View


def value_of(rules: Ruleset, win: Win, situation: Situation, told: Told = NOTHING_TOLD) -> Worth:
    """Return the highest value of a win over all its readings, exact; or why it is refused.

    Of readings worth the same the one counts whose elements stand first in the table.

    Raises:
        InvalidWin: if tiles and circumstances contradict each other.
    """
    base, options = rules.base, options_of(rules, situation)
    if win.by == ROB_KONG and rules.last_tile_robbed:
        flags = win.flags - {"last_tile"}
        win = Win(win.seat, win.hand, win.by, win.source, flags)
    tiles = base.tiles if rules.tiles_of is None else rules.tiles_of(options)
    kinds = base.kinds if rules.tiles_of is None else kinds_of(tiles)
    check_win(
        win,
        situation,
        hand_size=base.hand_size,
        kinds=sum(1 << kind.index for kind in kinds),
        tiles=tiles,
        known=base.flags,
    )
    if win.hand.win_tile is None and not rules.dealt_wins:
        raise InvalidWin("the winning tile is missing (after a plus sign)")
    refusal = refused(base, win, situation, options) or rules.refuses(win, told, options)
    if refusal is not None:
        return Worth(refusal)
    plan = plan_of(base, options)
    best: tuple[tuple[Counted, ...], int] = ((), 0)
    complete = False
    for view, taken in _views(rules, win, situation, told, kinds):
        complete = True
        combined = rules.combine(_counted(rules, view, taken, options), options)
        if combined[0] and (not best[0] or _ranks_before(rules, combined, best)):
            best = combined
    if not best[0]:
        return Worth("below_minimum" if complete and plan.minimum else "not_win")
    if best[1] < plan.minimum:
        return Worth("below_minimum", best[0], best[1])
    total = best[1] if plan.cap is None else min(best[1], plan.cap)
    return Worth(None, best[0], total)


def _views(
    rules: Ruleset, win: Win, situation: Situation, told: Told, kinds: Sequence[Tile]
) -> Iterator[tuple[View, Told]]:
    """Yield every way to read the hand, with every meaning of its wild tiles that can matter."""
    options = options_of(rules, situation)
    plan = plan_of(rules.base, options)
    if rules.wild is None:
        for hand, taken in _taken(rules, win, told, options, kinds):
            claimed = Claimed(win.with_hand(hand), situation, options, plan.shapes)
            for reading in readings(plan, hand):
                yield View(claimed, reading), taken
        return
    wild = rules.wild(told, options)
    stock = stock_of(win.hand, wild)
    drawn = win.hand.win_tile if stock.drawn else None
    for taking in takings(win.hand, wild, rules.matters):
        claimed = Claimed(win.with_hand(taking.hand), situation, options, plan.shapes)
        taken = replace(told, drawn=drawn, standing=stock.standing, stands=taking.stands, place=taking.place)
        yield View(claimed, taking.reading), taken
    loose = None if rules.loose is None else rules.loose(win, told, options)
    if loose is not None:
        hand, reading = loose
        claimed = Claimed(win.with_hand(hand), situation, options, plan.shapes)
        yield View(claimed, reading), replace(told, drawn=drawn, standing=stock.standing)


def _taken(
    rules: Ruleset, win: Win, told: Told, options: Options, kinds: Sequence[Tile]
) -> Iterator[tuple[Hand, Told]]:
    """Yield the hand as it stands, then with each other meaning its winning tile may have."""
    yield win.hand, told
    if rules.free_win is None or not rules.free_win(win, told, options):
        return
    free = replace(told, drawn=win.hand.win_tile)
    for kind in kinds:
        if win.hand.concealed.count(kind) + sum(meld.tiles.count(kind) for meld in win.hand.melds) < 4:
            yield win.hand.with_win_tile(kind), free


def _ranks_before(
    rules: Ruleset, one: tuple[tuple[Counted, ...], int], other: tuple[tuple[Counted, ...], int]
) -> bool:
    if one[1] != other[1]:
        return one[1] > other[1]
    return _places(rules, one[0]) < _places(rules, other[0])


def _places(rules: Ruleset, counted: Sequence[Counted]) -> list[int]:
    return [rules.rows.index(each.row) for each in counted]


def _counted(rules: Ruleset, view: View, told: Told, options: Options) -> list[Counted]:
    found = []
    for row in rules.rows:
        count = row.counts(view, told)
        if count:
            value = row.value(options) if row.worth is None else row.worth(view, told, options)
            found.append(Counted(row, value, count))
    return found
