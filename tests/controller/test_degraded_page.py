"""docs/degraded.md and docs/degraded.zh.md name buttons and taps as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from controller.decide.called import TAPS, TAPS_MS

ROOT = Path(__file__).parents[2]
PAGES = {"en": ("degraded.md", r'"([^"]+)"'), "zh-Hans": ("degraded.zh.md", "“([^”]+)”")}


@pytest.mark.parametrize("language", PAGES)
def test_buttons_on_the_page_are_buttons_of_the_product(language: str) -> None:
    name, quoted = PAGES[language]
    catalogue = ROOT / "controller" / "web" / "static" / "i18n" / f"{language}.json"
    words = json.loads(catalogue.read_text(encoding="utf-8"))
    buttons = {words[key] for key in ("do.write", "do.by_hand", "do.amend")}
    assert set(re.findall(quoted, (ROOT / "docs" / name).read_text(encoding="utf-8"))) == buttons


def test_both_pages_tell_the_same_rows_and_the_taps_of_a_kong() -> None:
    english, chinese = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name, _ in PAGES.values())
    rows = [[line.startswith("|") for line in text.splitlines()] for text in (english, chinese)]
    assert sum(rows[0]) == sum(rows[1])
    assert (TAPS, TAPS_MS) == (3, 2_000)
    assert "three taps within two seconds" in english
    assert "连按三下（两秒之内）" in chinese
