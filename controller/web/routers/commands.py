"""What is done: one POST route per row of the table of commands."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Request

from controller.answers import KEPT, press_text
from controller.speaking import names_a_speaker
from controller.versions import STALE
from controller.web.command_kit import CommandBody, CommandRow
from controller.web.commands import COMMANDS, Accepted
from controller.web.errors import POSTED, CommandRefused, WebError, refuses
from controller.web.metrics import Metrics
from controller.web.once import Once
from controller.web.service import CommandAnswer, Service
from controller.web.sessions import COOKIE, CodeGate

RESPONSES: dict[int | str, dict[str, Any]] = {
    **POSTED,
    **refuses(401, "The code of this table is needed first."),
    **refuses(403, "From another origin, or for a seat that was not joined."),
    **refuses(409, "Understood and refused; the code says why."),
    **refuses(503, "The table is busy and did not begin: nothing was done, and never will be."),
}


def _key_of(name: str) -> Any:
    """Return the header of a command; its example is one of this command: a key is good for one press."""
    return Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=80,
            pattern=r"^[\x21-\x7e]+$",
            description="The same key of the same browser acts once; a repeat gets the first answer, also "
            f"after a restart of the service, for the latest {KEPT:,} rows of the ledger.",
            examples=[f"{name}-9b2c1f6e4a"],
        ),
    ]


def router(service: Service, gate: CodeGate, metrics: Metrics) -> APIRouter:
    """Return the routes."""

    def may_act(request: Request) -> None:
        if not gate.may_post(request):
            raise WebError(401, "request.code")

    routes = APIRouter(prefix="/api/v1/commands", tags=["commands"], dependencies=[Depends(may_act)])
    once = Once()
    for row in COMMANDS:
        routes.add_api_route(
            f"/{row.name}",
            _endpoint(row, service, gate, once, metrics),
            methods=["POST"],
            name=row.name,
            operation_id=f"command_{row.name}",
            summary=row.summary,
            description=f"{row.summary} ({row.zh}). Role: {row.required_role}.",
            response_model=Accepted,
            responses=RESPONSES,
        )
    return routes


def _endpoint(
    row: CommandRow, service: Service, gate: CodeGate, once: Once, metrics: Metrics
) -> Callable[..., Awaitable[Accepted]]:
    async def post(request: Request, body: CommandBody, key: str | None) -> Accepted:
        fields = body.model_dump(by_alias=True, exclude_none=True, mode="json")
        version = fields.pop("state_version", None)

        caller = gate.caller(request)
        if names_a_speaker(row.name) and not caller.may_name_a_seat:
            raise WebError(403, "refuse.join")
        roles = caller.roles
        role = row.required_role if row.required_role in roles else "spectator"  # whom the brain refuses

        press = press_text(request.cookies.get(COOKIE, ""), key, row.name, fields) if key else ""

        async def act() -> CommandAnswer:
            return await service.command(
                row.name, fields, role, player=caller.player, press=press, version=version
            )

        started = time.perf_counter()
        answer = await once.run(press, act)
        metrics.command_seconds.observe(time.perf_counter() - started)
        metrics.commands.labels(row.name, "accepted" if answer["ok"] else "refused").inc()
        params = dict(answer["params"])
        if answer["code"] == STALE:
            params["state_version"] = f"{service.epoch}-{answer['seq']}"
        if not answer["ok"]:
            raise CommandRefused(answer["code"] or f"refuse.{row.name}", params)
        return Accepted(code=answer.get("code"), params=params, seq=answer["seq"])

    model = row.body

    async def endpoint(request: Any, body: Any, key: Any = None) -> Accepted:
        return await post(request, body, key)

    endpoint.__annotations__ = {
        "request": Request,
        "body": Annotated[model, Body(openapi_examples={"example": {"value": row.example}})],
        "key": _key_of(row.name),
        "return": Accepted,
    }
    endpoint.__name__ = row.name
    return endpoint
