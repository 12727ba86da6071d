"""The regional rulesets: the shared cases, and what holds for the ledger of each of them."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from rules.cases import answer_case
from rules.engine import Counted, Row, Told
from rules.engine_cases import answer_ruleset
from rules.engine_combine import largest_times_extras
from rules.engine_ledger import Ledger, reversed_payments, summed
from rules.engine_value import value_of
from rules.errors import InvalidWin, RuleError
from rules.fields import Fields
from rules.hand import Hand, MeldKind
from rules.notation import parse_hand
from rules.seats import ALL_SEATS, Seat
from rules.situation import Kong, Situation, Win
from rules.tiles import TILES
from rules.variants.common import product
from rules.variants.regional import RULESETS, find_ruleset
from tests.rules.shared_cases import CASES, cases

NO_OPTIONS = RULESETS["sichuan-xuezhan"].base.default_options


ALL = [case for slug in RULESETS for case in cases(slug)]
LEDGERS = [case for case in ALL if "events" in case]
WINS = [case for case in ALL if case.get("winner")]


def asked(case: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in case.items() if key != "expect"}


@pytest.mark.skipif(not CASES.is_dir(), reason=f"shared rule cases not beside the checkout: {CASES}")
@pytest.mark.parametrize("slug", RULESETS)
def test_cases_are_there(slug: str) -> None:
    assert len(cases(slug)) > 30


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    answer, expected = answer_case(asked(case)), case["expect"]
    if "elements" in expected:
        answer["elements"].sort()
        expected = {**expected, "elements": sorted(expected["elements"])}
    assert {key: answer[key] for key in expected} == expected
    json.dumps(answer)


@pytest.mark.parametrize("case", LEDGERS, ids=lambda case: case["id"])
def test_every_entry_sums_to_zero(case: dict[str, Any]) -> None:
    answer = answer_case(asked(case))
    assert [sum(entry["deltas"].values()) for entry in answer["ledger"]] == [0] * len(case["events"])


@pytest.mark.parametrize("case", WINS, ids=lambda case: case["id"])
def test_the_order_of_tiles_is_irrelevant(case: dict[str, Any]) -> None:
    text = case["winner"]["hand"]
    hand = parse_hand(text)
    tiles = list(hand.concealed)
    random.Random(text).shuffle(tiles)
    melds = "".join(re.findall(r"\[[^]]*\]|\([^)]*\)", text))
    won = "" if hand.win_tile is None else f" + {hand.win_tile}"  # none where it was won as dealt
    mixed = f"{melds} {' '.join(map(str, tiles))}{won}"
    again = {**asked(case), "winner": {**case["winner"], "hand": mixed}}
    assert answer_case(again) == answer_case(asked(case))


@pytest.mark.parametrize("slug", RULESETS)
@pytest.mark.parametrize("kind", [MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG])
def test_a_refund_reverses_a_kong_exactly(slug: str, kind: MeldKind) -> None:
    ledger = Ledger(RULESETS[slug], Situation(Seat.E))
    source = Seat.W if kind is MeldKind.EXPOSED_KONG else None
    entry = ledger.kong(Kong(Seat.S, kind, TILES[4], source))
    back = summed(reversed_payments(entry.why, "kong_refund"), ALL_SEATS)
    assert all(entry.deltas[seat] + back[seat] == 0 for seat in ALL_SEATS)


# a way to draw seats, which the procedure text calls by the city's name
_SEATING = {"rules/procedure_options.py", "rules/seating_ops.py", "controller/evening.py"}


@pytest.mark.parametrize("slug", RULESETS)
def test_elements_are_named_as_in_the_shared_table(slug: str) -> None:
    path = CASES.parent / "elements" / f"{slug}.csv"
    if not path.is_file():
        pytest.skip("shared element tables not beside the checkout")
    table = {tuple(line.split(",")[:2]) for line in path.read_text(encoding="utf-8").splitlines()}
    rules = RULESETS[slug]
    assert {(row.key, row.zh) for row in (*rules.rows, *rules.kong_rows)} <= table


def _row(key: str, value: int, *, extra: bool = False, swallows: tuple[tuple[str, int], ...] = ()) -> Row:
    return Row(key, key, key, product(value), lambda view, told: 1, extra, swallows)


def test_of_two_patterns_the_one_with_the_highest_product_counts() -> None:
    root = Counted(_row("root", 2, extra=True), 2, 3)
    plain = Counted(_row("plain", 4), 4, 1)
    grand = Counted(_row("grand", 16, swallows=(("root", 3),)), 16, 1)
    kept, total = largest_times_extras([plain, grand, root], NO_OPTIONS)  # 4 x 8 against 16
    assert ([each.row.key for each in kept], total) == (["plain", "root"], 32)
    kept, total = largest_times_extras(
        [Counted(plain.row, 2, 1), grand, root], NO_OPTIONS
    )  # 2 x 8 = 16: the larger one
    assert ([each.row.key for each in kept], total) == (["grand"], 16)
    assert largest_times_extras([root], NO_OPTIONS) == ((), 0)


def _ledger() -> Ledger:
    return Ledger(RULESETS["sichuan-xuezhan"], Situation(Seat.E))


def _win(seat: Seat, text: str = "[555m] 123m 678m 22p 34p + 5p", **how: Any) -> Win:
    return Win(seat, parse_hand(text), how.get("by", "self_draw"), how.get("source"))


def test_who_has_won_takes_no_further_part() -> None:
    ledger = _ledger()
    ledger.wins([(_win(Seat.S), Told())])
    assert ledger.running.unwon == (Seat.E, Seat.W, Seat.N)
    with pytest.raises(InvalidWin, match="no further part"):
        ledger.wins([(_win(Seat.S), Told())])
    with pytest.raises(InvalidWin, match="no further part"):
        ledger.wins([(_win(Seat.N, by="discard", source=Seat.S), Told())])
    with pytest.raises(InvalidWin, match="no further part"):
        ledger.kong(Kong(Seat.S, MeldKind.CONCEALED_KONG, TILES[3]))
    assert len(ledger.entries) == 1  # what was refused left nothing behind


def test_where_winners_stay_they_pay_win_and_kong_again_until_the_wall_is_empty() -> None:
    ledger = Ledger(RULESETS["sichuan-xueliu"], Situation(Seat.E))
    for seat in ALL_SEATS:
        entry = ledger.wins([(_win(seat), Told())])
        assert not entry.ended
        assert [entry.deltas[other] for other in ALL_SEATS] == [
            3 if other is seat else -1 for other in ALL_SEATS
        ]
    again = ledger.wins([(_win(Seat.S, by="discard", source=Seat.E), Told())])
    assert (again.deltas[Seat.S], again.deltas[Seat.E]) == (1, -1)
    assert ledger.kong(Kong(Seat.E, MeldKind.CONCEALED_KONG, TILES[3])).deltas[Seat.E] == 6
    assert ledger.running.won == ALL_SEATS


@pytest.mark.parametrize(("mode", "others"), [("none", 0), ("full", -2), ("half", -1)])
def test_others_pay_for_a_discard_as_agreed_but_no_winner_of_the_same_tile(mode: str, others: int) -> None:
    ledger = Ledger(RULESETS["guangdong-jipinghu"], Situation(Seat.E, options={"pay_mode": mode}))
    south = _win(Seat.S, "[EEE][345m] 678p 22s 45s + 6s", by="discard", source=Seat.W)
    north = _win(Seat.N, "[777p] 888p 345s 99s 78s + 6s", by="discard", source=Seat.W)
    deltas = ledger.wins([(south, Told()), (north, Told())]).deltas  # in half points
    assert [deltas[seat] for seat in ALL_SEATS] == [2 * others, 2 - others, -4, 2 - others]


def test_a_frozen_hand_takes_no_pung_and_keeps_its_waits() -> None:
    def legal(do: str, hand: str, tile: str, **more: object) -> bool:
        told = {"seat": "S", "do": do, "hand": hand, "tile": tile, "locked": True, **more}
        case = {"variant": "sichuan-xueliu", "dealer": "E", "op": "legal_action", "in": told}
        return bool(answer_case(case)["legal"])

    frozen = "345m 777m 99m 123p 45p"
    assert not legal("pung", frozen, "7m", **{"from": "N"})
    assert legal("kong_exposed", frozen, "7m", **{"from": "N"})
    assert legal("kong_added", "[777m] 345m 99m 123p 45p + 7m", "7m")
    assert not legal("kong_exposed", "1112m 345p 678p 999p", "1m", **{"from": "N"})
    assert not legal("discard", frozen + " + 7m", "9m")


def _ask_kawuxing(do: str, hand: str, tile: str | None = None, **more: Any) -> bool:
    told = {"seat": "S", "do": do, "hand": hand, "wall_left": 20, **more}
    options = told.pop("options", {})
    case = {"variant": "kawuxing", "players": ["E", "S", "W"], "dealer": "E", "options": options}
    return bool(answer_case({**case, "op": "legal_action", "in": {**told, "tile": tile}})["legal"])


READY = "777s 123p 46p 99p FFF"


def test_a_ready_hand_is_shown_once_and_with_the_drawn_tile_before_a_discard() -> None:
    assert _ask_kawuxing("show", READY)
    assert _ask_kawuxing("show", READY + " + 1s")
    assert not _ask_kawuxing("show", READY, locked=True)
    assert not _ask_kawuxing("show", "777s 123p 47p 99p FFF + C")
    assert _ask_kawuxing("show", READY, options={"min_mult": 4})  # 卡五星 and 亮倒
    assert not _ask_kawuxing("show", READY, options={"min_mult": 5})


def test_a_shown_hand_makes_no_kong_that_changes_what_it_waits_for() -> None:
    assert not _ask_kawuxing("kong_concealed", "5556667778p 99s + 5p", "5p", locked=True)
    assert _ask_kawuxing("kong_exposed", READY, "7s", locked=True, **{"from": "E"})
    assert not _ask_kawuxing("pung", READY, "9p", locked=True, **{"from": "E"})


def test_a_wait_is_not_fed_to_a_shown_hand_while_another_tile_is_at_hand() -> None:
    def feeds(hand: str, **options: Any) -> bool:
        given = {"no_feed_shown": True, **options}
        return _ask_kawuxing("discard", hand, "5p", shown={"W": READY}, options=given)

    assert not feeds("1359s 12358p 9p CFP + 1s")
    assert feeds("[111s] [222s] [333s] [CCC] 5p + 5p")  # nothing else
    assert feeds("1359s 12358p 9p CFP + 1s", liang_discard_win=False)  # it wins on no discard


def test_kongs_in_a_chain_double_and_a_shown_hand_is_fed_at_twice_its_value() -> None:
    three = (Seat.E, Seat.S, Seat.W)
    ledger = Ledger(RULESETS["kawuxing"], Situation(Seat.E, three))
    paid = [
        ledger.kong(Kong(Seat.S, MeldKind.CONCEALED_KONG, TILES[31 + at], chain=at + 1)).deltas[Seat.S]
        for at in range(3)
    ]
    assert paid == [4, 8, 16]
    hand = parse_hand("[222p] 678s 123s 99p 46p + 5p")
    entry = ledger.wins([(Win(Seat.S, hand, "discard", Seat.W, frozenset({"liang"})), Told())])
    assert [(each.units, each.why) for each in entry.why] == [(4, "win"), (4, "feed_shown")]
    assert entry.next_dealer is Seat.S


def test_after_the_third_win_a_new_hand_begins() -> None:
    ledger = _ledger()
    for seat in (Seat.S, Seat.W):
        assert not ledger.wins([(_win(seat), Told())]).ended
    last = ledger.wins([(_win(Seat.N), Told())])
    assert (last.ended, last.next_dealer, last.deltas[Seat.E]) == (True, None, -1)
    assert ledger.running.unwon == ALL_SEATS


def test_the_forced_win_of_the_last_tiles() -> None:
    told = {"seat": "S", "do": "pass", "hand": "123m 456m 789m 33p 67p", "tile": "8p", "from": "E"}

    def legal(left: int, **more: object) -> bool:
        case = {"variant": "sichuan-xuezhan", "dealer": "E", "op": "legal_action"}
        return bool(answer_case({**case, "in": {**told, **more, "wall_left": left}})["legal"])

    assert (legal(4), legal(3), legal(3, tile="1s"), legal(3, que="p")) == (True, False, True, True)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({}, "needs a winner"),
        ({"winner": {}, "events": []}, "not both"),
        ({"op": "nope", "in": {}}, "no op 'nope'"),
        ({"events": [{"t": "wall_end", "hands": {"E": "123m 456m 789m 1144p"}}]}, "hand of S"),
        ({"events": [{"t": "win", "wins": []}]}, "no win"),
    ],
)
def test_a_line_that_makes_no_sense_says_what_is_wrong(case: dict[str, Any], words: str) -> None:
    rules = find_ruleset("sichuan-xuezhan")
    assert rules is not None
    with pytest.raises(RuleError, match=words):
        answer_ruleset(rules, Fields({"variant": "sichuan-xuezhan", "dealer": "E", **case}))


def _changsha(event: dict[str, Any], **options: object) -> dict[str, Any]:
    case = {"variant": "changsha", "dealer": "E", "options": options, "events": [event]}
    return dict(answer_case(case)["ledger"][0])


def test_starting_wins_are_read_off_the_tiles() -> None:
    found = _changsha({"t": "qishou", "seat": "S", "tiles": "1111m 4444m 9999m 3m"})
    assert found["deltas"] == {
        "E": -12,
        "S": 36,
        "W": -12,
        "N": -12,
    }  # three quads, no 2/5/8, a suit, triplets
    ended = _changsha({"t": "qishou", "seat": "W", "tiles": "1111m 23p 456s 789s 1p"}, qishou_ends_hand=True)
    assert ended["next_dealer"] == "W"
    circles = {"qishou_ends_hand": True, "dealer_next": "circles"}
    assert _changsha({"t": "qishou", "seat": "W", "tiles": "1111m 23p 456s 789s 1p"}, **circles)[
        "next_dealer"
    ] == ("S")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"t": "qishou", "seat": "S", "tiles": "1111m 23p 456s 789s 1p", "types": ["六六顺"]}, "have 四喜"),
        ({"t": "qishou", "seat": "S", "tiles": "123m 258p 456s 789s 1p"}, "have nothing"),
        ({"t": "qishou", "seat": "E", "tiles": "1111m 23p 456s 789s 1p"}, "dealt 14"),
        ({"t": "wall_end"}, "last_draw"),
    ],
)
def test_what_people_tell_of_a_start_and_an_end_is_checked(event: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        _changsha(event)


def test_a_hand_without_a_winning_tile_is_no_win() -> None:
    hand = parse_hand("123m 456m 789m 1144p")
    with pytest.raises(InvalidWin, match="winning tile is missing"):
        value_of(
            RULESETS["sichuan-xuezhan"], Win(Seat.E, Hand((), hand.concealed), "self_draw"), Situation(Seat.E)
        )


@pytest.mark.parametrize(("slug", "robbed"), [("guangdong-tuidaohu", True), ("sichuan-xuezhan", False)])
def test_whether_the_last_tile_can_be_robbed_is_a_field_of_the_ruleset(slug: str, robbed: bool) -> None:
    hand = parse_hand("[999m] 123m 678m 22m 34m + 5m")
    win = Win(Seat.S, hand, "rob_kong", Seat.W, frozenset({"last_tile"}))
    if robbed:
        assert value_of(RULESETS[slug], win, Situation(Seat.E)).legal
    else:
        with pytest.raises(InvalidWin, match="last tile"):
            value_of(RULESETS[slug], win, Situation(Seat.E))
