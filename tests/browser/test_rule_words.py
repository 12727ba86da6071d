"""What the pages say of a rule set's hand: amounts, whole hands, claimed tiles, remarks, in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from controller.codes import NOTICES
from firmware_bridge.messages import Reason
from tests.browser.conftest import PHONE, WIDE, Table
from tests.browser.test_pages import LANGUAGES, audit, settle, to_confirm

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

CUT = "(node) => node.scrollWidth > node.clientWidth"
HAN = re.compile(r"[\u4e00-\u9fff]")


def turned(sets: Locator) -> list[list[str]]:
    """Return the tiles of each set as they are shown, a turned one in brackets."""
    return [
        [
            f"({name})" if "turned" in (tile.get_attribute("class") or "").split() else str(name)
            for tile in box.locator(".tile").all()
            for name in [tile.get_attribute("data-tile")]
        ]
        for box in sets.locator(".setbox").all()
    ]


LAID = [["(4p)", "3p", "5p"], ["3m", "4m", "5m"], ["6p", "7p", "8p"], ["3s", "4s", "5s"], ["6s", "6s"]]


def test_a_claimed_tile_lies_turned_before_and_after_agreement_and_a_restart(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    phone = table.open("/table?side=1&lang=zh-Hans", PHONE)
    reads = screen.locator('.sheet [data-hook="read"]'), phone.locator('[data-hook="phone-read"]')
    settle(table)
    for read in reads:
        expect(read.locator(".turned")).to_have_count(1)
        assert turned(read) == [*LAID, ["e"]]
    box = reads[0].locator(".turned").bounding_box()
    assert box is not None
    assert box["width"] > 1.25 * box["height"]
    # the next hand, after which only the ledger knows how the tiles lay
    table.do(lambda: table.service.go(phase="IDLE", reading=None, result=None))
    flank = screen.locator('.flank.right [data-hook="last-tiles"]')
    expect(flank).to_be_visible()
    assert turned(flank) == LAID
    audit(screen, phone)


def test_a_hand_that_was_written_down_tells_where_a_pung_came_from_but_not_which_tile_of_a_chow(
    table: Table,
) -> None:
    screen = table.open("/table?lang=en", WIDE)
    text = "[345p,1] [222p,2] [9999m,3] [5555s+,2] P + P"
    last = {**table.service.hands[0], "hand_text": text, "laid": None}
    table.do(lambda: table.service.go(last=last))
    flank = screen.locator('.flank.right [data-hook="last-tiles"]')
    expect(flank.locator(".turned")).to_have_count(3)
    assert turned(flank)[:4] == [
        ["3p", "4p", "5p"],
        ["2p", "(2p)", "2p"],
        ["9m", "9m", "9m", "(9m)"],
        ["5s", "(5s)", "5s", "5s"],
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_are_points_and_a_whole_hand_is_called_so(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?side=1&lang={language}", PHONE)
    to_confirm(table)
    expect(phone.locator('[data-hook="phone-unit"]')).to_have_text(
        {"zh-Hans": "分", "en": "points"}[language]
    )
    phone.locator('[data-hook="phone-reasons"] summary').click()
    whole = {"zh-Hans": "整手牌", "en": "whole hand"}[language]
    for page, rows in ((screen, "rows"), (phone, "phone-why-rows")):
        shown = page.locator(f'[data-hook="{rows}"] > li .whole')
        assert shown.all_inner_texts() == ["", whole, whole, "", ""]
        title = page.locator(".uncounted:visible > p")
        expect(title).to_have_text({"zh-Hans": "不计", "en": "Not counted"}[language])
    assert phone.locator('[data-hook="phone-rows"] .whole').all_inner_texts() == [""] * 5
    for page, rows in ((screen, "rows"), (phone, "phone-why-rows")):
        # the nine tiles of an element of three sets stand in one row
        tops = {
            box["y"]
            for tile in page.locator(f'[data-hook="{rows}"] .behind').first.locator(".tile").all()
            if (box := tile.bounding_box())
        }
        assert len(tops) == 1
        said = page.locator("body").inner_text()
        assert not re.search(r"\d 番|\bfan\b", said)
        if language == "en":
            for words in page.locator(".rows:visible, .uncounted:visible, .facts:visible").all_inner_texts():
                assert not HAN.search(words), words
    audit(screen, phone)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rail_names_the_rules_whole_and_a_remark_takes_their_place(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    rail = screen.locator('.seat[data-side="1"]')
    left, right = rail.locator(".rail-left"), rail.locator(".rail-right")
    rules = {"zh-Hans": "国标麻将", "en": "Chinese Official (MCR)"}[language]
    wall = {"left": 53, "stacks": None, "source": "camera"}
    for phase, step in (("READY", None), ("BUILDING", "open"), ("PLAYING", None), ("CLAIM", "read")):
        table.do(lambda phase=phase, step=step: table.service.go(phase=phase, step=step, wall=wall))  # type: ignore[misc]
        expect(left).to_contain_text(rules)
        assert not left.evaluate(CUT), phase
        assert not right.evaluate(CUT), phase
        audit(screen)
    claim = {"kind": "win", "seat": "N", "by": "discard", "from": None, "win_tile": None, "flags": []}
    asked: dict[str, Any] = {"act": [{"side": side, "do": "from"} for side in (1, 2, 3)]}
    params = {"side": 2, "seen": 3, "order": "lift", "reason": "busy", "options": "min_fan"}
    params |= {"tiles": "136", "at": 4, "want": 5, "number": "200", "why": "protocol version 1, ours is 2"}
    params |= {"marks": "2"}
    refusals = [("order.refused", reason.name) for reason in Reason if reason is not Reason.none]
    for code, reason in (
        *((code, "busy") for code in (*NOTICES, "refuse.self", "refuse.seat_short")),
        *refusals,
    ):
        notice = {"code": code, "params": {**params, "reason": reason}}
        told = {"notices": [notice], "claim": {**claim, "sources": {}}}
        table.do(lambda told=told: table.service.go(phase="CLAIM", step="from", **told, **asked))  # type: ignore[misc]
        expect(left).not_to_contain_text(rules)
        expect(right).not_to_contain_text("53")
        assert not right.evaluate(CUT), (code, right.inner_text())
        assert not rail.locator(".corner-left").evaluate(CUT)
        audit(screen)


def test_only_a_win_offers_its_photo_and_count(table: Table) -> None:
    screen = table.open("/table?lang=en", WIDE)
    phone = table.open("/table?side=1&lang=en", PHONE)
    opens = screen.locator('.flank.right [data-hook="last-open"]')
    expect(opens).to_be_visible()
    for kind in ("void", "drawn"):
        nothing = {"seat": None, "by": None, "hand_text": None, "elements": [], "total": 0}
        last = {**table.service.hands[0], **nothing, "kind": kind}
        table.do(lambda last=last: table.service.go(last=last))  # type: ignore[misc]
        expect(opens).to_be_hidden()
        button = phone.locator('[data-hook="phone-last-open"]')
        expect(button).to_have_text("Scores hand by hand")
    button.click()
    expect(phone.locator('[data-hook="graph"]')).to_be_visible()
    audit(screen, phone)


def test_what_a_hand_cost_stands_above_how_it_counts_and_under_no_button(table: Table) -> None:
    phone = table.open("/table?side=3&lang=zh-Hans", PHONE)
    settle(table)
    table.do(lambda: table.service.go(act=[{"side": 2, "do": "start"}]))
    foot = phone.locator(".phonefoot")
    expect(foot.locator('[data-hook="phone-turn"]')).to_have_text("等 普洱 按开始")
    pay, reasons = phone.locator('[data-hook="phone-pay"]'), phone.locator('[data-hook="phone-reasons"]')
    expect(reasons).to_have_attribute("open", "")
    for part in (pay, reasons, phone.locator('[data-hook="phone-after"]')):
        one, under = part.bounding_box(), foot.bounding_box()
        assert one is not None
        assert under is not None
        assert one["y"] + one["height"] <= under["y"]
    paid, counted = pay.bounding_box(), reasons.bounding_box()
    assert paid is not None
    assert counted is not None
    assert paid["y"] + paid["height"] <= counted["y"]
    assert paid["y"] + paid["height"] <= PHONE["height"]
