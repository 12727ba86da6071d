"""What holds for every winning hand of Chinese Official, tried on generated hands of every fan."""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RuleError
from rules.hand import Hand
from rules.notation import format_hand, format_tiles, parse_hand, parse_tiles
from rules.ready import waits
from rules.records import answer_record, read_record
from rules.scoring import score, settle
from rules.seats import ALL_SEATS
from rules.splits import Reading
from rules.variants import VARIANTS, get_variant
from tests.rules.mcr_hands import hands

FAN_CSV = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr" / "fan.csv"
MCR = get_variant("mcr")
PROFILES = sorted(key for key in VARIANTS if key.split("-")[0] == "mcr")
HANDS = list(hands(81, 800))
BASE = 8
CAPS = {"mcr-jmsa": 88}
TERMINAL_PUNG = "幺九刻"
OF_ONE_SET = {TERMINAL_PUNG, "箭刻", "圈风刻", "门风刻", "暗杠", "明杠"}
Record = dict[str, Any]


def answered(record: Mapping[str, Any], variant: str = "mcr") -> tuple[dict[str, int], bool]:
    """Return what each fan brings and whether the minimum is met."""
    answer = answer_record(get_variant(variant), record)
    fans = {row["name"]: row["points"] * row["count"] for row in answer["fan"]}
    assert answer["total"] == min(sum(fans.values()), CAPS.get(variant, 9999))
    return fans, answer["meets_minimum"]


# ---- what must not matter ----


def shuffled_tiles(record: Record, rng: random.Random) -> Record:
    """Write the tiles one by one in any order; melds too."""
    hand = parse_hand(record["hand"])
    melds = [format_hand(Hand((meld,))) for meld in hand.melds]
    tiles = [str(tile) for tile in hand.concealed]
    rng.shuffle(melds)
    rng.shuffle(tiles)
    return {**record, "hand": f"{''.join(melds)} {''.join(tiles)} + {hand.win_tile}"}


def other_sources(record: Record, rng: random.Random) -> Record:
    """Take pungs and exposed kongs from other seats; a chow comes from the upper seat."""
    text = re.sub(
        r"\[((?:(\d)\2{2,3}[mps]|([ESWNCFP])\3{2,3})\+?),\d\]",
        lambda found: f"[{found[1]},{rng.choice('123')}]",
        record["hand"],
    )
    return {**record, "hand": text}


def added_kongs(record: Record, rng: random.Random) -> Record:
    """Say of an exposed kong that it was added, or that it was not."""
    text = re.sub(r"\[((\d)\2{3}[mps]|([ESWNCFP])\3{3})(\+?),", _swap_plus, record["hand"])
    return {**record, "hand": text}


def _swap_plus(found: re.Match[str]) -> str:
    return f"[{found[1]}{'' if found[4] else '+'},"


def permuted_suits(record: Record, rng: random.Random) -> Record:
    """Let the suits change places: 绿一色 and 推不倒 alone look at a suit."""
    order = rng.sample("mps", 3)
    return {**record, "hand": record["hand"].translate(str.maketrans("mps", "".join(order)))}


def mirrored_ranks(record: Record, rng: random.Random) -> Record:
    """Turn every rank r into 10 - r: upper and lower fan change names, not points."""
    hand = re.sub(r"[1-9]+[mps]", _mirror, record["hand"])
    return {**record, "hand": hand}


def _mirror(found: re.Match[str]) -> str:
    return "".join(sorted(str(10 - int(digit)) for digit in found[0][:-1])) + found[0][-1]


SAME_LIST = (shuffled_tiles, other_sources, added_kongs)
SAME_WORTH = (permuted_suits, mirrored_ranks)
LOOKS_AT_A_SUIT = {"绿一色", "推不倒"}


@pytest.mark.parametrize("change", SAME_LIST, ids=lambda change: change.__name__)
def test_the_list_does_not_depend_on(change: Callable[[Record, random.Random], Record]) -> None:
    rng = random.Random(1)
    changed = 0
    for record in HANDS:
        other = change(record, rng)
        changed += other != record
        assert answered(other) == answered(record), (record, other)
    assert changed > 50


@pytest.mark.parametrize("change", SAME_WORTH, ids=lambda change: change.__name__)
def test_the_worth_does_not_depend_on(change: Callable[[Record, random.Random], Record]) -> None:
    rng = random.Random(2)
    changed = 0
    for record in HANDS:
        other = change(record, rng)
        mine, theirs = answered(record)[0], answered(other)[0]
        if LOOKS_AT_A_SUIT & {*mine, *theirs}:
            continue
        changed += other["hand"] != record["hand"]
        assert sum(mine.values()) == sum(theirs.values()), (record, other)
    assert changed > 500


def test_an_equal_tile_may_be_called_the_winning_one() -> None:
    """A kind that stands more than once: whichever copy is set apart, hand and score are the same."""
    tried = 0
    for record in HANDS:
        hand = parse_hand(record["hand"])
        assert hand.win_tile is not None
        if hand.win_tile not in hand.concealed:
            continue
        tried += 1
        standing = [*hand.concealed, hand.win_tile]
        for place, tile in enumerate(standing):
            if tile == hand.win_tile:
                rest = tuple(standing[:place] + standing[place + 1 :])
                again = {**record, "hand": format_hand(Hand(hand.melds, rest, tile))}
                assert answered(again) == answered(record)
    assert tried > 200


# ---- what must be counted ----


@pytest.mark.parametrize("variant", PROFILES)
def test_a_flower_adds_exactly_one_and_never_helps_to_reach_the_minimum(variant: str) -> None:
    for record in HANDS[:300]:
        fewer, met = answered({**record, "flowers": 0}, variant)
        for flowers in (1, 4, 8):
            more, met_too = answered({**record, "flowers": flowers}, variant)
            assert more == {**fewer, "花牌": flowers}, record
            assert met_too is met


@pytest.mark.parametrize("variant", PROFILES)
def test_every_generated_hand_is_scored(variant: str) -> None:
    for record in HANDS:
        fans, met = answered(record, variant)
        assert fans
        assert met is (sum(fans.values()) - fans.get("花牌", 0) >= BASE), record


# ---- readings ----


def test_every_reading_uses_every_tile() -> None:
    several = 0
    for record in HANDS:
        hand = parse_hand(record["hand"])
        readings = [reading for shape in MCR.shapes({}) for reading in shape.readings(hand)]
        assert readings, record
        several += len(readings) > 1
        for reading in readings:
            check_reading(reading, hand)
    assert several > 50


def check_reading(reading: Reading, hand: Hand) -> None:
    """Check a reading against the hand: sets are sets, melds lie as declared, and all tiles are used."""
    used = [tile for each in reading.sets for tile in each.tiles]
    used += [tile for tile in reading.pairs for _ in range(2)]
    used += [tile for tile in hand.standing if tile.index in reading.loose and tile not in used]
    assert sorted(used) == list(hand.tiles), (reading, hand)
    assert list(reading.tiles) == list(hand.tiles)
    assert len(used) == 14 + len(hand.kongs)
    assert Counter(each.meld for each in reading.sets if each.meld is not None) == Counter(hand.melds)
    kinds = Counter(str(each.kind) for each in reading.sets)
    if reading.shape == "regular":
        assert (sum(kinds.values()), len(reading.pairs)) == (4, 1)
    assert kinds["kong"] == len(hand.kongs)
    for each in reading.sets:
        indexes = [tile.index for tile in each.tiles]
        if str(each.kind) == "chow":
            assert indexes == list(range(indexes[0], indexes[0] + 3))
            assert indexes[0] // 9 == indexes[2] // 9 < 3
        elif str(each.kind) in ("pung", "kong"):
            assert len(set(indexes)) == 1
            assert len(indexes) == (4 if str(each.kind) == "kong" else 3)


def test_the_winning_tile_is_a_wait() -> None:
    for record in HANDS:
        hand = parse_hand(record["hand"])
        assert hand.win_tile in waits(hand, MCR.shapes({})), record


# ---- exclusions ----


def fan_table() -> dict[str, tuple[set[str], set[str]]]:
    """Return zh -> (excluded always, excluded on its own sets only), from the shared list."""
    with FAN_CSV.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {row["id"]: row["zh"] for row in rows}
    table = {}
    for row in rows:
        on_sets = {names[each] for each in row["excludes_set_level"].split()}
        table[row["zh"]] = ({names[each] for each in row["excludes"].split()} - on_sets, on_sets)
    return table


def broken_exclusions(
    rows: Sequence[Mapping[str, Any]],
    reading: Sequence[str],
    table: Mapping[str, tuple[set[str], set[str]]],
) -> list[str]:
    """Return the pairs of rows of which one should have kept the other out."""
    found = []
    for row in rows:
        always, on_sets = table[row["name"]]
        for other in rows:
            if other["name"] in always:
                found.append(f"{row['name']} beside {other['name']}")
            if other["name"] in on_sets and not _has_sets_of_its_own(other, row, reading):
                found.append(f"{other['name']} on the sets of {row['name']}")
    return found


def _has_sets_of_its_own(other: Mapping[str, Any], row: Mapping[str, Any], reading: Sequence[str]) -> bool:
    """Return whether there is, for each time `other` counts, a set that is not among those of `row`."""
    pungs = [text for text in reading if _is_terminal_pung(text)]
    theirs = pungs if other["name"] == TERMINAL_PUNG else other["sets"]
    taken = pungs[:1] if row["name"] == "九莲宝灯" else row["sets"]  # the gates hold one pung, 111 or 999
    return sum((Counter(theirs) - Counter(taken)).values()) >= other["count"]


def _is_terminal_pung(text: str) -> bool:
    tiles = parse_tiles(text)
    return len(tiles) >= 3 and len(set(tiles)) == 1 and (tiles[0].is_honor or tiles[0].rank in (1, 9))


@pytest.mark.skipif(not FAN_CSV.is_file(), reason=f"shared data not beside the checkout: {FAN_CSV}")
def test_exclusions_hold_on_every_result() -> None:
    table = fan_table()
    for record in HANDS:
        answer = answer_record(MCR, record, explain=True)
        assert broken_exclusions(answer["fan"], answer["reading"], table) == [], record
        for alt in answer["alt"]:
            assert sum(alt.values()) == answer["total"], record
            for name in alt:
                assert not table[name][0] & set(alt), (record, alt)


@pytest.mark.skipif(not FAN_CSV.is_file(), reason=f"shared data not beside the checkout: {FAN_CSV}")
@pytest.mark.parametrize(
    ("rows", "broken"),
    [
        (
            [("清龙", 1, ["123s", "456s", "789s"]), ("连六", 1, ["123s", "456s"])],
            ["连六 on the sets of 清龙"],
        ),
        ([("清龙", 1, ["123s", "456s", "789s"]), ("连六", 1, ["456s", "789s", "789s"])], []),
        ([("清一色", 1, []), ("无字", 1, [])], ["清一色 beside 无字"]),
        ([("箭刻", 1, ["CCC"]), ("幺九刻", 2, [])], ["幺九刻 on the sets of 箭刻"]),
        ([("箭刻", 1, ["CCC"]), ("幺九刻", 1, [])], []),
        ([("九莲宝灯", 1, []), ("幺九刻", 2, [])], ["幺九刻 on the sets of 九莲宝灯"]),
        ([("九莲宝灯", 1, []), ("幺九刻", 1, [])], []),
    ],
)
def test_the_check_of_exclusions_can_fail(rows: list[tuple[str, int, list[str]]], broken: list[str]) -> None:
    made = [{"name": name, "count": count, "sets": sets} for name, count, sets in rows]
    assert broken_exclusions(made, ["111m", "CCC", "234m", "567m", "88m"], fan_table()) == broken


def test_sets_named_for_a_fan_are_sets_of_the_hand() -> None:
    for record in HANDS:
        answer = answer_record(MCR, record, explain=True)
        tiles = Counter(parse_hand(record["hand"]).tiles)
        for row in answer["fan"]:
            named = Counter(tile for text in row["sets"] for tile in parse_tiles(text))
            assert named <= tiles, (record, row)
            if row["name"] in OF_ONE_SET:
                assert len(row["sets"]) == row["count"], (record, row)
        assert Counter(tile for text in answer["reading"] for tile in parse_tiles(text)) == tiles


# ---- payment ----


def test_a_settlement_sums_to_zero_and_pays_eight_and_the_total() -> None:
    paid = 0
    for record in HANDS:
        win, situation = read_record(MCR, record)
        scored = score(MCR, win, situation)
        if not scored.legal:
            with pytest.raises(RuleError, match="below_minimum"):
                settle(MCR, [win], situation)
            continue
        paid += 1
        deltas = settle(MCR, [win], situation).deltas
        losses = {seat: BASE + (scored.total if win.source in (None, seat) else 0) for seat in ALL_SEATS}
        losses[win.seat] = 0
        assert sum(deltas.values()) == 0
        assert deltas[win.seat] == sum(losses.values())
        assert all(deltas[seat] == -losses[seat] for seat in ALL_SEATS if seat != win.seat)
    assert paid > 500


def test_what_the_changes_do() -> None:
    rng = random.Random(3)
    record = {"hand": "[123m,1][5555p+,2](EEEE) 34s 99s + 2s"}
    assert mirrored_ranks(record, rng)["hand"] == "[789m,1][5555p+,2](EEEE) 67s 11s + 8s"
    assert added_kongs(record, rng)["hand"] == "[123m,1][5555p,2](EEEE) 34s 99s + 2s"
    assert {other_sources(record, rng)["hand"][15:17] for _ in range(30)} == {",1", ",2", ",3"}
    assert format_tiles(parse_hand(shuffled_tiles(record, rng)["hand"]).tiles) == format_tiles(
        parse_hand(record["hand"]).tiles
    )
