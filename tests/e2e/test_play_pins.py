"""`twin play --pins`: one hand as pins, bytes and tiles; the same seed gives the same files, and the walls in
them are those of the twin's own record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.live_table import cli
from tests.hardware.vcd_reader import read_vcd

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("twin-play")]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_hand_is_the_same_bytes_again_and_its_walls_are_the_truth(tmp_path: Path) -> None:
    files: list[tuple[bytes, bytes]] = []
    for name in ("once", "again"):
        folder = tmp_path / name
        words = (
            "--hands",
            "1",
            "--seed",
            "3",
            "--pins",
            str(folder / "pins"),
            "--keep",
            str(folder / "kept"),
        )
        done = cli("twin", "play", *words)
        assert done.returncode == 0, done.stderr
        pins = folder / "pins"
        files.append(((pins / "board.vcd").read_bytes(), (pins / "plant.jsonl").read_bytes()))
    assert files[0] == files[1], "to the last time stamp"

    traced = rows_of(tmp_path / "once" / "pins" / "plant.jsonl")
    truth = rows_of(tmp_path / "once" / "kept" / "truth.jsonl")
    (walls,) = (row["sides"] for row in traced if row["kind"] == "walls")
    (wall,) = (row["tiles"] for row in truth if row["kind"] == "wall")
    told = {
        side: [stack[layer]["face"] for stack in walls[side] for layer in ("upper", "lower")]
        for side in walls
    }
    assert told == wall
    throws = [row["pips"] for row in traced if row["kind"] == "throw"]
    assert throws == [row["pips"] for row in truth if row["kind"] == "throw"]

    vcd = read_vcd(files[0][0].decode("ascii"))
    lit = [
        side for side in "1234" if any(value == "1" for _, value in vcd.changes["outputs", f"lamp_{side}"])
    ]
    assert {int(side) for side in lit} >= {row["side"] for row in truth if row["kind"] == "lamp"}
