"""Who may talk to the table: Host, Origin, content type, size, headers, and the code."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from controller.decide import RULINGS
from controller.web import create_app
from controller.web.commands import COMMANDS
from controller.web.errors import WebError
from controller.web.security import CSP, HostRule
from controller.web.sessions import COOKIE, LOCK_S, TRIES, CodeGate, make_code
from tests.browser.fake_service import FakeService

CODE = "40718836"


def client_at(base: str, peer: str = "127.0.0.1", **options: str) -> TestClient:
    app = create_app(FakeService(pace=0), **options)  # type: ignore[arg-type]
    return TestClient(app, base_url=base, client=(peer, 50000))


LOCAL = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8080", 200),
        ("localhost", 200),
        ("[::1]:8080", 200),
        ("LOCALHOST:1", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("192.168.1.7:8080", 400),
        ("127.0.0.1@evil.example", 400),
        ("", 400),
    ],
)
def test_foreign_host_is_rebinding(host: str, status: int) -> None:
    answer = client_at(LOCAL).get("/api/v1/state", headers={"Host": host})
    assert answer.status_code == status
    if status == 400:
        assert answer.json()["error"]["code"] == "request.host"


def test_on_the_network_addresses_are_ours_but_names_are_not() -> None:
    rule = HostRule("0.0.0.0", ("Table6.local",))
    assert rule.accepts("192.168.1.7:8080")
    assert rule.accepts("[fe80::1]:8080")
    assert rule.accepts("table6.local")
    assert not rule.accepts("evil.example")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://127.0.0.1:8080", 200),
        ("http://127.0.0.1:9999", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("file://", 403),
    ],
)
def test_pages_of_another_origin_press_nothing(origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert client_at(LOCAL).post("/api/v1/commands/start", json={}, headers=headers).status_code == status


def test_a_browser_that_says_cross_site_is_refused_without_origin() -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert client_at(LOCAL).post("/api/v1/commands/start", json={}, headers=headers).status_code == 403


def test_forms_and_big_bodies_are_refused() -> None:
    client = client_at(LOCAL)
    form = client.post("/api/v1/commands/start", data={"a": "b"})
    assert (form.status_code, form.json()["error"]["code"]) == (415, "request.content_type")
    big = client.post("/api/v1/commands/void", json={"reason": "x" * 70_000})
    assert (big.status_code, big.json()["error"]["code"]) == (413, "request.too_large")
    pieces = client.post(
        "/api/v1/commands/void",
        content=(b'{"reason": "' + b"x" * 10_000 for _ in range(9)),
        headers={"Content-Type": "application/json"},
    )
    assert (pieces.status_code, pieces.json()["error"]["code"]) == (413, "request.too_large")


def test_every_answer_has_the_strict_headers() -> None:
    client = client_at(LOCAL)
    for path in ("/table", "/api/v1/state", "/nothing", "/tiles/5m.svg", "/static/css/base.css"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == CSP
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/v1/state", headers={"Host": "x"}).headers["content-security-policy"] == CSP
    assert "unsafe" not in CSP
    assert client.get("/docs").status_code == 404


def test_listening_beyond_loopback_needs_a_code() -> None:
    with pytest.raises(ValueError, match="needs a code"):
        create_app(FakeService(), host="0.0.0.0")


def test_on_the_network_get_is_open_and_post_needs_the_code() -> None:
    client = client_at("http://192.168.1.7:8080", peer="192.168.1.20", host="0.0.0.0", code=CODE)
    assert client.get("/api/v1/state").status_code == 200
    refused = client.post("/api/v1/commands/start", json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "request.code")
    wrong = client.post("/api/v1/session", json={"code": "00000000"})
    assert (wrong.status_code, wrong.json()["error"]["params"]) == (403, {"left": TRIES - 1})
    assert client.get("/api/v1/session").json() == {"may_post": False, "player": "", "seat": None}
    right = client.post("/api/v1/session", json={"code": CODE})
    cookie = right.headers["set-cookie"]
    assert cookie.startswith(COOKIE)
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert CODE not in cookie
    assert client.post("/api/v1/commands/start", json={}).status_code == 200


def test_who_lacks_the_role_is_passed_on_as_a_spectator(monkeypatch: pytest.MonkeyPatch) -> None:
    service = FakeService(pace=0)
    app = create_app(service, host="0.0.0.0", code=CODE)
    client = TestClient(app, base_url="http://192.168.1.7:8080", client=("192.168.1.20", 50000))
    client.post("/api/v1/session", json={"code": CODE})
    client.post("/api/v1/commands/stop", json={})
    monkeypatch.setattr("controller.web.sessions.CODE_ROLES", frozenset({"player"}))
    client.post("/api/v1/session", json={"code": CODE})  # a session keeps what it was opened with
    client.post("/api/v1/commands/stop", json={})
    assert [role for _, _, role in service.commands] == ["technician", "spectator"]


def test_nobody_rules_as_a_referee_from_another_machine_with_the_table_s_code() -> None:
    service = FakeService(pace=0)
    app = create_app(service, host="0.0.0.0", code=CODE)
    for base, peer in (("http://192.168.1.7:8080", "192.168.1.20"), ("http://127.0.0.1:8080", "127.0.0.1")):
        client = TestClient(app, base_url=base, client=(peer, 50000))
        client.post("/api/v1/session", json={"code": CODE})
        client.post("/api/v1/commands/undo_result", json={"reason": "x", "seat": "E"})
        client.post("/api/v1/commands/rule_correction", json={"accept": False})
    told = [(name, role) for name, _, role in service.commands]
    assert told == [
        ("rule_correction", "spectator"),  # who joined no seat says nothing for one
        ("undo_result", "player"),
        ("rule_correction", "referee"),
    ]


def test_every_ruling_asks_for_the_role() -> None:
    assert {row.name for row in COMMANDS if row.required_role == "referee"} == RULINGS


def test_this_machine_itself_needs_no_code_unless_through_a_proxy() -> None:
    client = client_at(LOCAL, host="0.0.0.0", code=CODE)
    assert client.post("/api/v1/commands/start", json={}).status_code == 200
    proxied = client.post("/api/v1/commands/lift", json={}, headers={"X-Forwarded-For": "192.168.1.20"})
    assert proxied.status_code == 401


def test_wrong_codes_lock_the_one_who_tries() -> None:
    now = [0.0]
    gate = CodeGate(CODE, clock=lambda: now[0])
    for _ in range(TRIES):
        with pytest.raises(WebError) as wrong:
            gate.log_in("00000000", "a")
        assert wrong.value.status == 403
    with pytest.raises(WebError) as locked:
        gate.log_in(CODE, "a")
    assert locked.value.status == 429
    assert gate.log_in(CODE, "b")
    now[0] += LOCK_S
    assert gate.log_in(CODE, "a")


def test_codes_are_eight_digits() -> None:
    assert len({make_code() for _ in range(50)}) > 40
    assert all(len(make_code()) == 8 and make_code().isdecimal() for _ in range(50))
    with pytest.raises(ValueError, match="8 digits"):
        CodeGate("1234")
