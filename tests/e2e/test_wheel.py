"""The product as a wheel: installed into another venv it plays from any folder, compiling into the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLAY = ("twin", "play", "--hands", "1", "--seed", "1", "--variant", "simplest", "--json")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv with our wheel; its dependencies are those of the test's own venv, by path."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check")
    build = (*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run(build, check=True, cwd=folder)
    wheels = list(folder.glob("mahjong_table-*.whl"))
    assert [wheel.name.endswith("-py3-none-any.whl") for wheel in wheels] == [True]
    home = folder / "venv"
    venv.create(home, with_pip=False)
    site = next((home / "lib").glob("python3.*")) / "site-packages"
    install = (*pip, f"--python={home / 'bin' / 'python'}", "install", "--no-deps", str(wheels[0]))
    subprocess.run(install, check=True, cwd=folder)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


@pytest.mark.e2e
def test_wheel_plays_from_any_folder(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": ""}
    done = subprocess.run(
        [str(installed / "bin" / "mahjong-table"), *PLAY],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    summary = json.loads(done.stdout)
    assert summary["hands"] == 1
    assert summary["ledger_matches_truth"] is True
    assert summary["ledger_sum"] == 0
    assert any((tmp_path / "cache").rglob("*.elf")), "the firmware was not compiled into the cache"
    assert not any(path.suffix == ".elf" for path in installed.rglob("*")), "built inside the wheel"


def test_wheel_carries_sources_and_licences(installed: Path) -> None:
    site = next((installed / "lib").glob("python3.*")) / "site-packages"
    for needed in (
        "firmware_bridge/protocol.toml",
        "hardware/wiring/devices.toml",
        "hardware/table/geometry.toml",
        "hardware/twin/harness/main.c",
        "hardware/firmware/app/main.c",
        "controller/web/static/table.html",
    ):
        assert (site / needed).is_file(), needed
    assert list((site / "vision" / "models").glob("*.onnx"))
    assert not (site / "vision" / "training").exists()
    metadata = next(site.glob("mahjong_table-*.dist-info"))
    assert "License-Expression: Apache-2.0 AND GPL-3.0-or-later" in (metadata / "METADATA").read_text()
    assert {path.name for path in (metadata / "licenses").rglob("*") if path.is_file()} >= {"LICENSE"}
