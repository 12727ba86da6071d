"""`see tiles|dice|lamp` keeps its contract for every kind of file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.cli import main
from hardware.twin.renderer.samples import sample
from rules.tiles import TILES
from vision import Eyes, VisionError, calibrate, decode

NAMES = frozenset({"?", "back", *map(str, TILES)})


def see(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    """Run the command; return its exit code, JSON lines and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "see", *map(str, arguments)],
        capture_output=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return done.returncode, lines, done.stderr.decode()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A twin frame, an empty table, and things that are no pictures."""
    folder = tmp_path_factory.mktemp("see")
    made = {
        name: folder / name
        for name in ("frame.jpg", "empty.jpg", "noise.png", "one.png", "text.jpg", "zero.jpg")
    }
    for name, seed, kind in (("frame.jpg", 7_800_001, "reveal"), ("empty.jpg", 7_800_002, "empty")):
        renderer, table = sample(seed, calm=True, kind=kind)
        made[name].write_bytes(renderer.render(table.scene))
    rng = np.random.default_rng(1)
    cv2.imwrite(str(made["noise.png"]), rng.integers(0, 255, (300, 400, 3)).astype(np.uint8))
    cv2.imwrite(str(made["one.png"]), np.zeros((1, 1, 3), np.uint8))
    made["text.jpg"].write_text("no picture")
    made["zero.jpg"].write_bytes(b"")
    made["cut.jpg"] = folder / "cut.jpg"
    made["cut.jpg"].write_bytes(made["frame.jpg"].read_bytes()[:700])
    return made


DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
EVERY = 40


@pytest.mark.skipif(not DATA.is_dir(), reason="no photos beside the repository (../shared/data)")
def test_every_fortieth_photo_is_answered_in_the_contracts_form() -> None:
    photos = sorted(path for path in DATA.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))[::EVERY]
    assert photos
    code, lines, errors = see("tiles", "--json", *photos)
    assert code == 0, errors
    assert [line["file"] for line in lines] == [str(path) for path in photos]
    for line in lines:
        assert set(line) == {"file", "tiles", "ms"}
        assert type(line["ms"]) is float
        for tile in line["tiles"]:
            assert set(tile) == {"tile", "box", "angle", "score"}
            assert tile["tile"] in NAMES
            assert [type(value) for value in tile["box"]] == [int] * 4
            assert tile["box"][2] > 0
            assert tile["box"][3] > 0
            assert isinstance(tile["angle"], float | int)
            assert 0 <= tile["angle"] < 360
            assert isinstance(tile["score"], float | int)
            assert 0 <= tile["score"] <= 1


def test_tiles_have_the_contracts_form(files: dict[str, Path]) -> None:
    code, lines, _ = see(
        "tiles", "--json", files["frame.jpg"], files["empty.jpg"], files["noise.png"], files["one.png"]
    )
    assert code == 0
    assert [set(line) for line in lines] == [{"file", "tiles", "ms"}] * 4
    assert len(lines[0]["tiles"]) > 14
    height, width = decode(files["frame.jpg"].read_bytes()).shape[:2]
    for tile in lines[0]["tiles"]:
        assert set(tile) == {"tile", "box", "angle", "score"}
        x, y, w, h = tile["box"]
        assert all(isinstance(value, int) for value in tile["box"])
        assert 0 <= x < x + w <= width
        assert 0 <= y < y + h <= height
        assert 0 <= tile["angle"] < 360
        assert 0 <= tile["score"] <= 1
    assert [tile for tile in lines[1]["tiles"] if tile["tile"] != "?"] == []


def test_refused_files_get_their_line_and_the_rest_go_on(files: dict[str, Path], tmp_path: Path) -> None:
    names = [
        files["text.jpg"],
        files["zero.jpg"],
        files["cut.jpg"],
        tmp_path,
        tmp_path / "gone.png",
        files["frame.jpg"],
    ]
    for what, key in (("tiles", "tiles"), ("dice", "dice"), ("lamp", "lamp")):
        code, lines, err = see(what, "--json", *names)
        assert code == 1
        assert [line.get("error", {}).get("code") for line in lines] == [
            "not_an_image", "empty", "broken", "directory", "not_found", None
        ]  # fmt: skip
        assert [line["file"] for line in lines] == [str(name) for name in names]
        assert key in lines[-1]
        assert err.strip().splitlines() == ["mahjong-table: 5 of 6 pictures could not be read"]


def test_a_picture_of_fifty_megapixels_is_answered_in_its_own_pixels(
    files: dict[str, Path], tmp_path: Path
) -> None:
    frame = decode(files["frame.jpg"].read_bytes())
    height, width = frame.shape[:2]
    path = tmp_path / "large.jpg"
    cv2.imwrite(str(path), cv2.resize(frame, (width * 5, height * 5), interpolation=cv2.INTER_CUBIC))
    code, lines, _ = see("tiles", "--json", files["frame.jpg"], path)
    assert code == 0
    small, large = (sorted(tile["tile"] for tile in line["tiles"]) for line in lines)
    assert large == small
    middles = [
        sorted((box[0] + box[2] / 2) / scale for box in (tile["box"] for tile in line["tiles"]))
        for line, scale in zip(lines, (1, 5), strict=True)
    ]
    np.testing.assert_allclose(middles[1], middles[0], atol=3.0)


@pytest.mark.parametrize("shape", [(1, 3000), (3000, 1), (2, 2), (7, 5)])
def test_pictures_of_odd_shapes_are_answered(tmp_path: Path, shape: tuple[int, int]) -> None:
    path = tmp_path / "odd.png"
    cv2.imwrite(str(path), np.full((*shape, 3), 120, np.uint8))
    for options in ((), ("--crop",)):
        code, lines, errors = see("tiles", "--json", *options, path)
        assert (code, len(lines)) == (0, 1), errors
        assert "error" not in lines[0]


def test_a_model_that_cannot_be_loaded_is_one_line(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> None:
        raise VisionError("name.onnx is damaged: install the package again")

    monkeypatch.setattr(Eyes, "warm_up", damaged)
    monkeypatch.setattr(sys, "argv", ["mahjong-table", "see", "tiles", str(files["one.png"])])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    told = capsys.readouterr().err
    assert "name.onnx is damaged" in told
    assert "Traceback" not in told


def test_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, lines, _ = see("tiles", "--json", "/dev/zero", tmp_path / "pipe")
    assert code == 1
    assert [line["error"]["code"] for line in lines] == ["not_an_image"] * 2
    assert all("文件" in line["error"]["zh"] for line in lines)


def test_dice_and_lamp(files: dict[str, Path]) -> None:
    _, table = sample(7_800_001, calm=True, kind="reveal")
    code, lines, _ = see("dice", "--json", files["frame.jpg"])
    assert code == 0
    assert sorted(die["pips"] for die in lines[0]["dice"]) == sorted(die.pips for die in table.scene.dice)
    code, lines, _ = see("lamp", "--json", files["frame.jpg"], files["noise.png"])
    assert code == 0
    assert lines[0]["lamp"]["side"] == (table.scene.lamp_side or None)
    assert lines[1]["lamp"] == {"side": None, "score": 0.0}


def test_crop_names_one_tile_and_threshold_zero_always_answers(files: dict[str, Path]) -> None:
    code, lines, _ = see(
        "tiles", "--json", "--crop", "--threshold", "0", files["noise.png"], files["one.png"]
    )
    assert code == 0
    for line in lines:
        assert set(line) == {"file", "tile", "score", "ms"}
        assert line["tile"] != "?"


def test_a_calibration_file_is_used_and_refused(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(calibrate(decode(files["frame.jpg"].read_bytes())).to_json())
    code, lines, _ = see("tiles", "--json", "--calibration", path, files["frame.jpg"], files["noise.png"])
    assert code == 1
    assert len(lines[0]["tiles"]) > 14
    assert lines[1]["error"]["code"] == "wrong_size"
    path.write_text("{}")
    code, lines, err = see("tiles", "--json", "--calibration", path, files["frame.jpg"])
    assert (code, lines) == (1, [])
    assert err.startswith(f"mahjong-table: calibration {path}: not a calibration")
    assert "give a file written by vision calibrate --out" in err
    gone = tmp_path / "gone.json"
    _, _, err = see("tiles", "--json", "--calibration", gone, files["frame.jpg"])
    assert err == f"mahjong-table: calibration {gone}: No such file or directory\n"


def test_text_for_people(files: dict[str, Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "see", "lamp", str(files["empty.jpg"])],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert "lamp" in done.stdout
    assert not done.stdout.startswith("{")


def test_a_lamp_without_a_table_is_not_called_dark(files: dict[str, Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "see", "lamp", str(files["noise.png"])],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert "the table is not found: vision calibrate tells why" in done.stdout
    assert "no lamp" not in done.stdout
