"""PyMahjongGB (MIT, a development dependency) fed with our records, its names turned into ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from MahjongGB import MahjongFanCalculator

_SUITS = {"m": "W", "p": "B", "s": "T"}
_HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
_WINDS = {wind: number for number, wind in enumerate("ESWN")}
_NAMES = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}
_TILES = {f"{rank}{suit}": f"{_SUITS[suit]}{rank}" for suit in _SUITS for rank in range(1, 10)} | _HONORS

Pack = tuple[str, str, int]
PeerHand = tuple[tuple[Pack, ...], tuple[str, ...], str]

_OURS = {code: text for text, code in _TILES.items()}


class PeerRefused(Exception):
    """The peer takes the hand for no win or no hand."""


def _melds() -> Iterator[tuple[str, Pack]]:
    """Yield every meld as it can be written, without its closing bracket, and what the peer calls it."""
    for tile, code in _TILES.items():
        text, suit = tile[0], tile[1:]
        yield f"({text * 4}{suit}", ("GANG", code, 0)
        for source in ("", ",1", ",2", ",3"):
            offer = int(source[1:] or 1)
            yield f"[{text * 3}{suit}{source}", ("PENG", code, offer)
            yield f"[{text * 4}{suit}{source}", ("GANG", code, offer)
            yield f"[{text * 4}{suit}+{source}", ("GANG", code, offer)
    for suit, letter in _SUITS.items():
        for middle in range(2, 9):
            for source in ("", ",1"):
                ranks = f"{middle - 1}{middle}{middle + 1}"
                yield f"[{ranks}{suit}{source}", ("CHI", f"{letter}{middle}", 1)


_MELDS = dict(_melds())


def peer_standing(text: str) -> tuple[tuple[Pack, ...], tuple[str, ...]]:
    """Return canonical text without a winning tile as the peer's packs and standing tiles.

    Splitting beside a table of melds is the fastest way found (a regular expression takes half as much more):
    what feeding the peer from text costs must not flatter us.

    >>> peer_standing("[123m,1](5555p) 678s E")
    ((('CHI', 'W2', 1), ('GANG', 'B5', 0)), ('T6', 'T7', 'T8', 'F1'))
    """
    *melds, concealed = text.replace(")", "]").split("]")
    tiles: list[str] = []
    for group in concealed.split():
        letter = _SUITS.get(group[-1])
        if letter is None:
            tiles += [_HONORS[honor] for honor in group]
        else:
            tiles += [letter + rank for rank in group[:-1]]
    return tuple([_MELDS[meld] for meld in melds]), tuple(tiles)


def our_tile(code: str) -> str:
    """Return the peer's code of a tile as our text.

    >>> our_tile("T7"), our_tile("J1")
    ('7s', 'C')
    """
    return _OURS[code]


def peer_hand(text: str) -> PeerHand:
    """Return canonical text of a complete hand as the peer's tuples: packs, standing tiles, winning tile."""
    standing, _, win = text.rpartition(" + ")
    return (*peer_standing(standing), _TILES[win])


def peer_circumstances(record: Mapping[str, Any]) -> tuple[int, bool, bool, bool, bool, int, int]:
    """Return what the peer wants to know beside the tiles, in the order of its arguments."""
    return (
        record["flowers"],
        record["self_draw"],
        record["last_of_kind"],
        record["kong_replacement"] or record["rob_kong"],
        record["last_tile"],
        _WINDS[record["seat_wind"]],
        _WINDS[record["round_wind"]],
    )


def peer_fans(record: Mapping[str, Any]) -> dict[str, int]:
    """Return the peer's fan by our zh names with the points each brings (points of one times count).

    Raises:
        PeerRefused: with the peer's own word.
    """
    try:
        found = MahjongFanCalculator(*peer_hand(record["hand"]), *peer_circumstances(record))
    except TypeError as error:
        raise PeerRefused(str(error)) from error
    return {_NAMES.get(name, name): points for points, name in found}
