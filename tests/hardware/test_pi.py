"""What goes onto a Pi: settings by the real reader, the unit by systemd's checker, the rule by grammar."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from controller.config import Config, load_config
from controller.diag.desk import STABLE_NAME
from controller.serve import check_settings

PI = Path(__file__).parents[2] / "hardware" / "pi"
UNIT = PI / "mahjong-table.service"
ONLY_FOR_THE_TWIN = {"twin", "seed", "speed"}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
EXPOSURE_AT_MOST = 25
"""Of 100, as `systemd-analyze security` counts; a unit without a sandbox has 96."""


# ---------------------------------------------------------------- settings


def test_the_example_settings_are_read_by_the_service() -> None:
    config = load_config(PI / "table.toml")
    check_settings(config)
    assert (config.variant, config.serial, config.port) == ("mcr", STABLE_NAME, 8080)
    assert (config.gpio.kind, set(config.players)) == ("pi", set("ESWN"))


def test_every_setting_of_a_real_table_is_explained() -> None:
    told = tomllib.loads((PI / "table.toml").read_text("utf-8"))
    assert set(told) == set(Config.model_fields) - ONLY_FOR_THE_TWIN


def test_each_explanation_is_there_in_both_languages() -> None:
    comments: list[str] = []
    for line in (PI / "table.toml").read_text("utf-8").splitlines():
        if line.startswith("#"):
            comments.append(line)
        elif not line:
            comments.clear()
        elif comments:
            assert any(CHINESE.search(each) for each in comments), line
            assert not all(CHINESE.search(each) for each in comments), line


# ---------------------------------------------------------------- the unit


def unit() -> dict[str, list[str]]:
    """Return the settings of the unit; a key may stand several times."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in UNIT.read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words], capture_output=True, text=True, timeout=60, check=False
    )


needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here"
)


@needs_systemd
def test_systemd_has_nothing_to_say_about_the_unit() -> None:
    done = analyze("verify", str(UNIT))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_systemd
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Type=notify", "Type=notified"),
        ("WatchdogSec=20", "WatchdogSec=often"),
        ("ProtectSystem=strict", "ProtectSytem=strict"),
        ("/usr/bin/env", "/usr/bin/no-such-env"),
    ],
)
def test_a_slip_in_the_unit_would_be_found(tmp_path: Path, old: str, new: str) -> None:
    text = UNIT.read_text("utf-8")
    assert old in text
    wrong = tmp_path / UNIT.name
    wrong.write_text(text.replace(old, new), encoding="utf-8")
    done = analyze("verify", str(wrong))
    assert done.returncode != 0 or done.stderr


@needs_systemd
def test_the_sandbox_is_tight() -> None:
    done = analyze("security", "--offline=true", f"--threshold={EXPOSURE_AT_MOST}", str(UNIT))
    assert done.returncode == 0, done.stdout[-200:]


def test_the_unit_fits_settings_and_code() -> None:
    told, config = unit(), load_config(PI / "table.toml")
    (start,) = told["ExecStart"]
    assert start.endswith("mahjong-table run --config /etc/mahjong-table/table.toml")
    assert told["Type"] == ["notify"]
    assert str(config.data) == f"/var/lib/{told['StateDirectory'][0]}"
    assert told["ConfigurationDirectory"] == ["mahjong-table"]
    assert {"dialout", "video", "gpio"} <= set(told["SupplementaryGroups"][0].split())
    assert "adjtimex" in told["SystemCallFilter"][0], "clock.py asks the kernel about its clock"
    assert "ProtectClock" not in told, "it would forbid that question"
    allowed = {value.split()[0] for value in told["DeviceAllow"]}
    assert {"char-ttyUSB", "char-ttyACM", "char-video4linux", "char-gpiochip"} <= allowed


# ---------------------------------------------------------------- udev

TOKEN = re.compile(r'([A-Z]+)(?:\{(\w+)\})?\s*(==|!=|\+=|:=|-=|=)\s*"([^"]*)"')
MATCHES = {"SUBSYSTEM", "ACTION", "KERNEL", "ATTR", "ATTRS", "DRIVERS", "SUBSYSTEMS", "ENV", "TAGS"}
SETS = {"SYMLINK", "GROUP", "MODE", "OWNER", "ENV", "TAG", "GOTO", "LABEL", "RUN", "OPTIONS"}


def rules(text: str) -> list[list[tuple[str, str, str, str]]]:
    """Return each line as (key, attribute, operator, value).

    Raises:
        ValueError: naming the line that udev would not read.
    """
    found = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        tokens = [token.strip() for token in line.split(",")]
        read = [TOKEN.fullmatch(token) for token in tokens]
        if not all(read):
            raise ValueError(line)
        row = [(each[1], each[2] or "", each[3], each[4]) for each in read if each]
        for key, _, operator, _ in row:
            if key not in (MATCHES if operator in ("==", "!=") else SETS):
                raise ValueError(line)
        found.append(row)
    goals = {value for row in found for key, _, _, value in row if key == "GOTO"}
    labels = {value for row in found for key, _, _, value in row if key == "LABEL"}
    if goals - labels:
        raise ValueError(f"no label {goals - labels}")
    return found


def test_the_rule_gives_the_name_that_the_settings_use() -> None:
    found = rules((PI / "70-mahjong-table.rules").read_text("utf-8"))
    names = [value for row in found for key, _, _, value in row if key == "SYMLINK"]
    assert [f"/dev/{name}" for name in names] == [STABLE_NAME]
    kinds = [(row[0][3], row[1][3]) for row in found if row[0][1] == "idVendor"]
    assert len(kinds) == len(set(kinds)) == 6
    assert all(re.fullmatch(r"[0-9a-f]{4}", word) for kind in kinds for word in kind)


@pytest.mark.parametrize(
    "line",
    [
        'SUBSYSTEM="tty"',
        'SYMLINK=="board"',
        'ATTRS{idVendor}=="2341" ATTRS{idProduct}=="0042"',
        'GOTO="nowhere"',
        "MODE=0660",
    ],
)
def test_a_slip_in_a_rule_would_be_found(line: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        rules(line)


# ---------------------------------------------------------------- the papers


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_papers_tell_of_every_file_and_of_what_is_untried(name: str) -> None:
    text = (PI / name).read_text("utf-8")
    for path in PI.iterdir():
        if path.is_file() and not path.name.startswith("README"):
            assert f"]({path.name})" in text, path.name
    assert "Bookworm" in text
    assert re.search(r"Trixie (is untried|没有试过)", text)


def test_both_papers_give_the_same_commands() -> None:
    def commands(name: str) -> list[str]:
        lines = (PI / name).read_text("utf-8").splitlines()
        return [re.sub(r"\s*#.*|<.*?>", "", line).strip() for line in lines if line.startswith("    ")]

    assert commands("README.md") == commands("README.zh.md")
    assert len(commands("README.md")) > 15


def test_modules_are_plain_names() -> None:
    parser = configparser.ConfigParser(allow_no_value=True)
    parser.read_string(f"[modules]\n{(PI / 'modules-load.conf').read_text('utf-8')}")
    assert {"cdc_acm", "usbserial", "ch341"} <= set(parser["modules"])
