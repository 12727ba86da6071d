"""One hand through the pages as players press it, on a table screen and on phones, in both languages."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.web import sessions
from tests.browser.conftest import PHONE, WIDE, Table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

AUDIT = (Path(__file__).parent / "audit.js").read_text("utf-8")
LANGUAGES = ("zh-Hans", "en")
SIDES = (1, 2, 3, 4)


def audit(*pages: Page) -> None:
    for page in pages:
        page.wait_for_timeout(120)  # a frame or two: renders are gathered, pictures and figures are fetched
        assert page.evaluate(AUDIT) == [], page.url


class Screen:
    """The one table screen."""

    def __init__(self, table: Table, language: str) -> None:
        self.page = table.open(f"/table?lang={language}", WIDE)
        self.pages = [self.page]

    def press(self, side: int, command: str, more: str = "") -> None:
        self.page.locator(f'.seat[data-side="{side}"] [data-command="{command}"]{more}').click()

    def choose(self, side: int, what: str) -> None:
        self.page.locator(f'.seat[data-side="{side}"] [data-do="{what}"]').click()

    def correct(self, side: int, index: int, tab: str, tile: str) -> None:
        sheet = self.page.locator('[data-hook="sheet"]')
        sheet.locator(f'[data-do="tile"][data-index="{index}"]').click()
        sheet.locator(f'[data-do="tab"][data-tab="{tab}"]').click()
        audit(self.page)
        sheet.locator(f'.keys [data-tile="{tile}"]').first.click()
        sheet.locator('[data-do="send-tile"]').click()

    def expect_total(self, total: str, hatched: bool) -> None:
        number = self.page.locator('[data-hook="total"]')
        expect(number).to_have_attribute("data-text", total)
        expect(number).to_have_attribute("data-confirmed", str(not hatched).lower())

    def expect_score(self, side: int, score: str) -> None:
        number = self.page.locator(f'.seat[data-side="{side}"] [data-hook="smallscore"]')
        expect(number).to_have_attribute("data-text", score)


class Phones:
    """Four phones, one at each side."""

    def __init__(self, table: Table, language: str) -> None:
        self.at = {side: table.open(f"/table?side={side}&lang={language}", PHONE) for side in SIDES}
        self.pages = list(self.at.values())

    def press(self, side: int, command: str, more: str = "") -> None:
        self.at[side].locator(f'[data-hook="phone-buttons"] [data-command="{command}"]{more}').click()

    def choose(self, side: int, what: str) -> None:
        self.at[side].locator(f'[data-hook="phone-buttons"] [data-do="{what}"]').click()

    def correct(self, side: int, index: int, tab: str, tile: str) -> None:
        page = self.at[side]
        page.locator(f'[data-hook="phone-read"] [data-index="{index}"]').click()
        page.locator(f'[data-do="tab"][data-tab="{tab}"]').click()
        audit(page)
        page.locator(f'.keys [data-tile="{tile}"]').first.click()
        page.locator('[data-do="send-tile"]').click()

    def expect_total(self, total: str, hatched: bool) -> None:
        for page in self.pages:
            number = page.locator('[data-hook="phone-num"]')
            expect(number).to_have_attribute("data-text", total)
            expect(number).to_have_attribute("data-confirmed", str(not hatched).lower())

    def expect_score(self, side: int, score: str) -> None:
        expect(self.at[side].locator('[data-hook="pay-new"]')).to_have_attribute("data-text", score)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [Screen, Phones])
def test_one_hand_with_a_dispute_and_a_corrected_tile(
    table: Table, kind: type[Screen] | type[Phones], language: str
) -> None:
    hands = kind(table, language)
    board = table.open(f"/board?lang={language}", WIDE)
    machine = table.open(
        f"/machine?lang={language}", PHONE if kind is Phones else {"width": 1280, "height": 800}
    )
    others = [board, machine]
    page = hands.pages[0]
    assert page.locator("html").get_attribute("lang") == language
    audit(*hands.pages, *others)

    hands.press(1, "start")
    table.wait_phase("BUILDING", "load")
    hands.press(3, "start")
    table.wait_phase("READY")
    hands.press(2, "lift")
    table.wait_phase("DICE", "throw")
    audit(*hands.pages, *others)
    hands.press(2, "throw")
    table.wait_phase("DICE", "throw")
    hands.press(4, "throw")
    table.wait_phase("DICE", "ask")
    hands.choose(4, "dice")  # the camera was not sure: a person says what lies there
    asking = (hands.at[4] if isinstance(hands, Phones) else page).locator("dialog[open]")
    asking.locator(".dicerow").nth(0).locator("button").nth(1).click()
    asking.locator(".dicerow").nth(1).locator("button").nth(2).click()
    asking.locator('[data-hook="send-dice"]').click()
    table.wait_phase("DEALING")
    expect(page.locator(".centre .break-bar, .phone-centre .break-bar")).to_have_count(1)
    hands.press(2, "dealt")
    table.wait_phase("PLAYING")
    audit(*hands.pages, *others)

    hands.press(4, "claim", '[data-key="claim"]')
    table.wait_phase("CLAIM", "from")
    audit(*hands.pages)
    hands.press(1, "answer_from")
    hands.press(4, "laid")
    table.wait_phase("REVIEW")
    doubtful = page.locator(".tile.doubt").first
    expect(doubtful).to_have_attribute("data-confirmed", "false")
    audit(*hands.pages, *others)

    hands.correct(4, 6, "p", "6p")
    table.wait_phase("CONFIRM")
    hands.expect_total("14", hatched=True)
    audit(*hands.pages, *others)
    hands.press(2, "confirm")
    hands.press(3, "dispute")
    table.wait_phase("REVIEW")
    audit(*hands.pages)
    hands.correct(3, 6, "p", "9p")
    table.wait_phase("CONFIRM")
    hands.expect_total("11", hatched=True)
    assert table.service.state["confirm"] == {"E": None, "S": None, "W": None}  # all look again
    for side in (1, 2, 3):
        hands.press(side, "confirm")
    table.wait_phase("SETTLED")
    hands.expect_total("11", hatched=False)
    for side, score in ((1, "+52"), (2, "−15"), (3, "−74"), (4, "+37")):
        hands.expect_score(side, score)
    audit(*hands.pages, *others)
    expect(board.locator('[data-hook="hands"] li').first).to_contain_text("茉莉")
    expect(
        page.locator(".seal:visible").filter(has_text="入账" if language == "zh-Hans" else "Entered").first
    ).to_be_visible()
    hands.press(1, "start")
    table.wait_phase("BUILDING", "load")
    expect(page.locator('[data-hook="sheet"], [data-hook="at-sheet"]').first).to_be_hidden()


LONG = ("龙井茶" * 8, "Pu-erh of the old garden", "W" * 24, "茉莉Jasmine" * 2 + "茉莉茉莉茉莉")


def to_confirm(table: Table) -> None:
    """Bring the scripted hand to the point where three must agree."""
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("claim", seat="N", by="discard", from_="E")
    table.tell("laid", seat="N")
    table.wait_phase("REVIEW")
    table.tell("correct_tile", index=6, tile="6p")


@pytest.mark.parametrize(
    ("language", "look"),
    [
        ("zh-Hans", "theme=night"),
        ("en", "theme=day"),
        ("zh-Hans", "theme=hc&text=1.4"),
        ("en", "theme=night&text=1.4"),
    ],
)
def test_long_names_and_large_text_do_not_overlap(
    make_table: Callable[..., Table], language: str, look: str
) -> None:
    table = make_table(names=LONG)
    assert all(len(name) == 24 for name in LONG)
    pages = [
        table.open(f"/table?lang={language}&{look}", WIDE),
        table.open(f"/table?lang={language}&{look}", {"width": 1280, "height": 720}),
        table.open(f"/table?side=2&lang={language}&{look}", PHONE),
        table.open(f"/board?lang={language}&{look}", WIDE),
        table.open(f"/machine?lang={language}&{look}", PHONE),
    ]
    audit(*pages)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    audit(*pages)
    table.do(table.service.fault)
    audit(*pages)
    table.do(lambda: table.service.fault(None))
    to_confirm(table)
    audit(*pages)
    expect(pages[0].locator('.seat[data-side="1"] [data-hook="name"]')).to_have_attribute("title", LONG[0])


def test_a_fault_first_says_whether_play_goes_on(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    board = table.open("/board?lang=zh-Hans", WIDE)
    machine = table.open("/machine?lang=zh-Hans", {"width": 1280, "height": 800})
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.do(table.service.fault)
    card = screen.locator(".flank.right .faultcard")
    expect(card.locator("li").first).to_contain_text("这一盘照常打")
    expect(screen.locator('.seat.faulty[data-side="3"]')).to_have_count(1)
    expect(screen.locator(".seat[data-act]")).to_have_count(0)  # a fault never takes the lamp
    expect(board.locator('[data-hook="line"]')).to_have_text("这一盘照常打")
    expect(machine.locator('[data-hook="fault-what"]')).to_contain_text("303")
    audit(screen, board, machine)
    machine.locator('[data-command="clear_fault"]').click()
    expect(machine.locator('[data-hook="fault-what"]')).to_have_text("没有故障")
    machine.locator(".btn.stop").click()
    expect(machine.locator('[data-hook="fault-what"]')).to_contain_text("机器已停")
    assert [name for name, _, role in table.service.commands if role == "player"] == [
        "clear_fault",
        "stop",
    ] or [(name, role) for name, _, role in table.service.commands] == [
        ("clear_fault", "technician"),
        ("stop", "technician"),
    ]


def test_the_other_set_is_shown_beside_the_hand(table: Table) -> None:
    screen = table.open("/table?lang=zh-Hans", WIDE)
    phone = table.open("/table?side=1&lang=en", PHONE)
    build = {**table.service.state["build"], "tiles": 136}

    def other(state: str, tiles: int) -> None:
        shown = {**build, "other": {"set": 2, "state": state, "tiles": tiles}}
        table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[], build=shown))

    other("building", 68)
    expect(screen.locator('[data-hook="rail-right"]').first).to_contain_text("另一副在码 68 / 136")
    expect(phone.locator('[data-hook="wall-left"]')).to_contain_text("Other set: 68 of 136")
    audit(screen, phone)
    other("built", 136)
    expect(screen.locator('[data-hook="rail-right"]').first).to_contain_text("另一副已码好")
    load = [{"side": side, "do": "load"} for side in SIDES]
    table.do(lambda: table.service.go(phase="LIFTING", step="load", act=load))
    screen.locator('.seat[data-side="1"] [data-command="start"]').click()
    audit(screen, phone)
    assert [name for name, _, _ in table.service.commands] == ["start"]


def test_silence_makes_the_page_say_since_when(table: Table) -> None:
    pages = [
        table.open("/table?lang=en", WIDE),
        table.open("/table?lang=en&side=1", PHONE),
        table.open("/board?lang=en", WIDE),
        table.open("/machine?lang=en", WIDE),
    ]
    for page in pages:
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 25_000; }")
        bar = page.locator(".stalebar:visible").first
        expect(bar).to_contain_text("Offline ")
        expect(bar).to_contain_text("score as of")
        audit(page)
    table.do(table.service.fact)
    for page in pages:
        expect(page.locator(".stalebar:visible")).to_have_count(0)


def test_the_page_finds_its_way_back_after_a_restart(table: Table) -> None:
    page = table.open("/table?lang=en&side=1", PHONE)
    expect(page.locator('[data-hook="live-word"]')).to_have_text("Live")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    page.context.set_offline(False)
    expect(page.locator('[data-hook="phase"]')).to_have_text("Playing")


def test_a_refusal_stands_near_the_hand_that_asked(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans", WIDE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    button = page.locator('.seat[data-side="2"] [data-key="self_draw"]')
    button.wait_for()
    table.service.state["phase"] = "SETTLED"  # somebody was faster, the page has not heard yet
    button.click()
    bar = page.locator('.seat[data-side="2"] > .refusal')
    expect(bar).to_contain_text("现在不能报和")
    expect(bar).to_contain_text("refuse.claim")
    audit(page)
    expect(bar).to_be_hidden(timeout=8000)


def test_a_press_tells_the_state_it_was_decided_on(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans", WIDE)
    button = page.locator('.seat[data-side="1"] [data-command="start"]')
    button.wait_for()
    seen = f"{table.service.epoch}-{table.service.seq}"
    table.service.has_moved_on = True
    button.click()
    expect(page.locator('.seat[data-side="1"] > .refusal')).to_contain_text("桌上情况变了，看清再按")
    assert table.service.versions == [seen]


def test_keys_of_the_keyboard_move_no_wood(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans", WIDE)
    button = page.locator('.seat[data-side="1"] [data-command="start"]')
    button.focus()
    outline = button.evaluate("(node) => getComputedStyle(node).outlineWidth")
    assert outline in ("3px", "0px")
    page.keyboard.press("Enter")
    expect(page.locator('.seat[data-side="1"] > .refusal')).to_contain_text("键盘不行")
    page.keyboard.press("Space")
    assert table.service.commands == []


def test_people_and_machines_can_listen(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans", WIDE)
    rows = page.locator('[data-hook="score-rows"] tr')
    expect(rows).to_have_count(4)
    expect(rows.nth(2)).to_have_text("乌龙南−66")
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    expect(page.locator('[data-hook="live"]')).to_have_text("打牌")
    to_confirm(table)
    expect(page.locator('.sheet .tile[data-index="0"]')).to_have_attribute("aria-label", "四饼")


def test_quiet_displays_stay_still(table: Table) -> None:
    page = table.open("/table?lang=en", WIDE, reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll("*")].filter((node) => {
        const style = getComputedStyle(node);
        return parseFloat(style.transitionDuration) > 0 || style.animationName !== "none";
    }).length"""
    to_confirm(table)
    for seat in "ESW":
        table.tell("confirm", seat=seat)
    page.wait_for_timeout(100)
    assert page.evaluate(moving) == 0


def test_another_machine_shows_the_code_once(
    make_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "is_this_machine", lambda _request: False)
    monkeypatch.setattr(sessions.CodeGate, "is_open", property(lambda gate: False))
    monkeypatch.setattr(
        sessions.CodeGate,
        "__init__",
        lambda gate, _code, _init=sessions.CodeGate.__init__: _init(gate, "40718836"),
    )
    table = make_table()
    page = table.open("/table?lang=en&side=1", PHONE)
    page.locator('[data-command="start"]').click()
    dialog = page.locator("dialog[open]")
    dialog.locator("input").fill("00000000")
    dialog.get_by_role("button", name="OK").click()
    expect(dialog).to_contain_text("4 tries left")
    dialog.locator("input").fill("40718836")
    dialog.get_by_role("button", name="OK").click()
    table.wait_phase("BUILDING", "load")


def test_a_hand_can_be_written_by_hand_when_the_camera_rests(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans", WIDE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("claim", seat="N", by="self_draw")
    reading = {"seat": "N", "hand": None, "sure": False, "source": "camera", "tiles": [], "melds": []}
    reading |= {"problems": ["camera.none"], "evidence": None}
    health = {"link": "up", "camera": "none", "clock_ok": True, "ledger": "ok"}
    table.do(lambda: table.service.go(phase="REVIEW", reading=reading, health=health))
    none = page.locator('[data-hook="photo-none"]')
    expect(none).to_contain_text("没有相机")
    for camera, words in (
        ("moved", "相机被碰歪"),
        ("blind", "看看镜头"),
        ("down", "相机在休息"),
        ("up", "没有照片"),
    ):
        table.do(lambda camera=camera: table.service.go(health={**health, "camera": camera}))  # type: ignore[misc]
        expect(none).to_contain_text(words)
    expect(page.locator('[data-hook="doubt"]')).to_contain_text("没有相机")
    page.locator('.sheet [data-do="write"]').click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_role("button", name="碰对家").click()
    for _ in range(3):
        dialog.locator('.kongtiles [data-tile="5p"]').click()
    dialog.get_by_role("button", name="手里").click()
    for tile in ("3m", "4m", "5m", "3s", "4s", "6p", "7p", "8p", "E", "g", "E"):  # a flower is laid aside
        dialog.locator(f'.kongtiles [data-tile="{tile}"]').click()
    dialog.get_by_role("button", name="和张").click()
    dialog.locator('.kongtiles [data-tile="5s"]').click()
    dialog.locator(".send").click()
    expect(page.locator('[data-hook="sheet-refusal"]')).to_be_visible()  # the script knows no whole hands
    sent = {"hand": "[5p5p5p,2] 3m4m5m3s4s6p7p8pEE + 5s", "waive_kongs": False, "flowers": ["g"]}
    assert table.service.commands[-1][:2] == ("correct", sent)


def test_nobody_has_a_rank_until_somebody_leads(table: Table) -> None:
    def score(*scores: int) -> None:
        for seat, value in zip("ESWN", scores, strict=True):
            table.service.state["seats"][seat]["score"] = value
        table.service.fact()

    page = table.open("/board?lang=zh-Hans", WIDE)
    ranks = page.locator('[data-hook="ranks"] .rank')
    table.do(lambda: score(0, 0, 0, 0))
    expect(ranks).to_have_text(["", "", "", ""])
    expect(page.locator('[data-hook="lead"]')).to_be_hidden()
    audit(page)
    table.do(lambda: score(8, 8, -8, -8))
    expect(ranks).to_have_text(["1", "1", "3", "3"])
    expect(page.locator('[data-hook="lead"]')).to_be_hidden()
    table.do(lambda: score(24, -8, -8, -8))
    expect(ranks).to_have_text(["1", "2", "2", "2"])
    expect(page.locator('[data-hook="lead"]')).to_be_visible()


def test_the_rail_has_room_for_the_rules(table: Table) -> None:
    cut = "(node) => node.scrollWidth > node.clientWidth"
    for language, rules in (("zh-Hans", "最简单的玩法"), ("en", "Simplest rules")):
        page = table.open(f"/table?lang={language}", WIDE)
        named = {"name": "六号台", "variant": "simplest", "variant_zh": rules, "variant_en": rules}
        table.do(lambda named=named: table.service.go(table=named, hand=16))  # type: ignore[misc]
        left = page.locator('.seat[data-side="1"] .rail-left')
        expect(left).to_contain_text(rules)
        assert not left.evaluate(cut)
        audit(page)


def test_the_phone_keeps_its_foot_at_the_bottom(table: Table) -> None:
    for path in ("/table?lang=zh-Hans", "/table?lang=zh-Hans&side=1"):
        page = table.open(path, PHONE)
        foot = page.locator(".phonefoot").bounding_box()
        assert foot is not None
        assert PHONE["height"] - 20 < foot["y"] + foot["height"] <= PHONE["height"], path
        audit(page)


def test_numbers_under_the_graph_stand_apart(table: Table) -> None:
    page = table.open("/table?lang=zh-Hans&side=1", PHONE)
    hands = [{**table.service.hands[0], "hand": 101 + i} for i in range(16)]
    table.do(lambda: table.service.hands.__setitem__(slice(None), hands[::-1]))
    table.do(lambda: table.service.go(phase="SETTLED", last={**hands[-1], "head": "19f2c6a8"}))
    texts = page.locator(".graph .gridtext.mid")
    expect(texts.last).to_have_text("116")
    boxes = [box for text in texts.all() if (box := text.bounding_box())]
    assert len(boxes) > 3
    for one, other in pairwise(boxes):
        assert one["x"] + one["width"] + 4 < other["x"]


def test_the_line_is_good_noisy_or_down(table: Table) -> None:
    page = table.open("/machine?lang=zh-Hans", {"width": 1280, "height": 800})
    word, why = page.locator('[data-hook="link"]'), page.locator('[data-hook="link-why"]')

    def hear(link: str, **counters: int) -> None:
        machine = table.service.view("machine")
        told = {**machine, "link": link, "counters": {**machine["counters"], **counters}}
        table.do(lambda: table.service.live(machine=told))

    expect(word).to_have_text("好")
    hear("up", board_frames=50_000, link_rtt_ms=90)  # these may rise
    hear("up", board_crc_errors=5, link_retries=0)
    expect(word).to_have_text("有杂音")
    expect(why).to_have_text("这一分钟出错、重发 2 次")
    audit(page)
    hear("down", board_crc_errors=5)
    expect(word).to_have_text("断")


def test_noise_is_forgotten_after_a_minute(table: Table) -> None:
    page = table.open("/machine?lang=en", WIDE)
    told = page.evaluate(
        """async () => {
            const { Noise } = await import("/static/js/noise.js");
            const noise = new Noise();
            const told = [];
            for (const [at, counters] of [
                [0, { link_retries: 7, link_events: 1 }],
                [1000, { link_retries: 7, link_events: 9 }],
                [2000, { link_retries: 9, board_crc_errors: 4 }],
                [3000, { link_retries: 9, board_crc_errors: 6 }],
                [4000, { link_retries: 9, board_crc_errors: 1 }],
                [62_500, { link_retries: 9, board_crc_errors: 1 }],
                [64_000, { link_retries: 9, board_crc_errors: 1 }],
            ]) {
                noise.take(counters, at);
                told.push(noise.lately(at));
            }
            return told;
        }"""
    )
    assert told == [0, 0, 2, 4, 5, 3, 0]


def test_an_order_that_cannot_be_says_why_beside_it(table: Table) -> None:
    page = table.open("/machine?lang=zh-Hans", {"width": 1280, "height": 800})
    why = {name: page.locator(f"#why-{name}") for name in ("clear_fault", "selftest", "read_inputs")}
    expect(why["clear_fault"]).to_have_text("现在没有要清除的故障")
    expect(why["selftest"]).to_be_hidden()
    page.locator('[data-command="clear_fault"]').click()
    expect(page.locator('[data-hook="refusal"]')).to_contain_text("现在没有要清除的故障")
    table.do(lambda: table.service.go(phase="BUILDING", step="build", act=[]))
    for name in ("selftest", "read_inputs"):
        expect(why[name]).to_contain_text("两盘之间")
        page.locator(f'[data-command="{name}"]').click()
    expect(page.locator('[data-hook="refusal"]')).to_contain_text("读输入")
    audit(page)
    assert table.service.commands == []  # nothing was asked that the page knew
    table.do(lambda: table.service.go(phase="IDLE", step=None))
    expect(why["selftest"]).to_be_hidden()
    page.locator('[data-command="selftest"]').click()
    table.do(table.service.fault)
    expect(why["clear_fault"]).to_be_hidden()
    page.locator('[data-command="clear_fault"]').click()
    expect(page.locator('[data-hook="fault-what"]')).to_have_text("没有故障")
    assert [name for name, *_ in table.service.commands] == ["selftest", "clear_fault"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_build_is_let_wait_and_go_on_at_the_table(table: Table, language: str) -> None:
    """Any side may: one press lets it wait, the screen says what for, the next press goes on."""
    phone = table.open(f"/table?side=3&lang={language}", PHONE)
    screen = table.open(f"/table?lang={language}", WIDE)
    wait, go_on = ("暂停", "继续") if language == "zh-Hans" else ("Pause", "Go on")
    says = "把漏的牌推进中间" if language == "zh-Hans" else "add the tiles left out"

    def build(pause: str | None) -> None:
        build = {**table.service.state["build"], "pause": pause}
        table.do(lambda: table.service.go(phase="BUILDING", step="build", act=[], build=build))

    build("no")
    phone.get_by_role("button", name=wait, exact=True).click()
    build("yes")
    expect(screen.locator("body")).to_contain_text(says)
    expect(phone.locator("body")).to_contain_text(says)
    audit(phone)
    phone.get_by_role("button", name=go_on, exact=True).click()
    build(None)
    for name in (wait, go_on):
        expect(phone.get_by_role("button", name=name, exact=True)).to_have_count(0)
    assert [name for name, *_ in table.service.commands] == ["pause", "resume"]


def settle(table: Table) -> None:
    """Bring the scripted hand into the ledger."""
    to_confirm(table)
    for seat in "ESW":
        table.tell("confirm", seat=seat)
    table.wait_phase("SETTLED")


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_hand_everybody_knows_who_starts_and_which_seal_is_whose(table: Table, language: str) -> None:
    pages = [table.open(f"/table?side={side}&lang={language}", PHONE) for side in (1, 2)]
    screen = table.open(f"/table?lang={language}", WIDE)
    board = table.open(f"/board?lang={language}", WIDE)
    settle(table)
    table.do(lambda: setattr(table.service, "head", "0123abcd"))  # the ledger goes on after the hand
    table.do(lambda: table.service.go(act=[{"side": 2, "do": "start"}]))
    wait = "等 普洱 按开始" if language == "zh-Hans" else "Waiting for 普洱 to start"
    expect(board.locator('[data-hook="line"]')).to_have_text(wait)
    turn = pages[0].locator('[data-hook="phone-turn"]')
    expect(turn).to_have_text(wait)
    assert turn.get_attribute("data-act") is None
    expect(pages[1].locator('[data-hook="phone-turn"][data-act]')).not_to_have_text(wait)
    seal = "B05E 27D1"
    for page in pages:
        expect(page.locator('[data-hook="at-sheet"]')).to_contain_text(seal)
        expect(page.locator(".titleline")).to_contain_text(seal)
        expect(page.locator(".phonefoot")).to_contain_text("0123 ABCD")
        expect(page.locator(".phonefoot")).not_to_contain_text(seal)
    expect(screen.locator(".sheet .facts")).to_contain_text(seal)
    expect(screen.locator('.seat[data-side="1"] .rail')).to_contain_text("0123 ABCD")
    expect(screen.locator('.seat[data-side="1"] .rail')).not_to_contain_text(seal)
    audit(*pages, screen, board)


def test_the_phone_shows_the_whole_photo_until_it_is_touched(table: Table) -> None:
    page = table.open("/table?side=2&lang=zh-Hans", PHONE)
    to_confirm(table)
    picture = page.locator('[data-hook="photo-img"]')
    expect(picture).to_have_js_property("complete", True)
    whole = picture.bounding_box()
    assert whole is not None
    assert whole["x"] >= 0
    assert whole["x"] + whole["width"] <= PHONE["width"]
    assert (
        picture.evaluate(
            "(node) => Math.abs(node.width / node.height - node.naturalWidth / node.naturalHeight)"
        )
        < 0.3
    )
    page.get_by_role("button", name="点一下放大").click()
    button = page.get_by_role("button", name="点一下看整手")
    large = picture.bounding_box()
    assert large is not None
    assert large["height"] > 1.5 * whole["height"]
    audit(page)
    button.click()
    expect(page.get_by_role("button", name="点一下放大")).to_be_visible()


def test_a_key_of_the_pad_has_one_name(table: Table) -> None:
    for path, size in (("/table?lang=zh-Hans", WIDE), ("/table?side=4&lang=zh-Hans", PHONE)):
        page = table.open(path, size)
        table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
        table.tell("claim", seat="N", by="discard", from_="E")
        table.tell("laid", seat="N")
        table.wait_phase("REVIEW")
        page.locator('[data-do="tile"][data-index="6"]:visible').click()
        keys = page.locator(".keys:visible")
        expect(keys.get_by_role("button", name="三饼", exact=True)).to_have_count(1)
        expect(keys.get_by_role("img")).to_have_count(0)
        expect(page.locator(".guesses:visible").get_by_role("button").first).to_have_accessible_name(
            "六饼 71%"
        )
        audit(page)


def rows_of(page: Page, hook: str) -> list[tuple[str, str, list[str]]]:
    """Return name, points and tiles of every row in a list of elements."""
    return [
        (
            row.locator(".fan").inner_text(),
            row.locator(".points").get_attribute("data-text") or "",
            [tile.get_attribute("data-tile") or "" for tile in row.locator(".behind .tile").all()],
        )
        for row in page.locator(f'[data-hook="{hook}"] > li').all()
    ]


FANS = {
    "zh-Hans": ["三色三同顺", "平和", "断幺", "连六", "花牌"],
    "en": ["Mixed Triple Chow", "All Chows", "All Simples", "Short Straight", "Flower Tiles"],
}
UNCOUNTED = {
    "zh-Hans": ["喜相逢 ×3已含于三色三同顺", "无字已含于平和"],
    "en": [
        "Mixed Double Chow ×3contained in Mixed Triple Chow",
        "No Honorscontained in All Chows",
    ],
}
MINIMUM = {"zh-Hans": "不含花 13，够 8 分", "en": "13 without flowers, 8 needed"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_win_names_its_elements_with_their_tiles_and_what_is_not_counted(
    table: Table, language: str
) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?side=1&lang={language}", PHONE)
    to_confirm(table)
    expect(phone.locator('[data-hook="phone-num"]')).to_have_attribute("data-text", "14")
    phone.locator('[data-hook="phone-reasons"] summary').click()
    for page, rows, uncounted, minimum in (
        (screen, "rows", "uncounted", "facts"),
        (phone, "phone-why-rows", "phone-uncounted", "phone-minimum"),
    ):
        tiles = [
            ["3m", "4m", "5m", "3p", "4p", "5p", "3s", "4s", "5s"],
            [],
            [],
            ["3p", "4p", "5p", "6p", "7p", "8p"],
            ["e"],
        ]
        shown = list(zip(FANS[language], ["8", "2", "2", "1", "1"], tiles, strict=True))
        assert rows_of(page, rows) == shown
        items = page.locator(f'[data-hook="{uncounted}"] li')
        assert [item.text_content() for item in items.all()] == UNCOUNTED[language]
        expect(page.locator(f'[data-hook="{minimum}"]')).to_contain_text(MINIMUM[language])
    audit(screen, phone)
    for seat in "ESW":
        table.tell("confirm", seat=seat)
    table.wait_phase("SETTLED")
    expect(phone.locator('[data-hook="phone-reasons"]')).to_have_attribute("open", "")
    assert rows_of(screen, "rows") == rows_of(phone, "phone-why-rows") == shown
    audit(screen, phone)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_below_the_minimum_is_shown_as_no_win_with_its_list(table: Table, language: str) -> None:
    screen = table.open(f"/table?lang={language}", WIDE)
    phone = table.open(f"/table?side=4&lang={language}", PHONE)
    to_confirm(table)
    table.tell("dispute", seat="E")
    low = {"legal": False, "reason": "below_minimum", "total": 3, "without_flowers": 2}
    elements = [row for row in table.service.state["result"]["elements"] if row["value"] == 1][-1:]
    elements.insert(0, next(r for r in table.service.state["result"]["elements"] if r["key"] == "all_chows"))
    result = {**table.service.state["result"], **low, "elements": elements}
    table.do(lambda: table.service.go(result=result))
    words = {
        "zh-Hans": "这样不能和：不含花 2，不够 8 分",
        "en": "Not a win: 2 without flowers, below 8",
    }
    expect(screen.locator('[data-hook="reason"]')).to_have_text(words[language])
    expect(phone.locator('[data-hook="phone-why"]')).to_contain_text(words[language])
    expect(screen.locator('[data-hook="total"]')).to_have_attribute("data-text", "")  # no win, no total
    names = [FANS[language][1], FANS[language][4]]
    assert [name for name, _, _ in rows_of(screen, "rows")] == names
    assert [name for name, _, _ in rows_of(phone, "phone-why-rows")] == names
    audit(screen, phone)


def test_a_tile_pointed_at_outlives_a_dispute_but_not_the_hand(table: Table) -> None:
    phone = table.open("/table?side=4&lang=en", PHONE)
    to_confirm(table)
    phone.locator('[data-hook="phone-read"] [data-index="2"]').click()
    tab = phone.locator('[data-do="tab"][data-tab="honor"]')
    tab.click()
    table.tell("dispute", seat="E")
    table.wait_phase("REVIEW")
    seq = table.service.seq
    phone.wait_for_function("seq => Number(document.documentElement.dataset.seq) >= seq", arg=seq)
    expect(tab).to_be_visible()
    expect(tab).to_have_attribute("aria-selected", "true")
    audit(phone)
    table.tell("withdraw", seat="N")
    expect(tab).to_be_hidden()


def sent(table: Table, name: str, **body: object) -> None:
    """Wait until the page has sent this command."""
    for _ in range(100):
        if [each[:2] for each in table.service.commands[-1:]] == [(name, body)]:
            return
        time.sleep(0.05)
    raise AssertionError(f"{table.service.commands[-1:]} is not {name} {body}")


def test_flowers_and_circumstances_are_told_by_touch(table: Table) -> None:
    phone = table.open("/table?side=4&lang=en", PHONE)
    table.do(lambda: table.service.go(phase="PLAYING", step=None, act=[]))
    table.tell("claim", seat="N", by="discard", from_="E")
    buttons = phone.locator('[data-hook="phone-buttons"]')
    buttons.locator('[data-do="flags"]').click()
    asking = phone.locator("dialog[open]")
    assert [one.inner_text() for one in asking.locator(".toggles .btn").all()] == [
        "Out with a replacement tile",
        "On the last tile",
        "On the last of its kind",
    ]
    asking.locator('[data-value="last_of_kind"]').click()
    asking.locator('[data-value="last_tile"]').click()
    asking.locator('[data-value="last_tile"]').click()
    audit(phone)
    asking.locator(".send").click()
    expect(phone.locator("dialog[open]")).to_have_count(0)
    sent(table, "claim", **{"seat": "N", "by": "discard", "from": "E", "flags": ["last_of_kind"]})
    table.tell("laid", seat="N")
    table.wait_phase("REVIEW")
    table.service.state["reading"]["flowers"] = [{"tile": "?", "score": 0.4, "sure": False}]
    table.do(
        lambda: table.service.go(reading={**table.service.state["reading"], "problems": ["hand.flowers"]})
    )
    expect(phone.locator('[data-hook="phone-doubt"]')).to_contain_text("Flowers not sure, please check them")
    audit(phone)
    buttons.locator('[data-do="flowers"]').click()
    assert asking.locator(".toggles .btn").count() == 8
    for flower in "ea":
        asking.locator(f'[data-value="{flower}"]').click()
    audit(phone)
    asking.locator('[data-hook="send-flowers"]').click()
    expect(phone.locator('[data-hook="phone-doubt"]')).not_to_contain_text("Flowers not sure")
    sent(table, "set_flowers", flowers=["a", "e"])
    table.tell("dispute", seat="E")
    buttons.locator('[data-do="how"]').click()
    asking.get_by_role("button", name="Self-draw").click()
    # how it was won changes, the rest stays told
    sent(table, "claim", seat="N", by="self_draw", flags=["last_of_kind"])
