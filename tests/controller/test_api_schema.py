"""schemathesis over the real service: no 5xx, nothing undescribed; docs/api.md does what it says."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.controller.api_table import EVENTS, ApiTable, headers_of, look, rows_at

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("api.md", "api.zh.md")
EXAMPLES = 1
QUICK = "examples,fuzzing"


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("way", "who"),
    [(None, "here"), ("to_confirm", "code"), ("to_playing", "stranger")],
    ids=["idle, this machine", "a result waits, another machine with the code", "a hand, a stranger"],
)
def test_every_answer_is_described_and_none_is_a_failure(tmp_path: Path, way: str | None, who: str) -> None:
    with ApiTable(tmp_path, rows_at(way)) as table:
        report = look(table, examples=EXAMPLES, seed=1, phases=QUICK, headers=headers_of(table, who))
    assert report.ok, report.text
    assert report.cases >= 100, report.text


def test_an_answer_that_is_not_described_is_found(tmp_path: Path) -> None:
    def hide(document: dict[str, Any]) -> None:
        del document["paths"]["/api/v1/commands/confirm"]["post"]["responses"]["409"]

    with ApiTable(tmp_path, changed=hide) as table:
        only = ["--include-path", "/api/v1/commands/confirm"]
        report = look(table, examples=EXAMPLES, seed=1, phases=QUICK, more=only)
    assert not report.ok
    assert "Undocumented status code" in report.text


def test_events_never_end_and_begin_as_described(tmp_path: Path) -> None:
    with ApiTable(tmp_path) as table, httpx.Client(timeout=60) as client:
        described = client.get(f"{table.origin}/api/v1/openapi.json").json()["paths"][EVENTS]["get"][
            "responses"
        ]
        for last in (None, "1-0", "nonsense"):
            headers = {} if last is None else {"Last-Event-ID": last}
            with client.stream("GET", table.origin + EVENTS, headers=headers) as answer:
                assert answer.status_code == 200
                kind = answer.headers["content-type"].partition(";")[0]
                assert kind in described["200"]["content"]
                lines = answer.iter_lines()
                assert next(line for line in lines if line.startswith("event:")) == "event: state"
        refused = client.get(table.origin + EVENTS, headers={"Last-Event-ID": "x" * 81})
        assert str(refused.status_code) in described
        assert refused.json()["error"]["code"] == "request.invalid"


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_the_page_do_what_it_says(tmp_path: Path, page: str) -> None:
    lines = re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    with ApiTable(tmp_path) as table:
        told = [
            subprocess.run(
                ["bash", "-c", line.replace("http://127.0.0.1:8080", table.origin)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for line in lines
        ]
    state, done, late = map(json.loads, told)
    assert state["phase"] == "IDLE"
    assert (done["ok"], done["seq"] > state["seq"]) == (True, True)
    assert late["error"]["code"] == "refuse.stale"


def test_both_pages_show_the_same_examples() -> None:
    one, other = (
        re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL) for page in PAGES
    )
    assert one == other
