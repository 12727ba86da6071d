"""The printed sheet is exact, its marks are found again, and its board measures a lens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from controller.cli import app
from controller.cli.errors import CliError
from tests.vision.cloth import FOCAL, SIZE, bent_maps, picture
from vision.calibration import Calibration
from vision.lens import Lens
from vision.lens_board import COLUMNS, ROWS, LensNotMeasured, find_board, measure_lens
from vision.marks import find_marks
from vision.sheet import PAPERS_MM, marks_pdf
from vision.table import geometry

PX_PER_MM = 6.0
MM = 25.4 / 72.0
NUMBER = rb"(-?[\d.]+)"
BOX = re.compile(NUMBER + rb" " + NUMBER + rb" " + NUMBER + rb" " + NUMBER + rb" re")
Image = NDArray[np.uint8]


def pages(pdf: bytes) -> list[bytes]:
    """The drawing of each page; the file must hold what its table says."""
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start:].startswith(b"xref\n0 ")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf[start:]), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj\n" % number)
    streams = [
        (int(length), body)
        for length, body in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", pdf, re.DOTALL)
    ]
    assert all(length == len(body) for length, body in streams)
    return [body for _, body in streams]


def boxes(page: bytes) -> list[tuple[float, float, float, float]]:
    """The filled rectangles in mm: x, y, width, height."""
    found = [tuple(float(value) * MM for value in match) for match in BOX.findall(page)]
    return [(x, y, width, height) for x, y, width, height in found]


def printed(page: bytes, size_mm: tuple[float, float]) -> Image:
    """The page as a scanner sees it."""
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    paper = np.full((height, width), 255, np.uint8)
    for x, y, w, h in boxes(page):
        left, right = round(x * PX_PER_MM), round((x + w) * PX_PER_MM)
        top, bottom = round(height - (y + h) * PX_PER_MM), round(height - y * PX_PER_MM)
        paper[top:bottom, left:right] = 0
    return paper


@pytest.mark.parametrize("paper", ["A4", "A3", "Letter"])
def test_the_printed_marks_are_found_in_their_size(paper: str) -> None:
    pdf = marks_pdf(paper)  # type: ignore[arg-type]
    size = PAPERS_MM[paper]  # type: ignore[index]
    cards, board = pages(pdf)
    assert pdf.startswith(b"%PDF-1.4")
    media = [float(value) * MM for value in re.findall(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0]]
    assert media == pytest.approx(size, abs=0.01)
    for page in (cards, board):
        for x, y, width, height in boxes(page):
            assert x >= 8.0 and y >= 8.0  # noqa: PT018 - a printer's rim
            assert x + width <= size[0] - 8.0
            assert y + height <= size[1] - 8.0
    found = find_marks(printed(cards, size))
    assert sorted(found) == geometry()["marks"]["ids"]
    for quad in found.values():
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1) / PX_PER_MM
        assert sides == pytest.approx([60.0] * 4, abs=0.3)
        assert quad[0][0] < quad[1][0]  # upright: its first corner is top left
        assert quad[0][1] < quad[2][1]


def test_the_cards_lie_on_the_page_as_on_the_table() -> None:
    """So that nobody has to read which corner: the page seen from its lower edge is the table from side 1."""
    cards, _ = pages(marks_pdf("A4"))
    found = find_marks(printed(cards, PAPERS_MM["A4"]))
    plan = geometry()["marks"]
    middle = np.mean([quad.mean(axis=0) for quad in found.values()], axis=0)
    for number, (x, y) in zip(plan["ids"], plan["centres"], strict=True):
        across, down = found[number].mean(axis=0) - middle
        assert (across > 0, down < 0) == (x > 0, y > 0)


def test_the_ruler_is_100_mm() -> None:
    cards, _ = pages(marks_pdf("A4"))
    assert [box for box in boxes(cards) if box[2] == pytest.approx(100.0, abs=0.01)]


def test_each_card_says_its_place_in_two_languages() -> None:
    cards, _ = pages(marks_pdf("A4"))
    latin = b"".join(
        bytes.fromhex(code.decode()) for code in re.findall(rb"/F1 [\d.]+ Tf <([0-9a-f]*)>", cards)
    )
    song = "".join(
        bytes.fromhex(code.decode()).decode("utf-16-be")
        for code in re.findall(rb"/F2 [\d.]+ Tf <([0-9a-f]*)>", cards)
    )
    for number, zh, en in (
        (0, "一号边的左手角", b"between sides 4 and 1: left corner of side 1"),
        (1, "一号边的右手角", b"between sides 1 and 2: right corner of side 1"),
        (2, "一号边对面的右角", b"between sides 2 and 3: far right from side 1"),
        (3, "一号边对面的左角", b"between sides 3 and 4: far left from side 1"),
    ):
        assert zh in song
        assert b"No. %d, %s" % (number, en) in latin


def test_no_such_paper() -> None:
    with pytest.raises(ValueError, match="no paper"):
        marks_pdf("A5")  # type: ignore[arg-type]


def held(board: Image, turn: tuple[float, float, float], k1: float, focal: float = 1000.0) -> Image:
    """The printed board held before a camera with a bending lens, tilted by `turn` (radians)."""
    height, width = board.shape
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    turned, _ = cv2.Rodrigues(np.array(turn))
    place = np.column_stack([turned[:, 0], turned[:, 1], [30.0, -20.0, 3000.0]])
    lens = np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1.0]])
    flat = lens @ place @ middle
    maps = bent_maps(np.linalg.inv(flat), k1)
    soft = cv2.GaussianBlur(board, (0, 0), 1.2)
    view = cv2.remap(soft, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=90)
    noise = np.random.default_rng(round(1000 * abs(sum(turn)))).normal(0, 2.0, view.shape)
    return np.clip(view + noise, 0, 255).astype(np.uint8)


TURNS = [
    (0.0, 0.0, 0.02), (0.5, 0.0, 0.1), (-0.5, 0.1, 1.5), (0.1, 0.5, 3.1), (0.0, -0.55, 0.0),
    (0.35, 0.35, 1.6), (-0.4, 0.3, 0.2),
]  # fmt: skip


def test_the_board_measures_a_lens() -> None:
    _, page = pages(marks_pdf("A4"))
    board = printed(page, PAPERS_MM["A4"])
    whole = find_board(board)
    assert whole is not None
    assert len(whole[0]) == (COLUMNS - 1) * (ROWS - 1)
    report = measure_lens([held(board, turn, -0.03) for turn in TURNS])
    assert report.pictures >= 6
    assert report.error_px < 0.6
    assert report.lens.k1 == pytest.approx(-0.03, abs=0.004)
    assert report.lens.focal_px == pytest.approx(1000.0, rel=0.02)
    with pytest.raises(LensNotMeasured, match="alike"):
        measure_lens([held(board, (0.0, 0.01 * index, 0.02), -0.03) for index in range(5)])


def test_too_few_pictures_of_the_board_are_refused() -> None:
    with pytest.raises(LensNotMeasured, match="0 of 2 pictures"):
        measure_lens([np.zeros((100, 100, 3), np.uint8)] * 2)
    with pytest.raises(LensNotMeasured, match="different sizes"):
        measure_lens([np.zeros((100, 100), np.uint8), np.zeros((90, 100), np.uint8)])


def invoke(*words: str) -> str:
    done = CliRunner().invoke(app, ["vision", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_commands(tmp_path: Path) -> None:
    pdf = tmp_path / "marks.pdf"
    assert "2 pages Letter" in invoke("marks", "--pdf", str(pdf), "--paper", "Letter")
    assert pdf.read_bytes() == marks_pdf("Letter")
    first, second, out = tmp_path / "a.png", tmp_path / "b.png", tmp_path / "table.json"
    cv2.imwrite(str(first), picture((1,), k1=-0.02))
    cv2.imwrite(str(second), picture(k1=-0.02, look_at=(15.0, 0.0)))
    told = invoke("calibrate", str(first), "--out", str(out))
    assert "mark 1: not seen" in told
    assert "marks 0, 2, 3" in told
    assert Calibration.from_json(out.read_text()).marks == (0, 2, 3)
    row = json.loads(invoke("calibrate", str(second), "--before", str(out), "--json"))
    assert row["marks"] == [0, 1, 2, 3]
    assert row["drift_mm"] > 10.0
    assert row["troubles"] == []
    assert row["k1"] == pytest.approx(-0.02, abs=0.006)
    assert "camera: moved" in invoke("calibrate", str(second), "--before", str(out))
    lens = tmp_path / "lens.json"
    lens.write_text(Lens(SIZE, -0.02, focal_px=FOCAL).to_json())
    assert json.loads(invoke("calibrate", str(first), "--lens", str(lens), "--json"))["k1"] == -0.02


def test_refusals_of_the_commands(tmp_path: Path) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.zeros((90, 90, 3), np.uint8))
    for words, message in (
        (("calibrate", str(blank)), "0 of 4 table marks seen"),
        (("calibrate", str(blank), "--lens", str(tmp_path / "none")), "No such file"),
        (("marks", "--pdf", str(tmp_path / "no" / "x.pdf")), "No such file"),
        (("lens", str(blank), "--out", str(tmp_path / "lens.json")), "0 of 1 pictures"),
    ):
        done = CliRunner().invoke(app, ["vision", *words])
        assert done.exit_code == 1
        assert message in str(done.exception)
    assert CliRunner().invoke(app, ["vision", "marks", "--pdf", "x", "--paper", "A5"]).exit_code == 2


def refused(*words: str | Path) -> str:
    """What a command that says no tells, in both languages, on one line."""
    done = CliRunner().invoke(app, ["vision", *map(str, words)])
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, CliError), done.exception
    told = str(done.exception)
    assert "\n" not in told
    return told


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture())
    return path


def test_a_refused_picture_names_each_mark_and_what_to_do(tmp_path: Path) -> None:
    two = tmp_path / "two.png"
    cv2.imwrite(str(two), picture((1, 3)))
    told = refused("calibrate", two)
    assert "2 of 4 table marks seen, 3 needed; not seen: 1, 3; uncover" in told
    assert "uncover the marks" in told
    assert "露出标记" in told
    assert "露出" not in refused("calibrate", two, "--lang", "en")


def test_a_mirrored_picture_is_told(tmp_path: Path) -> None:
    mirrored = tmp_path / "mirrored.png"
    cv2.imwrite(str(mirrored), picture()[:, ::-1])
    assert "the picture is mirrored" in refused("calibrate", mirrored)


def test_marks_on_wrong_corners_are_told(tmp_path: Path) -> None:
    path = tmp_path / "swapped.png"
    cv2.imwrite(str(path), picture(shift={0: (810.0, 0.0), 1: (-810.0, 0.0)}))
    told = refused("calibrate", path)
    assert "lay each card on the corner that its sheet names" in told


def test_a_wrong_file_is_named_and_not_the_picture(table: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    told = refused("calibrate", table, "--before", wrong, "--lang", "en")
    assert told.startswith(f"{wrong}: not a calibration")
    assert told.endswith("give a file written by vision calibrate --out")
    assert refused("calibrate", table, "--lens", table, "--lang", "en").startswith(f"{table}: is no text")
    other = tmp_path / "lens.json"
    other.write_text(Lens((640, 640)).to_json())
    told = refused("calibrate", table, "--lens", other, "--lang", "en")
    assert told.startswith(f"{other}: the lens was measured on pictures of 640 x 640")
    told = refused("lens", table, wrong, "--out", tmp_path / "x.json", "--lang", "en")
    assert told.startswith(f"{wrong}: ")


def test_pictures_of_two_sizes_cannot_be_compared_and_that_is_said(table: Path, tmp_path: Path) -> None:
    out, half = tmp_path / "old.json", tmp_path / "half.png"
    invoke("calibrate", str(table), "--out", str(out))
    cv2.imwrite(str(half), cv2.resize(picture(), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    told = invoke("calibrate", str(half), "--before", str(out), "--lang", "en")
    assert "cannot be compared, that calibration is for pictures of 1280 x 720, this is 640 x 360" in told


def test_what_is_something_else_is_not_written_over(table: Path, tmp_path: Path) -> None:
    before = table.read_bytes()
    assert "give another name" in refused("calibrate", table, "--out", table)
    assert "give another name" in refused("marks", "--pdf", table)
    assert table.read_bytes() == before
    out = tmp_path / "table.json"
    for _ in range(2):  # one of its own kind is replaced
        invoke("calibrate", str(table), "--out", str(out))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.json", "table.png"]
