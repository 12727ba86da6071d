"""A club's own rules: one Python file with a `Ruleset` named RULES, loaded without touching the package.

A file that cannot be used is refused as it is loaded, with the line that is wrong; nothing of it is kept.
Such a file is a program: load only those of people you trust.
"""

from __future__ import annotations

import runpy
import traceback
from pathlib import Path

from rules.engine import Ruleset
from rules.errors import RuleError
from rules.variants import VARIANTS
from rules.variants.presets import PRESETS
from rules.variants.regional import RULESETS, add_house_rules

NAME = "RULES"


class InvalidHouseRules(RuleError, ValueError):
    """A file of house rules cannot be used; the text begins with the file and the line that is wrong."""

    code = "house_rules"

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: {why}")
        self.line = line


def load_house_rules(path: Path) -> Ruleset:
    """Run a file and return its ruleset, which cases are answered by from now on.

    Raises:
        InvalidHouseRules: if the file cannot be read or run, has no ruleset, or takes a name that is used.
    """
    path = path.resolve()
    try:
        found = runpy.run_path(str(path)).get(NAME)
    except SyntaxError as error:
        raise InvalidHouseRules(path, error.lineno or 1, error.msg) from error
    except OSError as error:
        raise InvalidHouseRules(path, 1, error.strerror or "cannot be read") from error
    except Exception as error:
        raise InvalidHouseRules(path, _line(path, error), f"{type(error).__name__}: {error}") from error
    line = _line_of_name(path)
    if not isinstance(found, Ruleset):
        raise InvalidHouseRules(
            path, line, f"{NAME} is a Ruleset (rules/engine.py), not {type(found).__name__}"
        )
    key = found.base.key
    if key in {*VARIANTS, *RULESETS, *PRESETS}:
        raise InvalidHouseRules(path, line, f"the name {key!r} is taken by a rule set of the table")
    twice = _repeated([row.key for row in found.rows])
    if twice:
        raise InvalidHouseRules(path, line, f"two elements are named {twice!r}")
    add_house_rules(found)
    return found


def _line(path: Path, error: Exception) -> int:
    """Return the last line of the file that the error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path) and frame.lineno]
    return lines[-1] if lines else 1


def _line_of_name(path: Path) -> int:
    texts = path.read_text(encoding="utf-8").splitlines()
    return next((at for at, text in enumerate(texts, 1) if text.startswith(NAME)), max(len(texts), 1))


def _repeated(keys: list[str]) -> str:
    return next((key for at, key in enumerate(keys) if key in keys[:at]), "")
