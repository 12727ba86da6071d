"""First dealer, who deals next, flowers after the deal: table-procedure.md sections 6, 9 and 10."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.errors import InvalidRequest, RuleError
from rules.procedure import FLOWER_ROUNDS, dice_to_seat, open_wall, replace_flowers, walls
from rules.rotation import (
    MAX_COUNTS,
    MODES,
    ON_DEALER_WIN,
    ON_DRAW,
    ON_OTHER_WIN,
    Deal,
    Result,
    Retention,
    dealer_by_highest,
    dealer_by_seed,
    dealer_by_sums,
    draw_payment,
    left,
    next_deal,
)
from rules.seats import ALL_SEATS, Seat
from rules.tiles import TILES

E, S, W, N = ALL_SEATS
seats = st.sampled_from(ALL_SEATS)
rules_ = st.builds(
    Retention,
    mode=st.sampled_from(MODES),
    on_dealer_win=st.sampled_from(ON_DEALER_WIN),
    on_other_win=st.sampled_from(ON_OTHER_WIN),
    on_draw=st.sampled_from(ON_DRAW),
    draw_pay=st.integers(0, 5),
    max_hands=st.integers(0, 4),
    max_counts=st.sampled_from(MAX_COUNTS),
    loss_limit=st.integers(0, 100),
)
results = st.builds(
    Result,
    winners=st.lists(seats, unique=True, max_size=2).map(tuple),
    discarder=st.none() | seats,
    dice=st.integers(2, 12),
)


def ask(op: str, **given_: Any) -> dict[str, Any]:
    return answer_case({"variant": "table-procedure", "op": op, "in": given_})


def played(rule: Retention, hands: list[Result], first: Seat = E) -> list[Deal]:
    """Return the deal before each hand and after the last, up to the end of the game."""
    deals = [Deal(first)]
    for result in hands:
        if not deals[-1].is_over:
            deals.append(next_deal(deals[-1], first, result, rule))
    return deals


@given(rules_, seats, st.lists(results, max_size=40))
def test_run_counts_hands_in_a_row_and_the_circle_rises_at_the_first_dealer(
    rule: Retention, first: Seat, hands: list[Result]
) -> None:
    deals = played(rule, hands, first)
    for before, after in pairwise(deals):
        stays = before.dealer is after.dealer
        assert after.run == (before.run + 1 if stays else 1)
        rises = rule.mode in ("circles", "mcr") and not stays and after.dealer is first
        assert after.circle == before.circle + rises
        assert after.is_over == (after.circle == 5)


@given(rules_, st.lists(results, max_size=40))
def test_nobody_deals_more_hands_in_a_row_than_agreed(rule: Retention, hands: list[Result]) -> None:
    if rule.most_hands and rule.on_other_win == "pass":
        assert max(deal.run for deal in played(rule, hands)) <= rule.most_hands


@given(st.lists(results, min_size=16, max_size=16), seats)
def test_chinese_official_is_sixteen_hands_whatever_happens(hands: list[Result], first: Seat) -> None:
    deals = played(Retention("mcr"), hands, first)
    assert [deal.is_over for deal in deals] == [False] * 16 + [True]
    assert [deal.dealer for deal in deals[:16]] == [Seat.at(first.index + hand) for hand in range(16)]
    assert [deal.circle for deal in deals[:16]] == [1 + hand // 4 for hand in range(16)]


def test_a_cap_of_three_hands_holds_for_drawn_ones_too_and_extensions_read_it_as_four() -> None:
    draws = [Result()] * 4
    assert [deal.dealer for deal in played(Retention(max_hands=3), draws)] == [E, E, E, S, S]
    more = Retention(max_hands=3, max_counts="extensions")
    assert [deal.dealer for deal in played(more, draws)] == [E, E, E, E, S]


@given(st.integers(1, 200), st.lists(st.integers(-300, 300), min_size=4, max_size=4))
def test_a_game_without_circles_ends_when_a_loss_passes_the_limit(limit: int, totals: list[int]) -> None:
    rule = Retention("winner_deals", loss_limit=limit)
    result = Result((S,), totals=dict(zip(ALL_SEATS, totals, strict=True)))
    assert next_deal(Deal(E), E, result, rule).is_over == (min(totals) < -limit)
    assert not next_deal(Deal(E), E, result, Retention("winner_deals")).is_over


def test_of_several_winners_the_discarder_deals_or_the_nearest_to_the_dealer() -> None:
    for mode in ("winner_deals", "discarder_deals"):
        assert next_deal(Deal(E), E, Result((S, N), W), Retention(mode)).dealer is W
        assert next_deal(Deal(W), E, Result((S, N)), Retention(mode)).dealer is N
    assert next_deal(Deal(E), E, Result((E, N), W), Retention()) == Deal(E, run=2)
    assert next_deal(Deal(S), E, Result((E, N), W), Retention(on_other_win="winner_deals")).dealer is W


@given(rules_, seats, st.integers(2, 4))
def test_a_drawn_hand_pays_nothing_in_sum(rule: Retention, dealer: Seat, players: int) -> None:
    at_table = ALL_SEATS[:players]
    dealer = at_table[dealer.index % players]
    paid = draw_payment(rule, dealer, at_table)
    assert sum(paid.values()) == 0
    assert set(paid) == set(at_table)
    others = {paid[seat] for seat in at_table if seat is not dealer}
    pays = rule.mode == "circles" and rule.on_draw == "pass_and_pay"
    assert others == {rule.draw_pay if pays else 0}


def test_two_and_three_players_hand_the_deal_round() -> None:
    for players in (2, 3):
        ring = ALL_SEATS[:players]
        deal = Deal(E)
        for hand in range(1, players * 4 + 1):
            deal = next_deal(deal, E, Result(), Retention("mcr"), ring)
            assert deal.dealer is ring[hand % players]
        assert deal.is_over


@pytest.mark.parametrize(
    ("deal", "result", "rule", "words"),
    [
        (Deal(E, is_over=True), Result(), Retention(), "the game is over"),
        (left(Deal(E)), Result(), Retention(), "the game is over"),
        (Deal(E), Result((N,)), Retention(), "nobody sits at N"),
        (Deal(E), Result(), Retention("dice_each_hand"), "sum of the dice is missing"),
    ],
)
def test_a_hand_that_cannot_follow_is_refused(
    deal: Deal, result: Result, rule: Retention, words: str
) -> None:
    with pytest.raises(InvalidRequest, match=words):
        next_deal(deal, E, result, rule, (E, S, W))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "turns"}, "mode is one of"),
        ({"max_hands": -1}, "max_hands"),
        ({"max_hands": True}, "max_hands"),
        ({"nope": 1}, "nope is no option"),
        ({"on_draw": 3}, "on_draw must be text"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        ask("next_dealer", first="E", start={"dealer": "E", "quan": 1}, results=[], options=options)
    with pytest.raises(InvalidRequest):
        Retention(mode="turns")


@pytest.mark.parametrize(
    "row", [["win"], ["win", None], ["draw", "E"], ["win", []], ["win", ["E", "E"]], ["nap", None], 5]
)
def test_a_result_that_makes_no_sense_is_refused(row: Any) -> None:
    with pytest.raises(RuleError, match=r"results\[0\]"):
        ask("next_dealer", start={"dealer": "E", "quan": 1}, results=[row])


# ---- the first dealer ----


def test_no_five_and_no_nine_yet_names_the_next_thrower() -> None:
    assert ask("first_dealer", method="dice_first_5_9", throws=[4, 7, 12]) == {
        "dealer": None,
        "throws_used": 3,
        "next_thrower": "N",
    }
    assert dealer_by_sums([]).next_thrower is E


@given(st.lists(st.integers(2, 12), max_size=12))
def test_the_first_five_or_nine_decides(throws: list[int]) -> None:
    found = dealer_by_sums(throws)
    hits = [at for at, total in enumerate(throws) if total in (5, 9)]
    assert found.dealer is (ALL_SEATS[hits[0] % 4] if hits else None)
    assert found.throws_used == (hits[0] + 1 if hits else len(throws))


@given(st.permutations(ALL_SEATS), st.lists(st.integers(2, 12), min_size=4, max_size=4))
def test_the_highest_throw_deals_of_equal_ones_the_earlier(order: list[Seat], totals: list[int]) -> None:
    throws = list(zip(order, totals, strict=True))
    assert dealer_by_highest(throws) is order[totals.index(max(totals))]


def test_sums_are_told_as_list_object_or_pairs() -> None:
    for sums in ([4, 9, 9, 2], {"E": 4, "S": 9, "W": 9, "N": 2}, [["E", 4], ["S", 9], ["W", 9], ["N", 2]]):
        assert ask("first_dealer", method="dice_high", sums=sums)["dealer"] == "S"
    assert ask("first_dealer", method="dice_high", sums=[["W", 9], ["S", 9]])["dealer"] == "W"
    with pytest.raises(RuleError, match="throws once"):
        ask("first_dealer", method="dice_high", sums=[])


def test_chance_is_repeatable_and_reaches_everyone() -> None:
    found = [dealer_by_seed(seed) for seed in range(60)]
    assert found == [dealer_by_seed(seed) for seed in range(60)]
    assert set(found) == set(ALL_SEATS)
    assert ask("first_dealer", method="random", seed=7) == ask("first_dealer", method="random", seed=7)
    assert ask("first_dealer", method="natural_east") == {"dealer": "E"}


def test_nobody_who_drew_east_and_a_wind_drawn_twice_are_refused() -> None:
    for draws in ({"E": "S", "S": "W"}, {"E": "E", "S": "E"}):
        with pytest.raises(RuleError, match=r"East tile|same wind"):
            ask("first_dealer", method="draw", draws=draws)


# ---- fewer players ----


def test_three_count_modulo_three_and_two_modulo_two() -> None:
    assert [dice_to_seat(S, total, (E, S, W)) for total in (2, 3, 4, 5)] == [W, E, S, W]
    assert [dice_to_seat(E, total, (E, S)) for total in (2, 3, 12)] == [S, E, S]
    with pytest.raises(InvalidRequest, match="nobody sits at N"):
        dice_to_seat(N, 5, (E, S, W))


@given(st.tuples(st.integers(1, 6), st.integers(1, 6)), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_a_wall_opens_before_a_player_where_three_play(one: tuple[int, int], two: tuple[int, int]) -> None:
    ring = walls(84, players=3)
    for mode, throws in (("two_throw", [one, two]), ("one_throw_min", [one]), ("one_throw_sum", [one])):
        opening = open_wall(mode, W, throws, 84, ring=ring)
        assert opening.count_seat is dice_to_seat(W, sum(one), (E, S, W))
        assert 1 <= opening.stack <= ring[opening.seat]


# ---- flowers ----

PLAIN, FLOWER = TILES[0], TILES[34]
tails = st.lists(st.sampled_from([PLAIN, PLAIN, FLOWER]), min_size=0, max_size=12)
held = st.dictionaries(seats, st.integers(0, 3), min_size=4, max_size=4)


@given(seats, held, tails, st.sampled_from(FLOWER_ROUNDS))
def test_everyone_ends_without_flowers_and_the_tail_is_taken_in_order(
    dealer: Seat, holding: dict[Seat, int], tail: list[Any], mode: str
) -> None:
    tail = [*tail, *[PLAIN] * 30]
    found = replace_flowers(dealer, holding, tail, {FLOWER}, mode)
    assert [tile for _, tile in found.draws] == tail[: len(found.draws)]
    for seat in ALL_SEATS:
        drawn = [tile for who, tile in found.draws if who is seat]
        assert len(drawn) == holding[seat] + drawn.count(FLOWER)  # each flower once
    turns = [who for at, (who, _) in enumerate(found.draws) if not at or found.draws[at - 1][0] is not who]
    if mode == "until_none":
        assert found.passes == bool(found.draws)
        order = [Seat.at(dealer.index + step) for step in range(4)]
        assert turns == [seat for seat in order if holding[seat]]


def test_a_tail_that_is_too_short_and_a_dealer_who_is_not_there_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="the tail has 1"):
        replace_flowers(E, {E: 2}, [PLAIN], {FLOWER})
    with pytest.raises(InvalidRequest, match="the dealer N"):
        replace_flowers(N, {E: 2}, [PLAIN], {FLOWER})
    with pytest.raises(InvalidRequest, match="flower_round is one of"):
        replace_flowers(E, {E: 0}, [], {FLOWER}, "never")
