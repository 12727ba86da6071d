"""The command waits, run as a person or a script runs it, and every shared hand through it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.errors import InvalidWin
from rules.records import answer_record
from rules.variants import get_variant
from rules.wait_records import answer_waits

ROOT = Path(__file__).resolve().parents[2]
MCR = ROOT.parent / "shared" / "data" / "mcr"
WAY_OF = {  # last of its kind, self-draw
    (False, False): "discard",
    (False, True): "self_draw",
    (True, False): "last_of_kind",
    (True, True): "last_of_kind_self_draw",
}
READY = "[123m,1](5555p) 678s EE 23m"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "controller.cli", "waits", *arguments]
    return subprocess.run(
        command, input=stdin.encode(), capture_output=True, check=False, cwd=ROOT, timeout=120
    )


def ask(*arguments: str, lines: list[Any]) -> list[dict[str, Any]]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    done = run(*arguments, "--jsonl", stdin=text + "\n")
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def shared(name: str) -> list[dict[str, Any]]:
    if not (MCR / name).is_file():
        pytest.skip(f"shared data not beside the checkout: {MCR / name}")
    return [json.loads(line) for line in (MCR / name).read_text(encoding="utf-8").splitlines()]


# ---- the shared hands ----


def test_every_shared_wait() -> None:
    rows = shared("waits.jsonl")
    answers = ask(lines=[{"id": row["id"], "hand": row["hand"]} for row in rows])
    for row, answer in zip(rows, answers, strict=True):
        assert {**answer, "hand": row["hand"]} == row
    assert len(rows) == 1500


def test_every_shared_distance() -> None:
    rows = shared("shanten.jsonl")
    answers = ask("--shanten", lines=[{"id": row["id"], "hand": row["hand"]} for row in rows])
    for row, answer in zip(rows, answers, strict=True):
        assert {**answer, "hand": row["hand"]} == row
    assert len(rows) == 1000


def test_a_wait_is_worth_what_the_win_on_it_is() -> None:
    """Every tenth shared win that can be foreseen: the row of its tile tells the total and the fan list."""
    variant = get_variant("mcr")
    compared = 0
    for row in shared("vectors.jsonl")[::10]:
        if row["rob_kong"] or row["kong_replacement"]:
            continue
        hand, tile = row["hand"].split(" + ")
        context = {key: row[key] for key in ("seat_wind", "round_wind", "flowers", "last_tile")}
        answer = answer_waits(variant, {"hand": hand, **context}, explain=True)
        detail = next(each for each in answer["detail"] if each["tile"] == tile)
        way = WAY_OF[row["last_of_kind"], row["self_draw"]]
        scored = detail["ways"][way]
        assert scored["total"] == row["total"], row["id"]
        fan = {each["name"]: each["points"] * each["count"] for each in scored["fan"]}
        assert fan in [row["fan"], *row.get("alt", [])], row["id"]
        assert scored["meets_minimum"] == (row["total"] - row["flowers"] >= 8)
        compared += 1
    assert compared > 300


# ---- what a row says ----


def detail_of(hand: str, tile: str, **context: Any) -> dict[str, Any]:
    (answer,) = ask("--explain", lines=[{"hand": hand, **context}])
    return next(row for row in answer["detail"] if row["tile"] == tile)


def totals(row: dict[str, Any]) -> dict[str, Any]:
    return {way: scored and scored["total"] for way, scored in row["ways"].items()}


def test_the_last_of_its_kind_is_impossible_possible_or_certain() -> None:
    concealed = detail_of("[456m][345p] 567s 55m 55s", "5m")
    assert concealed["copies"] == 1
    assert totals(concealed)["last_of_kind"] is totals(concealed)["last_of_kind_self_draw"] is None
    possible = detail_of("[456m][345p] 567s 45p 55s", "6p")
    assert possible["copies"] == 4
    assert totals(possible)["last_of_kind"] == totals(possible)["discard"] + 4
    certain = detail_of("[456m][345p] 567s 45p 55s", "6p", seen="666p")
    assert certain["copies"] == 1
    assert totals(certain)["discard"] == totals(certain)["last_of_kind"] == totals(possible)["last_of_kind"]
    assert "和绝张" in [fan["name"] for fan in certain["ways"]["self_draw"]["fan"]]
    melded = detail_of("[666p][345p] 567s 45p 55s", "6p")
    assert melded["ways"]["discard"] == melded["ways"]["last_of_kind"]


def test_a_wait_that_cannot_win_says_why() -> None:
    hand = "[123m,1][678p,1] 345s 67s EE"
    low = detail_of(hand, "8s", flowers=3)  # 连六 1, 喜相逢 1; 自摸 1, 和绝张 4
    assert totals(low) == {"discard": 5, "self_draw": 6, "last_of_kind": 9, "last_of_kind_self_draw": 10}
    assert low["why"] == {
        "code": "below_minimum",
        "most": 7,
        "minimum": 8,
        "unless": ["last_tile_claim", "last_tile_draw", "robbing_the_kong"],
        "zh": "最多 7 分，不够起和 8 分（花牌不计），除非海底捞月、妙手回春、抢杠和",
        "en": "at most 7, below the minimum of 8 (flowers left out), "
        "unless by the last tile or a robbed kong",
    }
    assert "why" not in detail_of(hand, "5s")  # 无番和 8
    gone = detail_of(hand, "5s", seen=["5s", "55s"])
    assert (gone["copies"], gone["ways"], gone["why"]["code"]) == (0, {}, "no_copy")
    enough = detail_of("111m 222m 333m 444p E", "E")
    assert "why" not in enough
    assert enough["ways"]["discard"]["meets_minimum"]


RARE = [
    ("[1111m,1][678p,1] 345s 67s EE", "5s", {}, "last_tile_claim last_tile_draw out_with_replacement_tile"),
    ("[123m,1][678p,1] 345s 8s EEE", "8s", {}, "last_tile_claim last_tile_draw"),
    ("[1111m,1][678p,1] 345s 67s EE", "5s", {"last_tile": True}, None),
]
TOLD = {
    "last_tile_claim": {"last_tile": True},
    "last_tile_draw": {"last_tile": True, "self_draw": True},
    "out_with_replacement_tile": {"kong_replacement": True, "self_draw": True},
    "robbing_the_kong": {"rob_kong": True},
}


@pytest.mark.parametrize(("hand", "tile", "context", "wanted"), RARE)
def test_a_rare_way_that_wins_where_no_other_does_is_named(
    hand: str, tile: str, context: dict[str, Any], wanted: str | None
) -> None:
    row = detail_of(hand, tile, **context)
    if wanted is None:
        assert "why" not in row
        return
    assert row["why"]["unless"] == wanted.split()
    for key, told in TOLD.items():
        try:
            wins = answer_record(get_variant("mcr"), {"hand": f"{hand} + {tile}", **told})["meets_minimum"]
        except InvalidWin:
            wins = False
        assert wins == (key in row["why"]["unless"]), key


def test_an_exhausted_wait_is_listed_and_has_no_copy() -> None:
    (answer,) = ask("--explain", lines=[{"hand": "[5555p] 123m 456m EE 46p"}])
    assert (answer["waits"], answer["exhausted"]) == (["5p"], ["5p"])
    assert answer["detail"][0]["why"]["en"] == "all four copies are visible"


def test_a_winning_tile_and_how_it_came_are_left_out_of_account() -> None:
    line = {"hand": READY + " + 4m", "self_draw": True, "kong_replacement": True}
    left, plain = ask("--explain", lines=[line, {"hand": READY}])
    assert left == plain
    assert left["waits"] == ["1m", "4m"]


def test_shapes_that_melds_rule_out_have_no_key() -> None:
    lines = [{"hand": hand} for hand in ("147m 258p 369s 23m EE", "[EEE] 147m 258p 36s 55s", "147m 258p 3s")]
    all_shapes, one_meld, two_melds = ask("--shanten", lines=lines)
    assert list(all_shapes) == [
        "regular", "useful", "seven_pairs", "thirteen_orphans", "honors_knitted", "knitted_straight", "best"
    ]  # fmt: skip
    assert (all_shapes["knitted_straight"], all_shapes["best"]) == (0, 0)
    assert set(one_meld) == {"regular", "useful", "knitted_straight"}
    assert one_meld["knitted_straight"] == 0
    assert set(two_melds) == {"regular", "useful"}


def test_useful_tiles_of_every_shape_know_what_is_visible() -> None:
    (answer,) = ask("--shanten", "--explain", lines=[{"hand": "19m 19p 1s ESWN CFP 5m", "seen": "9999s EE"}])
    row = next(each for each in answer["detail"] if each["shape"] == "thirteen_orphans")
    assert row["shanten"] == 1
    assert row["useful"]["9s"] == 0
    assert row["useful"]["E"] == 1
    assert row["live"] == 11 * 3 + 1
    rest = "46p 9p 13m 1s 99s E C"
    melded, plain = ask("--shanten", lines=[{"hand": f"[5555p] {rest}"}, {"hand": rest}])
    assert "5p" in plain["useful"]
    assert melded == {**plain, "useful": [tile for tile in plain["useful"] if tile != "5p"]}


# ---- odd lines and people ----

ODD_LINES: list[tuple[Any, str]] = [
    ("nonsense", "not JSON"),
    ({}, "hand is missing"),
    ({"hand": 7}, "hand must be text"),
    ({"hand": "1z"}, "z digits"),
    ({"hand": "123m 456m 789m 123p 55s"}, "14 tiles"),
    ({"hand": "[123m] 456m 789m"}, "9 tiles"),
    ({"hand": "123m 456m 789m 123p 456p E"}, "16 tiles"),
    ({"hand": "123m 456m 789m 123p a"}, "a is laid aside"),
    ({"hand": READY, "seen": "1x"}, "seen: "),
    ({"hand": READY, "seen": 5}, "seen are tiles, not 5"),
    ({"hand": READY, "seen": "EEE"}, "seen: a fifth E, 3 beside 2 in the hand"),
    ({"hand": READY, "options": 3}, "options must be an object"),
    ({"hand": READY, "flowers": 9}, "flowers is a whole number from 0 to 8"),
    ({"hand": READY, "seat_wind": "X"}, "seat_wind is a seat"),
    ({"hand": "456m 789m 123p E"}, "write the melds too"),
]


def test_lines_that_make_no_sense_and_the_rest_go_on() -> None:
    answers = ask("--explain", lines=[*(line for line, _ in ODD_LINES), {"id": 1, "hand": READY}])
    assert len(answers) == len(ODD_LINES) + 1
    for answer, (line, words) in zip(answers, ODD_LINES, strict=False):
        assert answer["error"]["code"] == "invalid", line
        assert words in answer["error"]["message"], line
    assert (answers[-1]["id"], answers[-1]["waits"]) == (1, ["1m", "4m"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([READY], 0, ""),
        (["--shanten", READY], 0, ""),
        (["--variant", "simplest", READY], 0, ""),
        ([], 2, "give hands as arguments"),
        (["--jsonl", READY], 2, "not both"),
        (["--variant", "nope", READY], 1, "there are: "),
        (["", READY], 1, "mahjong-table: (empty): hand: no tiles"),
        (["--seen", "EEE", READY], 1, "a fifth E"),
        (["--explain", "--flowers", "9", READY], 1, "from 0 to 8"),
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


def test_waits_for_people_in_both_languages() -> None:
    text = run("[5555p] 123m 456m EE 46p", "147m 123p 5s ESWN CF").stdout.decode()
    assert "5p 五饼 5 of dots   四张都在手里 all four are in the hand" in text
    assert "没有听牌 not ready" in text
    assert "全不靠 Honors and knitted tiles" in text
    worth = run("--explain", "[123m,1][678p,1] 345s 67s EE").stdout.decode()
    assert "余 3 张 left" in worth
    assert "点炮 discard: " in worth
    assert "和不了 cannot win: 最多 " in worth
    assert "below the minimum of 8" in worth


CHEAP = "[123m,1][678p,1] 345s 67s EE"
LANGUAGES = [
    ([READY], 3),
    (["[5555p] 123m 456m EE 46p"], 2),
    (["147m 123p 5s ESWN CF"], 6),
    (["--shanten", "--explain", "147m 123p 5s ESWN CF"], 11),
    (["--explain", CHEAP], 9),
    (["--explain", "--flowers", "aeg", CHEAP], 9),
    (["--routes", "123m 45678p 229s EE"], 10),
    (["--routes", "--within", "9", "123m 45678p 229s EE"], 26),
    (["--variant", "lianzhong", "--wild", "9p", "123m 456m 789m 5p9p 34s"], 5),
    (["--variant", "lianzhong", "--wild", "9p", "1357m 2468p 369s 9sE"], 2),
]


@pytest.mark.parametrize(("words", "least"), LANGUAGES)
def test_one_language_or_both(words: list[str], least: int) -> None:
    zh, en, both = (run(*words, "--lang", lang).stdout.decode() for lang in ("zh", "en", "both"))
    assert en.replace("×", "").isascii()
    assert not re.search("[a-z]{3}", zh.replace("--jsonl", ""))
    assert len(zh.splitlines()) == len(en.splitlines()) == len(both.splitlines()) >= least
    for told, shown in zip(en.splitlines(), both.splitlines(), strict=True):
        assert set(re.findall("[A-Za-z]{3,}", told)) - {"points"} <= set(re.findall("[A-Za-z]{3,}", shown))
    assert both == run(*words).stdout.decode()


def test_the_command_loads_no_heavy_library() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['mahjong-table', 'waits', '--jsonl', '--explain']\n"
        "from controller.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'cv2', 'fastapi', 'numpy', 'onnxruntime', 'serial', 'uvicorn', 'vision'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))\n"
    )
    line = json.dumps({"hand": READY}).encode()
    done = subprocess.run(
        [sys.executable, "-c", code], input=line, capture_output=True, check=False, cwd=ROOT, timeout=60
    )
    assert done.stdout.decode().splitlines()[-1] == "heavy: []", done.stderr.decode()


def test_routes_to_the_minimum_are_facts_nearest_first() -> None:
    near, far, bad, drawn = ask(
        "--routes",
        lines=[
            {"hand": "123m 45678p 229s EE"},
            {"hand": "123m 45678p 229s EE", "within": 0},
            {"hand": "123m 45678p 2s"},
            {"hand": "[EEE,1] 234m 456p 7799s + 3s", "seen": "44s"},
        ],
    )
    assert near["minimum"] == 8
    assert all(route["points"] >= 8 for route in near["routes"])
    distances = [route["distance"] for route in near["routes"]]
    assert distances == sorted(distances)
    assert {route["distance"] for route in far["routes"]} == {distances[0]}
    first = near["routes"][0]
    assert [row["name"] for row in first["patterns"]] == ["不求人", "圈风刻", "门风刻"]
    assert (first["distance"], first["concealed"], first["self_drawn"]) == (2, True, True)
    assert first["useful"] == {"3p": 4, "6p": 3, "9p": 4, "E": 2}
    assert bad["error"]["code"] == "invalid"
    steps = [route for route in drawn["routes"] if route["patterns"][0]["name"] == "三色三步高"]
    assert steps[0]["useful"]["4s"] == 2  # the other two lie open


def test_routes_for_people() -> None:
    done = run("--routes", "123m 45678p 229s EE")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "8 分: 花龙 Mixed Straight 8" in text
    assert "差 3 张 tiles missing" in text
    assert "已有 there already: 123m 456p EE" in text
    assert run("--routes", "--shanten", READY).returncode == 2
    plain = run("--routes", "--variant", "simplest", READY)
    assert (plain.returncode, "every complete hand wins" in plain.stderr.decode()) == (1, True)
