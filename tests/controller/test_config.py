"""Where settings come from, which one wins, and how a wrong one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import Config, ConfigError, data_folder, load_config
from vision.wishes import Wishes


def write(folder: Path, text: str) -> Path:
    file = folder / "table.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults() -> None:
    config = load_config()
    assert (config.host, config.port, config.variant, config.serial) == ("127.0.0.1", 8080, "simplest", None)
    assert isinstance(config, Config)


def test_command_line_beats_environment_beats_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, 'table = "file"\nport = 1\nseed = 5\n[players]\nE = "张三"\n')
    monkeypatch.setenv("MAHJONG_TABLE_PORT", "2")
    monkeypatch.setenv("MAHJONG_TABLE_TABLE", "env")
    config = load_config(file, table="given", port=None)
    assert (config.table, config.port, config.seed) == ("given", 2, 5)
    assert config.players == {"E": "张三"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("port = 70000\n", "port: "),
        ("prot = 1\n", "prot: "),
        ('players = { X = "a" }\n', "players: "),
        ('[gpio]\nkind = "usb"\n', "gpio.kind: "),
        ('[gpio]\nkind = "socket"\n', "gpio: "),
        ("port = \n", "table.toml: "),
        ('[picture]\nexposure = "fast"\n', 'picture.exposure: it is "auto", "lock" or a number'),
        ("[picture]\nfocus = -1\n", "picture.focus: it is"),
        ("[picture]\nwhite_balance = true\n", "picture.white_balance: it is"),
        ("[picture]\nsize = [8000, 6000]\n", "picture: at most 20000000 pixels"),
        ("[picture]\nsize = [1920]\n", "picture.size"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_config(write(tmp_path, text))


def test_the_cameras_picture_is_wished_for_in_words_or_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_config().picture.wishes() == Wishes()
    text = '[picture]\nexposure = 12\nfocus = "lock"\nsize = [1280, 720]\n'
    monkeypatch.setenv("MAHJONG_TABLE_PICTURE__WHITE_BALANCE", "4500")
    wishes = load_config(write(tmp_path, text)).picture.wishes()
    assert wishes == Wishes(12.0, "lock", 4500.0, (1280, 720))
    assert not wishes.is_plain


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no settings file"):
        load_config(tmp_path / "no.toml")


def test_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "mahjong-table"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "state" / "mahjong-table"
