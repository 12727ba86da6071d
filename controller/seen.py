"""Who may see what: the whole views go in, what one onlooker may see of them comes out. Pure.

A concealed kong lies face down until the hand ends (win-procedure.md sections 1 and 4): until then its tile
is told to the player who made it, on his own phone, and to nobody else - the table's own screen is seen by
all four. A photo of a hand is for those who played it, for a referee, and for the screen they all sit around.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from controller.facts import Record
from controller.fold_rows import HandRow
from controller.state import Phase, TableState

WITHHELD = ""
"""Stands for the hash of a photo that is there, but not for whoever looks."""
OPENED = frozenset({Phase.IDLE.value, Phase.SETTLED.value})
"""The hand has ended, by win or by draw: its concealed kongs are opened and checked."""
CONCEALED = "concealed_kong"

Photos = Mapping[str, Collection[str]]
"""SHA-256 of each photo that is shown now -> ids of the players who may see it."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the player whose seat a browser joined ("" = a spectator); `is_table`: the table's screen,
    or a referee."""

    player: str = ""
    is_table: bool = False

    def may_see(self, photo: str, photos: Photos) -> bool:
        """Say whether a photo is for this onlooker."""
        return self.is_table or (bool(self.player) and self.player in photos.get(photo, ()))


TABLE = Viewer(is_table=True)


def seen_state(
    values: Mapping[str, Any], viewer: Viewer, photos: Photos, whole: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """Return the state view, or some of its keys, as one onlooker may see it: the very object if all of it.

    Args:
        whole: the state view that some keys belong to; None = `values` is the whole.
    """
    state = values if whole is None else whole
    changed: dict[str, Any] = {}
    if values.get("kongs") and state.get("phase") not in OPENED:
        kongs = [_kong(kong, viewer, state.get("seats") or {}) for kong in values["kongs"]]
        if kongs != values["kongs"]:
            changed["kongs"] = kongs
    for key in ("reading", "last"):
        shown = values.get(key)
        if shown is not None and (hand := _hand(shown, viewer, photos)) is not shown:
            changed[key] = hand
    return {**values, **changed} if changed else values


def seen_history(view: Mapping[str, Any], viewer: Viewer, photos: Photos) -> Mapping[str, Any]:
    """Return the history as one onlooker may see it."""
    return {**view, "hands": [_hand(hand, viewer, photos) for hand in view["hands"]]}


def _kong(kong: Mapping[str, Any], viewer: Viewer, seats: Mapping[str, Any]) -> Mapping[str, Any]:
    is_down = kong["kind"] == CONCEALED and not kong["robbed"]
    place = seats.get(kong["seat"]) or {}
    if not is_down or (viewer.player and viewer.player == place.get("player")):
        return kong
    return {**kong, "tile": None}


def _hand(shown: Mapping[str, Any], viewer: Viewer, photos: Photos) -> Mapping[str, Any]:
    """Return a reading or a settled hand, without its photo where that is not for this onlooker."""
    photo: str | None = shown.get("evidence")
    return {**shown, "evidence": WITHHELD} if photo and not viewer.may_see(photo, photos) else shown


def photos_of(state: TableState, rows: Collection[Record]) -> dict[str, frozenset[str]]:
    """Return the photos of the hand that is looked at and of this game's last hands, with who played them.

    Args:
        rows: the last rows of the ledger that tell of hands (`history.History.rows`).
    """
    photos: dict[str, frozenset[str]] = {}
    by_hand: dict[int, HandRow] = {row.hand: row for row in state.sheet}
    for record in _this_game(rows):
        row, photo = by_hand.get(int(record.body.get("hand", 0))), record.body.get("evidence")
        if photo is not None and row is not None:
            photos[str(photo)] = photos.get(str(photo), frozenset()) | frozenset(row.players) - {""}
    here = frozenset(place.player for place in state.seats if place.player)
    for reading in (state.reading, *(agreed.reading for agreed in state.agreed)):
        if reading is not None and reading.evidence is not None:
            photos[reading.evidence] = here
    return photos


def _this_game(rows: Collection[Record]) -> list[Record]:
    """Return the rows since the last game began."""
    kept: list[Record] = []
    for record in rows:
        if record.kind == "game_started":
            kept = []
        kept.append(record)
    return kept
