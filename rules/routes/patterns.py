"""The patterns of Chinese Official that a player can steer to, as data: what each asks of the tiles.

Keys are those of the variant's scoring rows, which own names, points and exclusions. Patterns that hang on
the last tile (waits, last tile, kong replacement), on kongs or on how pungs were made are no aims and have no
row. Source: rules text 001_3d75f89868e24d42.txt, the definitions of the elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from rules.routes.blocks import (
    DRAGONS,
    HONORS,
    KINDS,
    ROUND_WIND,
    SEAT_WIND,
    SUITS,
    WINDS,
    Admits,
    Block,
    Pattern,
    Pick,
    Template,
    admit,
    chow,
    kinds_of_text,
    pung,
    touching,
    within,
)

_SUITED = range(27)
_TERMINALS = tuple(kind for kind in _SUITED if kind % 9 in (0, 8))
_SIMPLES = tuple(kind for kind in _SUITED if kind % 9 not in (0, 8))
_ORPHANS = (*_TERMINALS, *HONORS)


def _ranks(*ranks: int) -> tuple[int, ...]:
    """Return the kinds of these ranks (1-9) in all suits."""
    return tuple(kind for kind in _SUITED if kind % 9 + 1 in ranks)


def _templates(sets: Iterable[Sequence[Block]]) -> tuple[Template, ...]:
    return tuple(Template(tuple(each)) for each in sets)


def _pure(starts: Iterable[Sequence[int]]) -> tuple[Template, ...]:
    """Return chows with these lowest ranks (1-7), in each suit."""
    return _templates([[chow(suit[low - 1]) for low in lows] for lows in starts for suit in SUITS])


def _pure_pungs(ranks: Iterable[Sequence[int]]) -> tuple[Template, ...]:
    """Return pungs of these ranks, in each suit."""
    return _templates([[pung(suit[rank - 1]) for rank in each] for each in ranks for suit in SUITS])


def _mixed(starts: Iterable[Sequence[int]]) -> tuple[Template, ...]:
    """Return chows with these lowest ranks, one a suit, in every order of the suits."""
    found = {
        tuple(sorted(chow(suit[low - 1]) for suit, low in zip(SUITS, order, strict=True)))
        for lows in starts
        for order in permutations(lows)
    }
    return _templates(sorted(found))


def _mixed_pungs(ranks: Iterable[Sequence[int]]) -> tuple[Template, ...]:
    """Return pungs of these ranks, one a suit, in every order of the suits."""
    found = {
        tuple(sorted(pung(suit[rank - 1]) for suit, rank in zip(SUITS, order, strict=True)))
        for each in ranks
        for order in permutations(each)
    }
    return _templates(sorted(found))


def _steps(first: int, last: int, step: int, count: int) -> list[tuple[int, ...]]:
    """Return every ladder of `count` ranks that lies between two ranks."""
    return [
        tuple(low + step * place for place in range(count))
        for low in range(first, last + 1)
        if low + step * (count - 1) <= last
    ]


def _pungs_of(kinds: Iterable[int], count: int, with_pair: bool = False) -> tuple[Template, ...]:
    """Return every choice of `count` pungs among kinds, and a pair of another one of them."""
    pool = tuple(kinds)
    return tuple(
        Template(tuple(pung(kind) for kind in chosen), pair)
        for chosen in combinations(pool, count)
        for pair in ([kind for kind in pool if kind not in chosen] if with_pair else [None])
    )


def _knitted() -> list[tuple[Block, Block, Block]]:
    """Return the six knitted straights: 147, 258 and 369, one in each suit."""
    return [
        (
            tuple(SUITS[first][place] for place in (0, 3, 6)),
            tuple(SUITS[second][place] for place in (1, 4, 7)),
            tuple(SUITS[third][place] for place in (2, 5, 8)),
        )
        for first, second, third in permutations(range(3))
    ]


_KNITTED = _knitted()
_KNITTED_KINDS = [frozenset(kind for block in blocks for kind in block) for blocks in _KNITTED]
_DIVIDED = [(a, b, c) for a, b, c in permutations(range(3)) if a < b]  # two suits alike, the third apart


def _nine_gates() -> tuple[tuple[int, ...], ...]:
    """Return 1112345678999 in each suit."""
    gates = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)
    return tuple(tuple(suit[place] for place in gates) for suit in SUITS)


def _shifted_pairs() -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(kind for kind in suit[low : low + 7] for _ in range(2)) for suit in SUITS for low in range(3)
    )


def _in_one_suit(more: Iterable[int] = ()) -> tuple[Admits, ...]:
    return tuple(within([*suit, *more]) for suit in SUITS)


def _two_terminal_chows_each() -> tuple[Template, ...]:
    """Return 123 and 789 in two suits with a pair of 5 in the third."""
    return tuple(
        Template(tuple(chow(SUITS[suit][place]) for suit in (one, two) for place in (0, 6)), SUITS[three][4])
        for one, two, three in _DIVIDED
    )


def _pure_terminal_chows() -> tuple[Template, ...]:
    return tuple(
        Template((chow(suit[0]), chow(suit[0]), chow(suit[6]), chow(suit[6])), suit[4]) for suit in SUITS
    )


PATTERNS: tuple[Pattern, ...] = (
    Pattern("big_four_winds", templates=_pungs_of(WINDS, 4)),
    Pattern("big_three_dragons", templates=_pungs_of(DRAGONS, 3)),
    Pattern("all_green", (within(kinds_of_text("2s 3s 4s 6s 8s F")),)),
    Pattern("nine_gates", stands=_nine_gates(), is_concealed=True),
    Pattern("seven_shifted_pairs", tiles=_shifted_pairs(), is_concealed=True),
    Pattern(
        "thirteen_orphans",
        tiles=tuple(tuple(sorted((*_ORPHANS, kind))) for kind in _ORPHANS),
        is_concealed=True,
    ),
    Pattern("all_terminals", (within(_TERMINALS),)),
    Pattern("little_four_winds", templates=_pungs_of(WINDS, 3, with_pair=True)),
    Pattern("little_three_dragons", templates=_pungs_of(DRAGONS, 2, with_pair=True)),
    Pattern("all_honors", (within(HONORS),)),
    Pattern("pure_terminal_chows", templates=_pure_terminal_chows()),
    Pattern("quadruple_chow", templates=_pure([(low,) * 4 for low in range(1, 8)])),
    Pattern("four_pure_shifted_pungs", templates=_pure_pungs(_steps(1, 9, 1, 4))),
    Pattern("four_pure_shifted_chows", templates=_pure([*_steps(1, 7, 1, 4), *_steps(1, 7, 2, 4)])),
    Pattern("all_terminals_and_honors", (within(_ORPHANS),)),
    Pattern("seven_pairs", seven_pairs=True, is_concealed=True),
    Pattern(
        "greater_honors_and_knitted_tiles",
        picks=tuple(Pick(frozenset(HONORS), kinds) for kinds in _KNITTED_KINDS),
        is_concealed=True,
    ),
    Pattern("all_even_pungs", (within(_ranks(2, 4, 6, 8), chows=False),)),
    Pattern("full_flush", _in_one_suit()),
    Pattern("pure_triple_chow", templates=_pure([(low,) * 3 for low in range(1, 8)])),
    Pattern("pure_shifted_pungs", templates=_pure_pungs(_steps(1, 9, 1, 3))),
    Pattern("upper_tiles", (within(_ranks(7, 8, 9)),)),
    Pattern("middle_tiles", (within(_ranks(4, 5, 6)),)),
    Pattern("lower_tiles", (within(_ranks(1, 2, 3)),)),
    Pattern("pure_straight", templates=_pure([(1, 4, 7)])),
    Pattern("three_suited_terminal_chows", templates=_two_terminal_chows_each()),
    Pattern("pure_shifted_chows", templates=_pure([*_steps(1, 7, 1, 3), *_steps(1, 7, 2, 3)])),
    Pattern("all_fives", (touching(_ranks(5)),)),
    Pattern("triple_pung", templates=_mixed_pungs([(rank,) * 3 for rank in range(1, 10)])),
    Pattern(
        "lesser_honors_and_knitted_tiles",
        picks=tuple(Pick(frozenset(), kinds | frozenset(HONORS)) for kinds in _KNITTED_KINDS),
        is_concealed=True,
    ),
    Pattern("knitted_straight", templates=_templates(_KNITTED)),
    Pattern("upper_four", (within(_ranks(6, 7, 8, 9)),)),
    Pattern("lower_four", (within(_ranks(1, 2, 3, 4)),)),
    Pattern("big_three_winds", templates=_pungs_of(WINDS, 3)),
    Pattern("mixed_straight", templates=_mixed([(1, 4, 7)])),
    Pattern(
        "reversible_tiles",
        (within(kinds_of_text("1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s P")),),
    ),
    Pattern("mixed_triple_chow", templates=_mixed([(low,) * 3 for low in range(1, 8)])),
    Pattern("mixed_shifted_pungs", templates=_mixed_pungs(_steps(1, 9, 1, 3))),
    Pattern("all_pungs", (within(KINDS, chows=False),)),
    Pattern("half_flush", _in_one_suit(HONORS)),
    Pattern("mixed_shifted_chows", templates=_mixed(_steps(1, 7, 1, 3))),
    Pattern("all_types", one_of_each=True),
    Pattern("two_dragon_pungs", templates=_pungs_of(DRAGONS, 2)),
    Pattern("outside_hand", (touching(_ORPHANS),)),
    Pattern("fully_concealed_hand", is_concealed=True, is_self_drawn=True, weaker="concealed_hand"),
    Pattern("dragon_pung", templates=_pungs_of(DRAGONS, 1)),
    Pattern("prevalent_wind", templates=_templates([[(ROUND_WIND,) * 3]])),
    Pattern("seat_wind", templates=_templates([[(SEAT_WIND,) * 3]])),
    Pattern("concealed_hand", is_concealed=True),
    Pattern("all_chows", (admit(lambda block: max(block) < 27, pungs=False),)),
    Pattern(
        "double_pung",
        templates=_templates(
            [[pung(one[rank]), pung(two[rank])] for rank in range(9) for one, two in combinations(SUITS, 2)]
        ),
    ),
    Pattern("all_simples", (within(_SIMPLES),)),
    Pattern(
        "one_voided_suit",
        tuple(within(kind for kind in KINDS if kind not in suit) for suit in SUITS),
        tuple(tuple(other for other in SUITS if other != suit) for suit in SUITS),
    ),
    Pattern("no_honors", (within(_SUITED),)),
    Pattern("self_drawn", is_self_drawn=True),
)
