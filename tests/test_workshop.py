"""The house itself: licences, locks, names of our packages, what a command may load."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OUR_PACKAGES = {"rules", "firmware_bridge", "vision", "controller", "hardware"}


def tracked_files() -> list[Path]:
    """Every file git knows here; an unpacked source archive has no git and is skipped."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    names = listing.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_dependency_ships_one_of_our_package_names() -> None:
    for distribution in metadata.distributions():
        if distribution.metadata["Name"] == "mahjong-table":
            continue
        tops = {str(path).split("/", 1)[0].removesuffix(".py") for path in distribution.files or ()}
        assert not tops & OUR_PACKAGES, distribution.metadata["Name"]


def test_only_the_harness_is_gpl() -> None:
    gpl = re.compile(r"SPDX-License-Identifier:\s*GPL-3\.0-or-later")
    simavr = re.compile(r'#include\s+[<"](simavr/)?sim_\w+\.h[>"]')
    seen = 0
    for path in tracked_files():
        if path.suffix not in {".c", ".h", ".py"} or path.name == Path(__file__).name:
            continue
        text = path.read_text(encoding="utf-8")
        in_harness = "hardware/twin/harness" in path.as_posix()  # the C program and its Python runner
        seen += in_harness
        assert bool(gpl.search(text)) == in_harness, f"{path}: licence header and place disagree"
        assert in_harness or not simavr.search(text), f"{path}: links simavr outside the harness"
    assert seen, "no harness source found"


def test_no_registry_host_and_no_data_in_git() -> None:
    hosts = re.compile(rb"p[y]pi\.org|p[y]thonhosted\.org|n[p]mjs\.(org|com)|deb\.d[e]bian\.org")
    for path in tracked_files():
        assert not hosts.search(path.read_bytes()), f"{path} names a package registry"
        assert path.suffix.lower() not in {".jpg", ".jpeg", ".pt", ".npz", ".elf", ".hex"}, path


def test_locks_are_hashed() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.txt")):
        text = lock.read_text(encoding="utf-8")
        pins = [line for line in text.splitlines() if line and not line.startswith(" ")]
        assert pins
        for pin in pins:
            assert "==" in pin, f"{lock.name}: {pin} has no version"
            assert pin.endswith("\\"), f"{lock.name}: {pin} has no hash"


@pytest.mark.parametrize("command", ["score", "case", "wall"])
def test_rule_commands_load_neither_cv2_nor_the_web(command: str) -> None:
    code = (
        "import sys; from controller.cli import app\n"
        "try:\n"
        f"    app(['{command}', '--help'])\n"
        "except SystemExit: pass\n"
        "bad = {'cv2', 'fastapi', 'numpy', 'uvicorn', 'serial'} & set(sys.modules)\n"
        "print('loaded', sorted(bad), file=sys.stderr); sys.exit(bool(bad))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_catalogue_of_commands_is_complete() -> None:
    from controller.cli import COMMANDS

    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert re.search(rf"^  {name}\b", done.stdout, re.M), name
