"""The web application: projections out, commands in, pages beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp

from controller.web.errors import GUARDED, add_error_handlers, has_route
from controller.web.metrics import Metrics
from controller.web.routers import commands, events, ops, pages, session, views
from controller.web.security import Guard, HostRule, is_loopback
from controller.web.service import Service
from controller.web.sessions import CodeGate
from controller.web.sse import Hub


class _Guarded(FastAPI):
    """An application whose guard stands outside of everything, so that a bug's answer passes it too."""

    def __init__(self, hosts: HostRule, **options: Any) -> None:
        super().__init__(**options)
        self._hosts = hosts

    def build_middleware_stack(self) -> ASGIApp:
        """Return the application inside the guard."""
        return Guard(super().build_middleware_stack(), self._hosts, partial(has_route, self.routes))


def create_app(
    service: Service,
    *,
    code: str | None = None,
    host: str = "127.0.0.1",
    names: Iterable[str] = (),
) -> FastAPI:
    """Return the application for one table.

    Args:
        service: the brain.
        code: 8 digits that a browser on another machine must show before it may POST.
        host: the address listened on; other than loopback needs a `code`.
        names: further host names under which the table is known.
    Raises:
        ValueError: if `host` is not loopback and there is no code.
    """
    if code is None and not is_loopback(host):
        raise ValueError(f"listening on {host} needs a code")
    hub = Hub(service)
    gate = CodeGate(None if is_loopback(host) else code)
    metrics = Metrics(
        lambda: hub.clients,
        lambda: service.seq,
        lambda: service.view("machine").get("counters", {}),
        lambda: service.view("state").get("health", {}).get("ledger", "ok"),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        hub.start()
        yield
        await hub.close()

    app = _Guarded(
        HostRule(host, names),
        title="mahjong-table",
        version="1",
        description="One table: what it shows (GET), what one does (POST), what happens (events).",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        responses=GUARDED,
        lifespan=lifespan,
    )
    app.state.hub = hub
    add_error_handlers(app)
    app.include_router(views.router(service, gate))
    app.include_router(events.router(hub, gate))
    app.include_router(commands.router(service, gate, metrics))
    app.include_router(session.router(gate, service, host))
    app.include_router(ops.router(service, metrics))
    app.include_router(pages.router())
    app.mount("/static", pages.FreshFiles(directory=pages.STATIC), name="static")
    return app
