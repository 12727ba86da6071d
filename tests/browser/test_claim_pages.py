"""What goes on around a claim, on the pages: a win that is none."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE, Table
from tests.browser.test_pages import audit, sent

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def to_review(table: Table) -> None:
    """North's hand lies there and is in doubt."""
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("claim", seat="N", by="discard", from_="E")
    table.tell("laid", seat="N")
    table.wait_phase("REVIEW")


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_false_win_is_called_agreed_and_shown(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    phones = {side: table.open(f"/table?side={side}&lang={language}", PHONE) for side in (1, 4)}
    to_review(table)
    screen.locator('[data-hook="review"] [data-command="false_win"]').click()
    table.wait_phase("CONFIRM")
    assert table.service.commands[-1][1] == {"seat": "N"}
    title = screen.locator('[data-hook="sheet-title"]')
    expect(title).to_contain_text("茉莉")
    expect(title).to_contain_text("诈和，每家付 10" if language == "zh-Hans" else "10 to each")
    expect(phones[1].locator('[data-hook="phone-turn"]')).to_contain_text("10")
    audit(screen, *phones.values())
    phones[4].locator('[data-hook="phone-buttons"] [data-command="dispute"]').click()  # he says it is one
    table.wait_phase("REVIEW")
    screen.locator('[data-hook="review"] [data-command="false_win"]').click()
    table.wait_phase("CONFIRM")
    phones[1].locator('[data-hook="phone-buttons"] [data-command="confirm"]').click()
    for side in (2, 3):
        screen.locator(f'.seat[data-side="{side}"] [data-command="confirm"]').click()
    table.wait_phase("PLAYING")
    expect(screen.locator('.seat[data-side="4"] [data-hook="turn"]')).to_have_text(
        "诈和，只抓打" if language == "zh-Hans" else "False win, discards only"
    )
    expect(screen.locator('.seat[data-side="4"] [data-command="claim"]')).to_have_count(0)
    expect(screen.locator('.seat[data-side="1"] [data-hook="score"]')).to_have_attribute("data-text", "+81")
    audit(screen, *phones.values())


def test_a_false_win_without_a_hand_is_called_from_the_menu(table: Table) -> None:
    phone = table.open("/table?side=2&lang=zh-Hans", PHONE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    phone.locator('[data-hook="phone-buttons"] [data-do="more"]').click()
    phone.locator('[data-hook="phone-more"] [data-do="false_win"]').click()
    asking = phone.locator("dialog[open]")
    expect(asking.locator("h2")).to_have_text("谁诈和？")
    audit(phone)
    asking.get_by_role("button", name="茉莉").click()
    table.wait_phase("CONFIRM")
    assert table.service.commands[-1][:2] == ("false_win", {"seat": "N", "by": "S"})
    audit(phone)
    phone.locator('[data-hook="phone-buttons"] [data-command="withdraw"]').click()
    table.wait_phase("PLAYING")


def test_the_last_hand_tells_of_it(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    last = {**table.service.state["last"], "kind": "void", "hand_text": None}
    last["false_wins"] = [{"seat": "N", "deltas": {"E": 10, "S": 10, "W": 10, "N": -30}}]
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[], last=last))
    expect(screen.locator('[data-hook="last-what"]').first).to_contain_text("诈和：茉莉")
    audit(screen)


def test_the_winner_states_his_points_and_all_see_both_values(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    winner = table.open("/table?side=4&lang=en", PHONE)
    to_review(table)
    table.tell("correct_tile", index=6, tile="6p")
    table.wait_phase("CONFIRM")
    winner.locator('[data-hook="phone-buttons"] [data-do="points"]').click()
    asking = winner.locator("dialog[open]")
    field, send = asking.locator("input"), asking.locator(".send")
    field.fill("many")
    expect(send).to_be_disabled()
    field.fill("12")
    audit(winner)
    send.click()
    expect(winner.locator("dialog[open]")).to_have_count(0)
    expect(screen.locator('[data-hook="facts"]')).to_contain_text("报 12，核 14，按核的算")
    expect(winner.locator('[data-hook="phone-why"]')).to_contain_text("Stated 12, checked 14, checked counts")
    assert table.service.commands[-1][:2] == ("state_points", {"seat": "N", "points": 12})
    audit(screen, winner)


def test_a_kong_is_taken_back_or_left_unpaid_by_touch(table: Table) -> None:
    phone = table.open("/table?side=4&lang=zh-Hans", PHONE)
    screen = table.open("/table?lang=en", WIDE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("declare_kong", seat="N", kind="concealed_kong", tile="5m")
    table.tell("declare_kong", seat="E", kind="concealed_kong", tile="C")
    phone.locator('[data-hook="phone-buttons"] [data-do="more"]').click()
    phone.locator('[data-hook="phone-more"] [data-do="unkong"]').click()
    asking = phone.locator("dialog[open]")
    expect(asking.locator(".choices .btn")).to_have_count(1)  # his own
    audit(phone)
    asking.locator(".choices .btn").click()
    expect(phone.locator("dialog[open]")).to_have_count(0)
    sent(table, "withdraw_kong", seat="N")  # which one, the screen of all four does not know
    to_review(table)
    problems = {**table.service.state["reading"], "problems": ["kong.undeclared"], "hand": "(5555m) EE + E"}
    table.do(lambda: table.service.go(reading=problems))
    audit(screen)
    screen.locator('[data-hook="review"] [data-do="unkong"]').click()
    expect(screen.locator("dialog[open] .choices .btn")).to_contain_text("龙井")
    screen.locator("dialog[open] .quiet").click()
    screen.locator('[data-hook="review"] [data-do="waive"]').click()
    sent(table, "correct", hand="(5555m) EE + E", waive_kongs=True)


@pytest.mark.parametrize(("phase", "step", "do"), [("READY", None, "lift"), ("DICE", "throw", "throw")])
def test_a_hand_is_called_off_before_the_deal(table: Table, phase: str, step: str | None, do: str) -> None:
    phone = table.open("/table?side=2&lang=en", PHONE)
    turn = [{"side": 2, "do": do}]
    table.do(lambda: table.service.go(phase=phase, step=step, act=turn))
    button = phone.locator('[data-hook="phone-buttons"] [data-do="void"]')
    expect(button).to_be_visible()
    audit(phone)
    button.click()
    expect(phone.locator("dialog[open] .choices .btn")).to_have_count(3)
    table.do(lambda: table.service.go(hand=table.service.state["last"]["hand"]))  # this one is settled
    expect(button).to_have_count(0)


def test_what_was_not_in_order_is_noted_by_touch(table: Table) -> None:
    phone = table.open("/table?side=1&lang=zh-Hans", PHONE)
    screen = table.open("/table?lang=en", WIDE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    phone.locator('[data-hook="phone-buttons"] [data-do="more"]').click()
    phone.locator('[data-hook="phone-more"] [data-do="note"]').click()
    asking = phone.locator("dialog[open]")
    asking.get_by_role("button", name="抢先抓牌").click()
    audit(phone)
    asking.get_by_role("button", name="乌龙").click()
    sent(table, "irregularity", seat="W", kind="early_draw", by="E")
    expect(screen.locator('.seat[data-side="3"] [data-hook="under"]')).to_have_text("Drew too early")
    audit(screen)
    to_review(table)
    screen.locator('[data-hook="review"] [data-do="note"]').click()
    screen.get_by_role("button", name="Showed tiles early").click()
    expect(screen.locator("dialog[open] .choices .btn")).to_have_count(3)  # not the winner
    screen.get_by_role("button", name="普洱").click()
    sent(table, "irregularity", seat="S", kind="premature_reveal")


def test_the_referee_is_asked_and_answers_on_the_sheet(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    to_review(table)
    table.tell("correct_tile", index=6, tile="6p")
    table.wait_phase("CONFIRM")
    agreed = {"E": "yes", "S": "yes", "W": "yes"}
    table.do(lambda: table.service.go(referee=True, act=[], confirm=agreed))
    expect(screen.locator('.seat[data-side="1"] [data-hook="rail-mid"]')).to_have_text("都同意了，等裁判核和")
    audit(screen)
    screen.locator('[data-hook="review"] [data-command="check_win"]').first.click()
    table.wait_phase("SETTLED")
    assert table.service.commands[-1] == ("check_win", {"ok": True}, "referee")


def test_several_winners_are_told_on_the_sheet(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    phone = table.open("/table?side=1&lang=en", PHONE)
    to_review(table)
    table.tell("correct_tile", index=6, tile="6p")
    table.wait_phase("CONFIRM")
    also = [{"seat": "S", "total": 12}, {"seat": "W", "total": None}]
    table.do(lambda: table.service.go(also=also))
    facts = screen.locator('[data-hook="facts"]')
    expect(facts).to_contain_text("普洱 也和，12")
    expect(facts).to_contain_text("还有 乌龙 也和，一家一家看")
    expect(phone.locator('[data-hook="phone-why"]')).to_contain_text("普洱 wins too, 12")
    audit(screen, phone)
    for seat in "ESW":
        table.tell("confirm", seat=seat)
    table.wait_phase("SETTLED")
    last = {**table.service.state["last"], "also": [{"seat": "S", "total": 12}]}
    table.do(lambda: table.service.go(last=last))
    expect(facts).to_contain_text("普洱 也和，12")


def test_a_referee_rules_on_a_false_win_and_sets_the_amount_where_it_was_meant(table: Table) -> None:
    tablet = table.open("/table?lang=zh-Hans", WIDE)
    phone = table.open("/table?side=1&lang=zh-Hans", PHONE)
    to_review(table)
    expect(phone.locator('[data-hook="phone-buttons"] [data-do="note"]')).to_be_visible()
    expect(phone.locator('[data-hook="phone-buttons"] [data-do="ruling"]')).to_have_count(0)
    tablet.locator('[data-hook="review"] [data-do="ruling"]').click()
    asking = tablet.locator("dialog[open]")
    meant = asking.get_by_role("button", name="故意的，每家付这么多")
    expect(meant).to_be_disabled()
    asking.locator("input").fill("20")
    audit(tablet)
    meant.click()
    table.wait_phase("PLAYING")
    told = {"seat": "N", "deliberate": True, "each": 20}
    assert table.service.commands[-1] == ("rule_false_win", told, "referee")
