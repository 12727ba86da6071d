"""Runs the application with uvicorn: binds first (a busy port is known at once), ends its streams on stop."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from controller.errors import ControllerError


class PortBusy(ControllerError, OSError):
    """Somebody else listens there: take another port, or 0 for any free one."""


def bind(host: str, port: int) -> socket.socket:
    """Return a bound socket.

    Raises:
        PortBusy: if the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise PortBusy(f"port {port} is busy: use --port 0 for a free one") from error
        raise
    return sock


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs the loop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing."""
        yield


class WebServer:
    """One application on one socket. `serve` until `stop`; both in the same event loop."""

    def __init__(self, app: FastAPI, sock: socket.socket) -> None:
        self._app = app
        self._socket = sock
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=True,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=15,
        )
        self._server = _Server(config)

    @property
    def port(self) -> int:
        """The port really listened on."""
        return int(self._socket.getsockname()[1])

    @property
    def is_started(self) -> bool:
        """Whether requests are answered."""
        return self._server.started

    async def serve(self) -> None:
        """Answer requests until `stop`; signals stay with the caller."""
        await self._server.serve(sockets=[self._socket])

    async def stop(self) -> None:
        """End the streams, then the server."""
        await self._app.state.hub.close()
        self._server.should_exit = True
        await asyncio.sleep(0)
