"""The match: seats, circles, retention, games and people who come and go, against a simple model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.match import (
    HandResult,
    Match,
    after_hand,
    after_void,
    begin,
    change_seats,
    draw_payment,
    leave,
    reseat,
    swap,
    take_seat,
    with_dealer_throw,
    with_first_dealer,
)
from rules.match_refusals import Due, MatchRefused
from rules.scoring import Situation
from rules.seating import mcr_seats, relation, reseat_by_dice, seating
from rules.seats import ALL_SEATS, Seat
from rules.settings import settle_settings
from rules.settlement import settle_draw
from rules.variants import VARIANTS

E, S, W, N = ALL_SEATS
FIVE_MODES = [
    {"mode": "circles", "max_hands": 3},
    {"mode": "circles", "on_other_win": "winner_deals", "on_draw": "pass"},
    {"mode": "mcr", "mcr_seats": "every_round"},
    {"mode": "winner_deals", "loss_limit": 60},
    {"mode": "discarder_deals", "hands": 7},
    {"mode": "dice_each_hand", "hands": 5},
]


def start(variant: str = "simplest", players: str = "ABCD", **procedure: Any) -> Match:
    return begin(settle_settings({"variant": variant, "procedure": procedure}), players)


def won(seat: Seat, source: Seat | None = None, units: int = 6) -> HandResult:
    deltas = dict.fromkeys(ALL_SEATS, 0)
    if source is None:
        deltas = dict.fromkeys(ALL_SEATS, -units) | {seat: 3 * units}
    else:
        deltas |= {seat: units, source: -units}
    return HandResult((seat,), source, deltas)


DRAWN = HandResult()
seats = st.sampled_from(ALL_SEATS)
hands = st.builds(won, seats, st.none(), st.integers(1, 20)) | st.just(DRAWN)
hands |= st.tuples(seats, seats, st.integers(1, 90)).filter(lambda t: t[0] is not t[1]).map(lambda t: won(*t))


def on(match: Match, result: HandResult) -> Match:
    """Return the match after a hand and whatever comes before the next one, up to the end of the game."""
    match = after_hand(match, result)
    if match.due is Due.DEALER_THROW:
        match = with_dealer_throw(match, 8)
    return change_seats(match) if match.due is Due.SEAT_CHANGE else match


# ---- whole evenings against a model ----


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Mapping[str, Any], list[Any]]:
    step = hands | st.sampled_from(["void", "swap", "leave"])
    return draw(st.sampled_from(FIVE_MODES)), draw(st.lists(step, max_size=60))


@given(evenings(), st.data())
def test_an_evening_keeps_every_point_and_every_player(
    evening: tuple[Mapping[str, Any], list[Any]], data: st.DataObject
) -> None:
    procedure, steps = evening
    match = start(**procedure)
    model: dict[str, int] = dict.fromkeys("ABCD", 0)
    fresh = iter("FGHIJKLMNOPQRSTUVWXYZfghijklmnopqrstuvwxyz0123456789!?+-")
    for step in steps:
        before = match
        if match.due is Due.RESEAT:
            thrower = match.reseat_thrower
            assert thrower in match.seats
            new = reseat_by_dice(match.seating, thrower, data.draw(st.integers(2, 12)), "ccw")
            match = reseat(match, new)
            assert (match.game, match.hand, match.deal.circle, match.deal.run) == (before.game + 1, 1, 1, 1)
            assert set(match.totals.values()) == {0}
        elif step == "void":
            fine = {match.ring[0]: -3, match.ring[1]: 3}
            match = after_void(match, fine)
            for seat, units in fine.items():
                model[before.seating[seat]] += units
            assert (match.deal, match.hand) == (before.deal, before.hand)
        elif step == "swap":
            match = swap(match, match.seats[0], match.seats[2])
            assert match.deal == before.deal
        elif step == "leave":
            match = leave(match, match.seats[1])
            assert match.is_game_over
            match = take_seat(match, newcomer := next(fresh))
            model[newcomer] = 0
        else:
            for seat, units in step.deltas.items():
                model[before.seating[seat]] += units
            match = on(match, step)
        assert {player: match.score(player) for player in model} == model
        assert sum(match.score(player) for player, _ in match.ranking()) == 0
        assert len(set(match.seats)) == 4
        assert {match.seat_wind(seat) for seat in ALL_SEATS} == set(ALL_SEATS)
        assert match.seat_wind(match.deal.dealer) is E
        assert match.is_game_over == (match.due is Due.RESEAT)
        assert set(match.view()["scores"]) == set(model)


@given(st.lists(hands, min_size=16, max_size=16), st.sampled_from(["third_round_only", "every_round"]))
def test_a_match_of_chinese_official_ends_after_sixteen_hands_on_its_seats(
    results: list[HandResult], option: str
) -> None:
    match = start("mcr", mcr_seats=option)
    for hand, result in enumerate(results):
        circle = hand // 4 + 1
        assert (match.hand, match.deal.circle, match.due) == (hand + 1, circle, Due.NOTHING)
        assert match.seating == mcr_seats(seating("ABCD"), option, circle)
        assert match.round_wind is ALL_SEATS[circle - 1]
        assert match.deal.dealer is ALL_SEATS[hand % 4]
        after = after_hand(match, result)
        changes = {4, 8, 12} if option == "every_round" else {8}
        assert (after.due is Due.SEAT_CHANGE) == (hand + 1 in changes)
        match = change_seats(after) if after.due is Due.SEAT_CHANGE else after
    assert match.is_game_over
    assert match.round_wind is N
    if option == "third_round_only":
        assert match.dealer_player == "B"  # the original South


@given(st.sampled_from(sorted(VARIANTS)), seats, hands)
def test_the_preset_lets_the_same_seat_deal_as_the_variant_itself(
    slug: str, dealer: Seat, result: HandResult
) -> None:
    variant = VARIANTS[slug]
    match = begin(settle_settings({"variant": slug}), "ABCD", dealer)
    situation = Situation(dealer)
    following = Seat.at(dealer.index + 1)
    expected = variant.dealer_after(result.winners, situation, following)
    assert after_hand(match, result).deal.dealer is expected
    assert settle_draw(variant, situation).next_dealer is after_hand(match, DRAWN).deal.dealer


# ---- games ----


def test_a_game_of_four_circles_with_repeats_capped_at_three() -> None:
    match = start(max_hands=3)
    for circle in range(1, 5):
        for dealer in ALL_SEATS:
            for run in range(1, 4):
                assert (match.deal.circle, match.deal.dealer, match.deal.run) == (circle, dealer, run)
                match = after_hand(match, won(dealer))
    assert match.is_game_over
    assert match.hand == 48
    assert (match.due, match.reseat_thrower) == (Due.RESEAT, "D")


def test_a_game_where_the_winner_deals_ends_with_a_loss_above_the_limit() -> None:
    match = start("base-scoring", mode="winner_deals", loss_limit=10)
    match = after_hand(match, won(W, E, 20))  # ten points are twenty units
    assert not match.is_game_over
    assert match.deal.dealer is W
    assert after_hand(match, won(S, E, 1)).is_game_over


def test_dice_name_the_dealer_of_every_hand() -> None:
    match = after_hand(start(mode="dice_each_hand", hands=2), DRAWN)
    assert match.due is Due.DEALER_THROW
    match = with_dealer_throw(match, 8)
    assert (match.deal.dealer, match.hand, match.due) == (N, 2, Due.NOTHING)
    assert after_hand(match, HandResult(dice=5)).is_game_over  # two hands were agreed
    again = after_hand(start(mode="dice_each_hand"), HandResult(dice=5))
    assert (again.deal.dealer, again.deal.run, again.due) == (E, 2, Due.NOTHING)


def test_a_drawn_hand_is_paid_once_by_the_settings_or_by_the_variant() -> None:
    match = start("simplest", on_draw="pass_and_pay", draw_pay=2)
    assert draw_payment(match) == {E: -12, S: 4, W: 4, N: 4}  # half points
    assert after_hand(match, HandResult(deltas=draw_payment(match))).totals["A"] == -12
    base = begin(settle_settings({"variant": "base-scoring", "options": {"draw_pay": 2}}), "ABCD")
    assert set(draw_payment(base).values()) == {0}
    assert after_hand(base, DRAWN).deal.dealer is S
    assert sum(draw_payment(start()).values()) == 0


def test_the_first_dealer_is_waited_for_where_he_is_thrown_for() -> None:
    match = start(first_dealer="dice_first_5_9")
    assert match.due is Due.FIRST_DEALER
    match = with_first_dealer(match, W)
    assert (match.deal.dealer, match.first_dealer, match.due) == (W, W, Due.NOTHING)
    assert match.seat_wind(W) is E
    assert match.seat_wind(E) is W
    assert begin(match.settings, "ABCD", S).due is Due.NOTHING


def test_new_seats_bring_a_new_game_and_its_relation() -> None:
    match = start(mode="discarder_deals", hands=1)
    over = after_hand(match, won(S))
    new = reseat_by_dice(over.seating, over.reseat_thrower, 7, "ccw")
    after = reseat(over, new)
    assert relation(over.seating, after.seating) == "changed"
    assert (after.game, after.carried["B"], after.totals["B"]) == (2, 18, 0)
    assert after.last_winner is None


def test_who_comes_back_goes_on_with_what_he_had() -> None:
    match = after_hand(start(), won(S, W, 5))
    match = take_seat(leave(match, "B"), "X")
    assert (match.score("B"), match.score("X"), match.seats) == (5, 0, ("A", "X", "C", "D"))
    match = take_seat(leave(match, "X"), "B")
    assert (match.score("B"), match.score("X")) == (5, 0)
    assert dict(match.ranking())["B"] == 5


def test_three_and_two_play_a_game() -> None:
    three = begin(settle_settings({"variant": "kawuxing"}), "ABC", W)
    assert three.seat_wind(E) is S
    assert after_hand(three, HandResult((E,), S, {E: 2, S: -2})).deal.dealer is E
    two = begin(settle_settings({"variant": "two-player"}), "AB")
    for hand in range(8):
        assert two.deal.dealer is (E, S)[hand % 2]
        two = after_hand(two, DRAWN)
    assert two.is_game_over


def test_of_two_winners_the_nearest_after_the_discarder_throws_for_seats() -> None:
    result = HandResult((E, W), S, {E: 1, W: 1, S: -2})
    assert after_hand(start(), result).last_winner == "C"


# ---- refusals ----


def _refusals() -> list[tuple[str, Any, str]]:
    match = start()
    left = leave(match, "C")
    over = after_hand(start(mode="discarder_deals", hands=1), DRAWN)
    return [
        ("match_players", lambda: start(players="ABC"), "4 different players"),
        ("match_players", lambda: start(players="ABCA"), "4 different players"),
        ("match_due", lambda: after_hand(left, DRAWN), "takes the seat"),
        ("match_due", lambda: after_hand(over, DRAWN), "new seats"),
        ("match_due", lambda: after_void(over), "new seats"),
        ("match_due", lambda: with_first_dealer(match, S), "the next hand"),
        ("match_due", lambda: with_dealer_throw(match, 7), "the next hand"),
        ("match_due", lambda: change_seats(match), "the next hand"),
        ("match_due", lambda: reseat(match, match.seating), "the next hand"),
        ("match_due", lambda: take_seat(match, "X"), "the next hand"),
        ("match_due", lambda: leave(left, "A"), "takes the seat"),
        ("match_due", lambda: swap(left, "A", "B"), "takes the seat"),
        ("match_players", lambda: take_seat(left, "A"), "A already sits"),
        ("match_players", lambda: leave(match, "X"), "X does not sit"),
        ("match_players", lambda: swap(match, "A", "X"), "X does not sit"),
        ("match_players", lambda: reseat(over, seating("ABCX")), "the same players"),
        ("match_players", lambda: reseat(over, seating("ABC")), "the same players"),
        ("match_deltas", lambda: after_hand(match, HandResult((E,), None, {E: 1})), "sum to zero"),
        ("match_deltas", lambda: after_void(match, {E: 1}), "sum to zero"),
        ("match_result", lambda: after_hand(match, HandResult((E,), E)), "from himself"),
        ("match_result", lambda: after_hand(match, HandResult((E, E), S)), "wins twice"),
        ("match_result", lambda: after_hand(match, HandResult((), S)), "no discarder"),
    ]


@pytest.mark.parametrize(("code", "act", "words"), _refusals())
def test_what_a_match_refuses(code: str, act: Any, words: str) -> None:
    with pytest.raises(MatchRefused, match=words) as caught:
        act()
    assert caught.value.code == code
    assert not caught.value.zh.isascii()


def test_a_seat_that_nobody_has_neither_wins_nor_pays() -> None:
    three = begin(settle_settings({"variant": "kawuxing"}), "ABC", E)
    for result, code in (
        (HandResult((N,), E, {}), "match_result"),
        (HandResult((E,), None, {E: 1, N: -1}), "match_deltas"),
    ):
        with pytest.raises(MatchRefused) as caught:
            after_hand(three, result)
        assert caught.value.code == code
