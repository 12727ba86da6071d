"""One browser speaks for one player: bound to the person, checked where it is decided, with no way round."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from fastapi.testclient import TestClient

from controller.errors import Refused
from controller.speaking import SPEAKERS, spoken_by
from controller.state import SeatState
from controller.web import create_app
from controller.web.commands import COMMANDS
from controller.web.invitations import INVITE_S, RENEW_S, Invitations
from controller.web.sessions import COOKIE, SESSION_S, CodeGate
from rules.seats import Seat
from tests.browser.fake_service import FakeService

TABLE = "http://127.0.0.1:8080"
PHONE = "http://192.168.1.7:8080"
CODE = "40718836"
SEATS = [SeatState(Seat(seat), side, f"p{side}") for side, seat in enumerate("ESWN", 1)]


class Room:
    """One table on the network: its own screen, and phones on other machines."""

    def __init__(self) -> None:
        self.service = FakeService(pace=0)
        self.app = create_app(self.service, host="192.168.1.7", code=CODE)
        self.screen = TestClient(self.app, base_url=TABLE, client=("127.0.0.1", 1))
        self._peers = itertools.count(20)

    def phone(self) -> TestClient:
        return TestClient(self.app, base_url=PHONE, client=(f"192.168.1.{next(self._peers)}", 1))

    def nonce(self, seat: str) -> str:
        url = self.screen.get("/api/v1/join").json()["seats"][seat]["url"]
        assert url.startswith(f"{PHONE}/join#")
        return str(url.partition("#")[2])

    def seated(self, seat: str, **more: str) -> TestClient:
        phone = self.phone()
        answer = phone.post("/api/v1/session/join", json={"nonce": self.nonce(seat), **more})
        assert answer.status_code == 200, answer.text
        return phone

    def to_confirm(self) -> None:
        """N has won; E, S and W are asked."""
        self.service.go(
            phase="CONFIRM",
            step=None,
            claim={"kind": "win", "seat": "N", "by": "discard", "from": "E", "flags": [], "sources": {}},
            confirm={"E": None, "S": None, "W": None},
        )


@pytest.fixture
def room() -> Room:
    return Room()


def say(client: TestClient, name: str, /, **body: Any) -> tuple[int, str | None]:
    answer = client.post(f"/api/v1/commands/{name}", json=body)
    told = answer.json()
    return answer.status_code, told["error"]["code"] if "error" in told else None


def test_every_command_that_names_a_seat_is_known_to_be_said_by_it_or_not() -> None:
    of_others = {"set_wall", "call_clock", "reshoot", "rule_false_win"}  # a seat that is spoken of
    named = {row.name: set(row.body.model_fields) & {"seat", "by"} for row in COMMANDS}
    assert {name for name, fields in named.items() if "seat" in fields} - of_others == set(SPEAKERS)
    for name, field in SPEAKERS.items():
        assert field in named[name], name
    for row in COMMANDS:  # an accuser is named by `by`; a claim's `by` is how it was won
        if row.name in SPEAKERS and "by" in row.body.model_fields and row.required_role == "player":
            is_accuser = row.body.model_fields["by"].annotation == row.body.model_fields["seat"].annotation
            assert (SPEAKERS[row.name] == "by") == (is_accuser or row.name in ("false_win", "irregularity"))


@pytest.mark.parametrize("command", sorted(SPEAKERS))
def test_nobody_says_anything_for_another(command: str) -> None:
    field = SPEAKERS[command]
    for own, other in itertools.product("ESWN", repeat=2):
        player = f"p{'ESWN'.index(own) + 1}"
        if own == other:
            assert spoken_by(player, command, {field: other}, SEATS) == {field: other}
            continue
        with pytest.raises(Refused) as refusal:
            spoken_by(player, command, {field: other}, SEATS)
        assert (refusal.value.code, refusal.value.params) == ("refuse.seat", {"seat": own})
    assert spoken_by("p3", command, {}, SEATS) == {field: "W"}


def test_one_phone_confirms_for_one_seat_only(room: Room) -> None:
    phone = room.seated("S")
    room.to_confirm()
    assert say(phone, "confirm", seat="E") == (409, "refuse.seat")
    assert say(phone, "confirm", seat="W") == (409, "refuse.seat")
    assert room.service.state["confirm"] == {"E": None, "S": None, "W": None}
    assert say(phone, "confirm", seat="S") == (200, None)
    assert room.service.state["confirm"] == {"E": None, "S": "yes", "W": None}


def test_the_code_of_the_table_speaks_for_no_seat(room: Room) -> None:
    phone = room.phone()
    room.to_confirm()
    assert say(phone, "confirm", seat="E") == (401, "request.code")
    phone.post("/api/v1/session", json={"code": CODE})
    assert say(phone, "confirm", seat="E") == (403, "refuse.join")
    assert say(phone, "dispute", seat="E") == (403, "refuse.join")
    assert say(phone, "stop") == (200, None)
    assert [name for name, _, _ in room.service.commands] == ["stop"]


def test_the_screen_at_the_table_speaks_for_the_side_that_is_touched(room: Room) -> None:
    room.to_confirm()
    assert [say(room.screen, "confirm", seat=seat) for seat in "ES"] == [(200, None), (200, None)]


def test_a_browser_that_joined_is_bound_on_the_table_s_own_machine_too(room: Room) -> None:
    here = TestClient(room.app, base_url=TABLE, client=("127.0.0.1", 2))
    here.post("/api/v1/session/join", json={"nonce": room.nonce("W")})
    room.to_confirm()
    assert say(here, "confirm", seat="S") == (409, "refuse.seat")
    assert say(here, "confirm", seat="W") == (200, None)
    assert here.get("/api/v1/join").status_code == 403
    assert say(here, "rule_correction", accept=True, id=1)[0] == 409
    assert room.service.commands[-1][2] == "spectator"


def test_whoever_moves_to_another_seat_speaks_for_that_one(room: Room) -> None:
    phone = room.seated("S")
    seats = room.service.state["seats"]
    seats["S"]["player"], seats["W"]["player"] = seats["W"]["player"], seats["S"]["player"]
    room.to_confirm()
    assert phone.get("/api/v1/session").json() == {"may_post": True, "player": "p2", "seat": "W"}
    assert say(phone, "confirm", seat="S") == (409, "refuse.seat")
    assert say(phone, "confirm", seat="W") == (200, None)


def test_who_was_replaced_speaks_for_nobody(room: Room) -> None:
    phone = room.seated("S")
    room.service.state["seats"]["S"]["player"] = "guest-9"
    room.to_confirm()
    assert say(phone, "confirm", seat="S") == (409, "refuse.not_seated")
    assert say(phone, "void", reason="x") == (409, "refuse.not_seated")
    assert phone.get("/api/v1/session").json()["seat"] is None


def test_a_name_is_one_s_own(room: Room) -> None:
    phone = room.seated("S", name="铁观音")
    assert room.service.state["seats"]["S"]["name"] == "铁观音"
    assert say(phone, "rename", seat="E", name="x") == (409, "refuse.seat")
    assert room.service.state["seats"]["E"]["name"] == "龙井"


def test_a_nonce_seats_one_browser_once(room: Room) -> None:
    nonce = room.nonce("S")
    first, second = room.phone(), room.phone()
    asked = second.post("/api/v1/session/invited", json={"nonce": nonce})
    assert asked.json() == {"seat": "S", "side": 2, "name": "普洱"}
    assert first.post("/api/v1/session/join", json={"nonce": nonce}).status_code == 200
    for path in ("join", "invited"):
        again = second.post(f"/api/v1/session/{path}", json={"nonce": nonce})
        assert (again.status_code, again.json()["error"]["code"]) == (403, "request.join_stale")
    assert COOKIE not in second.cookies
    assert room.nonce("S") != nonce
    never = second.post("/api/v1/session/join", json={"nonce": "A" * 22})
    assert never.json()["error"]["code"] == "request.join_stale"


def test_a_refused_name_leaves_the_invitation_open(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no(*_: Any, **__: Any) -> dict[str, Any]:
        return {"ok": False, "code": "refuse.rename", "params": {}}

    nonce, phone = room.nonce("E"), room.phone()
    with monkeypatch.context() as patched:
        patched.setattr(room.service, "command", no)
        refused = phone.post("/api/v1/session/join", json={"nonce": nonce, "name": "x"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "refuse.rename")
    assert phone.post("/api/v1/session/join", json={"nonce": nonce}).status_code == 200


def test_who_scans_anew_takes_the_seat_over(room: Room) -> None:
    old = room.seated("S")
    assert room.screen.get("/api/v1/join").json()["seats"]["S"]["joined"]
    new = room.seated("S")
    room.to_confirm()
    assert say(old, "confirm", seat="S") == (403, "refuse.join")
    assert say(new, "confirm", seat="S") == (200, None)


def test_the_codes_are_shown_on_the_table_s_own_screen_only(room: Room) -> None:
    phone = room.phone()
    for client in (phone, room.seated("E")):
        answer = client.get("/api/v1/join")
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "request.table_only")
    phone.post("/api/v1/session", json={"code": CODE})
    assert phone.get("/api/v1/join").status_code == 403
    proxied = room.screen.get("/api/v1/join", headers={"X-Forwarded-For": "192.168.1.20"})
    assert proxied.status_code == 403


def test_whoever_gets_up_speaks_for_nobody(room: Room) -> None:
    phone = room.seated("S")
    secret = phone.cookies[COOKIE]
    assert phone.post("/api/v1/session/leave", json={}).json()["may_post"] is False
    room.to_confirm()
    phone.cookies.set(COOKIE, secret)
    assert say(phone, "confirm", seat="S") == (401, "request.code")


def test_a_seat_and_the_code_are_kept_together_in_any_order(room: Room) -> None:
    coded, joined = room.phone(), room.seated("W")
    coded.post("/api/v1/session", json={"code": CODE})
    coded.post("/api/v1/session/join", json={"nonce": room.nonce("E")})
    joined.post("/api/v1/session", json={"code": CODE})
    room.to_confirm()
    for phone, seat in ((coded, "E"), (joined, "W")):
        assert say(phone, "confirm", seat="S") == (409, "refuse.seat")
        assert say(phone, "confirm", seat=seat) == (200, None)
        assert say(phone, "stop") == (200, None)
        assert room.service.commands[-1][2] == "technician"


def test_invitations_are_fresh_for_each_hand_and_short_lived() -> None:
    now = [0.0]
    state: dict[str, Any] = {
        "hand": 1,
        "seats": {seat: {"player": f"p{i}" if seat != "N" else ""} for i, seat in enumerate("ESWN", 1)},
    }
    invitations = Invitations(lambda: state, clock=lambda: now[0])
    first = invitations.nonces()
    assert set(first) == set("ESW")
    assert len(set(first.values())) == 3
    now[0] = INVITE_S - RENEW_S - 1
    assert invitations.nonces() == first
    now[0] = INVITE_S - RENEW_S + 1
    renewed = invitations.nonces()
    assert set(first.values()).isdisjoint(renewed.values())
    assert invitations.look(first["E"]).player == "p1"  # whoever scans it just now is still let in
    now[0] = INVITE_S + 1
    with pytest.raises(Exception, match="join_stale"):
        invitations.look(first["E"])
    state["hand"] = 2
    with pytest.raises(Exception, match="join_stale"):
        invitations.take(renewed["E"])
    assert set(renewed.values()).isdisjoint(invitations.nonces().values())


def test_a_session_ends_with_the_evening() -> None:
    now = [0.0]
    gate = CodeGate(CODE, clock=lambda: now[0])
    gate.join("p1")
    assert gate.joined() == {"p1"}
    now[0] = SESSION_S + 1
    assert gate.joined() == frozenset()


def test_one_phone_does_not_go_round_the_table_in_a_hand(room: Room) -> None:
    phone = room.seated("S")
    room.to_confirm()
    assert say(phone, "confirm", seat="S") == (200, None)
    other = phone.post("/api/v1/session/join", json={"nonce": (nonce := room.nonce("E"))})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "request.join_other")
    assert phone.get("/api/v1/session").json()["player"] == "p2"
    room.service.go(phase="SETTLED")
    assert phone.post("/api/v1/session/join", json={"nonce": nonce}).json()["player"] == "p1"
