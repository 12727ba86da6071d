"""The four robots: they play legally, see only what they may, win most hands, and lay hands out as agreed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from controller.decide.claim import BOTH_MS
from hardware.twin.plant.plant import Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.robots import mind
from hardware.twin.robots.dealing import Wall, deal
from hardware.twin.robots.eyes import Eyes
from hardware.twin.robots.hand import Play, relation
from hardware.twin.robots.judging import agrees, hand_text
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.people import People
from hardware.twin.robots.quick import quick_hands
from hardware.twin.robots.script import Pause, Runner, Script, Until
from hardware.twin.robots.session import Session
from hardware.twin.robots.throws import ThrowBook
from hardware.twin.robots.truth import Truth
from hardware.twin.scene import BACK, SIDE, to_local
from hardware.twin.table.layout import TableTop
from hardware.twin.table.scenes import scene_of
from rules.legal import can_win
from rules.notation import parse_hand
from rules.scoring import resolve_options
from rules.seats import ALL_SEATS, Seat
from rules.situation import Situation, Win
from rules.tiles import Tile
from rules.variants import get_variant

SIMPLEST = get_variant("simplest")
OPTIONS = resolve_options(SIMPLEST, {})
SIDES = {seat: seat.index + 1 for seat in ALL_SEATS}


def eyes_of(hand: str, seat: Seat = Seat.S, wall_left: int = 50) -> Eyes:
    return Eyes(seat, parse_hand(hand), (), wall_left, Seat.E, SIMPLEST, OPTIONS)


def test_they_win_most_hands_of_simplest() -> None:
    ends = Counter(outcome.by or "washout" for outcome in quick_hands(11, 40))
    assert sum(ends.values()) - ends["washout"] >= 24, ends
    assert set(ends) >= {"discard", "self_draw"}


def test_every_win_is_legal_and_sums_to_zero() -> None:
    for outcome in quick_hands(12, 25):
        if outcome.seat is None:
            continue
        assert outcome.hand is not None
        assert outcome.by is not None
        assert outcome.points is not None
        win = Win(outcome.seat, outcome.hand, outcome.by, outcome.source)
        assert can_win(SIMPLEST, win, Situation(outcome.dealer, flags=frozenset(outcome.flags)))
        assert sum(outcome.points.values()) == 0
        assert outcome.points[outcome.seat.value] > 0
        assert parse_hand(hand_text(outcome)) == outcome.hand


def test_the_same_seed_plays_the_same_hands() -> None:
    assert list(quick_hands(5, 5)) == list(quick_hands(5, 5))
    assert list(quick_hands(5, 3)) != list(quick_hands(6, 3))


def test_a_mind_decides_by_its_own_eyes() -> None:
    assert mind.pick_discard(eyes_of("123456789m 11p 23s + N"), Random(1)) == Tile.parse("N")
    assert mind.wins_on_discard(eyes_of("123456789m 11p 23s"), Tile.parse("4s"), Seat.E, frozenset())
    assert not mind.wins_on_discard(eyes_of("123456789m 11p 23s"), Tile.parse("5s"), Seat.E, frozenset())
    assert mind.wants_pung(eyes_of("11m 234567p 55s E S W"), Tile.parse("1m"), Seat.E)
    assert not mind.wants_pung(eyes_of("123456789m 1p 4s EE"), Tile.parse("9m"), Seat.E)
    kong = mind.pick_own_kong(eyes_of("1111m 234567p 5s EE + 9s"))
    assert kong == mind.OwnKong(Tile.parse("1m"), False)
    assert mind.pick_own_kong(eyes_of("1111m 234567p 5s EE + 9s", wall_left=0)) is None


@pytest.mark.parametrize(
    ("seat", "source", "where"), [("S", "E", 1), ("W", "E", 2), ("N", "E", 3), ("E", "S", 3), ("E", "N", 1)]
)
def test_where_a_tile_came_from(seat: str, source: str, where: int) -> None:
    assert relation(Seat(seat), Seat(source)) == where


def played_table(seed: int) -> tuple[TableTop, Outcome]:
    plant = Plant(seed, 136, Schedule(), lambda device, on: None, lambda line, level: None)
    top = TableTop(plant)
    stand_walls(plant)
    wall = Wall(top, SIMPLEST, OPTIONS, Seat.E, [(3, 4), (2, 3)], SIDES)
    for _ in deal(top, wall, Seat.E, 13, SIDES):
        top.check()

    def accept(*_: object) -> Script:
        return True
        yield

    play = Play(top, wall, SIMPLEST, OPTIONS, Seat.E, SIDES, 1, accept)  # type: ignore[arg-type]
    for _ in play.run():
        top.check()
        assert wall.left == sum(plant.tiles.count(f"wall_{side}") for side in (1, 2, 3, 4))
    assert play.outcome is not None
    return top, play.outcome


def test_tiles_are_counted_through_a_whole_hand_and_nothing_concealed_shows() -> None:
    top, outcome = played_table(4)
    scene = scene_of(top)
    hidden = sum(tile.face == SIDE for tile in scene.tiles)
    held = sum(len(place.concealed) + (place.drawn is not None) for place in top.places.values())
    assert hidden == held
    backs = sum(tile.face == BACK for tile in scene.tiles)
    concealed_kongs = sum(
        meld.kind == "concealed_kong" for place in top.places.values() for meld in place.melds
    )
    assert backs == sum(top.plant.tiles.count(f"wall_{side}") for side in (1, 2, 3, 4)) + 2 * concealed_kongs
    assert outcome.dealer is Seat.E


def test_the_winner_lays_the_winning_tile_apart() -> None:
    top, outcome = next(made for made in map(played_table, range(1, 9)) if made[1].seat is not None)
    assert outcome.seat is not None
    assert outcome.hand is not None
    side = SIDES[outcome.seat]
    place = top.places[side]
    place.laid, place.drawn, place.lays = outcome.win_number, None, 1
    top.changes += 1
    top.check()
    row = []
    for tile in scene_of(top).tiles:
        x, y = to_local(side, tile.x_mm, tile.y_mm)
        if y < -340:
            row.append((x, y, tile.face))
    row.sort()
    assert len(row) == len(outcome.hand.tiles)
    x, y, face = row[-1]
    assert face == str(outcome.hand.win_tile)
    assert y == pytest.approx(-372, abs=1.5)
    assert x - row[-2][0] >= 30 + 20 - 2
    assert all(face != SIDE for _, _, face in row)


def test_the_heap_holds_every_tile() -> None:
    top, _ = played_table(2)
    top.sweep()
    top.check()
    assert len(scene_of(top).tiles) == 136


def screen_of(outcome: Outcome) -> dict[str, object]:
    assert outcome.seat is not None
    source = None if outcome.source is None else outcome.source.value
    return {
        "claim": {"seat": outcome.seat.value, "by": outcome.by, "from": source, "kind": "win"},
        "reading": {"hand": hand_text(outcome)},
        "result": {"deltas": dict(outcome.points or {})},
    }


def test_players_agree_only_to_what_they_saw() -> None:
    outcome = next(made for made in quick_hands(3, 9) if made.by == "discard")
    assert agrees(screen_of(outcome), outcome)
    for spoil in (
        {"reading": {"hand": "123456789m 11p 23s + 4s"}},
        {"reading": {"hand": None}},
        {"result": {"deltas": {"E": 5, "S": -5, "W": 0, "N": 0}}},
        {"claim": {"seat": "E", "by": "self_draw", "from": None, "kind": "win"}},
    ):
        assert not agrees({**screen_of(outcome), **spoil}, outcome)


def test_a_script_waits_for_the_screen_or_gives_up() -> None:
    schedule = Schedule()
    seen: list[object] = []

    def script() -> Script:
        yield Pause(1_000)
        seen.append((yield Until(lambda screen: screen.get("phase") == "READY", 50_000)))
        seen.append((yield Until(lambda screen: screen.get("phase") == "DICE", 50_000)))

    runner = Runner(script(), schedule, speed=10.0)
    schedule.play(500)
    runner.see({"phase": "READY"})
    schedule.play(49_000)
    assert seen == [True]
    schedule.play(120_000)
    assert seen == [True, False]
    assert runner.finished


def test_throws_count_as_the_screen_takes_them() -> None:
    told: list[tuple[int, int]] = []
    book = ThrowBook(lambda seat, pips: told.append(pips))
    book.thrown(Seat.E, (1, 1))  # a fault cuts this one short: nobody looked at it
    book.thrown(Seat.E, (2, 2))
    book.look({"phase": "DICE", "step": "read", "dice": {"throws": []}})
    assert told == []
    book.look({"phase": "DICE", "step": "ask", "dice": {"throws": []}})
    book.look({"phase": "DICE", "step": "ask", "dice": {"throws": []}})
    book.thrown(Seat.E, (3, 3))
    book.look({"phase": "DICE", "step": "throw", "dice": {"throws": [{}]}})
    book.thrown(Seat.S, (4, 4))
    book.look({"phase": "DICE", "step": "ask", "dice": {"throws": [{}]}})
    book.look({"phase": "DEALING", "dice": {"throws": [{}, {}]}})  # somebody typed the pips in
    assert told == [(2, 2), (3, 3), (4, 4)]
    assert book.counted == [(Seat.E, (3, 3)), (Seat.S, (4, 4))]


SECOND = 1_000_000


class Evening:
    """A fresh twin's robots before a scripted screen: `done` holds keys, seat keys and posts, in order."""

    def __init__(self, guest: int | None = None, speed: float = 1.0) -> None:
        self.done: list[tuple[str, object]] = []
        self.schedule = Schedule()
        plant = Plant(1, 136, self.schedule, self._input, self._line)
        self.done.clear()
        self.mended: list[object] = []
        self.session = Session(
            TableTop(plant),
            People(plant, lambda name, body: self.done.append((name, body))),
            Truth(None),
            SIMPLEST,
            OPTIONS,
            None,
            self.mended.append,
            lambda: self.runner.screen,
            guest,
        )
        self.runner = Runner(self.session.script(), self.schedule, speed)

    def _input(self, device: str, on: bool) -> None:
        if on and device.startswith("key_"):
            self.done.append(("key", device.removeprefix("key_")))

    def _line(self, line: str, level: int) -> None:
        if level and line.startswith("seat"):
            self.done.append(("seat", int(line.removeprefix("seat"))))

    def show(
        self, seconds: float, phase: str, step: str | None = None, **more: Any
    ) -> list[tuple[str, object]]:
        """Show a screen for so long; returns what the robots did meanwhile."""
        self.done.clear()
        screen = {"phase": phase, "step": step, "hand": 3, "dealer": "S", **more}
        self.runner.see(
            {"seats": {seat.value: {"side": side, "name": "x"} for seat, side in SIDES.items()}, **screen}
        )
        self.schedule.play(self.schedule.now_us + int(seconds * SECOND))
        return list(self.done)


def act(do: str, *sides: int) -> list[dict[str, object]]:
    return [{"side": side, "do": do} for side in sides]


RESTORED: list[tuple[str, str | None, dict[str, Any], tuple[str, object]]] = [
    ("SETTLED", None, {"act": act("start", 2)}, ("key", "lift_a")),
    ("IDLE", None, {"act": act("start", 2)}, ("key", "lift_a")),
    ("READY", None, {"act": act("lift", 2)}, ("key", "lift_a")),
    ("DICE", "throw", {"act": act("throw", 2), "dice": {"thrower": "S"}}, ("key", "dice_2")),
    ("DEALING", None, {"act": act("deal", 2)}, ("seat", 2)),
    ("PLAYING", None, {"act": []}, ("void", {"reason": "the table was cleared"})),
    ("CLAIM", "from", {"act": act("from", 1, 3, 4), "claim": {"seat": "S"}}, ("withdraw", {"seat": "S"})),
    ("CLAIM", "lay", {"act": act("lay", 2), "claim": {"seat": "S"}}, ("withdraw", {"seat": "S"})),
    ("CONFIRM", None, {"act": act("confirm", 1, 3, 4), "claim": {"seat": "S"}}, ("withdraw", {"seat": "S"})),
    ("REVIEW", None, {"act": act("review", 2), "claim": {"seat": "S"}}, ("withdraw", {"seat": "S"})),
    ("FAULT", None, {"act": act("clear", 2), "fault": {"key": "fault.jam"}}, ("clear_fault", {})),
]


@pytest.mark.parametrize(("phase", "step", "more", "wanted"), RESTORED, ids=lambda value: str(value)[:12])
@pytest.mark.parametrize("guest", [None, 1])
def test_fresh_robots_find_a_way_on_from_every_place_of_a_restored_service(
    guest: int | None, phase: str, step: str | None, more: dict[str, Any], wanted: tuple[str, object]
) -> None:
    assert wanted in Evening(guest).show(35, phase, step, **more)


def test_what_is_asked_of_the_guest_is_left_to_the_guest() -> None:
    for phase, step, do in (("SETTLED", None, "start"), ("READY", None, "lift"), ("DEALING", None, "deal")):
        assert Evening(guest=2).show(60, phase, step, act=act(do, 2)) == []
    assert ("key", "dice_2") not in Evening(guest=2).show(60, "DICE", "throw", dice={"thrower": "S"})


def test_a_guest_quicker_than_the_robots_pause_is_not_waited_for() -> None:
    thrown = Evening(guest=2)
    thrown.show(0.5, "DICE", "throw", dice={"thrower": "S"})
    assert ("clear_fault", {}) in thrown.show(20, "FAULT", act=act("clear", 2), fault={"key": "fault.jam"})
    lifted = Evening(guest=2)
    lifted.show(0.5, "READY", "lift", act=act("lift", 2))
    assert lifted.show(4, "DICE", "throw", dice={"thrower": "W"})[0] == ("key", "dice_3")


def test_after_the_guests_hand_a_robot_starts_the_next_one() -> None:
    evening = Evening(guest=1)
    assert evening.show(60, "SETTLED", act=act("start", 1)) == []
    assert evening.show(29, "SETTLED", hand=4, act=act("start", 2)) == []  # the guest reads the result
    assert ("key", "lift_a") in evening.show(10, "SETTLED", hand=4, act=act("start", 2))


EARTHLY = [
    ("simplest", "discard", Seat.S, True),
    ("simplest", "discard", Seat.N, True),
    ("simplest", "self_draw", Seat.S, False),
    ("lianzhong", "discard", Seat.S, False),
    ("lianzhong", "self_draw", Seat.S, True),
    ("lianzhong", "self_draw", Seat.W, False),
    ("mcr", "self_draw", Seat.S, False),
]


@pytest.mark.parametrize(("key", "by", "seat", "told"), EARTHLY)
def test_an_earthly_hand_is_told_as_the_rules_know_it(key: str, by: str, seat: Seat, told: bool) -> None:
    variant = get_variant(key)
    options = resolve_options(variant, {})
    plant = Plant(3, variant.tiles, Schedule(), lambda device, on: None, lambda line, level: None)
    top = TableTop(plant)
    stand_walls(plant)
    wall = Wall(top, variant, options, Seat.E, [(3, 4), (2, 5)], SIDES)
    for _ in deal(top, wall, Seat.E, variant.hand_size, SIDES):
        pass
    play = Play(top, wall, variant, options, Seat.E, SIDES, 1, lambda seat, kind, tile, source: iter(()))  # type: ignore[arg-type,return-value]
    play._discards = 1
    assert ("earthly" in play._flags(by, seat, None)) is told
    play._discards = 2
    assert "earthly" not in play._flags(by, seat, None)


@pytest.mark.parametrize("speed", [1.0, 6.0, 60.0])
def test_who_discarded_answers_no_sooner_than_a_second_call_would(speed: float) -> None:
    evening = Evening(speed=speed)
    fed = next(each for each in quick_hands(11, 60) if each.by == "discard")
    evening.show(1, "STARTING")
    evening.session._outcome = fed
    asked = {"act": act("from", 1, 3, 4), "claim": {"seat": fed.seat.value if fed.seat else None}}
    assert evening.show(BOTH_MS / 1000, "CLAIM", "from", **asked) == []
    assert fed.source is not None
    assert ("seat", SIDES[fed.source]) in evening.show(4, "CLAIM", "from", **asked)


def test_a_stop_of_a_person_is_cleared_by_a_person() -> None:
    evening = Evening(speed=6.0)
    assert evening.show(3600, "FAULT", fault={"key": "fault.stop"}) == []
    assert evening.mended == []
    assert ("key", "lift_a") in evening.show(10, "SETTLED", fault=None)


@pytest.mark.parametrize("speed", [1.0, 6.0])
def test_people_can_read_a_fault_before_robots_clear_it(speed: float) -> None:
    evening = Evening(speed=speed)
    assert evening.show(6 / speed, "FAULT", fault={"key": "fault.jam"}) == []
    assert evening.show(3 / speed, "FAULT", fault={"key": "fault.jam"}) == [("clear_fault", {})]
    assert len(evening.mended) == 1


def test_a_stop_while_robots_read_another_fault_stays() -> None:
    evening = Evening()
    evening.show(4, "FAULT", fault={"key": "fault.jam"})
    assert evening.show(60, "FAULT", fault={"key": "fault.stop"}) == []
