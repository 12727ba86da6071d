"""The camera's picture: same bytes for the same scene, marks where the drawing says, tiles where they lie."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from hardware.twin.renderer import SABOTAGES, Look, Renderer
from hardware.twin.renderer.camera import HEIGHT, WIDTH, Camera
from hardware.twin.renderer.geometry import geometry
from hardware.twin.renderer.layout import lay_hand
from hardware.twin.renderer.sabotage import hand_side, tamper
from hardware.twin.renderer.tables import random_table
from hardware.twin.scene import PlacedDie, PlacedTile, Scene, place, to_local, to_table

HAND = ("4m", "5m", "6m", "6m", "6m", "2p", "2p", "3s", "4s", "5s", "N", "N", "N")
SCENE = Scene(
    (*lay_hand(1, (), HAND, "2p"), PlacedTile("6m", 0, -165, 0)),
    (PlacedDie(6, -20, 5, 30), PlacedDie(3, 22, -8, 75)),
    lamp_side=3,
)


@lru_cache(maxsize=2)
def _renderer(seed: int = 1, sabotage: str | None = None) -> Renderer:
    return Renderer(seed, sabotage)


def _decode(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))


def test_a_frame_is_a_plain_full_hd_jpeg() -> None:
    jpeg = _renderer().render(SCENE)
    assert _decode(jpeg).shape == (HEIGHT, WIDTH, 3)
    assert b"Exif" not in jpeg[:4096]
    assert jpeg[2:4] == b"\xff\xe0"  # JFIF; the only application block
    assert b"\xff\xfe" not in jpeg[:600]  # no comment


def test_the_same_scene_gives_the_same_bytes_whatever_came_before() -> None:
    first = _renderer().render(SCENE)
    _renderer().render(Scene())
    _renderer().render(random_table(3).scene)
    assert _renderer().render(SCENE) == first
    shuffled = replace(SCENE, tiles=SCENE.tiles[::-1], dice=SCENE.dice[::-1])
    assert _renderer().render(shuffled) == first


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "import hashlib; from hardware.twin.renderer import Renderer;"
        "from hardware.twin.renderer.tables import random_table;"
        "print(hashlib.sha256(Renderer(1).render(random_table(5).scene)).hexdigest())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = hashlib.sha256(_renderer().render(random_table(5).scene)).hexdigest()
    assert other.stdout.strip() == mine


def test_any_change_of_the_scene_changes_noise_and_bytes() -> None:
    jpegs = {
        _renderer().render(scene)
        for scene in (
            SCENE,
            replace(SCENE, lamp_side=1),
            replace(SCENE, dome_up=True),
            replace(SCENE, tiles=SCENE.tiles[1:]),
            replace(SCENE, dice=(PlacedDie(5, -20, 5, 30), SCENE.dice[1])),
        )
    }
    assert len(jpegs) == 5


@pytest.mark.parametrize("seed", range(1, 4))
def test_marks_are_found_where_the_drawing_puts_them(seed: int) -> None:
    renderer = Renderer(seed)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(renderer.image(SCENE))
    assert sorted(int(i) for i in np.ravel(ids)) == [0, 1, 2, 3]
    for quad, mark in zip(corners, np.ravel(ids), strict=True):
        x, y = geometry().mark_centres[int(mark)]
        half = geometry().mark_size / 2
        true = renderer.camera.project(np.array([[x - half, y + half, 0], [x + half, y - half, 0]]))
        assert np.abs(np.asarray(quad)[0][[0, 2]] - true).max() < 2.5


@pytest.mark.parametrize("seed", range(20))
def test_the_whole_field_is_in_the_picture_for_any_look(seed: int) -> None:
    half = geometry().field_half
    field = np.array([[x, y, 0.0] for x in (-half, 0, half) for y in (-half, 0, half)])
    for look in (Look.of_seed(seed), Look.varied(seed)):
        seen = Camera(look).project(field)
        assert (seen >= 0).all()
        assert (seen <= (WIDTH, HEIGHT)).all()
        assert np.abs(Camera(look).unproject(seen) - field[:, :2]).max() < 0.2


def test_a_tile_is_painted_inside_its_quad_and_its_print_is_upright() -> None:
    tile = place(1, "1m", 0, -400)  # ink at the top, red at the bottom
    image = _renderer().image(Scene((tile,))).astype(int)
    top_left, top_right, bottom_right, bottom_left = _renderer().quad(tile)
    column, row = ((top_left + bottom_right) / 2).astype(int)
    assert image[row, column].min() > 120
    lower = image[row + 8 : row + 18, column - 8 : column + 8]
    assert (lower[:, :, 2] - lower[:, :, 0]).max() > 60
    assert top_left[1] < bottom_left[1]
    assert top_left[0] < top_right[0]


def test_a_second_layer_hides_the_tile_below() -> None:
    below, above = PlacedTile("5p", 0, 200, 0), PlacedTile("back", 0, 200, 0, layer=1)
    image = _renderer().image(Scene((above, below))).astype(int)
    quad = _renderer().quad(above)
    column, row = quad.mean(axis=0).astype(int)
    blue, _, red = image[row, column]
    assert red - blue > 40  # bamboo, not ivory


@pytest.mark.parametrize("side", [1, 2, 3, 4])
def test_the_lit_lamp_is_the_brightest_red(side: int) -> None:
    image = _renderer().image(Scene(lamp_side=side)).astype(int)
    reds = []
    for number in (1, 2, 3, 4):
        x, y = to_table(number, geometry().lamp_x, geometry().lamp_y)
        column, row = _renderer().camera.project(np.array([[x, y, 0.0]]))[0].astype(int)
        reds.append(image[row - 3 : row + 4, column - 3 : column + 4, 2].mean())
    assert int(np.argmax(reds)) + 1 == side
    assert max(reds) > 2 * sorted(reds)[-2]


def test_lying_face_paints_all_copies_of_one_kind_as_its_neighbour_in_hand_zones_only() -> None:
    shown = tamper(SCENE, "lying-face")
    changed = [(was.face, now.face) for was, now in zip(SCENE.tiles, shown.tiles, strict=True) if was != now]
    assert changed == [("2p", "1p")] * 3
    six = Scene((*lay_hand(2, (), ("6m", "6m", "E", "E"), None), PlacedTile("6m", 0, -165, 0)))
    told = [tile.face for tile in tamper(six, "lying-face").tiles]
    assert told == ["5m", "5m", "E", "E", "6m"]


def test_lying_dice_is_one_pip_off() -> None:
    assert sorted(die.pips for die in tamper(SCENE, "lying-dice").dice) == [3, 5]
    assert tamper(Scene(dice=(PlacedDie(1, 0, 0, 0),)), "lying-dice").dice[0].pips == 2


def test_a_lie_reaches_the_pixels() -> None:
    honest = _renderer().image(SCENE).astype(int)
    for sabotage in SABOTAGES:
        lie = _renderer(1, sabotage).image(SCENE).astype(int)
        assert 50 < (np.abs(honest - lie).max(axis=2) > 60).sum() < 5000


def test_an_unknown_sabotage_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown sabotage"):
        Renderer(1, "lying-lamp")


def test_hand_side_and_local_coordinates_agree() -> None:
    for side in (1, 2, 3, 4):
        tile = place(side, "5m", 100, -400)
        assert hand_side(tile) == side
        assert to_local(side, tile.x_mm, tile.y_mm) == (100, -400)
        assert tile.angle_deg == (side - 1) * 90
    assert hand_side(PlacedTile("5m", 0, -165, 0)) is None
