"""Who looks at a view: a request's caller in the terms of `controller.seen`."""

from __future__ import annotations

from starlette.requests import Request

from controller.seen import Viewer
from controller.web.sessions import CodeGate


def viewer_of(gate: CodeGate, request: Request) -> Viewer:
    """Return who sends a request: the table's own screen or a referee, a joined player, or a spectator."""
    caller = gate.caller(request)
    return Viewer(caller.player, is_table=caller.is_table or "referee" in caller.roles)
