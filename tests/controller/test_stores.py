"""Names and photos can be erased; the ledger holds ids and hashes only."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.evidence import EvidenceStore
from controller.players import Players


def test_names_are_kept_and_erased(tmp_path: Path) -> None:
    players = Players(tmp_path / "players.sqlite")
    players.rename("p1", "  龙井  茶 ")
    players.rename("p2", "Oolong")
    players.close()
    again = Players(tmp_path / "players.sqlite")
    assert again.names() == {"p1": "龙井 茶", "p2": "Oolong"}
    again.erase("p1")
    assert again.names() == {"p2": "Oolong"}
    again.close()
    assert "龙井".encode() not in (tmp_path / "players.sqlite").read_bytes()


@pytest.mark.parametrize("name", ["", "   ", "x" * 25])
def test_a_name_has_a_length(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="characters"):
        Players(tmp_path / "players.sqlite").rename("p1", name)


def test_photos_are_stored_by_their_hash_once(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "evidence")
    sha = store.put(b"jpeg")
    assert store.put(b"jpeg") == sha
    assert store.get(sha) == b"jpeg"
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == [f"{sha}.jpg"]
    store.erase(sha)
    assert store.get(sha) is None


@pytest.mark.parametrize("name", ["../journal", "", "g" * 64, "a" * 63, "A" * 64])
def test_only_a_hash_is_a_name(tmp_path: Path, name: str) -> None:
    assert EvidenceStore(tmp_path).get(name) is None
