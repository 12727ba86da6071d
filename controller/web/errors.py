"""Errors of the web layer and the one table that turns them into HTTP answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import Scope

from controller.errors import ControllerError


class WebError(ControllerError):
    """A request that is not passed on: `status` and `code` say why."""

    def __init__(self, status: int, code: str, **params: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.params = params


class CommandRefused(WebError):
    """The brain understood a command and said no."""

    def __init__(self, code: str, params: Mapping[str, Any]) -> None:
        super().__init__(409, code, **params)


class ErrorDetail(BaseModel):
    """Why not: a key of the catalogue, and what its text needs."""

    code: str = Field(description="A key of the catalogue, such as `refuse.seat`.")
    params: dict[str, Any] = Field(default_factory=dict, description="Values for the text.")


class ErrorAnswer(BaseModel):
    """The body of every answer that is not 2xx."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"error": {"code": "refuse.seat", "params": {"seat": "E"}}}]}
    )

    error: ErrorDetail


def refuses(status: int, why: str) -> dict[int | str, dict[str, Any]]:
    """Return the description of one answer that is not 2xx, as FastAPI's `responses` wants it."""
    return {status: {"model": ErrorAnswer, "description": why}}


GUARDED: dict[int | str, dict[str, Any]] = {
    **refuses(400, "Not our Host."),
    **refuses(403, "From a page of another origin."),
    **refuses(413, "More than 64 KiB."),
}
"""What the guard in front of all routes may answer (`security.Guard`)."""
POSTED: dict[int | str, dict[str, Any]] = {
    **refuses(400, "Not our Host, or no JSON."),
    **refuses(415, "Not application/json."),
    **refuses(422, "A field is missing or wrong."),
}
"""What else any POST may be answered."""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
HTTP_CODES: dict[int, str] = {
    400: "request.bad",
    404: "request.not_found",
    405: "request.method",
    413: "request.too_large",
}


def error_answer(status: int, code: str, params: Mapping[str, Any] | None = None) -> JSONResponse:
    """Return the JSON answer for an error."""
    body = {"error": {"code": code, "params": dict(params or {})}}
    return JSONResponse(body, status_code=status, headers={"Cache-Control": "no-store"})


async def _on_web_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, WebError)
    return error_answer(error.status, error.code, error.params)


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = error_answer(error.status_code, HTTP_CODES.get(error.status_code, "request.bad"))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(filter(partial(_is_there, request), METHODS)) or "GET, HEAD"
    return answer


def _is_there(request: Request, method: str) -> bool:
    """Return whether a path has a method: the router itself tells only those of the first of its routes."""
    return has_route(request.app.routes, {**request.scope, "method": method})


def has_route(routes: Sequence[BaseRoute], scope: Scope) -> bool:
    """Return whether one of the routes takes a request; folders of files are left out."""
    return any(route.matches(scope)[0] is Match.FULL for route in routes if not isinstance(route, Mount))


async def _on_invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first: Mapping[str, Any] = next(iter(error.errors()), {})
    where: Sequence[Any] = first.get("loc", ())
    field = ".".join(str(part) for part in where[1:]) or "body"
    return error_answer(422, "request.invalid", {"field": field, "reason": str(first.get("type", ""))})


async def _on_bug(_request: Request, _error: Exception) -> JSONResponse:
    return error_answer(500, "request.failed")


HANDLERS = (
    (WebError, _on_web_error),
    (HTTPException, _on_http),
    (RequestValidationError, _on_invalid),
    (Exception, _on_bug),
)


def add_error_handlers(app: FastAPI) -> None:
    """Install the table."""
    for kind, handler in HANDLERS:
        app.add_exception_handler(kind, handler)
