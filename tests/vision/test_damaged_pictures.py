"""A picture that its decoder partly made up is refused; what harms nothing is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureRefused
from vision.pictures import read_picture


def _photo(tmp_path: Path, change: Callable[[bytes], bytes]) -> Path:
    rng = np.random.default_rng(3)
    rough = cv2.resize(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8), (640, 480))
    path = tmp_path / "photo.jpg"
    path.write_bytes(change(cv2.imencode(".jpg", rough)[1].tobytes()))
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[: len(data) // 2] + b"\xff\xd9",
        lambda data: data[: len(data) // 2] + data[len(data) // 2 + 900 :],
    ],
    ids=["its end is missing", "a piece is missing"],
)
def test_a_jpeg_with_made_up_pixels_is_damaged(
    tmp_path: Path, change: Callable[[bytes], bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PictureRefused, match="damaged") as refusal:
        read_picture(_photo(tmp_path, change))
    assert refusal.value.code == "broken"
    assert capfd.readouterr().err == ""


def test_a_few_spare_bytes_before_the_end_harm_nothing(tmp_path: Path) -> None:
    whole = read_picture(_photo(tmp_path, lambda data: data)).image
    spare = read_picture(_photo(tmp_path, lambda data: data[:-2] + bytes(5) + data[-2:])).image
    np.testing.assert_array_equal(spare, whole)


def test_too_little_memory_is_not_told_as_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _photo(tmp_path, lambda data: data)

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cv2, "imdecode", full)
    with pytest.raises(PictureRefused, match="memory") as refusal:
        read_picture(path)
    assert refusal.value.code == "too_large"
