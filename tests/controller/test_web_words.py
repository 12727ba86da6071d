"""The catalogues and colours: same keys, same places for values, nothing missing, contrast as measured."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from controller import wire
from controller.codes import NOTICES, PROBLEMS, REFUSALS
from controller.diag.words import REASONS
from controller.faults import FAULTS, OWN, fault_key
from controller.live_values import Live
from controller.web.commands import COMMANDS
from firmware_bridge.link import Link
from firmware_bridge.messages import Reason, StatusReport
from hardware.tiles import TILE_TEXTS
from rules.variants import VARIANTS
from tests.controller.said_codes import codes_given, codes_named, rule_codes, said

STATIC = Path(__file__).resolve().parents[2] / "controller" / "web" / "static"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "i18n").glob("*.json"))}
SOURCES = "\n".join(path.read_text("utf-8") for path in [*STATIC.glob("js/*.js"), *STATIC.glob("*.html")])
KNOWN = {*REFUSALS, *NOTICES, *PROBLEMS}
FAMILIES = frozenset(code.partition(".")[0] for code in KNOWN) | {"request", "fault"}
SAID = said(FAMILIES, "controller")
ORDERS = {*wire.ORDERS} - {"status", *wire.TOLD, *wire.CONFIG}
"""What the board may refuse before the eyes of the players, and what the machine page says it does."""


def counters() -> list[str]:
    status = StatusReport.unpack(bytes(StatusReport.LENGTH))
    board = wire.observe(Live(), status).live.machine.counters
    return [*board, *wire.plain_counters(Link(0).counters)]


def requests() -> set[str]:
    return {code for code in SAID.whole if code.startswith("request.")}


def test_languages_are_there() -> None:
    assert set(WORDS) == {"zh-Hans", "en"}


def test_same_keys_and_same_places() -> None:
    zh, en = WORDS["zh-Hans"], WORDS["en"]
    assert list(zh) == list(en)
    for key in zh:
        places = [set(re.findall(r"\{(\w+)\}", words[key])) for words in (zh, en)]
        assert places[0] == places[1] or key in ("pay.will_get",), key
        assert zh[key].strip(), key
        assert en[key].strip(), key


def test_words_follow_the_house() -> None:
    for key, text in WORDS["zh-Hans"].items():
        assert not re.search(r"[!！]|请勿", text), key
        assert not re.search(r"[\u4e00-\u9fff]\{\w+\}[\u4e00-\u9fff]", text) or key in SPELLED, key
    for key, text in WORDS["en"].items():
        assert "!" not in text, key
        assert not re.search(r"[\u4e00-\u9fff]", text), key
    for words in WORDS.values():
        for key, text in words.items():
            assert not re.search(r"(?<![\w-])-\{", text), f"{key}: minus is U+2212"


# tile and wind names join without a space
SPELLED = {key for key in WORDS["zh-Hans"] if re.search(r"\{(tile|wind|phase)\}", WORDS["zh-Hans"][key])}


def test_every_key_that_the_pages_name_is_there() -> None:
    named = set(re.findall(r'\bt\("([\w.]+)"', SOURCES)) | set(
        re.findall(r'data-t(?:-label)?="([\w.]+)"', SOURCES)
    )
    assert named - set(WORDS["en"]) == set()


def test_no_key_is_unused() -> None:
    literal = set(re.findall(r'["`]([a-z]+(?:\.\w+)*)["`]', SOURCES))
    built = set(re.findall(r"`([a-z]+(?:\.[a-z_]+)*\.)\$\{", SOURCES))
    prefixes = tuple(built - {"order."})  # of these all are known
    named = literal | KNOWN | requests() | {f"order.{name}" for name in ORDERS}
    named |= {f"counter.{name}" for name in counters()}
    assert [key for key in WORDS["en"] if key not in named and not key.startswith(prefixes)] == []


def test_every_code_that_is_said_anywhere_is_known_and_has_words() -> None:
    spoken = KNOWN | requests() | {f"refuse.{row.name}" for row in COMMANDS}
    assert spoken - set(WORDS["en"]) == set()
    faults = {fault_key(row.key) for row in FAULTS.values()} | set(OWN)
    missing = {code: place for code, place in SAID.whole.items() if code not in spoken | faults | {"ok"}}
    assert missing == {}
    built = {f"{family}." for family in ("refuse", "camera", "fault")}  # by command, by why, by row
    assert {begin: place for begin, place in SAID.begun.items() if begin not in built} == {}
    assert {"turn.over", "request.busy", "refuse.stale", "fault.estop"} <= set(SAID.whole), "it finds them"


def test_every_fault_has_words_in_both_languages() -> None:
    for row in (*FAULTS.values(), *OWN.values()):
        for text in (row.zh, row.en, row.remedy_zh, row.remedy_en):
            assert text.strip(), row.key
        assert re.search(r"[\u4e00-\u9fff]", row.zh), row.key


def test_a_code_without_words_is_found_wherever_it_hides() -> None:
    tree = ast.parse(
        'def f(x):\n    raise Refused("nonsense")\n    log.info("turn.logged")\n'
        '    return refused("turn.a" if x else f"hand.{x}", why="request.lost")\n'
    )
    found = [*codes_given(tree), *codes_named(tree, FAMILIES)]
    texts = {node.value for _, node in found if isinstance(node, ast.Constant)}
    assert texts == {"nonsense", "turn.a", "request.lost"}
    assert any(isinstance(node, ast.JoinedStr) for _, node in found)


def test_whatever_the_board_refuses_has_words() -> None:
    """An order that is not told among a technician's answers is told on the pages, with its reason."""
    needed = {f"reason.{reason.name}" for reason in Reason if reason is not Reason.none}
    needed |= {f"order.{name}" for name in ORDERS}
    assert "order.pause" in needed
    for words in WORDS.values():
        assert needed <= set(words)
        assert "{reason}" in words["order.refused"]
    assert {reason.name for reason in Reason if reason is not Reason.none} <= set(REASONS), "a technician's"


def test_every_tile_has_a_spoken_name() -> None:
    for words in WORDS.values():
        assert {f"tile.{text}" for text in TILE_TEXTS} <= set(words)


def test_every_counter_has_a_name() -> None:
    names = counters()
    assert {"board_crc_errors", "link_retries"} <= set(names)
    for words in WORDS.values():
        assert {f"counter.{name}" for name in names} <= set(words)


REFUSED = {"not_win", "below_minimum", "passed", "rob_kong", "self_draw_only", "invalid"}


def test_whatever_the_rules_ask_or_refuse_has_words() -> None:
    flags = {flag for variant in VARIANTS.values() for flag in variant.circumstances}
    reasons = REFUSED | {variant.no_element for variant in VARIANTS.values()} | set(rule_codes())
    needed = {f"flag.{flag}" for flag in flags} | {f"reason.{reason}" for reason in reasons}
    for words in WORDS.values():
        assert needed <= set(words)


def themes() -> dict[str, dict[str, str]]:
    css = (STATIC / "css" / "tokens.css").read_text("utf-8")
    blocks = re.findall(r'(:root(?:\[data-theme="(\w+)"\])?) \{(.*?)\n\}', css, re.DOTALL)
    out: dict[str, dict[str, str]] = {}
    for _, name, body in blocks:
        values = dict(re.findall(r"--([\w-]+): (#[0-9A-Fa-f]{3,6});", body))
        out[name or "night"] = {**out.get("night", {}), **values} if name else values
    return out


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["night", "day", "hc"])
@pytest.mark.parametrize("ground", ["felt1", "panel"])
@pytest.mark.parametrize("ink", ["ink1", "ink2", "ink3", "lamp", "cin", "jade"])
def test_words_can_be_read(theme: str, ground: str, ink: str) -> None:
    tokens = themes()[theme]
    assert contrast(tokens[ink], tokens[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["night", "day", "hc"])
def test_words_on_buttons_and_seals_can_be_read(theme: str) -> None:
    tokens = themes()[theme]
    for ink, ground in (
        ("lamp-ink", "lamp"),
        ("seal-ink", "seal"),
        ("stop-ink", "cin"),
        ("tile-ink", "ivory"),
    ):
        assert contrast(tokens[ink], tokens[ground]) >= 4.5, (ink, ground)


# the exact values of the visual language, so that nobody drifts
EXACT = {
    "night": {"felt1": "#12261F", "ink1": "#F4ECDA", "ink3": "#A79E89", "lamp": "#F6B94E", "seal": "#B93A26"},
    "day": {"felt1": "#BACBB0", "ink1": "#17211C", "lamp": "#6A3900", "cin": "#8E2113", "jade": "#0B4C36"},
    "hc": {"felt1": "#000", "ink1": "#FFF", "lamp": "#FFD400", "cin": "#FF8A75", "jade": "#7CFFCB"},
}


def test_colours_are_those_of_the_visual_language() -> None:
    for theme, values in EXACT.items():
        assert {name: themes()[theme][name] for name in values} == values
