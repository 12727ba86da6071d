"""Every code that the product's sources say, read off their syntax trees: none is missed for its prefix."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODED = {
    "Refused": 0,
    "refused": 0,
    "noting": 0,
    "brain_fault": 0,
    "own_answer": 0,
    "WebError": 1,
    "error_answer": 1,
    "CommandRefused": 0,
    "Answer": 2,
}
"""Calls that take a code, and at which place."""


@dataclass
class Said:
    """Codes as they stand; beginnings of those that are put together; and where each is said."""

    whole: dict[str, str] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)


def sources(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield path and tree of every module of these packages."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), _parsed(path.read_text("utf-8"))


def _parsed(text: str) -> ast.Module:
    """Return the tree, with the garbage left for later.

    Before Python 3.11.8 a tree cannot be built while another is (gh-106905), and a future that the collector
    finds with its exception unread prints a traceback, whose carets are found by parsing.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        if was_on:
            gc.enable()


def codes_given(tree: ast.Module) -> Iterator[tuple[int, ast.expr]]:
    """Yield line and expression of each code that is handed to one of `CODED`, with its alternatives."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CODED and len(node.args) > CODED[name]:
                yield from ((node.lineno, each) for each in _either(node.args[CODED[name]]))


def codes_named(tree: ast.Module, families: frozenset[str]) -> Iterator[tuple[int, ast.expr]]:
    """Yield line and expression of each text that looks like a code of these families, but for a log's."""
    logged = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and getattr(node.func.value, "id", "") == "log"
        for argument in node.args
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in logged:
            text = _text(node)
            family, dot, rest = text.partition(".")
            if dot and family in families and _is_name(rest if isinstance(node, ast.Constant) else "x"):
                yield node.lineno, node


def said(families: frozenset[str], *packages: str) -> Said:
    """Return what these packages say."""
    found = Said()
    for path, tree in sources(*packages):
        for line, node in (*codes_given(tree), *codes_named(tree, families)):
            kind = found.begun if isinstance(node, ast.JoinedStr) else found.whole
            text = _text(node)
            if text:
                kind.setdefault(text, f"{path}:{line}")
    return found


def rule_codes() -> dict[str, str]:
    """Return the `code` of every class of the rules that has one, and where it stands."""
    return {
        statement.value.value: f"{path}:{statement.lineno}"
        for path, tree in sources("rules")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.Assign)
        and any(getattr(target, "id", "") == "code" for target in statement.targets)
        and isinstance(statement.value, ast.Constant)
    }


def _either(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from (*_either(node.body), *_either(node.orelse))
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _either(value)
    elif isinstance(node, ast.Constant | ast.JoinedStr):
        yield node


def _text(node: ast.expr) -> str:
    """Return the text of a constant, or what a text that is put together begins with."""
    if isinstance(node, ast.JoinedStr):
        return _text(node.values[0]) if node.values and isinstance(node.values[0], ast.Constant) else ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_name(text: str) -> bool:
    return text.replace("_", "").replace(".", "").isalnum() and text.islower()
