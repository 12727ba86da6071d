"""Both runtimes give the same numbers for every model, and a missing one is no reason for no eyes."""

from __future__ import annotations

import importlib
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.twin.renderer.samples import sample
from vision import Eyes, VisionError, nets
from vision.detect import Detector
from vision.eyes import TILE_THRESHOLD
from vision.namer import crop_size
from vision.nets import Net, planes_of
from vision.onnx_facts import facts_of
from vision.tiles import CLASSES

FILES = [file.name for file in (files("vision") / "models").iterdir() if file.name.endswith(".onnx")]
ORIGINALS = sorted(name.removesuffix(".onnx") for name in FILES if not name.endswith(".int8.onnx"))


@pytest.fixture(scope="module")
def frame() -> np.ndarray[Any, np.dtype[np.uint8]]:
    renderer, table = sample(7_800_001, calm=True, kind="reveal")
    return np.asarray(
        cv2.imdecode(np.frombuffer(renderer.render(table.scene), np.uint8), cv2.IMREAD_COLOR), np.uint8
    )


def pictures(
    name: str, frame: np.ndarray[Any, np.dtype[np.uint8]]
) -> list[np.ndarray[Any, np.dtype[np.uint8]]]:
    """Windows of a frame as the net takes them; the namer gets one crop and many, the others two sizes."""
    if name.startswith("name"):
        width, height = crop_size(Net(name).metadata)
        windows = [
            frame[y : y + 2 * height, x : x + 2 * width]
            for y in range(200, 560, 90)
            for x in range(300, 900, 150)
        ]
        crops = np.stack([cv2.resize(window, (width, height)) for window in windows])
        return [crops[:1], crops]
    return [frame[300:428, 200:456][None], frame[100:196, 300:700][None]]


def chances_of(answers: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the namer's chances of the classes by its answers (n, classes + 1)."""
    powers = np.exp(answers[:, : len(CLASSES)] - answers[:, : len(CLASSES)].max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("name", ORIGINALS)
def test_both_runtimes_agree(name: str, frame: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
    first, second = Net(name, 1, int8=False), Net(name, 1, backend="opencv")
    assert (first.backend, second.backend) == ("onnxruntime", "opencv")
    assert first.outputs == second.outputs
    for images in pictures(name, frame):
        ours, theirs = first.run_all(images), second.run_all(images)
        assert list(ours) == list(theirs) == list(first.outputs)
        for output in first.outputs:
            assert ours[output].shape == theirs[output].shape
            assert ours[output].shape[0] == len(images)
            np.testing.assert_allclose(ours[output], theirs[output], rtol=1e-3, atol=1e-3)
        np.testing.assert_array_equal(first.run(images), ours[first.outputs[0]])
        usual = Net(name, 1)
        if usual.is_int8:  # windows between tiles are the doubtful ones: another model's copy is off by 1
            again, before = (chances_of(answer) for answer in (usual.run(images), ours[first.outputs[0]]))
            assert np.abs(again - before).max() < 0.3
        else:
            np.testing.assert_allclose(usual.run(images), ours[first.outputs[0]], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ORIGINALS)
def test_what_a_model_says_about_itself_is_read_without_a_runtime(name: str) -> None:
    content = (files("vision") / "models" / f"{name}.onnx").read_bytes()
    session = importlib.import_module("onnxruntime").InferenceSession(
        content, providers=["CPUExecutionProvider"]
    )
    facts = facts_of(content)
    assert facts.metadata == session.get_modelmeta().custom_metadata_map
    assert facts.outputs == tuple(output.name for output in session.get_outputs())
    with pytest.raises(ValueError, match=r"cut off|no outputs|unknown"):
        facts_of(content[: len(content) // 2])


def test_metadata_is_read() -> None:
    output = _field(12, _field(1, b"answer")) + _field(12, _field(1, b"features"))
    model = b"\x08\x07" + _field(7, output) + _note("crop", "64x48") + _field(14, _field(1, b"sets"))
    facts = facts_of(model)
    assert facts.outputs == ("answer", "features")
    assert facts.metadata == {"crop": "64x48", "sets": ""}


def test_the_input_is_rgb_from_zero_to_one() -> None:
    image = np.zeros((2, 3, 4, 3), np.uint8)
    image[0, 1, 2] = (255, 51, 102)
    planes = planes_of(image)
    assert planes.shape == (2, 3, 3, 4)
    assert planes.dtype == np.float32
    np.testing.assert_allclose(planes[0, :, 1, 2], (0.4, 0.2, 1.0), atol=1e-6)
    assert planes.sum() == pytest.approx(1.6)


@pytest.fixture
def no_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(name: str, original: Callable[[str], Any] = importlib.import_module) -> Any:
        if name == "onnxruntime":
            raise ImportError("no wheel for this machine")
        return original(name)

    monkeypatch.setattr(nets.importlib, "import_module", refuse)
    nets._onnxruntime.cache_clear()
    yield
    nets._onnxruntime.cache_clear()


@pytest.mark.usefixtures("no_onnxruntime")
def test_without_onnxruntime_opencv_runs_the_nets_and_it_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        loaded = [Net("dice", 1), Net("find", 1)]
    assert [net.backend for net in loaded] == ["opencv", "opencv"]
    assert [record.getMessage() for record in caplog.records if record.name == "vision.nets"] == [
        "onnxruntime cannot be used (no wheel for this machine): the nets run in OpenCV, which takes longer"
    ]
    assert loaded[0].run(np.zeros((1, 64, 64, 3), np.uint8)).shape == (1, 9, 16, 16)


def test_a_folder_of_models(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"dice\.onnx is missing from .*" + tmp_path.name):
        Net("dice", models=tmp_path)
    (tmp_path / "dice.onnx").write_bytes(b"not a model")
    for backend in ("onnxruntime", "opencv"):
        with pytest.raises(VisionError, match=r"dice\.onnx cannot be used"):
            Net("dice", models=tmp_path, backend=backend)
    content = (files("vision") / "models" / "dice.onnx").read_bytes()
    (tmp_path / "dice.onnx").write_bytes(content)
    assert Net("dice", models=tmp_path).digest == Net("dice").digest


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({}, "stride: None"),
        ({"stride": "4"}, "tile_px: None"),
        ({"stride": "four", "tile_px": "40"}, "stride: 'four'"),
        ({"stride": "0", "tile_px": "40"}, "stride: '0'"),
        ({"stride": "4", "tile_px": "nan"}, "tile_px: 'nan'"),
    ],
)
def test_a_finder_that_does_not_tell_its_scale_is_refused(
    tmp_path: Path, told: dict[str, str], problem: str
) -> None:
    """Another model in its place: no traceback for the technician."""
    content = (files("vision") / "models" / "dice.onnx").read_bytes()
    (tmp_path / "detect.onnx").write_bytes(content + b"".join(_note(*item) for item in told.items()))
    with pytest.raises(VisionError, match=rf"detect\.onnx tells no {problem}"):
        Detector(1, models=tmp_path)


def test_a_namer_that_tells_no_threshold_has_the_usual_one(tmp_path: Path) -> None:
    content = (files("vision") / "models" / "dice.onnx").read_bytes()  # tells nothing
    for note, wanted in ((b"", TILE_THRESHOLD), (_note("threshold", "0.75"), 0.75)):
        (tmp_path / "name.onnx").write_bytes(content + note)
        assert Eyes(models=tmp_path, threads=1).tile_threshold == wanted
    (tmp_path / "name.onnx").write_bytes(content + _note("threshold", "high"))
    with pytest.raises(VisionError, match="tells no threshold: 'high'"):
        _ = Eyes(models=tmp_path, threads=1).tile_threshold


def _note(key: str, value: str) -> bytes:
    """Metadata to be appended to a model."""
    return _field(14, _field(1, key.encode()) + _field(2, value.encode()))


def _field(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | 2, len(value)]) + value


def test_an_int8_copy_is_run_if_it_is_one_of_this_model(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Metadata can be appended to a model: the fields of a protobuf message may come in any order."""
    original, other = (
        (files("vision") / "models" / f"{name}.onnx").read_bytes() for name in ("dice", "find")
    )
    (tmp_path / "dice.onnx").write_bytes(original)
    digest = Net("dice", models=tmp_path).digest
    assert not Net("dice", models=tmp_path).is_int8
    copy = tmp_path / "dice.int8.onnx"
    copy.write_bytes(other + _note("of", digest))
    image = np.zeros((1, 64, 64, 3), np.uint8)
    net = Net("dice", models=tmp_path)
    assert (net.is_int8, net.digest) == (True, digest)
    assert net.run(image).shape == (1, 7, 16, 16)  # it is the copy's answer
    assert not Net("dice", models=tmp_path, backend="opencv").is_int8
    copy.write_bytes(other + _note("of", "0" * 64))
    with caplog.at_level(logging.WARNING):
        assert not Net("dice", models=tmp_path).is_int8
    assert "dice.int8.onnx is the copy of another model" in caplog.text


def test_reading_a_crop_loads_no_more_than_it_needs() -> None:
    """`see tiles --crop` starts a process for each call: the finder and the dice net stay unread."""
    code = (
        "from vision import Eyes, nets\nimport numpy as np\nloaded = []\nkeep = nets._content\n"
        "nets._content = lambda name, models: loaded.append(name) or keep(name, models)\n"
        "eyes = Eyes(threads=1)\neyes.warm_up(('faces',))\neyes.name_crop(np.zeros((64, 48, 3), np.uint8))\n"
        "print(loaded)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['name']"
