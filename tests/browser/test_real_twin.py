"""One hand of the real table (firmware, camera, rules) played from the page: nothing here is made up.

A guest sits at side 1: starts, lifts, throws and decides on the pages, while robots move the wood. The table
screen speaks one language and the phone the other, then the other way round. Board and machine pages are open
all the while, and no page may complain or talk to anybody else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from rules.scoring import amount_to_number
from rules.variants import get_variant
from tests.browser.conftest import PHONE, WIDE
from tests.e2e.live_table import LiveTable, cli

pytestmark = [pytest.mark.browser, pytest.mark.e2e, pytest.mark.xdist_group("browser-twin")]

AUDIT = (Path(__file__).parent / "audit.js").read_text("utf-8")
SEED = 5
"""Hand 1: E deals and feeds W (乌龙), so the guest throws, pays, and has something to dispute."""
GUEST = 1
SPEED = 20
BUILD_S = 90.0
"""Wood takes its time: half a minute on an idle machine."""
NAMES = {"E": "龙井", "S": "普洱", "W": "乌龙", "N": "茉莉"}
BESIDE = ("1-idle", "3-build", "8b-wrong", "9-settled")
"""Moments at which pictures of board and machine are kept too."""
BOOKED = {"zh-Hans": "入账", "en": "Entered"}
NEVER_THERE = "N"
"""The wrong tile: no other of its kind is in the hand, so with it the hand is no win."""


class Desk:
    """Pages that look at one table; what they complain about and whom they talk to is kept."""

    def __init__(self, browser: Browser, origin: str, pictures: Path) -> None:
        self._browser, self._origin, self._pictures = browser, origin, pictures
        self._contexts: list[BrowserContext] = []
        self.pages: dict[str, Page] = {}
        self.complaints: list[str] = []
        self.asked = 0
        pictures.mkdir()

    def open(self, name: str, path: str, size: dict[str, int]) -> Page:
        context = self._browser.new_context(viewport=size)  # type: ignore[arg-type]
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda line: self._heard(name, line))
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        page.on("requestfailed", lambda one: self._failed(name, one.url, one.failure))
        page.on("request", lambda one: self._asks(name, one.url))
        page.goto(self._origin + path)
        page.locator("html[data-seq]").wait_for(state="attached")
        self.pages[name] = page
        return page

    def _heard(self, name: str, line: ConsoleMessage) -> None:
        if line.type in ("error", "warning"):
            self.complaints.append(f"{name}: {line.text}")

    def _failed(self, name: str, url: str, why: str | None) -> None:
        if not url.endswith("/events") and why != "net::ERR_ABORTED":
            self.complaints.append(f"{name}: {url} {why}")

    def _asks(self, name: str, url: str) -> None:
        self.asked += 1
        if not url.startswith((self._origin + "/", "data:")):
            self.complaints.append(f"{name}: asks {url}")

    def look(self, moment: str, seq: int) -> None:
        """Wait until all pages show `seq`, audit them, and keep pictures to look at."""
        for name, page in self.pages.items():
            page.wait_for_function("seq => Number(document.documentElement.dataset.seq) >= seq", arg=seq)
            if name in ("screen", "phone") or moment in BESIDE:
                page.screenshot(path=self._pictures / f"{moment}-{name}.png")
            assert page.evaluate(AUDIT) == [], f"{name} at {moment}"

    def close(self) -> None:
        for context in self._contexts:
            context.close()


class Hand:
    """The guest's hand, and what the table says to it."""

    def __init__(self, table: LiveTable, desk: Desk, screen: Page, phone: Page) -> None:
        self.table, self._desk, self._screen, self._phone = table, desk, screen, phone

    def reaches(self, phase: str, step: str | None = None, seconds: float = 60) -> dict[str, Any]:
        return self.table.wait(
            lambda state: state["phase"] == phase and step in (None, state["step"]), seconds
        )

    def looks(self, moment: str) -> None:
        self._desk.look(moment, self.table.state()["seq"])

    def presses(self, command: str, side: int = GUEST) -> None:
        """Touch a button of a side on the table screen."""
        self._screen.locator(f'.seat[data-side="{side}"] [data-command="{command}"]').click()

    def taps(self, command: str) -> None:
        """Touch a button on the phone."""
        self._phone.locator(f'[data-hook="phone-buttons"] [data-command="{command}"]').click()

    def corrects(self, index: int, tile: str, moment: str) -> dict[str, Any]:
        """Say on the phone what a tile is; return the state that knows."""
        phone = self._phone
        phone.locator(f'[data-hook="phone-read"] [data-index="{index}"]').click()
        phone.locator(f'[data-do="tab"][data-tab="{tile[1:] or "honor"}"]').click()
        phone.locator(f'.keys button[data-tile="{tile}"]').click()
        self.looks(moment)
        phone.locator('[data-do="send-tile"]').click()
        return self.table.wait(lambda state: tiles_of(state)[index] == tile)


def tiles_of(state: dict[str, Any]) -> list[str]:
    return [tile["tile"] for tile in (state["reading"] or {}).get("tiles", [])]


def number(node: Locator) -> str:
    return (node.get_attribute("data-text") or "").replace("−", "-")


def deltas_on(phone: Page) -> dict[str, float]:
    """Return what the phone shows that everybody paid or got, by the names it shows."""
    seats = {name: seat for seat, name in NAMES.items()}
    boxes = phone.locator('[data-hook="after-deltas"] .other').all()
    return {
        seats[str(box.locator("p").first.text_content())]: float(number(box.locator(".otherscore")))
        for box in boxes
    }


@pytest.mark.parametrize(
    ("ours", "theirs"), [("zh-Hans", "en"), ("en", "zh-Hans")], ids=["screen-zh", "screen-en"]
)
def test_a_guest_plays_a_hand_of_the_real_table(
    browser: Browser, tmp_path: Path, ours: str, theirs: str
) -> None:
    words = ("--twin", "--seed", str(SEED), "--speed", str(SPEED), "--guest", str(GUEST))
    with LiveTable(tmp_path / "data", *words) as table:
        desk = Desk(browser, table.url, tmp_path / "pictures")
        try:
            screen = desk.open("screen", f"/table?lang={ours}", WIDE)
            phone = desk.open("phone", f"/table?side={GUEST}&lang={theirs}", PHONE)
            board = desk.open("board", f"/board?lang={theirs}", WIDE)
            machine = desk.open("machine", f"/machine?lang={ours}", PHONE)
            hand = Hand(table, desk, screen, phone)
            until_the_claim(hand, screen)
            settled = from_claim_to_ledger(hand, phone)
            look_at_the_end(settled, ours, theirs, screen, phone, board, machine)
            hand.looks("9-settled")
        finally:
            desk.close()
        assert desk.complaints == []
        assert desk.asked > 4 * 10  # pages, scripts, styles, words: the listeners did listen
        assert table.stop() == 0
    check_ledger(tmp_path / "data", settled)


def until_the_claim(hand: Hand, screen: Page) -> None:
    """Start, push in, lift, throw, deal: each where the page offers it."""
    table = hand.table
    table.wait(lambda state: {seat: one["name"] for seat, one in state["seats"].items()} == NAMES)
    expect(screen.locator('.seat[data-side="3"] [data-hook="name"]')).to_have_text("乌龙")
    hand.looks("1-idle")
    hand.presses("start")
    hand.reaches("BUILDING", "load")
    hand.looks("2-load")
    hand.presses("start", side=3)
    table.wait(lambda state: sum(state["build"]["counts"]) > 20, BUILD_S)
    hand.looks("3-build")
    hand.reaches("READY", seconds=BUILD_S)
    hand.presses("lift")
    hand.reaches("DICE", "throw")
    hand.looks("4-throw")
    hand.presses("throw")
    state = hand.reaches("DEALING")  # the second throw, by the seat that was hit, is a robot's
    assert len(state["dice"]["throws"]) == 2
    hand.looks("5-deal")


def from_claim_to_ledger(hand: Hand, phone: Page) -> dict[str, Any]:
    """A robot wins on the guest's discard; the guest disputes, corrects a tile, takes that back, and pays."""
    table = hand.table
    hand.taps("dealt")
    hand.reaches("PLAYING")
    hand.reaches("CLAIM", "from")
    hand.looks("6-from")
    hand.taps("answer_from")
    state = hand.reaches("CONFIRM")
    was = tiles_of(state)
    assert (state["claim"]["seat"], state["claim"]["from"]) == ("W", "E")
    hand.looks("7-confirm")

    hand.taps("dispute")
    state = hand.reaches("REVIEW")
    assert tiles_of(state) == was
    index = len(was) - 2
    assert NEVER_THERE not in was
    hand.looks("8-review")  # the page knows of the dispute too, not the table alone
    state = hand.corrects(index, NEVER_THERE, "8a-pad")
    assert state["phase"] == "REVIEW"  # with that tile it is no win
    assert not state["result"]["legal"]
    hand.looks("8b-wrong")
    state = hand.corrects(index, was[index], "8c-back")
    hand.reaches("CONFIRM")
    table.wait(lambda state: [seat for seat, said in state["confirm"].items() if not said] == ["E"])
    hand.looks("8d-again")
    promised = table.state()["result"]["deltas"]
    hand.taps("confirm")
    state = hand.reaches("SETTLED")
    assert state["last"]["deltas"] == promised
    return dict(state["last"])


def look_at_the_end(
    last: dict[str, Any], ours: str, theirs: str, screen: Page, phone: Page, board: Page, machine: Page
) -> None:
    """What was settled stands on every page, with the red seal."""
    head = f"{last['head'][:4]} {last['head'][4:]}".upper()
    for page, language in ((screen, ours), (phone, theirs)):
        seal = page.locator('[data-hook="booked"]:visible, [data-hook="phone-booked"]:visible')
        expect(seal).to_have_text(BOOKED[language])
    expect(screen.locator('[data-hook="facts"]')).to_contain_text(head)
    expect(phone.locator('[data-hook="phone-entered"]')).to_contain_text(head)
    assert deltas_on(phone) == {seat: float(points) for seat, points in last["deltas"].items()}
    parts = screen.locator('[data-hook="equation"] .part').all()
    shown = {str(part.get_attribute("data-key")): float(number(part.locator(".amount"))) for part in parts}
    assert shown == {
        f"{'+' if points > 0 else '-'}{seat}": abs(float(points))
        for seat, points in last["deltas"].items()
        if points
    }
    expect(board.locator('[data-hook="hands"] li').first).to_contain_text("乌龙")
    gain = board.locator('[data-hook="hands"] li .handsum').first
    assert float(number(gain)) == float(last["deltas"]["W"])
    expect(machine.locator('[data-hook="fault-what"]')).to_be_visible()


def check_ledger(data: Path, last: dict[str, Any]) -> None:
    """The ledger is whole up to the seal on the page, and tells the same story."""
    verified = cli("journal", "verify", "--head", last["head"], "--data", str(data))
    assert verified.returncode == 0, verified.stderr
    exported = cli("journal", "export", "--data", str(data))
    rows = [json.loads(line) for line in exported.stdout.splitlines()]
    kinds = [row["kind"] for row in rows]
    assert kinds.count("disputed") == 1
    assert kinds.count("corrected") == 2
    assert kinds.count("settled") == 1
    body = rows[kinds.index("settled")]["body"]
    unit = get_variant("simplest").unit
    assert {seat: amount_to_number(units, unit) for seat, units in body["deltas"].items()} == last["deltas"]
    assert "乌龙" not in exported.stdout  # names never enter the ledger
