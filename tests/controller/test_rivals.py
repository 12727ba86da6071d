"""Two claims of one tile: the nearest after the discarder wins, inside the claim window."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from controller.state import Phase
from rules.seats import Seat, in_order_after

SIDES = {"E": 1, "S": 2, "W": 3, "N": 4}


def notices(table: Any) -> list[str]:
    return [notice["code"] for notice in table.view["notices"]]


@pytest.mark.parametrize(("payer", "first", "second"), list(permutations("ESWN", 3)))
def test_with_keys_alone_the_nearest_after_the_discarder_wins(
    make_table: Callable[..., Any], payer: str, first: str, second: str
) -> None:
    table = make_table()
    table.connect()
    table.to_playing()
    table.press(SIDES[first])
    table.press(SIDES[second])
    table.at(Phase.CLAIM, "from")
    assert notices(table) == ["claim.both"]
    table.run(600)
    table.press(SIDES[payer])
    table.at(Phase.CLAIM, "lay")
    order = in_order_after(Seat(payer), list(Seat))
    assert table.state.claim.seat is min(Seat(first), Seat(second), key=order.index)
    assert table.state.claim.from_seat is Seat(payer)
    assert table.state.claim.sources == {"seat": "key", "by": "key", "from": "key"}
    assert notices(table) == ["claim.nearer"]


def test_whoever_pressed_too_early_as_payer_presses_again(table: Any) -> None:
    table.to_playing()
    table.press(2)
    table.press(4)  # North discarded it and is quick
    table.run(600)
    table.press(4)
    table.at(Phase.CLAIM, "lay")
    assert (table.state.claim.seat, table.state.claim.from_seat) == (Seat.S, Seat.N)
    assert notices(table) == []


def test_on_pages_a_nearer_claim_inside_the_window_takes_the_tile(table: Any) -> None:
    table.to_playing()
    table.ok("claim", seat="N", by="discard", from_="E")
    assert table.do("claim", seat="E", by="discard").code == "refuse.self"
    assert table.do("claim", seat="S", by="discard", from_="W").code == "refuse.from"
    assert table.do("claim", seat="S", by="self_draw").code == "refuse.claim"
    table.ok("claim", seat="S", by="discard", flags=["last_tile"])
    table.at(Phase.CLAIM, "lay")
    claim = table.state.claim
    assert (claim.seat, claim.from_seat, claim.flags) == (Seat.S, Seat.E, ("last_tile",))
    assert table.do("claim", seat="W", by="discard").code == "refuse.outranked"
    assert notices(table) == ["claim.nearer"]
    table.press(2)
    table.run(1_000)
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)


def test_a_page_that_names_the_discarder_decides(table: Any) -> None:
    table.to_playing()
    table.press(3)
    table.ok("claim", seat="S", by="discard", from_="W")
    table.at(Phase.CLAIM, "from")  # West said that he wins: he did not discard it, so the two talk it over
    assert notices(table)[-1] == "claim.both"
    table.ok("answer_from", seat="E")
    assert table.state.claim.seat is Seat.S


def test_the_last_instant_is_in_the_window_and_later_claims_are_noted_once(
    make_table: Callable[..., Any],
) -> None:
    for late in (False, True):
        table = make_table()
        table.connect()
        table.to_playing()
        table.ok("claim", seat="N", by="discard", from_="E")
        table.run(3_000 if late else 2_999)
        table.ok("claim", seat="S", by="discard", from_="E")
        assert (table.state.claim.seat is Seat.N) is late
        noted = [(one["seat"], one["kind"]) for one in table.view["irregularities"]]
        assert noted == ([("S", "late_claim")] if late else [])
        assert ("claim.late" in notices(table)) is late
    assert table.do("claim", seat="S", by="discard", from_="E").code == "refuse.late"


def test_without_a_window_the_first_call_stands(make_table: Callable[..., Any]) -> None:
    table = make_table(procedure={"claim_window_s": 0})
    table.connect()
    table.to_playing()
    table.ok("claim", seat="N", by="discard", from_="E")
    table.ok("claim", seat="S", by="discard", from_="E")
    assert table.state.claim.seat is Seat.N
    assert notices(table) == ["claim.late"]


def test_a_claim_taken_back_leaves_the_tile_to_the_other(table: Any) -> None:
    table.to_playing()
    table.press(2)
    table.press(3)
    table.ok("withdraw", seat="S")
    table.at(Phase.CLAIM, "from")
    assert table.state.claim.seat is Seat.W
    table.ok("withdraw", seat="W")
    table.at(Phase.PLAYING)


def test_the_claimant_himself_names_the_discarder(table: Any) -> None:
    table.to_playing()
    table.press(4)
    table.press(2)
    table.ok("claim", seat="N", by="discard", from_="E")
    table.at(Phase.CLAIM, "lay")
    assert (table.state.claim.seat, notices(table)) == (Seat.S, ["claim.nearer"])


def test_the_dead_claim_nothing(table: Any) -> None:
    table.to_playing()
    assert table.do("rule_false_win", role="referee", seat="S").ok
    table.press(4)
    table.press(2)
    assert notices(table) == ["refuse.dead"]
    assert table.do("claim", seat="S", by="discard", from_="E").code == "refuse.dead"
