"""Misspelled keys of a record: refused where they look like a known key, left alone where they do not.

A record may carry keys of other questions and of other programs, the answers in the shared vectors among
them; those are ignored. `selfdraw` would be ignored too, and the hand scored as a discard: a key that is
nearly a known one is refused instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Final

from rules.errors import InvalidRequest

SCORE_KEYS: Final = frozenset(
    {
        "hand",
        "self_draw",
        "rob_kong",
        "kong_replacement",
        "last_tile",
        "last_of_kind",
        "seat_wind",
        "round_wind",
        "flowers",
        "options",
        "flags",
        "wall_left",
        "from",
        "wild",
    }
)
WAIT_KEYS: Final = SCORE_KEYS | {"seen", "within"}
ODDS_KEYS: Final = frozenset(
    {"op", "in", "hand", "bottom", "seen", "unseen", "live", "draws", "asks", "fields"}
)
# what stands beside them in the shared files (../shared/data/mcr, ../shared/rules/cases) and in our answers
COMPANIONS: Final = (
    frozenset({"id", "kind", "fan", "total", "alt", "count", "reason", "why", "rule", "peer_differs"})
    | {"other_peer", "other_total", "expect", "waits", "exhausted", "detail", "regular", "useful", "best"}
    | {"seven_pairs", "thirteen_orphans", "honors_knitted", "knitted_straight", "meets_minimum", "legal"}
    | {"law", "title", "source", "note", "variant", "error"}
    | SCORE_KEYS
    | WAIT_KEYS
    | ODDS_KEYS
)
_CLOSE: Final = 0.76  # difflib ratio; above one letter in four, as in `form` and `from`
_LONGEST: Final = 40


def refuse_misspelled(keys: Iterable[object], known: Collection[str], where: str = "") -> None:
    """Raise InvalidRequest for a key that is no known one and no companion but nearly a known one.

    >>> refuse_misspelled({"hand": "", "selfdraw": True}, SCORE_KEYS)
    Traceback (most recent call last):
        ...
    rules.errors.InvalidRequest: selfdraw is no key here: self_draw is meant
    """
    for key in keys:
        if key in known or key in COMPANIONS or not isinstance(key, str) or len(key) > _LONGEST:
            continue
        meant = get_close_matches(key.lower().replace("-", "_"), sorted(known), 1, _CLOSE)
        if meant:
            raise InvalidRequest(f"{where}{key} is no key here: {meant[0]} is meant")
