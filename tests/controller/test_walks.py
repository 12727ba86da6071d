"""Random walks: whatever people, board and camera do, the ledger stays whole and every refusal has a name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.decide import COMMANDS
from controller.inputs import Bytes, CameraState, ClockState, Edge, PageCommand, PhotoFailed, PortDown, PortUp
from controller.state import Phase
from firmware_bridge import messages as m

SEAT = st.sampled_from(["E", "S", "W", "N", "X", None, 3])
TILE = st.sampled_from(["5m", "C", "0m", "zz", "", "a"])
HAND = st.sampled_from(["[555p,2] 123m 45699s EE + E", "123m", "[555p,2] 123m 45699s EE + S", "z", "", 5])
SOUTH = "[555p,2] 123m 45699s SS + S"
BODY = st.fixed_dictionaries(
    {},
    optional={
        "seat": SEAT,
        "from": SEAT,
        "by": st.sampled_from(["self_draw", "discard", "rob_kong", "luck"]),
        "kind": st.sampled_from(
            ["exposed", "added_kong", "concealed", "pung", "early_draw", "premature_reveal", 4]
        ),
        "tile": TILE,
        "hand": HAND,
        "index": st.integers(-2, 20),
        "pips": st.lists(st.integers(0, 7), max_size=3),
        "flags": st.lists(st.sampled_from(["after_kong", "last_tile", "x"]), max_size=2),
        "reason": st.text(max_size=5),
        "points": st.integers(-1, 30),
        "ok": st.booleans(),
        "deliberate": st.booleans(),
        "each": st.integers(0, 30),
        "winner": SEAT,
        "hand_text": HAND,
        "flowers": st.sampled_from([[], ["a"], ["a", "a"], "a", 3]),
        "seats": st.lists(SEAT, max_size=3),
        "from_hand": st.sampled_from([0, 1, 2, "1", None]),
        "stay": st.sampled_from([True, False, 1]),
        "place": SEAT,
        "player": st.sampled_from(["p3", "club-7", "", "a b", 4]),
        "leaves": st.sampled_from([True, False, "no"]),
        "accept": st.booleans(),
        "id": st.sampled_from([1, None]),
    },
)
WISH = st.sampled_from(
    [
        ("undo_result", {}),
        ("correct_result", {"hand": 1, "kind": "drawn"}),
        ("correct_result", {"hand": 1, "kind": "void"}),
        (
            "correct_result",
            {
                "hand": 1,
                "kind": "win",
                "winner": "W",
                "by": "self_draw",
                "hand_text": "[555p,2] 123m 45699s SS + S",
            },
        ),
        ("swap_players", {"seats": ["E", "N"], "from_hand": 1}),
        ("swap_players", {"seats": ["S", "W"], "from_hand": 1, "stay": False}),
        ("replace_player", {"place": "S"}),
        ("replace_player", {"place": "W", "leaves": True}),
        ("end_game", {}),
    ]
)
AMEND = st.tuples(st.just("amend"), WISH, st.sampled_from(["seats", "referee", "nobody"]))
COMMAND = st.tuples(st.just("do"), st.sampled_from(sorted(COMMANDS)), BODY)
PRESS = st.tuples(st.just("press"), st.integers(1, 4), st.sampled_from([100, 300, 1200]))
KEY = st.tuples(st.just("key"), st.sampled_from([key.name for key in m.KeyId]), st.none())
WORLD = st.tuples(
    st.just("world"),
    st.sampled_from(
        [
            "unplug",
            "plug",
            "estop",
            "release",
            "fail",
            "reboot",
            "none",
            "frozen",
            "blind",
            "up",
            "clock",
            "bytes",
            "restart",
        ]
    ),
    st.integers(1, 4),
)
TIME = st.tuples(st.just("run"), st.sampled_from([10, 500, 3_000, 25_000, 100_000]), st.none())
FORWARD = st.tuples(st.just("forward"), st.none(), st.none())
STEP = st.one_of(COMMAND, AMEND, PRESS, KEY, WORLD, TIME, FORWARD, FORWARD, FORWARD)
AGREED = st.tuples(
    st.booleans(),
    st.fixed_dictionaries(
        {},
        optional={
            "referee": st.just(True),
            "false_win_hand": st.just("void"),
            "stated_counts": st.just("stated_max"),
            "reveal_penalty": st.just(5),
        },
    ),
)
"""Whether several may win on one tile, and what the table agreed on beside the rules."""
START = ["connect", "to_load", "to_ready", "to_dice", "to_dealing", "to_playing", "to_claim"]
START += ["to_confirm", "to_review", "to_settled", "to_fault"]

ONWARD: dict[Phase, list[tuple[str, dict[str, Any]]]] = {
    Phase.IDLE: [("start", {})],
    Phase.BUILDING: [("start", {})],
    Phase.READY: [("lift", {})],
    Phase.DICE: [("throw", {}), ("set_dice", {"pips": [3, 4]})],
    Phase.DEALING: [("dealt", {})],
    Phase.PLAYING: [("claim", {"seat": "S", "by": "discard", "from": "N"})],
    Phase.CLAIM: [("answer_from", {"seat": "N"}), ("laid", {"seat": "S"})],
    Phase.CONFIRM: [("confirm", {"seat": seat}) for seat in "ESWN"],
    Phase.REVIEW: [("correct", {"hand": "[555p,2] 123m 45699s EE + E"}), ("withdraw", {})],
    Phase.SETTLED: [("clear_fault", {}), ("new_game", {}), ("start", {})],
    Phase.FAULT: [("clear_fault", {})],
}


def _world(table: Any, what: str, number: int) -> None:
    match what:
        case "unplug":
            table.feed(PortDown("walk"))
        case "plug":
            table.feed(PortUp())
        case "estop":
            table.feed(Edge("estop", 1))
        case "release":
            table.feed(Edge("estop", 0))
        case "fail":
            table.board.fail(300 + number, number, table.now)
        case "reboot":
            table.board.reboot(table.now)
        case "clock":
            table.feed(ClockState(True))
        case "bytes":
            table.feed(Bytes(b"\x00\xff"))
            table.feed(PhotoFailed("stale", "down"))
            table.feed(Edge(f"lamp{number}", 1))
        case "restart":
            table.restart()
        case state:
            table.feed(CameraState(state))
            table.eyes.gone = None if state == "up" else state


def _amend(table: Any, wish: tuple[str, dict[str, Any]], who: str) -> None:
    """Ask for a correction and let it be carried, or not answered."""
    name, body = wish
    answers = [table.do(name, seat="E", reason="walk", **body)]
    if who == "referee":
        answers.append(table.do("rule_correction", "referee", accept=True))
    elif who == "seats":
        answers += [table.do("agree_correction", seat=seat) for seat in "SWN"]
    assert all(answer.ok or answer.code.startswith("refuse.") for answer in answers)


def _forward(table: Any) -> None:
    if table.runtime.live.link != "up":
        table.feed(PortUp())
        table.run(100)
    if table.state.fault is not None:
        table.feed(Edge("estop", 0))
        table.do("clear_fault")
        table.run(500)
    for name, body in ONWARD.get(table.phase, []):
        table.do(name, **{f"{key}_" if key == "from" else key: value for key, value in body.items()})
    table.run(25_000)


@pytest.mark.timeout(300)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(start=st.sampled_from(START), steps=st.lists(STEP, min_size=5, max_size=50), agreed=AGREED)
def test_random_walks(
    make_table: Any, start: str, steps: list[tuple[str, Any, Any]], agreed: tuple[bool, dict[str, Any]]
) -> None:
    several, procedure = agreed
    table = make_table(options={"multi_win": several}, procedure=procedure)
    table.connect()
    getattr(table, start)()
    for number, (kind, what, more) in enumerate(steps):
        match kind:
            case "do":
                table.feed(PageCommand(f"w{number}", what, more, "owner" if number % 4 == 0 else "player"))
                answer = table.answers[f"w{number}"]
                assert answer.code == "ok" if answer.ok else answer.code.startswith("refuse.")
            case "amend":
                _amend(table, what, more)
            case "press":
                table.press(what, more)
            case "key":
                table.key(what)
            case "world":
                _world(table, what, more)
            case "run":
                table.run(what)
            case _:
                _forward(table)
        assert sum(table.scores()) == 0
        assert all(sum(row.body["deltas"].values()) == 0 for row in table.rows if "deltas" in row.body)
        view = table.view
        waits = view["act"] or view["step"] or view["over"] or view["referee"]
        assert view["phase"] in ("PLAYING", "LIFTING") or waits
        game = max(row.seq for row in table.rows if row.kind == "game_started")
        hands = [row.body["hand"] for row in table.rows if row.kind == "settled" and row.seq > game]
        assert len(hands) == len(set(hands))
        assert 0 not in hands
        for row in table.rows:
            if row.kind == "settled" and row.body["kind"] == "win":
                assert row.body["by"] == "self_draw" or row.body["from"] is not None
