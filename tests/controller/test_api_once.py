"""Keys and versions of commands over HTTP: real ledger, brain, server, and a restart between."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.controller.api_table import ApiTable


def post(table: ApiTable, name: str, key: str = "", body: Any = None, **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    url = f"{table.origin}/api/v1/commands/{name}"
    return httpx.post(url, json={} if body is None else body, headers=headers, timeout=60, **more)


def test_a_repeat_is_told_what_was_told_first_before_and_after_a_restart(tmp_path: Path) -> None:
    with ApiTable(tmp_path) as table:
        first = post(table, "new_game", "k1").json()
        assert post(table, "new_game", "k2").json()["seq"] > first["seq"]
        assert post(table, "new_game", "k1").json() == first
    with ApiTable(tmp_path) as table:
        assert post(table, "new_game", "k1").json() == first
        other = post(table, "stop", "k1")
        assert (other.status_code, other.json()["error"]["code"]) == (409, "request.key_reused")
        theirs = post(table, "new_game", "k1", cookies={"mjt_session": "of another browser"})
        assert theirs.json()["seq"] > first["seq"]


def test_a_command_decided_on_an_old_state_is_refused_with_the_new_one(tmp_path: Path) -> None:
    with ApiTable(tmp_path) as table:
        state = httpx.get(f"{table.origin}/api/v1/state", timeout=60).json()
        seen = {"state_version": f"{state['epoch']}-{state['seq']}"}
        done = post(table, "new_game", body=seen)
        assert done.status_code == 200
        late = post(table, "new_game", body=seen)
        now = f"{state['epoch']}-{done.json()['seq']}"
        assert (late.status_code, late.json()["error"]) == (
            409,
            {"code": "refuse.stale", "params": {"state_version": now}},
        )
        other = {"state_version": f"{state['epoch'] + 1}-{done.json()['seq']}"}
        assert post(table, "new_game", body=other).json()["error"]["code"] == "refuse.stale"
        assert post(table, "new_game", body={"state_version": now}).status_code == 200
        assert post(table, "stop", body=seen).status_code == 200
        assert post(table, "stop", body={"state_version": "soon"}).status_code == 422
