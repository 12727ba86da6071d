"""Invitations to sit down: a fresh code for each seat of each hand, shown on the table's own screen.

Whoever scans the code at a seat stands at the table; his browser then speaks for the player of that seat. An
invitation lets one browser in, once, within the hand it was shown in, and for ten minutes at most.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import segno

from controller.state import Phase
from controller.web.errors import WebError
from controller.web.security import is_loopback

INVITE_S = 600.0
RENEW_S = 300.0
"""A code on the screen is replaced while the old one still has time for whoever is just scanning it."""
NOWHERE = "192.0.2.1"
"""Documentation address (RFC 5737): asking for the way there sends nothing and tells our own address."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Whom it seats, in which hand, and until when by the steady clock."""

    player: str
    hand: int
    until: float


class Invitations:
    """The open invitations of one table. All methods run in the event loop."""

    def __init__(
        self, state: Callable[[], Mapping[str, Any]], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._state = state
        self._clock = clock
        self._open: dict[str, Invitation] = {}

    def nonces(self) -> dict[str, str]:
        """Return the code of every seat at which somebody plays: the one shown, or a fresh one."""
        state, now = self._state(), self._clock()
        self._open = {nonce: one for nonce, one in self._open.items() if self._is_good(one)}
        shown = {one.player: nonce for nonce, one in self._open.items() if one.until - now > RENEW_S}
        nonces: dict[str, str] = {}
        for seat, place in (state.get("seats") or {}).items():
            player = str(place["player"])
            if not player:
                continue
            nonce = shown.get(player)
            if nonce is None:
                nonce = secrets.token_urlsafe(16)
                self._open[nonce] = Invitation(player, int(state["hand"]), now + INVITE_S)
            nonces[str(seat)] = nonce
        return nonces

    def look(self, nonce: str) -> Invitation:
        """Return an open invitation.

        Raises:
            WebError: 403 if it was used, its time or its hand is over, or there never was one.
        """
        one = self._open.get(nonce)
        if one is None or not self._is_good(one):
            raise WebError(403, "request.join_stale")
        return one

    def take(self, nonce: str) -> Invitation:
        """Use an invitation up; see `look` for what it raises."""
        one = self.look(nonce)
        del self._open[nonce]
        return one

    def check_move(self, player: str, to: str) -> None:
        """Let nobody who plays this hand sit down at another seat in the middle of it.

        Raises:
            WebError: 409 if `player` sits at the table, is not `to`, and a hand is open.
        """
        is_open = self._state().get("phase") not in (Phase.IDLE.value, Phase.SETTLED.value)
        if player and player != to and is_open and self.seat_of(player) is not None:
            raise WebError(409, "request.join_other")

    def seat_of(self, player: str) -> str | None:
        """Return where a player sits now."""
        seats = self._state().get("seats") or {}
        return next((str(seat) for seat, place in seats.items() if place["player"] == player), None)

    def _is_good(self, one: Invitation) -> bool:
        is_now = one.until > self._clock() and one.hand == self._state().get("hand")
        return is_now and self.seat_of(one.player) is not None


def own_address(host: str) -> str:
    """Return the name under which phones reach a service that listens on `host`.

    >>> own_address("127.0.0.1"), own_address("192.168.1.7"), own_address("fe80::1")
    ('127.0.0.1', '192.168.1.7', '[fe80::1]')
    """
    if is_loopback(host):
        return "127.0.0.1"
    if host not in ("", "0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((NOWHERE, 9))
            return str(sock.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().split('.')[0]}.local"


def qr_path(text: str) -> tuple[int, str]:
    """Return a QR code as its side in modules and an SVG path of its dark ones; the reader adds a quiet zone.

    >>> side, path = qr_path("http://192.168.1.7:8080/join#abc")
    >>> side, path[:8]
    (29, 'M0 0h7v1')
    """
    code = segno.make(text, error="m", micro=False, boost_error=False)
    runs: list[str] = []
    for y, row in enumerate(code.matrix):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x]:
                x += 1
            if x > start:
                runs.append(f"M{start} {y}h{x - start}v1h-{x - start}z")
            x += 1
    return len(code.matrix), "".join(runs)
