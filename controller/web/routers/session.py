"""The 8-digit code against a cookie, for browsers on other machines."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from controller.web.errors import POSTED, refuses
from controller.web.security import COOKIE, CodeGate


class Code(BaseModel):
    """The code that the service printed at start."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(pattern=r"^[0-9]{8}$", examples=["40718836"])]


class SessionView(BaseModel):
    """Whether this browser may act."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"may_post": True}]})

    may_post: bool


def router(gate: CodeGate) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api/v1", tags=["session"])

    @routes.get("/session")
    async def get_session(request: Request, response: Response) -> SessionView:
        """Say whether a POST from here would be heard."""
        response.headers["Cache-Control"] = "no-store"
        return SessionView(may_post=gate.may_post(request))

    @routes.post(
        "/session",
        responses={
            **POSTED,
            **refuses(403, "Wrong code, or a page of another origin."),
            **refuses(429, "Wrong too often: wait."),
        },
    )
    async def post_session(body: Code, request: Request, response: Response) -> SessionView:
        """Exchange the code for a cookie."""
        if not gate.is_open:
            secret = gate.log_in(body.code, request.client.host if request.client else "")
            secure = request.url.scheme == "https"
            response.set_cookie(COOKIE, secret, httponly=True, samesite="strict", secure=secure, path="/")
        return SessionView(may_post=True)

    return routes
