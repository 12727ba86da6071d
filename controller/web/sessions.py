"""Browser sessions: the 8-digit code and the seats that were joined; who sends a request, and for whom."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.requests import Request

from controller.web.errors import WebError
from controller.web.security import is_this_machine

COOKIE = "mjt_session"
TRIES = 5
TRIES_OF_ALL = 50
LOCK_S = 15 * 60.0
SESSIONS = 256
SESSION_S = 12 * 3600.0
"""An evening; whoever comes back on another day sits down anew."""

JOINED_ROLES = frozenset({"player"})
"""Whoever joined a seat, for whose player he speaks."""
CODE_ROLES = JOINED_ROLES | {"technician"}
"""Whoever showed the code looks after the table; for a seat he speaks once he has joined it."""
ALL_ROLES = CODE_ROLES | {"referee", "owner"}


def make_code() -> str:
    """Return a fresh 8-digit code."""
    return f"{secrets.randbelow(10**8):08d}"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: what it may act as, and for whom it speaks.

    `player` is the id of the one whose seat a browser joined, "" = nobody in particular. `is_table`: this
    machine itself, the screen that stands at the table; like the seat keys it speaks for whichever seat was
    touched, before the eyes of all. `session` names the cookie without telling it, "" = there is none.
    """

    roles: frozenset[str] = frozenset()
    player: str = ""
    is_table: bool = False
    session: str = ""

    @property
    def may_name_a_seat(self) -> bool:
        """Whether it may send what one seat says."""
        return self.is_table or bool(self.player) or "referee" in self.roles


@dataclass(frozen=True, slots=True)
class _Session:
    roles: frozenset[str]
    player: str
    until: float


class CodeGate:
    """Sessions, made by the 8-digit code or by joining a seat; too often wrong, one waits."""

    def __init__(self, code: str | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        if code is not None and (len(code) != 8 or not code.isdecimal() or not code.isascii()):
            raise ValueError("the code has 8 digits")
        self._code = code
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self._wrong: dict[str, list[float]] = {}

    @property
    def is_open(self) -> bool:
        """Whether nobody needs a code (listening on loopback only)."""
        return self._code is None

    def log_in(self, code: str, peer: str, cookie: str = "") -> str:
        """Return a new session's secret for the right code; the seat that a known `cookie` has is kept.

        Raises:
            WebError: 403 for a wrong code, 429 after too many of them.
        """
        now = self._clock()
        self._wrong = {
            who: kept
            for who, times in self._wrong.items()
            if (kept := [t for t in times if now - t < LOCK_S])
        }
        tried = self._wrong.setdefault(peer, [])
        if len(tried) >= TRIES or sum(map(len, self._wrong.values())) >= TRIES_OF_ALL:
            raise WebError(429, "request.tries", minutes=round(LOCK_S / 60))
        if self._code is None or not hmac.compare_digest(code.encode(), self._code.encode()):
            tried.append(now)
            raise WebError(403, "request.wrong_code", left=TRIES - len(tried))
        self._wrong.pop(peer, None)
        old = self._known(cookie)
        self._sessions.pop(cookie, None)
        return self._open(CODE_ROLES, "" if old is None else old.player)

    def join(self, player: str, cookie: str = "") -> str:
        """Return a new session's secret that speaks for `player`; who did so before no longer does.

        What a known `cookie` was allowed besides stays allowed.
        """
        old = self._known(cookie)
        self._sessions.pop(cookie, None)
        for secret, session in list(self._sessions.items()):
            if session.player == player:
                self._sessions[secret] = replace(session, player="")
        return self._open(JOINED_ROLES | (old.roles if old is not None else frozenset()), player)

    def leave(self, cookie: str) -> None:
        """End the session of a cookie."""
        self._sessions.pop(cookie, None)

    def joined(self) -> frozenset[str]:
        """Return the players for whom a browser speaks now."""
        now = self._clock()
        return frozenset(one.player for one in self._sessions.values() if one.player and one.until > now)

    def _open(self, roles: frozenset[str], player: str) -> str:
        secret = secrets.token_urlsafe(32)
        self._sessions[secret] = _Session(roles, player, self._clock() + SESSION_S)
        while len(self._sessions) > SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return secret

    def _known(self, cookie: str) -> _Session | None:
        session = self._sessions.get(cookie)
        return session if session is not None and session.until > self._clock() else None

    def caller(self, request: Request) -> Caller:
        """Return who sends a request.

        A browser that joined a seat is its player's, on whatever machine it runs. Else this machine may act
        as all: where nobody needs a code, all callers are of this machine.
        """
        cookie = request.cookies.get(COOKIE, "")
        session = self._known(cookie)
        name = "" if session is None else hashlib.sha256(cookie.encode()).hexdigest()[:16]
        if session is not None and session.player:
            return Caller(session.roles, session.player, session=name)
        if self.is_open or is_this_machine(request):
            return Caller(ALL_ROLES, is_table=True, session=name)
        return Caller() if session is None else Caller(session.roles, session=name)

    def may_post(self, request: Request) -> bool:
        """Say whether a request may act: no code needed, this very machine, or a known cookie."""
        return bool(self.caller(request).roles)
