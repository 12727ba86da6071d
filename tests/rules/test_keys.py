"""Keys that are nearly known ones are refused; the keys of the shared files and of others are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.errors import InvalidRequest
from rules.keys import COMPANIONS, ODDS_KEYS, SCORE_KEYS, WAIT_KEYS, refuse_misspelled

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
MISSPELLED = [
    ("selfdraw", "self_draw", SCORE_KEYS),
    ("self-draw", "self_draw", SCORE_KEYS),
    ("selfDraw", "self_draw", SCORE_KEYS),
    ("Hand", "hand", SCORE_KEYS),
    ("robbed_kong", "rob_kong", SCORE_KEYS),
    ("kong_replace", "kong_replacement", SCORE_KEYS),
    ("lasttile", "last_tile", WAIT_KEYS),
    ("seat_winds", "seat_wind", WAIT_KEYS),
    ("flower", "flowers", WAIT_KEYS),
    ("botom", "bottom", ODDS_KEYS),
    ("draw", "draws", ODDS_KEYS),
]
LEFT_ALONE = ("id", "fan", "other_total", "note", "player", "table", "seed", "form", "x", "牌", "h" * 5000)


@pytest.mark.parametrize(("key", "meant", "known"), MISSPELLED)
def test_a_key_that_is_nearly_known_is_refused(key: str, meant: str, known: frozenset[str]) -> None:
    with pytest.raises(InvalidRequest, match=f"{key} is no key here: {meant} is meant"):
        refuse_misspelled({"hand": "", key: True}, known)


@pytest.mark.parametrize("known", [SCORE_KEYS, WAIT_KEYS, ODDS_KEYS])
def test_other_keys_are_left_alone(known: frozenset[str]) -> None:
    refuse_misspelled([*known, *COMPANIONS, *LEFT_ALONE], known)


@pytest.mark.parametrize("name", ["vectors", "disputed", "rulings", "invalid", "waits", "shanten"])
def test_every_key_of_the_shared_files_is_left_alone(name: str) -> None:
    path = SHARED / "data" / "mcr" / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"shared data not beside the checkout: {path}")
    keys = {key for line in path.read_text(encoding="utf-8").splitlines() for key in json.loads(line)}
    assert keys <= COMPANIONS
