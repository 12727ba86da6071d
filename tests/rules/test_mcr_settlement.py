"""What 国标麻将 pays: 8 and the total from who feeds it, 8 from the others; false wins; nothing for kongs."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import InvalidOption, InvalidWin
from rules.hand import MeldKind
from rules.notation import parse_hand
from rules.scoring import (
    Kong,
    Settlement,
    Situation,
    Win,
    WinRefused,
    settle,
    settle_draw,
    settle_false_win,
    settle_kong,
)
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.variant import Variant
from rules.variants import VARIANTS, get_variant
from rules.variants.guides import GUIDES

MCR = get_variant("mcr")
E, S, W, N = ALL_SEATS
STRAIGHT = "[123m,1] 456p 79s 666m NN + 8s"  # 花龙 8, 坎张 1
LIMIT = "[EEE,1][SSS,3] WWW NN CC + N"  # 大四喜 88, 字一色 64, in every round and seat


def paid(settlement: Settlement) -> list[int]:
    assert sum(settlement.deltas.values()) == 0
    return [settlement.deltas[seat] for seat in ALL_SEATS]


PAYMENTS: list[tuple[str, str, str, Seat | None, dict[str, Any], list[int]]] = [
    ("a discard of the dealer", STRAIGHT, "discard", E, {}, [-17, 33, -8, -8]),
    ("a discard of another", STRAIGHT, "discard", N, {}, [-8, 33, -8, -17]),
    ("a self-draw, 自摸 1 too", STRAIGHT, "self_draw", None, {}, [-18, 54, -18, -18]),
    ("a robbed kong: 抢杠和 8 too", STRAIGHT, "rob_kong", W, {}, [-8, 41, -25, -8]),
    ("flowers are paid", STRAIGHT, "discard", W, {"flowers": 2}, [-8, 35, -19, -8]),
    ("no cap", LIMIT, "discard", E, {}, [-160, 176, -8, -8]),
]


@pytest.mark.parametrize(("says", "hand", "by", "source", "more", "deltas"), PAYMENTS)
def test_what_a_win_of_south_pays(
    says: str, hand: str, by: str, source: Seat | None, more: dict[str, Any], deltas: list[int]
) -> None:
    settlement = settle(MCR, [Win(S, parse_hand(hand), by, source, **more)], Situation(E))
    assert paid(settlement) == deltas, says
    assert settlement.next_dealer == S


def test_the_cap_of_the_japanese_association_is_what_is_paid() -> None:
    win = Win(S, parse_hand(LIMIT), "discard", E)
    assert paid(settle(get_variant("mcr-jmsa"), [win], Situation(E))) == [-96, 112, -8, -8]


@pytest.mark.parametrize("dealer", ALL_SEATS)
def test_the_deal_passes_whoever_wins_and_where_nobody_does(dealer: Seat) -> None:
    win = Win(dealer, parse_hand(STRAIGHT), "self_draw")
    assert settle(MCR, [win], Situation(dealer)).next_dealer == dealer.next
    drawn = settle_draw(MCR, Situation(dealer))
    assert (paid(drawn), drawn.next_dealer) == ([0, 0, 0, 0], dealer.next)


def test_only_the_nearest_after_the_discarder_wins() -> None:
    hands = {W: STRAIGHT, E: "[123p,1] 456m 79s 666p NN + 8s"}
    wins = [Win(seat, parse_hand(hand), "discard", N) for seat, hand in hands.items()]
    settlement = settle(MCR, wins, Situation(E))
    assert [win.seat for win, _ in settlement.paid] == [E]
    assert paid(settlement) == [33, -8, -8, -17]


CHEAP = [
    ("7 points", "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", 0),
    ("8 flowers do not help", "[234s,1][456p,1][EEE,2][888m,3] 5p + 5p", 8),
]


@pytest.mark.parametrize(("says", "hand", "flowers"), CHEAP)
def test_a_hand_below_the_minimum_is_not_paid(says: str, hand: str, flowers: int) -> None:
    win = Win(S, parse_hand(hand), "discard", E, flowers=flowers)
    with pytest.raises(WinRefused) as refused:
        settle(MCR, [win], Situation(E, round_wind=W))
    assert refused.value.reason == "below_minimum", says


@pytest.mark.parametrize("kind", [MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG])
def test_kongs_pay_nothing(kind: MeldKind) -> None:
    source = N if kind is MeldKind.EXPOSED_KONG else None
    assert paid(settle_kong(MCR, Kong(S, kind, Tile.parse("5m"), source), Situation(E))) == [0, 0, 0, 0]


# ---- false wins (../shared/rules/win-procedure.md section 3) ----

FALSE_WINS: list[tuple[str, bool, dict[str, Any], int]] = [
    ("10 to each", False, {}, 10),
    ("twice that where it was not ready", True, {}, 20),
    ("another amount", False, {"false_win_each": 15}, 15),
    ("another amount where it was not ready", True, {"false_win_not_ready_each": 40}, 40),
    ("the amounts are apart", True, {"false_win_each": 15}, 20),
    ("no penalty", False, {"false_win_each": 0}, 0),
]


@pytest.mark.parametrize(("says", "not_ready", "options", "each"), FALSE_WINS)
@pytest.mark.parametrize("variant", GUIDES)
@pytest.mark.parametrize("seat", [E, W])
def test_a_false_win_pays_each_other_player(
    variant: str, seat: Seat, says: str, not_ready: bool, options: dict[str, Any], each: int
) -> None:
    settlement = settle_false_win(get_variant(variant), seat, not_ready, Situation(S, options=options))
    expected = [-3 * each if other == seat else each for other in ALL_SEATS]
    assert paid(settlement) == expected, says
    assert settlement.next_dealer == S  # the hand goes on
    assert {payment.why for payment in settlement.payments} == {"false_win"}
    assert {payment.payer for payment in settlement.payments} == {seat}


@pytest.mark.parametrize("variant", GUIDES)
def test_no_rule_body_is_named_for_what_a_false_win_costs(variant: str) -> None:
    amounts = [row for row in get_variant(variant).options if row.key.startswith("false_win")]
    assert [row.source.partition(" (")[0] for row in amounts] == ["a choice of this house"] * 2


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_every_variant_settles_a_false_win(variant: Variant) -> None:
    for not_ready in (False, True):
        each = settle_false_win(variant, N, not_ready, Situation(E)).deltas
        assert (sum(each.values()), each[N] <= 0, each[E] == each[S] == each[W]) == (0, True, True)


def test_a_false_win_among_three() -> None:
    settlement = settle_false_win(MCR, E, False, Situation(E, players=(E, S, W)))
    assert settlement.deltas == {E: -20, S: 10, W: 10}


def test_a_false_win_that_cannot_be() -> None:
    with pytest.raises(InvalidWin, match="N does not play"):
        settle_false_win(MCR, N, False, Situation(E, players=(E, S, W)))
    with pytest.raises(InvalidOption, match="from 0 to 1000"):
        settle_false_win(MCR, E, False, Situation(E, options={"false_win_each": -1}))


def test_a_variant_without_such_a_rule_pays_nothing() -> None:
    settlement = settle_false_win(get_variant("simplest"), E, True, Situation(E))
    assert (paid(settlement), settlement.payments) == ([0, 0, 0, 0], ())
