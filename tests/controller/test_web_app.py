"""The web application over the scripted table: views, commands, refusals, and an honest description."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

from controller.decide.table import COMMANDS as BRAIN_COMMANDS
from controller.facts import Record
from controller.projections import history_view
from controller.views import HistoryView, MachineView, StateView
from controller.views_sheet import ReportView, SheetView, StatisticsView
from controller.web import create_app
from controller.web.commands import COMMANDS
from controller.web.examples import HISTORY, MACHINE, STATE
from controller.web.examples_sheet import REPORT, SHEET, STATISTICS
from controller.web.security import CSP
from rules.variants import get_variant
from tests.browser.fake_service import FakeService

BASE = "http://127.0.0.1:8080"


@pytest.fixture
def service() -> FakeService:
    return FakeService(pace=0)


@pytest.fixture
def client(service: FakeService) -> TestClient:
    return TestClient(create_app(service), base_url=BASE, raise_server_exceptions=False)


def post(client: TestClient, name: str, body: Any = None, **headers: str) -> Any:
    return client.post(f"/api/v1/commands/{name}", json={} if body is None else body, headers=headers)


def test_views_are_what_the_service_says(client: TestClient, service: FakeService) -> None:
    assert client.get("/api/v1/state").json() == service.view("state")
    assert client.get("/api/v1/history").json() == service.view("history")
    assert client.get("/api/v1/machine").json() == service.view("machine")
    for name in ("sheet", "statistics", "report"):
        assert client.get(f"/api/v1/{name}").json() == service.view(name)


def test_commands_reach_the_service_with_body_and_role(client: TestClient, service: FakeService) -> None:
    answer = post(client, "start")
    assert answer.status_code == 200
    assert answer.json() == {"ok": True, "code": None, "params": {}, "seq": service.seq}
    service.state["phase"] = "PLAYING"
    assert post(client, "claim", {"seat": "N", "by": "discard", "from": "E"}).status_code == 200
    assert post(client, "stop").status_code == 200
    assert service.commands == [
        ("start", {}, "player"),
        ("claim", {"seat": "N", "by": "discard", "from": "E", "flags": []}, "player"),
        ("stop", {}, "technician"),
    ]


def test_refusal_is_409_with_code_and_params(client: TestClient) -> None:
    answer = post(client, "confirm", {"seat": "E"})
    assert answer.status_code == 409
    assert answer.json() == {"error": {"code": "refuse.confirm", "params": {"phase": "IDLE", "step": None}}}


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("set_dice", {"pips": [1, 7]}, "pips.1"),
        ("set_dice", {"pips": [1]}, "pips"),
        ("set_dice", {"pips": [True, 1]}, "pips.0"),
        ("confirm", {"seat": "X"}, "seat"),
        ("confirm", {}, "seat"),
        ("start", {"more": 1}, "more"),
        ("correct_tile", {"index": 1, "tile": "1z"}, "tile"),
        ("void", {"reason": ""}, "reason"),
        ("claim", {"seat": "E", "by": "theft"}, "by"),
        ("set_dice", {"pips": [3, 4.5]}, "pips.1"),
    ],
)
def test_senseless_bodies_go_no_further(
    client: TestClient, service: FakeService, name: str, body: Any, field: str
) -> None:
    answer = post(client, name, body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["params"]["field"]) == ("request.invalid", field)
    assert service.commands == []


def test_same_key_acts_once(client: TestClient, service: FakeService) -> None:
    first = post(client, "start", **{"Idempotency-Key": "k1"})
    again = post(client, "start", **{"Idempotency-Key": "k1"})
    assert first.json() == again.json()
    assert len(service.commands) == 1
    reused = post(client, "lift", **{"Idempotency-Key": "k1"})
    assert reused.json()["error"]["code"] == "request.key_reused"
    assert post(client, "confirm", {"seat": "E"}, **{"Idempotency-Key": "k2"}).status_code == 409
    assert post(client, "confirm", {"seat": "E"}, **{"Idempotency-Key": "k2"}).status_code == 409
    assert len(service.commands) == 2


def test_evidence_by_hash_only(client: TestClient, service: FakeService) -> None:
    service.photos["a" * 64] = b"jpeg"
    answer = client.get(f"/api/v1/evidence/{'a' * 64}.jpg")
    assert (answer.content, answer.headers["content-type"]) == (b"jpeg", "image/jpeg")
    assert client.get(f"/api/v1/evidence/{'b' * 64}.jpg").json()["error"]["code"] == "request.not_found"
    assert client.get("/api/v1/evidence/..%2Fx.jpg").status_code in (404, 422)


def test_pages_tiles_and_files(client: TestClient) -> None:
    for page in ("table", "board", "machine"):
        answer = client.get(f"/{page}")
        assert answer.status_code == 200
        assert "style=" not in answer.text
        assert "<script>" not in answer.text
        assert "//" not in answer.text.replace("http://www.w3.org", "").split("<body")[1].replace("<!--", "")
    tile = client.get("/tiles/E.svg")
    assert tile.headers["content-type"] == "image/svg+xml"
    assert tile.headers["cache-control"] == "public, max-age=86400"
    assert tile.content != client.get("/tiles/e.svg").content
    assert client.get("/tiles/5m.svg", headers={"If-None-Match": tile.headers["etag"]}).status_code == 200
    assert client.get("/tiles/E.svg", headers={"If-None-Match": tile.headers["etag"]}).status_code == 304
    assert client.get("/tiles/9z.svg").status_code == 404
    assert client.get("/static/js/store.js").headers["cache-control"] == "no-cache"
    assert client.get("/").url.path == "/table"


def test_health_and_figures(client: TestClient) -> None:
    assert client.get("/healthz").json()["ok"] is True
    post(client, "start")
    post(client, "lift")
    text = client.get("/metrics").text
    assert 'mjt_commands_total{name="start",outcome="accepted"} 1.0' in text
    assert 'mjt_commands_total{name="lift",outcome="refused"} 1.0' in text
    assert "mjt_browsers 0.0" in text
    counters = client.get("/api/v1/machine").json()["counters"]
    assert {"board_overruns", "board_duplicates", "link_crc_errors", "link_cobs_errors"} <= set(counters)
    assert {"link_retries", "link_rtt_ms"} <= set(counters)
    for name, value in counters.items():
        assert f"\nmjt_{name}{'' if name.endswith('_ms') else '_total'} {float(value)}\n" in text


def test_parts_come_from_the_wiring_table(client: TestClient) -> None:
    devices = client.get("/api/v1/devices").json()["devices"]
    assert {"sensors", "keys", "actuators", "lamps"} <= set(devices)
    assert {"id", "kind", "side", "zh", "en"} == set(devices["sensors"][0])


def test_every_command_of_the_brain_has_a_route_with_a_true_example(client: TestClient) -> None:
    beside_the_brain = {"rename"}  # names are no business of the ledger: the service keeps them
    assert {row.name for row in COMMANDS} == set(BRAIN_COMMANDS) | beside_the_brain
    description = client.get("/api/v1/openapi.json").json()
    for row in COMMANDS:
        row.body.model_validate(row.example)
        operation = description["paths"][f"/api/v1/commands/{row.name}"]["post"]
        examples = operation["requestBody"]["content"]["application/json"]["examples"]
        assert examples["example"]["value"] == row.example
        assert {"200", "401", "403", "409", "413", "415", "422"} <= set(operation["responses"])
        for status in ("409", "422"):
            reference = operation["responses"][status]["content"]["application/json"]["schema"]["$ref"]
            assert reference.endswith("/ErrorAnswer")


def test_examples_and_the_scripted_table_have_the_shape_of_the_views(service: FakeService) -> None:
    for shape, values in (
        (StateView, [STATE, service.view("state")]),
        (HistoryView, [HISTORY, service.view("history")]),
        (MachineView, [MACHINE, service.view("machine")]),
        (SheetView, [SHEET, service.view("sheet")]),
        (StatisticsView, [STATISTICS, service.view("statistics")]),
        (ReportView, [REPORT, service.view("report")]),
    ):
        keys = set(shape.__annotations__)
        for value in values:
            TypeAdapter(shape).validate_python(json.loads(json.dumps(value)), strict=True)
            assert set(value) == keys


def test_the_example_of_a_win_is_what_the_rules_say() -> None:
    last = HISTORY["hands"][0]
    deltas, around = (
        last["deltas"],
        {"dealer": "S", "round_wind": "S", "flags": [], "flowers": last["flowers"]},
    )
    elements = [[row[name] for name in ("key", "zh", "en", "value")] for row in last["elements"]]
    body = {
        **{
            key: last[key]
            for key in ("hand", "kind", "seat", "by", "from", "hand_text", "laid", "total", "evidence")
        },
        "elements": elements,
        "deltas": deltas,
        "around": around,
    }
    game = {"table": "t", "variant": "mcr", "options": {}, "unit": 1, "tiles": 144}
    rows = [Record(1, "game_started", game, "0" * 64), Record(2, "settled", body, last["head"] + "0" * 56)]
    assert history_view(rows)["hands"] == [last]
    assert STATE["table"]["circumstances"] == list(get_variant("mcr").circumstances)


def test_a_bug_in_the_service_is_an_answer_without_details(
    client: TestClient, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_name: str) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr(service, "view", broken)
    answer = client.get("/api/v1/state")
    assert answer.status_code == 500
    assert answer.json() == {"error": {"code": "request.failed", "params": {}}}
    assert answer.headers["content-security-policy"] == CSP


def test_a_method_that_a_path_has_not_is_told_with_those_that_it_has(client: TestClient) -> None:
    for path, allowed in (
        ("/api/v1/session", "GET, POST"),
        ("/api/v1/state", "GET"),
        ("/api/v1/commands/lift", "POST"),
    ):
        for method in ("DELETE", "PUT", "TRACE", "OPTIONS"):
            answer = client.request(method, path)
            assert (answer.status_code, answer.headers["allow"]) == (405, allowed), (method, path)
            assert answer.json()["error"]["code"] == "request.method"


def test_a_post_to_what_is_only_shown_is_no_method_whatever_its_type(client: TestClient) -> None:
    assert client.post("/api/v1/state", content="x").status_code == 405
    assert client.post("/api/v1/commands/stop", content="x").status_code == 415


def test_an_integer_of_json_may_have_a_zero_behind_the_point(
    client: TestClient, service: FakeService
) -> None:
    post(client, "set_dice", {"pips": [3, 4.0]})
    assert service.commands == [("set_dice", {"pips": [3, 4]}, "player")]


def test_all_that_changes_something_is_a_post_whose_type_is_checked(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    assert {method for path in paths.values() for method in path} == {"get", "post"}
