"""What follows from devices.toml and parts.toml: connectors, pin numbers, power budget, bill of materials."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

Row = Mapping[str, Any]

# Package pins of the ATmega2560 in TQFP-100: port -> pin of bit 0 and step (datasheet, "Pin Configurations").
_RUNS = {"A": (78, -1), "C": (53, 1), "D": (43, 1), "F": (97, -1), "K": (89, -1), "L": (35, 1)}
_SINGLE = {
    "B": (19, 20, 21, 22, 23, 24, 25, 26),
    "E": (2, 3, 4, 5, 6, 7, 8, 9),
    "G": (51, 52, 70, 28, 29, 1),
    "J": (63, 64, 65, 66, 67, 68, 69, 79),
    "H": (12, 13, 14, 15, 16, 17, 18, 27),
}
# Header names of an Arduino Mega 2560; None = not brought out there.
_MEGA: dict[str, tuple[str | None, ...]] = {
    "A": tuple(f"D{22 + bit}" for bit in range(8)),
    "B": ("D53", "D52", "D51", "D50", "D10", "D11", "D12", "D13"),
    "C": tuple(f"D{37 - bit}" for bit in range(8)),
    "D": ("D21", "D20", "D19", "D18", None, None, None, "D38"),
    "E": ("D0", "D1", None, "D5", "D2", "D3", None, None),
    "F": tuple(f"A{bit}" for bit in range(8)),
    "G": ("D41", "D40", "D39", None, None, "D4"),
    "H": ("D17", "D16", None, "D6", "D7", "D8", "D9", None),
    "J": ("D15", "D14", None, None, None, None, None, None),
    "K": tuple(f"A{8 + bit}" for bit in range(8)),
    "L": tuple(f"D{49 - bit}" for bit in range(8)),
}


SENSORS = frozenset({"photo", "opto"})
"""Kinds that need 5 V on their plug."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wired pin: its plug and place there, its signal, and where chip, package and Mega have it."""

    connector: str
    place: int
    id: str
    zh: str
    en: str
    pin: str
    tqfp: int
    mega: str | None
    kind: str
    is_input: bool
    active: str
    millivolts: tuple[int, int] | None
    """Of an analog input: on a healthy table, and below what it is a fault."""
    milliamps_per_millivolt: int = 0
    """Of a current, 0 for a voltage."""


@dataclass(frozen=True, slots=True)
class Connector:
    """One plug: with sensors on it 1 is +5 V, 2 is ground and wires begin at 3, else 1 is ground."""

    name: str
    zh: str
    en: str
    wires: tuple[Wire, ...]

    @property
    def has_supply(self) -> bool:
        """Whether +5 V is on place 1."""
        return any(wire.kind in SENSORS for wire in self.wires)


@dataclass(frozen=True, slots=True)
class Load:
    """One line of the power budget, currents in ampere."""

    zh: str
    en: str
    fuse: str
    drivers: int
    amps_each: float
    amps: float
    stall_amps: float


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("hardware").joinpath("wiring", name).read_text("utf-8"))


@cache
def devices() -> tuple[Row, ...]:
    """Return all rows of the pin map in its order, whatever group they are in."""
    return tuple(row for rows in _toml("devices.toml")["devices"].values() for row in rows)


@cache
def tests() -> tuple[Row, ...]:
    """Return the tests of the service mode by their number."""
    return tuple(_toml("devices.toml")["tests"])


@cache
def parts() -> Mapping[str, Any]:
    """Return parts.toml."""
    return _toml("parts.toml")


def package_pin(port: str, bit: int) -> int:
    """Return the pin of the TQFP-100 package.

    >>> package_pin("A", 0), package_pin("B", 7), package_pin("K", 7)
    (78, 26, 82)
    """
    if port in _RUNS:
        first, step = _RUNS[port]
        return first + step * bit
    return _SINGLE[port][bit]


def mega_name(port: str, bit: int) -> str | None:
    """Return the name on the headers of an Arduino Mega 2560, None where it has none."""
    return _MEGA[port][bit]


SHEETS: tuple[tuple[str, str, str], ...] = (
    *((f"X{n}", f"{'一二三四'[n - 1]}号边传感器", f"sensors of side {n}") for n in (1, 2, 3, 4)),
    ("X5", "升降台、机盖、急停", "dome, lid, emergency stop"),
    ("X6", "按键、牌数开关", "keys, programme switch"),
    ("X7", "灯、蜂鸣器", "lamps, buzzer"),
    ("X8", "电机驱动", "motor drivers"),
    ("X9", "模拟输入", "analog inputs"),
    ("X10", "其他", "others"),
)


def _sheet(row: Row) -> str:
    if row["kind"] in ("motor", "relay"):
        return "X8"
    if row["kind"] in ("lamp", "buzzer"):
        return "X7"
    if row["kind"] in ("key", "rotary"):
        return "X6"
    if row["kind"] in ("photo", "opto", "limit") and row["side"]:
        return f"X{row['side']}"
    if row["kind"] == "analog":
        return "X9"
    return "X5" if row["kind"] in ("limit", "switch", "photo") else "X10"


def connectors() -> tuple[Connector, ...]:
    """Return every plug of the board that has a wire; order and places follow the pin map."""
    found = []
    for name, zh, en in SHEETS:
        rows = [row for row in devices() if _sheet(row) == name]
        if rows:
            first = 3 if any(row["kind"] in SENSORS for row in rows) else 2
            wires = tuple(_wire(name, first + index, row) for index, row in enumerate(rows))
            found.append(Connector(name, zh, en, wires))
    return tuple(found)


def _wire(connector: str, place: int, row: Row) -> Wire:
    port, bit = str(row["port"]), int(row["bit"])
    analog = (row["healthy_mv"], row["least_mv"]) if row["kind"] == "analog" else None
    return Wire(
        connector, place, row["id"], row["zh"], row["en"], f"P{port}{bit}", package_pin(port, bit),
        mega_name(port, bit), row["kind"], row["direction"] == "in", str(row.get("active", "")), analog,
        row.get("ma_per_mv", 0),
    )  # fmt: skip


def wires() -> tuple[Wire, ...]:
    """Return all wires of all connectors."""
    return tuple(wire for connector in connectors() for wire in connector.wires)


# ---------------------------------------------------------------- power


def drivers(load: Row) -> int:
    """Return how many drivers a load has: an H-bridge takes the two outputs of both ways."""
    outputs = [row for row in devices() if row["kind"] == "motor" and row["id"].startswith(load["match"])]
    return len(outputs) // 2 if load["drive"] == "bridge" else len(outputs)


def loads() -> tuple[Load, ...]:
    """Return the power budget, one line a kind of motor."""
    supply = parts()["supply"]
    found = []
    for row in parts()["loads"]:
        each = row["watts"] * row["motors"] / supply["volts"]
        count = drivers(row)
        stall = each * supply["stall_factor"]
        found.append(Load(row["zh"], row["en"], row["fuse"], count, each, each * count, stall))
    return tuple(found)


def motion_amps() -> Iterator[tuple[Row, float]]:
    """Yield every motion with its steady current."""
    by_match = {row["match"]: load for row, load in zip(parts()["loads"], loads(), strict=True)}
    for motion in parts()["motions"].values():
        yield motion, sum(by_match[name].amps for name in motion["runs"])


def fuse_amps() -> Iterator[tuple[str, Row, float]]:
    """Yield every fuse with its steady current: the worst motion behind it."""
    rows = list(zip(parts()["loads"], loads(), strict=True))
    for name, fuse in parts()["fuses"].items():
        if name == "F5":
            yield (
                name,
                fuse,
                logic_amps() * parts()["supply"]["logic_volts"] / parts()["supply"]["volts"] / 0.85,
            )
            continue
        worst = 0.0
        for motion in parts()["motions"].values():
            runs = {*motion["runs"], "dice"}
            worst = max(
                worst, sum(load.amps for row, load in rows if row["fuse"] == name and row["match"] in runs)
            )
        yield name, fuse, worst


def logic_amps() -> float:
    """Return what the 5 V supply gives, in ampere."""
    total = 0.0
    for row in parts()["logic"]:
        total += row["milliamps"] * (count_of(row["per"]) if "per" in row else 1)
    return total / 1000


# ---------------------------------------------------------------- bill of materials


def count_of(kind: str) -> int:
    """Return how many devices are of a kind; `input` = everything that the board reads as on or off."""
    if kind == "input":
        return sum(row["direction"] == "in" and row["kind"] != "analog" for row in devices())
    return sum(row["kind"] == kind for row in devices())


def bill() -> Iterator[tuple[int, Row]]:
    """Yield every part with its number of pieces."""
    for row in parts()["parts"]:
        if "drive" in row:
            yield sum(drivers(load) for load in parts()["loads"] if load["drive"] == row["drive"]), row
        elif "per" in row:
            yield row["each"] * count_of(row["per"]), row
        else:
            yield row["count"], row
