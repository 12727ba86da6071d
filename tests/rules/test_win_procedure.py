"""win-procedure.md: the shared cases, and what holds for every flow, false win, timer and option."""

from __future__ import annotations

import contextlib
import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.checking import STATED_COUNTS, check
from rules.claims import ROB_CONCEALED
from rules.errors import InvalidOption, InvalidRequest, RuleError
from rules.false_win import EACH_MOST, HANDS, amount_each, dead_hand_may, false_win
from rules.handling import OUT_OF_TURN, discard_rows, is_laid_out, must_open, turn_order
from rules.options import Option
from rules.seats import ALL_SEATS, Seat, in_order_after
from rules.timers import PROFILES, TIMEOUT_ACTIONS, TURNS, has_started, is_over, time_limit, timeout
from rules.win_flow import STEPS, WinFlow, WinState, follow
from rules.win_options import WIN_EXPLAINED, WIN_OPTIONS, resolve_win_options

FILE = Path(__file__).resolve().parents[3] / "shared" / "rules" / "cases" / "win-procedure.json"
E, S, W, N = ALL_SEATS

tables = st.sampled_from([ALL_SEATS, (E, S, W), (E, S)])


def shared_cases() -> list[dict[str, Any]]:
    if not FILE.is_file():
        return []
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return [{"variant": data["variant"], **case} for case in data["cases"]]


CASES = shared_cases()
needs_cases = pytest.mark.skipif(not CASES, reason=f"shared rule cases not beside the checkout: {FILE}")


@needs_cases
def test_cases_are_there() -> None:
    assert len(CASES) >= 45


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_shared_case(case: dict[str, Any]) -> None:
    answer = answer_case({key: value for key, value in case.items() if key != "expect"})
    assert {key: answer.get(key) for key in case["expect"]} == case["expect"]
    quiet = {"missing", "irregularities", "refused", "penalty"}
    assert set(answer) & quiet == set(case["expect"]) & quiet  # told only when there are any
    json.dumps(answer)


nonsense = st.sampled_from([None, True, -1, 1e400, "X", "E", [], [[]], {}, [{}], [["E"]], [["E", "win"]] * 2])


@needs_cases
@given(data=st.data())
def test_nonsense_is_refused_by_name(data: st.DataObject) -> None:
    case = copy.deepcopy(data.draw(st.sampled_from(CASES)))
    case.pop("expect")
    key = data.draw(st.sampled_from(sorted(case["in"])))
    case["in"][key] = data.draw(nonsense)
    with contextlib.suppress(RuleError):  # any other error is ours
        json.dumps(answer_case(case))


# ---- the flow ----

every_step = st.sampled_from(
    [step for step in STEPS if step not in ("confirm", "object", "reveal")]
    + [f"{word}:{seat.value}" for word in ("confirm", "object", "reveal") for seat in ALL_SEATS]
)
likely = st.sampled_from(
    ["declare", "lay_out", "state", "referee", "review_ok", "review_fail"]
    + [f"confirm:{seat.value}" for seat in ALL_SEATS]
)
OVER = (WinState.SETTLED, WinState.FALSE_WIN)


@given(tables, st.data(), st.booleans(), st.integers(0, 30))
def test_every_walk_of_a_win(
    players: tuple[Seat, ...], data: st.DataObject, has_referee: bool, penalty: int
) -> None:
    winner = data.draw(st.sampled_from(players))
    flow = WinFlow(winner, players, has_referee, penalty)
    start = data.draw(st.sampled_from([[], ["declare", "lay_out"], ["declare", "lay_out", "state"]]))
    flow = follow(flow, start)
    for step in data.draw(st.lists(st.one_of(likely, every_step), max_size=12)):
        before, flow = flow, flow.step(step)
        if flow.refused != before.refused:  # a refused step changes nothing else
            assert flow.refused == (*before.refused, step)
            assert follow(before, [step]) == flow
            for field in ("state", "confirmed", "irregularities"):
                assert getattr(flow, field) == getattr(before, field)
        if before.state in OVER:
            assert flow.state is before.state
        if step.startswith("confirm:"):
            seat = Seat(step[-1])
            counted = seat in flow.confirmed and seat not in before.confirmed
            assert counted is (seat in before.missing)  # once, by a player, never by the winner
    assert winner not in flow.confirmed
    assert flow.confirmed <= set(players)
    left = set(players) - {winner} - flow.confirmed
    assert set(flow.missing) == (left if flow.state is WinState.STATED else set())
    assert list(flow.missing) == [seat for seat in in_order_after(winner, players) if seat in flow.missing]
    if flow.state is WinState.CONFIRMED:
        assert has_referee
    paid = flow.penalty()
    assert sum(paid.values()) == 0
    assert not paid or flow.state is not WinState.FALSE_WIN
    assert len(set(flow.irregularities)) == len(flow.irregularities)


def test_tiles_shown_early_pay_the_winner_by_option() -> None:
    flow = follow(WinFlow(S, reveal_penalty=5), ["declare", "lay_out", "reveal:N", "reveal:N", "reveal:E"])
    assert flow.penalty() == {E: -5, S: 10, W: 0, N: -5}
    assert flow.refused == ("reveal:N",)
    assert follow(WinFlow(S), ["declare", "reveal:N"]).penalty() == {}


def test_tiles_may_be_shown_once_everyone_agreed() -> None:
    agreed = ["declare", "lay_out", "state", "confirm:E", "confirm:W", "confirm:N"]
    for has_referee in (False, True):
        flow = follow(WinFlow(S, has_referee=has_referee), [*agreed, "reveal:N"])
        assert (flow.irregularities, flow.refused) == ((), ())


def test_a_referee_is_heard_only_where_there_is_one() -> None:
    agreed = ["declare", "lay_out", "state", "confirm:E", "confirm:W", "confirm:N"]
    flow = follow(WinFlow(S), [*agreed, "referee"])
    assert (flow.state, flow.refused) == (WinState.SETTLED, ("referee",))
    flow = follow(WinFlow(S, has_referee=True), [*agreed, "object:W"])
    assert flow.state is WinState.REVIEW


def test_nobody_called_a_win() -> None:
    flow = follow(WinFlow(None), ["declare", "confirm:E"])
    assert (flow.state, flow.refused) == (WinState.PLAY, ("declare", "confirm:E"))


@pytest.mark.parametrize("step", ["", "agree", "confirm", "confirm:X", "state:E", "confirm:", "object:EE"])
def test_what_is_no_step(step: str) -> None:
    with pytest.raises(InvalidRequest, match="a step is one of"):
        WinFlow(S).step(step)


def test_a_winner_plays() -> None:
    with pytest.raises(InvalidRequest, match="does not play"):
        WinFlow(N, (E, S))


# ---- check and false win ----


@given(
    st.none() | st.integers(0, 300),
    st.integers(0, 20),
    st.none() | st.integers(0, 300),
    st.sampled_from(STATED_COUNTS),
)
def test_never_more_than_the_hand_is_worth(
    computed: int | None, minimum: int, stated: int | None, counts: str
) -> None:
    result = check(computed, minimum, stated, counts)
    if computed is None or computed < minimum:
        assert (result.result, result.points) == ("false_win", None)
        return
    assert result.result == "settle"
    assert result.points is not None
    assert result.points <= computed
    if counts == "checked" or stated is None or stated >= computed:
        assert result.points == computed


def test_a_value_is_checked_by_a_known_rule() -> None:
    with pytest.raises(InvalidRequest, match="stated_counts"):
        check(8, 8, 8, "stated")


@given(tables, st.data(), st.integers(0, EACH_MOST), st.sampled_from(HANDS))
def test_a_false_win_pays_everyone_the_same(
    players: tuple[Seat, ...], data: st.DataObject, amount: int, hand: str
) -> None:
    offender, dealer = data.draw(st.sampled_from(players)), data.draw(st.sampled_from(players))
    result = false_win(offender, amount, hand, dealer, players)
    assert set(result.deltas) == set(players)
    assert sum(result.deltas.values()) == 0
    assert {points for seat, points in result.deltas.items() if seat is not offender} == {amount}
    assert result.next_dealer is (dealer if hand == "void" else None)


def test_the_referee_sets_the_amount_only_where_it_was_meant() -> None:
    assert (amount_each(), amount_each(5), amount_each(10, False, 20)) == (10, 5, 10)
    assert (amount_each(10, True, 20), amount_each(10, True), amount_each(10, True, 0)) == (20, 10, 0)
    for wrong in (-1, EACH_MOST + 1):
        with pytest.raises(InvalidRequest, match="costs 0 to"):
            amount_each(wrong)
    with pytest.raises(InvalidRequest, match="void"):
        false_win(E, 10, "over")
    with pytest.raises(InvalidRequest, match="does not play"):
        false_win(N, players=(E, S))
    with pytest.raises(InvalidRequest, match="an action is"):
        dead_hand_may("resign")


# ---- time ----


@given(st.sampled_from(sorted(PROFILES)), st.sampled_from(TURNS), st.integers(0, 10_000))
def test_exactly_the_limit_is_in_time(profile: str, turn: str, thousandths: int) -> None:
    limit = time_limit(profile, turn)
    assert not is_over(profile, turn, limit)
    assert is_over(profile, turn, limit + 0.001)
    elapsed = float(Fraction(thousandths, 100))
    result = timeout(profile, turn, elapsed)
    assert result.is_over is (elapsed > limit)
    assert result.actions == (("warn", "log") if result.is_over else ())


def test_nothing_is_played_for_a_player() -> None:
    with pytest.raises(InvalidRequest, match="timeout_action"):
        timeout("competition", "turn", 60, "auto_discard")
    with pytest.raises(InvalidRequest, match="a profile is"):
        time_limit("blitz", "turn")


def test_the_countdown_waits_for_one_player_only() -> None:
    assert not has_started([E, S], 1000)
    assert has_started([E, S, W, N], 0)
    assert [has_started([E], seconds, 15, (E, S)) for seconds in (14.9, 15)] == [False, True]


# ---- handling ----


def test_turns_with_claims_and_kongs() -> None:
    in_order = [
        (E, "draw"),
        (E, "discard"),
        (W, "pung"),
        (W, "discard"),
        (N, "chow"),
        (N, "discard"),
        (S, "kong"),
        (S, "draw"),
        (S, "discard"),
        (W, "draw"),
        (W, "kong"),
        (W, "draw"),
        (W, "discard"),
    ]
    assert turn_order(in_order).irregularities == ()


@pytest.mark.parametrize(
    ("steps", "wrong"),
    [
        ([(E, "draw"), (E, "discard"), (W, "draw")], (W, OUT_OF_TURN)),
        ([(E, "draw"), (E, "discard"), (W, "chow")], (W, OUT_OF_TURN)),
        ([(E, "draw"), (E, "discard"), (E, "pung")], (E, OUT_OF_TURN)),
        ([(E, "draw"), (S, "discard")], (S, OUT_OF_TURN)),
        ([(E, "draw"), (E, "kong"), (E, "discard")], (E, OUT_OF_TURN)),
        ([(E, "draw"), (E, "draw")], (E, "early_draw")),
    ],
)
def test_turns_out_of_order(steps: list[tuple[Seat, str]], wrong: tuple[Seat, str]) -> None:
    order = turn_order(steps)
    assert order.irregularities == (wrong,)
    assert order.allowed == (True,) * (len(steps) - 1) + (False,)


def test_turns_of_two() -> None:
    assert turn_order([(E, "draw"), (E, "discard"), (S, "draw")], (E, S)).allowed == (True,) * 3
    with pytest.raises(InvalidRequest, match="a step is a player"):
        turn_order([(N, "draw")], (E, S))


@given(st.integers(0, 200), st.integers(1, 20))
def test_discards_lie_in_full_rows(discards: int, per_row: int) -> None:
    rows = discard_rows(discards, per_row)
    assert sum(rows) == discards
    assert set(rows[:-1]) <= {per_row}
    assert all(0 < row <= per_row for row in rows)


def test_what_is_laid_out_and_opened() -> None:
    assert is_laid_out(17, 0, True, 16)
    assert not is_laid_out(14, 0, False)
    with pytest.raises(InvalidRequest, match="a hand ends by"):
        must_open([], "void")
    with pytest.raises(InvalidRequest, match="rows"):
        discard_rows(1, 0)


# ---- options ----


def test_every_option_is_explained_in_both_languages() -> None:
    assert set(WIN_EXPLAINED) == {option.key for option in WIN_OPTIONS}
    for option in WIN_OPTIONS:
        zh, en = WIN_EXPLAINED[option.key]
        assert zh.endswith("。")
        assert en.endswith(".")
        assert option.source.startswith("win-procedure.md")
        assert option.accept(option.default) == option.default


def test_options_name_what_the_rules_know() -> None:
    known = {
        "stated_counts": STATED_COUNTS,
        "rob_concealed": ROB_CONCEALED,
        "false_win_hand": HANDS,
        "time_profile": tuple(PROFILES),
        "timeout_action": TIMEOUT_ACTIONS,
    }
    rows: dict[str, Option] = {option.key: option for option in WIN_OPTIONS}
    for key, values in known.items():
        assert {choice.key for choice in rows[key].choices} == set(values)


def test_options_are_checked() -> None:
    options = resolve_win_options({"false_win_hand": "重打，庄不动", "reveal_penalty": "5"})
    assert (options["false_win_hand"], options["reveal_penalty"]) == ("void", 5)
    assert (options["false_win_each"], options["claim_window_s"], options["referee"]) == (10, 3, False)
    with pytest.raises(InvalidOption, match="no option"):
        resolve_win_options({"each": 5})
    with pytest.raises(InvalidOption, match="timeout_action"):
        resolve_win_options({"timeout_action": "auto_discard"})
