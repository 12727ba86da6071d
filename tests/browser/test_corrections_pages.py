"""Putting right what was booked wrongly, as people press it: the wish, the answers, the mark that stays."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, WIDE, Table
from tests.browser.test_pages import LANGUAGES, audit

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

I18N = Path(__file__).parents[2] / "controller" / "web" / "static" / "i18n"
WORDS = {tag: json.loads((I18N / f"{tag}.json").read_text("utf-8")) for tag in LANGUAGES}
HAN = WORDS["zh-Hans"]


def phone_at(table: Table, side: int, language: str = "zh-Hans") -> Page:
    return table.open(f"/table?side={side}&lang={language}", PHONE)


def wish(page: Page, side: int, choices: Sequence[str]) -> None:
    """Open the wishes of a side and press one choice after the other."""
    on_screen = page.locator(f'.seat[data-side="{side}"] [data-do="amend"]')
    on_phone = page.locator('[data-hook="phone-buttons"] [data-do="amend"]')
    (on_screen if page.viewport_size == WIDE else on_phone).click()
    for choice in choices:
        page.locator("dialog[open]").get_by_role("button", name=choice, exact=True).click()


def agree(table: Table, *seats: str) -> None:
    deadline = time.monotonic() + 8
    while table.service.state["correction"] is None:
        assert time.monotonic() < deadline, "nothing is asked for"
        time.sleep(0.01)
    for seat in seats:
        table.tell("agree_correction", seat=seat)


def score(page: Page, side: int) -> Locator:
    return page.locator(f'.seat[data-side="{side}"] [data-hook="score"]')


def last_command(table: Table, name: str) -> dict[str, Any]:
    """Return what the page sent last by a command's name, once it has arrived."""
    deadline = time.monotonic() + 8
    while not (sent := [dict(body) for said, body, _ in table.service.commands if said == name]):
        assert time.monotonic() < deadline, f"no {name} was sent"
        time.sleep(0.01)
    return sent[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_hand_is_undone_when_all_four_agree(table: Table, language: str) -> None:
    words = WORDS[language]
    screen, phone = table.open(f"/table?lang={language}", WIDE), phone_at(table, 1, language)
    board = table.open(f"/board?lang={language}", WIDE)
    audit(screen, phone)
    wish(phone, 1, [words["amend.undo"], words["amend.because.wrong_payer"]])
    card = screen.locator(".flank.right .amendcard")
    expect(card.locator('[data-hook="amend-what"]')).to_have_text(words["amend.wish.undo"])
    expect(card.locator('[data-hook="amend-why"]')).to_contain_text(words["amend.because.wrong_payer"])
    expect(card.locator('[data-hook="amend-changes"] li').first).to_contain_text("+71 → +38")
    expect(card.locator('[data-hook="amend-rule"]')).to_be_hidden()
    expect(screen.locator(".seat[data-act]")).to_have_count(3)  # who asked has agreed
    expect(phone.locator('[data-hook="phone-wish"] h2')).to_have_text(words["amend.wish.undo"])
    audit(screen, phone, board)
    screen.locator('.seat[data-side="2"] [data-command="agree_correction"]').click()
    screen.locator('.seat[data-side="3"] [data-command="agree_correction"]').click()
    expect(score(screen, 1)).to_have_attribute("data-text", "+71")
    screen.locator('.seat[data-side="4"] [data-command="agree_correction"]').click()
    expect(score(screen, 1)).to_have_attribute("data-text", "+38")
    flank = screen.locator(".flank.right .lasthand")
    expect(flank.locator('[data-hook="last-mark"]')).to_have_text(words["seal.amended"])
    expect(flank.locator('[data-hook="last-how"]')).to_contain_text(words["amend.because.wrong_payer"])
    expect(flank.locator('[data-hook="last-how"]')).to_contain_text("龙井")  # what it was, and who asked
    expect(board.locator('[data-hook="hands"] li').first).to_contain_text(words["amend.because.wrong_payer"])
    audit(screen, phone, board)


def test_one_who_disagrees_ends_it_and_a_wish_can_be_taken_back(table: Table) -> None:
    screen, phone = table.open("/table?lang=zh-Hans", WIDE), phone_at(table, 2)
    wish(phone, 2, [HAN["amend.undo"], HAN["amend.because.hasty"]])
    expect(phone.locator('[data-key="take_back"]')).to_have_text(HAN["do.take_back"])
    phone.locator('[data-key="take_back"]').click()
    expect(phone.locator('[data-hook="phone-wish"]')).to_be_hidden()
    wish(phone, 2, [HAN["amend.undo"]])
    dialog = phone.locator("dialog[open]")
    dialog.locator("input").fill("第三家没看见")
    dialog.get_by_role("button", name=HAN["amend.send"]).click()
    expect(screen.locator(".flank.right .amendcard")).to_contain_text("普洱 提出：第三家没看见")
    screen.locator('.seat[data-side="3"] [data-command="reject_correction"]').click()
    expect(screen.locator(".amendcard")).to_have_count(0)
    expect(score(screen, 1)).to_have_attribute("data-text", "+71")


@pytest.mark.parametrize("language", ["en"])
def test_an_older_hand_is_corrected_from_the_screen(table: Table, language: str) -> None:
    words = WORDS[language]
    screen = table.open(f"/table?lang={language}", WIDE)
    choices = [words["amend.result"]]
    wish(screen, 3, choices)
    dialog = screen.locator("dialog[open]")
    dialog.get_by_role("button", name="2\u3000").click()
    for choice in (
        words["sheet.won"].format(name="龙井"),
        words["by.discard"].format(name="乌龙"),
        words["amend.tiles_same"],
    ):
        dialog.get_by_role("button", name=choice, exact=True).click()
    audit(screen)
    dialog.get_by_role("button", name=words["amend.because.wrong_payer"]).click()
    card = screen.locator(".flank.right .amendcard")
    expect(card.locator('[data-hook="amend-what"]')).to_contain_text("2")
    body = last_command(table, "correct_result")
    assert body == {
        "seat": "W",
        "hand": 2,
        "kind": "win",
        "winner": "E",
        "by": "discard",
        "from": "W",
        "flags": [],
        "flowers": [],
        "hand_text": "[111p,3] 234m 678s 99s 55s + 5s",
        "reason": "wrong_payer",
    }
    audit(screen)
    agree(table, "E", "S", "N")
    expect(score(screen, 1)).to_have_attribute("data-text", "+51")  # 71 - 54 + 34


def test_another_winner_needs_his_tiles(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    wish(screen, 1, [HAN["amend.result"]])
    dialog = screen.locator("dialog[open]")
    dialog.get_by_role("button", name="5\u3000").click()
    dialog.get_by_role("button", name="普洱 和了").click()
    dialog.get_by_role("button", name="茉莉 打出").click()
    for tile in ["1m"] * 3 + ["2m"] * 3 + ["3m"] * 3 + ["4m"] * 3 + ["5m"]:
        dialog.locator(f'.kongtiles [data-tile="{tile}"]').click()
    dialog.get_by_role("button", name=HAN["write.win"]).click()
    dialog.locator('.kongtiles [data-tile="5m"]').click()
    dialog.get_by_role("button", name=HAN["fix.send"]).click()
    dialog.get_by_role("button", name=HAN["amend.because.wrong_winner"]).click()
    expect(screen.locator(".flank.right .amendcard")).to_be_visible()
    body = last_command(table, "correct_result")
    assert (body["winner"], body["from"], body["hand_text"]) == ("S", "N", "1m1m1m2m2m2m3m3m3m4m4m4m5m + 5m")


def write(page: Page, words: dict[str, str], concealed: Sequence[str], win: str) -> None:
    """Write a hand on the pad."""
    dialog = page.locator("dialog[open]")
    for tile in concealed:
        dialog.locator(f'.kongtiles [data-tile="{tile}"]').click()
    dialog.get_by_role("button", name=words["write.win"]).click()
    dialog.locator(f'.kongtiles [data-tile="{win}"]').click()
    dialog.get_by_role("button", name=words["fix.send"]).click()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_winner_and_the_kongs_are_told_with_a_result(table: Table, language: str) -> None:
    words = WORDS[language]
    table.service.hands[0]["kongs"] = [{"seat": "W", "kind": "added_kong", "tile": "9m", "robbed": False}]
    there = {**table.service.state["table"], "several": True, "kongs": True}
    table.do(lambda: table.service.go(table=there))
    screen = table.open(f"/table?lang={language}", WIDE)
    wish(screen, 1, [words["amend.result"]])
    dialog = screen.locator("dialog[open]")

    def press(name: str) -> None:
        dialog.get_by_role("button", name=name, exact=True).click()

    dialog.get_by_role("button", name="5\u3000").click()
    press(words["sheet.won"].format(name="龙井"))
    press(words["by.discard"].format(name="茉莉"))
    press(words["amend.tiles_same"])
    audit(screen)
    press(words["amend.also"].format(name="普洱"))
    write(screen, words, ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "E", "5s"], "5s")
    press(words["amend.nobody_else"])
    booked = words["amend.kong"].format(name="乌龙", kind=words["kong.added_kong"], tile=words["tile.9m"])
    audit(screen)
    press(words["amend.kong_out"].format(kong=booked))
    press(words["amend.kong_add"].format(name="龙井"))
    press(words["kong.concealed_kong"])
    dialog.locator('.kongtiles [data-tile="2s"]').click()
    press(words["kong.send"])
    press(words["amend.kongs_right"])
    press(words["amend.because.wrong_winner"])
    told = screen.locator('.flank.right .amendcard [data-hook="amend-what"]')
    expect(told).to_contain_text(words["amend.also"].format(name="普洱"))
    expect(told).to_contain_text(words["tile.2s"])
    body = last_command(table, "correct_result")
    assert (body["winner"], body["from"]) == ("E", "N")
    assert body["also"] == [
        {"winner": "S", "hand_text": "1m2m3m4p5p6p7s8s9sEEE5s + 5s", "flags": [], "flowers": []}
    ]
    assert body["kongs"] == [{"seat": "E", "kind": "concealed_kong", "tile": "2s"}]
    audit(screen)


def test_a_hand_from_before_a_change_of_seats_asks_for_who_sat_there_then(table: Table) -> None:
    sat = {"E": "p2", "S": "p1", "W": "p3", "N": "p4"}
    table.service.hands[0]["seats"] = sat
    screen = table.open("/table?lang=zh-Hans", WIDE)
    wish(screen, 1, [HAN["amend.result"]])
    dialog = screen.locator("dialog[open]")
    dialog.get_by_role("button", name="5\u3000").click()
    dialog.get_by_role("button", name="普洱 和了").click()  # who sat at East then
    dialog.get_by_role("button", name="龙井 打出").click()
    dialog.get_by_role("button", name=HAN["amend.tiles_same"]).click()
    dialog.get_by_role("button", name=HAN["amend.because.wrong_payer"]).click()
    expect(screen.locator(".flank.right .amendcard")).to_be_visible()
    body = last_command(table, "correct_result")
    assert (body["winner"], body["from"]) == ("E", "S")


@pytest.mark.parametrize("language", ["en"])
def test_two_who_sat_wrong_are_swapped(table: Table, language: str) -> None:
    words = WORDS[language]
    screen = table.open(f"/table?lang={language}", WIDE)
    names = "龙井、普洱" if language == "zh-Hans" else "龙井, 普洱"
    wish(screen, 1, [words["amend.swap"], names])
    dialog = screen.locator("dialog[open]")
    dialog.get_by_role("button", name="5\u3000").click()
    dialog.get_by_role("button", name=words["amend.stay"]).click()
    dialog.get_by_role("button", name=words["amend.because.sat_wrong"]).click()
    expect(screen.locator(".flank.right .amendcard h2")).to_contain_text(names)
    audit(screen)
    agree(table, "S", "W", "N")
    expect(screen.locator('.seat[data-side="1"] [data-hook="name"]')).to_have_text("普洱")
    expect(score(screen, 1)).to_have_attribute("data-text", "+43")  # -7 + 17 + 33
    body = last_command(table, "swap_players")
    assert (body["seats"], body["from_hand"], body["stay"]) == (["E", "S"], 5, True)


def test_a_player_is_replaced_and_the_new_one_named(table: Table) -> None:
    screen, phone = table.open("/table?lang=zh-Hans", WIDE), phone_at(table, 3)
    wish(screen, 4, [HAN["amend.player"], "乌龙 换别人来打", HAN["amend.because.has_to_go"]])
    assert last_command(table, "replace_player") == {
        "seat": "N",
        "place": "W",
        "reason": "has_to_go",
        "leaves": False,
    }
    agree(table, "E", "S", "W")
    name = screen.locator('.seat[data-side="3"] [data-hook="name"]')
    expect(name).to_have_text("p5")
    wish(phone, 3, [HAN["amend.name"]])
    phone.locator("dialog[open] input").fill("毛尖")
    phone.locator("dialog[open]").get_by_role("button", name=HAN["amend.name_send"]).click()
    expect(name).to_have_text("毛尖")
    wish(phone, 3, [HAN["amend.player"], "毛尖 离席", HAN["amend.because.has_to_go"]])
    agree(table, "E", "S", "N")
    expect(screen.locator('.seat[data-side="3"] [data-hook="name"]')).to_have_text(HAN["seat.W"])
    audit(screen, phone)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_ended_and_a_new_one_begun(table: Table, language: str) -> None:
    words = WORDS[language]
    screen, phone = table.open(f"/table?lang={language}", WIDE), phone_at(table, 1, language)
    board = table.open(f"/board?lang={language}", WIDE)
    wish(phone, 1, [words["amend.end"], words["amend.because.late"]])
    agree(table, "S", "W", "N")
    expect(screen.locator('.seat[data-side="1"] [data-hook="rail-mid"]')).to_have_text(words["phase.over"])
    expect(board.locator('[data-hook="state"]')).to_have_text(words["phase.name.OVER"])
    expect(screen.locator('[data-command="start"]')).to_have_count(0)
    for ranking in (screen.locator(".flank.right .reportcard"), phone.locator('[data-hook="phone-report"]')):
        lines = ranking.locator('[data-hook="report-ranks"] li')
        expect(lines).to_have_count(4)
        expect(lines.first).to_contain_text("普洱")  # as the example of the report says
        expect(lines.nth(2)).to_contain_text("毛尖")  # a substitute, told apart
        expect(lines.nth(3)).to_contain_text("−36")
        expect(ranking.locator('[data-hook="report-transfers"] li')).to_have_count(3)
    audit(screen, phone, board)
    phone.locator('[data-command="new_game"]').click()
    expect(screen.locator('.seat[data-side="1"] [data-command="start"]')).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_of_seats_tells_everyone_whose_seat_is_his(table: Table, language: str) -> None:
    words = WORDS[language]
    screen, phone = table.open(f"/table?lang={language}", WIDE), phone_at(table, 1, language)
    change = {"circle_wind": "W", "moves": {"E": "S", "S": "E", "W": "N", "N": "W"}}
    table.do(lambda: table.service.go(phase="SETTLED", seat_change=change))
    names = {seat: one["name"] for seat, one in table.service.state["seats"].items()}
    for side, other in ((1, "S"), (2, "E"), (3, "N"), (4, "W")):
        under = screen.locator(f'.seat[data-side="{side}"] [data-hook="under"]')
        expect(under).to_have_text(words["seats.to"].replace("{name}", names[other]))
    expect(phone.locator('[data-hook="phone-turn"]')).to_have_text(
        words["seats.to"].replace("{name}", names["S"])
    )
    expect(screen.locator('.seat[data-side="1"] [data-hook="rail-mid"]')).to_have_text(words["phase.seats"])
    audit(screen, phone)
    hand = table.service.state["last"] or table.service.hands[0]
    sat = {seat: table.service.state["seats"][change["moves"][seat]]["player"] for seat in "ESWN"}
    table.do(lambda: table.service.go(phase="IDLE", seat_change=None, last={**hand, "players": sat}))
    won = screen.locator('.flank.right [data-hook="last-what"]')
    expect(won).to_contain_text(names[change["moves"][hand["seat"]]])


def test_a_referee_holds_his_seal_for_a_second(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans&referee=club-7", WIDE)
    table.tell("undo_result", seat="E", reason="misread")
    page.locator('.flank.right [data-do="rule"]').click()
    yes = page.locator('dialog[open] [data-hook="rule-yes"]')
    yes.click()  # a touch is not enough
    page.wait_for_timeout(100)
    assert "rule_correction" not in [name for name, _, _ in table.service.commands]
    audit(page)
    yes.dispatch_event("pointerdown")
    expect(page.locator('.flank.right [data-hook="last-how"]')).to_contain_text("裁判 撤销：牌看错了")
    body = last_command(table, "rule_correction")
    assert (body["accept"], body["referee"], body["id"]) == (True, "club-7", 41)
    table.tell("end_game", seat="E", reason="late")
    page.locator('.flank.right [data-do="rule"]').click()
    page.locator('dialog[open] [data-hook="rule-no"]').click()
    expect(page.locator(".amendcard")).to_have_count(0)
    assert table.service.state["over"] is None
