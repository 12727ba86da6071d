"""Whole hands on a fake clock, by keys and by page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.inputs import CameraState, MarksOff
from controller.projections import machine_view
from controller.state import Phase

HAND = "[555p,2] 123m 45699s EE + E"
SELF = "123m 456s 789p 99s EE + E"


def test_a_win_by_discard_with_keys_alone(table: Any) -> None:
    table.to_playing()
    table.press(2)
    table.at(Phase.CLAIM, "from")
    table.run(700)
    table.press(4)
    table.at(Phase.CLAIM, "lay")
    assert table.view["claim"] | {"win_tile": None} == {
        "kind": "win",
        "seat": "S",
        "by": "discard",
        "from": "N",
        "win_tile": None,
        "flags": [],
        "sources": {"seat": "key", "by": "key", "from": "key"},
    }
    table.press(2)
    table.run(1_000)
    table.at(Phase.CONFIRM)
    view = table.view
    assert view["reading"]["hand"] == HAND
    assert view["result"]["deltas"] == {"E": 0, "S": 1, "W": 0, "N": -1}
    assert view["act"] == [{"side": side, "do": "confirm"} for side in (1, 3, 4)]
    for side in (1, 3, 4):
        table.press(side)
    table.at(Phase.SETTLED)
    view = table.view
    assert view["last"]["deltas"] == {"E": 0, "S": 1, "W": 0, "N": -1}
    assert view["last"]["evidence"] == "ab" * 32
    settled = next(row for row in table.rows if row.kind == "settled")
    assert view["last"]["head"] == settled.hash[:8]
    assert view["seats"]["S"]["score"] == 1
    table.ok("start")
    assert (table.state.hand, table.state.dealer.value, table.state.run) == (2, "S", 1)
    assert table.view["seats"]["S"]["wind"] == "E"


def test_the_second_to_claim_a_discard_does_not_become_its_payer(table: Any) -> None:
    table.to_playing()
    table.press(2)
    table.press(3)
    table.at(Phase.CLAIM, "from")
    assert table.state.claim.from_seat is None
    assert table.view["notices"][-1]["code"] == "claim.both"
    table.ok("answer_from", seat="N")
    table.at(Phase.CLAIM, "lay")
    notices = [(notice["code"], notice["params"]) for notice in table.view["notices"]]
    assert notices == [("claim.nearer", {"seat": "S"})]  # it has been said who discarded


def test_a_second_call_is_told_only_where_another_seat_called(table: Any) -> None:
    table.to_playing()
    table.press(2)
    table.press(2)  # the same player taps twice
    table.at(Phase.CLAIM, "from")
    assert [notice["code"] for notice in table.view["notices"]] == ["refuse.self"]
    table.run(600)
    table.press(4)
    table.at(Phase.CLAIM, "lay")
    assert "claim.both" not in [notice["code"] for notice in table.view["notices"]]


@pytest.mark.parametrize("restarts", [False, True])
def test_a_new_claim_waits_anew_for_its_payer(table: Any, restarts: bool) -> None:
    table.to_playing()
    table.press(2)
    table.run(1_000)
    table.ok("withdraw", seat="S")
    table.press(3)
    if restarts:
        table.restart()
    else:
        table.press(2)
        table.at(Phase.CLAIM, "from")
    table.run(600)
    table.press(4)
    table.at(Phase.CLAIM, "lay")


def test_the_journal_of_a_hand(table: Any) -> None:
    table.to_confirm()
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    kinds = [kind for kind in table.kinds() if kind != "phase"]
    assert kinds == [
        "game_started",
        "hand_started",
        "build_done",
        "lamp_read",
        "dice_read",
        "dice_read",
        "wall_opened",
        "claim",
        "hand_read",
        "confirmed",
        "confirmed",
        "confirmed",
        "settled",
    ]


def test_a_self_draw_is_paid_by_all(table: Any, look: Any) -> None:
    table.eyes.hand = [look(SELF)]
    table.to_playing()
    table.press(1, ms=1_200)
    table.at(Phase.CLAIM, "lay")
    table.ok("laid", seat="E")
    table.run(500)
    assert table.view["result"]["deltas"] == {"E": 6, "S": -2, "W": -2, "N": -2}
    for seat in "SWN":
        table.ok("confirm", seat=seat)
    assert table.scores() == [12, -4, -4, -4]
    table.ok("start")
    assert (table.state.dealer.value, table.state.run) == ("E", 2)


def test_walls_count_and_opening_are_shown(table: Any) -> None:
    table.to_ready()
    assert table.view["build"] == {
        "tiles": 136,
        "counts": [34] * 4,
        "target": [34] * 4,
        "done": True,
        "other": None,
        "pause": None,
    }
    table.key("lift_b")
    table.run(4_000)
    assert table.view["lamp"] == {"asked": 1, "seen": 1, "sense": None, "score": 0.97, "agree": True}
    table.key("dice_2")
    assert table.view["notices"][-1] == {"code": "refuse.seat", "params": {"seat": "E"}}
    table.key("dice_1")
    table.run(4_000)
    assert table.view["dice"]["thrower"] == "W"
    table.ok("throw", seat="W")
    table.run(4_000)
    assert table.view["dice"]["opening"] == {"count_seat": "W", "count": 12, "seat": "W", "stack": 13}
    assert table.view["wall"] == {"left": None, "stacks": None, "source": None}
    table.run(21_000)
    assert table.view["wall"] == {"left": 78, "stacks": [17, 10, 9, 3], "source": "camera"}
    table.feed(CameraState("down"))
    assert table.view["wall"] == {"left": None, "stacks": None, "source": None}


def test_the_wall_is_looked_at_soon_after_the_deal(table: Any) -> None:
    table.to_playing()
    assert table.view["wall"]["left"] is None
    table.run(2_500)
    assert table.view["wall"] == {"left": 78, "stacks": [17, 10, 9, 3], "source": "camera"}
    looks = table.runtime.live.wall_shots
    table.run(19_000)
    assert table.runtime.live.wall_shots == looks == 1
    table.run(2_000)
    assert table.runtime.live.wall_shots == 2


def test_the_deal_ends_by_itself(table: Any) -> None:
    table.to_dealing()
    table.run(91_000)
    table.at(Phase.PLAYING)


def test_a_kong_is_paid_at_once_and_stands_in_a_drawn_hand(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="C")
    assert table.scores() == [-4, -4, 12, -4]
    assert table.view["kongs"][0]["deltas"] == {"E": -2, "S": -2, "W": 6, "N": -2}
    assert table.do("declare_kong", seat="W", kind="concealed", tile="C").code == "refuse.kong"
    assert table.do("declare_kong", seat="W", kind="exposed", tile="F").code == "refuse.from"
    table.ok("declare_kong", seat="E", kind="exposed_kong", tile="F", from_="S")
    table.ok("washout", seat="N")
    table.at(Phase.CONFIRM)
    assert table.view["confirm"] == {"E": None, "S": None, "W": None}
    for side in (1, 2, 3):
        table.press(side)
    table.at(Phase.SETTLED)
    assert table.state.last.kind == "drawn"
    assert sum(table.scores()) == 0
    table.ok("start")
    assert (table.state.dealer.value, table.state.run) == ("E", 2)


def test_a_drawn_hand_by_the_lift_key_asks_all_four(table: Any) -> None:
    table.to_playing()
    table.key("lift_a")
    table.at(Phase.CONFIRM)
    assert set(table.view["confirm"]) == set("ESWN")
    table.press(3, ms=1_200)
    table.at(Phase.REVIEW)
    table.ok("withdraw")
    table.at(Phase.PLAYING)


def test_a_robbed_kong_is_paid_back(table: Any, look: Any) -> None:
    table.eyes.hand = [look("[555p,2] 123m 456s 88s 23m + 4m")]
    table.to_playing()
    table.ok("declare_kong", seat="N", kind="added", tile="4m")
    table.ok("claim", seat="S", by="rob_kong", from_="N")
    table.ok("laid", seat="S")
    table.run(500)
    table.at(Phase.CONFIRM)
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    assert table.scores() == [0, 2, 0, -2]
    assert "kong_robbed" in table.kinds()


def test_a_kong_declared_by_mistake_is_taken_back(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="C")
    assert table.do("withdraw_kong", seat="W", tile="F").code == "refuse.kong"
    assert table.do("withdraw_kong", seat="S", tile="C").code == "refuse.kong"
    table.ok("withdraw_kong", seat="W", tile="C")
    assert (table.scores(), table.state.kongs) == ([0, 0, 0, 0], ())
    assert table.do("withdraw_kong", seat="W", tile="C").code == "refuse.kong"
    table.ok("declare_kong", seat="W", kind="exposed", tile="C", from_="E")
    assert table.do("withdraw_kong", seat="W").code == "refuse.kong"  # unnamed means one that lies face down
    for tile in ("5m", "6m"):
        table.ok("declare_kong", seat="W", kind="concealed", tile=tile)
    table.ok("withdraw_kong", seat="W")
    table.ok("withdraw_kong", seat="W")
    assert [kong.tile for kong in table.state.kongs] == ["C"]
    table.ok("washout", seat="N")
    table.ok("confirm", seat="E")
    table.ok("withdraw_kong", seat="W", tile="C")
    table.at(Phase.CONFIRM)
    assert table.view["confirm"] == {"E": None, "S": None, "W": None}
    for seat in "ESW":
        table.ok("confirm", seat=seat)
    assert table.scores() == [0, 0, 0, 0]
    assert table.do("withdraw_kong", seat="W", tile="C").code == "refuse.withdraw_kong"


def test_a_winner_without_his_kong_is_reviewed(table: Any, look: Any) -> None:
    table.eyes.hand = [look("(CCCC) 123m 45699s EE + E")]
    table.to_playing()
    for seat, tile in (("S", "C"), ("N", "F")):
        table.ok("declare_kong", seat=seat, kind="concealed", tile=tile)
    table.ok("claim", seat="S", by="self_draw")
    table.ok("laid", seat="S")
    table.run(500)
    table.ok("withdraw_kong", seat="N", tile="F")
    table.at(Phase.CONFIRM)
    table.ok("withdraw_kong", seat="S", tile="C")
    table.at(Phase.REVIEW)
    assert table.view["reading"]["problems"] == ["kong.undeclared"]


ROBBING = "[555p,2] 123m 456s 88s 23m + 4m"


@pytest.mark.parametrize(
    ("kong", "problems"),
    [
        ({"seat": "N", "kind": "added_kong", "tile": "4m"}, []),
        (
            {"seat": "N", "kind": "exposed_kong", "tile": "4m", "from": "W"},
            ["kong.not_robbed", "tiles.fifth_copy"],
        ),
        ({"seat": "N", "kind": "concealed_kong", "tile": "4m"}, ["kong.not_robbed", "tiles.fifth_copy"]),
        ({"seat": "N", "kind": "added_kong", "tile": "C"}, ["kong.not_robbed"]),
        ({"seat": "W", "kind": "added_kong", "tile": "C"}, ["kong.not_robbed"]),
        (None, ["kong.not_robbed"]),
    ],
)
def test_only_an_added_kong_is_robbed(table: Any, look: Any, kong: Any, problems: list[str]) -> None:
    table.eyes.hand = [look(ROBBING)]
    table.to_playing()
    if kong is not None:
        table.ok("declare_kong", **kong)
    table.ok("claim", seat="S", by="rob_kong", from_="N")
    table.ok("laid", seat="S")
    table.run(500)
    table.at(Phase.REVIEW if problems else Phase.CONFIRM)
    assert table.view["reading"]["problems"] == problems


@pytest.mark.parametrize("kind", ["concealed_kong", "added_kong", "exposed_kong"])
@pytest.mark.parametrize("agreed", ["none", "thirteen_orphans"])
@pytest.mark.parametrize("hand", ["11m 19p 19s ESWN CFP + 9m", "[555p,2] 123m 456s 88s 78m + 9m"])
def test_thirteen_orphans_rob_a_concealed_kong_where_it_was_agreed(
    make_table: Any, look: Any, hand: str, agreed: str, kind: str
) -> None:
    table = make_table(procedure={"rob_concealed": agreed})
    table.connect()
    table.eyes.hand = [look(hand)]
    table.to_playing()
    feeder = {"from": "W"} if kind == "exposed_kong" else {}
    table.ok("declare_kong", seat="N", kind=kind, tile="9m", **feeder)
    table.ok("claim", seat="S", by="rob_kong", from_="N")
    table.ok("laid", seat="S")
    table.run(500)
    is_robbed = kind == "added_kong" or (kind, agreed, hand[:2]) == (
        "concealed_kong",
        "thirteen_orphans",
        "11",
    )
    assert ("kong.not_robbed" in table.view["reading"]["problems"]) == (not is_robbed)


def test_a_fifth_copy_across_the_table_is_asked(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="E", kind="concealed", tile="5p")
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("laid", seat="S")
    table.run(1_000)
    table.at(Phase.REVIEW)
    assert table.view["reading"]["problems"] == ["tiles.fifth_copy"]
    table.ok("correct", hand=HAND)
    table.at(Phase.REVIEW)


@pytest.mark.parametrize("by", ["self_draw", "discard"])
@pytest.mark.parametrize("waives", [True, False])
def test_an_undeclared_kong_is_asked(table: Any, look: Any, by: str, waives: bool) -> None:
    hand = "(CCCC) 123m 45699s EE + E"
    table.eyes.hand = [look(hand)]
    table.to_playing()
    table.ok("claim", seat="S", by=by, **({"from_": "N"} if by == "discard" else {}))
    table.ok("laid", seat="S")
    table.run(500)
    table.at(Phase.REVIEW)
    assert table.view["reading"]["problems"] == ["kong.undeclared"]
    assert table.view["notices"][-1] == {"code": "kong.undeclared", "params": {"tiles": "C"}}
    table.ok("answer_from", seat="N") if by == "discard" else table.ok("claim", seat="S", by=by)
    table.ok("correct", hand=hand)
    table.at(Phase.REVIEW)
    assert table.view["notices"][-1] == {"code": "kong.undeclared", "params": {"tiles": "C"}}
    if waives:
        table.ok("correct", hand=hand, waive_kongs=True)
    else:
        table.ok("declare_kong", seat="S", kind="concealed", tile="C")
    table.at(Phase.CONFIRM)
    assert table.rows[-2].body["waived"] == (["C"] if waives else [])
    assert len(table.state.kongs) == (0 if waives else 1)
    table.ok("dispute", seat="N")
    table.ok("claim", seat="S", by="self_draw")
    table.at(Phase.CONFIRM)


def test_a_dispute_and_a_corrected_tile(table: Any, look: Any) -> None:
    wrong = "[555p,2] 123m 456s 99s EE + S"
    table.eyes.hand = [look("[555p,2] 124m 456s 99s EE + E"), look(wrong)]
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("laid", seat="S")
    table.run(1_000)
    table.at(Phase.REVIEW)
    assert table.view["result"]["legal"] is False
    table.ok("correct_tile", index=5, tile="3m")
    table.at(Phase.CONFIRM)
    table.ok("confirm", seat="E")
    table.press(4, ms=1_300)
    table.at(Phase.REVIEW)
    assert table.view["confirm"] == {"E": "yes", "W": None, "N": "no"}
    assert table.do("correct", hand="123m 45s").code == "refuse.win_tile"
    assert table.do("correct", hand="123z").params["position"] == 3
    answer = table.do("correct", hand="123m 45s + 6s")
    assert (answer.ok, answer.params) == (True, {"reason": "invalid"})
    table.at(Phase.REVIEW)
    table.ok("correct", hand=HAND)
    table.at(Phase.CONFIRM)
    assert table.view["confirm"] == {"E": None, "W": None, "N": None}
    assert table.do("confirm", seat="S").code == "refuse.confirm"
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    assert table.do("confirm", seat="E").code == "refuse.confirm"
    assert table.scores() == [0, 2, 0, -2]


def test_an_unsure_tile_goes_to_review_with_its_guesses(table: Any, look: Any) -> None:
    table.eyes.hand = [look(HAND, doubt=3)]
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("laid", seat="S")
    table.run(1_000)
    table.at(Phase.REVIEW)
    tiles = table.view["reading"]["tiles"]
    assert [tile["sure"] for tile in tiles].count(False) == 1
    assert tiles[3]["alternatives"] == ["1m", "5m"]
    table.ok("correct_tile", index=3, tile="1m")
    table.at(Phase.CONFIRM)
    assert table.view["reading"]["hand"] == HAND


def test_how_it_was_won_does_not_make_tiles_sure(table: Any, look: Any) -> None:
    table.eyes.hand = [replace(look(HAND), is_laid_out=False)]
    table.to_playing()
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("laid", seat="S")
    table.run(1_000)
    for payer in "WNW":
        table.at(Phase.REVIEW)
        table.ok("answer_from", seat=payer)
    table.ok("claim", seat="S", by="self_draw")
    table.ok("correct_tile", index=0, tile="5p")
    table.at(Phase.REVIEW)
    reading = table.view["reading"]
    assert (reading["hand"], reading["sure"], reading["problems"]) == (HAND, False, ["hand.layout"])
    table.ok("correct", hand=HAND)
    table.at(Phase.CONFIRM)


def test_the_payer_can_be_put_right(table: Any) -> None:
    table.to_confirm()
    table.ok("dispute", seat="N")
    table.ok("answer_from", seat="W")
    table.at(Phase.CONFIRM)
    assert table.view["result"]["deltas"] == {"E": 0, "S": 1, "W": -1, "N": 0}
    table.ok("dispute", seat="N")
    table.ok("claim", seat="S", by="self_draw")
    assert table.view["result"]["deltas"] == {"E": -2, "S": 6, "W": -2, "N": -2}


@pytest.mark.parametrize("by_key", [True, False])
def test_a_claim_is_withdrawn(table: Any, by_key: bool) -> None:
    table.to_playing()
    table.press(3)
    if by_key:
        table.press(3, ms=1_200)
    else:
        assert table.do("withdraw", seat="E").code == "refuse.seat"
        table.ok("withdraw", seat="W")
    table.at(Phase.PLAYING)
    assert table.view["claim"] is None


def test_a_void_hand_pays_kongs_back_and_the_dealer_stays(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="C")
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("void", reason="诈和")
    table.at(Phase.SETTLED)
    assert table.scores() == [0, 0, 0, 0]
    table.ok("start")
    assert (table.state.hand, table.state.dealer.value, table.state.run) == (2, "E", 1)


def test_a_settled_hand_cannot_be_called_off(table: Any) -> None:
    table.to_playing()
    table.ok("declare_kong", seat="W", kind="concealed", tile="C")
    table.ok("washout", seat="N")
    for seat in "ESW":
        table.ok("confirm", seat=seat)
    table.at(Phase.SETTLED)
    scores = table.scores()
    table.board.fail(303, 3, table.now)
    table.run(100)
    table.at(Phase.FAULT)
    assert table.do("void").code == "refuse.void"
    assert table.scores() == scores
    assert table.kinds().count("settled") == 1
    assert (table.state.kongs, table.state.claim) == ((), None)


def test_before_the_first_hand_there_is_nothing_to_call_off(table: Any) -> None:
    table.board.fail(303, 3, table.now)
    table.run(100)
    table.at(Phase.FAULT)
    assert table.do("void").code == "refuse.void"
    assert "settled" not in table.kinds()


def test_dice_that_are_not_sure_are_thrown_again_or_told(table: Any) -> None:
    table.eyes.dice = [(3, None)]
    table.to_dice()
    table.key("dice_1")
    table.run(5_000)
    table.at(Phase.DICE, "ask")
    assert table.view["dice"]["asking"]
    table.key("dice_1")
    table.run(5_000)
    table.at(Phase.DICE, "ask")
    assert table.do("set_dice", pips=[0, 7]).code == "refuse.invalid"
    table.ok("set_dice", pips=[3, 4])
    table.at(Phase.DICE, "throw")
    table.ok("set_dice", pips=[2, 3])
    table.at(Phase.DEALING)
    assert [throw["source"] for throw in table.view["dice"]["throws"]] == ["page", "page"]


def test_a_moved_camera_is_a_remark_until_the_table_is_measured_anew(table: Any) -> None:
    table.to_playing()
    table.run(2_500)
    table.feed(CameraState("moved", 13.6))
    assert table.view["health"]["camera"] == "moved"
    assert table.view["notices"] == [{"code": "camera.moved", "params": {"mm": 14}}]
    assert table.view["wall"] == {"left": None, "stacks": None, "source": None}
    table.feed(CameraState("up"))
    assert table.view["health"]["camera"] == "up"
    assert table.view["notices"] == [{"code": "camera.measured", "params": {}}]
    table.feed(CameraState("up"))
    table.feed(CameraState("moved", 20.0))
    assert [notice["code"] for notice in table.view["notices"]] == ["camera.moved"]


@pytest.mark.parametrize("why", ["none", "down", "frozen", "blind", "moved"])
def test_a_hand_without_camera_asks_people(table: Any, why: str) -> None:
    table.feed(CameraState(why))
    table.eyes.gone = why
    table.to_ready()
    table.key("lift_a")
    table.run(6_000)
    table.at(Phase.DICE, "throw")
    table.key("dice_1")
    table.run(6_000)
    table.at(Phase.DICE, "ask")
    table.ok("set_dice", pips=[3, 4])
    table.ok("set_dice", pips=[2, 3])
    table.ok("dealt")
    table.ok("claim", seat="S", by="discard", from_="N")
    table.ok("laid", seat="S")
    table.run(2_000)
    table.at(Phase.REVIEW)
    assert table.view["reading"]["problems"] == [f"camera.{why}"]
    table.ok("correct", hand=HAND)
    for seat in "EWN":
        table.ok("confirm", seat=seat)
    assert table.scores() == [0, 2, 0, -2]


def test_a_command_with_the_same_id_acts_once(table: Any) -> None:
    from controller.inputs import PageCommand

    table.to_playing()
    for _ in range(3):
        table.feed(PageCommand("same", "declare_kong", {"seat": "W", "kind": "concealed", "tile": "C"}))
    assert table.answers["same"].ok
    assert len(table.state.kongs) == 1
    assert table.do("sing").code == "refuse.unknown"


def test_refusals_name_phase_and_input(table: Any) -> None:
    answer = table.do("lift")
    assert (answer.ok, answer.code, answer.params) == (False, "refuse.lift", {"phase": "IDLE"})
    assert table.do("start", role="spectator").code == "refuse.role"
    table.press(1)
    assert table.view["notices"] == [{"code": "refuse.seat_short", "params": {"phase": "IDLE"}}]


def test_a_mark_off_its_place_is_a_remark_until_it_is_back(table: Any) -> None:
    table.to_playing()
    table.run(2_500)
    table.feed(MarksOff((2,)))
    assert table.view["notices"] == [{"code": "camera.mark", "params": {"marks": "2"}}]
    assert table.view["health"]["camera"] == "up"
    assert machine_view(table.state, table.runtime.live)["marks_off"] == [2]
    table.feed(MarksOff(()))
    assert table.view["notices"] == []
    assert machine_view(table.state, table.runtime.live)["marks_off"] == []
