"""The registry of `op` cases: an op stands beside the function it tests and is found by name and variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.errors import Unsupported
from rules.fields import Fields

# `given` is the `in` object, `case` the whole line
Op = Callable[[Fields, Fields], dict[str, Any]]
Form = Callable[[Fields], dict[str, Any]]

ANY_VARIANT = "*"
_OPS: dict[tuple[str, str], Op] = {}
_FORMS: dict[str, Form] = {}
_RULE_BOOKS: set[str] = set()


def rule_book(slug: str) -> str:
    """Name a rules text that has ops of its own and is no playing variant; returns the slug."""
    _RULE_BOOKS.add(slug)
    return slug


def is_rule_book(slug: str) -> bool:
    """Return whether the slug names a rules text that nobody plays by."""
    return slug in _RULE_BOOKS


def op(name: str, variant: str = ANY_VARIANT) -> Callable[[Op], Op]:
    """Register a function as the answer to an op; a name may mean something else in another variant."""

    def register(function: Op) -> Op:
        _OPS[variant, name] = function
        return function

    return register


def find_op(name: str, slug: str) -> Op:
    """Return the function for an op of a variant or rule book; every variant also has the common ops.

    Raises:
        Unsupported: naming the ops that are there.
    """
    owners = (slug,) if is_rule_book(slug) else (slug, ANY_VARIANT)
    for owner in owners:
        if (owner, name) in _OPS:
            return _OPS[owner, name]
    known = sorted(key for owner, key in _OPS if owner in owners)
    raise Unsupported(f"{slug} has no op {name!r} in this version; known: {', '.join(known)}")


def case_form(variant: str) -> Callable[[Form], Form]:
    """Register the answer to the wins of a variant whose rule text writes its cases in a form of its own."""

    def register(function: Form) -> Form:
        _FORMS[variant] = function
        return function

    return register


def find_form(variant: object) -> Form | None:
    """Return the answer to wins of a variant with cases of its own form; None = the common form."""
    return _FORMS.get(variant) if isinstance(variant, str) else None
