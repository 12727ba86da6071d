"""Patterns made of a few chows or of a few pungs, counted under the account-once rule (see `rules.combine`).

Each takes the ascending kinds of the sets: the lowest tiles of chows, the kinds of pungs. Suits are
kind // 9, ranks kind % 9; honors (27-33) stand in no numbered pattern.
"""

from __future__ import annotations

from itertools import pairwise

from rules.combine import Combination, Kinds


def _suits(kinds: Kinds) -> int:
    """Return how many different suits there are; 0 if there is an honor."""
    return len({kind // 9 for kind in kinds}) if kinds[-1] < 27 else 0


def _steps(kinds: Kinds) -> set[int]:
    """Return the differences between neighbouring ranks, sorted by rank."""
    ranks = sorted(kind % 9 for kind in kinds)
    return {later - earlier for earlier, later in pairwise(ranks)}


def _one_suit_by(steps: tuple[int, ...], kinds: Kinds) -> bool:
    """Return whether the sets are of one suit, each shifted by the same of these steps."""
    found = _steps(kinds)
    return _suits(kinds) == 1 and len(found) == 1 and found <= set(steps)


def _three_suits_by(step: int, kinds: Kinds) -> bool:
    return _suits(kinds) == 3 and _steps(kinds) == {step}


def quadruple_chow(kinds: Kinds) -> bool:
    """Four equal chows."""
    return len(set(kinds)) == 1


def pure_shifted_chows(kinds: Kinds) -> bool:
    """Chows of one suit, each one or two ranks above the one before."""
    return _one_suit_by((1, 2), kinds)


def pure_straight(kinds: Kinds) -> bool:
    """123 456 789 of one suit."""
    return _one_suit_by((3,), kinds)


def mixed_straight(kinds: Kinds) -> bool:
    """123 456 789, one in each suit."""
    return _three_suits_by(3, kinds)


def mixed_triple(kinds: Kinds) -> bool:
    """The same ranks in all three suits."""
    return _three_suits_by(0, kinds)


def mixed_shifted(kinds: Kinds) -> bool:
    """Each one rank above the one before, one in each suit."""
    return _three_suits_by(1, kinds)


def two_suit_shifted(kinds: Kinds) -> bool:
    """Each one rank above the one before, in exactly two suits."""
    return _suits(kinds) == 2 and _steps(kinds) == {1}


def mixed_four_shifted(kinds: Kinds) -> bool:
    """Each one rank above the one before, in two or three suits."""
    return _suits(kinds) >= 2 and _steps(kinds) == {1}


def two_suit_straight(kinds: Kinds) -> bool:
    """123 456 789 out of exactly two suits."""
    return _suits(kinds) == 2 and _steps(kinds) == {3}


def pure_shifted_pungs(kinds: Kinds) -> bool:
    """Pungs of one suit of consecutive ranks."""
    return _one_suit_by((1,), kinds)


def same_rank_in_two_suits(kinds: Kinds) -> bool:
    """The same ranks in two suits."""
    return _suits(kinds) == 2 and _steps(kinds) == {0}


def short_straight(kinds: Kinds) -> bool:
    """Two chows of one suit that make six ranks in a row."""
    return _one_suit_by((3,), kinds)


def two_terminal_chows(kinds: Kinds) -> bool:
    """123 and 789 of one suit."""
    return _one_suit_by((6,), kinds)


QUADRUPLE_CHOW = Combination("chow", 4, quadruple_chow)
FOUR_PURE_SHIFTED_CHOWS = Combination("chow", 4, pure_shifted_chows)
PURE_TRIPLE_CHOW = Combination("chow", 3, quadruple_chow)
PURE_SHIFTED_CHOWS = Combination("chow", 3, pure_shifted_chows)
PURE_STRAIGHT = Combination("chow", 3, pure_straight)
MIXED_STRAIGHT = Combination("chow", 3, mixed_straight)
MIXED_TRIPLE_CHOW = Combination("chow", 3, mixed_triple)
MIXED_SHIFTED_CHOWS = Combination("chow", 3, mixed_shifted)
TWO_SUIT_SHIFTED_CHOWS = Combination("chow", 3, two_suit_shifted)
MIXED_FOUR_SHIFTED_CHOWS = Combination("chow", 4, mixed_four_shifted)
TWO_SUIT_STRAIGHT = Combination("chow", 3, two_suit_straight)
PURE_DOUBLE_CHOW = Combination("chow", 2, quadruple_chow)
MIXED_DOUBLE_CHOW = Combination("chow", 2, same_rank_in_two_suits)
SHORT_STRAIGHT = Combination("chow", 2, short_straight)
TWO_TERMINAL_CHOWS = Combination("chow", 2, two_terminal_chows)

FOUR_PURE_SHIFTED_PUNGS = Combination("pung", 4, pure_shifted_pungs)
PURE_SHIFTED_PUNGS = Combination("pung", 3, pure_shifted_pungs)
TRIPLE_PUNG = Combination("pung", 3, mixed_triple)
MIXED_SHIFTED_PUNGS = Combination("pung", 3, mixed_shifted)
TWO_SUIT_SHIFTED_PUNGS = Combination("pung", 3, two_suit_shifted)
MIXED_FOUR_SHIFTED_PUNGS = Combination("pung", 4, mixed_four_shifted)
DOUBLE_PUNG = Combination("pung", 2, same_rank_in_two_suits)
