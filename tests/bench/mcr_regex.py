"""PyMahjongGB fed from our text the usual way: one regular expression that names the parts of a hand.

`tests.campaigns.peer` feeds it faster, by splitting beside a table of all melds. The figures tell both: this
feed is what a program that keeps its hands as text would write, that one is the least it can cost.
"""

from __future__ import annotations

import re

from tests.campaigns.peer import Pack, PeerHand

_SUITS = {"m": "W", "p": "B", "s": "T"}
_HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
_PARTS = re.compile(r"\[(\w+)\+?(?:,(\d))?\]|\((\w+)\)|(\+)|([1-9]+[mps]|[ESWNCFP]+)")


def regex_hand(text: str) -> PeerHand:
    """Return canonical text of a complete hand as the peer's tuples: packs, standing tiles, winning tile.

    >>> regex_hand("[123m,1](5555p) 678s EE 23m + 4m")
    ((('CHI', 'W2', 1), ('GANG', 'B5', 0)), ('T6', 'T7', 'T8', 'F1', 'F1', 'W2', 'W3'), 'W4')
    """
    packs, tiles = regex_standing(text)
    return packs, tiles[:-1], tiles[-1]


def regex_standing(text: str) -> tuple[tuple[Pack, ...], tuple[str, ...]]:
    """Return canonical text as the peer's packs and standing tiles, the winning one last if there is one."""
    packs: list[Pack] = []
    tiles: list[str] = []
    for meld, source, kong, _, group in _PARTS.findall(text):
        if group:
            tiles += _tiles(group)
        elif meld:
            packs.append(_pack(_tiles(meld), int(source or 1)))
        elif kong:
            packs.append(("GANG", _tiles(kong)[0], 0))
    return tuple(packs), tuple(tiles)


def _tiles(group: str) -> list[str]:
    suit = _SUITS.get(group[-1])
    if suit is None:
        return [_HONORS[honor] for honor in group]
    return [suit + rank for rank in group[:-1]]


def _pack(tiles: list[str], source: int) -> Pack:
    if tiles[0] != tiles[1]:
        return "CHI", tiles[1], 1
    return ("PENG" if len(tiles) == 3 else "GANG"), tiles[0], source
