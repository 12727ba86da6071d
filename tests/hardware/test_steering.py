"""Robots that steer to eight points: what they throw and claim, and how their hands end."""

from __future__ import annotations

from random import Random

import pytest

from hardware.twin.robots import mind, steer
from hardware.twin.robots.eyes import Eyes
from rules.notation import parse_hand, parse_tiles
from rules.scoring import resolve_options
from rules.seats import Seat
from rules.tiles import Tile
from rules.variants import get_variant
from tests.hardware.mcr_table import play

MCR = get_variant("mcr")
OPTIONS = resolve_options(MCR, {})


def eyes_of(hand: str, others: str = "", seat: Seat = Seat.S, wall_left: int = 60) -> Eyes:
    return Eyes(seat, parse_hand(hand), tuple(parse_tiles(others)), wall_left, Seat.E, MCR, OPTIONS)


# hand on the own turn, what lies open, what may be thrown
THROWN = [
    ("123m 456p 78s 55s 88m 2m + E", "", "2m E"),  # 花龙
    ("147m 258p 36s ESWN 2m + C", "", "2m"),  # 全不靠
    ("1133m 5577m 2288p 5s + E", "E", "E"),  # 七对, one 东 less to wait for
    ("11m 234789m 56m EE C + 9p", "", "9p C"),  # 混一色
    ("[EEE] 123m 456m 78m CC + 5p", "", "5p"),  # 混一色
    ("234m 345p 456s 67m 55p + E", "", "E"),  # 三色三步高
    ("[789m,1] 123p 456p 2s 4s 99s + 8p", "", "8p"),
]


@pytest.mark.parametrize(("hand", "others", "thrown"), THROWN)
def test_what_leads_away_from_eight_points_is_thrown(hand: str, others: str, thrown: str) -> None:
    assert str(mind.pick_discard(eyes_of(hand, others), Random(1))) in thrown.split()


def test_a_ready_hand_without_points_is_given_up_for_one_with_points() -> None:
    """Throwing 9s waits for 2m and 5m alike in form; only a hand with 三色三步高 may win on a discard."""
    eyes = eyes_of("[234p,1] 345s 44m 34m 678m + 9s")
    ranked = steer.rank_discards(eyes, eyes.hand)
    assert str(ranked[0][1]) == "9s"
    worthless = eyes_of("[111p,1] 345s 44m 34m 678p + 9s")
    assert steer.rank_discards(worthless, worthless.hand)[0][0] < ranked[0][0]


# hand, discard, what lies open, claimed as
CLAIMS = [
    ("123m 456p 78s 55s 88m 2m", "9s", "chow"),  # 花龙
    ("11335577m 2288p E", "1m", ""),  # 七对 stays concealed
    ("147m 258p 36s ESWN 4m", "5m", ""),  # no chow out of 全不靠
    ("CC 123m 456m 99m EE 5s", "C", "pung"),  # 混一色 and 箭刻
    ("111p 22p 88p 99m 555m 3s", "8p", "pung"),  # 碰碰和
    ("234m 567m 345p 67s 88p", "5p", ""),  # 不求人 would be gone for nothing
]


@pytest.mark.parametrize(("hand", "discard", "claimed"), CLAIMS)
def test_claims_keep_a_route_open(hand: str, discard: str, claimed: str) -> None:
    tile = Tile.parse(discard)
    eyes = eyes_of(hand, discard)
    assert mind.wants_pung(eyes, tile, Seat.E) == (claimed == "pung")
    assert (mind.wants_chow(eyes, tile, Seat.E) is not None) == (claimed == "chow")


def test_a_chow_is_made_with_the_tiles_that_the_route_can_spare() -> None:
    eyes = eyes_of("2346m 567p 678s 99s E", "5m")  # 456m stands for 三色三步高, 234m stays beside it
    assert mind.wants_chow(eyes, Tile.parse("5m"), Seat.E) == (Tile.parse("4m"), Tile.parse("6m"))


def test_variants_without_a_minimum_go_the_nearest_way() -> None:
    simplest = get_variant("simplest")
    eyes = Eyes(
        Seat.S, parse_hand("123456789m 11p 23s + N"), (), 50, Seat.E, simplest, resolve_options(simplest, {})
    )
    assert not steer.steers(eyes)
    assert steer.steers(eyes_of("123456789m 11p 23s + N"))


def test_chances_grow_with_tiles_and_turns_and_shrink_with_distance() -> None:
    hand = parse_hand("123m 456p 78s 55s 88m 2m")
    near = steer.outlook(eyes_of("123m 456p 78s 55s 88m 2m"), hand)
    assert 0 < near < 2
    assert steer.outlook(eyes_of("123m 456p 78s 55s 88m 2m", wall_left=12), hand) < near
    assert steer.outlook(eyes_of("123m 456p 78s 55s 88m 2m", "999s"), hand) < near
    assert steer.outlook(eyes_of("123m 46p 8s 55s 88m 2m EN"), parse_hand("123m 46p 8s 55s 88m 2m EN")) < near


def test_they_win_hands_more_than_those_who_do_not_steer_and_decide_fast() -> None:
    steering = frozenset({Seat.S, Seat.N})
    tally = play(5, 14, steering)
    won = sum(tally.wins[seat] for seat in steering)
    assert tally.wins.total() >= 8, tally.ends
    assert won > tally.wins.total() - won, tally.wins
    assert tally.decision_ms(0.95) < 50
