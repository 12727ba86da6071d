"""Sitting down with a phone: the codes on the table's screen, the page they lead to, whose phone it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, Table
from tests.browser.test_pages import audit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def codes(table: Table, screen: Page) -> dict[int, str]:
    """Show the codes on the table's screen; return the path that each side's code leads to."""
    screen.locator('[data-do="invite"]').click()
    plates = screen.locator("dialog[open] .invite")
    expect(plates).to_have_count(4)
    urls = plates.locator("svg").evaluate_all(
        "all => all.map((one) => [one.parentElement.dataset.side, one.dataset.url])"
    )
    assert all(url.startswith(f"{table.origin}/join#") for _, url in urls)
    return {int(side): url.removeprefix(table.origin) for side, url in urls}


def test_a_phone_sits_down_by_the_code_of_its_seat_and_speaks_for_it_alone(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    paths = codes(table, screen)
    audit(screen)
    phone = table.open(paths[2].replace("/join#", "/join?lang=en#"), PHONE)
    expect(phone.locator("h1")).to_have_text("Side 2: 普洱")
    audit(phone)
    phone.locator("input").fill("铁观音")
    phone.locator('[data-hook="sit"]').click()
    phone.wait_for_url(f"{table.origin}/table")
    expect(phone.locator('[data-hook="my-name"]')).to_have_text("铁观音")
    fresh = screen.locator('dialog[open] .invite[data-side="2"] svg')
    expect(fresh).not_to_have_attribute("data-url", table.origin + paths[2])  # the used one is gone
    expect(screen.locator('dialog[open] .invite[data-side="2"] .second')).not_to_be_empty()
    screen.locator("dialog[open] .quiet").click()
    seats = table.service.state["seats"]

    def move() -> None:
        seats["S"]["player"], seats["W"]["player"] = seats["W"]["player"], seats["S"]["player"]
        seats["S"]["name"], seats["W"]["name"] = seats["W"]["name"], seats["S"]["name"]
        table.service.fact()

    table.do(move)
    expect(phone.locator('[data-hook="my-wind"]')).to_contain_text("S")  # he sits at W now, his wind is South
    answer = phone.evaluate(
        """async () => (await (await fetch("/api/v1/commands/confirm", {method: "POST",
        headers: {"Content-Type": "application/json"}, body: '{"seat": "S"}'})).json()).error"""
    )
    assert answer == {"code": "refuse.seat", "params": {"seat": "W"}}
    audit(phone)
    phone.locator('[data-hook="leave"]').click()
    expect(phone.locator('[data-hook="choices"] .btn')).to_have_count(4)


@pytest.mark.parametrize("lang", ["zh-Hans", "en"])
def test_a_code_that_was_used_says_so_once_and_clearly(table: Table, lang: str, tmp_path: Path) -> None:
    screen = table.open("/table?lang=en", WIDE)
    path = codes(table, screen)[3].replace("/join#", f"/join?lang={lang}#")
    first, second = table.open(path, PHONE), table.open(path, PHONE)
    first.locator('[data-hook="sit"]').click()
    first.wait_for_url(f"{table.origin}/table")
    second.locator('[data-hook="sit"]').click()
    words = second.locator('[data-hook="words"]')
    expect(words).to_have_text(
        "这个码用过或过期了，再扫桌上的码"
        if lang == "zh-Hans"
        else second.evaluate(
            "async () => (await (await fetch('/static/i18n/en.json')).json())['request.join_stale']"
        )
    )
    expect(second.locator('[data-hook="sit"]')).to_be_hidden()
    audit(second)
    late = table.open(path, PHONE)
    expect(late.locator('[data-hook="sit"]')).to_be_hidden()
    expect(late.locator('[data-hook="words"]')).to_have_text(words.inner_text())


def test_everybody_s_figures_are_shown_on_table_and_phone(table: Table) -> None:
    for page in (table.open("/table?lang=zh-Hans", WIDE), table.open("/table?side=1&lang=en", PHONE)):
        page.locator('[data-do="statistics"]').locator("visible=true").first.click()
        cards = page.locator("dialog[open] .figures")
        expect(cards.nth(1)).to_contain_text("普洱")
        expect(cards.nth(1).locator("dd")).to_have_text(["3", "1", "1", "1", "12", "12", "0"])
        expect(cards.nth(0).locator("dd")).to_have_text(["3", "0", "0", "0", "–", "–", "0"])
        audit(page)
