"""Options of a variant: rows that say what may be chosen, and the checked, frozen choice of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.errors import InvalidOption

OptionValue = str | int | bool
MAX_KEPT = 64  # choices whose plans are kept; a club has a few tables
NONE = ("none", "无")
"""How a text says that there is nothing of an amount: 0."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option of kind `choice`, with its other spellings in rule texts."""

    key: str
    zh: str
    en: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a table may agree on.

    `kind` is `choice` (one of `choices`), `set` (any of them, written with commas in between), `int` (`low`
    to `high`; where 0 is among them, "none" is 0) or `bool`; `source` says where the rule text has it. Keys
    with a dot in them may be given as one object: `kong_points.exposed` is a part of `kong_points`.
    """

    key: str
    kind: str
    choices: tuple[Choice, ...]
    default: OptionValue
    zh: str
    en: str
    source: str = ""
    low: int = 0
    high: int = 0

    def accept(self, value: object) -> OptionValue:
        """Return the value in its one spelling.

        Raises:
            InvalidOption: if it is not a value of this option.
        """
        if self.kind == "bool":
            return self._bool(value)
        if self.kind == "int":
            return self._int(value)
        if self.kind == "set":
            return self._set(value)
        return self._choice(value)

    def _choice(self, value: object) -> str:
        text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None
        for choice in self.choices:
            if text is not None and (text in (choice.key, choice.zh) or text in choice.aliases):
                return choice.key
        known = ", ".join(f"{choice.key} ({choice.zh})" for choice in self.choices)
        raise InvalidOption(f"option {self.key} is one of {known}, not {value!r}")

    def _set(self, value: object) -> str:
        """Return the chosen keys in the order of the row, whatever the order they were told in."""
        if value is None or value in NONE:
            return ""
        told = (
            [word.strip() for word in value.split(",") if word.strip()] if isinstance(value, str) else value
        )
        if not isinstance(told, (list, tuple)):
            raise InvalidOption(f"option {self.key} is a list, not {value!r}")
        chosen = {self._choice(word) for word in told}
        return ",".join([choice.key for choice in self.choices if choice.key in chosen])

    def _bool(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("on", "true", "off", "false"):
            return value.lower() in ("on", "true")
        raise InvalidOption(f"option {self.key} is true or false, not {value!r}")

    def _int(self, value: object) -> int:
        if self.low == 0 and (value is None or value in NONE):
            return 0
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return value
        raise InvalidOption(
            f"option {self.key} is a whole number from {self.low} to {self.high}, not {value!r}"
        )


class Options(Mapping[str, OptionValue]):
    """Every option of a variant with its value; made by `resolve_options` only, never changed.

    `derived` is where the engine keeps what follows from variant and options, so that it is worked out once.
    """

    __slots__ = ("_values", "derived", "variant")

    def __init__(self, variant: str, values: Mapping[str, OptionValue]) -> None:
        self.variant = variant
        self._values = dict(values)
        self.derived: dict[object, Any] = {}

    def __getitem__(self, key: str) -> OptionValue:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Options({self.variant!r}, {self._values!r})"

    def is_same(self, other: Options) -> bool:
        """Return whether the other choice of the same variant has the same values."""
        return self._values == other._values

    def number(self, key: str) -> int:
        """Return the value of an option of kind `int`."""
        value = self._values[key]
        assert isinstance(value, int), key
        return value

    def on(self, key: str) -> bool:
        """Return whether an option of kind `bool` exists and is on."""
        return self._values.get(key) is True

    def has(self, key: str, word: str) -> bool:
        """Return whether an option of kind `set` has a word among its values."""
        return word in str(self._values[key]).split(",")


def resolve_rows(variant: str, rows: tuple[Option, ...], given: Mapping[str, object]) -> Options:
    """Return all options of `rows` with the values of `given` or their defaults.

    Equal choices are one object, so that what follows from them is worked out once however they were told.

    Raises:
        InvalidOption: for an unknown key or an impossible value.
    """
    by_key = {row.key: row for row in rows}
    given = _in_parts(given, by_key)
    unknown = sorted(set(given) - set(by_key))
    if unknown:
        raise InvalidOption(f"{variant} has no option {unknown[0]}; it has: {', '.join(by_key)}")
    values = {key: row.accept(given[key]) if key in given else row.default for key, row in by_key.items()}
    return _interned(variant, tuple([(key, type(value), value) for key, value in values.items()]))


def _in_parts(given: Mapping[str, object], known: Mapping[str, Option]) -> Mapping[str, object]:
    """Return the same with each object that stands for several options taken apart."""
    flat: dict[str, object] = {}
    for key, value in given.items():
        parts = [] if key in known else [each for each in known if each.startswith(f"{key}.")]
        if parts and isinstance(value, Mapping):
            flat.update({f"{key}.{part}": inner for part, inner in value.items()})
        elif parts and (value is None or value in NONE):
            flat.update(dict.fromkeys(parts, 0))
        elif parts:
            names = ", ".join([each.partition(".")[2] for each in parts])
            raise InvalidOption(f"option {key} is none or an object of {names}, not {value!r}")
        else:
            flat[key] = value
    return flat


@lru_cache(maxsize=MAX_KEPT)
def _interned(variant: str, values: tuple[tuple[str, type[OptionValue], OptionValue], ...]) -> Options:
    """Return the one object of this choice; its key has the types too, for True is also 1."""
    return Options(variant, {key: value for key, _, value in values})
