"""Robots at a set of 144: flowers, circumstances that no tile shows, robbed kongs, rounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from hardware.twin.plant.plant import Plant, stand_walls
from hardware.twin.plant.schedule import Schedule
from hardware.twin.robots import mind
from hardware.twin.robots.dealing import Wall, deal
from hardware.twin.robots.hand import Play
from hardware.twin.robots.judging import flower_texts, flowers_are_right
from hardware.twin.robots.outcome import Outcome
from hardware.twin.robots.quick import quick_hands
from hardware.twin.robots.rounds import Rounds
from hardware.twin.robots.script import Asking
from hardware.twin.scene import to_local
from hardware.twin.table.layout import TableMeld, TableTop
from hardware.twin.table.scenes import scene_of
from rules.hand import MeldKind
from rules.scoring import Situation, Win, resolve_options, score
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.variants import get_variant

MCR = get_variant("mcr")
OPTIONS = resolve_options(MCR, {})
CHOWS = ("3m", "4m", "5m", "3p", "4p", "5p", "3s", "4s")
SIDES = {seat: seat.index + 1 for seat in ALL_SEATS}


class Setting:
    """A table on which faces are put where a test wants them; `declared` are the kongs it was told of."""

    def __init__(self, seed: int = 1) -> None:
        self.top = TableTop(Plant(seed, 144, Schedule(), lambda device, on: None, lambda line, level: None))
        stand_walls(self.top.plant)
        self.wall = Wall(self.top, MCR, OPTIONS, Seat.E, [(3, 4), (2, 3)], SIDES)
        self.declared: list[tuple[Seat, MeldKind, str]] = []
        self.play = Play(self.top, self.wall, MCR, OPTIONS, Seat.E, SIDES, 1, self._declare, Seat.S)
        self._used: set[int] = set()

    def _declare(self, seat: Seat, kind: MeldKind, tile: Tile, source: Seat | None) -> Asking:
        assert self.play.outcome is None, "a kong is declared before anybody robs it"
        self.declared.append((seat, kind, str(tile)))
        return True
        yield

    def numbers(self, faces: Iterable[str]) -> list[int]:
        """Return tile objects with these faces, each object once."""
        found = []
        for face in faces:
            number = next(
                number
                for number, tile in enumerate(self.top.plant.tiles.faces)
                if str(tile) == face and number not in self._used
            )
            self._used.add(number)
            found.append(number)
        return found

    def place(self, seat: Seat) -> Any:
        return self.top.places[SIDES[seat]]


def run(script: Iterable[object]) -> None:
    for _ in script:
        pass


# ---- flowers ----


@pytest.mark.parametrize("seed", range(6))
def test_dealt_flowers_are_laid_aside_and_replaced_from_the_tail(seed: int) -> None:
    setting = Setting(seed)
    run(deal(setting.top, setting.wall, Seat.E, 13, SIDES))
    setting.top.check()
    aside = [number for seat in ALL_SEATS for number in setting.place(seat).flowers]
    assert all(setting.top.tile(number).is_flower for number in aside)
    assert (setting.wall.heads, setting.wall.tails) == (53, len(aside))
    for seat in ALL_SEATS:
        hand = setting.top.hand(SIDES[seat])
        assert len(hand.concealed) == 13
        assert (hand.win_tile is not None) == (seat is Seat.E)
        assert not any(tile.is_flower for tile in hand.tiles)


def test_flowers_are_dealt_at_all() -> None:
    def flowers(seed: int) -> int:
        setting = Setting(seed)
        run(deal(setting.top, setting.wall, Seat.E, 13, SIDES))
        return setting.wall.tails

    assert sum(flowers(seed) for seed in range(6)) >= 6


def test_a_last_tile_that_is_a_flower_ends_the_hand() -> None:
    setting = Setting()
    flower, other = setting.numbers(["c", "5m"])
    while setting.wall.left:
        setting.wall.draw()
    assert not setting.play._take(Seat.S, flower)
    assert setting.play.outcome == Outcome(Seat.E)
    assert setting.place(Seat.S).flowers == [flower]
    fresh = Setting()
    assert fresh.play._take(Seat.S, other)
    assert fresh.play.outcome is None


def test_what_replaces_a_flower_is_no_kongs_tile() -> None:
    setting = Setting()
    setting.play._after_kong = True
    tile, flower = setting.numbers(["5m", "c"])
    setting.play._take(Seat.S, tile)
    assert setting.play._flags("self_draw", Seat.S, tile) == ("after_kong",)
    setting.play._take(Seat.S, flower)
    assert setting.play._flags("self_draw", Seat.S, setting.place(Seat.S).drawn) == ()


def test_flowers_lie_in_their_place_and_not_in_the_hand() -> None:
    setting = Setting()
    setting.place(Seat.S).flowers = setting.numbers("habcdefg")
    tiles = [tile for tile in scene_of(setting.top).tiles if tile.face in "abcdefgh"]
    assert "".join(tile.face for tile in tiles) == "habcdefg"
    for tile in tiles:
        x, y = to_local(2, tile.x_mm, tile.y_mm)
        assert 130 < x < 260
        assert -270 < y < -170


def test_players_agree_to_the_flowers_that_they_see() -> None:
    outcome = Outcome(Seat.E, Seat.S, flowers=(Tile.parse("e"), Tile.parse("a")))
    assert flower_texts(outcome) == ["a", "e"]
    rows = [{"tile": "e"}, {"tile": "a"}]
    assert flowers_are_right({"reading": {"flowers": rows}}, outcome)
    for seen in (rows[:1], [*rows, {"tile": "?"}], [], None):
        assert not flowers_are_right({"reading": {"flowers": seen}}, outcome)
    assert flowers_are_right({"reading": {"flowers": None}}, Outcome(Seat.E, Seat.S))


# ---- what no tile shows ----


@pytest.mark.parametrize(
    ("rivers", "melds", "flags"),
    [
        (["5m", "5m", "5m"], [], ("last_of_kind",)),
        (["5m", "5m"], [], ()),
        ([], [(MeldKind.PUNG, "5m 5m 5m")], ("last_of_kind",)),
        (["5m", "5m"], [(MeldKind.CHOW, "4m 5m 6m")], ("last_of_kind",)),
        (["C", "C", "C"], [], ()),
        (["5m"], [(MeldKind.CONCEALED_KONG, "2p 2p 2p 2p")], ()),
    ],
)
def test_the_last_of_a_kind_is_told(
    rivers: list[str], melds: list[tuple[MeldKind, str]], flags: tuple[str, ...]
) -> None:
    setting = Setting()
    for index, number in enumerate(setting.numbers(rivers)):
        setting.place(ALL_SEATS[index % 4]).river.append(number)
    for kind, faces in melds:
        setting.place(Seat.W).melds.append(TableMeld(kind, setting.numbers(faces.split()), 1))
    (number,) = setting.numbers(["5m"])
    assert setting.play._flags("self_draw", Seat.S, number) == flags
    setting.place(Seat.N).river.append(number)  # the discard itself is not among the other three
    assert setting.play._flags("discard", Seat.S, number) == flags
    assert setting.play._flags("rob_kong", Seat.S, number) == ()


def test_only_what_counts_in_the_variant_is_told() -> None:
    setting = Setting()
    setting.place(Seat.E).drawn = setting.numbers(["5m"])[0]
    number = setting.place(Seat.E).drawn
    assert setting.play._flags("self_draw", Seat.E, number) == ()  # heavenly is nothing here
    simplest = get_variant("simplest")
    plain = Play(
        setting.top, setting.wall, simplest, resolve_options(simplest, {}), Seat.E, SIDES, 1, setting._declare
    )
    assert plain._flags("self_draw", Seat.E, number) == ("heavenly",)


def test_a_robbed_kong_was_declared_and_the_robber_wins_by_his_own_eyes() -> None:
    setting = Setting()
    robbed = setting.place(Seat.N)
    robbed.melds.append(TableMeld(MeldKind.PUNG, setting.numbers(["5s"] * 3), 1))
    robbed.concealed = setting.numbers(["1m", "4m", "7m", "2p", "5p", "8p", "3p", "6p", "9p", "5s"])
    robber = setting.place(Seat.S)
    robber.concealed = setting.numbers([*CHOWS, "6p", "7p", "8p", "6s", "6s"])
    robber.flowers = setting.numbers(["e"])
    for _ in range(60):  # the hands came from the wall
        setting.wall.draw()
    run(setting.play._own_kong(Seat.N, mind.OwnKong(Tile.parse("5s"), True)))
    outcome = setting.play.outcome
    assert outcome is not None
    assert (outcome.seat, outcome.by, outcome.source) == (Seat.S, "rob_kong", Seat.N)
    assert (outcome.flags, flower_texts(outcome), outcome.round_wind) == ((), ["e"], Seat.S)
    assert setting.declared == [(Seat.N, MeldKind.ADDED_KONG, "5s")]
    assert [meld.kind for meld in robbed.melds] == [MeldKind.PUNG]  # the robbed tile lies with the winner
    assert outcome.points is not None
    assert sum(outcome.points.values()) == 0


# ---- whole hands ----


def test_every_win_reaches_eight_points_without_flowers() -> None:
    wins = 0
    for outcome in quick_hands(21, 6, "mcr"):
        if outcome.seat is None or outcome.hand is None or outcome.by is None:
            continue
        wins += 1
        win = Win(
            outcome.seat,
            outcome.hand,
            outcome.by,
            outcome.source,
            flowers=len(outcome.flowers),
            flower_tiles=outcome.flowers,
        )
        now = Situation(outcome.dealer, flags=frozenset(outcome.flags), round_wind=outcome.round_wind)
        scored = score(MCR, win, now)
        assert scored.legal
        assert scored.minimum_total >= 8
        assert outcome.points is not None
        paid = 3 * (8 + scored.total) if outcome.by == "self_draw" else 24 + scored.total
        assert outcome.points[outcome.seat.value] == paid
    assert wins >= 2


# ---- rounds ----

DEALERS = "ESWN" * 4 + "E"
WINDS = "EEEESSSSWWWWNNNNE"


def test_sixteen_hands_are_four_rounds() -> None:
    rounds = Rounds()
    told = [rounds.hand(n, Seat(dealer), Seat.E).value for n, dealer in enumerate(DEALERS, 1)]
    assert "".join(told) == WINDS


def test_a_dealer_who_stays_begins_no_round() -> None:
    rounds = Rounds()
    told = [rounds.hand(n, Seat(dealer), Seat.N).value for n, dealer in enumerate("EEESWNNEE", 1)]
    assert "".join(told) == "EEEEEEESS"
    assert rounds.hand(9, Seat.E, Seat.N) is Seat.S  # the same hand again


def test_who_comes_in_the_middle_takes_the_wind_on_the_screen() -> None:
    rounds = Rounds()
    assert rounds.hand(6, Seat.S, Seat.S) is Seat.S
    assert rounds.hand(7, Seat.W, Seat.E) is Seat.S
    assert rounds.hand(9, Seat.E, Seat.W) is Seat.W
    assert rounds.hand(1, Seat.E, Seat.N) is Seat.E
