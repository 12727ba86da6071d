"""The one text form of hands and tiles: parse at the edge, print the same text everywhere.

    hand   = { meld } concealed [ "+" tile ]        spaces allowed anywhere, ignored
    meld   = "[" tiles [ "+" ] [ "," source ] "]"   chow, pung, kong from a discard, added kong with "+"
           | "(" tiles ")"                          concealed kong

Everything outside this grammar is refused with its position. Source: DESIGN section 5, "Tile text". One text
that could be read is refused all the same: two groups of digits with a space between them and one suit,
`123 456m`, where somebody more likely forgot a suit (../shared/data/mcr/invalid.jsonl, SX0199). `1 2 3 m` is
fine.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from rules.errors import InvalidHand, RuleError
from rules.hand import Hand, Meld, MeldKind, meld_kind_of
from rules.tiles import FLOWERS, HONORS, SUITS, TILES, Tile

# what a Chinese input method writes stays outside the grammar; the message says how it is written here
_CHINESE: Final = (
    "m=万 p=饼 s=条 behind digits, E S W N = 东南西北, C=中 F=发 P=白, digits and brackets as on an English "
    "keyboard"
)
_CAPITALS: Final = "winds and dragons are capital letters E S W N C F P, a to h are flowers"
_MAX_LENGTH: Final = 400  # the longest sensible hand has far fewer; guards against pasted files


class NotationError(RuleError, ValueError):
    """The text is not a hand; `position` is the 0-based place of the first character that is wrong."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position + 1})")
        self.position = position


# what a character is: 0-9 a digit, _SUIT + 0..2, _TILE + index of an honor or flower, _SPACE, _MARK, _OTHER
_SUIT: Final = 10
_SPACE: Final = 13
_MARK: Final = 14
_OTHER: Final = 15
_TILE: Final = 20


def _code(char: str) -> int:
    if char.isdigit():
        return int(char)
    if char in SUITS:
        return _SUIT + SUITS.index(char)
    if char in HONORS + FLOWERS:
        return _TILE + Tile.parse(char).index
    if char in "[]()+,":
        return _MARK
    return _SPACE if char == " " else _OTHER


_CODES: Final = bytes(_code(chr(byte)) if byte < 128 else _OTHER for byte in range(256))
_COPIES: Final[tuple[int, ...]] = tuple(tile.copies for tile in TILES)


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
    """Reads one text from left to right; `self.at` is the place of the next character.

    Tiles are indexes here, with the place of each beside them for messages.
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise NotationError(f"a hand is text, not {type(text).__name__}", 0)
        if len(text) > _MAX_LENGTH:
            raise NotationError(f"longer than {_MAX_LENGTH} characters", _MAX_LENGTH)
        self.text: str = text
        self.codes: bytes = text.encode("latin-1", "replace").translate(_CODES)
        self.at: int = 0
        self.seen: list[int] = [0] * len(TILES)

    def hand(self) -> Hand:
        melds: list[Meld] = []
        char = self.peek()
        while char == "[" or char == "(":
            melds.append(self.meld(char))
            char = self.peek()
        concealed = self.run()
        char = self.peek()
        win_tile = None
        if char == "+":
            win_tile = self.win_tile()
            char = self.peek()
        if char:
            if char in "[(":
                raise self.error("melds stand before the concealed tiles")
            self.expect_end()
        if not melds and not concealed:
            raise NotationError("no tiles", 0)
        concealed.sort()
        return Hand(melds, [TILES[index] for index in concealed], win_tile)

    def tiles_only(self) -> tuple[Tile, ...]:
        found = self.run()
        self.expect_end()
        return tuple([TILES[index] for index in found])

    def peek(self) -> str:
        """Return the next character that is not a space, or an empty text at the end."""
        text, at = self.text, self.at
        while at < len(text):
            if text[at] != " ":
                self.at = at
                return text[at]
            at += 1
        self.at = at
        return ""

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
        if not char.isascii():
            return f"{char!r} is no tile: {_CHINESE}"
        if char in "wn":
            return f"{char!r} is no tile: {_CAPITALS}"
        if char not in "[(+,0123456789" + SUITS + HONORS + FLOWERS:
            return f"{char!r} is no tile: digits with a suit m p s, winds and dragons E S W N C F P"
        return f"{char!r} is not expected here"

    def run(self) -> list[int]:
        """Read tiles until something that is not a tile."""
        codes, at, seen = self.codes, self.at, self.seen
        end = len(codes)
        found: list[int] = []
        first = -1  # place of the first digit that still lacks its suit
        spaced = False  # whether a space came after it
        while at < end:
            code = codes[at]
            if code < _SUIT:
                if first < 0:
                    first, spaced = at, False
            elif code < _SPACE:
                if first < 0:
                    raise NotationError(_suit_alone(self.text[at]), at)
                if spaced:
                    _refuse_forgotten_suit(self.text[first:at], first)
                base = (code - _SUIT) * 9 - 1
                for place in range(first, at):
                    rank = codes[place]
                    if rank == _SPACE:
                        continue
                    if rank == 0:
                        raise NotationError(
                            "ranks are 1 to 9, there is no 10; 0 is a red five, which only riichi has", place
                        )
                    index = base + rank
                    found.append(index)
                    count = seen[index] + 1
                    seen[index] = count
                    if count > 4:
                        raise NotationError(f"a fifth {TILES[index]}", place)
                first = -1
            elif code >= _TILE:
                if first >= 0:
                    break
                index = code - _TILE
                found.append(index)
                count = seen[index] + 1
                seen[index] = count
                if count > 1 and count > _COPIES[index]:
                    raise NotationError(_one_too_many(TILES[index]), at)
            elif code == _SPACE:
                spaced = True
            else:
                break
            at += 1
        self.at = at
        if first >= 0:
            raise self.no_suit(first)
        return found

    def second_tile(self, start: int) -> int:
        """Return the place of the second tile behind a place."""
        tiles = [at for at in range(start, len(self.codes)) if not _SUIT <= self.codes[at] < _TILE]
        return tiles[1]

    def no_suit(self, first_digit: int) -> NotationError:
        """Return the error for digits that are not followed by a suit."""
        char = self.peek()
        if char == "z":
            return self.error(self.unknown("z"))
        if char.isalpha() and char not in SUITS + HONORS + FLOWERS:
            return self.error(f"{char!r} is no suit: the suits are {'m p s' if char.isascii() else _CHINESE}")
        return NotationError("digits without a suit (m p s)", first_digit)

    def meld(self, opening: str) -> Meld:
        start = self.at
        end = self.text.find("]" if opening == "[" else ")", start) + 1
        known = _KNOWN_MELDS.get(self.text[start:end])
        if known is not None and self._has_room_for(known):
            self.at = end
            return known
        meld = self._new_meld(opening)
        if len(_KNOWN_MELDS) < _MELDS_KEPT:
            _KNOWN_MELDS[self.text[start : self.at]] = meld
        return meld

    def _has_room_for(self, meld: Meld) -> bool:
        """Count the tiles of a meld that was read before; False, and nothing counted, at a fifth copy."""
        seen = self.seen
        tiles = meld.tiles
        for tile in tiles:
            if seen[tile.index] + (len(tiles) if tiles[0] is tiles[1] else 1) > 4:
                return False
        for tile in tiles:
            seen[tile.index] += 1
        return True

    def _new_meld(self, opening: str) -> Meld:
        start = self.at
        closing = "]" if opening == "[" else ")"
        self.at += 1
        tiles = self.run()
        added, source = False, 0
        char = self.peek()
        if closing == "]" and char == "+":
            added = True
            self.at += 1
            char = self.peek()
        if closing == "]" and char == ",":
            self.at += 1
            source = self.source()
            char = self.peek()
        if char != closing:
            if closing not in self.text[start:]:
                raise NotationError(f"{opening!r} without its closing {closing!r}", start)
            raise self.error(f"{closing!r} expected" if not char else self.in_meld(char, closing))
        self.at += 1
        try:
            return _meld_of(tuple(tiles), opening, added, source)
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
        found = self.run()
        if not found:
            raise NotationError("no winning tile after the plus sign", plus_at)
        if len(found) > 1:
            raise NotationError("more than one winning tile", self.second_tile(plus_at))
        return TILES[found[0]]


def _suit_alone(suit: str) -> str:
    """Return what is wrong with a suit that has no digits before it."""
    meant = {"p": "; the white dragon is a capital P", "s": "; south is a capital S"}
    return f"{suit!r} without digits before it{meant.get(suit, '')}"


def _one_too_many(tile: Tile) -> str:
    """Return the words for an honor's fifth copy or a flower's second."""
    return f"a second {tile}, of which there is one: {_CAPITALS}" if tile.is_flower else f"a fifth {tile}"


def _refuse_forgotten_suit(digits: str, at: int) -> None:
    """Raise NotationError if a group of several digits is followed by another such group before any suit."""
    groups = digits.split()
    for group, following in pairwise(groups):
        if len(group) > 1 and len(following) > 1:
            raise NotationError(f"digits without a suit (m p s): {group}", at)


# melds as they are written, so that each is read once: some hundred spellings without odd spaces
_KNOWN_MELDS: Final[dict[str, Meld]] = {}
_MELDS_KEPT: Final = 4096


def _meld_of(indexes: tuple[int, ...], opening: str, added: bool, source: int) -> Meld:
    """Return the meld of these tiles.

    Raises:
        InvalidHand: if the tiles are no such meld.
    """
    tiles = tuple(TILES[index] for index in sorted(indexes))
    kind = meld_kind_of(tiles)
    if kind is None:
        raise InvalidHand(f"{_joined(indexes)} is not a chow, pung or kong: {_meld_fault(tiles)}")
    if added and kind is not MeldKind.EXPOSED_KONG:
        raise InvalidHand("only a kong can be added")
    if opening == "(":
        if kind is not MeldKind.EXPOSED_KONG:
            raise InvalidHand("only a kong is declared concealed")
        kind = MeldKind.CONCEALED_KONG
    elif added:
        kind = MeldKind.ADDED_KONG
    return Meld(kind, tiles, source or None)


def _joined(indexes: tuple[int, ...]) -> str:
    """Return the tiles of a bad meld in the order they were written."""
    return "".join(str(TILES[index]) for index in indexes) or "nothing"


def _meld_fault(tiles: tuple[Tile, ...]) -> str:
    """Return what is wrong with sorted tiles that are no meld."""
    if any(tile.is_flower for tile in tiles):
        return "flowers are laid aside, not melded"
    if len(tiles) not in (3, 4):
        return f"a meld has 3 or 4 tiles, not {len(tiles)}"
    if any(tile.is_honor for tile in tiles):
        return "winds and dragons form no chow"
    if len({tile.suit for tile in tiles}) > 1:
        return "the tiles of a meld are of one suit"
    if len(tiles) == 4:
        return "a kong is four equal tiles"
    return "a chow is three ranks in a row"
