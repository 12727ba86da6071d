"""The page of `vision evaluate` opens from its file, in both languages, and asks nobody for anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser

from vision.evaluate.metrics import Answer, acceptance, accuracy, calibration, foreign, mix_ups
from vision.evaluate.photos import FACES, FLOWERS, ORDINARY
from vision.evaluate.report import report

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def figures() -> dict[str, Any]:
    """Return figures of a made-up evaluation of three crops."""
    said = [
        Answer("s1", "1m", "1m", "1m", 0.99, "a.png"),
        Answer("s1", "2m", "3m", "3m", 0.90, "a.png"),
        Answer("s2", "P", "P", "?", 0.40, "a.png"),
    ]
    place = {
        "pictures": 4,
        "exact": 3,
        "exact_part": 0.75,
        "tiles": 52,
        "answered": 51,
        "right": 50,
        "unsure": 1,
    }
    place |= {"recall": 0.96154, "precision": 0.98039, "localised": 1.0}
    return {
        "about": {
            "when": "2026-12-01T10:00+00:00", "machine": "x86_64, 2 CPU", "load": 0.1, "onnxruntime": "1",
            "opencv": "5", "seed": 1, "quick": False, "sets": ["s1", "s2"], "unseen": ["s2"],
            "models": [{"name": "0"}, {"name": "1"}], "judged_by": {"s1": "0", "s2": "1"},
        },
        "crops": {
            "all34": accuracy(said, ORDINARY), "all42": accuracy(said, FACES),
            "flowers": accuracy(said, FLOWERS),
            "acceptance": acceptance(said, FACES), "x": foreign([]), "calibration": calibration(said, FACES),
            "mix_ups": mix_ups(said),
        },
        "rows": {
            "0.6": {**place, "every_row": place, "misread": ["<b>&"], "sets": {"s1": place}}, "seconds": 1.0,
        },
        "crop_sweep": {"n": 3, "degrees": {"0": [1.0, 0.9, 0.0], "345": [0.9, 0.8, 0.1]}},
    }  # fmt: skip


def test_the_page_shows_its_figures_in_both_languages(browser: Browser, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((64, 48, 3), 200, np.uint8))
    file = tmp_path / "report.html"
    file.write_text(report(figures(), tmp_path), encoding="utf-8")
    complaints: list[str] = []
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.on("console", lambda line: complaints.append(line.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda one: complaints.append(one.url) if one.url.startswith("http") else None)
    page.goto(file.as_uri())
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert (
        page.locator('[data-warning="trained"]')
        .inner_text()
        .startswith("这些牌具参加过训练（或模型没有说明）：s1")
    )
    assert page.locator('[data-target="crops 34"]').inner_text() == "75.00 %"
    assert page.locator('[data-table="crops"] tbody tr').count() == 2
    assert page.locator('[data-table="rows"] tbody tr').first.locator("td").first.inner_text() == "3 / 4"
    assert "2m → 3m" in page.locator('[data-table="mix-ups"]').inner_text()
    shown = page.locator('[data-table="mix-ups"] img')
    assert shown.evaluate("image => image.complete && image.naturalWidth") == 72
    assert page.locator("svg polyline").count() == 3
    page.locator("[data-do=language]").click()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("h1").inner_text() == "What the eyes reach"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
    page.close()
