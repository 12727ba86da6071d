"""国标麻将 on the shared files: 4,000 hands, disputed ones, rulings, and inputs that must be refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RuleError
from rules.records import NotWin, answer_record
from rules.variants import get_variant

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "mcr"
MCR = get_variant("mcr")
Record = Mapping[str, Any]

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"the shared MCR hands are not beside the checkout: {DATA}"
)


@cache
def records(name: str) -> tuple[dict[str, Any], ...]:
    """Return the lines of a shared file."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines() if line.strip())


def worth(answer: Mapping[str, Any]) -> dict[str, int]:
    """Return the list of an answer in the form of the shared files: points times count by name."""
    return {row["name"]: row["points"] * row["count"] for row in answer["fan"]}


def is_right(record: Record, answer: Mapping[str, Any]) -> bool:
    lists = [record["fan"], *record.get("alt", [])]
    without_flowers = record["total"] - record["fan"].get("花牌", 0)
    return (
        answer["total"] == record["total"]
        and worth(answer) in lists
        and answer["meets_minimum"] == (without_flowers >= 8)
    )


def run_cli(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers of `mahjong-table score --variant mcr --jsonl`."""
    command = [sys.executable, "-m", "controller.cli", "score", "--variant", "mcr", "--jsonl"]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, check=True, cwd=ROOT, timeout=120
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


# ---- hands that win ----


@needs_data
@pytest.mark.parametrize(("name", "hands"), [("vectors", 4000), ("disputed", 180), ("rulings", 32)])
def test_every_shared_hand_has_its_total_and_list(name: str, hands: int) -> None:
    lines = records(name)
    assert len(lines) == hands
    wrong = [
        (record["id"], worth(answer), record["fan"])
        for record in lines
        if not is_right(record, answer := answer_record(MCR, record))
    ]
    assert wrong == []


@needs_data
def test_the_command_answers_the_same() -> None:
    lines = [*records("vectors")[::50], *records("disputed")[::20], *records("rulings")]
    for record, answer in zip(lines, run_cli(lines), strict=True):
        assert answer["id"] == record["id"]
        assert is_right(record, answer), (record, answer)


MINIMUM = [
    ("7 points", "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", {}, 7, False),
    ("8 flowers do not help", "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", {"flowers": 8}, 15, False),
    ("8 points", "[678m,1] 567p 23477s SS + 7s", {}, 8, True),
    ("the same drawn: 1 point", "[678m,1] 567p 23477s SS + 7s", {"self_draw": True}, 1, False),
]


@pytest.mark.parametrize(("says", "hand", "told", "total", "meets"), MINIMUM)
def test_the_minimum_leaves_flowers_out(says: str, hand: str, told: Record, total: int, meets: bool) -> None:
    record = {"hand": hand, "seat_wind": "S", "round_wind": "W", **told}
    answer = answer_record(MCR, record)
    assert (answer["total"], answer["meets_minimum"]) == (total, meets), says


# ---- inputs that are refused, and what they are told ----

ORPHANS = {f"{rank}{suit}" for suit in "mps" for rank in (1, 9)} | set("ESWNCFP")
ANY_SHAPE = (
    r"no winning shape: (the hand waits for .+, not for {win}|[2-9] tiles short of the nearest shape: .+)$"
)
AS_WAITED = r"no winning shape: the hand waits for .+, not for {win}$"


def tiles_in(text: str) -> list[str]:
    """Return the tiles of a hand text one by one, read without the parser under test."""
    found = []
    for digits, suit, honor in re.findall(r"(\d+)([mps])|([ESWNCFP])", re.sub(r",\d", "", text)):
        found += [honor] if honor else [digit + suit for digit in digits]
    return found


def win_tile(record: Record) -> str:
    return tiles_in(record["hand"].partition("+")[2])[0]


def missing_orphan(record: Record) -> str:
    (missing,) = ORPHANS - set(tiles_in(record["hand"]))
    return f"the hand waits for {missing}, not for {{win}}"


def odd_tile(record: Record) -> str:
    concealed = Counter(tiles_in(record["hand"].partition("+")[0]))
    (odd,) = [tile for tile, count in concealed.items() if count % 2]
    return f"the hand waits for {odd}, not for {{win}}"


def fifth_copy(record: Record) -> str:
    (tile,) = [tile for tile, count in Counter(tiles_in(record["hand"])).items() if count > 4]
    return f"a fifth {tile} "


def number_of_tiles(number: int) -> Callable[[Record], str]:
    def words(record: Record) -> str:
        kongs = ", a kong counting as 3" if re.search(r"[\[(](.)\1{3}", record["hand"]) else ""
        return f"^{number} tiles with the winning one{kongs}; a hand has 14$"

    return words


CHOW_OF_HONORS = "winds and dragons form no chow"
NO_RUN = "a chow is three ranks in a row"
ONE_SUIT = "the tiles of a meld are of one suit"
TOO_FEW = r"a meld has 3 or 4 tiles, not [012]"
SOURCE = r"the source is 1 \(upper\), 2 \(opposite\) or 3 \(lower\)"
FROM_UPPER = "a chow comes from the upper seat only"
NO_TILE = r"is no tile: digits with a suit m p s, winds and dragons E S W N C F P \(at character 21\)"
BAD_MELDS = {  # the rest of each hand is fine
    "[891m]": NO_RUN,
    "[135s]": NO_RUN,
    "[124m]": NO_RUN,
    "[112p]": NO_RUN,
    "[ESW]": f"ESW is .* {CHOW_OF_HONORS}",
    "[CFP]": CHOW_OF_HONORS,
    "[ENS]": CHOW_OF_HONORS,
    "[SWN]": CHOW_OF_HONORS,
    "[EES]": CHOW_OF_HONORS,
    "[EEES]": CHOW_OF_HONORS,
    "[CCF]": CHOW_OF_HONORS,
    "[]": TOO_FEW,
    "[11m]": TOO_FEW,
    "[E]": TOO_FEW,
    "(EE)": TOO_FEW,
    "()": TOO_FEW,
    "[123m": r"'\[' without its closing '\]' \(at character 1\)",
    "123m]": r"'\]' without its opening bracket \(at character 5\)",
    "[12m3p]": ONE_SUIT,
    "[1m2p3s]": ONE_SUIT,
    "[11111m]": "a fifth 1m",
    "[1112m]": "a kong is four equal tiles",
    "[111m,0]": SOURCE,
    "[123m,4]": SOURCE,
    "(5555p,2)": "a concealed kong has no source",
    "[0m1m2m]": "0 is a red five, which only riichi has",
    "[123m,2]": FROM_UPPER,
    "[456s,3]": FROM_UPPER,
    "(111p)": "only a kong is declared concealed",
    "(123m)": "only a kong is declared concealed",
    "[123x]": "'x' is no suit: the suits are m p s",
}
BAD_TEXTS = {
    "123m 456m 789m 123p 5s": r"^the winning tile is missing \(after a plus sign\)$",
    "123m 456m 789m 123p 5s +": "no winning tile after the plus sign",
    "123m 456m 789m 123p 5s + 55s": "more than one winning tile",
    "123m 456m 789m 123p 5s + 5x": "'x' is no suit: the suits are m p s",
    "123m 456m 789m 123p 5s + 5z": "z digits are not used: winds and dragons are E S W N C F P",
    "123m 456m 789m 123p 5s ++ 5s": "a second plus sign",
    "123m 456m 789m 123p 0s + 0s": "0 is a red five",
    "123m 456m 789m 123p X + X": f"'X' {NO_TILE}",
    "123m 456m 789m 123p D + D": f"'D' {NO_TILE}",
    "123m 456m 789m 123p 五条 + 五条": "'五' is no tile: m=万 p=饼 s=条",
    "123 456m 789m 123p 5s + 5s": r"digits without a suit \(m p s\): 123",
    "": "no tiles",
    "+": "no winning tile after the plus sign",
}


def bad_meld(record: Record) -> str:
    return BAD_MELDS[record["hand"].partition(" 678s")[0]]


CONTEXT = {
    "kong replacement needs a declared kong": "^a win on a kong replacement needs a declared kong$",
    "kong replacement is always a self-draw": "^a kong replacement is always a self-draw$",
    "a robbed kong is never a self-draw": "^a robbed kong is never a self-draw$",
    "the robbed tile may not be held elsewhere in the winning hand": (
        "^the robbed tile cannot be held elsewhere in the winning hand: "
        "all four {win} are in the robbed kong$"
    ),
    "last of its kind cannot be true while a copy is concealed in the hand": (
        r"^the last of its kind \(last_of_kind\) is won when the other three lie open; "
        "the hand holds a concealed {win}$"
    ),
    "flowers must be 0..8": "^flowers is a whole number from 0 to 8, not {flowers}$",
    "unknown wind": "^seat_wind is a seat E, S, W or N, not '{seat_wind}'$",
}

WORDS: dict[str, Callable[[Record], str]] = {
    "wrong_winning_tile": lambda record: AS_WAITED,
    "random_tiles": lambda record: ANY_SHAPE,
    "orphans_missing_one": missing_orphan,
    "six_pairs": odd_tile,
    "pairs_with_meld": lambda record: "[2-9] tiles short of the nearest shape: 四面子一将 Sets and a pair$",
    "knitted_misaligned": lambda record: ANY_SHAPE,
    "knitted_duplicate_honor": lambda record: AS_WAITED,
    "honor_run": lambda record: "the hand waits for C, not for F",
    "one_tile_short": number_of_tiles(13),
    "one_tile_over": number_of_tiles(15),
    "five_copies": fifth_copy,
    "bad_meld": bad_meld,
    "five_melds": lambda record: "^5 declared melds; a hand has at most 4$",
    "bad_text": lambda record: BAD_TEXTS[record["hand"]],
    "context": lambda record: CONTEXT[record["why"]],
}


def refusal_of(record: Record) -> tuple[str, str]:
    with pytest.raises(RuleError) as caught:
        answer_record(MCR, record)
    return caught.value.code, str(caught.value)


@needs_data
@pytest.mark.parametrize("kind", WORDS)
def test_bad_input_is_refused_with_what_is_wrong(kind: str) -> None:
    lines = [record for record in records("invalid") if record["kind"] == kind]
    assert lines
    for record in lines:
        code, message = refusal_of(record)
        assert code == record["expect"], (record, message)
        words = WORDS[kind](record)
        for name in ("flowers", "seat_wind"):
            words = words.replace(f"{{{name}}}", str(record[name]))
        if "{win}" in words:
            words = words.replace("{win}", win_tile(record))
        assert re.search(words, message), (record["hand"], message, words)


@needs_data
def test_every_refused_line_is_covered_and_the_command_refuses_it_too() -> None:
    lines = records("invalid")
    assert len(lines) == 220
    assert {record["kind"] for record in lines} == set(WORDS)
    for record, answer in zip(lines, run_cli(list(lines)), strict=True):
        assert answer["error"] == dict(zip(("code", "message"), refusal_of(record), strict=True))


@needs_data
def test_the_waits_a_refusal_names_do_win() -> None:
    told = 0
    for record in records("invalid"):
        code, message = (record["expect"], "") if record["expect"] == "invalid" else refusal_of(record)
        named = re.search("waits for (.+), not for", message)
        if code != "not_win" or named is None:
            continue
        for tile in named[1].split():
            before = record["hand"].partition("+")[0]
            if tiles_in(before).count(tile) < 4:
                told += 1
                assert answer_record(MCR, {**record, "hand": f"{before}+ {tile}"})["total"] > 0
    assert told > 60


NEAREST = [
    (
        "one tile from sets and a pair",
        "[123m,1][456p,1] 789s 23s EW + N",
        "2 tiles short .*: 四面子一将 Sets and a pair",
    ),
    (
        "seven pairs nearer",
        "33788m 46677p 25s S + 1m",
        "3 tiles short of the nearest shape: 七对 Seven pairs$",
    ),
    ("knitted", "147m 258p 36s ESWNP + S", "waits for 9s C F, not for S"),
    ("a wait that is used up is one in form", "1111m 23m 456p 789s E + S", "waits for"),
]


@pytest.mark.parametrize(("says", "hand", "words"), NEAREST)
def test_a_hand_that_is_no_win_is_told_what_is_nearest(says: str, hand: str, words: str) -> None:
    with pytest.raises(NotWin, match=words):
        answer_record(MCR, {"hand": hand})
