"""Only rules/variants/ names a variant; words elsewhere that read like one are listed, with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

from rules.variants import VARIANTS
from rules.variants.presets import PRESETS
from rules.variants.regional import RULESETS

ROOT = Path(__file__).resolve().parents[2]
SLUGS = {*VARIANTS, *RULESETS, *PRESETS}

# words of an option that a variant shares its name with: how the deal moves on, how people are seated
MODES = {
    ("rules/match.py", "mcr"),
    ("rules/rotation.py", "mcr"),
    ("rules/setting_checks.py", "mcr"),
    ("rules/procedure_options.py", "tianjin"),
    ("rules/seating_ops.py", "tianjin"),
    ("controller/evening.py", "mcr"),
    ("controller/evening.py", "tianjin"),
    ("hardware/twin/robots/session.py", "mcr"),
}
# a worked answer printed in the pages of the API
EXAMPLES = {("controller/web/examples.py", "mcr"), ("controller/web/examples_sheet.py", "mcr")}


def _named(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {text for text in texts if isinstance(text, str) and text in SLUGS}


def test_no_module_outside_the_variants_names_one() -> None:
    found = {
        (str(path.relative_to(ROOT)), slug)
        for package in ("rules", "controller", "vision", "hardware", "firmware_bridge")
        for path in (ROOT / package).rglob("*.py")
        if ROOT / "rules" / "variants" not in path.parents
        for slug in _named(path)
    }
    assert found == MODES | EXAMPLES
