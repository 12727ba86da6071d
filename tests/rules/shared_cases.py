"""The worked cases of the rule texts, beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parents[3] / "shared" / "rules" / "cases"


def cases(slug: str) -> list[dict[str, Any]]:
    """Return the cases of a rule text, each with its variant; none where they are not there."""
    path = CASES / f"{slug}.json"
    if not path.is_file():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    return [{"variant": data["variant"], **case} for case in data["cases"]]
