"""What is shown: projections of the brain, and the photo that proves a hand."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict

from controller.web.errors import ErrorAnswer, WebError
from controller.web.examples import HISTORY, MACHINE, STATE
from controller.web.service import Service


class StateView(BaseModel):
    """The table as pages and robots see it. More keys may come; these are always there."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [STATE]})

    epoch: str
    seq: int
    head: str
    phase: str
    hand: int


class HistoryView(BaseModel):
    """The hands settled last, the newest first."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [HISTORY]})

    hands: list[dict[str, Any]]


class MachineView(BaseModel):
    """Board, sensors, motors, link and faults as last told."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [MACHINE]})


def router(service: Service) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api/v1", tags=["views"])

    @routes.get("/state", response_model=StateView)
    async def get_state(response: Response) -> Any:
        """The whole table now."""
        response.headers["Cache-Control"] = "no-store"
        return service.view("state")

    @routes.get("/history", response_model=HistoryView)
    async def get_history(response: Response) -> Any:
        """The last hands."""
        response.headers["Cache-Control"] = "no-store"
        view = service.view("history")
        return view if "hands" in view else {"hands": list(view.values())}

    @routes.get("/machine", response_model=MachineView)
    async def get_machine(response: Response) -> Any:
        """The machine now."""
        response.headers["Cache-Control"] = "no-store"
        return service.view("machine")

    @routes.get(
        "/evidence/{sha}.jpg",
        response_class=Response,
        responses={
            200: {
                "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
                "description": "The winner's area when the hand was read.",
            },
            404: {"model": ErrorAnswer, "description": "No such photo, or it was erased."},
        },
    )
    async def get_evidence(
        sha: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the photo, in hex.")],
    ) -> Response:
        """A photo by its hash."""
        jpeg = service.evidence(sha)
        if jpeg is None:
            raise WebError(404, "request.not_found")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})

    return routes
