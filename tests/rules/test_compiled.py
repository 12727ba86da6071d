"""The compiled path: answers as in pure Python, a wheel that works alone, and a pure wheel otherwise."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from tests import compiled

MISSING = hatch_build.lacking()
needs_compiler = pytest.mark.skipif(MISSING is not None, reason=f"nothing is compiled: {MISSING}")
one_build = pytest.mark.xdist_group("compiled")
a_build_long = pytest.mark.timeout(900)  # the C compiler takes half a minute here, minutes on a busy board


def answers(folder: Path) -> tuple[list[str], list[str]]:
    """Return the extension modules and the answers of the `rules` in this folder."""
    command = [sys.executable, "-P", "-m", "tests.rules.compiled_answers"]
    done = subprocess.run(
        command, cwd=compiled.ROOT, env=compiled.environment(folder), capture_output=True, check=True
    )
    modules, *lines = done.stdout.decode().splitlines()
    return json.loads(modules), lines


@needs_compiler
@one_build
@a_build_long
def test_compiled_answers_equal_pure_python() -> None:
    modules, fast = answers(compiled.built())
    none, pure = answers(compiled.ROOT)
    assert none == []
    assert modules == sorted(compiled.modules())
    assert len(pure) > 2000
    assert [pair for pair in zip(fast, pure, strict=True) if pair[0] != pair[1]][:3] == []


@needs_compiler
@one_build
@a_build_long
def test_compiled_wheel_scores_in_an_empty_venv(tmp_path: Path) -> None:
    compiled.built()
    venv.create(tmp_path, with_pip=False)
    python = tmp_path / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check", f"--python={python}")
    subprocess.run([*pip, "install", "--no-deps", str(compiled.wheel())], check=True, cwd=tmp_path)
    code = (
        "from rules import evaluate; from rules.records import answer_record; from rules.variants import *\n"
        "record = {'hand': '[678m,1] 567p 23477s SS + 7s', 'seat_wind': 'S', 'round_wind': 'W'}\n"
        "print(evaluate.__file__, answer_record(get_variant('mcr'), record)['total'])"
    )
    done = subprocess.run([str(python), "-I", "-c", code], cwd=tmp_path, capture_output=True, check=True)
    file, total = done.stdout.decode().split()
    assert Path(file).is_relative_to(tmp_path)
    assert file.endswith(hatch_build.SUFFIX)
    assert total == "8"


# ---- when it is not compiled ----


def build_data(root: Path, version: str = "standard", sources: list[str] | None = None) -> dict[str, Any]:
    """Return what the hook makes of a build, `pure_python` and `force_include` as they were if it is pure."""
    hook = hatch_build.CompiledRules(
        str(root), {"compiled": sources or compiled.sources()}, None, None, "", "wheel"
    )
    data: dict[str, Any] = {"force_include": {}, "pure_python": True, "infer_tag": False}
    hook.initialize(version, data)
    hook.finalize(version, data, "")
    return data


PURE = {"force_include": {}, "pure_python": True, "infer_tag": False}


@pytest.mark.parametrize(("asked", "version"), [("", "standard"), ("0", "standard"), ("1", "editable")])
def test_pure_unless_asked_for_and_always_where_sources_are_edited(
    asked: str, version: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(hatch_build.VARIABLE, asked)
    assert build_data(compiled.ROOT, version) == PURE
    assert capfd.readouterr() == ("", "")


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    return "there is no C compiler no-such-compiler (Debian: apt-get install gcc)"


def no_headers(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: "/nowhere")
    return "Python.h is missing (Debian: apt-get install python3-dev)"


def no_mypyc(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    return "mypyc is not installed (pip install mypy)"


@needs_compiler
@pytest.mark.parametrize("lacks", [no_compiler, no_headers, no_mypyc])
def test_what_lacks_is_told_in_one_line(
    lacks: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(hatch_build.VARIABLE, "1")
    why = lacks(monkeypatch)
    assert build_data(compiled.ROOT) == PURE
    assert capfd.readouterr() == ("", f"mahjong-table: rules stay pure Python: {why}\n")


BAD = [
    ("wrong type", "def f() -> int:\n    return 'x'\n", "rules/bad.py:2: error: Incompatible return value"),
    ("does not load", "raise ValueError('not here')\n", "ValueError: not here"),
]


@needs_compiler
@pytest.mark.parametrize(("says", "source", "why"), BAD)
def test_what_cannot_be_compiled_or_does_not_load_stays_pure(
    says: str,
    source: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(hatch_build.VARIABLE, "1")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").write_text("")
    (tmp_path / "rules" / "bad.py").write_text(source)
    assert build_data(tmp_path, sources=["rules/bad.py"]) == PURE, says
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"mahjong-table: rules stay pure Python: {why}"), told.err
    assert told.err.count("\n") == 1
