"""The five fixed folds of the photographed sets: look-alikes are kept together, so that "unseen" means it."""

from __future__ import annotations

FOLDS: tuple[frozenset[str], ...] = (
    frozenset({"s03", "s08", "s13"}),
    frozenset({"s04", "s05", "s07", "s14"}),
    frozenset({"s15", "s18"}),
    frozenset({"s06", "s10", "s11"}),
    frozenset({"s01", "s12", "c1"}),
)
"""Sets that are held out together; fold 1 is the American style, fold 3 thin engravings and corner digits."""

ALL_SETS: frozenset[str] = frozenset().union(*FOLDS)


def unseen(fold: int | None) -> frozenset[str]:
    """Return the sets that a model of this fold never saw; None = the final model, which saw them all."""
    return frozenset() if fold is None else FOLDS[fold]


def trained_on(fold: int | None) -> frozenset[str]:
    """Return the sets that a model of this fold learns from.

    >>> sorted(ALL_SETS - trained_on(2))
    ['s15', 's18']
    """
    return ALL_SETS - unseen(fold)
