"""The variant `simplest`, row by row of its rule text (../shared/rules/simplest.md, _common-regional.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import InvalidOption, InvalidWin, Unsupported
from rules.explain import explain
from rules.hand import Hand, MeldKind
from rules.notation import parse_hand
from rules.scoring import (
    Kong,
    Score,
    Situation,
    Win,
    WinRefused,
    amount_to_number,
    resolve_options,
    score,
    settle,
    settle_draw,
    settle_kong,
)
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.variants import VARIANTS, get_variant

SIMPLEST = get_variant("simplest")
PLAIN = "[555m] 123m 678p EE 34s + 5s"
E, S, W, N = ALL_SEATS
P258: dict[str, Any] = {"pair_rule": "258"}


def scored(text: str, by: str = "discard", options: Mapping[str, Any] | None = None, **more: Any) -> Score:
    """Score a win of S (or `seat`) from W (or `source`), E dealing."""
    source = None if by == "self_draw" else more.get("source", W)
    win = Win(more.get("seat", S), parse_hand(text), by, source)
    flags = frozenset(more.get("flags", ()))
    return score(SIMPLEST, win, Situation(E, ALL_SEATS, options or {}, flags, more.get("wall_left")))


def names(result: Score) -> list[str]:
    return [element.zh for element in result.elements]


DEFAULT_PROFILE = [
    ("no requirement on suits, terminals or pair", PLAIN, "seed 004"),
    ("no fan: one suit is worth the same", "[111p] 345p 678p 99p 23p + 4p", "seed 004"),
    ("no fan: all pungs", "[222m][777p] 999s 44p EE + E", "seed 004"),
    ("seven pairs may win", "1133m 5577m 2288p E + E", "Win shapes"),
    ("four of a kind are two pairs", "1111m 5577m 2288p E + E", "Win shapes"),
    ("kongs count as sets", "(5555p)[1111m][9999s+] 23m EE + 4m", "Win shapes"),
]


@pytest.mark.parametrize(("says", "text", "source"), DEFAULT_PROFILE)
def test_default_profile_any_win_is_one_base(says: str, text: str, source: str) -> None:
    for by in ("self_draw", "discard"):
        result = scored(text, by)
        assert (result.legal, names(result), result.total) == (True, ["和牌"], 1), says
    assert scored(text, options={"base": 7}).total == 7


REFUSED = [
    ("not complete", "[555m] 123m 678p EE 35s + 6s", {}, "not_win"),
    ("six pairs", "1133m 5577m 2288p E + S", {}, "not_win"),
    ("a meld excludes seven pairs", "[111m] 3355m 2288p EE + S", {}, "not_win"),
    ("a concealed kong too", "(1111m) 3355m 2288p EE + S", {}, "not_win"),
    ("all 2/5/8 without shape only in the 258 profile", "225588m 2258p 258s + 5s", {}, "not_win"),
    ("258: plain hand with another pair", "[345m] 123m 678p EE 34s + 5s", P258, "pair_not_258"),
]


@pytest.mark.parametrize(("says", "text", "options", "reason"), REFUSED)
def test_refused(says: str, text: str, options: dict[str, Any], reason: str) -> None:
    result = scored(text, options=options)
    assert (result.legal, result.reason, result.total) == (False, reason, 0), says


# 258 profile: (what the text says, hand, how, more, elements)
BIG = [
    ("plain hand, pair of 2", "[345m] 123m 678p 22s 34s + 5s", "discard", {}, ["屁胡"]),
    ("plain hand, pair of 5", "[345m] 123m 678p 55p 34s + 5s", "self_draw", {}, ["屁胡"]),
    ("plain hand, pair of 8", "[345m] 123m 678p 88m 34s + 5s", "rob_kong", {"source": N}, ["抢杠"]),
    ("one suit", "[111p] 345p 678p 99p 23p + 4p", "discard", {}, ["清一色"]),
    ("one suit includes all honors", "[EEE][SSS] WWW NN CC + C", "discard", {}, ["清一色", "碰碰胡"]),
    ("all pungs, kongs too", "[222m](7777p) 999s 44p EE + E", "discard", {}, ["碰碰胡"]),
    ("all 2/5/8 needs no shape", "225588m 2258p 258s + 5s", "discard", {}, ["将一色"]),
    ("all 2/5/8 with melds", "[222m][5555p+] 588m 258s 2p + 8p", "discard", {}, ["将一色"]),
    ("all 2/5/8 and pungs", "[222m][555p] 888s 22p 55m + 5m", "discard", {}, ["将一色", "碰碰胡"]),
    ("all 2/5/8 and pairs", "225588m 2255p 888s + 8s", "discard", {}, ["将一色", "七小对"]),
    ("seven pairs", "1133m 5577m 2288p E + E", "discard", {}, ["七小对"]),
    ("seven pairs of one suit", "1133557799p 22p 8p + 8p", "discard", {}, ["清一色", "七小对"]),
    ("seven pairs beat the split into chows", "112233m 445566p 7s + 7s", "discard", {}, ["七小对"]),
    (
        "kong replacement, free pair",
        "(7777p) 123m 345m EE 34s + 5s",
        "self_draw",
        {"flags": ["after_kong"]},
        ["杠开"],
    ),
    ("robbing a kong, free pair", "[345m] 123m 678p EE 34s + 5s", "rob_kong", {"source": N}, ["抢杠"]),
    ("four open melds, discard", "[345m][678p][222s][999m] C + C", "discard", {}, ["全求人"]),
    ("heavenly", "345m 678m 123p EE 78p + 9p", "self_draw", {"seat": E, "flags": ["heavenly"]}, ["天胡"]),
    ("earthly", "345m 678m 123p EE 78p + 9p", "discard", {"source": E, "flags": ["earthly"]}, ["地胡"]),
    ("sea-bottom: seventh stack", "[345m] 123m 678p EE 34s + 5s", "self_draw", {"wall_left": 13}, ["海捞"]),
    (
        "sea-bottom: last tile",
        "[345m] 123m 678p EE 34s + 5s",
        "self_draw",
        {"flags": ["last_tile"]},
        ["海捞"],
    ),
    ("sea-bottom only by self-draw", "[345m] 123m 678p 22s 34s + 5s", "discard", {"wall_left": 3}, ["屁胡"]),
]


@pytest.mark.parametrize(("says", "text", "by", "more", "elements"), BIG)
def test_258_profile_elements(
    says: str, text: str, by: str, more: dict[str, Any], elements: list[str]
) -> None:
    result = scored(text, by, P258, **more)
    assert (result.legal, names(result)) == (True, elements), says
    assert result.total == (1 if elements == ["屁胡"] else 10 * len(elements))


@pytest.mark.parametrize(
    ("says", "text", "by", "more"),
    [
        ("one stack earlier", "[345m] 123m 678p EE 34s + 5s", "self_draw", {"wall_left": 14}),
        ("four melds, self-draw", "[345m][678p][222s][999m] C + C", "self_draw", {}),
        ("a concealed kong is not open", "[345m][678p][222s](9999m) C + C", "discard", {}),
        ("earthly not from the dealer", "345m 678m 123p EE 78p + 9p", "discard", {"flags": ["earthly"]}),
    ],
)
def test_258_profile_event_missed(says: str, text: str, by: str, more: dict[str, Any]) -> None:
    assert scored(text, by, P258, **more).reason == "pair_not_258", says


def test_big_unit_times_base_and_haidi_from() -> None:
    assert scored("1133m 5577m 2288p E + E", options={**P258, "big_unit": 5, "base": 2}).total == 10
    last = {**P258, "haidi_from": 1}
    text = "[345m] 123m 678p 22s 34s + 5s"
    assert names(scored(text, "self_draw", last, wall_left=1)) == ["屁胡"]
    assert names(scored(text, "self_draw", last, wall_left=0)) == ["海捞"]
    assert names(scored(text, "self_draw", {**P258, "haidi_from": 2}, wall_left=3)) == ["海捞"]
    assert names(scored(text, "self_draw", {**P258, "haidi_from": 2}, wall_left=4)) == ["屁胡"]


def test_what_is_not_counted_is_named() -> None:
    win = Win(S, parse_hand("[222m][555p] 888s 22p 55m + 5m"), "discard", W)
    result = explain(SIMPLEST, win, Situation(E, ALL_SEATS, P258))
    assert [(each.zh, each.why) for each in result.not_counted] == [("屁胡", "excluded")]


def test_pass_lock_bars_discards_and_robbing_but_not_the_self_draw() -> None:
    assert scored(PLAIN, flags=["passed"]).reason == "passed"
    assert scored(PLAIN, "rob_kong", flags=["passed"]).reason == "passed"
    assert scored(PLAIN, "self_draw", flags=["passed"]).legal
    assert scored(PLAIN, options={"pass_lock": False}, flags=["passed"]).legal


IMPOSSIBLE = [
    ("[555m] 123m 678p EE 3s + 5s", "discard", {}, "13 tiles with"),
    ("[555m] 123m 678p EE 334s + 5s", "discard", {}, "15 tiles with"),
    ("[555m] 123m 678p EE 345s", "discard", {}, "winning tile is missing"),
    ("[555m] 123m 678p EE 34s a + 5s", "discard", {}, "not in the tile set"),
    (PLAIN, "discard", {"source": S}, "cannot win from"),
    (PLAIN, "discard", {"source": None}, "who fed"),
    (PLAIN, "stolen", {}, "by is one of"),
    (PLAIN, "discard", {"flags": ["after_kong"]}, "self-draw"),
    (PLAIN, "self_draw", {"flags": ["after_kong"]}, "declared kong"),
    (PLAIN, "self_draw", {"flags": ["kong_discard"]}, "kong_discard"),
    (PLAIN, "self_draw", {"flags": ["heavenly"], "seat": S}, "dealer's self-draw"),
    (PLAIN, "discard", {"flags": ["lucky"]}, "unknown flag"),
    (PLAIN, "self_draw", {"flags": ["last_tile"], "wall_left": 5}, "last_tile with 5"),
    (PLAIN, "discard", {"wall_left": -1}, "negative"),
]


@pytest.mark.parametrize(("text", "by", "more", "words"), IMPOSSIBLE)
def test_a_win_that_cannot_have_happened_is_an_error(
    text: str, by: str, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidWin, match=words):
        scored(text, by, None, **more)


# ---- settlement ----


def points(
    options: dict[str, Any], by: str, seat: Seat = S, source: Seat | None = W
) -> dict[str, int | float]:
    win = Win(seat, parse_hand(PLAIN), by, None if by == "self_draw" else source)
    deltas = settle(SIMPLEST, [win], Situation(E, ALL_SEATS, options)).deltas
    return {str(key): amount_to_number(units, SIMPLEST.unit) for key, units in deltas.items()}


def row(east: float, south: float, west: float, north: float) -> dict[str, float]:
    return {"E": east, "S": south, "W": west, "N": north}


# (options, by, winner, feeder, result); E deals
PAYMENTS = [
    ({}, "discard", S, W, row(0, 1, -1, 0)),
    ({}, "discard", S, E, row(-1, 1, 0, 0)),
    ({}, "rob_kong", S, N, row(0, 1, 0, -1)),
    ({}, "self_draw", S, None, row(-2, 6, -2, -2)),
    ({}, "self_draw", E, None, row(6, -2, -2, -2)),
    ({"system": "1-2-4"}, "self_draw", S, None, row(-4, 8, -2, -2)),
    ({"system": "1-2-4"}, "self_draw", E, None, row(12, -4, -4, -4)),
    ({"system": "1-2-4"}, "discard", S, E, row(-2, 2, 0, 0)),
    ({"system": "1-2-4"}, "discard", E, S, row(2, -2, 0, 0)),
    ({"system": "1-2-4"}, "discard", S, W, row(0, 1, -1, 0)),
    ({"system": "1-2-3"}, "self_draw", S, None, row(-3, 7, -2, -2)),
    ({"system": "1-2-3"}, "self_draw", E, None, row(9, -3, -3, -3)),
    ({"system": "1-2-3"}, "discard", S, E, row(-2, 2, 0, 0)),
    ({"pay_mode": "full"}, "discard", S, W, row(-1, 3, -1, -1)),
    ({"pay_mode": "全陪", "system": "1-2-4"}, "discard", S, W, row(-2, 4, -1, -1)),
    ({"pay_mode": "half", "base": 2}, "discard", S, W, row(-1, 4, -2, -1)),
    ({"pay_mode": "半陪"}, "discard", S, W, row(-0.5, 2, -1, -0.5)),
    ({"pay_mode": "half"}, "rob_kong", S, E, row(-1, 2, -0.5, -0.5)),
    ({"pay_mode": "half"}, "self_draw", S, None, row(-2, 6, -2, -2)),
    ({"pay_mode": "包和"}, "discard", S, W, row(0, 1, -1, 0)),
]


@pytest.mark.parametrize(("options", "by", "seat", "source", "expected"), PAYMENTS)
def test_payments(
    options: dict[str, Any], by: str, seat: Seat, source: Seat | None, expected: dict[str, float]
) -> None:
    result = points(options, by, seat, source)
    assert result == expected
    assert all(isinstance(value, int) for value in result.values() if value == int(value))


KONGS = [
    ({}, MeldKind.EXPOSED_KONG, E, row(-1, 3, -1, -1)),
    ({}, MeldKind.ADDED_KONG, None, row(-1, 3, -1, -1)),
    ({}, MeldKind.CONCEALED_KONG, None, row(-2, 6, -2, -2)),
    ({"base": 2}, MeldKind.CONCEALED_KONG, None, row(-4, 12, -4, -4)),
    ({"system": "1-2-4"}, MeldKind.ADDED_KONG, None, row(-1, 3, -1, -1)),
    ({"exposed_payer": "feeder"}, MeldKind.EXPOSED_KONG, W, row(0, 3, -3, 0)),
    ({"exposed_payer": "feeder", "base": 2}, MeldKind.EXPOSED_KONG, E, row(-6, 6, 0, 0)),
    ({"exposed_payer": "feeder"}, MeldKind.ADDED_KONG, None, row(-1, 3, -1, -1)),
]


@pytest.mark.parametrize(("options", "kind", "source", "expected"), KONGS)
def test_kong_payments(
    options: dict[str, Any], kind: MeldKind, source: Seat | None, expected: dict[str, float]
) -> None:
    kong = Kong(S, kind, Tile.parse("5p"), source)
    settlement = settle_kong(SIMPLEST, kong, Situation(E, ALL_SEATS, options))
    deltas = {str(seat): amount_to_number(units, 2) for seat, units in settlement.deltas.items()}
    assert (deltas, settlement.next_dealer) == (expected, E)
    if kind is MeldKind.ADDED_KONG:
        robbed = settle_kong(SIMPLEST, replace(kong, robbed=True), Situation(E, ALL_SEATS, options))
        assert set(robbed.deltas.values()) == {0}


@pytest.mark.parametrize(
    ("kong", "words"),
    [
        (Kong(S, MeldKind.EXPOSED_KONG, Tile.parse("5p")), "needs the seat"),
        (Kong(S, MeldKind.EXPOSED_KONG, Tile.parse("5p"), S), "cannot take"),
        (Kong(S, MeldKind.CONCEALED_KONG, Tile.parse("5p"), E), "from nobody"),
        (Kong(S, MeldKind.PUNG, Tile.parse("5p")), "not a kong"),
        (Kong(S, MeldKind.ADDED_KONG, Tile.parse("a")), "cannot be a kong"),
    ],
)
def test_impossible_kongs(kong: Kong, words: str) -> None:
    with pytest.raises(InvalidWin, match=words):
        settle_kong(SIMPLEST, kong, Situation(E))


@pytest.mark.parametrize(("dealer", "seat", "expected"), [(E, S, S), (E, E, E), (N, S, E), (S, S, S)])
def test_the_dealer_stays_on_his_win_and_in_a_draw_else_the_next_seat_deals(
    dealer: Seat, seat: Seat, expected: Seat
) -> None:
    situation = Situation(dealer)
    settlement = settle(SIMPLEST, [Win(seat, parse_hand(PLAIN), "self_draw")], situation)
    assert settlement.next_dealer is expected
    drawn = settle_draw(SIMPLEST, situation)
    assert (drawn.next_dealer, set(drawn.deltas.values())) == (dealer, {0})


def test_several_winners_the_nearest_or_each() -> None:
    north = Win(N, parse_hand("[888p] 123p 567m 99m 46s + 5s"), "discard", W)
    south = Win(S, parse_hand(PLAIN), "discard", W)
    nearest = settle(SIMPLEST, [south, north], Situation(E))
    assert nearest.deltas == {E: 0, S: 0, W: -2, N: 2}
    each = settle(SIMPLEST, [south, north], Situation(E, ALL_SEATS, {"multi_win": True}))
    assert each.deltas == {E: 0, S: 2, W: -4, N: 2}
    assert [win.seat for win, _ in each.paid] == [N, S]


def test_wins_that_cannot_be_settled() -> None:
    south = Win(S, parse_hand(PLAIN), "discard", W)
    with pytest.raises(InvalidWin, match="no win"):
        settle(SIMPLEST, [], Situation(E))
    with pytest.raises(InvalidWin, match="wins once"):
        settle(SIMPLEST, [south, south], Situation(E))
    with pytest.raises(InvalidWin, match="several seats"):
        settle(SIMPLEST, [south, Win(N, parse_hand(PLAIN), "self_draw")], Situation(E))
    with pytest.raises(InvalidWin, match="same tile"):
        settle(SIMPLEST, [south, Win(N, parse_hand("1133m 5577m 2288p E + E"), "discard", W)], Situation(E))
    with pytest.raises(WinRefused, match="not_win") as caught:
        settle(SIMPLEST, [Win(S, parse_hand("[555m] 123m 678p EE 35s + 6s"), "self_draw")], Situation(E))
    assert caught.value.reason == "not_win"


# ---- options ----


@pytest.mark.parametrize(
    ("given", "key", "value"),
    [
        ({"pay_mode": "不陪"}, "pay_mode", "none"),
        ({"pay_mode": "包和"}, "pay_mode", "none"),
        ({"pay_mode": "全陪"}, "pay_mode", "full"),
        ({"pay_mode": "半陪"}, "pay_mode", "half"),
        ({"pair_rule": 258}, "pair_rule", "258"),
        ({"multi_win": "on"}, "multi_win", True),
        ({"base": "3"}, "base", 3),
        ({}, "opening", "two_throw"),
        ({}, "haidi_from", 7),
        ({}, "pass_lock", True),
    ],
)
def test_option_values_have_an_english_key_and_take_the_chinese_word(
    given: dict[str, Any], key: str, value: object
) -> None:
    options = resolve_options(SIMPLEST, given)
    assert options[key] == value
    assert resolve_options(SIMPLEST, options) is options
    assert {**options} == {**resolve_options(SIMPLEST, {**options})}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pay_mod": "full"}, "has no option pay_mod"),
        ({"pay_mode": "most"}, r"one of none \(不陪\), full \(全陪\), half \(半陪\)"),
        ({"pay_mode": None}, "one of"),
        ({"pay_mode": True}, "one of"),
        ({"base": 0}, "from 1 to 1000"),
        ({"base": 1.5}, "from 1 to 1000"),
        ({"base": True}, "from 1 to 1000"),
        ({"multi_win": 1}, "true or false"),
    ],
)
def test_options_that_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        resolve_options(SIMPLEST, given)


def test_variants_are_found_by_name_only() -> None:
    assert {"simplest", "mcr", "mcr-wmo2006", "mcr-jmsa", "mcr-1998"} <= set(VARIANTS)
    with pytest.raises(Unsupported, match="there are: simplest, mcr"):
        get_variant("mcr2")


def test_rows_have_unique_keys_and_exclude_known_keys() -> None:
    for variant in VARIANTS.values():
        keys = [fan.key for fan in variant.fans]
        assert len(set(keys)) == len(keys)
        assert {key for fan in variant.fans for key in fan.excludes} <= set(keys)
        assert len({option.key for option in variant.options}) == len(variant.options)


# ---- properties ----

TABLE_OPTIONS = st.fixed_dictionaries(
    {
        "pair_rule": st.sampled_from(["any", "258"]),
        "base": st.integers(1, 9),
        "big_unit": st.integers(1, 20),
        "system": st.sampled_from(["1-2", "1-2-4", "1-2-3"]),
        "pay_mode": st.sampled_from(["none", "full", "half"]),
        "exposed_payer": st.sampled_from(["all", "feeder"]),
        "multi_win": st.booleans(),
    }
)
WON = st.sampled_from([text for _, text, *_ in BIG])


@given(WON, TABLE_OPTIONS, st.sampled_from(ALL_SEATS), st.sampled_from(ALL_SEATS), st.sampled_from(ALL_SEATS))
def test_settlements_sum_to_zero(
    text: str, options: dict[str, Any], dealer: Seat, seat: Seat, source: Seat
) -> None:
    situation = Situation(dealer, ALL_SEATS, options)
    win = Win(seat, parse_hand(text), *(("self_draw", None) if seat == source else ("discard", source)))
    if score(SIMPLEST, win, situation).legal:
        settlement = settle(SIMPLEST, [win], situation)
        assert sum(settlement.deltas.values()) == 0
        assert settlement.deltas[seat] == sum(payment.units for payment in settlement.payments) > 0
    for kind in (MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG):
        fed = source if kind is MeldKind.EXPOSED_KONG else None
        if fed != seat:
            paid = settle_kong(SIMPLEST, Kong(seat, kind, Tile.parse("5p"), fed), situation)
            assert sum(paid.deltas.values()) == 0
            assert paid.deltas[seat] > 0


@given(WON, TABLE_OPTIONS, st.randoms(use_true_random=False))
def test_score_ignores_tile_order(text: str, options: dict[str, Any], random: Any) -> None:
    hand = parse_hand(text)
    melds, concealed = list(hand.melds), list(hand.concealed)
    random.shuffle(melds)
    random.shuffle(concealed)
    shuffled = Hand(tuple(melds), tuple(concealed), hand.win_tile)
    situation = Situation(E, ALL_SEATS, options)
    first = score(SIMPLEST, Win(S, hand, "discard", W), situation)
    second = score(SIMPLEST, Win(S, shuffled, "discard", W), situation)
    assert (first.elements, first.total, first.reason) == (second.elements, second.total, second.reason)


@given(WON, st.permutations("mps"))
def test_score_ignores_which_suit_is_which(text: str, suits: list[str]) -> None:
    swapped = text.translate(str.maketrans("mps", "".join(suits)))
    for options in ({}, P258):
        first, second = scored(text, options=options), scored(swapped, options=options)
        assert (first.elements, first.total) == (second.elements, second.total)
