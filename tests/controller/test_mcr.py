"""Chinese Official at the table: flowers, circumstances, rounds, the minimum, the explained result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.explained import grouped
from controller.facts import Record
from controller.fold import fold
from controller.live_values import Live
from controller.projections import history_view, state_view
from controller.state import Phase
from rules.notation import format_hand, parse_hand

HAND = "[345p,1] 345m 678p 34s 66s + 5s"
"""三色三同顺 8, 平和 2, 断幺 2, 连六 1: 13 without flowers."""
LAST = "234m 567m 789p 99s 13s + 2s"
"""Six points as it lies, ten when the winning tile is the last of its kind."""


@pytest.fixture
def mcr(make_table: Any) -> Any:
    made = make_table(variant="mcr")
    made.connect()
    return made


def read(table: Any, reading: Any, by: str = "discard", **claim: Any) -> None:
    """Bring a claim of South to its photo, twice if the first is in doubt."""
    table.eyes.hand = [reading]
    if table.phase is not Phase.PLAYING:
        table.to_playing()
    table.ok("claim", seat="S", by=by, **({"from_": "N"} if by != "self_draw" else {}), **claim)
    table.ok("laid", seat="S")
    table.run(1_500)


def test_flowers_are_read_counted_and_kept(mcr: Any, look: Any) -> None:
    read(mcr, look(HAND, flowers="ea"))
    mcr.at(Phase.CONFIRM)
    view = mcr.view
    assert [row["tile"] for row in view["reading"]["flowers"]] == ["e", "a"]
    result = view["result"]
    assert (result["total"], result["without_flowers"], result["minimum"]) == (15, 13, 8)
    assert result["deltas"] == {"E": -8, "S": 39, "W": -8, "N": -23}
    rows = {row["key"]: row for row in result["elements"]}
    assert rows["mixed_triple_chow"]["sets"] == ["345m", "345p", "345s"]
    assert (rows["flower_tiles"]["value"], rows["flower_tiles"]["count"]) == (1, 2)
    assert [key for key, row in rows.items() if row["is_whole"]] == ["all_chows", "all_simples"]
    assert [row["zh"] for row in result["not_counted"]] == ["喜相逢", "无字"]
    for seat in "EWN":
        mcr.ok("confirm", seat=seat)
    around = {"dealer": "E", "round_wind": "E", "flags": [], "flowers": ["a", "e"]}
    assert next(row for row in mcr.rows if row.kind == "settled").body["around"] == around
    last = mcr.view["last"]
    assert (last["flowers"], last["without_flowers"]) == (["a", "e"], 13)
    assert last["elements"] == result["elements"]
    assert last["not_counted"] == result["not_counted"]
    assert history_view(mcr.rows)["hands"][0] == last


@pytest.mark.parametrize("flowers", ["?", "a?e", "aa", None])
def test_flowers_in_doubt_are_asked_for_and_never_guessed(mcr: Any, look: Any, flowers: str | None) -> None:
    read(mcr, look(HAND, flowers=flowers))
    mcr.at(Phase.REVIEW)
    assert mcr.view["reading"]["problems"] == ["hand.flowers"]
    assert mcr.view["result"]["total"] == 13
    mcr.ok("answer_from", seat="W")  # the claim may change meanwhile: the doubt stays
    mcr.at(Phase.REVIEW)
    mcr.ok("set_flowers", flowers=["h", "b"])
    mcr.at(Phase.CONFIRM)
    assert (mcr.view["reading"]["source"], mcr.view["result"]["total"]) == ("page", 15)
    mcr.ok("dispute", seat="E")
    mcr.ok("set_flowers", flowers=[])
    assert mcr.view["result"]["total"] == 13


@pytest.mark.parametrize("flowers", [["a", "a"], ["5m"], ["i"], "ab", [1], {"a": 1}])
def test_only_flowers_are_told_as_flowers(mcr: Any, look: Any, flowers: Any) -> None:
    read(mcr, look(HAND, flowers="?"))
    assert mcr.do("set_flowers", flowers=flowers).code == "refuse.invalid"
    mcr.at(Phase.REVIEW)


def test_a_set_without_flowers_is_asked_for_none(table: Any) -> None:
    table.to_review()
    assert table.view["table"]["flowers"] is False
    assert table.view["reading"]["flowers"] is None
    assert table.do("set_flowers", flowers=[]).code == "refuse.invalid"


def test_without_a_camera_people_tell_hand_and_flowers(mcr: Any) -> None:
    mcr.to_playing()
    mcr.eyes.gone = "down"
    read(mcr, None)
    mcr.at(Phase.REVIEW)
    mcr.ok("correct", hand=HAND)
    mcr.at(Phase.REVIEW)
    assert mcr.view["reading"]["problems"] == ["hand.flowers"]
    mcr.ok("correct", hand=HAND, flowers=["c"])
    mcr.at(Phase.CONFIRM)
    assert mcr.view["result"]["total"] == 14
    mcr.ok("dispute", seat="E")
    mcr.ok("correct", hand=HAND.replace("678p", "678m"))  # the flowers stay as they are
    assert [row["tile"] for row in mcr.view["reading"]["flowers"]] == ["c"]
    mcr.ok("dispute", seat="E")
    mcr.ok("correct_tile", index=13, tile="2s")
    assert [row["tile"] for row in mcr.view["reading"]["flowers"]] == ["c"]


def test_below_the_minimum_is_no_win_until_a_circumstance_is_told(mcr: Any, look: Any) -> None:
    read(mcr, look(LAST, flowers="abcdefgh"))
    mcr.at(Phase.REVIEW)
    result = mcr.view["result"]
    assert (result["legal"], result["reason"]) == (False, "below_minimum")
    assert result["without_flowers"] < 8 <= result["total"]  # flowers never count for the minimum
    assert result["elements"]
    mcr.ok("claim", seat="S", by="discard", from_="N", flags=["last_of_kind"])
    mcr.at(Phase.CONFIRM)
    assert mcr.view["claim"]["flags"] == ["last_of_kind"]
    assert "和绝张" in [row["zh"] for row in mcr.view["result"]["elements"]]
    for seat in "EWN":
        mcr.ok("confirm", seat=seat)
    assert mcr.view["last"]["flags"] == ["last_of_kind"]


def test_a_circumstance_that_cannot_be_is_refused(mcr: Any, look: Any) -> None:
    read(mcr, look(HAND, flowers=""), flags=["after_kong"])
    mcr.at(Phase.REVIEW)
    assert mcr.view["result"]["reason"] == "invalid"
    mcr.ok("claim", seat="S", by="discard", from_="N")
    mcr.at(Phase.CONFIRM)


def test_kongs_that_pay_nothing_need_not_be_declared(mcr: Any, look: Any) -> None:
    read(mcr, look("(5555p) 345m 678p 34s 66s + 5s", flowers=""), by="self_draw", flags=["after_kong"])
    mcr.at(Phase.CONFIRM)
    assert "杠上开花" in [row["zh"] for row in mcr.view["result"]["elements"]]
    mcr.ok("withdraw", seat="S")
    read(mcr, look(HAND, flowers=""), by="rob_kong")
    mcr.at(Phase.CONFIRM)
    assert "抢杠和" in [row["zh"] for row in mcr.view["result"]["elements"]]


def test_sixteen_hands_are_four_rounds_and_every_seat_deals_once_in_each(mcr: Any, look: Any) -> None:
    dealt = []
    for number in range(1, 17):
        mcr.to_playing()
        state = mcr.state
        dealt.append((state.dealer.value, state.round_wind.value, mcr.view["circle_wind"]))
        if number == 6:  # the dealer wins and deals no second time; E is his own wind, S that of the round
            mcr.eyes.hand = [look("EEESSS 234m 678p 9s + 9s", flowers="")]
            mcr.ok("claim", seat="S", by="self_draw")
            mcr.ok("laid", seat="S")
            mcr.run(1_000)
            names = [row["zh"] for row in mcr.view["result"]["elements"]]
            assert {"圈风刻", "门风刻"} <= set(names)
            waiting = "EWN"
        else:
            mcr.ok("washout", seat="E")
            waiting = "SWN"
        for seat in waiting:
            mcr.ok("confirm", seat=seat)
    assert dealt == [(dealer, wind, wind) for wind in "ESWN" for dealer in "ESWN"]
    assert mcr.do("start").code == "refuse.game_over"
    mcr.ok("new_game")
    mcr.ok("start")
    assert (mcr.state.dealer.value, mcr.state.circle) == ("E", 1)


def with_claimed(reading: Any, first: int) -> Any:
    """Return the reading with another tile of its first meld turned: it lies at the left."""
    meld = reading.melds[0]
    tiles = (meld.tiles[first], *meld.tiles[:first], *meld.tiles[first + 1 :])
    return replace(reading, melds=(replace(meld, tiles=tiles), *reading.melds[1:]))


TOLD: list[tuple[str, str, dict[str, Any], bool]] = [
    ("nobody", "", {}, True),
    ("a tile of it", "correct_tile", {"index": 6, "tile": "9p"}, True),
    ("its flowers", "set_flowers", {"flowers": ["b"]}, True),
    ("all of it", "correct", {"hand": HAND}, False),
]


@pytest.mark.parametrize(
    ("command", "body", "is_laid"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD]
)
def test_the_ledger_keeps_how_the_tiles_lay_until_people_write_the_hand(
    mcr: Any, look: Any, command: str, body: dict[str, Any], is_laid: bool
) -> None:
    read(mcr, with_claimed(look(HAND, flowers=""), 2))
    mcr.at(Phase.CONFIRM)
    assert [row["tile"] for row in mcr.view["reading"]["tiles"]][:3] == ["5p", "3p", "4p"]
    if command:
        mcr.ok("dispute", seat="E")
        mcr.ok(command, **body)
    assert mcr.view["reading"]["laid"] is is_laid
    for seat in "EWN":
        mcr.ok("confirm", seat=seat)
    mcr.at(Phase.SETTLED)
    last = mcr.view["last"]
    assert last["hand_text"].startswith("[345p,1] ")
    if is_laid:
        assert last["laid"].startswith("[5p3p4p,1] ")
        assert format_hand(parse_hand(last["laid"])) == last["hand_text"]
    else:
        assert last["laid"] is None
    assert history_view(mcr.rows)["hands"][0] == last
    again = state_view(fold(mcr.rows), Live())["last"]
    assert again | {"head": last["head"]} == last


def stripped(rows: list[Record]) -> list[Record]:
    """Return rows as a table wrote them before it knew flowers and circumstances."""
    new = {"flowers", "around", "laid"}
    return [
        replace(row, body={key: value for key, value in row.body.items() if key not in new}) for row in rows
    ]


def test_rows_of_older_tables_are_read_and_shown_without_reasons(mcr: Any, look: Any) -> None:
    read(mcr, look(HAND, flowers=""))
    for seat in "EWN":
        mcr.ok("confirm", seat=seat)
    state = fold(stripped(mcr.rows))
    assert state.reading is not None
    assert (state.reading.flowers, state.last.around) == ((), None)
    last = state_view(state, Live())["last"]
    new = mcr.view["last"]
    assert [(row["key"], row["value"]) for row in last["elements"]] == [
        (row["key"], row["value"]) for row in new["elements"]
    ]
    assert all(row["sets"] == [] and not row["is_whole"] for row in last["elements"])
    assert (last["not_counted"], last["without_flowers"], last["flags"]) == ([], None, [])
    assert history_view(stripped(mcr.rows))["hands"][0] == last


def test_a_row_that_todays_rules_would_not_write_stands_as_it_is(mcr: Any, look: Any) -> None:
    read(mcr, look(HAND, flowers=""))
    for seat in "EWN":
        mcr.ok("confirm", seat=seat)
    rows = [
        replace(row, body={**row.body, "total": 14}) if row.kind == "settled" else row for row in mcr.rows
    ]
    last = state_view(fold(rows), Live())["last"]
    assert last["total"] == 14
    assert all(row["sets"] == [] and not row["is_whole"] for row in last["elements"])
    assert last["not_counted"] == []


def test_an_element_that_counts_twice_is_one_row() -> None:
    once, twice = ("a", "甲", "A", 2), ("b", "乙", "B", 1)
    assert grouped([once, twice, twice]) == [(*once, 1), (*twice, 2)]
