"""`op` cases of win-procedure: each reads its fields, asks one function of the rules and answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rules import checking, claims, handling, timers
from rules import false_win as false_wins
from rules.errors import InvalidRequest
from rules.fields import Fields, as_seat, show, whole
from rules.legal import CLAIMS, Claim, precedence
from rules.legal_ops import players_of
from rules.ops import op, rule_book
from rules.seats import Seat
from rules.win_flow import WinFlow, follow
from rules.win_options import CLAIM_WINDOW_S

SLUG = rule_book("win-procedure")
MOST = 10_000
"""More points, tiles or seconds than a case can mean."""
Answer = dict[str, Any]


def _row(item: object, length: int, name: str) -> list[Any]:
    if not isinstance(item, (list, tuple)) or len(item) != length:
        raise InvalidRequest(f"{name} are lists of {length}, not {show(item)}")
    return list(item)


def _seconds(value: object, name: str) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not isinstance(value, (int, float)) or not (math.isfinite(value) and 0 <= value <= MOST):
        raise InvalidRequest(f"{name} are seconds from 0 to {MOST}, not {show(value)}")
    return float(value)


def _claim(row: list[Any], name: str) -> Claim:
    if not isinstance(row[1], str):
        raise InvalidRequest(f"{name}: a claim is one of {', '.join(CLAIMS)}, not {show(row[1])}")
    return Claim(as_seat(row[0], name), row[1])


def _claims(given: Fields) -> list[Claim]:
    name = given.name("claims")
    return [_claim(_row(item, 2, name), name) for item in given.items("claims")]


def _pairs(found: tuple[Claim, ...]) -> list[list[str]]:
    return [[claim.seat.value, claim.kind] for claim in found]


def _deltas(deltas: Mapping[Seat, int]) -> dict[str, int]:
    return {seat.value: points for seat, points in deltas.items()}


@op("precedence", SLUG)
def _precedence(given: Fields, case: Fields) -> Answer:
    granted = precedence(given.seat("discarder"), _claims(given), given.flag("multi_win"), players_of(given))
    return {"granted": _pairs(granted)}


@op("claim_window", SLUG)
def _claim_window(given: Fields, case: Fields) -> Answer:
    name = given.name("claims")
    rows = [_row(item, 3, name) for item in given.items("claims")]
    timed = [claims.TimedClaim(_claim(row, name), _seconds(row[2], name)) for row in rows]
    window = _seconds(given.get("window_s", CLAIM_WINDOW_S), given.name("window_s"))
    result = claims.claim_window(
        given.seat("discarder"), timed, window, given.flag("multi_win"), players_of(given)
    )
    return {"granted": _pairs(result.granted), "late": _pairs(result.late)}


@op("rob", SLUG)
def _rob(given: Fields, case: Fields) -> Answer:
    hands = given.mapping("hands")
    granted, stands = claims.rob(
        given.seat("konger"),
        given.one_of("kind", claims.KONG_WAYS),
        _claims(given),
        hands={as_seat(seat, given.name("hands")): str(hand) for seat, hand in hands.items()},
        rob_concealed=given.one_of("rob_concealed", claims.ROB_CONCEALED, "none"),
        multi_win=given.flag("multi_win"),
        players=players_of(given),
    )
    return {"granted": _pairs(granted), "kong_stands": stands}


@op("same_player", SLUG)
def _same_player(given: Fields, case: Fields) -> Answer:
    return {"offered_first": claims.offered_first(given.words("options", CLAIMS))}


@op("call_word", SLUG)
def _call_word(given: Fields, case: Fields) -> Answer:
    answer: Answer = {
        "accepted": [isinstance(word, str) and claims.is_call(word) for word in given.items("words")]
    }
    for word, called, kind in (("碰牌", "pung", "kong"), ("杠牌", "kong", "pung")):
        if given.has(f"{called}_word_for_{kind}"):
            asked = given.flag(f"{called}_word_for_{kind}")
            answer[f"{called}_word_makes_{kind}"] = asked and claims.call_makes(word, kind)
    return answer


# ---- time ----


def _profile(given: Fields) -> str:
    return given.one_of("profile", tuple(timers.PROFILES), "competition")


@op("timer", SLUG)
def _timer(given: Fields, case: Fields) -> Answer:
    profile, name, over = _profile(given), given.name("elapsed"), []
    for item in given.items("elapsed"):
        turn, elapsed = _row(item, 2, name)
        over.append(timers.is_over(profile, str(turn), _seconds(elapsed, name)))
    return {"over": over}


@op("timeout", SLUG)
def _timeout(given: Fields, case: Fields) -> Answer:
    elapsed = _seconds(given.get("elapsed"), given.name("elapsed"))
    action = given.one_of("timeout_action", timers.TIMEOUT_ACTIONS, "warn")
    result = timers.timeout(_profile(given), given.one_of("kind", timers.TURNS), elapsed, action)
    return {"over": result.is_over, "actions": list(result.actions), "discard": None}


@op("prepare", SLUG)
def _prepare(given: Fields, case: Fields) -> Answer:
    ready = [as_seat(seat, given.name("ready")) for seat in given.items("ready")]
    countdown = _seconds(given.get("countdown_s", timers.COUNTDOWN_S), given.name("countdown_s"))
    times = [_seconds(each, given.name("elapsed")) for each in given.items("elapsed")]
    players = players_of(given)
    return {"started": [timers.has_started(ready, elapsed, countdown, players) for elapsed in times]}


# ---- the win ----


@op("flow", SLUG)
def _flow(given: Fields, case: Fields) -> Answer:
    steps = given.items("steps")
    if not all(isinstance(step, str) for step in steps):
        raise InvalidRequest(f"{given.name('steps')} are words, not {show(steps)}")
    flow = WinFlow(
        given.optional_seat("winner"),
        players_of(given),
        given.flag("referee"),
        given.integer("reveal_penalty", 0, MOST, 0),
    )
    flow = follow(flow, steps)
    answer: Answer = {"state": flow.state.value}
    if flow.missing:
        answer["missing"] = [seat.value for seat in flow.missing]
    if flow.irregularities:
        answer["irregularities"] = [[seat.value, what] for seat, what in flow.irregularities]
    if flow.refused:
        answer["refused"] = list(flow.refused)
    penalty = flow.penalty()
    return {**answer, "penalty": _deltas(penalty)} if penalty else answer


@op("check", SLUG)
def _check(given: Fields, case: Fields) -> Answer:
    result = checking.check(
        given.optional_integer("computed", 0, MOST),
        given.integer("minimum", 0, MOST, 0),
        given.optional_integer("stated", 0, MOST),
        given.one_of("stated_counts", checking.STATED_COUNTS, "checked"),
    )
    points = {} if result.points is None else {"points": result.points}
    return {"result": result.result, **points}


@op("false_win", SLUG)
def _false_win(given: Fields, case: Fields) -> Answer:
    most = false_wins.EACH_MOST
    amount = false_wins.amount_each(
        given.integer("each", 0, most, false_wins.EACH),
        given.flag("deliberate"),
        given.optional_integer("referee_each", 0, most),
    )
    hand = given.one_of("hand", false_wins.HANDS, false_wins.GOES_ON)
    dealer = given.optional_seat("dealer")
    if hand == false_wins.VOID and dealer is None:
        raise InvalidRequest(f"{given.name('dealer')} is missing: he deals again when the hand is void")
    result = false_wins.false_win(given.seat("offender"), amount, hand, dealer, players_of(given))
    answer: Answer = {"state": "FALSE_WIN", "deltas": _deltas(result.deltas), "hand": result.hand}
    return answer if result.next_dealer is None else {**answer, "next_dealer": result.next_dealer.value}


@op("dead_hand", SLUG)
def _dead_hand(given: Fields, case: Fields) -> Answer:
    actions = given.words("actions", false_wins.HAND_ACTIONS)
    return {"allowed": [false_wins.dead_hand_may(action) for action in actions]}


# ---- handling ----


@op("turn_order", SLUG)
def _turn_order(given: Fields, case: Fields) -> Answer:
    name = given.name("steps")
    rows = [_row(item, 2, name) for item in given.items("steps")]
    order = handling.turn_order([(as_seat(seat, name), str(do)) for seat, do in rows], players_of(given))
    answer: Answer = {"allowed": list(order.allowed)}
    if order.irregularities:
        answer["irregularities"] = [[seat.value, what] for seat, what in order.irregularities]
    return answer


@op("same_turn", SLUG)
def _same_turn(given: Fields, case: Fields) -> Answer:
    actions = given.words("actions", handling.SAME_TURN)
    forbid = given.items("forbid", [False])
    if not all(isinstance(each, bool) for each in forbid):
        raise InvalidRequest(f"{given.name('forbid')} are true or false, not {show(forbid)}")
    return {"allowed": [[handling.may_in_same_turn(each, ban) for each in actions] for ban in forbid]}


@op("lay_out", SLUG)
def _lay_out(given: Fields, case: Fields) -> Answer:
    tiles = [whole(each, 0, MOST, given.name("tiles")) for each in given.items("tiles")]
    kongs = [whole(each, 0, MOST, given.name("kongs")) for each in given.items("kongs", [0] * len(tiles))]
    apart = given.items("win_tile_apart", [True] * len(tiles))
    if not len(tiles) == len(kongs) == len(apart) or not all(isinstance(each, bool) for each in apart):
        raise InvalidRequest(f"{given.name('tiles')}, kongs and win_tile_apart go together, one a hand")
    size = given.integer("hand_size", 13, 16, 13)
    hands = zip(tiles, kongs, apart, strict=True)
    return {"ok": [handling.is_laid_out(count, quads, alone, size) for count, quads, alone in hands]}


@op("end_reveal", SLUG)
def _end_reveal(given: Fields, case: Fields) -> Answer:
    name = given.name("concealed_kongs")
    kongs = [_row(item, 2, name) for item in given.items("concealed_kongs")]
    found = [[as_seat(seat, name).value, str(tile)] for seat, tile in kongs]
    return {"must_open": list(handling.must_open(found, given.one_of("ended_by", handling.ENDED_BY)))}


@op("discard_grid", SLUG)
def _discard_grid(given: Fields, case: Fields) -> Answer:
    count = given.integer("n", 0, MOST)
    told = given.get("per_row", handling.PER_ROW[0])
    if not isinstance(told, (list, tuple)):
        return {"rows": list(handling.discard_rows(count, whole(told, 1, MOST, given.name("per_row"))))}
    lengths = [whole(each, 1, MOST, given.name("per_row")) for each in told]
    return {"rows": [list(handling.discard_rows(count, each)) for each in lengths]}
