"""`replace` for the fold: as that of `dataclasses`, in half its time, which is most of what a row costs.

A fold of years makes a million states of 50 fields; the fields are fetched at once and given by position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")
Shape = tuple[Mapping[str, int], Callable[[Any], tuple[Any, ...]]]


@cache
def _shape(kind: type[Any]) -> Shape:
    """Return the place of each field, and what fetches all of them; every field is one of the constructor."""
    names = [field.name for field in fields(kind)]
    if len(names) < 2 or not all(field.init and not field.kw_only for field in fields(kind)):
        raise TypeError(f"{kind.__name__} is no value of several plain fields")
    return {name: at for at, name in enumerate(names)}, attrgetter(*names)


def replace(value: Value, **changes: Any) -> Value:
    """Return the frozen value with other fields.

    Raises:
        KeyError: for a name that is no field of it.
    """
    kind: Any = type(value)
    places, fetch = _shape(kind)
    whole = list(fetch(value))
    for name, changed in changes.items():
        whole[places[name]] = changed
    made: Value = kind(*whole)
    return made
