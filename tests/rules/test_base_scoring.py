"""基分: base-scoring.md, its whole payment table, its options and their limits."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.errors import InvalidOption, RuleError
from rules.notation import parse_hand
from rules.scoring import Situation, Win, score, settle, settle_draw
from rules.seats import ALL_SEATS, Seat
from rules.settlement import scheme_factor
from rules.variant import resolve_options
from rules.variants.base_scoring import BASE_SCORING, UNIT, Owed, amount_key, pay_wins

SHARED = Path(__file__).resolve().parents[3] / "shared" / "rules"
E, S, W, N = ALL_SEATS
PLAIN = "[123m] 456m 789p 55s 67m + 8m"

# system, winner, payer (. = self-draw), pay mode: what E (dealer), S, W, N get (base-scoring.md, full table)
TABLE = """
1-2-4 E .  any  12 -4 -4 -4
1-2-4 S .  any  -4 8 -2 -2
1-2-4 E S full  6 -2 -2 -2
1-2-4 E S half  4 -2 -1 -1
1-2-4 E S none  2 -2 0 0
1-2-4 S E full  -2 4 -1 -1
1-2-4 S E half  -2 3 -0.5 -0.5
1-2-4 S E none  -2 2 0 0
1-2-4 S W full  -2 4 -1 -1
1-2-4 S W half  -1 2.5 -1 -0.5
1-2-4 S W none  0 1 -1 0
1-2-3 E .  any  9 -3 -3 -3
1-2-3 S .  any  -3 7 -2 -2
1-2-3 E S full  6 -2 -2 -2
1-2-3 E S half  4 -2 -1 -1
1-2-3 E S none  2 -2 0 0
1-2-3 S E full  -2 4 -1 -1
1-2-3 S E half  -2 3 -0.5 -0.5
1-2-3 S E none  -2 2 0 0
1-2-3 S W full  -2 4 -1 -1
1-2-3 S W half  -1 2.5 -1 -0.5
1-2-3 S W none  0 1 -1 0
1-2 E .  any  6 -2 -2 -2
1-2 S .  any  -2 6 -2 -2
1-2 E S full  3 -1 -1 -1
1-2 E S half  2 -1 -0.5 -0.5
1-2 E S none  1 -1 0 0
1-2 S E full  -1 3 -1 -1
1-2 S E half  -1 2 -0.5 -0.5
1-2 S E none  -1 1 0 0
1-2 S W full  -1 3 -1 -1
1-2 S W half  -0.5 2 -1 -0.5
1-2 S W none  0 1 -1 0
"""


def ask(winner: Any = None, dealer: str = "E", **more: Any) -> dict[str, Any]:
    case = {"variant": "base-scoring", "dealer": dealer, **more}
    return answer_case(case if "winners" in more else {**case, "winner": winner})


def won(
    seat: str, source: str | None = None, by: str | None = None, hand: str | None = None
) -> dict[str, Any]:
    return {"seat": seat, "hand": hand, "by": by or ("discard" if source else "self_draw"), "from": source}


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
@pytest.mark.parametrize("hand", [None, PLAIN])
def test_the_whole_table(row: str, hand: str | None) -> None:
    system, seat, payer, mode, *points = row.split()
    source = None if payer == "." else payer
    for pay_mode in ("full", "half", "none") if mode == "any" else (mode,):
        answer = ask(won(seat, source, hand=hand), options={"system": system, "pay_mode": pay_mode})
        assert [answer["deltas"][each] for each in "ESWN"] == [float(each) for each in points]
        assert answer["total"] == answer["deltas"][seat]
        assert answer["next_dealer"] == ("E" if seat == "E" else "S")


def test_the_scheme_is_the_closed_form_of_the_text() -> None:
    for drawn, dealer in product((False, True), repeat=2):
        got = [scheme_factor(key, self_draw=drawn, dealer=dealer) for key in ("1-2-4", "1-2-3", "1-2")]
        assert got == [2**drawn * 2**dealer, 2**drawn + dealer, 2**drawn]


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared rules not beside the checkout")
def test_amounts_are_those_of_the_shared_list() -> None:
    with (SHARED / "elements" / "base-scoring.csv").open(encoding="utf-8") as file:
        rows = {row["key"]: row["value"] for row in csv.DictReader(file) if row["unit"] == "points"}
    ours = {
        amount_key(system, self_draw=drawn, dealer=dealer): str(
            scheme_factor(system, self_draw=drawn, dealer=dealer)
        )
        for system in ("1-2-4", "1-2-3", "1-2")
        for drawn, dealer in product((False, True), repeat=2)
    }
    assert ours == rows


# ---- options ----


def test_bao_sum_is_what_all_three_would_pay_whoever_discards() -> None:
    for seat, source in product("ESWN", repeat=2):
        if seat != source:
            full = ask(won(seat, source), options={"pay_mode": "full"})["total"]
            deltas = ask(won(seat, source), options={"pay_mode": "none", "bao_sum": True})["deltas"]
            assert deltas == {**dict.fromkeys("ESWN", 0), seat: full, source: -full}


def test_the_cap_holds_for_one_loser_and_one_win_and_leaves_the_kongs_alone() -> None:
    capped = {"cap": 3, "multiplier": 2, "pay_mode": "none", "bao_sum": True, "kong_points": {"exposed": 5}}
    assert ask(won("S", "W"), options=capped)["deltas"] == {"E": 0, "S": 3, "W": -3, "N": 0}
    answer = ask(won("S", "W", hand="[9999p+] [123m] 456m 55s 67m + 8m"), options=capped)
    assert answer["deltas"] == {"E": -5, "S": 18, "W": -8, "N": -5}
    assert answer["total"] == 18


def test_kongs_are_paid_by_every_other_seat_whoever_discards() -> None:
    options = {"pay_mode": "none", "kong_points": {"exposed": 1, "concealed": 2}}
    answer = ask(won("N", "S", hand="[9999p] (1111s) 456m 55s 67m + 8m"), options=options)
    assert answer["deltas"] == {"E": -3, "S": -4, "W": -3, "N": 10}
    none = ask(won("N", "S", hand="[9999p] (1111s) 456m 55s 67m + 8m"), options={"kong_points": "none"})
    assert none["total"] == 4


def test_two_winners_of_one_tile_pay_each_other_nothing() -> None:
    wins = [won("E", "W", hand=PLAIN), won("N", "W", hand=PLAIN)]
    for hand in (PLAIN, None):
        wins = [won("E", "W", hand=hand), won("N", "W", hand=hand)]
        both = ask(winners=wins, options={"multi_win": True})
        assert both["deltas"] == {"E": 4, "S": -3, "W": -3, "N": 2}
        assert both["next_dealer"] == "E"
        assert ask(winners=wins, dealer="S")["deltas"] == {"E": -1, "S": -2, "W": -1, "N": 4}


def test_of_two_winners_the_one_whose_hand_does_not_win_is_refused() -> None:
    wins = [won("E", "W", hand=PLAIN), won("N", "W", hand="[123m] 456m 789p 55s 69m + 8m")]
    answer = ask(winners=wins, options={"multi_win": True})
    assert (answer["legal"], answer["reason"], answer["total"]) == (False, "not_win", 0)


def test_a_drawn_hand_that_is_paid_costs_the_deal() -> None:
    settled = settle_draw(BASE_SCORING, Situation(W, options={"draw_pay": 3}))
    assert settled.deltas == {E: 6, S: 6, W: -18, N: 6}
    assert settled.next_dealer is N
    assert ask(options={"draw_pay": "none"})["next_dealer"] == "E"
    assert ask(options={"draw_pay": 0})["deltas"] == dict.fromkeys("ESWN", 0)


def test_the_dealer_wins_on_the_dealt_tiles() -> None:
    dealt = {**won("E", hand="123m 456m 789p 555s 66s"), "flags": ["heavenly"]}
    assert ask(dealt)["deltas"]["E"] == 12


@pytest.mark.parametrize(
    ("hand", "shape"),
    [
        ("1111m 44p 66p 88s EE P + P", "seven_pairs"),
        ("147m 258p 369s ESWN + C", "thirteen_unrelated"),
        ("14m 258p 369s ESWNC + F", "thirteen_unrelated"),
        ("19m 19p 19s ESWNCFP + 9p", "thirteen_orphans"),
    ],
)
def test_a_special_shape_wins_only_where_it_is_switched_on(hand: str, shape: str) -> None:
    assert not ask(won("S", hand=hand))["legal"]
    others = [key for key in ("seven_pairs", "thirteen_unrelated", "thirteen_orphans") if key != shape]
    assert not ask(won("S", hand=hand), options={"special_shapes": others})["legal"]
    assert ask(won("S", hand=hand), options={"special_shapes": [*others, shape]})["legal"]


def test_a_declared_kong_is_no_two_pairs() -> None:
    answer = ask(won("S", hand="(1111m) 44p 66p 88s EE PP + P"), options={"special_shapes": ["seven_pairs"]})
    assert not answer["legal"]


def test_special_shapes_are_one_choice_however_they_are_told() -> None:
    told: list[Any] = [
        ["thirteen_orphans", "七对"],
        "seven_pairs, thirteen_orphans",
        ["字幺九", "seven_pairs"],
    ]
    found = [resolve_options(BASE_SCORING, {"special_shapes": each}) for each in told]
    assert {each["special_shapes"] for each in found} == {"seven_pairs,thirteen_orphans"}
    assert all(each is found[0] for each in found)
    assert resolve_options(BASE_SCORING, {"special_shapes": []}) is BASE_SCORING.default_options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"special_shapes": ["flush"]}, "special_shapes is one of"),
        ({"special_shapes": 7}, "special_shapes is a list"),
        ({"kong_points": 5}, "none or an object of exposed, concealed"),
        ({"kong_points": {"open": 5}}, "no option kong_points.open"),
        ({"kong_points": {"exposed": -1}}, "kong_points.exposed is a whole number"),
        ({"multiplier": 0}, "from 1 to 1000"),
        ({"multiplier": "none"}, "from 1 to 1000"),
        ({"cap": 1.5}, "cap is a whole number"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        resolve_options(BASE_SCORING, options)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({}, "needs a winner"),
        ({"winner": won("S"), "winners": [won("S")]}, "not both"),
        ({"winners": []}, "no win to settle"),
        ({"winners": [won("S", "W"), won("S", "W")]}, "a seat wins once"),
        ({"winners": [won("S", "W"), won("N", "E")]}, "on one discard"),
        ({"winners": [won("S"), won("N")]}, "on one discard"),
        ({"winners": [won("S", "W"), won("N", "W", hand=PLAIN)]}, "every winner's hand is told or none"),
        ({"winner": won("S", "S")}, "comes from nobody"),
        ({"winner": won("S", None, "discard")}, "comes from nobody"),
        ({"winner": won("S", "W", "self_draw")}, "comes from nobody"),
        ({"winner": won("N"), "players": ["E", "S", "W"]}, "among those who play"),
        ({"winner": "S"}, "winner must be an object"),
    ],
)
def test_cases_that_make_no_sense_are_refused(case: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_case({"variant": "base-scoring", "dealer": "E", **case})


# ---- properties ----

options_ = st.fixed_dictionaries(
    {
        "system": st.sampled_from(["1-2-4", "1-2-3", "1-2"]),
        "pay_mode": st.sampled_from(["full", "half", "none"]),
        "multiplier": st.integers(1, 9),
        "half_rounding": st.sampled_from(["exact", "up", "down"]),
        "bao_sum": st.booleans(),
        "rob_kong_as": st.sampled_from(["discard", "self_draw"]),
        "kong_points": st.fixed_dictionaries({"exposed": st.integers(0, 3), "concealed": st.integers(0, 3)}),
        "cap": st.integers(0, 20),
        "draw_pay": st.integers(0, 9),
    }
)
seats = st.sampled_from(ALL_SEATS)


@given(options_, seats, seats, seats, st.sampled_from(["discard", "rob_kong"]))
def test_money_is_neither_made_nor_lost_and_nobody_gains_but_the_winner(
    given_: dict[str, Any], dealer: Seat, winner: Seat, source: Seat, by: str
) -> None:
    options = resolve_options(BASE_SCORING, given_)
    win = Owed(winner, "self_draw") if winner is source else Owed(winner, by, source, 1, 1)
    deltas = dict.fromkeys(ALL_SEATS, 0)
    for payment in pay_wins([win], dealer, ALL_SEATS, options):
        deltas[payment.payer] -= payment.units
        deltas[payment.payee] += payment.units
    assert sum(deltas.values()) == 0
    assert all(deltas[seat] <= 0 for seat in ALL_SEATS if seat is not winner)
    assert deltas[winner] > 0
    kongs = (given_["kong_points"]["exposed"] + given_["kong_points"]["concealed"]) * (winner is not source)
    if given_["cap"]:
        assert min(deltas.values()) >= -(given_["cap"] + kongs) * UNIT
    if given_["half_rounding"] != "exact":
        assert all(units % UNIT == 0 for units in deltas.values())


@given(options_, seats, st.lists(seats, min_size=1, max_size=3, unique=True), seats)
def test_several_winners_are_settled_each_by_himself_but_for_what_they_owe_each_other(
    given_: dict[str, Any], dealer: Seat, winners: list[Seat], source: Seat
) -> None:
    winners = [seat for seat in winners if seat is not source]
    options = resolve_options(BASE_SCORING, {**given_, "bao_sum": False})
    wins = [Owed(seat, "discard", source) for seat in winners]
    together = pay_wins(wins, dealer, ALL_SEATS, options)
    alone = [each for win in wins for each in pay_wins([win], dealer, ALL_SEATS, options)]
    assert list(together) == [each for each in alone if each.payer not in winners]


@given(options_, seats, seats, seats)
def test_a_hand_pays_what_the_untold_hand_pays(
    given_: dict[str, Any], dealer: Seat, winner: Seat, source: Seat
) -> None:
    win = Win(winner, parse_hand(PLAIN), *(("self_draw", None) if winner is source else ("discard", source)))
    situation = Situation(dealer, options=given_)
    settled = settle(BASE_SCORING, [win], situation)
    case = {"variant": "base-scoring", "dealer": dealer.value, "options": given_}
    told = answer_case({**case, "winner": won(winner.value, None if winner is source else source.value)})
    assert [settled.deltas[seat] / UNIT for seat in ALL_SEATS] == [told["deltas"][seat] for seat in ALL_SEATS]
    assert score(BASE_SCORING, win, situation).total == given_["multiplier"]
