"""Standard streams that are closed, break, or hold numbers that JSON has not."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.jsonl import answer_line, run_jsonl
from controller.facts import Fact
from controller.journal import Journal

CLI = f"{sys.executable} -m controller.cli"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    words = ["bash", "-c", command]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_a_closed_input_is_one_line() -> None:
    done = shell(f"{CLI} case --jsonl <&-")
    assert (done.returncode, done.stderr) == (1, "mahjong-table: standard input is closed\n")


def test_a_byte_order_mark_before_the_first_line_is_left_out() -> None:
    hand = json.dumps({"hand": "[678m] 567p 23477s SS + 7s"})
    sink = io.StringIO()
    run_jsonl(lambda line: {"hand": line["hand"]}, io.StringIO(f"\ufeff{hand}\n\ufeff{hand}\n"), sink)
    first, second = (json.loads(line) for line in sink.getvalue().splitlines())
    assert first["hand"].endswith("+ 7s")
    assert "not JSON" in second["error"]["message"]


def test_a_broken_pipe_ends_quietly(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "ledger.db")
    journal.append([Fact("machine_event", {"event": "x" * 1000})] * 300)
    journal.close()
    done = shell(f'{CLI} journal export --data {tmp_path} | head -1; echo "${{PIPESTATUS[0]}}"')
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "141"


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_numbers_that_json_has_not_are_refused(number: str) -> None:
    answer = answer_line(f'{{"id":{number}}}', lambda line: line)
    assert answer["error"]["code"] == "invalid"
    json.dumps(answer, allow_nan=False)
