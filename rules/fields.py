"""Reading the fields of a JSON object: every refusal names the field, what it may be, and what it was."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rules.errors import InvalidRequest, RuleError
from rules.hand import Hand
from rules.notation import parse_hand, parse_tiles
from rules.seats import Seat
from rules.tiles import Tile

_REQUIRED: Any = object()


class Fields:
    """One JSON object with typed access to its fields; `where` names it in messages, e.g. `winner`."""

    def __init__(self, data: object, where: str = "") -> None:
        if not isinstance(data, Mapping):
            raise InvalidRequest(f"{where or 'the line'} must be an object, not {show(data)}")
        self.data: Mapping[str, Any] = data
        self.where = where

    def name(self, key: str) -> str:
        """Return the full name of a field for messages."""
        return f"{self.where}.{key}" if self.where else key

    def has(self, key: str) -> bool:
        """Return whether the field is there and not null."""
        return self.data.get(key) is not None

    def get(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return a field as it is; null counts as missing."""
        value = self.data.get(key)
        if value is None:
            if default is _REQUIRED:
                raise InvalidRequest(f"{self.name(key)} is missing")
            return default
        return value

    def text(self, key: str, default: Any = _REQUIRED) -> str:
        """Return a text field."""
        value = self.get(key, default)
        if not isinstance(value, str):
            raise InvalidRequest(f"{self.name(key)} must be text, not {show(value)}")
        return value

    def one_of(self, key: str, known: Sequence[str], default: Any = _REQUIRED) -> str:
        """Return a text field that is one of the known words."""
        value = self.text(key, default)
        if value not in known:
            raise InvalidRequest(f"{self.name(key)} is one of {', '.join(known)}, not {show(value)}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Return a true/false field."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise InvalidRequest(f"{self.name(key)} is true or false, not {show(value)}")
        return value

    def integer(self, key: str, low: int, high: int, default: Any = _REQUIRED) -> int:
        """Return a whole number within bounds."""
        return whole(self.get(key, default), low, high, self.name(key))

    def seat(self, key: str, default: Any = _REQUIRED) -> Seat:
        """Return a seat."""
        return as_seat(self.get(key, default), self.name(key))

    def optional_seat(self, key: str) -> Seat | None:
        """Return a seat, or None where the field is absent."""
        return self.seat(key) if self.has(key) else None

    def optional_integer(self, key: str, low: int, high: int) -> int | None:
        """Return a whole number, or None where the field is absent."""
        return self.integer(key, low, high) if self.has(key) else None

    def items(self, key: str, default: Any = _REQUIRED) -> Sequence[Any]:
        """Return a list."""
        value = self.get(key, default)
        if not isinstance(value, (list, tuple)):
            raise InvalidRequest(f"{self.name(key)} must be a list, not {show(value)}")
        return value

    def words(self, key: str, known: Collection[str], default: Any = _REQUIRED) -> list[str]:
        """Return a list of texts that are all among the known words."""
        found = []
        for word in self.items(key, default):
            if not isinstance(word, str) or word not in known:
                raise InvalidRequest(
                    f"{self.name(key)} are among {', '.join(sorted(known))}, not {show(word)}"
                )
            found.append(word)
        return found

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Return an object as it is; an empty one where the field is absent."""
        value = self.get(key, {})
        if not isinstance(value, Mapping):
            raise InvalidRequest(f"{self.name(key)} must be an object, not {show(value)}")
        return value

    def object(self, key: str) -> Fields:
        """Return an object field."""
        return Fields(self.get(key), self.name(key))

    def tile(self, key: str) -> Tile:
        """Return a tile."""
        text = self.text(key)
        try:
            return Tile.parse(text)
        except RuleError as error:
            raise InvalidRequest(f"{self.name(key)}: {error}") from error

    def tiles(self, key: str) -> tuple[Tile, ...]:
        """Return tiles, written as one text or as a list of texts; none where the field is absent."""
        value = self.get(key, "")
        texts = value if isinstance(value, (list, tuple)) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise InvalidRequest(f"{self.name(key)} are tiles, not {show(value)}")
        try:
            return tuple(tile for text in texts for tile in parse_tiles(text))
        except RuleError as error:
            raise InvalidRequest(f"{self.name(key)}: {error}") from error

    def flowers(self, key: str, most: int) -> tuple[int, tuple[Tile, ...]]:
        """Return how many flowers, and which where they are named: a number, or tiles such as "ae"."""
        value = self.get(key, 0)
        if not isinstance(value, (str, list, tuple)):
            if not isinstance(value, int):
                raise InvalidRequest(f"{self.name(key)} are a number or tiles a to h, not {show(value)}")
            return self.integer(key, 0, most, 0), ()
        named = self.tiles(key)
        for place, tile in enumerate(named):
            if not tile.is_flower:
                raise InvalidRequest(f"{self.name(key)} are named a to h, not {tile}")
            if tile in named[:place]:
                raise InvalidRequest(f"{self.name(key)}: {tile} is named twice, there is one of each flower")
        return len(named), named

    def hand(self, key: str, *, melds_anywhere: bool = False) -> Hand:
        """Return a hand; rule texts write declared sets anywhere before the winning tile."""
        text = self.text(key)
        if melds_anywhere:
            text = _melds_first(text)
        try:
            return parse_hand(text)
        except RuleError as error:
            raise InvalidRequest(f"{self.name(key)}: {error}") from error


_MELD = re.compile(r"[\[(][^\])]*[\])]")


def _melds_first(text: str) -> str:
    """Return the text of a hand with its declared sets in front; unchanged if one follows the plus sign."""
    melds = list(_MELD.finditer(text))
    rest = _MELD.sub(" ", text)
    if not melds or "+" in _MELD.sub("", text[: melds[-1].end()]):
        return text
    return "".join(meld[0] for meld in melds) + rest


def show(value: object) -> str:
    """Return a value as short text for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def whole(value: object, low: int, high: int, name: str) -> int:
    """Return a value as a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidRequest(f"{name} is a whole number from {low} to {high}, not {show(value)}")
    return int(value)


def as_seat(value: object, name: str) -> Seat:
    """Return a value as a seat."""
    if not isinstance(value, str) or value not in ("E", "S", "W", "N"):
        raise InvalidRequest(f"{name} is a seat E, S, W or N, not {show(value)}")
    return Seat(value)
