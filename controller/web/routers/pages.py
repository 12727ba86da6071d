"""The pages, their files, and the tiles' faces."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from controller.web.errors import WebError
from hardware.tiles import face_path

STATIC = Path(__file__).resolve().parent.parent / "static"
PAGES = ("table", "board", "machine", "join")
FRESH = "no-cache"
"""Browsers keep files but ask each time: a new version of the service shows at once."""


class FreshFiles(StaticFiles):
    """Static files that are revalidated on each use."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FRESH
        return response


@lru_cache(maxsize=64)
def _face(name: str) -> tuple[bytes, str] | None:
    try:
        svg = face_path(name).read_bytes()
    except (ValueError, OSError):
        return None
    return svg, f'"{hashlib.sha256(svg).hexdigest()[:16]}"'


def router() -> APIRouter:
    """Return the routes."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def get_root() -> RedirectResponse:
        return RedirectResponse("/table")

    def add(page: str) -> None:
        @routes.get(f"/{page}", name=page)
        async def get_page() -> FileResponse:
            return FileResponse(STATIC / f"{page}.html", headers={"Cache-Control": FRESH})

    for page in PAGES:
        add(page)

    @routes.get("/favicon.ico")
    async def get_icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml", headers={"Cache-Control": FRESH})

    @routes.get("/tiles/{name}.svg")
    async def get_tile(name: str, request: Request) -> Response:
        face = _face(name)
        if face is None:
            raise WebError(404, "request.not_found")
        svg, tag = face
        headers = {"ETag": tag, "Cache-Control": "public, max-age=86400"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(svg, media_type="image/svg+xml", headers=headers)

    return routes
