"""Riichi: the shared cases, the library's traps, and the money around the hands."""

from __future__ import annotations

import csv
import json
from itertools import combinations, permutations
from typing import Any

import pytest
from mahjong.hand_calculating.yaku_config import YakuConfig

from rules.cases import answer_case
from rules.errors import RuleError
from rules.notation import parse_hand
from rules.seats import ALL_SEATS, Seat
from rules.situation import Win
from rules.tiles import Tile
from rules.variants import riichi_game as game
from rules.variants.riichi import SLUG, UMA, options_of
from rules.variants.riichi_hand import Asked, Cost, count, library_kind, without_red
from rules.variants.riichi_yaku import YAKU
from tests.rules.shared_cases import CASES, cases

ALL = cases(SLUG)
WINS = [case for case in ALL if "winner" in case]
needs_shared = pytest.mark.skipif(
    not CASES.is_dir(), reason=f"shared rule cases not beside the checkout: {CASES}"
)
E, S, W, N = ALL_SEATS
NOT_OFFERED = {"Open Riichi", "Double Open Riichi", "Paarenchan", "Sashikomi"}
HAND = "234m 567m 345p 22p 67s + 8s"


def asked(case: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in case.items() if key != "expect"}


def ask(op: str, options: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:
    return answer_case({"variant": SLUG, "options": options or {}, "op": op, "in": given})


def won(hand: str = HAND, by: str = "discard", seat: str = "S", **options: Any) -> dict[str, Any]:
    source = None if by == "self_draw" else "W"
    winner = {"seat": seat, "hand": hand, "by": by, "from": source}
    return answer_case({"variant": SLUG, "dealer": "E", "options": options, "winner": winner})


@needs_shared
def test_cases_are_there() -> None:
    assert len(ALL) == 86


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    answer, expected = answer_case(asked(case)), case["expect"]
    if "elements" in expected:
        answer["elements"].sort()
        expected = {**expected, "elements": sorted(expected["elements"])}
    assert {key: answer[key] for key in expected} == expected
    json.dumps(answer)


@pytest.mark.parametrize("case", WINS, ids=lambda case: case["id"])
def test_a_win_sums_to_zero_and_the_winner_gets_the_total(case: dict[str, Any]) -> None:
    answer = answer_case(asked(case))
    assert sum(answer["deltas"].values()) == 0
    assert answer["deltas"][case["winner"]["seat"]] == answer["total"]


@needs_shared
def test_yaku_are_named_as_in_the_shared_table() -> None:
    with (CASES.parent / "elements" / f"{SLUG}.csv").open(encoding="utf-8") as file:
        table = {(row["key"], row["zh"], row["en"]) for row in csv.DictReader(file)}
    assert {(yaku.key, yaku.zh, yaku.en) for yaku in YAKU.values()} == table


def test_every_yaku_of_the_library_that_can_come_up_has_its_row() -> None:
    names = {value.name for value in vars(YakuConfig()).values() if hasattr(value, "han_closed")}
    missing = {name for name in names - set(YAKU) if not any(word in name for word in NOT_OFFERED)}
    assert not missing


def test_plain_fives_are_not_counted_as_red() -> None:
    assert ["Aka Dora", 1] not in won("234m 67m 345p 22p 555s + 5m", events=["riichi"])["elements"]
    three = "340m 567m 340p 22p 67s + 8s"
    assert ["Aka Dora", 2] in won(three, events=["riichi"])["elements"]
    assert ["Aka Dora", 2] not in won(three, events=["riichi"], aka=False)["elements"]


def test_a_red_five_may_win_and_lie_in_a_meld() -> None:
    assert ["Aka Dora", 1] in won("234m 567m 234p 22p 46s + 0s")["elements"]
    assert ["Aka Dora", 1] in won("(5550p) 234m 567m 22p 67s + 8s", events=["riichi"])["elements"]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("(5555p) 234m 567m 22p 67s + 8s", "hold the red one"),
        ("300p 567m 345m 22p 67s + 8s", "one red five in each suit"),
        ("234m 567m 345p 22p 67s", "winning tile is missing"),
        ("234m 567m 345p 22p 67s + a", "not in the tile set"),
    ],
)
def test_tiles_that_cannot_be_are_refused(hand: str, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        won(hand)


def test_dragons_stand_in_another_order_in_the_library() -> None:
    assert [library_kind(Tile.parse(text)) for text in "PFC"] == [31, 32, 33]
    for indicator, counted in {"P": "F", "F": "C", "C": "P"}.items():  # each points at the next one
        answer = won(f"[{counted * 3}] 234m 567m 22p 67s + 8s", dora_indicators=[indicator])
        assert ["Dora", 3] in answer["elements"]


def test_ura_count_with_a_riichi_only() -> None:
    assert won(ura_indicators=["7s"])["han"] == 2
    assert won(ura_indicators=["7s"], events=["riichi"])["han"] == 4


def test_each_win_is_counted_afresh() -> None:
    first = won(dora_indicators=["7s"], events=["riichi"])
    won(dora_indicators=["7s", "7s"], events=["riichi"])
    assert won(dora_indicators=["7s"], events=["riichi"]) == first


def test_honba_is_a_payment_of_its_own() -> None:
    cost = Cost(2600, 1300, 200, 100, "")
    text, red = without_red("234m 567m 345p 22p 67s + 8s")
    win = Win(S, parse_hand(text), "self_draw")
    paid = [(each.payer, each.units, each.why) for each in game.win_payments(win, E, cost)]
    assert paid[:2] == [(E, 2600, "win"), (E, 200, "honba")]
    assert len(paid) == 6
    assert not red
    with_honba = count(Asked(win, E, honba=2), options_of({}))
    assert with_honba.cost.main_honba == 200


@pytest.mark.parametrize("ready", [set(some) for size in range(5) for some in combinations(ALL_SEATS, size)])
def test_noten_moves_three_thousand_or_nothing(ready: set[Seat]) -> None:
    deltas = game.noten(ready)
    assert sum(deltas.values()) == 0
    gained = sum(points for points in deltas.values() if points > 0)
    assert gained == (3000 if 0 < len(ready) < 4 else 0)


@pytest.mark.parametrize("uma", UMA.values(), ids=list(UMA))
@pytest.mark.parametrize("ties", ["seat", "split"])
def test_final_points_sum_to_zero_whoever_stands_where(ties: str, uma: tuple[int, ...]) -> None:
    for scores in permutations((40_000, 25_000, 25_000, 9_000)):
        rules = game.RankRules(25_000, 30_000, uma, ties, S)
        found = game.ranking(dict(zip(ALL_SEATS, scores, strict=True)), 1, rules)
        assert sum(found.values()) == 0
        equal = [found[seat] for seat, score in zip(ALL_SEATS, scores, strict=True) if score == 25_000]
        assert (abs(equal[0] - equal[1]) <= 1) == (ties == "split")


def test_of_equal_scores_the_nearer_to_the_first_dealer_is_higher() -> None:
    scores = dict.fromkeys(ALL_SEATS, 25_000)
    told = game.RankRules(25_000, 30_000, (20, 10, -10, -20), "seat", W)
    assert game.ranking(scores, 0, told) == {W: 350, N: 50, E: -150, S: -250}
    shared = game.RankRules(25_000, 30_000, (20, 10, -10, -20), "split", W)
    assert set(game.ranking(scores, 0, shared).values()) == {0}


def test_three_rons_may_make_an_abortive_draw() -> None:
    winners = {"S": 3900, "W": 2000, "N": 1000}
    answer = ask("multi_ron", discarder="E", winners=winners, honba=1, sticks=2, multi_ron="triple_abort")
    assert (answer["abort"], answer["honba"], answer["pot_to"], answer["pot"]) == (True, 2, None, 2000)
    assert set(answer["deltas"].values()) == {0}
    two = ask("multi_ron", {"multi_ron": "triple_abort"}, discarder="E", winners={"S": 3900, "N": 1000})
    assert two["deltas"] == {"E": -4900, "S": 3900, "W": 0, "N": 1000}


def test_without_pao_a_yakuman_is_paid_as_any_other() -> None:
    told = {"yakuman": "daisangen", "value": 32_000, "dealer": "E", "winner": "S", "feeder": "W", "honba": 1}
    drawn = ask("pao", {"pao": False}, **told, by="self_draw")
    assert drawn["deltas"] == {"E": -16_100, "S": 32_300, "W": -8_100, "N": -8_100}
    assert ask("pao", **told, by="discard", discarder="W")["deltas"]["W"] == -32_300


def test_an_extended_game_ends_when_somebody_has_the_target_or_the_round_is_over() -> None:
    def ends(round_wind: str, hand: int, top: int, **more: Any) -> bool:
        scores = {"E": top, "S": 25_000, "W": 25_000, "N": 50_000 - top}
        row = {"round": round_wind, "hand": hand, "dealer_repeats": False, "length": "hanchan", **more}
        return bool(ask("game_end", cases=[row], scores=scores, target=30_000)["ends"][0])

    assert ends("W", 1, 31_000)
    assert not ends("W", 1, 29_000)
    assert ends("W", 4, 29_000)
    assert ends("S", 4, 29_000, west_extension=False)
    assert not ends("S", 4, 31_000, dealer_repeats=True, dealer="N")


@pytest.mark.parametrize(
    ("op", "given", "words"),
    [
        ("final", {"scores": {"E": 1, "S": 2, "W": 3, "N": 4}}, "sum to 100000"),
        ("final", {"scores": {"E": 100_000}}, "four scores"),
        ("multi_ron", {"discarder": "E", "winners": {"E": 1000}}, "not the discarder"),
        ("next_hand", {"dealer": "E", "events": ["nap"]}, "a hand ends by"),
        ("riichi_stick", {"seat": "E", "scores": dict.fromkeys("ESWN", 900)}, "no 1000 points"),
        ("live_wall", {"states": [[70, 0]]}, "more than the live wall"),
        ("break_one_throw_sum", {"dealer": "E", "sum": 9, "dice": [1, 2]}, "the dice show 3"),
        ("legal_action", {}, "no op"),
    ],
)
def test_an_odd_question_is_refused_by_name(op: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        ask(op, **given)


def test_a_seat_wind_that_contradicts_the_dealer_is_refused() -> None:
    with pytest.raises(RuleError, match="seat_wind"):
        won(seat_wind="N")
