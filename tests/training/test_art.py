"""The drawn sets: every face of several makers, told apart, the same again for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.art import (
    FACES,
    FOREIGN,
    Style,
    draw_face,
    flowers,
    foreign,
    tile_back,
    tile_mask,
    tile_top,
)
from vision.training.art.sheet import Sheet

SEEDS = (3, 44, 501)
HEIGHT = 64


@pytest.fixture(scope="module", params=SEEDS)
def style(request: pytest.FixtureRequest) -> Style:
    return Style.of(request.param)


def _seen(ink: np.ndarray) -> np.ndarray:
    """The ink on white, small and grey: what is left of a face from afar."""
    alpha = ink[..., 3:].astype(np.float32) / 255
    return (ink[..., :3] * alpha + 255 * (1 - alpha)).mean(axis=2)


def test_every_face_has_its_own_ink(style: Style) -> None:
    drawn = {face: _seen(draw_face(style, face, HEIGHT)) for face in FACES}
    assert len(drawn) == 42
    for face, picture in drawn.items():
        assert picture.shape == (HEIGHT, round(HEIGHT / style.aspect))
        if face != "P":  # a maker may leave the white dragon blank
            assert (picture < 200).mean() > 0.008, face
    names = list(drawn)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert np.abs(drawn[one] - drawn[other]).mean() > 0.8, (one, other)


def test_ink_leaves_the_edges_of_the_tile_free(style: Style) -> None:
    for face in FACES:
        alpha = draw_face(style, face, HEIGHT)[..., 3]
        rim = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
        assert (rim > 128).mean() < 0.1, face


def test_equal_seeds_give_equal_tiles(style: Style) -> None:
    again = Style.of(style.seed)
    assert again == style
    for face in ("1m", "5p", "1s", "F", "P", "c", FOREIGN):
        one = tile_top(style, face, np.random.default_rng(5), HEIGHT)
        assert np.array_equal(one, tile_top(again, face, np.random.default_rng(5), HEIGHT))
    assert np.array_equal(draw_face(style, FOREIGN, HEIGHT), draw_face(again, FOREIGN, HEIGHT))


def test_a_set_keeps_its_maker(style: Style) -> None:
    """Two tiles of one kind differ by light and the print's place only; another maker's differ by more."""
    rng = np.random.default_rng(1)
    other = Style.of(style.seed + 1)
    for face in ("8p", "E"):
        one, two = (_seen(draw_face(s, face, HEIGHT)) for s in (style, other))
        assert np.array_equal(one, _seen(draw_face(style, face, HEIGHT)))
        width = min(one.shape[1], two.shape[1])
        assert np.abs(one[:, :width] - two[:, :width]).mean() > 0.5
    tops = [tile_top(style, "3s", rng, HEIGHT) for _ in range(4)]
    assert {top.shape for top in tops} == {(HEIGHT, round(HEIGHT / style.aspect), 3)}
    assert not np.array_equal(tops[0], tops[1])


def test_strange_tiles_differ_by_their_numbers(style: Style) -> None:
    rng = np.random.default_rng(9)
    pictures = [draw_face(style, FOREIGN, HEIGHT, rng) for _ in range(12)]
    assert len({p.tobytes() for p in pictures}) >= 9


@pytest.mark.parametrize("kind", foreign.KINDS)
def test_each_kind_of_strange_tile_has_ink(kind: str) -> None:
    """Every way of every kind: words with a space in them were looked up as a glyph once."""
    for seed in range(24):
        style = Style.of(seed)
        sheet = Sheet(96, style.aspect, style.matrix())
        foreign.draw(sheet, style, np.random.default_rng(seed), kind)
        assert (sheet.image[..., 3] > 128).mean() > 0.003, seed


def test_backs_and_rims(style: Style) -> None:
    rng = np.random.default_rng(2)
    width = round(HEIGHT / style.aspect)
    back = tile_back(style, rng, HEIGHT)
    assert back.shape == (HEIGHT, width, 3)
    middle = back[HEIGHT // 4 : -HEIGHT // 4, width // 4 : -width // 4].reshape(-1, 3).mean(axis=0)
    assert np.abs(middle - style.body.back).max() < 60
    rimmed = tile_top(style, "2p", rng, HEIGHT, rim=0.1)
    assert rimmed.shape == (HEIGHT + 12, width + 12, 3)
    mask = tile_mask(style, HEIGHT)
    assert mask.shape == (HEIGHT, width)
    assert mask[HEIGHT // 2, width // 2] == 255
    assert mask[0, 0] < 255


def test_only_a_character_lets_another_plant_stand_for_a_flower(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(flowers, "picture", lambda sheet, style, face: drawn.append(face))
    swapped = 0
    for style in map(Style.of, range(120)):
        for face in "abcdefgh":
            flowers.draw(Sheet(HEIGHT, style.aspect, style.matrix()), style, face)
            told_by_character = flowers._mode(style, "abcd" if face in "abcd" else "efgh") in ("both", "char")
            assert told_by_character or drawn[-1] == face
            swapped += drawn[-1] != face
    assert 0.1 < swapped / len(drawn) < 0.5


def test_random_styles_come_from_the_generator() -> None:
    one, two = np.random.default_rng(4), np.random.default_rng(4)
    assert [Style.random(one) for _ in range(3)] == [Style.random(two) for _ in range(3)]
    assert len({Style.random(one).palette for _ in range(20)}) == 20


def test_an_unknown_face_or_a_tiny_picture_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no such face"):
        draw_face(style, "0m", HEIGHT)
    with pytest.raises(ValueError, match="8 pixels"):
        tile_top(style, "1m", np.random.default_rng(0), 4)
