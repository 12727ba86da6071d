"""The one text form of hands and tiles: parse at the edge, print the same text everywhere.

    hand   = { meld } concealed [ "+" tile ]        spaces allowed anywhere, ignored
    meld   = "[" tiles [ "+" ] [ "," source ] "]"   chow, pung, kong from a discard, added kong with "+"
           | "(" tiles ")"                          concealed kong

Everything outside this grammar is refused with its position. Source: DESIGN section 5, "Tile text".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.errors import InvalidHand, RuleError
from rules.hand import Hand, Meld, MeldKind, meld_kind_of
from rules.tiles import FLOWERS, HONORS, SUITS, TILES, Tile

_MAX_LENGTH = 400  # the longest sensible hand has far fewer; guards against pasted files


class NotationError(RuleError, ValueError):
    """The text is not a hand; `position` is the 0-based place of the first character that is wrong."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position + 1})")
        self.position = position


@dataclass(frozen=True, slots=True)
class _Placed:
    tile: Tile
    at: int


def parse_hand(text: str) -> Hand:
    """Return the hand a text describes.

    Raises:
        NotationError: with the position of whatever the grammar does not allow.

    >>> str(parse_hand("[123m,1](5555p) 678s EE 23m + 4m"))
    '[123m,1](5555p) 23m 678s EE + 4m'
    """
    return _Parser(text).hand()


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Return the tiles of a text without melds or winning tile, in the order written; may be empty.

    Raises:
        NotationError: see `parse_hand`; a fifth copy is refused too.
    """
    return _Parser(text).tiles_only()


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Return tiles as canonical text, in the order m p s E S W N C F P a-h.

    >>> format_tiles(parse_tiles("NNN 1234m 5m C"))
    '12345m NNNC'
    """
    ordered = sorted(tiles)
    parts = []
    for suit in SUITS:
        ranks = "".join(str(tile.rank) for tile in ordered if tile.suit == suit)
        if ranks:
            parts.append(ranks + suit)
    letters = "".join(str(tile) for tile in ordered if tile.is_honor)
    flowers = "".join(str(tile) for tile in ordered if tile.is_flower)
    return " ".join(part for part in (*parts, letters, flowers) if part)


def format_meld(meld: Meld) -> str:
    """Return a meld in its brackets."""
    text = format_tiles(meld.tiles)
    if meld.kind is MeldKind.CONCEALED_KONG:
        return f"({text})"
    plus = "+" if meld.kind is MeldKind.ADDED_KONG else ""
    source = f",{meld.source}" if meld.source is not None else ""
    return f"[{text}{plus}{source}]"


def format_hand(hand: Hand) -> str:
    """Return the canonical text of a hand; `parse_hand` of it gives the hand back."""
    melds = "".join(format_meld(meld) for meld in hand.melds)
    concealed = format_tiles(hand.concealed)
    text = " ".join(part for part in (melds, concealed) if part)
    return text if hand.win_tile is None else f"{text} + {hand.win_tile}".lstrip()


class _Parser:
    """Reads one text from left to right; `self.at` is the place of the next character."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise NotationError(f"a hand is text, not {type(text).__name__}", 0)
        if len(text) > _MAX_LENGTH:
            raise NotationError(f"longer than {_MAX_LENGTH} characters", _MAX_LENGTH)
        self.text = text
        self.at = 0
        self.seen: dict[Tile, int] = {}

    def hand(self) -> Hand:
        melds = []
        while self.peek() in ("[", "("):
            melds.append(self.meld())
        concealed = self.run()
        win_tile = self.win_tile() if self.peek() == "+" else None
        if self.peek() in ("[", "("):
            raise self.error("melds stand before the concealed tiles")
        self.expect_end()
        if not melds and not concealed:
            raise NotationError("no tiles", 0)
        return Hand(tuple(melds), tuple(placed.tile for placed in concealed), win_tile)

    def tiles_only(self) -> tuple[Tile, ...]:
        placed = self.run()
        self.expect_end()
        return tuple(each.tile for each in placed)

    def peek(self) -> str:
        """Return the next character that is not a space, or an empty text at the end."""
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else ""

    def error(self, message: str) -> NotationError:
        return NotationError(message, self.at)

    def expect_end(self) -> None:
        char = self.peek()
        if char == "+":
            raise self.error(
                "a second plus sign" if "+" in self.text[: self.at] else "a plus sign is not expected"
            )
        if char:
            raise self.error(self.unknown(char))

    def unknown(self, char: str) -> str:
        if char == "z":
            return "z digits are not used: winds and dragons are E S W N C F P"
        if char in "])":
            return f"{char!r} without its opening bracket"
        return f"{char!r} is not expected here"

    def run(self) -> list[_Placed]:
        """Read tiles until something that is not a tile."""
        placed: list[_Placed] = []
        digits: list[tuple[int, int]] = []
        while True:
            char = self.peek()
            if char and char in "0123456789":
                digits.append((int(char), self.at))
                self.at += 1
            elif char and char in SUITS:
                if not digits:
                    raise self.error(f"{char!r} without digits before it")
                base = SUITS.index(char) * 9 - 1
                for rank, at in digits:
                    if rank == 0:
                        raise NotationError("0 is a red five, which only riichi has", at)
                    placed.append(self.count(TILES[base + rank], at))
                digits = []
                self.at += 1
            elif digits:
                message = self.unknown("z") if char == "z" else "digits without a suit (m p s)"
                raise NotationError(message, self.at if char == "z" else digits[0][1])
            elif char and char in HONORS + FLOWERS:
                placed.append(self.count(Tile.parse(char), self.at))
                self.at += 1
            else:
                return placed

    def count(self, tile: Tile, at: int) -> _Placed:
        self.seen[tile] = self.seen.get(tile, 0) + 1
        if self.seen[tile] > tile.copies:
            ordinal = "a second" if tile.is_flower else "a fifth"
            raise NotationError(f"{ordinal} {tile}", at)
        return _Placed(tile, at)

    def meld(self) -> Meld:
        start = self.at
        closing = {"[": "]", "(": ")"}[self.text[start]]
        self.at += 1
        tiles = tuple(sorted(placed.tile for placed in self.run()))
        added = closing == "]" and self.take("+")
        source = self.source() if closing == "]" and self.take(",") else None
        if self.peek() != closing:
            raise self.error(
                f"{closing!r} expected" if not self.peek() else self.in_meld(self.peek(), closing)
            )
        self.at += 1
        kind = meld_kind_of(tiles)
        if kind is None:
            raise NotationError(f"{format_tiles(tiles) or 'nothing'} is not a chow, pung or kong", start)
        if added and kind is not MeldKind.EXPOSED_KONG:
            raise NotationError("only a kong can be added", start)
        if closing == ")" and kind is not MeldKind.EXPOSED_KONG:
            raise NotationError("only a kong is declared concealed", start)
        if closing == ")":
            kind = MeldKind.CONCEALED_KONG
        elif added:
            kind = MeldKind.ADDED_KONG
        try:
            return Meld(kind, tiles, source)
        except InvalidHand as error:
            raise NotationError(str(error), start) from error

    def in_meld(self, char: str, closing: str) -> str:
        if closing == ")" and char == ",":
            return "a concealed kong has no source"
        if closing == ")" and char == "+":
            return "a concealed kong has no plus sign"
        if char in "[(":
            return f"{closing!r} expected before {char!r}"
        return self.unknown(char) if char not in "])+," else f"{char!r} is not expected here"

    def take(self, char: str) -> bool:
        if self.peek() != char:
            return False
        self.at += 1
        return True

    def source(self) -> int:
        char = self.peek()
        if not char or char not in "123":
            raise self.error("the source is 1 (upper), 2 (opposite) or 3 (lower)")
        self.at += 1
        return int(char)

    def win_tile(self) -> Tile:
        plus_at = self.at
        self.at += 1
        if self.peek() == "+":
            raise self.error("a second plus sign")
        placed = self.run()
        if not placed:
            raise NotationError("no winning tile after the plus sign", plus_at)
        if len(placed) > 1:
            raise NotationError("more than one winning tile", placed[1].at)
        return placed[0].tile
