"""How a campaign prints its figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def print_figures(figures: Mapping[str, Any], *, as_json: bool) -> None:
    """Print figures as one JSON object, or one a line for people."""
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
        return
    width = max(map(len, figures))
    print("\n".join(f"{name:<{width}}  {value}" for name, value in figures.items()))
