"""What is the same for all campaigns: the command line, what a person who waits sees, what each must have."""

from __future__ import annotations

import importlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardware.campaigns import CAMPAIGNS, progress
from hardware.campaigns.__main__ import main
from hardware.campaigns.progress import Progress

HERE = Path(__file__).resolve().parent
MAKEFILE = (HERE.parents[1] / "Makefile").read_text("utf-8")
# words behind the campaign's name, what the one line must say
WRONG_USES = (
    (("--n", "0"), "'0' is no whole number from 1 up"),
    (("--n", "many"), "'many' is no whole number from 1 up"),
    (("--seed", "-1"), "'-1' is no whole number from 0 up"),
    (("--seed", "1.5"), "'1.5' is no whole number from 0 up"),
    (("--sabotage", "luck"), "has no sabotage 'luck'; it has "),
    (("--often",), "unrecognized arguments: --often"),
)


def sabotages(name: str) -> list[str]:
    return list(importlib.import_module(f"hardware.campaigns.{name}").SABOTAGES)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_has_a_target_a_slice_and_sabotages_that_are_tried(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"twin campaign {name} $(ARGS)" in MAKEFILE
    tests = (HERE / f"test_{name}.py").read_text("utf-8")
    for sabotage in sabotages(name):
        assert f'"{sabotage}"' in tests or f"{name}.SABOTAGES" in tests or f"{name}.RULES" in tests
    assert main([name, "--sabotage", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == sabotages(name)


@pytest.mark.parametrize(("words", "says"), WRONG_USES, ids=[" ".join(row[0]) for row in WRONG_USES])
def test_wrong_use_is_one_line_and_2(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["link", *words])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert says in told.err
    assert told.err.startswith("mahjong-table: ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("words", [("luck",), ("link", "--sabotage", "luck"), ("link", "--n", "x")])
def test_the_command_of_the_table_says_the_same(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "controller.cli", "twin", "campaign", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "link" in done.stderr or "whole number" in done.stderr


@pytest.mark.parametrize("missed", [[], ["points: 1", "late: 2"]])
def test_json_is_all_there_is_on_stdout(
    missed: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: dict[str, Any] = {"points": 3, "words": "中", "missed": missed}
    monkeypatch.setattr("hardware.campaigns.reset.run", lambda n, seed, sabotage: {**figures, "n": n})
    assert main(["reset", "--json"]) == bool(missed)
    told = capsys.readouterr()
    assert json.loads(told.out) == {**figures, "n": CAMPAIGNS["reset"].n}
    assert told.err == ("mahjong-table: points: 1; late: 2\n" if missed else "")


def test_an_interrupted_campaign_says_so_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(n: int, seed: int, sabotage: str | None) -> dict[str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr("hardware.campaigns.builds.run", interrupted)
    assert main(["builds"]) == 130
    assert capsys.readouterr().err == "mahjong-table: campaign builds was interrupted, it has no figures\n"


class Terminal(io.StringIO):
    """Standard error of somebody who watches."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_only_a_person_is_told_how_far_it_is(
    stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now_s)
    monkeypatch.setattr(sys, "stderr", stream())
    with Progress(200, "builds") as line:
        for second in range(1, 11):
            now_s = float(second)
            line.add()
        told = sys.stderr.getvalue()  # type: ignore[attr-defined]
    if stream is io.StringIO:
        assert told == ""
        return
    assert told.split("\r\x1b[K")[1:3] == ["0 of 200 builds", "1 of 200 builds"]
    assert told.endswith("10 of 200 builds, 3 min left")
    assert sys.stderr.getvalue().endswith("\r\x1b[K")  # type: ignore[attr-defined]
