"""For those who keep the service alive."""

from __future__ import annotations

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from controller.web.metrics import CONTENT_TYPE, Metrics
from controller.web.service import Service


class Health(BaseModel):
    """The service answers; `health` says what of the table does."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "ok": True,
                    "epoch": 1,
                    "seq": 41,
                    "health": {"link": "up", "camera": "up", "clock_ok": True, "ledger": "ok"},
                }
            ]
        }
    )

    ok: bool
    epoch: int
    seq: int
    health: dict[str, str | bool]


def router(service: Service, metrics: Metrics) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(tags=["operations"])

    @routes.get("/healthz")
    async def get_health() -> Health:
        """Say that the service is alive; a table without camera or board is alive too."""
        health = dict(service.view("state").get("health") or {})
        return Health(ok=True, epoch=service.epoch, seq=service.seq, health=health)

    @routes.get(
        "/metrics",
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Figures."}
        },
    )
    async def get_metrics() -> Response:
        """Figures for Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    return routes
