"""`vision evaluate` from end to end: photographs, made-up photographs, folds, a made-up peer."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.evaluate import peer as peer_module
from vision.evaluate import run as run_module
from vision.evaluate import timing
from vision.evaluate.bench import Bench, PartMissing
from vision.evaluate.cuts import Picture
from vision.evaluate.judges import Judges, ModelsMissing, trained_on
from vision.evaluate.peer import PEER, Peer, PeerMissing
from vision.evaluate.photos import NoPhotos, Photo, Photos
from vision.evaluate.report import report
from vision.evaluate.run import PARTS, Order, evaluate

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
QUICK = ("crops", "turned", "nothing", "rows", "scenes", "crop_sweep", "row_sweep", "time")


def made_photos(root: Path) -> Path:
    """Write a made-up set: grey tiles in one row of three and one row with a flower and a foreign tile."""
    for folder in ("tiles/1m", "scenes", "dice"):
        (root / folder).mkdir(parents=True)
    rng = np.random.default_rng(1)
    image = rng.integers(90, 160, (160, 200, 3)).astype(np.uint8)
    cv2.imwrite(str(root / "scenes" / "s04.png"), image)
    cv2.imwrite(str(root / "dice" / "d.jpg"), image)
    crops, boxes = ["file,class,set"], ["file,x,y,w,h,class,row,col"]
    for index, face in enumerate(("1m", "2m", "P", "9s", "a", "X")):
        x, y = 20 + 50 * (index % 3), 10 + 70 * (index // 3)
        boxes.append(f"s04.png,{x},{y},48.0,64.0,{face},{index // 3},{index % 3}")
        name = f"1m/{index}.png"
        cv2.imwrite(str(root / "tiles" / name), image[y : y + 64, x : x + 48])
        crops.append(f"{name},{face},s04")
    (root / "tiles" / "labels.csv").write_text("\n".join(crops))
    (root / "scenes" / "boxes.csv").write_text("\n".join(boxes))
    (root / "scenes" / "scenes.csv").write_text("file,set\ns04.png,s04\n")
    return root


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_photos(tmp_path_factory.mktemp("photos"))


FAKE_PEER = """
import json, sys
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    tiles = [{"tile": "1m", "box": [20, 20, 48, 64], "score": 0.9}]
    print(json.dumps({"tiles": tiles, "ms": 2.0} if "png" in line else {"error": "?"}), flush=True)
"""


@pytest.fixture
def fake_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a peer's environment that is there already, and a child that answers one tile to everything."""
    environment = tmp_path / "peer"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    (environment / "peer.txt").write_text(PEER)
    child = tmp_path / "child.py"
    child.write_text(FAKE_PEER)
    monkeypatch.setattr(peer_module, "CHILD", child)
    return environment


def test_every_part_on_made_up_photos_beside_a_peer(made: Path, tmp_path: Path, fake_peer: Path) -> None:
    order = Order(made, None, fake_peer, QUICK, tmp_path / "out", quick=True, threads=1)
    figures = evaluate(order)
    assert set(QUICK) <= set(figures)
    assert figures["crops"]["all34"]["n"] == 4
    assert figures["crops"]["x"]["n"] == 1
    assert figures["crops"]["peer"]["as_given"]["pooled"] == 0.25  # it says 1m to everything
    for border in ("0.0", "0.6", "1.5"):
        assert figures["rows"][border]["pictures"] == 1
        assert figures["rows"][border]["every_row"]["tiles"] == 4
    assert figures["scenes"]["tiles"] == 4
    assert figures["scenes"]["all42"]["tiles"] == 5
    assert figures["scenes"]["x"]["n"] == 1
    assert figures["scenes"]["peer"]["answered"] == 1
    assert figures["nothing"]["peer_tiles_in_dice_photos"] == 1
    assert figures["about"]["unseen"] == []
    page = report(figures, made)
    assert 'data-warning="trained"' in page
    assert json.loads(json.dumps(figures)) == figures


@pytest.mark.skipif(not DATA.is_dir(), reason="no photos beside the repository (../shared/data)")
def test_a_slice_of_the_photos_is_the_same_each_time(tmp_path: Path) -> None:
    first = evaluate(Order(DATA, None, None, ("crops", "rows"), tmp_path, quick=True, threads=1))
    second = evaluate(Order(DATA, None, None, ("crops",), tmp_path, quick=True, threads=1))
    for figures in (first, second):
        del figures["crops"]["seconds"]
    assert first["crops"] == second["crops"]
    assert first["crops"]["all42"]["n"] + first["crops"]["x"]["n"] == 60
    assert first["crops"]["all34"]["pooled"] > 0.8
    assert first["rows"]["0.6"]["every_row"]["pictures"] == 2


def test_the_photos_are_those_of_the_labels(made: Path, tmp_path: Path) -> None:
    photos = Photos(made)
    assert [crop.face for crop in photos.crops] == ["1m", "2m", "P", "9s", "a", "X"]
    assert [len(row) for row in photos.photos[0].rows()] == [3, 3]
    assert photos.sets == ("s04",)
    with pytest.raises(NoPhotos, match="labels"):
        Photos(tmp_path)
    with pytest.raises(NoPhotos):
        evaluate(Order(tmp_path, parts=("crops",), out=tmp_path / "out"))
    with pytest.raises(PartMissing, match="colours"):
        evaluate(Order(made, parts=("colours",), out=tmp_path / "out"))


def marked(source: Path, target: Path, sets: str) -> None:
    """Copy a model and write the sets it was trained on into its metadata, as the training does."""
    target.parent.mkdir(exist_ok=True)
    name, value = b"sets", sets.encode()
    entry = b"\x0a" + bytes([len(name)]) + name + b"\x12" + bytes([len(value)]) + value
    target.write_bytes(
        source.read_bytes() + b"\x72" + bytes([len(entry)]) + entry
    )  # field 14: metadata_props


@pytest.fixture(scope="module")
def folds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two folds: one saw s04 and s2, the other s2 and s3."""
    root = tmp_path_factory.mktemp("folds")
    packaged = Path(peer_module.__file__).parents[1] / "models"
    for fold, sets in (("0", "s04,s2"), ("1", "s2,s3")):
        for net in [*packaged.glob("*.onnx")]:
            if net.stem != "dice":
                marked(net, root / fold / net.name, sets)
    return root


def test_each_set_is_judged_by_models_that_never_saw_it(folds: Path, made: Path, tmp_path: Path) -> None:
    assert trained_on(folds / "0" / "name.onnx") == {"s04", "s2"}
    with Judges(folds, 1) as judges:
        assert [judges.models_for(name).name for name in ("s04", "s3", "s9")] == ["1", "0", "0"]
        assert judges.unseen(("s04", "s2", "s3", "s9")) == ("s04", "s3", "s9")
        assert judges.models_for("s2").saw("s2")
    shutil.copytree(folds / "0", tmp_path / "one")
    with Judges(tmp_path / "one", 1) as judges:
        assert judges.unseen(("s04", "s3")) == ("s3",)
    with pytest.raises(ModelsMissing):
        Judges(made, 1)
    with pytest.raises(ModelsMissing):
        Judges(tmp_path / "nowhere", 1)


def test_folds_give_figures_of_unseen_sets(folds: Path, made: Path, tmp_path: Path) -> None:
    figures = evaluate(Order(made, folds, None, ("crops",), tmp_path, quick=True, threads=1))
    assert figures["about"]["unseen"] == ["s04"]
    assert figures["about"]["judged_by"] == {"s04": "1"}
    assert "data-warning" not in report(figures, made)
    (tmp_path / "namer").mkdir()
    shutil.copy(folds / "1" / "name.onnx", tmp_path / "namer")
    marked(folds / "0" / "detect.onnx", tmp_path / "namer" / "detect.onnx", "s04")
    for part, unseen in (("crops", ["s04"]), ("scenes", [])):  # the finder learnt from s04, the namer did not
        figures = evaluate(Order(made, tmp_path / "namer", None, (part,), tmp_path, quick=True, threads=1))
        assert figures["about"]["unseen"] == unseen
    order = Order(made, folds / "0", None, ("crops",), tmp_path, quick=True, threads=1, unseen=True)
    with pytest.raises(NoPhotos, match="saw all"):
        evaluate(order)  # this fold alone learnt from s04
    order = Order(made, folds / "1", None, ("crops", "scenes"), tmp_path, quick=True, threads=1, unseen=True)
    figures = evaluate(order)
    assert figures["about"]["sets"] == ["s04"]
    assert figures["scenes"]["tiles"] == 4


def test_a_set_without_photos_is_unseen_by_its_namer_alone(folds: Path, made: Path, tmp_path: Path) -> None:
    root = tmp_path / "crops"
    shutil.copytree(made, root)
    labels = root / "tiles" / "labels.csv"
    labels.write_text(labels.read_text().replace(",1m,s04", ",1m,s3"))
    models = tmp_path / "namer"
    models.mkdir()
    marked(folds / "0" / "name.onnx", models / "name.onnx", "s2")
    marked(folds / "0" / "detect.onnx", models / "detect.onnx", "s3")
    order = Order(root, models, None, ("crops", "scenes"), tmp_path / "out", quick=True, threads=1)
    assert evaluate(order)["about"]["unseen"] == ["s04", "s3"]


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "name.onnx").write_bytes(b"no model")
    with pytest.raises(ModelsMissing, match=r"name\.onnx is no model"):
        Judges(tmp_path, 1)


def test_the_figures_say_which_file_was_judged(folds: Path, made: Path, tmp_path: Path) -> None:
    packaged = Path(peer_module.__file__).parents[1] / "models"
    for models, source in ((None, packaged), (folds / "1", folds / "1")):
        order = Order(made, models, None, ("crops",), tmp_path, quick=True, threads=1)
        figures = evaluate(order)
        (row,) = figures["about"]["models"]
        assert row["namer"] == hashlib.sha256((source / "name.onnx").read_bytes()).hexdigest()[:12]
        with Judges(models, 1) as judges:
            assert row["int8"] is judges.any.eyes.namer._net.is_int8
        assert row["namer"] in report(figures)


def test_a_peer_that_does_not_start_or_ends_is_told(fake_peer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Peer(fake_peer, 1) as peer:
        assert peer.best(np.zeros((80, 80, 3), np.uint8)) == "1m"
    child = peer_module.CHILD
    child.write_text("raise SystemExit(3)")
    with pytest.raises(PeerMissing, match="does not start"):
        Peer(fake_peer, 1)
    child.write_text("print('{\"ready\": true}', flush=True)")
    with pytest.raises(PeerMissing, match="ended"):
        Peer(fake_peer, 1)


class TestPeerChild:
    """The child's own answer, with the peer's modules made up."""

    def test_names_and_boxes_are_ours(self) -> None:
        from vision.evaluate import peer_child

        class One:
            x1, y1, x2, y2, class_id, confidence = 5, 6, 25, 36, 1, 0.75

        class Fake:
            CLASS_NAMES = ("1m", "haku")

            @staticmethod
            def predict(image: Any, padding: Any) -> list[One]:
                return [One()]

            @staticmethod
            def preprocess_image(image: Any) -> tuple[Any, None]:
                return image, None

            @staticmethod
            def open(file: Any) -> Any:
                class Picture:
                    def load(self) -> None:
                        assert file.read() == b"png"

                return Picture()

        told = peer_child.answer('{"png": "cG5n"}', Fake, Fake, Fake)
        assert told["tiles"] == [{"tile": "P", "box": [5, 6, 20, 30], "score": 0.75}]
        assert told["ms"] >= 0


def test_a_peer_that_prints_or_refuses_does_not_spoil_the_figures(
    fake_peer: Path, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer_module.CHILD.write_text(
        "import json\nprint(json.dumps({'ready': 1}), flush=True)\n"
        "while input(): print(json.dumps({'error': 'no'}), flush=True)"
    )
    figures = evaluate(Order(made, None, fake_peer, ("crops",), tmp_path / "out", quick=True, threads=1))
    assert figures["about"]["peer_refused"] > 5
    assert "The peer could not take" in report(figures)
    picture = Picture(np.zeros((60, 90, 3), np.uint8), ())
    some = [("row", Photo(made, "s04", ()), picture)] * 3
    monkeypatch.setattr(timing, "regions", lambda bench: some)
    with Judges(None, 1) as judges, Peer(fake_peer, 1) as peer:
        told = timing.time(Bench(None, judges, peer, True, 1, 1, tmp_path, print))
    assert told["median_ms"] > 0
    assert "ratio" not in told  # nothing that both answered
    peer_module.CHILD.write_text("print('loading weights', flush=True)")
    with pytest.raises(PeerMissing, match="loading weights"):
        Peer(fake_peer, 1)


NOISY_PEER = {
    "onnxruntime.py": "class SessionOptions: pass\ndef InferenceSession(*a, **k): print('a session')",
    "mahjong_detector/__init__.py": "",
    "mahjong_detector/predict.py": (
        "from types import SimpleNamespace as S\nprint('weights')\nthreadlocal, model_path = S(), 'm'\n"
        "CLASS_NAMES = ('tou',)\n"
        "def predict(*a):\n"
        " print('looks')\n return [S(x1=1, y1=2, x2=5, y2=9, class_id=0, confidence=.5)]"
    ),
    "mahjong_detector/preprocess.py": "def preprocess_image(image): return (image,)",
    "PIL/__init__.py": "",
    "PIL/Image.py": "from types import SimpleNamespace\ndef open(f): return SimpleNamespace(load=lambda: 0)",
}


def test_what_the_peer_prints_does_not_mix_with_the_childs_answers(tmp_path: Path) -> None:
    from vision.evaluate import peer_child

    for name, text in NOISY_PEER.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    ended = subprocess.run(
        [sys.executable, str(Path(peer_child.__file__)), "1"], capture_output=True, text=True, check=False,
        input='{"png": ""}\n{}\n', env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    ready, answer, refused = map(json.loads, ended.stdout.splitlines())
    assert ready == {"ready": True}
    assert answer["tiles"] == [{"tile": "E", "box": [1, 2, 4, 7], "score": 0.5}]
    assert "KeyError" in refused["error"]
    assert {"weights", "a session", "looks"} <= set(ended.stderr.splitlines())


def test_figures_are_kept_part_by_part(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trip(bench: Bench) -> dict[str, Any]:
        raise NoPhotos("something is gone")

    monkeypatch.setattr(run_module, "PARTS", {**PARTS, "rows": trip})
    kept: list[list[str]] = []
    with pytest.raises(NoPhotos, match="gone"):
        evaluate(
            Order(made, None, None, ("crops", "rows"), tmp_path, quick=True, threads=1),
            keep=lambda figures: kept.append(list(figures)),
        )
    assert kept == [["about", "crops", "missed"]]


def test_a_picture_that_is_gone_is_named(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "less"
    shutil.copytree(made, root)
    (root / "tiles" / "1m" / "3.png").unlink()
    with pytest.raises(NoPhotos, match=r"1m/3\.png: no such file"):
        evaluate(Order(root, None, None, ("crops",), tmp_path, quick=True, threads=1))


def test_all_parts_have_a_place_in_the_report() -> None:
    assert set(PARTS) == {*QUICK, "twin"}
