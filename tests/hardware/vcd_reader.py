"""A reader of value change dumps that knows nothing of ours: tokens as IEEE 1364-2001 section 18 has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Vcd:
    """What a file holds: (scope, name) -> width, and the changes of each as (time, value text)."""

    timescale: str = ""
    widths: dict[tuple[str, str], int] = field(default_factory=dict)
    kinds: dict[tuple[str, str], str] = field(default_factory=dict)
    changes: dict[tuple[str, str], list[tuple[int, str]]] = field(default_factory=dict)
    end: int = 0


def read_vcd(text: str) -> Vcd:
    """Return the content of a file.

    Raises:
        ValueError: if it is no value change dump.
    """
    vcd, words = Vcd(), iter(text.split())
    codes: dict[str, tuple[str, str]] = {}
    scopes: list[str] = []
    for word in words:
        match word:
            case "$scope":
                scopes.append(_section(words)[1])
            case "$upscope":
                _section(words)
                scopes.pop()
            case "$timescale":
                vcd.timescale = " ".join(_section(words))
            case "$var":
                kind, width, code, name = _section(words)
                key = ".".join(scopes), name
                if code in codes or key in vcd.widths:
                    raise ValueError(f"{code} or {key} is declared twice")
                codes[code], vcd.widths[key], vcd.kinds[key], vcd.changes[key] = key, int(width), kind, []
            case "$enddefinitions":
                _section(words)
                _values(words, codes, vcd)
            case "$comment" | "$date" | "$version":
                _section(words)
            case _:
                raise ValueError(f"{word!r} has no place in the head")
    return vcd


def _section(words: Iterator[str]) -> list[str]:
    found = []
    for word in words:
        if word == "$end":
            return found
        found.append(word)
    raise ValueError("a section without $end")


def _values(words: Iterator[str], codes: dict[str, tuple[str, str]], vcd: Vcd) -> None:
    now = -1
    for word in words:
        if word in ("$dumpvars", "$end"):
            continue
        if word[0] == "#":
            if int(word[1:]) <= now:
                raise ValueError(f"{word} after #{now}")
            now = int(word[1:])
            continue
        value, code = (word[1:], next(words)) if word[0] in "bBrR" else (word[0], word[1:])
        key = codes[code]
        kind, width = vcd.kinds[key], vcd.widths[key]
        if (kind == "real") != (word[0] in "rR") or (kind == "reg" and len(value) > width):
            raise ValueError(f"{word} {code} is no {kind} of {width} bits")
        if kind != "real" and set(value) - set("01xz"):
            raise ValueError(f"{word} is no value")
        vcd.changes[key].append((now, value))
    vcd.end = now
