"""The deal moves on as the table agreed, on whole hands; what cannot be played yet is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.decide.settle import following
from controller.evening import agreed_settings, dealer_after, draw_payment
from controller.fold import fold
from controller.state import SEATS, Phase, TableInfo, TableState
from rules.match import HandResult, after_hand, begin, change_seats
from rules.match_refusals import Due
from rules.rotation import Result
from rules.seating import mcr_seats, seating
from rules.settings import SettingRefused

E, S, W, N = SEATS


def washout(table: Any) -> None:
    """Play a drawn hand until it is booked."""
    table.to_playing()
    table.ok("washout", seat="E")
    for side in (2, 3, 4):
        table.press(side)
    table.at(Phase.SETTLED)


def win_of_west(table: Any) -> None:
    """Play a hand that West wins on North's discard, until it is booked."""
    table.to_playing()
    table.press(3)
    table.run(700)
    table.press(4)
    table.press(3)
    table.run(1_000)
    table.at(Phase.CONFIRM)
    for side in (1, 2, 4):
        table.press(side)
    table.at(Phase.SETTLED)


def upcoming(table: Any) -> tuple[str, int, int]:
    dealer, circle, run = table.state.upcoming
    return dealer.value, circle, run


def test_a_cap_of_three_hands_in_a_row(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"max_hands": 3})
    table.connect()
    seen = []
    for _ in range(3):
        washout(table)
        seen.append(upcoming(table))
    assert seen == [("E", 1, 2), ("E", 1, 3), ("S", 1, 1)]
    table.restart()
    assert upcoming(table) == ("S", 1, 1)


def test_a_drawn_hand_that_is_paid_passes_the_deal(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"on_draw": "pass_and_pay", "draw_pay": 2})
    table.connect()
    washout(table)
    assert upcoming(table) == ("S", 1, 1)
    assert table.scores() == [-12, 4, 4, 4]  # half points


def test_the_variant_that_lets_a_drawn_hand_be_paid_pays_it_once(make_table: Callable[..., Any]) -> None:
    table = make_table({"draw_pay": 2}, variant="base-scoring")
    table.connect()
    washout(table)
    assert upcoming(table) == ("S", 1, 1)
    assert table.scores() == [-12, 4, 4, 4]


@pytest.mark.parametrize(
    ("procedure", "dealer"),
    [
        ({}, "S"),
        ({"on_other_win": "winner_deals"}, "W"),
        ({"mode": "winner_deals"}, "W"),
        ({"mode": "discarder_deals"}, "N"),
        ({"mode": "mcr"}, "S"),
    ],
)
def test_who_deals_after_a_win_on_a_discard(
    make_table: Callable[..., Any], procedure: dict[str, Any], dealer: str
) -> None:
    table = make_table(procedure=procedure)
    table.connect()
    win_of_west(table)
    assert upcoming(table) == (dealer, 1, 1)


def test_a_game_of_an_older_ledger_goes_on_as_the_variant_has_it(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"on_draw": "pass_and_pay", "draw_pay": 2})
    table.connect()
    state = fold(table.rows)
    assert dealer_after(state, Result(), E) is S
    assert draw_payment(state)[S] == 4
    rows = table.rows
    next(row for row in rows if row.kind == "game_started").body.pop("procedure")
    older = fold(rows)
    assert dealer_after(older, Result(), E) is E
    assert set(draw_payment(older).values()) == {0}


SEATED = st.sampled_from(SEATS)
RESULTS = st.just(Result()) | st.tuples(SEATED, st.none() | SEATED).filter(lambda t: t[0] is not t[1]).map(
    lambda t: Result((t[0],), t[1])
)
AGREED = st.sampled_from(
    [
        {"max_hands": 3},
        {"max_hands": 2, "max_counts": "extensions", "on_draw": "pass"},
        {"on_dealer_win": "pass", "on_other_win": "winner_deals"},
        {"mode": "mcr"},
        {"mode": "winner_deals"},
        {"mode": "discarder_deals"},
    ]
)


@given(AGREED, st.lists(RESULTS, max_size=80))
def test_the_table_hands_the_deal_on_as_the_match_of_the_rules(
    agreed: dict[str, Any], results: list[Result]
) -> None:
    settings = agreed_settings("simplest", {}, agreed)
    match = begin(settings, "ABCD")
    info = TableInfo("t", "simplest", settings.options, 2, 136, settings.procedure)
    state = TableState(table=info, dealer=E, first_dealer=E, circle=1, run=1)
    for result in results:
        if match.is_game_over:
            break
        dealer = dealer_after(state, result, S)
        circle, run = following(state, dealer)
        state = replace(state, dealer=dealer, circle=circle, run=run)
        match = after_hand(match, HandResult(result.winners, result.discarder))
        if match.due is Due.SEAT_CHANGE:
            match = change_seats(match)
        if not match.is_game_over:
            played = (state.dealer, state.circle, state.run)
            assert played == (match.deal.dealer, match.deal.circle, match.deal.run)


# ---- the end of a game ----


def ends(table: Any) -> list[str]:
    return [row.body["cause"] for row in table.rows if row.kind == "game_ended"]


def test_a_game_of_agreed_hands_ends_with_the_last_of_them(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"hands": 2})
    table.connect()
    washout(table)
    table.to_playing()
    table.ok("void", reason="a tile fell")
    assert table.state.over is None  # a hand that was called off is none
    washout(table)
    assert ends(table) == ["match"]
    assert table.do("start").code == "refuse.game_over"
    table.restart()
    assert table.state.over is not None
    assert table.view["over"]["cause"] == "match"


def test_an_undone_last_hand_is_played_again(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"hands": 1})
    table.connect()
    washout(table)
    assert table.state.over is not None
    table.ok("undo_result", seat="E", reason="misread")
    for seat in "SWN":
        table.ok("agree_correction", seat=seat)
    assert table.state.over is None
    washout(table)
    assert ends(table) == ["match", "match"]


def test_a_corrected_result_says_anew_whether_the_game_is_over(make_table: Callable[..., Any]) -> None:
    lost = make_table({"base": 50}, procedure={"mode": "winner_deals", "loss_limit": 40})
    counted = make_table(procedure={"hands": 1})
    for table, over in ((lost, False), (counted, True)):
        table.connect()
        win_of_west(table)
        assert table.state.over is not None
        table.ok("correct_result", seat="E", reason="misread", hand=1, kind="drawn")
        for seat in "SWN":
            table.ok("agree_correction", seat=seat)
        assert (table.state.over is not None) is over
        assert fold(table.rows).over == table.state.over


def test_a_loss_above_the_limit_ends_a_game_where_the_winner_deals(make_table: Callable[..., Any]) -> None:
    table = make_table({"base": 50}, procedure={"mode": "winner_deals", "loss_limit": 40})
    table.connect()
    win_of_west(table)
    assert ends(table) == ["match"]
    same = make_table({"base": 50}, procedure={"mode": "winner_deals", "loss_limit": 50})
    same.connect()
    win_of_west(same)
    assert ends(same) == []  # 50 is not above 50


@pytest.mark.parametrize(
    ("variant", "procedure", "code"),
    [
        ("simplest", {"nap": 1}, "setting_unknown"),
        ("simplest", {"seating": "draw"}, "setting_not_yet"),
        ("simplest", {"reseating": "wind_stack"}, "setting_not_yet"),
        ("simplest", {"players": 3}, "setting_not_yet"),
        ("simplest", {"per_row": 9}, "setting_not_yet"),
        ("simplest", {"countdown_s": 30}, "setting_not_yet"),
        ("simplest", {"forbid_same_turn": True}, "setting_not_yet"),
        ("mcr", {"false_win_each": 50}, "setting_unknown"),
        ("mcr", {"max_hands": 3}, "setting_unused"),
    ],
)
def test_what_a_table_cannot_play_is_refused_before_it_starts(
    make_table: Callable[..., Any], variant: str, procedure: dict[str, Any], code: str
) -> None:
    with pytest.raises(SettingRefused) as caught:
        make_table(variant=variant, procedure=procedure)
    assert caught.value.code == code
    with pytest.raises(SettingRefused):
        agreed_settings(variant, {}, procedure)


# ---- seats change in Chinese Official ----


def seated(table: Any) -> str:
    return "".join(place.player[1:] for place in table.state.seats)


def circle_of(table: Any) -> None:
    for _ in range(4):
        washout(table)


def test_seats_change_before_the_third_circle_and_scores_go_along(make_table: Callable[..., Any]) -> None:
    table = make_table({"base": 50}, procedure={"mode": "mcr"})
    table.connect()
    win_of_west(table)
    won = {place.player: place.score for place in table.state.seats}
    for _ in range(3):
        washout(table)
    assert table.view["seat_change"] is None
    for _ in range(3):
        washout(table)
    assert seated(table) == "1234"
    washout(table)
    told = {"circle_wind": "W", "moves": {"E": "S", "S": "E", "W": "N", "N": "W"}}
    assert table.view["seat_change"] == told
    table.restart()
    assert table.view["seat_change"] == told  # told until the hand begins
    table.to_playing()
    assert (seated(table), table.view["seat_change"]) == ("2143", None)
    assert {place.player: place.score for place in table.state.seats} == won
    assert (table.state.dealer, table.state.circle) == (E, 3)  # the original South deals hand 9
    table.ok("washout", seat="E")
    for side in (2, 3, 4):
        table.press(side)
    last = table.view["last"]
    assert (last["hand"], last["players"]) == (9, {"E": "p2", "S": "p1", "W": "p4", "N": "p3"})
    assert [row.entries[0] for row in table.state.sheet][7:] == ["p1", "p2"]
    assert fold(table.rows).seats == table.state.seats


def test_every_circle_has_its_own_seats(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "mcr", "mcr_seats": "every_round"})
    table.connect()
    seats = []
    for _ in range(4):
        circle_of(table)
        seats.append(seated(table))
    expected = [mcr_seats(seating("1234"), "every_round", circle) for circle in (1, 2, 3, 4)]
    assert seats == ["".join(row[seat] for seat in SEATS) for row in expected]


def test_an_undone_hand_before_the_change_is_played_in_the_old_seats(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "mcr"})
    table.connect()
    circle_of(table)
    circle_of(table)
    undo(table)
    assert table.view["seat_change"] is None
    assert upcoming(table) == ("N", 2, 1)
    washout(table)
    table.ok("start")
    assert seated(table) == "2143"
    undo(table)  # hand 10 has begun: it is now the last of circle 2
    assert (seated(table), table.state.dealer, table.state.circle) == ("1234", N, 2)
    assert fold(table.rows).seats == table.state.seats


def undo(table: Any) -> None:
    table.ok("undo_result", seat="E", reason="misread")
    for seat in "SWN":
        table.ok("agree_correction", seat=seat)


def test_four_circles_are_a_game_and_the_next_begins_where_people_sit(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"mode": "mcr"})
    table.connect()
    for circle in range(1, 5):
        assert (table.state.over, table.state.circle) == (None, max(1, circle - 1))
        circle_of(table)
    assert table.view["over"]["reason"] == "four_circles"
    assert len(table.state.sheet) == 16
    assert table.view["seat_change"] is None
    undo(table)
    assert table.state.over is None
    washout(table)
    assert ends(table) == ["match", "match"]
    assert seated(table) == "2143"
    table.ok("new_game")
    assert (seated(table), table.state.hand, table.state.over) == ("2143", 0, None)
    table.to_playing()
    assert (table.state.dealer, table.state.circle, table.state.moved) == (E, 1, False)
