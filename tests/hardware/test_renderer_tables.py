"""Laid-out hands keep the table's rules of place; random tables are pure, varied and possible."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import pytest

from hardware.tiles import TILE_TEXTS
from hardware.twin.renderer import samples
from hardware.twin.renderer.geometry import geometry
from hardware.twin.renderer.layout import (
    LaidMeld,
    lay_flowers,
    lay_hand,
    lay_river,
    lay_wall,
    meld_width,
    stand_hand,
)
from hardware.twin.renderer.tables import KINDS, random_table
from hardware.twin.scene import BACK, SIDE, to_local

SEEDS = range(400)


def _kong(kind: str, source: int | None) -> LaidMeld:
    return LaidMeld(kind, ("5p",) * 4, source)


@pytest.mark.parametrize(("source", "place"), [(1, 0), (2, 1), (3, 2)])
def test_the_sideways_tile_of_a_pung_says_where_it_came_from(source: int, place: int) -> None:
    tiles = lay_hand(1, [LaidMeld("pung", ("C",) * 3, source)], ["1m"], None)
    assert [index for index, tile in enumerate(tiles) if tile.angle_deg == 90] == [place]


@pytest.mark.parametrize(("source", "place"), [(1, 0), (2, 1), (3, 3)])
def test_a_kong_from_a_discard_turns_first_second_or_last(source: int, place: int) -> None:
    assert _kong("exposed_kong", source).sideways == place


def test_an_added_tile_lies_next_to_the_sideways_one_towards_the_centre() -> None:
    tiles = lay_hand(3, [_kong("added_kong", 2)], ["1m"], None)
    turned = [to_local(3, tile.x_mm, tile.y_mm) for tile in tiles if tile.angle_deg == 270]
    assert len(turned) == 2
    assert turned[1][0] == pytest.approx(turned[0][0])
    assert turned[1][1] - turned[0][1] == pytest.approx(30)


def test_a_concealed_kong_shows_its_inner_two() -> None:
    tiles = lay_hand(2, [_kong("concealed_kong", None)], ["1m"], None)
    assert [tile.face for tile in tiles[:4]] == [BACK, "5p", "5p", BACK]


@pytest.mark.parametrize("side", [1, 2, 3, 4])
def test_the_widest_hand_keeps_every_gap_and_stays_in_its_zone(side: int) -> None:
    geo = geometry()
    kongs = [_kong("exposed_kong", source) for source in (1, 2, 3)] + [_kong("concealed_kong", None)]
    tiles = lay_hand(side, kongs, ["1m"], "1m")
    spans = []
    for tile in tiles:
        x, y = to_local(side, tile.x_mm, tile.y_mm)
        half = 20 if (tile.angle_deg - (side - 1) * 90) % 180 else 15
        assert geo.hand_x[0] <= x - half
        assert x + half <= geo.hand_x[1]
        assert geo.hand_y[0] <= y <= geo.hand_y[1]
        spans.append((x - half, x + half))
    gaps = [right[0] - left[1] for left, right in itertools.pairwise(spans)]
    wide = [gap for gap in gaps if gap > 1]
    assert len(wide) == 5
    assert min(wide) >= geo.meld_gap
    assert wide[-1] >= geo.win_gap
    assert to_local(side, tiles[-1].x_mm, tiles[-1].y_mm)[1] == geo.win_y


def test_a_hand_too_wide_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        lay_hand(1, [], ["1m"] * 23, None)


def test_a_standing_hand_shows_no_face() -> None:
    assert {tile.face for tile in stand_hand(1, [], 13)} == {SIDE}


def test_a_wall_starts_at_the_owners_right_and_a_river_near_the_centre() -> None:
    assert [tile.x_mm for tile in lay_wall(1, [2] + [0] * 16)] == [240, 240]
    assert lay_wall(1, [1] + [0] * 17)[0].x_mm == 255
    river = lay_river(1, ["1m"] * 9)
    assert (river[0].x_mm, river[0].y_mm, river[8].x_mm, river[8].y_mm) == (-105, -165, -105, -205)
    assert meld_width(LaidMeld("chow", ("1m", "2m", "3m"), 1)) == 100


@pytest.mark.parametrize("side", [1, 2, 3, 4])
def test_flowers_lie_between_the_rivers_and_clear_of_every_wall(side: int) -> None:
    flowers = lay_flowers(side, list("abcdefgh"))
    others = [
        tile for other in (1, 2, 3, 4) for tile in lay_wall(other, [2] * 18) + lay_river(other, ["1m"] * 32)
    ]
    for one in flowers:
        x, y = to_local(side, one.x_mm, one.y_mm)
        assert x > 120
        assert y < -120
        assert all(math.hypot(one.x_mm - tile.x_mm, one.y_mm - tile.y_mm) > 40 for tile in others)
    assert len({(tile.x_mm, tile.y_mm) for tile in flowers}) == 8
    with pytest.raises(ValueError, match="9 flowers"):
        lay_flowers(side, ["a"] * 9)


def test_random_tables_are_pure_and_possible() -> None:
    for seed in SEEDS:
        table = random_table(seed)
        if seed % 40 == 0:
            assert random_table(seed) == table
        faces = Counter(tile.face for tile in table.scene.tiles if tile.face not in (BACK, SIDE))
        assert all(count <= (1 if face in "abcdefgh" else 4) for face, count in faces.items()), seed


def test_random_tables_vary() -> None:
    tables = [random_table(seed) for seed in SEEDS]
    assert {table.kind for table in tables} == {*KINDS}
    sides = Counter(table.side for table in tables if table.side)
    assert min(sides[side] for side in (1, 2, 3, 4)) > 40
    assert {meld.kind for table in tables for meld in table.melds} == {
        "chow", "pung", "exposed_kong", "added_kong", "concealed_kong",
    }  # fmt: skip
    seen = {tile.face for table in tables for tile in table.scene.tiles}
    assert seen == {*TILE_TEXTS, BACK, SIDE}
    assert {table.scene.lamp_side for table in tables} == {0, 1, 2, 3, 4}


def test_samples_write_pictures_with_labels(tmp_path: Path) -> None:
    assert samples.main(["--n", "2", "--seed", "9", "--out", str(tmp_path), "--per-look", "2", "--calm"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()]
    assert [row["file"] for row in rows] == ["000009.jpg", "000010.jpg"]
    for row in rows:
        assert (tmp_path / row["file"]).read_bytes().startswith(b"\xff\xd8")
        assert len(row["marks"]) == 4
        assert len(row["tiles"]) == len(random_table(row["seed"]).scene.tiles)
