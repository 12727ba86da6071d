"""The compiled path of `rules` beside the checkout, in `.deps/compiled`: what `make compiled` builds.

That folder holds what `MAHJONG_TABLE_COMPILED=1` puts into a wheel: the package `rules` with its extension
modules, and the wheel itself. Put first on the module path (`environment`) it wins over the sources of the
checkout. It is built anew when a source or a tool differs from those it was made of, by content, not by time.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from hatch_build import SUFFIX, VARIABLE, lacking

ROOT = Path(__file__).resolve().parents[1]
DEPS = ROOT / ".deps"
FOLDER = DEPS / "compiled"
STAMP = FOLDER / "stamp"


def sources() -> list[str]:
    """Return the compiled sources, paths below the checkout; pyproject.toml lists them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed: list[str] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["compiled"]
    return listed


def modules() -> list[str]:
    """Return the names of the compiled modules."""
    return [source.removesuffix(".py").replace("/", ".") for source in sources()]


def is_fresh() -> bool:
    """Return whether the folder was made of the sources and tools as they are now."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == fingerprint()


def fingerprint() -> str:
    """Return a digest of every source of `rules`, the list of modules, the hook and the tools."""
    digest = hashlib.sha256()
    tools = (SUFFIX, sys.version, metadata.version("mypy"), metadata.version("setuptools"))
    for word in (*tools, *sources()):
        digest.update(word.encode() + b"\0")
    for path in sorted([*(ROOT / "rules").rglob("*.py"), ROOT / "hatch_build.py"]):
        body = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT)} {len(body)}\0".encode() + body)
    return digest.hexdigest()


def built() -> Path:
    """Return the folder, built if it is not fresh (half a minute); one process builds, others wait for it.

    Raises:
        RuntimeError: if it cannot be built here, with the reason (`hatch_build.lacking` may tell before).
    """
    with _alone():
        if not is_fresh():
            _build()
    return FOLDER


def environment(folder: Path) -> dict[str, str]:
    """Return the environment in which `python -P` finds `rules` in the folder, `tests` in the checkout."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def wheel() -> Path:
    """Return the compiled wheel of the built folder."""
    (found,) = FOLDER.glob("*.whl")
    return found


@contextmanager
def _alone() -> Iterator[None]:
    DEPS.mkdir(exist_ok=True)
    with (DEPS / "compiled.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build() -> None:
    """Make the folder beside its place and move it there when it is whole."""
    made_of = fingerprint()
    with TemporaryDirectory(dir=DEPS, prefix="compiled-") as made:
        fresh = Path(made) / "compiled"
        fresh.mkdir()
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(fresh)]
        asking = os.environ | {VARIABLE: "1"}
        done = subprocess.run(command, cwd=ROOT, env=asking, capture_output=True, text=True, check=False)
        wheels = [path for path in fresh.glob("*.whl") if not path.name.endswith("-none-any.whl")]
        if done.returncode or not wheels:
            raise RuntimeError((done.stderr or done.stdout).strip())
        with zipfile.ZipFile(wheels[0]) as archive:
            wanted = [name for name in archive.namelist() if name.startswith("rules/") or "__mypyc" in name]
            archive.extractall(fresh, wanted)
        (fresh / STAMP.name).write_text(made_of, encoding="utf-8")
        shutil.rmtree(FOLDER, ignore_errors=True)
        fresh.rename(FOLDER)


def main() -> int:
    """Build what is not fresh; say in one line why that is not possible."""
    missing = lacking()
    if missing is not None:
        print(f"nothing is compiled: {missing}", file=sys.stderr)
        return 1
    try:
        built()
    except RuntimeError as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
