"""The evaluation's hands on the twin's table: its own command renders them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from vision.evaluate import frames, twin
from vision.evaluate.bench import Bench
from vision.evaluate.frames import labelled
from vision.evaluate.judges import Judges, Looked
from vision.evaluate.matching import Found
from vision.evaluate.peer import Peer
from vision.evaluate.report import report
from vision.evaluate.run import Order, evaluate


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


def test_hands_are_rendered_once_and_judged(out: Path) -> None:
    order = Order(None, out=out, quick=True, threads=1)
    figures = evaluate(order)
    assert [*figures] == ["about", "twin", "missed"]
    told = figures["twin"]
    assert told["hands"] == twin.QUICK_HANDS
    assert told["hands_exact"] + told["frames_without_marks"] <= told["hands"]
    (folder,) = out.glob("twin-*")
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    assert len(rows) == twin.QUICK_HANDS
    for row in rows:
        assert row["hand"] is not None
        assert 90 - twin.TILT_DEG <= row["look"]["elevation_deg"] <= 90
        assert abs(row["look"]["yaw_deg"]) <= twin.TILT_DEG
    (folder / "labels.jsonl").write_text(json.dumps(rows[0]) + "\n")  # rendered anew it would be two
    assert evaluate(order)["twin"]["hands"] == 1
    assert "1080p" in report(figures)


def test_frames_of_another_renderer_are_not_used_again(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = cast(Bench, SimpleNamespace(seed=1, keep=out, say=print))
    assert twin.frames(bench, twin.QUICK_HANDS).name.endswith(twin.drawn_by())
    monkeypatch.setattr(twin, "drawn_by", lambda: "another")
    monkeypatch.setattr(twin, "RENDERER", "hardware.twin.renderer.no_such")
    with pytest.raises(twin.NoFrames, match="no_such"):
        twin.frames(bench, twin.QUICK_HANDS)


def test_what_draws_the_frames_is_there() -> None:
    hardware = Path(twin.__file__).parents[2] / "hardware"
    for pattern in twin.DRAWN_BY:
        assert list(hardware.glob(pattern)), pattern


def test_a_folder_without_frames_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "Eyes", lambda *words: SimpleNamespace(warm_up=lambda: None))
    for content in (None, "{", '{"file": "gone.jpg"}'):
        if content is not None:
            (tmp_path / "labels.jsonl").write_text(content)
        with pytest.raises(SystemExit) as ended:
            frames.main([str(tmp_path), "--threads", "1"])
        assert ended.value.code == 1
        assert str(tmp_path) in capsys.readouterr().err


class Knowing:
    """A peer that tells what lies in one hand, whatever it is shown."""

    def __init__(self, faces: list[str]) -> None:
        self.found = tuple(Found(face, (0, 0, 9, 9)) for face in faces)

    def look(self, image: np.ndarray) -> Looked:
        assert image.shape[0] < image.shape[1]  # the hand's zone, lying
        return Looked(self.found, 1.0)


def test_the_peer_is_asked_for_the_faces_of_the_hand_alone(out: Path) -> None:
    folder = twin.frames(cast(Bench, SimpleNamespace(seed=1, keep=out, say=print)), twin.QUICK_HANDS)
    (row, *_) = labelled(folder)
    faces = [tile["face"] for tile in row["tiles"] if tile["zone"] == row["side"] and tile["face"] != "back"]
    assert len(faces) >= 10
    with Judges(None, 1) as judges:
        bench = cast(Bench, SimpleNamespace(judges=judges))
        for named, exact in ((faces, 1), (faces[1:], 0)):
            told = twin.against_peer(bench, cast(Peer, Knowing(named)), folder)
            assert told["hands_exact"] == exact


def test_a_renderer_that_fails_is_told(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twin, "RENDERER", "hardware.twin.renderer.no_such")
    with pytest.raises(twin.NoFrames, match="no_such"):
        evaluate(Order(None, out=out / "other", quick=True, threads=1))
