"""`op` cases of tile-odds that the functions of `rules.odds` answer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules import odds
from rules.errors import InvalidRequest
from rules.fields import Fields, show, whole
from rules.ops import op, rule_book
from rules.tiles import Tile

SLUG = rule_book("tile-odds")
MAX_ASKS = 1000
_ASK_FIELDS = ("place", "hand_running", "live_hints")


def _own(given: Fields) -> tuple[Tile, ...]:
    """Return the own tiles, a drawn one after `+` included."""
    hand = given.hand("hand")
    if hand.melds:
        raise InvalidRequest(f"{given.name('hand')}: the model of the odds has no melds")
    return hand.standing


def _by_text(tiles: Mapping[Tile, int]) -> dict[str, int]:
    return {str(tile): copies for tile, copies in tiles.items()}


@op("expected_return", SLUG)
def _expected_return(given: Fields, case: Fields) -> dict[str, Any]:
    bottom = given.tile("bottom") if given.has("bottom") else None
    found = odds.expected_return(_own(given), bottom, given.tiles("seen"))
    return {
        "discards": {str(each.discard): _discard(each) for each in found},
        "best": [str(tile) for tile in odds.best_discards(found)],
    }


def _discard(found: odds.DiscardReturn) -> dict[str, Any]:
    return {
        "value": found.value,
        "self_draw": found.self_draw,
        "live": _by_text(found.live),
        "kong_then_bottom": [[str(tile), copies] for tile, copies in found.kong_tiles.items()],
        "double_counted": found.double_counted,
    }


@op("waits", SLUG)
def _waits(given: Fields, case: Fields) -> dict[str, Any]:
    widths = odds.wait_widths(_own(given), given.tiles("seen"))
    return {"waits": _by_text(widths), "kinds": len(widths), "live": sum(widths.values())}


@op("draw_odds", SLUG)
def _draw_odds(given: Fields, case: Fields) -> dict[str, Any]:
    unseen = given.integer("unseen", 0, odds.MAX_UNSEEN)
    lives = [whole(live, 0, unseen, given.name("live")) for live in given.items("live")]
    draws = [whole(count, 0, unseen, given.name("draws")) for count in given.items("draws")]
    return {"percent": [[percent(odds.draw_odds(unseen, live, count)) for count in draws] for live in lives]}


def percent(probability: Fraction) -> float:
    """Return a probability in percent with one decimal, halves up, from its exact value.

    >>> percent(Fraction(1, 80)), percent(Fraction(1, 3))
    (1.3, 33.3)
    """
    return (probability * 2000 + 1) // 2 / 10


@op("hint_gate", SLUG)
def _hint_gate(given: Fields, case: Fields) -> dict[str, Any]:
    names = given.words("fields", _ASK_FIELDS, list(_ASK_FIELDS))
    if sorted(names) != sorted(_ASK_FIELDS):
        raise InvalidRequest(f"{given.name('fields')} names {', '.join(_ASK_FIELDS)}, each once")
    asks = given.items("asks")
    if len(asks) > MAX_ASKS:
        raise InvalidRequest(f"{given.name('asks')} are at most {MAX_ASKS}")
    return {"allowed": [_allowed(ask, names, given.name("asks")) for ask in asks]}


def _allowed(ask: object, names: list[str], where: str) -> bool:
    if not isinstance(ask, (list, tuple)) or len(ask) != len(names):
        raise InvalidRequest(f"{where}: one of them is [{', '.join(names)}], not {show(ask)}")
    asked = Fields(dict(zip(names, ask, strict=True)), where)
    return odds.may_hint(
        asked.one_of("place", odds.PLACES),
        hand_running=asked.flag("hand_running"),
        live_hints=asked.flag("live_hints"),
    )
