"""The board's memory as a file of the twin: kept over restarts on both clocks, set aside when it is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_bridge.link import Ready
from hardware.twin.command import main
from hardware.twin.eeprom import NAME, SIZE, NoEeprom, prepare_eeprom
from tests.hardware.test_twin_process import Stepped


@pytest.mark.parametrize("size", [0, 1, SIZE - 1, SIZE + 1, 100_000])
def test_what_is_no_eeprom_is_set_aside_with_a_line_that_says_so(tmp_path: Path, size: int) -> None:
    file = tmp_path / NAME
    file.write_bytes(b"\x5a" * size)
    told = prepare_eeprom(file)
    assert told is not None
    assert len(told.splitlines()) == 1
    assert f"{size} bytes" in told
    assert "starts as new" in told
    assert not file.exists()
    assert (tmp_path / f"{NAME}.damaged").read_bytes() == b"\x5a" * size


def test_a_whole_file_and_none_are_taken_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "down" / NAME
    assert prepare_eeprom(file) is None
    assert file.parent.is_dir()
    file.write_bytes(bytes(SIZE))
    assert prepare_eeprom(file) is None
    assert file.read_bytes() == bytes(SIZE)


def test_a_newer_damaged_file_replaces_the_one_set_aside(tmp_path: Path) -> None:
    file = tmp_path / NAME
    for content in (b"first", b"second"):
        file.write_bytes(content)
        assert prepare_eeprom(file)
    assert (tmp_path / f"{NAME}.damaged").read_bytes() == b"second"


def test_a_folder_in_its_place_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(NoEeprom, match="--eeprom"):
        prepare_eeprom(tmp_path / NAME)
    (tmp_path / "note").write_text("a file, no folder")
    with pytest.raises(NoEeprom, match="no folder"):
        prepare_eeprom(tmp_path / "note" / NAME)
    assert main(["--stepped", "--socket", str(tmp_path / "s"), "--eeprom", str(tmp_path / NAME)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("twin: the EEPROM")
    assert len(told.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(NoEeprom, match="owner"):
        prepare_eeprom(tmp_path / NAME)


def boot_count(folder: Path, *words: str) -> int:
    twin = Stepped(folder, "--seed", "1", *words)
    try:
        hello = twin.wait(Ready, 3).hello
        twin.ask(op="quit")
        return int(hello.boot_count)
    finally:
        twin.close()


@pytest.mark.e2e
def test_a_stepped_board_counts_its_starts_when_asked_to(tmp_path: Path) -> None:
    file = ("--eeprom", str(tmp_path / NAME))
    assert [boot_count(tmp_path, *file) for _ in range(3)] == [1, 2, 3]
    assert boot_count(tmp_path) == 1, "without a file every board is a new one"
    assert (tmp_path / NAME).stat().st_size == SIZE
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes()[:700])
    assert boot_count(tmp_path, *file) == 1


@pytest.mark.e2e
def test_a_stepped_board_finds_what_is_wrong_in_a_whole_file_itself(tmp_path: Path) -> None:
    """Every byte inverted, then the file of a chip that was never written: it starts, as a new board does."""
    file = tmp_path / NAME
    assert [boot_count(tmp_path, "--eeprom", str(file)) for _ in range(2)] == [1, 2]
    for content in (bytes(byte ^ 0xFF for byte in file.read_bytes()), b"\xff" * SIZE, bytes(SIZE)):
        file.write_bytes(content)
        assert boot_count(tmp_path, "--eeprom", str(file)) == 1


@pytest.mark.e2e
def test_a_real_time_twin_keeps_it_in_its_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hardware.twin", "--realtime", "--folder", str(tmp_path)]
    kept: list[bytes] = []
    (tmp_path / NAME).write_bytes(b"cut short")
    for start in range(2):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        places = json.loads(process.stdout.readline())
        assert ("set aside" in places["note"] or "renamed" in places["note"]) == (start == 0)
        _let_it_start(tmp_path / NAME, kept)
        process.terminate()
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 0
        assert errors == (f"twin: {places['note']}\n" if start == 0 else "")
        kept.append((tmp_path / NAME).read_bytes())
    assert kept[0] != kept[1]


def _let_it_start(file: Path, kept: list[bytes]) -> None:
    """Wait until the board has written that it started."""
    until = time.monotonic() + 20
    while not file.exists() or (kept and file.read_bytes() == kept[-1]):
        assert time.monotonic() < until, "nothing is kept"
        time.sleep(0.05)
