"""The registry of `op` cases: an op stands beside the function it tests and is found by name and variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.errors import Unsupported
from rules.fields import Fields

# `given` is the `in` object, `case` the whole line
Op = Callable[[Fields, Fields], dict[str, Any]]

ANY_VARIANT = "*"
_OPS: dict[tuple[str, str], Op] = {}


def op(name: str, variant: str = ANY_VARIANT) -> Callable[[Op], Op]:
    """Register a function as the answer to an op; a name may mean something else in another variant."""

    def register(function: Op) -> Op:
        _OPS[variant, name] = function
        return function

    return register


def find_op(name: str, variant: str, *, common: bool = True) -> Op:
    """Return the function for an op; `common` also looks among those that every variant has.

    Raises:
        Unsupported: naming the ops that are there.
    """
    found = _OPS.get((variant, name)) or (_OPS.get((ANY_VARIANT, name)) if common else None)
    if found is None:
        known = sorted(key for owner, key in _OPS if owner == variant or (common and owner == ANY_VARIANT))
        raise Unsupported(f"{variant} has no op {name!r} in this version; known: {', '.join(known)}")
    return found
