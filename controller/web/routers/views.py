"""What is shown: projections of the brain, and the photo that proves a hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from controller.seen import seen_history, seen_state
from controller.views import HistoryView, MachineView, StateView
from controller.views_sheet import ReportView, SheetView, StatisticsView
from controller.web.errors import WebError, refuses
from controller.web.examples import HISTORY, MACHINE, STATE
from controller.web.examples_sheet import REPORT, SHEET, STATISTICS
from controller.web.onlookers import viewer_of
from controller.web.service import Service
from controller.web.sessions import CodeGate


class DeviceView(BaseModel):
    """One row of the wiring table."""

    id: str
    kind: str
    side: int
    zh: str
    en: str


class DevicesView(BaseModel):
    """All parts by group: sensors, keys, actuators, lamps."""

    devices: dict[str, list[DeviceView]]


@cache
def wiring() -> dict[str, list[DeviceView]]:
    """Return the wiring table."""
    text = (files("hardware") / "wiring" / "devices.toml").read_text(encoding="utf-8")
    groups = tomllib.loads(text)["devices"]
    return {name: [DeviceView.model_validate(row) for row in rows] for name, rows in groups.items()}


def _example(value: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {"application/json": {"example": value}}}}


def _json(view: Mapping[str, Any]) -> JSONResponse:
    """Return a view as it is: its shape is checked by tests, not on each request."""
    return JSONResponse(view, headers={"Cache-Control": "no-store"})


def router(service: Service, gate: CodeGate) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api/v1", tags=["views"])

    @routes.get("/state", response_model=StateView, responses=_example(STATE))
    async def get_state(request: Request) -> JSONResponse:
        """The whole table now, as whoever asks may see it."""
        return _json(seen_state(service.view("state"), viewer_of(gate, request), service.view("photos")))

    @routes.get("/history", response_model=HistoryView, responses=_example(HISTORY))
    async def get_history(request: Request) -> JSONResponse:
        """The last hands; a photo is told to those who played the hand."""
        return _json(seen_history(service.view("history"), viewer_of(gate, request), service.view("photos")))

    @routes.get("/machine", response_model=MachineView, responses=_example(MACHINE))
    async def get_machine() -> JSONResponse:
        """The machine now."""
        return _json(service.view("machine"))

    @routes.get("/sheet", response_model=SheetView, responses=_example(SHEET))
    async def get_sheet() -> JSONResponse:
        """The score sheet of this game, with every correction."""
        return _json(service.view("sheet"))

    @routes.get("/statistics", response_model=StatisticsView, responses=_example(STATISTICS))
    async def get_statistics() -> JSONResponse:
        """What every player did in this game; substitutes are told apart."""
        return _json(service.view("statistics"))

    @routes.get("/report", response_model=ReportView, responses=_example(REPORT))
    async def get_report() -> JSONResponse:
        """How the game stands or ended: ranking, transfers of points that even it out, corrections."""
        return _json(service.view("report"))

    @routes.get("/devices")
    async def get_devices() -> DevicesView:
        """Every part of the wiring table, so that the technician's page lists a new one by itself."""
        return DevicesView(devices=wiring())

    @routes.get(
        "/evidence/{sha}.jpg",
        response_class=Response,
        responses={
            200: {
                "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
                "description": "The winner's area when the hand was read.",
            },
            **refuses(403, "It is for those who played the hand, and a referee."),
            **refuses(404, "No such photo, or it was erased."),
            **refuses(422, "Not 64 hex digits."),
        },
    )
    async def get_evidence(
        request: Request,
        sha: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the photo, in hex.")],
    ) -> Response:
        """A photo by its hash, for those who played the hand, a referee, and the screen at the table."""
        if not viewer_of(gate, request).may_see(sha, service.view("photos")):
            raise WebError(403, "request.photo")
        jpeg = service.evidence(sha)
        if jpeg is None:
            raise WebError(404, "request.not_found")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})

    return routes
