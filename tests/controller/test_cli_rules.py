"""The commands score, case, wall and rules, run as a person or a script runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.refusals import REFUSALS, refusal_text
from rules.variants import VARIANTS

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PLAIN = "[555m] 123m 678p EE 34s + 5s"
SIMPLEST = ("--variant", "simplest")
DEAR = "[678m] 123456789p S + S"
CHEAP = "[234s][456p][NNN][888m] 5p + 5p"  # 全求人 6, 幺九刻 1


def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    command = [sys.executable, "-m", "controller.cli", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=False, cwd=ROOT, timeout=120)


def ask(*arguments: str, lines: list[Any]) -> list[dict[str, Any]]:
    """Return the answers to JSON lines; a text is sent as it is."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    done = run(*arguments, "--jsonl", stdin=text + "\n")
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def test_score_for_people() -> None:
    done = run(
        "score", *SIMPLEST, "--option", "pair_rule=258", "--explain", "[222m][555p] 888s 22p 55m + 5m", PLAIN
    )
    lines = done.stdout.decode().splitlines()
    assert "20 分 points" in lines[0]
    assert "将一色" in lines[1]
    assert "222m 555m 555p 888s 22p" in lines[1]
    assert lines[3:7] == [
        "不计 Not counted:",
        "     -        屁胡 Plain hand",
        "              已含于将一色",
        "              contained in All 2/5/8",
    ]
    assert done.returncode == 1
    assert lines[-1].endswith(
        "最简单的玩法 Simplest rules: 不能和：将牌不是二五八 / may not win: the pair is not of 2, 5 or 8"
    )
    words = "refused by the rules: the pair is not of 2, 5 or 8"
    assert done.stderr.decode() == f"mahjong-table: {PLAIN}: {words}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["score", *SIMPLEST, PLAIN], 0, ""),
        (["score", ""], 1, "mahjong-table: (empty): hand: no tiles"),
        (["score", "1z"], 1, "z digits"),
        (["score", *SIMPLEST, "123m 456m 789m 123p 5s + 6s"], 1, "no winning shape"),
        (["score", "--round-wind", "W", CHEAP], 1, "7 without flowers, 8 needed"),
        (["score", "--lang", "zh", "--round-wind", "W", CHEAP], 1, "不够起和分，不计花牌 7 分，要 8 分"),
        (["score", "--lang", "zh", "[678m] 567p 23477s SS + 7s"], 0, ""),
        (["score", "--flowers", "aeg", "[678m] 567p 23477s SS + 7s"], 0, ""),
        (["score", "--flowers", "aea", "[678m] 567p 23477s SS + 7s"], 1, "a second a"),
        (["score", "--flowers", "-1", "[678m] 567p 23477s SS + 7s"], 1, "from 0 to 8"),
        (["score", "--wild", "9p", "[678m] 567p 23477s SS + 7s"], 1, "without wild tiles"),
        (["score", "--variant", "lianzhong", "--wild", "9p", "123m 456m 789m 5p9p 34s + 2s"], 0, ""),
        (
            ["score", "--variant", "lianzhong", *("--option", "self_draw_only=on"), DEAR],
            1,
            "only a self-draw",
        ),
        (["score", "--lang", "zh", "--round-wind", "W", CHEAP], 1, "5p: 规则不允许：不够起和分"),
        (["score", "--lang", "zh", "123m 456m 789m 123p 5s + 6s"], 1, "6s: 不成和：听 5s，不是 6s"),
        (["score", "--lang", "zh", "147m 258p 369s 1m5p E W + W"], 1, "不成和：离组合龙差 2 张"),
        (["score", "--lang", "zh", "123m 456m 789m + 6s"], 1, "连和牌张共 10 张（杠算三张），应有 14 张"),
        (["score", "--lang", "zh", "123m 456m 789m 123p 5s"], 1, "没有和牌张"),
        (["score", "--lang", "zh", "1z"], 1, "mahjong-table: 1z: 不用 z 数字：东南西北写 E S W N"),
        (["score", "--lang", "zh", ""], 1, "mahjong-table: （空）: 没有牌（第 1 个字符）"),
        (["waits", "--lang", "zh", "123"], 1, "数字后面缺花色（m p s）（第 1 个字符）"),
        (["odds", "--lang", "zh", "123m 5"], 1, "数字后面缺花色（m p s）（第 6 个字符）"),
        (["odds", "--lang", "zh", "123m"], 1, "这里有 3 张"),
        (["waits", "--lang", "zh", "123m 456m 789m"], 1, "共 9 张（杠算三张），应有 13 张"),
        (["score", "--lang", "fr", PLAIN], 2, "'fr' is not one of"),
        (["score"], 2, "give hands as arguments"),
        (["score", "--jsonl", PLAIN], 2, "not both"),
        (["score", "--jsonl", "--self-draw"], 2, 'the key "self_draw"'),
        (["score", "--jsonl", "--flag", "passed"], 2, 'the key "flags"'),
        (["waits", "--jsonl", "--seat-wind", "E"], 2, 'the key "seat_wind"'),
        (["odds", "--jsonl", "--seen", "1m"], 2, 'the key "seen"'),
        (["score", "--jsonl", "--option", "false_win_each=20"], 0, ""),
        (["score", "--variant", "nope", PLAIN], 1, "there are: simplest"),
        (["score", "--option", "base", PLAIN], 2, "not KEY=VALUE"),
        (["score", *SIMPLEST, "--option", "base=0", PLAIN], 1, "from 1 to 1000"),
        (["score", *SIMPLEST, "--seat-wind", "X", PLAIN], 1, "seat_wind is a seat"),
        (["score", "--seat-wind", "s", DEAR], 1, "seat_wind: winds are capital letters"),
        (["score", "--last-of-kind", "123m 456m 789m 123s 5p + 5p"], 1, "the other three lie open"),
        (["score", "123m 456m 789m 123p f + F"], 1, "winds and dragons are capital letters"),
        (["score", *SIMPLEST, "--self-draw", "--rob-kong", PLAIN], 1, "never a self-draw"),
        (["case"], 2, "add --jsonl"),
        (["wall"], 2, "add --jsonl"),
        (["rules", "show", "nope"], 1, "there are: simplest"),
        (["rules", "list"], 0, ""),
        (["rules", "show", "simplest"], 0, ""),
    ],
)
def test_exit_codes(arguments: list[str], code: int, words: str) -> None:
    done = run(*arguments)
    message = done.stderr.decode()
    assert done.returncode == code
    assert words in message
    assert "Traceback" not in message
    if code == 1:
        assert message.startswith("mahjong-table: ")
        assert message.count("\n") == 1


def test_a_misspelled_key_is_refused_and_named() -> None:
    for command, line, meant in (
        ("score", {"id": 5, "hand": PLAIN, "selfdraw": True}, "selfdraw is no key here: self_draw is meant"),
        ("waits", {"id": 5, "hand": "123m 456m 789m 123p 5s", "flower": 1}, "flower is no key here: flowers"),
        ("odds", {"id": 5, "in": {"unseen": 40, "live": [2], "draw": [1]}}, "in.draw is no key here: draws"),
    ):
        (answer,) = ask(command, lines=[line])
        assert (answer["id"], answer["error"]["code"]) == (5, "invalid")
        assert meant in answer["error"]["message"]


def test_score_lines() -> None:
    win = {"hand": PLAIN, "self_draw": False, "seat_wind": "S", "round_wind": "E", "flowers": 0}
    answers = ask(
        "score",
        "--variant",
        "simplest",
        lines=[
            {"id": 1, **win},
            "",
            {"id": 2, **win, "options": {"pair_rule": "258"}},
            {"id": 3, "hand": "123m 456m 789m 123p 5s + 6s"},
            {"id": 4, "hand": "[123m] 5z"},
            {"id": 5, "hand": "1133557799p 22p 8p + 8p", "options": {"pair_rule": "258"}},
        ],
    )
    fan = [{"name": "和牌", "en": "Win", "points": 1, "count": 1}]
    assert answers[0] == {"id": 1, "total": 1, "fan": fan, "meets_minimum": True}
    assert (answers[1]["legal"], answers[1]["reason"], answers[1]["fan"]) == (False, "pair_not_258", [])
    assert answers[2] == {
        "id": 3,
        "error": {"code": "not_win", "message": "no winning shape: the hand waits for 5s, not for 6s"},
    }
    assert answers[3]["error"]["code"] == "invalid"
    assert "at character 9" in answers[3]["error"]["message"]
    assert [row["name"] for row in answers[4]["fan"]] == ["清一色", "七小对"]
    assert answers[4]["total"] == sum(row["points"] * row["count"] for row in answers[4]["fan"]) == 20


def test_a_hand_below_the_minimum_is_refused_and_told() -> None:
    """The default is Chinese Official."""
    (answer,) = ask("score", lines=[{"id": 7, "hand": CHEAP, "round_wind": "W", "flowers": 2}])
    assert answer == {
        "id": 7,
        "total": 9,
        "fan": [
            {"name": "全求人", "en": "Melded Hand", "points": 6, "count": 1},
            {"name": "幺九刻", "en": "Pung of Terminals or Honors", "points": 1, "count": 1},
            {"name": "花牌", "en": "Flower Tiles", "points": 1, "count": 2},
        ],
        "meets_minimum": False,
        "legal": False,
        "reason": "below_minimum",
    }


def test_a_refused_hand_says_why_instead_of_no_points() -> None:
    told = [
        run("score", *SIMPLEST, "--option", "pair_rule=258", "--lang", lang, PLAIN) for lang in ("zh", "en")
    ]
    assert [each.stdout.decode().rstrip().partition("   ")[2] for each in told] == [
        "最简单的玩法: 不能和：将牌不是二五八",
        "Simplest rules: may not win: the pair is not of 2, 5 or 8",
    ]
    assert "将牌不是二五八" in told[0].stderr.decode()


def test_every_reason_has_words_on_the_pages_and_here() -> None:
    reasons = {variant.no_element for variant in VARIANTS.values()}
    assert reasons <= set(REFUSALS)
    for code, place in (("zh-Hans", 0), ("en", 1)):
        pages = json.loads((ROOT / f"controller/web/static/i18n/{code}.json").read_text(encoding="utf-8"))
        for reason, words in REFUSALS.items():
            assert pages[f"reason.{reason}"] == words[place]
    assert all(en.isascii() and not zh.isascii() for zh, en in REFUSALS.values())
    assert refusal_text("unheard_of") == ("unheard_of", "unheard_of")


def test_explained_lines_name_sets_and_what_is_not_counted() -> None:
    line = {"hand": "[222m][555p] 888s 22p 55m + 5m", "options": {"pair_rule": "258"}}
    (answer,) = ask("score", *SIMPLEST, "--explain", lines=[line])
    assert answer["fan"][0]["sets"] == ["222m", "555m", "555p", "888s", "22p"]
    assert answer["not_counted"] == [
        {
            "name": "屁胡",
            "en": "Plain hand",
            "why": "已含于将一色",
            "why_en": "contained in All 2/5/8",
            "count": 1,
            "sets": [],
        }
    ]
    assert answer["alt"] == []


# impossible circumstances, as in the shared file of invalid MCR records
ODD_LINES: list[tuple[Any, str]] = [
    ("nonsense", "not JSON"),
    ("[]", "one JSON object"),
    ("[" * 100_000, "nested too deeply"),
    ('{"hand":' + "1" * 5000 + "}", "number is too long"),
    ({}, "hand is missing"),
    ({"hand": 7}, "hand must be text"),
    ({"hand": PLAIN, "self_draw": "yes"}, "self_draw is true or false"),
    ({"hand": PLAIN, "self_draw": True, "rob_kong": True}, "never a self-draw"),
    ({"hand": PLAIN, "self_draw": True, "kong_replacement": True}, "declared kong"),
    ({"hand": "(5555m) 123m 678p EE 34s + 5s", "kong_replacement": True}, "always a self-draw"),
    ({"hand": "[123m] 55s 678p EEE 99m + 5s", "rob_kong": True}, "robbed tile"),
    ({"hand": "[123m] 55s 678p EEE 99m + 5s", "last_of_kind": True}, "last_of_kind is no flag"),
    ({"hand": PLAIN, "seat_wind": ""}, "seat_wind is a seat"),
    ({"hand": PLAIN, "round_wind": "X"}, "round_wind is a seat"),
    ({"hand": PLAIN, "flowers": -1}, "flowers is a whole number from 0 to 8"),
    ({"hand": PLAIN, "flowers": 2}, "without flowers"),
    ({"hand": PLAIN, "options": 3}, "options must be an object"),
    ({"hand": PLAIN, "flags": ["x"]}, "flags are among"),
    ({"hand": "123m 456m 789m 123p 5s"}, "winning tile is missing"),
    ({"hand": "[111m][222m][333m][444m][555m] 6m + 6m"}, "5 declared melds"),
]


def test_lines_that_make_no_sense_and_the_rest_go_on() -> None:
    answers = ask("score", *SIMPLEST, lines=[*(line for line, _ in ODD_LINES), {"hand": PLAIN}])
    assert len(answers) == len(ODD_LINES) + 1
    for answer, (line, words) in zip(answers, ODD_LINES, strict=False):
        assert answer["error"]["code"] == "invalid", line
        assert words in answer["error"]["message"], line
    assert answers[-1]["total"] == 1


def test_bytes_that_are_no_utf8_and_ids_that_cannot_be_printed() -> None:
    stdin = b'{"hand": "\xff"}\n{"id": "\\ud800", "hand": "5z"}\n' + json.dumps({"hand": PLAIN}).encode()
    done = run("score", *SIMPLEST, "--jsonl", stdin=stdin)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert "not UTF-8" in answers[0]["error"]["message"]
    assert answers[1]["id"] == "\ud800"
    assert answers[2]["total"] == 1


def test_case_lines() -> None:
    winner = {"seat": "S", "hand": PLAIN, "by": "discard", "from": "W"}
    case = {"variant": "simplest", "dealer": "E", "options": {"pay_mode": "半陪"}, "winner": winner}
    good, missing = ask("case", lines=[{"id": "a", **case}, {"id": "b", "variant": "simplest"}])
    assert good["deltas"] == {"E": -0.5, "S": 2, "W": -1, "N": -0.5}
    assert good["elements"] == [["和牌", 1]]
    assert missing["error"]["code"] == "invalid"


def test_every_simplest_case_through_the_command() -> None:
    path = SHARED / "rules" / "cases" / "simplest.json"
    if not path.is_file():
        pytest.skip(f"shared rule cases not beside the checkout: {path}")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    lines = [{"variant": "simplest", **{k: v for k, v in case.items() if k != "expect"}} for case in cases]
    for case, answer in zip(cases, ask("case", lines=lines), strict=True):
        expected = case["expect"]
        for elements in (expected.get("elements", []), answer.get("elements", [])):
            elements.sort()
        assert {key: answer.get(key) for key in expected} == expected, case["id"]


def test_wall_lines() -> None:
    tail = {"open": {"seat": "E", "stack": 1}, "tiles": 136, "n": 1}
    answers = ask(
        "wall",
        lines=[
            {"id": 1, "op": "tail", "in": tail},
            {"id": 2, "op": "tail", **tail},
            {"id": 3, "op": "tail", "in": {**tail, "open": {"seat": "E", "stack": 18}}},
            {"id": 4, "op": "turn_the_table", "in": {}},
            {"id": 5, "in": {}},
            {"id": 6, "op": "dice_to_seat", "in": {"thrower": "E", "sums": [13]}},
        ],
    )
    place = {"tiles": [{"seat": "S", "stack": 17, "layer": "top"}]}
    assert answers[0] == {"id": 1, **place}
    assert answers[1] == {"id": 2, **place}
    assert "17 stacks before E" in answers[2]["error"]["message"]
    assert answers[3]["error"]["code"] == "unsupported"
    assert "op is missing" in answers[4]["error"]["message"]
    assert "from 2 to 12" in answers[5]["error"]["message"]


def test_rules_as_json() -> None:
    listed = json.loads(run("rules", "list", "--json").stdout)
    assert [row["variant"] for row in listed["variants"]][:2] == ["simplest", "mcr"]
    shown = json.loads(run("rules", "show", "simplest", "--json").stdout)
    assert {row["key"] for row in shown["options"]} >= {"pair_rule", "base", "system", "pay_mode", "opening"}
    assert [row["zh"] for row in shown["elements"]][:2] == ["和牌", "屁胡"]


@pytest.mark.parametrize("command", ["score", "case", "wall", "rules"])
def test_the_rule_commands_load_no_heavy_library(command: str) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['mahjong-table', '{command}', {'list' if command == 'rules' else '--jsonl'!r}]\n"
        "from controller.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'cv2', 'fastapi', 'numpy', 'onnxruntime', 'serial', 'uvicorn', 'vision'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"{}\n", capture_output=True, check=False, cwd=ROOT, timeout=60
    )
    assert done.stdout.decode().splitlines()[-1] == "heavy: []", done.stderr.decode()


def test_settings_are_shown_and_checked(tmp_path: Path) -> None:
    shown = run("rules", "settings", "mcr").stdout.decode()
    assert "mode                     庄家轮换 How the deal goes on: mcr (国标轮庄), circles (轮庄)" in shown
    assert json.loads(run("rules", "settings", "mcr", "--schema").stdout)["properties"]["variant"] == {
        "const": "mcr"
    }
    keys = {row["key"] for row in json.loads(run("rules", "settings", "mcr", "--json").stdout)["settings"]}
    assert {"min_fan", "mode", "referee"} <= keys
    file = tmp_path / "table.json"
    file.write_text('{"procedure": {"mcr_seats": "every_round"}}', encoding="utf-8")
    assert (
        json.loads(run("rules", "settings", "mcr", "--check", str(file)).stdout)["procedure"]["players"] == 4
    )
    for text, words in (
        ('{"procedure": {"nap": 1}}', "nap: 没有这项设置"),
        ("[]", "JSON"),
        ("{", "table.json"),
    ):
        file.write_text(text, encoding="utf-8")
        done = run("rules", "settings", "mcr", "--check", str(file))
        assert done.returncode == 1
        assert words in done.stderr.decode()
