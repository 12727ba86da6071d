"""Photos go by age and size; the ledger stays, and so do the hashes in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.config import ConfigError, load_config
from controller.evidence import EvidenceStore
from controller.retention import DAY_S, tidy_photos

NOW = 1_796_000_000.0
MIB = 1024 * 1024


def put(store: EvidenceStore, content: bytes, days_old: float) -> str:
    name = store.put(content)
    at = NOW - days_old * DAY_S
    os.utime(store.folder / f"{name}.jpg", (at, at))
    return name


@pytest.fixture
def store(tmp_path: Path) -> EvidenceStore:
    return EvidenceStore(tmp_path / "evidence")


def test_photos_older_than_the_days_go(store: EvidenceStore) -> None:
    young, edge, old = (put(store, bytes([n]), days) for n, days in enumerate((1, 90, 90.1)))
    assert tidy_photos(store.folder, days=90, mib=100, now_s=NOW) == 1
    assert [store.get(name) is None for name in (young, edge, old)] == [False, False, True]
    assert tidy_photos(store.folder, days=90, mib=100, now_s=NOW) == 0


def test_the_oldest_go_until_the_rest_fits(store: EvidenceStore) -> None:
    names = [put(store, bytes([n]) * MIB, days_old=5 - n) for n in range(5)]
    assert tidy_photos(store.folder, days=90, mib=3, now_s=NOW) == 2
    assert [store.get(name) is None for name in names] == [True, True, False, False, False]


def test_half_written_photos_of_a_service_that_died_go_too(store: EvidenceStore) -> None:
    for name, days in (("old.part", 2), ("new.part", 0)):
        (store.folder / name).write_bytes(b"half")
        at = NOW - days * DAY_S
        os.utime(store.folder / name, (at, at))
    other = store.folder / "readme.txt"
    other.write_text("not ours")
    os.utime(other, (0, 0))
    assert tidy_photos(store.folder, days=1, mib=1, now_s=NOW) == 0
    assert sorted(path.name for path in store.folder.iterdir()) == ["new.part", "readme.txt"]


def test_no_folder_has_no_photos(tmp_path: Path) -> None:
    assert tidy_photos(tmp_path / "none", days=1, mib=1) == 0


def test_the_settings_say_how_long(tmp_path: Path) -> None:
    assert (load_config().keep.photo_days, load_config().keep.photo_mib) == (90, 1024)
    file = tmp_path / "table.toml"
    file.write_text("[keep]\nphoto_days = 7\nphoto_mib = 64\n")
    assert (load_config(file).keep.photo_days, load_config(file).keep.photo_mib) == (7, 64)
    file.write_text("[keep]\nphoto_days = 0\n")
    with pytest.raises(ConfigError, match=r"keep\.photo_days"):
        load_config(file)
