"""`mahjong-table journal` as a person runs it."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.evidence import EvidenceStore
from controller.facts import Fact
from controller.journal import Journal
from controller.players import Players
from tests.controller.ledgers import RECORDED, hand_facts, put_back, start_facts


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "journal", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    journal = Journal(tmp_path / "ledger.db")
    for n in range(4):
        journal.append([Fact("machine_event", {"event": "test", "n": n})])
    journal.close()
    return tmp_path


def head(data: Path) -> str:
    return str(json.loads(run("verify", "--json", "--data", str(data)).stdout)["head"])


def test_a_whole_ledger(data: Path) -> None:
    done = run("verify", "--data", str(data))
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 rows" in done.stdout
    assert head(data)[:8] in done.stdout
    assert run("verify", "--head", head(data)[:8], "--data", str(data)).returncode == 0
    shown = f"{head(data)[:4]}\u00a0{head(data)[4:8]}".upper()
    assert run("verify", "--head", shown, "--data", str(data)).returncode == 0, "as a page shows it"


def test_a_seal_that_is_not_part_of_it(data: Path) -> None:
    done = run("verify", "--head", "00000000", "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.startswith("mahjong-table: ")
    assert "cut or rewritten" in done.stderr


def test_a_cut_tail_is_found_by_the_seal(data: Path) -> None:
    seal = head(data)[:8]
    with sqlite3.connect(data / "ledger.db") as db:
        db.execute("DROP TRIGGER journal_no_delete")
        db.execute("DELETE FROM journal WHERE seq = 4")
    assert run("verify", "--data", str(data)).returncode == 0
    assert run("verify", "--head", seal, "--data", str(data)).returncode == 1


def test_a_changed_row_is_named(data: Path) -> None:
    with sqlite3.connect(data / "ledger.db") as db:
        db.execute("DROP TRIGGER journal_no_update")
        db.execute("UPDATE journal SET body = ? WHERE seq = 2", (b'{"event":"test","n":7}',))
    done = run("verify", "--json", "--data", str(data))
    assert done.returncode == 1
    assert "row 2 was changed" in done.stderr
    assert json.loads(done.stdout)["seq"] == 2


def test_replay_and_export(data: Path) -> None:
    state = json.loads(run("replay", "--json", "--data", str(data)).stdout)
    assert (state["seq"], state["head"], state["phase"]) == (4, head(data), "IDLE")
    rows = [json.loads(line) for line in run("export", "--data", str(data)).stdout.splitlines()]
    assert [row["body"]["n"] for row in rows] == [0, 1, 2, 3]
    assert [row["prev_hash"] for row in rows[1:]] == [row["hash"] for row in rows[:-1]]
    done = run("export", "--out", str(data / "rows.jsonl"), "--data", str(data))
    assert done.returncode == 0
    assert len((data / "rows.jsonl").read_text().splitlines()) == 4


def test_no_ledger_and_no_seal(tmp_path: Path) -> None:
    done = run("verify", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "no ledger" in done.stderr
    assert run("verify", "--head", "xyz").returncode == 2


def test_replay_to_any_row(data: Path) -> None:
    put_back(RECORDED, data / "played" / "ledger.db")
    words = ["--data", str(data / "played"), "--json"]
    told = [json.loads(run("replay", "--to", str(row), *words).stdout) for row in (2, 32, 33)]
    assert [(state["seq"], state["hand"]) for state in told] == [(2, 1), (32, 1), (33, 1)]
    assert told[1]["scores"] == {"E": 0, "S": 0, "W": 0, "N": 0}
    assert told[2]["scores"] == {"E": -33, "S": -33, "W": -33, "N": 99}
    beyond = run("replay", "--to", "35", *words)
    assert (beyond.returncode, beyond.stderr) == (
        1,
        f"mahjong-table: {data / 'played' / 'ledger.db'}: there is no row 35, the last one is 34\n",
    )
    assert run("replay", "--to", "0", *words).returncode == 2


def test_the_score_sheet_is_a_file_that_a_spreadsheet_opens(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "ledger.db")
    for _ in range(2):
        journal.append(start_facts())
        for hand in (1, 2):
            journal.append(list(hand_facts(hand)))
    journal.close()
    players = Players(tmp_path / "players.db")
    players.rename("p1", "=HYPERLINK(1)")
    players.rename("p4", "普洱, 老")
    players.close()
    done = run("export", "--csv", "--out", str(tmp_path / "sheet.csv"), "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'sheet.csv'}: 4 hands\n")
    content = (tmp_path / "sheet.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf"), "a spreadsheet knows UTF-8 by this mark"
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert rows[0][:3] == ["第1局", "table-1", "国标麻将"]
    assert rows[1][:8] == ["盘", "时间(UTC)", "圈风", "庄家", "结果", "和牌", "付牌", "番分"]
    assert rows[1][8:12] == ["'=HYPERLINK(1)", "p2", "p3", "普洱, 老"], "no name becomes a formula"
    assert rows[2][0] == "1"
    assert rows[2][2:8] == ["东", "'=HYPERLINK(1)", "自摸", "普洱, 老", "", "25"]
    assert rows[2][8:16] == ["-33", "-33", "-33", "99"] * 2
    assert rows[3][8:16] == ["-33", "-33", "-33", "99", "-66", "-66", "-66", "198"]
    assert rows[4][0] == "合计"
    assert rows[4][8:12] == ["-66", "-66", "-66", "198"]
    assert rows[5] == []
    assert rows[6][0] == "第2局"
    seals = {
        row["hash"][:8] for row in map(json.loads, run("export", "--data", str(tmp_path)).stdout.splitlines())
    }
    assert {rows[2][16], rows[3][16], rows[8][16]} <= seals
    english = run("export", "--csv", "--lang", "en", "--data", str(tmp_path)).stdout.splitlines()
    assert english[1].startswith("Hand,Time (UTC),Wind,Dealer,Result,Winner,Discarder,Fan,")
    assert "Self-draw" in english[2]
    assert run("export", "--csv", "--lang", "fr", "--data", str(tmp_path)).returncode == 2


def test_a_second_service_is_refused_in_one_line(data: Path) -> None:
    journal = Journal(data / "ledger.db")
    words = ["run", "--port", "0", "--data", str(data)]
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    journal.close()
    assert done.returncode == 1
    assert done.stderr == f"mahjong-table: {data / 'ledger.db'}: another service writes this ledger\n"


def test_a_name_and_a_photo_are_forgotten_and_every_seal_stays_right(data: Path) -> None:
    players = Players(data / "players.db")
    players.rename("p1", "龙井")
    players.close()
    store = EvidenceStore(data / "evidence")
    photo = store.put(b"a hand")
    words = ["--data", str(data)]
    done = run("forget", "--player", "p1", "--photo", photo, *words)
    assert (done.returncode, done.stdout) == (0, f"the name of p1 is erased\nphoto {photo[:8]} is erased\n")
    assert store.get(photo) is None
    assert "龙井".encode() not in (data / "players.db").read_bytes()
    assert run("verify", *words).returncode == 0
    for again in (["--player", "p1"], ["--photo", photo]):
        assert run("forget", *again, *words).returncode == 1
    assert run("forget", *words).returncode == 2
