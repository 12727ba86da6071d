"""Claims on one tile: their order, the window, robbing, calls. win-procedure.md sections 2 and 5."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.claims import (
    ROB_CONCEALED,
    TimedClaim,
    call_makes,
    claim_rank,
    claim_window,
    is_call,
    is_decided,
    offered_first,
    rob,
)
from rules.errors import InvalidRequest
from rules.legal import CLAIMS, Claim, precedence
from rules.seats import ALL_SEATS, Seat, seat_after

E, S, W, N = ALL_SEATS

seats = st.sampled_from(ALL_SEATS)
tables = st.sampled_from([ALL_SEATS, (E, S, W), (E, S)])
kinds = st.sampled_from(CLAIMS)

# ---- precedence ----


@st.composite
def claims_on_a_discard(draw: st.DrawFn) -> tuple[Seat, tuple[Seat, ...], list[Claim]]:
    players = draw(tables)
    discarder = draw(st.sampled_from(players))
    others = st.sampled_from([seat for seat in players if seat is not discarder])
    return discarder, players, draw(st.lists(st.builds(Claim, others, kinds), max_size=6))


@given(claims_on_a_discard())
def test_precedence_is_a_total_order_and_grants_its_first(
    made: tuple[Seat, tuple[Seat, ...], list[Claim]],
) -> None:
    discarder, players, claims = made
    ranks = {claim: claim_rank(discarder, claim, players) for claim in claims}
    assert len(set(ranks.values())) == len(ranks)
    following = seat_after(discarder, players)
    valid = [claim for claim in ranks if claim.kind != "chow" or claim.seat is following]
    granted = precedence(discarder, claims, False, players)
    best = [] if not valid else [min(valid, key=lambda claim: ranks[claim])]
    assert list(granted) == best
    winners = [claim for claim in sorted(ranks, key=lambda claim: ranks[claim]) if claim.kind == "win"]
    assert precedence(discarder, claims, True, players) == (tuple(winners) or granted)


def test_who_cannot_claim() -> None:
    with pytest.raises(InvalidRequest, match="cannot claim"):
        claim_rank(E, Claim(E, "win"))
    with pytest.raises(InvalidRequest, match="cannot claim"):
        claim_rank(E, Claim(N, "win"), (E, S))
    with pytest.raises(InvalidRequest, match="one of win"):
        claim_rank(E, Claim(S, "tsumo"))


@given(st.lists(kinds, min_size=1))
def test_the_win_is_offered_first(options: list[str]) -> None:
    first = offered_first(options)
    assert first in options
    assert first == "win" or "win" not in options


def test_nothing_to_offer() -> None:
    for none in ([], ["draw"]):
        with pytest.raises(InvalidRequest, match="options are among"):
            offered_first(none)


# ---- the window ----

tenths = st.integers(0, 60).map(lambda n: n / 10)


@given(claims_on_a_discard(), st.lists(tenths, min_size=6, max_size=6), tenths, st.booleans())
def test_claims_in_the_window_count_and_its_last_instant_is_in_it(
    made: tuple[Seat, tuple[Seat, ...], list[Claim]], times: list[float], window: float, multi_win: bool
) -> None:
    discarder, players, claims = made
    timed = [TimedClaim(claim, second) for claim, second in zip(claims, times, strict=False)]
    result = claim_window(discarder, timed, window, multi_win, players)
    assert result.closed_at <= window
    in_time = [each.claim for each in timed if each.seconds <= result.closed_at]
    late = [each.claim for each in timed if each.seconds > result.closed_at]
    assert result.granted == precedence(discarder, in_time, multi_win, players)
    assert Counter(result.late) == Counter(late)
    # an end before the window's own takes nothing from anybody who spoke inside the window
    whole = [each.claim for each in timed if each.seconds <= window]
    assert precedence(discarder, whole, multi_win, players) == result.granted


def test_the_window_ends_early_when_nothing_higher_can_come() -> None:
    claims = [TimedClaim(Claim(S, "win"), 0.5), TimedClaim(Claim(W, "win"), 1.0)]
    result = claim_window(E, claims, 3)
    assert (result.granted, result.late, result.closed_at) == ((Claim(S, "win"),), (Claim(W, "win"),), 0.5)
    both = claim_window(E, claims, 3, multi_win=True)
    assert (both.granted, both.late, both.closed_at) == ((Claim(S, "win"), Claim(W, "win")), (), 3)
    assert not is_decided(E, [Claim(W, "win")])
    assert is_decided(E, [Claim(S, "win"), Claim(W, "win"), Claim(N, "win")], multi_win=True)
    with pytest.raises(InvalidRequest, match="from 0 on"):
        claim_window(E, [], -1)


# ---- robbing ----


@given(seats, st.sampled_from(["exposed", "added", "concealed"]), st.sampled_from(ROB_CONCEALED), st.data())
def test_a_kong_stands_exactly_when_nobody_robs_it(
    konger: Seat, way: str, rob_concealed: str, data: st.DataObject
) -> None:
    others = [seat for seat in ALL_SEATS if seat is not konger]
    winners = data.draw(st.lists(st.sampled_from(others), unique=True))
    hands = {seat: data.draw(st.sampled_from(["ordinary", "thirteen_orphans"])) for seat in winners}
    claims = [Claim(seat, "win") for seat in winners]
    granted, stands = rob(konger, way, claims, hands=hands, rob_concealed=rob_concealed)
    assert stands is not bool(granted)
    if way == "added":
        assert stands is not bool(winners)
    if way == "exposed" or (way == "concealed" and rob_concealed == "none"):
        assert stands
    elif way == "concealed":
        assert all(hands[claim.seat] == "thirteen_orphans" for claim in granted)


def test_only_a_win_robs() -> None:
    with pytest.raises(InvalidRequest, match="by a win only"):
        rob(E, "added", [Claim(S, "pung")])
    with pytest.raises(InvalidRequest, match="a kong is"):
        rob(E, "melded", [])


@given(st.text(max_size=3))
def test_other_words_are_no_calls(word: str) -> None:
    assert is_call(word) is (word in ("吃牌", "碰牌", "杠牌", "和牌", "补花"))
    assert sum(call_makes(word, kind) for kind in ("chow", "pung", "kong", "win", "flower")) == is_call(word)
