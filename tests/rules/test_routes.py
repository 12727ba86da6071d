"""Routes to eight points: worked hands, exact distances, and the scorer's word on hands that went a route."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.distance import regular_distance
from rules.errors import InvalidHand, RuleError
from rules.hand import Hand, Meld, MeldKind
from rules.notation import format_tiles, parse_hand, parse_tiles
from rules.records import read_record
from rules.routes import PATTERNS, Route, RouteBook, answer_routes, find_routes
from rules.routes.cost import PAIR, SET, Group, costs, join
from rules.scoring import Situation, Win, score
from rules.seats import ALL_SEATS, Seat
from rules.tiles import TILES, counts34, full_set
from rules.variants import VARIANTS, get_variant

MCR = get_variant("mcr")
BOOK = RouteBook(MCR, MCR.default_options, PATTERNS)
VECTORS = Path(__file__).resolve().parents[3] / "shared" / "data" / "mcr" / "vectors.jsonl"
WALL = full_set(136)


def routes_of(
    text: str, seat: Seat = Seat.S, round_wind: Seat = Seat.E, others: str = "", within: int | None = None
) -> dict[str, Route]:
    """Return the routes by the Chinese names of their patterns; `others` are tiles that lie elsewhere."""
    hand = parse_hand(text)
    seen = counts34([*hand.tiles, *parse_tiles(others)])
    found = find_routes(BOOK, hand, seat_wind=seat, round_wind=round_wind, seen=seen, within=within)
    return {name_of(route): route for route in found}


def name_of(route: Route) -> str:
    return "+".join(pattern.zh for pattern in route.patterns)


def test_the_patterns_are_rows_of_every_profile() -> None:
    for key, variant in VARIANTS.items():
        if key.startswith("mcr"):
            rows = {fan.key for fan in variant.rows(variant.fans, variant.default_options)}
            assert {pattern.key for pattern in PATTERNS} <= rows, key


def test_a_variant_without_a_minimum_has_no_routes() -> None:
    simplest = get_variant("simplest")
    book = RouteBook(simplest, simplest.default_options, PATTERNS)
    assert find_routes(book, parse_hand("123456789m 11p 23s")) == ()


# hand, route, points, distance, missing for one nearest hand, useful, spare
WORKED = [
    ("123m 456p 78s 55s 88m 2m E", "花龙", 8, 2, "8m 9s", "8m 59s", "2m E"),
    ("[123m] 456p 78s 55s 88m 2m", "花龙", 8, 2, "8m 9s", "8m 59s", "2m"),
    ("234m 234p 24s 77s 99s E F", "三色三同顺", 8, 2, "39s", "379s", "EF"),
    ("123456789m 11p 2s E", "清龙", 16, 2, "1p E", "1p 1234s E", "2s E"),
    ("345p 456p 567p 19m 2s C", "一色三步高", 16, 3, "22s C", "123789m 1234s C", "19m 2s C"),
    ("234m 345p 456s 1m 9s EE", "三色三步高+平和", 8, 3, "23m 9s", "123m 789s", "E"),
    ("147m 258p 369s 11m 7p E", "组合龙", 12, 2, "1m E", "1m 56789p E", "7p E"),
    ("147m 258p 369s ESWN", "全不靠", 12, 1, "C", "CFP", ""),
    ("147m 258p 36s ESWNC", "七星不靠", 24, 2, "FP", "FP", "147m 258p 36s"),
    ("1133m 5577m 2288p E", "七对", 24, 1, "E", "E", ""),
    ("1133m 557m 228p E 9s N", "七对", 24, 3, "7m 8p 9s", "7m 8p 9s EN", "7m 8p 9s EN"),
    ("19m 19p 19s ESWNCF 5m", "十三幺", 88, 2, "1m P", "19m 19p 19s ESWNCFP", "5m"),
    ("1112345678999p", "九莲宝灯", 88, 1, "1p", "123456789p", ""),
    ("1112345678999p + 4p", "九莲宝灯", 88, 0, "", "", ""),
    ("1123445678999p + 1p", "九莲宝灯", 88, 1, "1p", "123456789p", "4p"),
    ("1122334455667s", "连七对", 88, 1, "7s", "7s", ""),
    ("11234567789m 1p E", "清一色", 24, 3, "228m", "123456789m", "1p E"),
    ("[EEE] 123m 456m 78m CC", "混一色+圈风刻", 8, 1, "9m", "369m", ""),
    ("[EEE] 123m 456m 78m CC", "混一色+箭刻", 8, 2, "2m C", "124578m C", "124578m"),
    ("123m 456p 789s EE CC", "五门齐+箭刻", 8, 1, "C", "C", ""),
    ("123p 345p 44p 888s PP", "推不倒", 8, 1, "4p", "4p P", ""),
    ("[123m][EEE][SSS] 55p 6p 1s", "三风刻", 12, 3, "WWW", "WN", "6p 1s"),
    ("CC FF 123m 456p 7s 8s E", "双箭刻+门前清", 8, 3, "ECF", "78s ECF", "78s E"),
    ("234m 567m 345p 67s 88p", "不求人+平和+断幺", 8, 1, "8s", "58s", ""),
    ("44m 555m 666m 777p 55p", "三色三节高", 8, 3, "666s", "568s", "4m 5p"),
    ("[555m][666p] 77s 88s 123s", "三色三节高", 8, 1, "7s", "7s", ""),
    ("[2222p][444p] 66s 88s 6m 8m E", "全双刻", 24, 3, "88m 8s", "68m 68s", "68m E"),
    ("123m 789m 123p 789p 5s", "三色双龙会", 16, 1, "5s", "5s", ""),
    ("[666p,1] 678m 789p 888s F", "大于五", 12, 2, "99s", "6789m 6789p 679s", "F"),
    ("[456m] 555p 345s 67m 5s E", "全带五", 16, 2, "5m 5s", "5m 5s", "E"),
    ("123m 99p 789s SS EE 1s 9m", "全带幺+圈风刻+门风刻", 8, 2, "ES", "ES", "9m 1s"),
]


@pytest.mark.parametrize(
    ("text", "name", "points", "distance", "missing", "useful", "spare"),
    WORKED,
    ids=[f"{row[1]} {row[0]}" for row in WORKED],
)
def test_worked_hands(
    text: str, name: str, points: int, distance: int, missing: str, useful: str, spare: str
) -> None:
    route = routes_of(text)[name]
    assert (route.points, route.distance) == (points, distance)
    assert format_tiles([each.tile for each in route.useful]) == useful
    assert format_tiles(route.spare) == spare
    assert len(route.missing) == distance
    assert format_tiles(route.missing) == missing


def test_a_route_tells_what_is_locked_in_and_how_many_copies_are_left() -> None:
    route = routes_of("[123m,1] 456p 78s 55s 88m 2m", others="999s 5s 8m")["花龙"]
    aims = {format_tiles(aim.tiles): (aim.held, aim.is_melded, aim.is_asked) for aim in route.aims}
    assert aims == {
        "123m": (3, True, True),
        "456p": (3, False, True),
        "789s": (2, False, True),
        "888m": (2, False, False),
        "55s": (2, False, False),
    }
    assert [format_tiles(aim.tiles) for aim in route.locked] == ["123m", "456p", "55s"]
    assert {str(each.tile): each.copies for each in route.useful} == {"8m": 1, "5s": 1, "9s": 1}
    assert route.live == 3


def test_a_route_without_tiles_left_is_none() -> None:
    hand = "123m 456p 78s 55s 88m 2m E"
    assert routes_of(hand, others="999s")["花龙"].distance == 2
    assert routes_of(hand, others="9999s")["花龙"].distance == 5  # 123m 456s 789p
    assert routes_of("19m 19p 19s ESWNCF 5m", others="PPP")["十三幺"].distance == 2
    assert "十三幺" not in routes_of("19m 19p 19s ESWNCF 5m", others="PPPP")
    assert "七对" not in routes_of("[EEE] 1133m 557m 228p")
    assert "碰碰和+箭刻" not in routes_of("[123m] 111p 555s CCC F")
    assert "全不靠" not in routes_of("147m 258p 36s ESWNC", others="9999m 9999p 9999s FFFF PPPP")


def test_open_melds_shut_routes_that_need_a_concealed_hand_and_concealed_kongs_do_not() -> None:
    open_hand = routes_of("[234m] 567m 345p 67s 88p")
    assert not any(route.is_concealed for route in open_hand.values())
    assert routes_of("(2222m) 567m 345p 67s 88p")["不求人+双同刻+断幺"].is_concealed


def test_winds_follow_the_seat_and_the_round() -> None:
    hand = "[SSS] 123m 456m 78m CC"
    assert routes_of(hand, Seat.S)["混一色+门风刻"].distance == 1
    assert routes_of(hand, Seat.W, Seat.S)["混一色+圈风刻"].distance == 1
    assert routes_of(hand, Seat.W)["混一色+门风刻"].distance > 1
    both = routes_of("[SSS] 11m 99p 2m 7p 37s EC", Seat.S, Seat.S)["全带幺+圈风刻+门风刻"]
    assert format_tiles(both.aims[0].tiles) == "SSS"  # one pung is both


def test_what_is_no_hand_in_play_is_refused() -> None:
    with pytest.raises(InvalidHand, match="12 tiles beside 0 melds"):
        routes_of("123m 456m 789m 123p")
    with pytest.raises(InvalidHand, match="more than 4 of 9s"):
        routes_of("123m 456p 789s 55s 88m", others="9999s")


def test_a_record_is_answered_with_what_a_page_needs() -> None:
    record = {"hand": "[123m,1] 456p 78s 55s 88m + 2m", "seen": "999s 5s", "within": 0, "seat_wind": "W"}
    answer = answer_routes(MCR, record)
    assert answer["minimum"] == 8
    assert answer["routes"] == [
        {
            "patterns": [{"name": "花龙", "en": "Mixed Straight", "points": 8}],
            "points": 8,
            "distance": 2,
            "sets": [
                {"tiles": tiles.split(), "held": held, "locked": locked, "melded": melded, "asked": asked}
                for tiles, held, locked, melded, asked in [
                    ("1m 2m 3m", 3, True, True, True),
                    ("4p 5p 6p", 3, True, False, True),
                    ("7s 8s 9s", 2, False, False, True),
                    ("8m 8m 8m", 2, False, False, False),
                    ("5s 5s", 2, True, False, False),
                ]
            ],
            "missing": ["8m", "9s"],
            "useful": {"8m": 2, "5s": 1, "9s": 1},
            "live": 4,
            "spare": ["2m"],
            "concealed": False,
            "self_drawn": False,
        }
    ]
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"hand": "123m 456p 78s"}, "8 tiles beside 0 melds"),
        ({"hand": "123m 456p 789s 55s 8m a"}, "a is no tile of a hand"),
        ({"hand": "123m 456p 789s 55s 88m", "seen": "9999s"}, "more than 4 of 9s"),
        ({"hand": "123m 456p 789s 55s 88m", "within": -1}, "within"),
        ({"hand": "123m 456p 789s 55s 88m", "seat_wind": "X"}, "seat_wind"),
        ({}, "hand"),
    ],
)
def test_odd_records_are_refused_by_name(record: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        answer_routes(MCR, record)


# ---- exactness ----


def hands(seed: int, count: int, tiles: int) -> Iterator[tuple[Hand, list[int], Seat, Seat]]:
    """Yield hands in play with up to two melds, what is seen, and the winds."""
    rng = Random(seed)
    for number in range(count):
        wall = list(WALL)
        rng.shuffle(wall)
        melds = []
        for _ in range(number % 3):
            kind = rng.randrange(34)
            chow = kind < 27 and kind % 9 < 7 and rng.random() < 0.7
            made = tuple(TILES[kind : kind + 3]) if chow else (TILES[kind],) * 3
            if not Counter(made) - Counter(wall):
                for tile in made:
                    wall.remove(tile)
                melds.append(Meld(MeldKind.CHOW if chow else MeldKind.PUNG, made))
        size = tiles - 3 * len(melds)
        standing, others = wall[:size], wall[size : size + rng.randrange(40)]
        hand = Hand(tuple(melds), tuple(standing[:-1]), standing[-1])
        if tiles % 3 == 1:
            hand = Hand(tuple(melds), tuple(standing))
        yield hand, counts34([*hand.tiles, *others]), rng.choice(ALL_SEATS), rng.choice(ALL_SEATS)


def test_drawing_a_useful_tile_brings_every_route_one_nearer_and_another_one_does_not() -> None:
    rng = Random(5)
    checked = 0
    for hand, seen, seat, wind in hands(1, 15, 13):
        before = found(hand, seen, seat, wind)
        for tile in rng.sample(TILES[:34], 6):
            if seen[tile.index] == 4:
                continue
            more = list(seen)
            more[tile.index] += 1
            after = found(Hand(hand.melds, hand.concealed, tile), more, seat, wind)
            assert after.keys() == before.keys()
            for name, route in before.items():
                gained = any(each.tile == tile for each in route.useful)
                assert after[name].distance == route.distance - gained, (hand, tile, route)
                checked += gained
    assert checked > 1000


def test_giving_a_spare_tile_away_costs_nothing_and_another_one_costs_more() -> None:
    checked = Counter[bool]()
    for hand, seen, seat, wind in hands(2, 15, 14):
        before = found(hand, seen, seat, wind)
        for tile in Random(7).sample(sorted(set(hand.standing)), 4):
            rest = list(hand.standing)
            rest.remove(tile)
            after = found(Hand(hand.melds, tuple(rest)), seen, seat, wind)
            for name, route in before.items():
                is_spare = tile in route.spare
                checked[is_spare] += 1
                if is_spare:
                    assert after[name].distance == route.distance, (hand, tile, route)
                elif name in after:
                    assert after[name].distance > route.distance, (hand, tile, route)
    assert min(checked.values()) > 500


def found(hand: Hand, seen: list[int], seat: Seat, wind: Seat) -> dict[str, Route]:
    routes = find_routes(BOOK, hand, seat_wind=seat, round_wind=wind, seen=seen)
    return {name_of(route): route for route in routes}


def test_a_template_with_a_set_and_a_pair_is_as_far_as_every_target_tried_says() -> None:
    sets = [(low, low + 1, low + 2) for low in range(27) if low % 9 < 7] + [(kind,) * 3 for kind in range(34)]
    straights = [
        [9 * suit + 3 * part + step for suit, part in enumerate(order) for step in range(3)]
        for order in permutations(range(3))
    ]
    targets = [
        Counter([*straight, *more, pair, pair])
        for straight, more, pair in product(straights, sets, range(34))
    ]
    for hand, seen, seat, wind in hands(3, 3, 14):
        if hand.melds:
            continue
        left = [4 - seen[kind] + hand.counts[kind] for kind in range(34)]
        nearest = min(
            (
                sum(max(0, count - hand.counts[kind]) for kind, count in target.items())
                for target in targets
                if all(count <= left[kind] for kind, count in target.items())
            ),
            default=None,
        )
        route = found(hand, seen, seat, wind).get("花龙")
        assert (None if route is None else route.distance) == nearest


def test_without_patterns_costs_are_the_distance_to_any_regular_hand() -> None:
    every = (1 << 9) - 1
    for hand, _, _, _ in hands(4, 60, 14):
        total, sets = 1, 4 - len(hand.melds)
        for start, size in ((0, 9), (9, 9), (18, 9), (27, 7)):
            chows = every if size == 9 else 0
            group = Group(hand.counts[start : start + size], (4,) * size, chows, every, every)
            total = join(total, costs(group, sets), sets)
        cell = total >> PAIR + SET * sets & (1 << SET) - 1
        assert (cell & -cell).bit_length() - 1 == regular_distance(hand.counts)


# ---- the scorer's word ----


def completed(hand: Hand, route: Route) -> Hand:
    """Return the nearest hand of the route, the last tile of its last unfinished block winning."""
    tiles = [tile for aim in route.aims if not aim.is_melded for tile in aim.tiles]
    win = tiles[-1] if name_of(route) == "九莲宝灯" else (route.missing or tiles)[-1]
    tiles.remove(win)
    return Hand(hand.melds, tuple(tiles), win)


# elements that a complete hand has instead of the one aimed at, being worth as much or more
INSTEAD = {"一色三同顺": "一色三节高", "一色三节高": "一色三同顺", "清一色": "九莲宝灯"}


def test_hands_that_went_a_route_score_what_it_promises() -> None:
    went = Counter[str]()
    for hand, seen, seat, wind in hands(6, 30, 14):
        for name, route in found(hand, seen, seat, wind).items():
            last = completed(hand, route)
            drawn = route.is_self_drawn
            win = Win(Seat.E, last, "self_draw" if drawn else "discard", None if drawn else Seat.S)
            scored = score(MCR, win, Situation(Seat.at(-seat.index), round_wind=wind))
            assert scored.legal, (hand, route, scored)
            assert scored.minimum_total >= route.points, (hand, route, scored)
            if len(route.patterns) == 1:
                names = {element.zh for element in scored.elements}
                assert names & {name, INSTEAD.get(name)} or scored.total > route.points, (last, scored)
            assert not Counter(last.standing) - Counter(hand.standing) - Counter(route.missing)
            went[name] += 1
    assert len(went) > 100


OTHER_SHAPES = {"七对", "连七对", "十三幺", "全不靠", "七星不靠", "九莲宝灯"}


def vectors(step: int) -> list[dict[str, Any]]:
    if not VECTORS.is_file():
        pytest.skip(f"shared data not beside the checkout: {VECTORS}")
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[::step]]


def test_a_complete_hand_is_at_the_end_of_the_routes_of_its_elements_and_of_no_other() -> None:
    checked = Counter[str]()
    for record in vectors(8):
        win, situation = read_record(MCR, record)
        seat = Seat(record["seat_wind"])
        goals = BOOK.goals(seat, situation.round_wind)
        names = ["+".join(pattern.zh for pattern in goal.patterns) for goal in goals]
        there = {name for name in names if set(name.split("+")) <= record["fan"].keys()}
        there &= OTHER_SHAPES if there & OTHER_SHAPES else there
        routes = {
            name_of(route): route
            for route in find_routes(
                BOOK, win.hand, seat_wind=seat, round_wind=situation.round_wind, within=0
            )
            if route.distance == 0
        }
        assert there <= routes.keys(), (record, there - routes.keys())
        checked.update(there)
        for route in routes.values():
            if not route.is_self_drawn or record["self_draw"]:
                assert record["total"] - record["flowers"] >= route.points, (record, route)
    assert len(checked) > 60


def test_the_nearest_routes_alone_are_the_same_as_among_all() -> None:
    for hand, seen, seat, wind in hands(8, 12, 14):
        every = find_routes(BOOK, hand, seat_wind=seat, round_wind=wind, seen=seen)
        near = find_routes(BOOK, hand, seat_wind=seat, round_wind=wind, seen=seen, within=1)
        assert near == tuple(route for route in every if route.distance <= every[0].distance + 1)
        assert sum(len(aim.tiles) for aim in near[0].aims) == 14
