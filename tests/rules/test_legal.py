"""Who may do what (simplest.md "Legal actions", win-procedure.md section 2)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import InvalidRequest
from rules.legal import (
    Claim,
    Move,
    can_chow,
    can_kong_added,
    can_kong_concealed,
    can_kong_exposed,
    can_pung,
    can_win,
    chow_choices,
    legal_action,
    precedence,
)
from rules.notation import parse_hand
from rules.scoring import Situation, Win
from rules.seats import ALL_SEATS, Seat
from rules.tiles import Tile
from rules.variants import get_variant

SIMPLEST = get_variant("simplest")
E, S, W, N = ALL_SEATS
P258 = {"pair_rule": "258"}

# (what, do, hand of S, tile, from, options, more, legal)
MOVES: list[tuple[str, str, str, str, Seat | None, dict[str, Any], dict[str, Any], bool]] = [
    ("no chow", "chow", "13579m 2468p 135s E", "2m", E, {}, {}, False),
    ("258: chow from the previous seat", "chow", "13579m 2468p 135s E", "2m", E, P258, {}, True),
    ("258: chow from another seat", "chow", "13579m 2468p 135s E", "2m", W, P258, {}, False),
    ("258: chow without the tiles", "chow", "1579m 2468p 1357s E", "2m", E, P258, {}, False),
    ("258: chow of honors", "chow", "13579m 2468p 13s SW", "E", E, P258, {}, False),
    ("258: no chow round the corner", "chow", "89m 13579p 2468s EE", "1m", E, P258, {}, False),
    ("pung from any seat", "pung", "13579m 2468p 13s EE", "E", N, {}, {}, True),
    ("pung needs two", "pung", "13579m 2468p 135s E", "E", N, {}, {}, False),
    ("pung of the own discard", "pung", "13579m 2468p 13s EE", "E", S, {}, {}, False),
    ("pung on the own turn", "pung", "13579m 2468p 13s EE + 4s", "E", N, {}, {}, False),
    ("frozen hand", "pung", "13579m 2468p 13s EE", "E", N, {}, {"locked": True}, False),
    ("exposed kong", "kong_exposed", "13579m 2468p 1s EEE", "E", N, {}, {}, True),
    ("exposed kong needs three", "kong_exposed", "13579m 2468p 13s EE", "E", N, {}, {}, False),
    ("no replacement left", "kong_exposed", "13579m 2468p 1s EEE", "E", N, {}, {"wall_left": 0}, False),
    ("the last replacement", "kong_exposed", "13579m 2468p 1s EEE", "E", N, {}, {"wall_left": 1}, True),
    ("added kong of the drawn tile", "kong_added", "[EEE] 13579m 2468p 1s + E", "E", None, {}, {}, True),
    ("added kong of a held tile", "kong_added", "[EEE] 13579m 2468p E + 1s", "E", None, {}, {}, True),
    ("added kong not on the own turn", "kong_added", "[EEE] 13579m 2468p E", "E", None, {}, {}, False),
    ("no pung to add to", "kong_added", "[SSS] 13579m 2468p E + 1s", "E", None, {}, {}, False),
    ("concealed kong", "kong_concealed", "13579m 2468p 1s EEE + E", "E", None, {}, {}, True),
    ("concealed kong, all four held", "kong_concealed", "13579m 2468p EEEE + 1s", "E", None, {}, {}, True),
    ("concealed kong of three", "kong_concealed", "13579m 2468p 1s EEE + S", "E", None, {}, {}, False),
    ("concealed kong off turn", "kong_concealed", "13579m 2468p EEEE", "E", None, {}, {}, False),
    ("discard of a held tile", "discard", "13579m 2468p 1s EEE + S", "E", None, {}, {}, True),
    ("discard of the drawn tile", "discard", "13579m 2468p 1s EEE + S", "S", None, {}, {}, True),
    ("discard of a tile not held", "discard", "13579m 2468p 1s EEE + S", "W", None, {}, {}, False),
    ("discard off turn", "discard", "13579m 2468p 1s EEE", "E", None, {}, {}, False),
    ("discard after a pung", "discard", "[EEE] 13579m 2468p 13s", "1m", None, {}, {}, True),
    ("frozen: the drawn tile", "discard", "13579m 2468p 1s EEE + S", "S", None, {}, {"locked": True}, True),
    ("frozen: another tile", "discard", "13579m 2468p 1s EEE + S", "E", None, {}, {"locked": True}, False),
]


@pytest.mark.parametrize(
    ("says", "do", "hand", "tile", "source", "options", "more", "legal"), MOVES, ids=[row[0] for row in MOVES]
)
def test_legal_action(
    says: str,
    do: str,
    hand: str,
    tile: str,
    source: Seat | None,
    options: dict[str, Any],
    more: dict[str, Any],
    legal: bool,
) -> None:
    move = Move(S, do, parse_hand(hand), Tile.parse(tile), source, **more)
    assert legal_action(SIMPLEST, move, options) is legal


def test_declining_is_always_allowed_showing_and_declaring_are_not_in_these_rules() -> None:
    hand = parse_hand("13579m 2468p 1s EEE")
    assert legal_action(SIMPLEST, Move(S, "pass", hand), {})
    assert not legal_action(SIMPLEST, Move(S, "show", hand), {})
    assert not legal_action(SIMPLEST, Move(S, "declare", hand), {})


@pytest.mark.parametrize(
    ("do", "hand", "tile", "source", "words"),
    [
        ("steal", "13579m 2468p 1s EEE", "E", N, "do is one of"),
        ("pung", "13579m 2468p EE", "E", N, "11 tiles"),
        ("pung", "13579m 2468p 13579s EE", "E", N, "16 tiles"),
        ("pung", "13579m 2468p 13s EE", None, N, "needs a tile"),
        ("pung", "13579m 2468p 13s EE", "E", None, "needs the seat"),
    ],
)
def test_what_is_no_move_is_an_error(
    do: str, hand: str, tile: str | None, source: Seat | None, words: str
) -> None:
    move = Move(S, do, parse_hand(hand), Tile.parse(tile) if tile else None, source)
    with pytest.raises(InvalidRequest, match=words):
        legal_action(SIMPLEST, move, {})


def test_what_tiles_allow() -> None:
    hand = parse_hand("[EEE] 2344567m SSS + E")
    five = Tile.parse("5m")
    pairs = [(str(low), str(high)) for low, high in chow_choices(hand, five)]
    assert pairs == [("3m", "4m"), ("4m", "6m"), ("6m", "7m")]
    assert can_chow(hand, five)
    assert can_pung(hand, Tile.parse("4m"))
    assert not can_pung(hand, five)
    assert can_kong_exposed(hand, Tile.parse("S"))
    assert can_kong_added(hand, Tile.parse("E"))
    assert not can_kong_concealed(hand, Tile.parse("S"))


def test_can_win_is_never_an_error() -> None:
    won = Win(S, parse_hand("[555m] 123m 678p EE 34s + 5s"), "discard", W)
    assert can_win(SIMPLEST, won, Situation(E))
    assert not can_win(SIMPLEST, won, Situation(E, options=P258))
    assert not can_win(SIMPLEST, Win(S, parse_hand("123m + 4m"), "self_draw"), Situation(E))


# (what, discarder, claims, multi_win, granted)
CLAIMS = [
    ("win before kong, the nearest", E, [(N, "win"), (W, "win"), (S, "kong")], False, [(W, "win")]),
    ("multi_win: all in order", N, [(W, "win"), (S, "win")], True, [(S, "win"), (W, "win")]),
    ("pung before chow", E, [(S, "chow"), (N, "pung")], False, [(N, "pung")]),
    ("kong before chow", E, [(S, "chow"), (N, "kong")], False, [(N, "kong")]),
    ("chow by the next seat", N, [(E, "chow")], False, [(E, "chow")]),
    ("chow only by the next seat", E, [(W, "chow")], False, []),
    ("nobody", E, [], False, []),
    ("one seat claims kong and win: win", E, [(S, "kong"), (S, "win")], False, [(S, "win")]),
]


@pytest.mark.parametrize(("says", "discarder", "claims", "multi_win", "granted"), CLAIMS)
def test_precedence(
    says: str,
    discarder: Seat,
    claims: list[tuple[Seat, str]],
    multi_win: bool,
    granted: list[tuple[Seat, str]],
) -> None:
    found = precedence(discarder, [Claim(*claim) for claim in claims], multi_win)
    assert [(claim.seat, claim.kind) for claim in found] == granted, says


def test_claims_that_make_no_sense() -> None:
    with pytest.raises(InvalidRequest, match="cannot claim"):
        precedence(E, [Claim(E, "win")], False)
    with pytest.raises(InvalidRequest, match="a claim is one of"):
        precedence(E, [Claim(S, "hu")], False)
