"""Build hook of the wheel: the hot modules of `rules` compiled with mypyc, when that is asked for.

`MAHJONG_TABLE_COMPILED=1 pip install .` compiles the modules that pyproject.toml lists (`compiled` of this
hook) and lays the extension modules beside their sources. The same source is compiled, so answers are equal
(tests/rules/test_compiled.py). Where the tools or a compiler lack, or the result does not load, one line says
why and the wheel is the pure one. Without the variable nothing of this happens. An editable install is always
pure: an extension module beside a source that was edited since would quietly win over it.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "MAHJONG_TABLE_COMPILED"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
_NAMES_ERROR = re.compile(r"\b(?:\w*Error|error): ").search  # mypy, gcc, Python
_LOADS = (
    "import importlib, sys\n"
    "for name in sys.argv[2:]:\n"
    "    file = importlib.import_module(name).__file__\n"
    "    assert file.endswith(sys.argv[1]), f'{file} is not compiled'"
)


class NotCompiled(Exception):
    """Nothing can be compiled here; the message says why."""


class CompiledRules(BuildHookInterface[Any]):
    """Adds extension modules to the wheel."""

    PLUGIN_NAME = "custom"
    _workshop: TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Return what building needs beside hatchling; installers fetch it into their build environment."""
        return ["mypy[mypyc]>=1.18"] if is_asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile if asked to; `build_data` is left alone where that is not possible."""
        if version == "editable" or not is_asked():
            return
        self._workshop = TemporaryDirectory(prefix="mahjong-table-")
        try:
            built = compiled(Path(self.root), Path(self._workshop.name), self.config["compiled"])
        except NotCompiled as why:
            print(f"mahjong-table: rules stay pure Python: {why}", file=sys.stderr)
            return
        build_data["force_include"].update({str(path): place for place, path in built.items()})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear the workshop away."""
        if self._workshop is not None:
            self._workshop.cleanup()


def is_asked() -> bool:
    """Return whether the environment asks for compiled modules."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def lacking() -> str | None:
    """Return what is missing here for compiling, None if nothing is."""
    for tool, package in (("mypyc", "mypy"), ("setuptools", "setuptools")):
        if importlib.util.find_spec(tool) is None:
            return f"{tool} is not installed (pip install {package})"
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if shutil.which(command[0]) is None:
        return f"there is no C compiler {command[0]} (Debian: apt-get install gcc)"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "Python.h is missing (Debian: apt-get install python3-dev)"
    return None


def compiled(root: Path, workshop: Path, sources: list[str]) -> dict[str, Path]:
    """Return the extension modules of these sources: place in the wheel -> file in the workshop.

    Args:
        root: folder of the packages.
        workshop: an empty folder; it gets copies of the packages, root stays as it is.
        sources: paths below root, e.g. `rules/hand.py`. They are compiled as one group, so that they call
            each other natively; what they share is one more extension module at the top of the wheel.
    Raises:
        NotCompiled: if tools are missing, a source cannot be compiled, or what came out does not load.
    """
    missing = lacking()
    if missing is not None:
        raise NotCompiled(missing)
    for package in sorted({source.partition("/")[0] for source in sources}):
        shutil.copytree(root / package, workshop / package, ignore=_all_but_sources)
    _run(workshop, "-m", "mypyc", "--config-file=", *sources)
    places = [source.removesuffix(".py") + SUFFIX for source in sources]
    places += [path.name for path in workshop.glob(f"*__mypyc{SUFFIX}")]
    _run(workshop, "-P", "-c", _LOADS, SUFFIX, *[_module(source) for source in sources])
    return {place: workshop / place for place in places}


def _module(source: str) -> str:
    return source.removesuffix(".py").replace("/", ".")


def _all_but_sources(folder: str, names: list[str]) -> list[str]:
    here = Path(folder)
    return [name for name in names if not (name.endswith(".py") or (here / name).is_dir())]


def _run(workshop: Path, *arguments: str) -> None:
    """Run Python in the workshop; a failure is told by the line that names the error."""
    environment = os.environ | {"PYTHONPATH": _python_path(workshop), "MYPYC_DEBUG_LEVEL": "0"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=workshop,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    named = [line for line in lines if _NAMES_ERROR(line)]
    raise NotCompiled((named or lines[-1:] or [f"{arguments[:2]} failed"])[0])


def _python_path(workshop: Path) -> str:
    """Return the workshop before what the installer's build environment added."""
    return os.pathsep.join([str(workshop), *filter(None, [os.environ.get("PYTHONPATH")])])
