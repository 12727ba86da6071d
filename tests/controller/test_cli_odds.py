"""`mahjong-table odds`, run as a person or a script runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli.odds import answer_odds
from rules.errors import RuleError

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "rules" / "cases" / "tile-odds.json"
HAND = "NNN 1234m 123p 789p W"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, check=False, cwd=ROOT, timeout=120, encoding="utf-8"
    )


@pytest.mark.skipif(not CASES.is_file(), reason=f"shared rule cases not beside the checkout: {CASES}")
@pytest.mark.parametrize(
    "line",
    [
        lambda case: {"id": case["id"], **case["in"]},  # the keys tell the op
        lambda case: {"id": case["id"], "op": case["op"], **case["in"]},
        lambda case: {"id": case["id"], "op": case["op"], "in": case["in"]},
        lambda case: {"id": case["id"], "in": case["in"]},
    ],
)
def test_lines(line: Any) -> None:
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    done = run("odds", "--jsonl", stdin="".join(json.dumps(line(case)) + "\n" for case in cases))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert answers == [{"id": case["id"], **case["expect"]} for case in cases]


def test_table_of_discards() -> None:
    done = run("odds", HAND, "--bottom", "W", "--seen", "1m")
    assert done.stdout.splitlines() == [
        "1234m 123789p WNNN   杠底 bottom W   已见 seen 1m",
        "  打出 discard, 期望 return (* 最高 best): 自摸 self-draw, 杠后杠底 kong then bottom",
        "  1m    4   自摸 draw W×2   杠 kong N×1",
        "  4m    4   自摸 draw W×2   杠 kong N×1",
        "  W     5*  自摸 draw 1m×2, 4m×3",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_several_hands_and_a_refused_one() -> None:
    done = run("odds", "111m 456p 22p 45678s", "", "147m258p369sESWNC", "123m 456p 789s 11p 46m")
    assert done.stdout.splitlines() == [
        "111m 22456p 45678s",
        "  听 waits 3s×4, 6s×3, 9s×4",
        "  3 种 kinds, 11 张 live tiles",
        "147m 258p 369s ESWNC",
        "  打哪张都不听牌  no discard leaves a ready hand",
        "12346m 11456p 789s",
        "  听 waits 5m×4",
        "  1 种 kind, 4 张 live tiles",
    ]
    assert done.returncode == 1
    assert done.stderr == "mahjong-table: (empty): hand: no tiles (at character 1)\n"


LANGUAGES = [
    ([HAND, "--bottom", "W", "--seen", "1m"], 5),
    (["111m 456p 22p 45678s"], 3),
    (["147m258p369sESWNC"], 2),
    (["123m 456p 789s 111p W", "--seen", "WWW"], 2),
]


@pytest.mark.parametrize(("words", "lines"), LANGUAGES)
def test_one_language_or_both(words: list[str], lines: int) -> None:
    zh, en, both = (run("odds", *words, "--lang", lang).stdout for lang in ("zh", "en", "both"))
    assert en.replace("×", "").isascii()
    assert not re.search("[a-z]{3}", zh)
    assert len(zh.splitlines()) == len(en.splitlines()) == len(both.splitlines()) == lines
    assert both == run("odds", *words).stdout
    for told, shown in zip(en.splitlines()[1:], both.splitlines()[1:], strict=True):
        assert set(re.findall("[a-z]{3,}", told)) == set(re.findall("[a-z]{3,}", shown))


def test_a_hand_that_waits_for_nothing() -> None:
    lines = run("odds", "123m 456p 789s 111p W", "--seen", "WWW").stdout.splitlines()
    assert "nothing to wait for" in lines[1]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["odds"], 2, "give hands as arguments"),
        (["odds", "--jsonl", HAND], 2, "not both"),
        (["odds", "123m"], 1, "there are 3"),
        (["odds", HAND, "--bottom", "x"], 1, "bottom: 'x' is not a tile"),
        (["odds", HAND, "--seen", "NN"], 1, "5 of N are visible"),
        (["odds", HAND, "--seen", "1z"], 1, "z digits"),
        (["odds", "[123m] 456m 789m 123p EE"], 1, "no melds"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({}, "a line has a hand, or unseen"),
        ({"hand": 5}, "hand must be text"),
        ({"hand": "123m"}, "hand: 14 tiles ask"),
        ({"live": [3]}, "unseen is missing"),
        ({"in": {"hand": "1m"}}, "in.hand: 14 tiles ask"),
        ({"in": [], "op": "waits"}, "in must be an object"),
        ({"op": "tail", "in": {}}, "no op 'tail'"),
    ],
)
def test_a_line_that_makes_no_sense_says_what_is_wrong(line: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_odds(line)
