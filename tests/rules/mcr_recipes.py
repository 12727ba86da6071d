"""Recipes for winning MCR hands: one for every fan of the shape, and some for hands of little value.

Kinds are plain numbers here (m 0-8, p 9-17, s 18-26, E S W N C F P 27-33): the generator shares no code with
the rules it tests. A recipe draws from a `random.Random` and may fail; the caller draws again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

Set = tuple[int, ...]
SUITS = (0, 9, 18)
WINDS, DRAGONS = (27, 28, 29, 30), (31, 32, 33)
HONORS = WINDS + DRAGONS
NUMBERS = tuple(range(27))
EVERY = NUMBERS + HONORS
ORPHANS = tuple(base + end for base in SUITS for end in (0, 8)) + HONORS
GREENS = (19, 20, 21, 23, 25, 32)
REVERSIBLE = (9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33)


@dataclass(frozen=True, slots=True)
class Plan:
    """A complete hand before it is declared: sets and a pair, or loose tiles, and what it should become.

    `kongs` are (exposed, concealed) pungs to make kongs of, `melds` the sets to declare beside them; None
    leaves it to chance. `win` are kinds to win on, `wish` a circumstance, both followed where they can be.
    """

    sets: tuple[Set, ...] = ()
    pair: int | None = None
    loose: tuple[int, ...] = ()
    kongs: tuple[int, int] | None = None
    melds: int | None = None
    win: tuple[int, ...] = ()
    wish: str = ""


Recipe = Callable[[Random], Plan | None]
RECIPES: dict[str, Recipe] = {}


def recipe(*names: str) -> Callable[[Recipe], Recipe]:
    """Register a recipe under the zh name of the fan it aims at (or a word for hands that aim at none)."""

    def register(function: Recipe) -> Recipe:
        for name in names:
            RECIPES[name] = function
        return function

    return register


def chow(first: int) -> Set:
    """Return the run that starts at a kind."""
    return (first, first + 1, first + 2)


def pung(kind: int) -> Set:
    """Return three of a kind."""
    return (kind,) * 3


def pair_of(kind: int) -> Set:
    """Return two of a kind."""
    return (kind,) * 2


def chows_in(pool: Iterable[int]) -> list[Set]:
    """Return the runs a pool of kinds allows."""
    kinds = set(pool)
    return [chow(k) for k in sorted(kinds) if k < 27 and k % 9 < 7 and {k + 1, k + 2} <= kinds]


def complete(
    rng: Random, fixed: Sequence[Set], pool: Sequence[int], chows: float = 0.5, pair: int | None = None
) -> Plan | None:
    """Return four sets and a pair: the fixed sets, the rest drawn from the pool; None if copies run out."""
    sets, runs = list(fixed), chows_in(pool)
    while len(sets) < 4:
        take_run = runs and rng.random() < chows
        sets.append(rng.choice(runs) if take_run else pung(rng.choice(pool)))
    eyes = rng.choice(pool) if pair is None else pair
    counts = Counter(kind for each in (*sets, pair_of(eyes)) for kind in each)
    return Plan(tuple(sets), eyes) if max(counts.values()) <= 4 else None


def pool_recipe(pool: Sequence[int], chows: float = 0.5) -> Recipe:
    """Return a recipe that draws everything from one pool."""
    return lambda rng: complete(rng, (), pool, chows)


def ranks(low: int, high: int, suits: Iterable[int] = SUITS) -> tuple[int, ...]:
    """Return the kinds of the ranks low to high (1-9)."""
    return tuple(base + rank - 1 for base in suits for rank in range(low, high + 1))


def suits_of(rng: Random) -> tuple[int, int, int]:
    """Return the three suits in any order."""
    first, second, third = rng.sample(SUITS, 3)
    return first, second, third


RECIPES["low"] = pool_recipe(EVERY, 0.85)
RECIPES["any"] = pool_recipe(EVERY, 0.5)
RECIPES["simples"] = pool_recipe(ranks(2, 8), 0.8)
RECIPES["numbers"] = pool_recipe(NUMBERS, 0.9)
RECIPES["绿一色"] = pool_recipe(GREENS, 0.5)
RECIPES["清幺九"] = pool_recipe(tuple(kind for kind in ORPHANS if kind < 27), 0)
RECIPES["混幺九"] = pool_recipe(ORPHANS, 0)
RECIPES["字一色"] = pool_recipe(HONORS, 0)
RECIPES["全双刻"] = pool_recipe(tuple(kind for kind in NUMBERS if kind % 9 % 2), 0)
RECIPES["全大"] = pool_recipe(ranks(7, 9))
RECIPES["全中"] = pool_recipe(ranks(4, 6))
RECIPES["全小"] = pool_recipe(ranks(1, 3))
RECIPES["大于五"] = pool_recipe(ranks(6, 9), 0.6)
RECIPES["小于五"] = pool_recipe(ranks(1, 4), 0.6)
RECIPES["推不倒"] = pool_recipe(REVERSIBLE, 0.4)
RECIPES["碰碰和"] = pool_recipe(EVERY, 0)
RECIPES["平和"] = pool_recipe(NUMBERS, 1)


@recipe("清一色")
def _flush(rng: Random) -> Plan | None:
    base = rng.choice(SUITS)
    return complete(rng, (), ranks(1, 9, [base]), 0.75)


@recipe("混一色")
def _half_flush(rng: Random) -> Plan | None:
    base = rng.choice(SUITS)
    return complete(rng, (), ranks(1, 9, [base]) + HONORS, 0.7)


@recipe("缺一门", "双同刻")
def _two_suits(rng: Random) -> Plan | None:
    first, second, _ = suits_of(rng)
    rank = rng.randrange(9)
    fixed = [pung(first + rank), pung(second + rank)] if rng.random() < 0.5 else []
    return complete(rng, fixed, ranks(1, 9, [first, second]) + HONORS, 0.6)


@recipe("大四喜", "小四喜", "三风刻")
def _winds(rng: Random) -> Plan | None:
    winds = rng.sample(WINDS, 4)
    pungs = [pung(wind) for wind in winds]
    roll = rng.randrange(3)
    if roll == 0:
        return complete(rng, pungs, [kind for kind in EVERY if kind not in WINDS])
    if roll == 1:
        return complete(rng, pungs[:3], EVERY, pair=winds[3])
    return complete(rng, pungs[:3], [kind for kind in EVERY if kind != winds[3]], 0.7)


@recipe("大三元", "小三元", "双箭刻")
def _dragons(rng: Random) -> Plan | None:
    dragons = rng.sample(DRAGONS, 3)
    pungs = [pung(dragon) for dragon in dragons]
    roll = rng.randrange(3)
    if roll == 0:
        return complete(rng, pungs, EVERY, 0.7)
    return complete(rng, pungs[:2], EVERY, 0.7, pair=dragons[2] if roll == 1 else None)


@recipe("箭刻", "圈风刻", "门风刻", "幺九刻")
def _honor_pung(rng: Random) -> Plan | None:
    return complete(rng, [pung(rng.choice(ORPHANS))], EVERY, 0.85)


@recipe("九莲宝灯")
def _nine_gates(rng: Random) -> Plan:
    base, extra = rng.choice(SUITS), rng.randrange(9)
    tiles = [base + rank for rank in (0, 0, 0, *range(1, 8), 8, 8, 8)] + [base + extra]
    return Plan(loose=tuple(tiles), win=(base + extra,) if rng.random() < 0.7 else ())


@recipe("连七对")
def _shifted_pairs(rng: Random) -> Plan:
    first = rng.choice(SUITS) + rng.randrange(3)
    return Plan(loose=tuple(kind for kind in range(first, first + 7) for _ in range(2)))


@recipe("七对")
def _seven_pairs(rng: Random) -> Plan | None:
    first, second, third = suits_of(rng)
    pools = (EVERY, ranks(1, 9, [first]), ORPHANS, HONORS, ranks(2, 8), ranks(1, 9, [first, second, third]))
    kinds = Counter(rng.choices(rng.choice(pools), k=7))
    if max(kinds.values()) > 2:
        return None
    return Plan(loose=tuple(kind for kind in kinds.elements() for _ in range(2)))


@recipe("十三幺")
def _orphans(rng: Random) -> Plan:
    return Plan(loose=(*ORPHANS, rng.choice(ORPHANS)))


def _knitted(rng: Random) -> list[int]:
    return [
        base + rank
        for base, start in zip(suits_of(rng), range(3), strict=True)
        for rank in range(start, 9, 3)
    ]


@recipe("七星不靠")
def _greater_knitted(rng: Random) -> Plan:
    return Plan(loose=(*HONORS, *rng.sample(_knitted(rng), 7)))


@recipe("全不靠")
def _lesser_knitted(rng: Random) -> Plan:
    honors = rng.choice((5, 5, 6))
    return Plan(loose=(*rng.sample(HONORS, honors), *rng.sample(_knitted(rng), 14 - honors)))


@recipe("组合龙")
def _knitted_straight(rng: Random) -> Plan | None:
    straight = _knitted(rng)
    pool = rng.choice((EVERY, NUMBERS, straight, HONORS))
    runs = chows_in(EVERY)
    rest = rng.choice(runs) if rng.random() < 0.6 else pung(rng.choice(pool))
    eyes = rng.choice(pool)
    if max(Counter([*straight, *rest, eyes, eyes]).values()) > 4:
        return None
    return Plan((rest,), eyes, tuple(straight))


@recipe("一色双龙会")
def _pure_terminal_chows(rng: Random) -> Plan:
    base = rng.choice(SUITS)
    return Plan((chow(base), chow(base), chow(base + 6), chow(base + 6)), base + 4)


@recipe("三色双龙会")
def _mixed_terminal_chows(rng: Random) -> Plan:
    first, second, third = suits_of(rng)
    return Plan((chow(first), chow(first + 6), chow(second), chow(second + 6)), third + 4)


@recipe("一色四同顺", "一色三同顺", "一般高", "四归一")
def _equal_chows(rng: Random) -> Plan | None:
    run = chow(rng.choice(SUITS) + rng.randrange(7))
    return complete(rng, [run] * rng.choice((2, 3, 3, 4, 4)), EVERY, 0.8)


@recipe("一色四节高", "一色三节高")
def _shifted_pungs(rng: Random) -> Plan | None:
    size = rng.choice((3, 4))
    first = rng.choice(SUITS) + rng.randrange(10 - size)
    return complete(rng, [pung(first + step) for step in range(size)], EVERY, 0.7)


@recipe("一色四步高", "一色三步高")
def _shifted_chows(rng: Random) -> Plan | None:
    size, step = rng.choice(((3, 1), (3, 2), (4, 1), (4, 2)))
    first = rng.choice(SUITS) + rng.randrange(7 - (size - 1) * step)
    return complete(rng, [chow(first + step * place) for place in range(size)], EVERY, 0.8)


@recipe("清龙", "花龙")
def _straights(rng: Random) -> Plan | None:
    one = rng.choice(SUITS)
    suits = (one, one, one) if rng.random() < 0.5 else suits_of(rng)
    return complete(rng, [chow(base + 3 * place) for place, base in enumerate(suits)], EVERY, 0.8)


@recipe("三色三同顺", "三色三步高", "喜相逢")
def _mixed_chows(rng: Random) -> Plan | None:
    step = rng.choice((0, 1))
    first = rng.randrange(7 - 2 * step)
    fixed = [chow(base + first + step * place) for place, base in enumerate(suits_of(rng))]
    return complete(rng, fixed[: rng.choice((2, 3, 3))], EVERY, 0.8)


@recipe("三同刻", "三色三节高")
def _mixed_pungs(rng: Random) -> Plan | None:
    step = rng.choice((0, 1))
    first = rng.randrange(9 - 2 * step)
    return complete(
        rng, [pung(base + first + step * place) for place, base in enumerate(suits_of(rng))], EVERY, 0.6
    )


@recipe("连六", "老少副")
def _two_chows(rng: Random) -> Plan | None:
    base = rng.choice(SUITS)
    first, second = rng.choice(((0, 6), (0, 6), (0, 3), (1, 4), (2, 5), (3, 6)))
    return complete(rng, [chow(base + first), chow(base + second)], EVERY, 0.7)


@recipe("全带五")
def _fives(rng: Random) -> Plan | None:
    sets = [pung(base + 4) for base in SUITS] + [chow(base + k) for base in SUITS for k in (2, 3, 4)] * 2
    return complete(rng, rng.sample(sets, 4), EVERY, pair=rng.choice(SUITS) + 4)


@recipe("全带幺")
def _outside(rng: Random) -> Plan | None:
    sets = [pung(kind) for kind in ORPHANS] + [chow(base + k) for base in SUITS for k in (0, 6)] * 3
    return complete(rng, rng.sample(sets, 4), ORPHANS, pair=rng.choice(ORPHANS))


@recipe("五门齐")
def _all_types(rng: Random) -> Plan | None:
    groups: list[tuple[int, ...]] = [*(ranks(1, 9, [base]) for base in SUITS), WINDS, DRAGONS]
    rng.shuffle(groups)
    sets = []
    for group in groups[:4]:
        runs = chows_in(group)
        sets.append(rng.choice(runs) if runs and rng.random() < 0.7 else pung(rng.choice(group)))
    return complete(rng, sets, EVERY, pair=rng.choice(groups[4]))


@recipe("四暗刻", "三暗刻", "双暗刻")
def _concealed_pungs(rng: Random) -> Plan | None:
    plan = complete(rng, [pung(kind) for kind in rng.sample(EVERY, rng.choice((2, 3, 4)))], EVERY, 0.8)
    if plan is None:
        return None
    return replace(
        plan, melds=rng.choice((0, 0, 1)), win=(plan.pair,) if rng.random() < 0.5 and plan.pair else ()
    )


@recipe("四杠", "三杠", "双暗杠", "双明杠", "明暗杠", "暗杠", "明杠", "杠上开花")
def _kongs(rng: Random) -> Plan | None:
    size = rng.choice((1, 2, 2, 2, 3, 3, 4, 4))
    plan = complete(rng, [pung(kind) for kind in rng.sample(EVERY, size)], EVERY, 0.8)
    if plan is None:
        return None
    exposed = rng.randint(0, size)
    wish = "kong_replacement" if rng.random() < 0.4 else ""
    return replace(plan, kongs=(exposed, size - exposed), wish=wish)


@recipe("无番和")
def _chicken(rng: Random) -> Plan | None:
    """Four unrelated chows in three suits beside a pair of honors, open, won on a two-sided wait."""
    starts = rng.sample(range(7), 3)
    first, second, third = suits_of(rng)
    fourth = rng.randrange(7)
    if fourth in starts or abs(fourth - starts[0]) in (1, 2, 3, 6):
        return None
    sets = (chow(first + starts[0]), chow(second + starts[1]), chow(third + starts[2]), chow(first + fourth))
    run = third + starts[2]
    ends = [end for end, other in ((run, starts[2] + 3), (run + 2, starts[2] - 1)) if 0 <= other < 9]
    return Plan(
        sets, rng.choice(HONORS), kongs=(0, 0), melds=rng.choice((1, 2)), win=tuple(ends), wish="plain"
    )


@recipe("全求人")
def _melded(rng: Random) -> Plan | None:
    plan = complete(rng, (), EVERY, 0.7)
    return plan and replace(plan, kongs=(rng.choice((0, 0, 1)), 0), melds=4, wish="discard")


@recipe("不求人", "门前清", "自摸")
def _concealed(rng: Random) -> Plan | None:
    plan = complete(rng, (), EVERY, 0.8)
    return plan and replace(
        plan, kongs=(0, rng.choice((0, 0, 1))), melds=0, wish=rng.choice(("self_draw", "discard"))
    )


@recipe("妙手回春", "海底捞月", "抢杠和", "和绝张")
def _circumstance(rng: Random) -> Plan | None:
    plan = complete(rng, (), EVERY, 0.9)
    return plan and replace(plan, wish=rng.choice(("last_tile", "rob_kong", "rob_kong", "last_of_kind")))


@recipe("边张", "坎张")
def _narrow_wait(rng: Random) -> Plan | None:
    rank = rng.choice((1, 3, 4, 5, 6, 7))
    run = chow(rng.choice(SUITS) + rank - 1)
    plan = complete(rng, [run], EVERY, 0.7)
    narrow = {1: run[2], 7: run[0]}.get(rank, run[1])
    return plan and replace(plan, win=(narrow,))


@recipe("单钓将")
def _pair_wait(rng: Random) -> Plan | None:
    plan = complete(rng, (), EVERY, 0.8)
    return plan and replace(plan, win=pair_of(plan.pair or 0))
