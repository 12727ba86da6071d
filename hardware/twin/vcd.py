"""Value change dump (IEEE 1364-2001, section 18): what GTKWave and logic analysers open.

Times are whole microseconds of the table. Nothing in the file depends on the wall clock: the same run is the
same file, byte for byte.
"""

from __future__ import annotations

from typing import IO, Literal

Kind = Literal["bit", "byte", "real", "event"]
VCD_KIND = {"bit": "wire 1", "byte": "reg 8", "real": "real 64", "event": "event 1"}
FIRST, BASE = 33, 94
"""Identifiers are written with the printable characters from ! on."""


def identifier(number: int) -> str:
    """Return the short name of the variable with this number.

    >>> identifier(0), identifier(93), identifier(94)
    ('!', '~', '!!')
    """
    text = chr(FIRST + number % BASE)
    while number >= BASE:
        number = number // BASE - 1
        text = chr(FIRST + number % BASE) + text
    return text


class VcdWriter:
    """Declare variables, `begin`, then change them in the order of time, and `end`."""

    def __init__(self, sink: IO[str]) -> None:
        self._sink = sink
        self._variables: dict[str, tuple[Kind, str]] = {}
        self._scopes: dict[str, list[str]] = {}
        self._texts: dict[str, str] = {}
        self._time_us = -1

    def declare(self, scope: str, name: str, kind: Kind) -> None:
        """Declare a variable; its name is unique in the file."""
        if name in self._variables:
            raise ValueError(f"two variables {name!r}")
        code = identifier(len(self._variables))
        self._variables[name] = kind, code
        self._scopes.setdefault(scope, []).append(f"$var {VCD_KIND[kind]} {code} {name} $end\n")

    def begin(self) -> None:
        """Write the head: everything is unknown until it first changes."""
        write = self._sink.write
        write("$comment time 0 is when the table was switched on $end\n$timescale 1 us $end\n")
        for scope, lines in self._scopes.items():
            write(f"$scope module {scope} $end\n{''.join(lines)}$upscope $end\n")
        write("$enddefinitions $end\n#0\n$dumpvars\n")
        for kind, code in self._variables.values():
            write({"bit": f"x{code}\n", "byte": f"bx {code}\n"}.get(kind, ""))
        write("$end\n")
        self._time_us = 0

    def change(self, at_us: int, name: str, value: float = 1) -> None:
        """Write that a variable changed, or that an event happened; what did not change is left out.

        Raises:
            ValueError: if time runs backwards.
        """
        kind, code = self._variables[name]
        if kind == "byte":
            text = f"b{int(value):b} {code}\n"
        elif kind == "real":
            text = f"r{value:g} {code}\n"
        else:
            text = f"{int(value)}{code}\n"
        if kind != "event" and self._texts.get(name) == text:
            return
        self._texts[name] = text
        self.end(at_us)
        self._sink.write(text)

    def end(self, at_us: int) -> None:
        """Write that time has come so far.

        Raises:
            ValueError: if time runs backwards.
        """
        if at_us < self._time_us:
            raise ValueError(f"{at_us} us after {self._time_us} us")
        if at_us > self._time_us:
            self._sink.write(f"#{at_us}\n")
            self._time_us = at_us
