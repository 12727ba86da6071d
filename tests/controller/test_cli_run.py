"""`mahjong-table run` says no in one line, before it makes anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli import COMMANDS
from controller.config import load_config
from controller.serve import check_settings
from rules.errors import RuleError


def cli(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=folder)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--camera", "/nosuch"), "no camera at '/nosuch'"),
        (("--camera", "ftp://host/x"), "http"),
        (("--camera", "http://host:port/"), "port"),
        (("--camera", "rtsp://owner:sec/ret@host/"), "'rtsp://…'"),
        (("--variant", "nope"), "no variant 'nope'"),
        (("--config", "bad.toml"), "bad.toml: prot: no such setting"),
        (("--config", "bad.toml"), "bad.toml: gpio.kind: "),
        (("--data", "bad.toml"), "--data bad.toml: must be a folder"),
        (("--data", "bad.toml/data"), "must be a folder, bad.toml is a file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_run_refuses_in_one_line_and_makes_nothing(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "bad.toml").write_text('prot = 1\n[gpio]\nkind = "usb"\n', encoding="utf-8")
    data = () if "--data" in words else ("--data", "data")
    done = cli(tmp_path, "run", "--port", "0", *words, *data)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("mahjong-table: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--speed", "0"),
        ("--twin", "--guest", "5"),
        ("--guest", "1"),
        ("--seed", "-1"),
    ],
    ids=" ".join,
)
def test_numbers_out_of_range_are_wrong_use(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = cli(tmp_path, "run", "--data", "data", *words)
    assert done.returncode == 2
    assert "Usage: " in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_trace_that_cannot_be_written_is_known_before_the_play(tmp_path: Path) -> None:
    done = cli(tmp_path, "twin", "play", "--trace", "nosuch/trace.jsonl")
    assert done.returncode == 1
    assert done.stderr == "mahjong-table: nosuch/trace.jsonl: No such file or directory\n"


def test_a_journal_in_a_file_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "text.txt").touch()
    done = cli(tmp_path, "journal", "verify", "--data", "text.txt")
    assert done.stderr == "mahjong-table: --data text.txt: must be a folder, text.txt is a file\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_no_help_offers_to_install_anything(tmp_path: Path, command: str) -> None:
    done = cli(tmp_path, command, "--help")
    assert done.returncode == 0
    assert "completion" not in done.stdout


def test_a_table_is_not_played_with_wild_tiles_that_nobody_can_name(tmp_path: Path) -> None:
    table: dict[str, Any] = {"twin": True, "variant": "lianzhong", "data": tmp_path / "data"}
    with pytest.raises(RuleError, match="which kinds are wild"):
        check_settings(load_config(options={"wilds": "on"}, **table))
    check_settings(load_config(options={"wilds": "off"}, **table))
