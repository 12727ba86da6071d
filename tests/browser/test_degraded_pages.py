"""What the pages show when something of the table is gone, and how long somebody has, counted down."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, Table
from tests.browser.test_pages import LANGUAGES, audit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GONE = {"link": "down", "camera": "up", "clock_ok": True, "ledger": "ok"}
WORDS = {
    "zh-Hans": ("控制板没有回应", "手码牌", "手掷", "先搁着"),
    "en": ("Board does not answer", "Build and throw by hand", "throws by hand", "Enter it later"),
}


def at(what: str, side: int) -> list[dict[str, Any]]:
    return [{"side": side, "do": what}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_board_the_page_says_so_and_takes_dice_and_wall(table: Table, language: str) -> None:
    board, build, throws, _ = WORDS[language]
    screen = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?side=2&lang={language}", PHONE)
    dealer = {"dealer": "S"}
    table.do(lambda: table.service.go(phase="IDLE", step=None, act=at("start", 2), health=GONE, **dealer))
    card = screen.locator(".flank.right")
    expect(card).to_contain_text(board)
    expect(card).to_contain_text(build)
    expect(screen.locator(".seat.faulty")).to_have_count(4)
    expect(phone.locator('[data-hook="phone-fault"]')).to_contain_text(board)
    expect(screen.locator('.seat[data-side="2"] [data-command="by_hand"]')).to_be_visible()
    expect(phone.locator('[data-command="by_hand"]')).to_be_visible()
    audit(screen, phone)
    dice = {"throws": [], "thrower": "S", "asking": True, "opening": None}
    table.do(lambda: table.service.go(phase="DICE", step="ask", act=at("throw", 2), dice=dice))
    expect(phone.locator('[data-hook="phase"]')).to_contain_text(throws)
    audit(screen, phone)
    phone.locator('[data-do="break"]').click()
    dialog = phone.locator("dialog[open]")
    dialog.locator(".choices button").first.click()
    dialog.locator(".choices button").nth(2).click()
    send = dialog.locator(".send")
    expect(send).to_be_disabled()
    dialog.locator("input").fill("9")
    with phone.expect_request("**/commands/set_wall") as sent:
        send.click()
    told = sent.value.post_data_json
    assert (told["seat"], told["stack"]) == ("W", 9)
    expect(phone.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deadline_is_counted_down_without_a_word_from_the_table(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?side=3&lang={language}", PHONE)
    timer = {"what": "turn", "at_ms": 1_000_000 + 15_001, "of_ms": 15_001, "seats": ["W"], "then": "noted"}
    time = {"now_ms": 1_000_000, "timers": [timer]}
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=at("discard", 3), time=time))
    under = screen.locator('.seat[data-side="3"] [data-hook="under"]')
    expect(under).not_to_have_text("")
    told = under.inner_text()
    expect(under).not_to_have_text(told)  # nobody said anything: the page counts by itself
    expect(phone.locator('[data-hook="phase"]')).to_contain_text("秒" if language == "zh-Hans" else " s left")
    assert screen.locator('.seat[data-side="3"]').evaluate(
        "node => Number(node.style.getPropertyValue('--left')) < 1"
    )
    expect(screen.locator('.seat[data-side="3"] [data-command="stop_clock"]')).to_be_visible()
    audit(screen, phone)
    late = {"now_ms": 1_000_000 + 20_000, "timers": [timer]}
    table.do(lambda: table.service.go(act=[], time=late))
    expect(under).to_have_text("")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unread_win_is_put_aside_by_the_others(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("claim", seat="N", by="self_draw")
    reading = {"seat": "N", "hand": None, "sure": False, "source": "camera", "tiles": [], "melds": []}
    reading |= {"problems": ["camera.down"], "evidence": None}
    gone = {**GONE, "link": "up", "camera": "down"}
    table.do(lambda: table.service.go(phase="REVIEW", step=None, reading=reading, health=gone, aside=["E"]))
    buttons = screen.locator('[data-command="set_aside"]')
    expect(buttons).to_have_count(2)
    expect(buttons.first).to_contain_text(WORDS[language][3])
    audit(screen)
    last = {**table.service.state["last"], "kind": "void", "hand_text": None}
    last |= {"unread": [{"seat": "N", "by": "self_draw", "from": None}]}
    table.do(lambda: table.service.go(phase="IDLE", claim=None, reading=None, last=last))
    expect(screen.locator(".flank.right")).to_contain_text(
        "点“改错”补上" if language == "zh-Hans" else "to be entered"
    )
