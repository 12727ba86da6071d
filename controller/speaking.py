"""Who speaks in a command: a joined browser speaks for one player, wherever that player sits now.

A session is bound to a player's id, never to a seat: seats change in the middle of a game. Keys, the screen
that stands at the table and a referee name any seat; whoever is in front of them is seen by all four.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from controller.errors import Refused
from controller.state import SeatState

SPEAKERS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "throw",
            "dealt",
            "claim",
            "answer_from",
            "laid",
            "withdraw",
            "confirm",
            "dispute",
            "set_aside",
            "declare_kong",
            "withdraw_kong",
            "washout",
            "state_points",
            "undo_result",
            "correct_result",
            "swap_players",
            "replace_player",
            "end_game",
            "agree_correction",
            "reject_correction",
            "rename",
        ),
        "seat",
    ),
    "false_win": "by",
    "irregularity": "by",
}
"""Command -> the field that says who speaks; in other commands a seat is spoken of, if any is named."""


def names_a_speaker(command: str) -> bool:
    """Say whether this command is said by one seat, so that it must be known who sends it."""
    return command in SPEAKERS


def spoken_by(
    player: str, command: str, body: Mapping[str, Any], seats: Iterable[SeatState]
) -> Mapping[str, Any]:
    """Return the command's body as said by `player`: his own seat stands where the speaker was left open.

    No player ("") = whoever may name any seat: the body is taken as it is.

    Raises:
        Refused: if he sits at no seat now, or names another one.
    """
    if not player:
        return body
    field = SPEAKERS.get(command)
    own = next((place.seat.value for place in seats if place.player == player), None)
    if own is None:
        raise Refused("refuse.not_seated")
    if field is None:
        return body
    named = body.get(field)
    if named is None:
        return {**body, field: own}
    if named != own:
        raise Refused("refuse.seat", seat=own)
    return body
