"""docs/ledger.md and docs/ledger.zh.md: what a sceptical player is told to type does what the page says."""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.controller.ledgers import RECORDED, exported, put_back

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("ledger.md", "ledger.zh.md")
SETTLED_ROW = 33


def commands(page: str) -> list[list[str]]:
    """Return the commands of a page: its indented lines, and `mahjong-table ...` within a sentence."""
    text = (DOCS / page).read_text("utf-8")
    lines = re.findall(r"^    (mahjong-table .*)$|`(mahjong-table [^`]*)`", text, re.MULTILINE)
    return [shlex.split(one or other)[1:] for one, other in lines]


def programme(page: str) -> str:
    """Return the programme of a page."""
    found = re.search(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    put_back(RECORDED, tmp_path / "mahjong-table" / "ledger.db")
    return tmp_path


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_STATE_HOME": str(home)}
    return subprocess.run(
        [sys.executable, *words], cwd=home, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page(page: str, home: Path) -> None:
    seal = exported(RECORDED)[SETTLED_ROW - 1]["hash"][:8]
    words = commands(page)
    assert ["journal", "verify", "--head", seal] in words
    assert ["journal", "replay", "--to", str(SETTLED_ROW)] in words
    assert len(words) == 7
    for each in words:
        each = [word.replace("/media/stick", str(home)) for word in each]
        done = run(home, "-m", "controller.cli", *each)
        assert (done.returncode, done.stderr) == (0, ""), each
    assert len((home / "rows.jsonl").read_text("utf-8").splitlines()) == SETTLED_ROW + 1
    assert seal in (home / "sheet.csv").read_text("utf-8-sig")


def test_both_pages_say_the_same() -> None:
    told, said = commands(PAGES[0]), commands(PAGES[1])
    assert [[word for word in each if word not in ("--lang", "en")] for each in told] == said
    assert programme(PAGES[0]) == programme(PAGES[1])


def test_the_programme_of_the_page_needs_nothing_of_ours(home: Path) -> None:
    seal = exported(RECORDED)[SETTLED_ROW - 1]["hash"][:8]
    (home / "check.py").write_text(programme(PAGES[0]), "utf-8")
    ledger = str(home / "mahjong-table" / "ledger.db")
    words = ("-I", "check.py", ledger)
    assert run(home, *words, seal).stdout.endswith("your seal is there\n")
    assert run(home, *words, "00000000").stdout.endswith("YOUR SEAL IS GONE\n")
    with sqlite3.connect(ledger) as db:
        db.execute("DROP TRIGGER journal_no_update")
        db.execute("UPDATE journal SET body = CAST(replace(body, ':99', ':98') AS BLOB) WHERE seq = 33")
    done = run(home, *words, seal)
    assert (done.returncode, done.stderr) == (1, "row 33 is not what was sealed\n")
