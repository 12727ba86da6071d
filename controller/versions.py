"""Which state a command was decided on: "<epoch>-<seq>", as the state view and the ids of events tell it.

A command that carries one is refused where the table has moved on since: nobody agrees to a reading that was
corrected in between, or undoes another result than the last one he saw. What commutes moves nothing: of two
seats that agree at the same moment neither is refused.
"""

from __future__ import annotations

STALE = "refuse.stale"
PATTERN = r"^[0-9]{1,10}-[0-9]{1,15}$"
COMMUTING = frozenset(
    {"confirmed", "correction_agreed", "set_aside", "stated", "lamp_read", "build_done", "machine_event"}
)
"""Facts that change nothing of what others decide on: agreements, and what the machine tells by the way."""
ANY_VERSION = frozenset(
    {
        "stop",  # whatever is shown
        # said by several seats at the same moment; the rules say who is first
        "claim", "declare_kong", "false_win", "irregularity", "call_clock", "stop_clock",
        # hands at the table: phase and step say whether it is their turn
        "lift", "throw", "dealt", "laid", "pause", "resume",
        # not about the hand; `configure` has a check of its own (`was`)
        "rename", "ask", "read_inputs", "selftest", "lamp_test", "service", "configure",
    }
)  # fmt: skip
"""Commands that are taken whatever they were decided on."""


def row_of(version: str | None, epoch: int) -> int | None:
    """Return the row that a version of this journal names; -1, older than all, for another journal.

    >>> row_of("7-41", 7), row_of("6-41", 7), row_of(None, 7)
    (41, -1, None)
    """
    if version is None:
        return None
    own, _, row = version.partition("-")
    return int(row) if int(own) == epoch else -1
