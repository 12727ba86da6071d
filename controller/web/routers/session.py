"""Browser sessions: the 8-digit code of the table, and a seat joined by its QR code, against a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from controller.web.errors import POSTED, CommandRefused, WebError, refuses
from controller.web.invitations import Invitations, own_address, qr_path
from controller.web.service import Service
from controller.web.sessions import COOKIE, SESSION_S, CodeGate

Nonce = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,64}$", examples=["q3Jv0mYw2bq5Zx7nT1cR8g"])]


class Code(BaseModel):
    """The code that the service printed at start."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(pattern=r"^[0-9]{8}$", examples=["40718836"])]


class Join(BaseModel):
    """What was scanned at a seat, and what the guest wants to be called; no name = as before."""

    model_config = ConfigDict(extra="forbid")

    nonce: Nonce
    name: Annotated[str | None, Field(min_length=1, max_length=24, examples=["龙井"])] = None


class Asked(BaseModel):
    """What was scanned at a seat."""

    model_config = ConfigDict(extra="forbid")

    nonce: Nonce


class Nothing(BaseModel):
    """No fields."""

    model_config = ConfigDict(extra="forbid")


class SessionView(BaseModel):
    """Whether this browser may act, for which player it speaks ("" = none), and his seat (null = none)."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"may_post": True, "player": "p2", "seat": "S"}]}
    )

    may_post: bool
    player: str = ""
    seat: str | None = None


class InvitedView(BaseModel):
    """Where an invitation seats, and how the player there is called now."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"seat": "S", "side": 2, "name": "普洱"}]})

    seat: str
    side: int
    name: str


class SeatInvitation(BaseModel):
    """The code of one seat: an address, and its QR code as `size` modules a side and an SVG path.

    `joined`: a browser speaks for this seat already; who scans anew takes its place.
    """

    url: str
    size: int
    path: str
    joined: bool


class InvitationsView(BaseModel):
    """The codes for the screen at the table, by seat; `is_local`: no phone can reach this service."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "is_local": False,
                    "seats": {
                        "E": {
                            "url": "http://192.168.1.7:8080/join#q3Jv0mYw2bq5Zx7nT1cR8g",
                            "size": 33,
                            "path": "M0 0h7v1h-7z",
                            "joined": False,
                        }
                    },
                }
            ]
        }
    )

    is_local: bool
    seats: dict[str, SeatInvitation]


def router(gate: CodeGate, service: Service, host: str) -> APIRouter:
    """Return the routes; `host` is the address listened on."""
    routes = APIRouter(prefix="/api/v1", tags=["session"])
    invitations = Invitations(lambda: service.view("state"))

    def view(player: str) -> SessionView:
        return SessionView(may_post=True, player=player, seat=invitations.seat_of(player))

    def give(request: Request, response: Response, secret: str) -> None:
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE,
            secret,
            httponly=True,
            samesite="strict",
            secure=secure,
            path="/",
            max_age=round(SESSION_S),
        )

    @routes.get("/session")
    async def get_session(request: Request, response: Response) -> SessionView:
        """Say whether a POST from here would be heard, and for whom it would speak."""
        response.headers["Cache-Control"] = "no-store"
        caller = gate.caller(request)
        return view(caller.player) if caller.roles else SessionView(may_post=False)

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
        player = gate.caller(request).player
        if not gate.is_open:
            peer = request.client.host if request.client else ""
            give(request, response, gate.log_in(body.code, peer, request.cookies.get(COOKIE, "")))
        return view(player)

    @routes.get(
        "/join",
        responses=refuses(403, "Only the table's own screen shows them."),
    )
    async def get_join(request: Request, response: Response) -> InvitationsView:
        """Give the screen at the table the codes by which phones join its seats."""
        if not gate.caller(request).is_table:
            raise WebError(403, "request.table_only")
        response.headers["Cache-Control"] = "no-store"
        joined, state, port = gate.joined(), service.view("state"), request.url.port
        base = f"http://{own_address(host)}{f':{port}' if port else ''}/join#"
        seats = {}
        for seat, nonce in invitations.nonces().items():
            size, path = qr_path(base + nonce)
            taken = state["seats"][seat]["player"] in joined
            seats[seat] = SeatInvitation(url=base + nonce, size=size, path=path, joined=taken)
        return InvitationsView(is_local=gate.is_open, seats=seats)

    @routes.post(
        "/session/invited",
        responses={
            **POSTED,
            **refuses(403, "Used, too old, or never given out."),
        },
    )
    async def post_invited(body: Asked, response: Response) -> InvitedView:
        """Say where an invitation seats, without using it up."""
        response.headers["Cache-Control"] = "no-store"
        seat = invitations.seat_of(invitations.look(body.nonce).player) or ""
        place = service.view("state")["seats"][seat]
        return InvitedView(seat=seat, side=place["side"], name=place["name"])

    @routes.post(
        "/session/join",
        responses={
            **POSTED,
            **refuses(403, "Used, too old, or never given out."),
            **refuses(409, "Understood and refused; the code says why."),
        },
    )
    async def post_join(body: Join, request: Request, response: Response) -> SessionView:
        """Sit down: from now on this browser speaks for the player of the seat whose code was scanned."""
        player = invitations.look(body.nonce).player
        invitations.check_move(gate.caller(request).player, player)
        if body.name is not None:
            fields = {"seat": invitations.seat_of(player), "name": body.name}
            answer = await service.command("rename", fields, "player", player=player)
            if not answer["ok"]:
                raise CommandRefused(answer["code"] or "refuse.rename", dict(answer["params"]))
        invitations.take(body.nonce)  # after the name: a refused one leaves the invitation open
        give(request, response, gate.join(player, request.cookies.get(COOKIE, "")))
        return view(player)

    @routes.post(
        "/session/leave",
        responses=POSTED,
    )
    async def post_leave(body: Nothing, request: Request, response: Response) -> SessionView:
        """Get up: this browser speaks for nobody any more and needs the code again."""
        gate.leave(request.cookies.get(COOKIE, ""))
        response.delete_cookie(COOKIE, path="/")
        return SessionView(may_post=False)

    return routes
