"""A disk that fills up is told on every page of the table, and to whoever watches its figures."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, Table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WORDS = {
    "zh-Hans": {"low": "磁盘快满了，请清理", "full": "账本写不进去，请清出空间"},
    "en": {"low": "Disk nearly full, make room soon", "full": "Ledger cannot be written: make room"},
}


def metric(table: Table) -> float:
    """Return the figure that an owner's monitoring reads."""
    with urllib.request.urlopen(f"{table.origin}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return float(next(line for line in lines if line.startswith("mjt_ledger_alarm ")).split()[1])


@pytest.mark.parametrize("language", WORDS)
def test_the_alarm_is_read_on_screen_phone_and_machine_page(
    language: str, make_table: Callable[[], Table]
) -> None:
    table = make_table()
    wide = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?lang={language}&side=1", PHONE)
    machine = table.open(f"/machine?lang={language}", WIDE)
    rail = wide.locator('[data-hook="rail-right"]').first
    health = {"link": "up", "camera": "down", "clock_ok": True}
    other = [{"code": "dice.unsure", "params": {}}]
    for number, level in enumerate(("low", "full"), start=1):
        table.do(lambda level=level: table.service.go(health={**health, "ledger": level}, notices=other))  # type: ignore[misc]
        words = WORDS[language][level]
        expect(rail).to_have_text(words)
        expect(phone.locator('[data-hook="notices"]')).to_contain_text(words)
        expect(machine.locator('[data-hook="notices"]')).to_contain_text(words)
        assert metric(table) == number
    table.do(lambda: table.service.go(health={**health, "ledger": "ok"}, notices=[]))
    expect(rail).not_to_have_text(WORDS[language]["full"])
    assert metric(table) == 0
    assert table.complaints == []
