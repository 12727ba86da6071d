"""`mahjong-table vision evaluate` keeps its contract: files, text, JSON and exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.cli import vision_evaluate
from controller.cli.errors import CliError
from controller.cli.vision import app
from tests.vision.test_evaluate import made_photos
from vision.evaluate import run
from vision.evaluate.bench import Bench
from vision.evaluate.photos import NoPhotos


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_photos(tmp_path_factory.mktemp("photos"))


def test_figures_and_page_are_written_and_told(made: Path, tmp_path: Path) -> None:
    words = ["evaluate", "--data", str(made), "--out", str(tmp_path / "out"), "--only", "crops", "--quick"]
    told = CliRunner().invoke(app, [*words, "--threads", "1"])
    assert told.exit_code == 0, told.output
    assert "not a measure of unseen sets" in told.stdout
    assert "Crops, 34 faces" in told.stdout
    figures = json.loads((tmp_path / "out" / "figures.json").read_text())
    assert figures["crops"]["all34"]["n"] == 4
    assert "<!doctype html>" in (tmp_path / "out" / "report.html").read_text()
    printed = CliRunner().invoke(app, [*words, "--threads", "1", "--json"])
    assert json.loads(printed.stdout)["crops"]["all34"] == figures["crops"]["all34"]
    checked = CliRunner().invoke(app, [*words, "--threads", "1", "--check"])
    assert isinstance(checked.exception, CliError)  # grey squares are no tiles
    assert "Crops, 34 faces" in str(checked.exception)


def test_what_cannot_be_done_is_told(made: Path, tmp_path: Path) -> None:
    at = ["evaluate", "--out", str(tmp_path / "out")]
    nothing = CliRunner().invoke(app, [*at, "--data", str(tmp_path), "--only", "crops"])
    assert isinstance(nothing.exception, CliError)
    assert "labels.csv" in str(nothing.exception)
    wrong = CliRunner().invoke(app, [*at, "--data", str(made), "--only", "crops,colours"])
    assert wrong.exit_code == 2
    assert "colours" in wrong.output
    models = CliRunner().invoke(app, [*at, "--data", str(made), "--models", str(tmp_path / "none")])
    assert isinstance(models.exception, CliError)
    assert CliRunner().invoke(app, ["evaluate", "--hands", "0"]).exit_code == 2


def test_a_part_that_fails_costs_only_itself(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trip(bench: Bench) -> dict[str, Any]:
        raise NoPhotos("the disk is gone")

    monkeypatch.setattr(run, "PARTS", {**run.PARTS, "rows": trip})
    words = ["evaluate", "--data", str(made), "--out", str(tmp_path), "--only", "crops,rows", "--quick"]
    ended = CliRunner().invoke(app, [*words, "--threads", "1"])
    assert isinstance(ended.exception, CliError)
    assert str(ended.exception) == f"the disk is gone (what was measured before is in {tmp_path}: crops)"
    assert json.loads((tmp_path / "figures.json").read_text())["crops"]["all34"]["n"] == 4
    assert (tmp_path / "report.html").is_file()
    assert not list(tmp_path.glob("*.new"))


def test_a_quick_look_says_so_and_missing_photographs_too(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = CliRunner().invoke(
        app, ["evaluate", "--data", str(made), "--out", str(tmp_path), "--only", "nothing", "--quick"]
    )
    assert "a quick look" in told.stdout
    monkeypatch.setattr(run, "DEFAULT_DATA", tmp_path / "nowhere")
    monkeypatch.setattr(run, "PARTS", {"twin": lambda bench: {"wrong": []}})
    told = CliRunner().invoke(app, ["evaluate", "--out", str(tmp_path)])
    assert "only the twin's table is judged; --data" in told.stderr


def test_the_help_names_every_part() -> None:
    from vision.evaluate.run import PARTS

    for part in PARTS:
        assert part in vision_evaluate.PARTS_TEXT
