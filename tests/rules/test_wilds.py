"""Wild tiles: every placement and no other, beside the plain way of trying all kinds one after another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from rules.cases import answer_case
from rules.errors import InvalidWin
from rules.evaluate import best_of, count_elements, found_where_free, readings, wild_kinds
from rules.hand import Hand
from rules.notation import parse_hand, parse_tiles
from rules.plan import plan_of
from rules.records import read_record
from rules.scoring import Situation, Win, resolve_options, score
from rules.seats import Seat
from rules.shapes import ALL_258, KNITTED_STRAIGHT, REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS, Shape
from rules.tiles import TILES, Tile
from rules.variants import get_variant
from rules.view import Claimed, View
from rules.wait_mask import packed_wait_mask
from rules.wilds import MAX_FREE, Placement
from tests.rules.mcr_hands import hands

LIANZHONG = get_variant("lianzhong")
PLAN = plan_of(LIANZHONG, resolve_options(LIANZHONG, {}))
KINDS = range(34)
WAITS = ("edge_wait", "closed_wait", "single_wait")


def mask(text: str) -> int:
    return sum(1 << tile.index for tile in parse_tiles(text))


def placed(text: str, wild: str, shapes: tuple[Shape, ...] = PLAN.shapes) -> list[Hand]:
    return list(Placement(parse_hand(text), mask(wild), shapes).hands())


def tried(hand: Hand, wild: int, shapes: tuple[Shape, ...]) -> Iterator[Hand]:
    """Yield what `Placement.hands` should: every kind for every wild tile, where a shape reads the hand."""
    plain = [tile for tile in hand.concealed if not wild >> tile.index & 1]
    win = hand.win_tile
    assert win is not None
    free = len(hand.concealed) - len(plain)
    for kinds in combinations_with_replacement(KINDS, free):
        for last in KINDS if wild >> win.index & 1 else (win.index,):
            tiles = [*plain, *(TILES[kind] for kind in kinds)]
            whole = [*tiles, TILES[last], *(tile for meld in hand.melds for tile in meld.tiles)]
            if max(whole.count(tile) for tile in whole) <= 4:
                full = Hand(hand.melds, tuple(tiles), TILES[last])
                if any(shape.allows(hand.melds) and shape.readings(full) for shape in shapes):
                    yield full


def texts(found: Iterator[Hand] | list[Hand]) -> list[str]:
    return sorted(str(hand) for hand in found)


# ---- which hands ----

PLACES = [
    ("one wild in a pair", "123m 456m 789m 5p9p 34s + 2s", "9p"),
    ("one wild, many ways", "111234567899m 9p + 5m", "9p"),
    ("two wilds", "123m 456m 789m 99p 34s + 2s", "9p"),
    ("two kinds of wilds", "123m 456m 789m 9pE 34s + 2s", "9p E"),
    ("the winning tile is wild", "123m 456m 789m 55p 34s + 9p", "9p"),
    ("and another one too", "123m 456m 78m 55p 34s 9p + 9p", "9p"),
    ("beside melds", "[123m][777s] 456p 78s 9p N + N", "9p"),
    ("a meld shows three of a kind", "[777s][888s] 456p 66s 9p5s + 5s", "9p"),
    ("a meld of a wild kind is what it shows", "[789p] 456m 12s 888p 99p + 3s", "9p"),
    ("a kong of wilds is one too", "(9999p) 123m 456m 55s 67m + 8m", "9p"),
    ("seven pairs", "1122m 44p 66p 8s9p EE C + C", "9p"),
    ("seven pairs with four of a kind", "1111m 44p 66p 8s9p EE C + C", "9p"),
    ("thirteen orphans, no pair yet", "19m 1p9s 1s ESWNCFP 5p + 5p", "5p"),
    ("thirteen orphans, one missing", "199m 1p9s 1s ESWNCF 5p + 9p", "5p"),
    ("honors and knitted", "147m 258p 36s ESW 1p1p + N", "1p"),
    ("knitted straight", "147m 258p 3s 55s EE 1p1p + 6s", "1p"),
    ("knitted straight with a meld", "[777s] 147m 258p 36s 1pE + E", "1p"),
    ("nothing", "1357m 2468p 369s 9sE + E", "9s"),
    ("no way for a fifth", "[555p] 123m 456m 5p 9p 77s + 7s", "9p"),
]


@pytest.mark.parametrize(("says", "text", "wild"), PLACES)
def test_all_placements_and_no_other(says: str, text: str, wild: str) -> None:
    hand = parse_hand(text)
    found = placed(text, wild)
    assert texts(found) == texts(tried(hand, mask(wild), PLAN.shapes)), says
    assert len(set(found)) == len(found)
    for each in found:
        assert readings(PLAN, each)
        assert not each.kinds & ~0x3FFFFFFFF


def test_three_wilds_are_placed_as_trying_all_places_them() -> None:
    for text in ("234m 456p 999p 34s 5s E + 6s", "[EEE] 22m 555p 999p 4s 5s + 6s"):
        assert texts(placed(text, "9p")) == texts(tried(parse_hand(text), mask("9p"), PLAN.shapes))


def test_a_shape_that_only_tells_complete_hands_is_tried_kind_by_kind() -> None:
    text, shapes = "225588m 225p 58s 9p9p + 5s", (ALL_258,)
    found = placed(text, "9p", shapes)
    assert texts(found) == texts(tried(parse_hand(text), mask("9p"), shapes))
    assert len(found) == 45  # two of nine kinds


def test_four_wilds_complete_what_they_can() -> None:
    assert [str(each) for each in placed("9999p 119m 19s ESWN + C", "9p", (THIRTEEN_ORPHANS,))] == [
        "119m 19p 19s ESWNFP + C"
    ]
    two_of_34 = 34 * 35 // 2
    assert len(placed("9999p 1155m 22s EE C + C", "9p", (SEVEN_PAIRS,))) == two_of_34 - 5  # no six of a kind
    assert len(placed("[777s] 9999p 147m 258p + 3s", "9p", (KNITTED_STRAIGHT,))) == 34 - 1  # no five 7s
    assert placed("9999p 1357m 2468p E + S", "9p", (REGULAR,)) == []


def test_a_dealt_hand_may_call_any_of_its_tiles_the_winning_one() -> None:
    found = placed("123m 456p 789s 234s 55m", "E")
    assert {each.win_tile for each in found} == set(parse_tiles("1235m 456p 234789s"))
    assert {each.tiles for each in found} == {parse_hand("123m 456p 789s 234s 5m + 5m").tiles}
    assert Placement(parse_hand("123m 456p 789s 234s 55m"), 0, PLAN.shapes).waits() == 0


# ---- how many ----

TOO_MANY = [
    ("eight of two kinds", "11112222m 22p 33p 4p + 4p", "12m", "8 wild tiles"),
    ("eight of five kinds", "1112233344m 55s E + E", "123m 13s", "8 wild tiles"),
    ("the winning one is one of them", "112212m 456p 789s E + 1m", "12m", "7 wild tiles"),
    ("five, and the winning tile is not named", "11112m 345p 345s EEE", "12m", "one fewer where no winning"),
]


@pytest.mark.parametrize(("says", "text", "wild", "why"), TOO_MANY)
def test_more_wild_tiles_than_can_be_weighed_are_refused(says: str, text: str, wild: str, why: str) -> None:
    flags = frozenset() if "+" in text else frozenset({"heavenly"})
    seat = Seat.S if "+" in text else Seat.E
    win = Win(seat, parse_hand(text), "self_draw", flags=flags)
    with pytest.raises(InvalidWin, match=f"{why}.*" if "one fewer" in why else f"{why}.*at most 5") as caught:
        score(LIANZHONG, win, Situation(Seat.E, wild=parse_tiles(wild)))
    assert caught.value.code == "invalid", says


def test_one_line_of_cases_with_many_wild_tiles_is_refused_too() -> None:
    case = {
        "variant": "lianzhong",
        "dealer": "E",
        "winner": {"seat": "S", "by": "self_draw", "hand": "1112233344m 55s E + E"},
        "options": {"wilds": "on", "wild": ["1m", "2m", "3m", "1s", "3s"]},
    }
    with pytest.raises(InvalidWin, match="at most 5"):
        answer_case(case)


def test_a_shape_whose_kinds_are_tried_takes_fewer() -> None:
    with pytest.raises(InvalidWin, match=r"4 wild tiles .* at most 3"):
        placed("2255m 225p 58s 9999p + 5s", "9p", (ALL_258,))


def test_all_wild_tiles_of_a_kind_are_supported_wherever_they_stand() -> None:
    assert placed("9999p 123m 456m 78m 5s + 5s", "9p")
    assert placed("999p 123m 456m 78m 55s + 9p", "9p")
    assert placed("9999p 123m 456m 78m 55s", "9p")


# the plain tiles of one suit that can be filled up in the most ways, and what that comes to
MOST_HANDS = [
    ("five with the winning one", "1111p 445566777m + 2p", "12p", 10_000),
    ("four in a dealt hand", "9999p 4455667788m", "9p", 7_000),
]


@pytest.mark.parametrize(("says", "text", "wild", "most"), MOST_HANDS)
def test_the_worst_hands_stay_within_bounds(says: str, text: str, wild: str, most: int) -> None:
    number = len(placed(text, wild))
    assert most // 2 < number < most, says


def test_no_hand_of_one_suit_is_filled_up_in_more_ways() -> None:
    rng = Random(11)
    nine = [tile for tile in TILES[:9] for _ in range(4)]
    for _ in range(40):
        tiles = tuple(rng.sample(nine, 14 - MAX_FREE))
        wilds = tuple([TILES[27]] * 4)
        hand = Hand((), tiles + wilds, TILES[28])
        assert sum(1 for _ in Placement(hand, mask("ES"), PLAN.shapes).hands()) < 10_000, tiles


# ---- what a hand with wild tiles waits for ----

WAITING = [
    ("as ever without wilds", "1112345678999m + 5m", "E", "123456789m"),
    ("a wild beside four sets pairs any tile", "123m 456m 789m 234s 9p + 5s", "9p", "*"),
    ("a wild beside an edge", "[123m][777s] 456p 12s N9p + N", "9p", "3s N"),
    ("an honor or the pair that is there", "[123m][777s] 456p 22s E9p + 2s", "9p", "2s E"),
    ("no wild pairs a tile whose other three lie open", "[555p] 123m 456m 789m 9p + 4p", "9p", "*5p"),
    ("no wild among the waiting tiles", "[777s] 123m 456p 68s NN + 9p", "9p", "7s"),
    ("two orphans are missing", "1199m 19p 19s ESWN5p + C", "5p", ""),
    ("thirteen orphans with a wild", "19m 19p 19s ESWNC5pF + P", "5p", "19m 19p 19s ESWNCFP"),
    ("nothing", "1357m 2468p 369s 9sE + E", "9s", ""),
]


@pytest.mark.parametrize(("says", "text", "wild", "waits"), WAITING)
def test_waits(says: str, text: str, wild: str, waits: str) -> None:
    hand = parse_hand(text)
    found = Placement(hand, mask(wild), PLAN.shapes).waits()
    assert found == waits_by_trying(hand, mask(wild)), says
    every = (1 << 34) - 1
    assert found == (every & ~kinds_of(waits[1:]) if waits[:1] == "*" else kinds_of(waits)), says


def kinds_of(text: str) -> int:
    return sum({1 << tile.index for tile in parse_tiles(text)})


def waits_by_trying(hand: Hand, wild: int) -> int:
    """Return the waits of a hand with at most one wild tile beside the winning one."""
    plain = tuple(tile for tile in hand.concealed if not wild >> tile.index & 1)
    if len(plain) == len(hand.concealed):
        return packed_wait_mask(Hand(hand.melds, plain).packed, len(hand.melds), PLAN.shapes)
    shown = [*plain, *(tile for meld in hand.melds for tile in meld.tiles)]
    found = 0
    for stands in TILES[:34]:
        if shown.count(stands) < 4:
            tiles = (*plain, stands)
            mask = packed_wait_mask(Hand(hand.melds, tiles).packed, len(hand.melds), PLAN.shapes)
            found |= mask & ~(1 << stands.index) if shown.count(stands) == 3 else mask
    return found


# ---- the best of all ----


def best_by_trying(win: Win, situation: Situation) -> int:
    """Return the best total over every kind for every wild tile."""
    wild = wild_kinds(PLAN, situation)
    placement = Placement(win.hand, wild, PLAN.shapes)
    best = 0
    for hand in tried(win.hand, wild, PLAN.shapes):
        same = Claimed(win.with_hand(hand), situation, PLAN.options, PLAN.shapes, wild, placement)
        for reading in readings(PLAN, hand):
            best = max(best, count_elements(PLAN, View(same, reading)).total)
    return best


@pytest.mark.parametrize(("says", "text", "wild"), [row for row in PLACES if "kong" not in row[0]])
@pytest.mark.parametrize("by", ["self_draw", "discard"])
def test_the_best_placement_is_scored(says: str, text: str, wild: str, by: str) -> None:
    situation = Situation(Seat.E, wild=parse_tiles(wild))
    win = Win(Seat.S, parse_hand(text), by, None if by == "self_draw" else Seat.W)
    assert score(LIANZHONG, win, situation).total == best_by_trying(win, situation), says


BEST = [
    ("the dearest set, not the nearest", "123m 456m 789m 99p 34s + 2s", "12223456789m 34s + 2s", 22),
    (
        "four wilds make two pairs into four winds",
        "[EEE][SSS][WWW] 9999p + N",
        "[EEE][SSS][WWW] NNFF + N",
        169,
    ),
]


@pytest.mark.parametrize(("says", "text", "hand", "total"), BEST)
def test_what_the_wilds_stand_for_is_told(says: str, text: str, hand: str, total: int) -> None:
    by = "self_draw" if "[" in text else "discard"
    win = Win(Seat.S, parse_hand(text), by, None if by == "self_draw" else Seat.W)
    result = score(LIANZHONG, win, Situation(Seat.E, wild=parse_tiles("9p")))
    assert (str(result.hand), result.total) == (hand, total), says


def test_a_wild_winning_tile_is_never_the_last_of_its_kind() -> None:
    text = "[777s][888p] 123m 68s NN + "
    shown = score(LIANZHONG, Win(Seat.S, parse_hand(text + "7s"), "discard", Seat.W), Situation(Seat.E))
    assert "和决张" in {each.zh for each in shown.elements}
    wild = Situation(Seat.E, wild=parse_tiles("9p"))
    stood = score(LIANZHONG, Win(Seat.S, parse_hand(text + "9p"), "discard", Seat.W), wild)
    assert "和决张" not in {each.zh for each in stood.elements}
    assert str(stood.hand) == text + "7s"


# ---- properties ----


def with_wilds(win: Win, number: int, rng: Random) -> tuple[Win, tuple[Tile, ...]] | None:
    """Return the win with so many concealed tiles replaced by a wild kind that is not in the hand."""
    if len(win.hand.concealed) < number:
        return None
    absent = [tile for tile in TILES[:34] if not win.hand.kinds >> tile.index & 1]
    wild = rng.choice(absent)
    tiles = list(win.hand.concealed)
    for place in rng.sample(range(len(tiles)), number):
        tiles[place] = wild
    return win.with_hand(Hand(win.hand.melds, tuple(tiles), win.hand.win_tile)), (wild,)


def without_waits(total: int, elements: tuple[object, ...]) -> int:
    return total - sum(1 for each in elements if getattr(each, "key", "") in WAITS)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_wild_in_the_place_of_a_tile_lowers_nothing_but_a_wait(number: int) -> None:
    rng = Random(number)
    compared = higher = 0
    for record in hands(seed=77 + number, count=60):
        win, situation = read_record(LIANZHONG, record)
        changed = with_wilds(win, number, rng)
        if changed is None or "last_of_kind" in situation.flags:
            continue
        plain = score(LIANZHONG, win, situation)
        if plain.total == 0:
            continue
        other, wild = changed
        told = Situation(situation.dealer, flags=situation.flags, round_wind=situation.round_wind, wild=wild)
        placed_best = score(LIANZHONG, other, told)
        assert placed_best.total >= without_waits(plain.total, plain.elements), record["hand"]
        compared += 1
        higher += placed_best.total > plain.total
    assert compared > 30
    assert higher > 3


def test_a_second_wild_lowers_nothing_but_a_wait() -> None:
    rng = Random(5)
    for record in hands(seed=91, count=40):
        win, situation = read_record(LIANZHONG, record)
        changed = with_wilds(win, 1, rng)
        if changed is None or situation.flags or len(win.hand.concealed) < 4:
            continue
        one, wild = changed
        told = Situation(situation.dealer, round_wind=situation.round_wind, wild=wild)
        tiles = list(one.hand.concealed)
        place = next(at for at, tile in enumerate(tiles) if tile not in wild)
        tiles[place] = wild[0]
        two = one.with_hand(Hand(one.hand.melds, tuple(tiles), one.hand.win_tile))
        first, second = score(LIANZHONG, one, told), score(LIANZHONG, two, told)
        assert second.total >= without_waits(first.total, first.elements), record["hand"]


def test_a_variant_without_wild_tiles_ignores_them() -> None:
    mcr = get_variant("mcr")
    win = Win(Seat.S, parse_hand("123m 456m 789m 99p 34s + 2s"), "discard", Seat.W)
    plain, told = Situation(Seat.E), Situation(Seat.E, wild=parse_tiles("9p"))
    first, second = score(mcr, win, told), score(mcr, win, plain)
    assert (first.elements, first.total, str(first.hand)) == (second.elements, second.total, str(second.hand))


def test_the_same_best_is_found_in_any_order_of_tiles() -> None:
    text = "9p99p 234m 345p 456s 6s + 9p"
    situation = Situation(Seat.E, wild=parse_tiles("9p"))
    win = Win(Seat.S, parse_hand(text), "self_draw")
    found = found_where_free(PLAN, win, situation, mask("9p"))
    best = best_of(PLAN, found)
    assert best is not None
    assert len(found) > 500
    backwards = best_of(PLAN, found[::-1])
    assert backwards is not None
    assert (best.total, best.counted) == (backwards.total, backwards.counted)
    assert best.total == score(LIANZHONG, win, situation).total
