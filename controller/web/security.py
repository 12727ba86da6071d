"""Who may talk to us: Host and Origin checks, strict headers; the browser sessions are in `sessions`."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.errors import error_answer

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_METHODS = frozenset({"POST"})
"""What a form of another page can send unasked; for all else a browser asks first (CORS), and hears 405."""
BODY_LIMIT = 64 * 1024

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def is_loopback(host: str) -> bool:
    """Say whether a listening address is reachable from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_name(header: str) -> str:
    """Return the name part of a Host header, lower case, without port and brackets; "" if malformed.

    >>> host_name("[::1]:8080"), host_name("Table.local:80"), host_name("a@b")
    ('::1', 'table.local', '')
    """
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return ""
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return ""
    return (parts.hostname or "").rstrip(".")


class HostRule:
    """Which Host headers are ours. A name that resolves to us by trickery (DNS rebinding) is not.

    On other than loopback addresses any literal IP address is ours too: it cannot be rebound.
    """

    def __init__(self, host: str, names: Iterable[str] = ()) -> None:
        self.is_local = is_loopback(host)
        own = {name.lower() for name in names}
        if not self.is_local:
            machine = socket.gethostname().lower()
            own |= {machine, f"{machine.split('.')[0]}.local", host.lower()}
        self.names = frozenset(LOOPBACK_NAMES | own)

    def accepts(self, header: str) -> bool:
        """Say whether a Host header names this table."""
        name = host_name(header)
        if name in self.names:
            return True
        if self.is_local:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def is_same_origin(origin: str, host: str) -> bool:
    """Say whether an Origin header belongs to a page that we served.

    >>> is_same_origin("http://127.0.0.1:80", "127.0.0.1:80"), is_same_origin("null", "127.0.0.1:80")
    (True, False)
    """
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and not parts.path


class Guard:
    """ASGI middleware: checks Host, Origin, type and size first, adds the strict headers to all answers."""

    def __init__(
        self, app: ASGIApp, hosts: HostRule, has_route: Callable[[Scope], bool] = lambda scope: True
    ) -> None:
        """Guard an application; what it has no route for is told so, whatever the type of the body."""
        self.app = app
        self.hosts = hosts
        self._has_route = has_route

    def refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Return status and code of the reason why a request goes no further, or None."""
        host = headers.get("host", "")
        if not self.hosts.accepts(host):
            return 400, "request.host"
        origin = headers.get("origin")
        if origin is not None and not is_same_origin(origin, host):
            return 403, "request.origin"
        if method not in SAFE_METHODS:
            if origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
                return 403, "request.origin"
            if (
                method in FORM_METHODS
                and headers.get("content-type", "").split(";")[0].strip().lower() != "application/json"
            ):
                return 415, "request.content_type"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            return 413, "request.too_large"
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = self.refusal(scope["method"], Headers(scope=scope))
        if reason is not None and (reason[0] != 415 or self._has_route(scope)):
            await error_answer(*reason)(scope, receive, send_with_headers)
            return
        await self.app(scope, _limited(receive), send_with_headers)


def _limited(receive: Receive) -> Receive:
    """Return a `receive` that breaks off a body sent in pieces once it is too large."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > BODY_LIMIT:
            raise HTTPException(413)
        return message

    return limited


def is_this_machine(request: Request) -> bool:
    """Say whether a request comes from this machine itself (kiosk, robots) and through no proxy."""
    peer = request.client.host if request.client else ""
    return (
        is_loopback(peer)
        and host_name(request.headers.get("host", "")) in LOOPBACK_NAMES
        and not any(name in request.headers for name in PROXY_HEADERS)
    )
