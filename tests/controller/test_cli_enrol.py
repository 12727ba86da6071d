"""`mahjong-table vision enrol`: what it prints and refuses; the learning itself is tested in tests/vision."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.twin.renderer.samples import sample
from vision import Eyes, calibrate, decode
from vision.enrol import ORDINARY, ROWS


def enrol(*arguments: str | Path, data: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "vision", "enrol", *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, "XDG_STATE_HOME": str(data)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of each face, cut out of frames of the twin, named as the guide says."""
    eyes, made = Eyes(threads=1), tmp_path_factory.mktemp("tiles")
    missing = set(ORDINARY)
    for seed in range(7_810_000, 7_810_012):
        renderer, table = sample(seed, calm=True, kind="reveal")
        image = decode(renderer.render(table.scene))
        cuts = eyes.crops(image, eyes.places(image, calibrate(image)))
        for vote, crop in zip(eyes.namer.name(cuts), cuts, strict=True):
            face, chance = vote.best(1)[0]
            if face in missing and chance > 0.97 and not vote.is_upside_down:
                missing.discard(face)
                cv2.imwrite(str(made / f"{face}-1.png"), crop)
        if not missing:
            break
    (made / "notes.txt").write_text("not named by a tile")
    return made


def test_a_folder_is_learnt_told_and_forgotten(folder: Path, tmp_path: Path) -> None:
    code, out, err = enrol(folder, "--json", data=tmp_path)
    assert code == 0, err
    told = json.loads(out)
    assert told["faces"] == list(ORDINARY)
    assert (told["fits_model"], told["keeps_pictures"]) == (True, False)
    assert Path(told["file"]) == tmp_path / "mahjong-table" / "own_tiles.npz"
    code, out, _ = enrol("--show", data=tmp_path)
    assert code == 0
    assert "可用 / in use" in out
    assert enrol("--remove", "--lang", "zh", data=tmp_path)[:2] == (0, "已删除本店牌样\n")
    assert enrol("--show", "--lang", "en", data=tmp_path)[:2] == (0, "nothing is enrolled\n")


def layout(folder: Path, rows: Sequence[Sequence[str]], tile: tuple[int, int] = (60, 80)) -> np.ndarray:
    """A photo of tiles laid in rows on felt, made of the pictures of the folder."""
    width, height = tile
    felt = np.full((len(rows) * (height + 30) + 60, 9 * (width + 3) + 60, 3), (60, 95, 40), np.uint8)
    rng = np.random.default_rng(1)
    felt = np.clip(felt + rng.normal(0, 4, felt.shape), 0, 255).astype(np.uint8)
    for row, faces in enumerate(rows):
        for column, face in enumerate(faces):
            picture = cv2.imread(str(folder / f"{face}-1.png"))
            rim = round(0.045 * picture.shape[0]), round(0.045 * picture.shape[1])
            inner = picture[rim[0] : -rim[0], rim[1] : -rim[1]]
            y, x = 30 + row * (height + 30), 30 + column * (width + 3)
            felt[y : y + height, x : x + width] = cv2.resize(inner, tile, interpolation=cv2.INTER_AREA)
    return felt


def test_a_photo_of_the_laid_out_tiles_is_learnt(folder: Path, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), layout(folder, ROWS))
    code, out, err = enrol(photo, "--json", data=tmp_path)
    assert code == 0, err
    assert json.loads(out)["faces"] == list(ORDINARY)
    cv2.imwrite(str(photo), layout(folder, [ROWS[1], ROWS[0], *ROWS[2:]]))
    code, out, _ = enrol(photo, "--json", data=tmp_path)
    assert code == 1
    assert json.loads(out)["error"]["code"] == "order"
    cv2.imwrite(str(photo), layout(folder, [ROWS[0], ROWS[1][:8], *ROWS[2:]]))
    code, _, err = enrol(photo, "--lang", "en", data=tmp_path)
    assert code == 1
    assert "rows of 9, 8, 9, 7 tiles are seen" in err
    assert "row 2 is 1p 2p 3p 4p 5p 6p 7p 8p 9p" in err


def test_a_missing_face_is_named(folder: Path, tmp_path: Path) -> None:
    some = tmp_path / "some"
    some.mkdir()
    for path in folder.glob("*.png"):
        if not path.name.startswith("3s"):
            (some / path.name).write_bytes(path.read_bytes())
    code, out, err = enrol(some, "--json", data=tmp_path)
    assert code == 1
    assert json.loads(out)["error"]["code"] == "missing"
    assert err == "mahjong-table: 缺 3s：34 种牌都要有 / no picture of 3s: all 34 faces are needed\n"
    assert not (tmp_path / "mahjong-table").exists()


def test_a_photo_without_tiles_and_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "felt.jpg"
    cv2.imwrite(str(path), np.full((300, 400, 3), (60, 95, 40), np.uint8))
    code, _, err = enrol(path, "--lang", "en", data=tmp_path)
    assert code == 1
    assert err.startswith("mahjong-table: rows of ")
    gone = tmp_path / "gone.jpg"
    code, _, err = enrol(gone, "--lang", "zh", data=tmp_path)
    assert (code, err) == (1, f"mahjong-table: {gone}：没有这个文件：检查文件名和文件夹\n")


def test_chinese_names_do_and_what_other_programs_left_is_passed_over(folder: Path, tmp_path: Path) -> None:
    named = tmp_path / "named"
    named.mkdir()
    zh = {
        "1m": "一万",
        "2m": "2万",
        "5p": "五筒",
        "9s": "九索",
        "E": "东",
        "C": "红中",
        "F": "发财",
        "P": "白板",
    }
    for path in folder.glob("*.png"):
        face = path.name.removesuffix("-1.png")
        (named / f"{zh.get(face, face)}-1.png").write_bytes(path.read_bytes())
    (named / "1m").mkdir()
    (named / "1m" / "._2.jpg").write_bytes(b"\0\5\x16\7")  # what another computer keeps beside a file
    code, out, err = enrol(named, "--json", data=tmp_path)
    assert code == 0, err
    assert json.loads(out)["faces"] == list(ORDINARY)


def test_a_refusal_names_the_picture_and_what_was_learnt_stays(folder: Path, tmp_path: Path) -> None:
    assert enrol(folder, data=tmp_path)[0] == 0
    kept = tmp_path / "mahjong-table" / "own_tiles.npz"
    before = kept.read_bytes()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "3s.jpg").write_bytes(b"no picture")
    code, out, err = enrol(broken, "--json", data=tmp_path)
    assert code == 1
    assert json.loads(out)["error"]["code"] == "not_an_image"
    assert f"{broken / '3s.jpg'}: no picture" in err
    (broken / "3s.jpg").rename(broken / "tile.jpg")
    code, _, err = enrol(broken, "--lang", "en", data=tmp_path)
    assert code == 1
    assert "is named by a tile: name them 1m.jpg" in err
    assert kept.read_bytes() == before


def test_a_folder_stands_alone(folder: Path, tmp_path: Path) -> None:
    code, _, err = enrol(folder, tmp_path, data=tmp_path)
    assert code == 2
    assert "one folder of named pictures" in err
    assert not (tmp_path / "mahjong-table").exists()


def test_the_guide_and_wrong_use(tmp_path: Path) -> None:
    code, out, _ = enrol("--lang", "en", data=tmp_path)
    assert code == 0
    assert "characters 1 to 9" in out
    assert enrol("--show", "--remove", data=tmp_path)[0] == 2
