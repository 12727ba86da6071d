"""The event stream."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.responses import StreamingResponse

from controller.web.errors import refuses
from controller.web.onlookers import viewer_of
from controller.web.sessions import CodeGate
from controller.web.sse import Hub

EXAMPLE = (
    'retry: 2000\n\nid: 1-41\nevent: state\ndata: {"epoch":1,"seq":41}\n\n'
    'event: live\ndata: {"build":{"counts":[9,8,9,9]}}\n\n: ping\n\n'
)


def router(hub: Hub, gate: CodeGate) -> APIRouter:
    """Return the route."""
    routes = APIRouter(prefix="/api/v1", tags=["views"])

    @routes.get(
        "/events",
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "Facts as `event: state` with an id, fast values as `event: live` without.",
                "content": {"text/event-stream": {"schema": {"type": "string"}, "example": EXAMPLE}},
            },
            **refuses(422, "`Last-Event-ID` is too long."),
            **refuses(429, "Too many listen already."),
        },
    )
    async def get_events(
        request: Request,
        last_event_id: Annotated[
            str | None, Header(max_length=80, description="The id a browser saw last.", examples=["1-41"])
        ] = None,
    ) -> StreamingResponse:
        """All that happens, from now on (or from `Last-Event-ID` on), as whoever listens may see it."""
        hub.check_room()
        return StreamingResponse(
            hub.stream(last_event_id, lambda: viewer_of(gate, request)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
        )

    return routes
