"""The stated value held against the checked one. Source: win-procedure.md section 1."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import InvalidRequest

STATED_COUNTS = ("checked", "stated_max")
SETTLE = "settle"
FALSE_WIN = "false_win"


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check says: `points` count, None for a false win."""

    result: str
    points: int | None


def check(
    computed: int | None, minimum: int, stated: int | None = None, stated_counts: str = "checked"
) -> Checked:
    """Return what is settled.

    Args:
        computed: the checked value; None = no winning shape or a wrong number of tiles.
        minimum: the least value that may win.
        stated: what the winner said; None = he said nothing, so there is nothing to hold him to.
        stated_counts: one of STATED_COUNTS; with `stated_max` points not stated are lost, and points that the
            hand does not have are never paid.
    Raises:
        InvalidRequest: for an unknown word.

    >>> check(10, 8, stated=12), check(10, 8, 8, "stated_max").points, check(7, 8, 8).result
    (Checked(result='settle', points=10), 8, 'false_win')
    """
    if stated_counts not in STATED_COUNTS:
        raise InvalidRequest(f"stated_counts is one of {', '.join(STATED_COUNTS)}, not {stated_counts!r}")
    if computed is None or computed < minimum:
        return Checked(FALSE_WIN, None)
    lost = stated_counts == "stated_max" and stated is not None
    return Checked(SETTLE, min(computed, stated) if lost and stated is not None else computed)
