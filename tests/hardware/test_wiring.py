"""The builder's papers: drawings and tables up to date, every pin once, fuses and supplies large enough."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from controller.gpio.lines import LINES
from hardware.wiring.draw import MADE
from hardware.wiring.plan import (
    bill,
    connectors,
    count_of,
    devices,
    drivers,
    fuse_amps,
    loads,
    logic_amps,
    mega_name,
    motion_amps,
    package_pin,
    parts,
    wires,
)

HARDWARE = Path(__file__).parents[2] / "hardware"
WIRING = HARDWARE / "wiring"
SVG = "{http://www.w3.org/2000/svg}"
POWER_PINS = {10, 11, 30, 31, 32, 33, 34, 61, 62, 80, 81, 98, 99, 100}
"""Supplies, RESET, crystal and AREF of the TQFP-100."""


@pytest.mark.parametrize("name", list(MADE))
def test_the_papers_are_up_to_date(name: str) -> None:
    assert (WIRING / name).read_text("utf-8") == MADE[name](), "run: python -m hardware.wiring.draw"


@pytest.mark.parametrize("name", [name for name in MADE if name.endswith(".svg")])
def test_a_drawing_is_one_that_browsers_read_and_stays_on_its_sheet(name: str) -> None:
    root = ElementTree.fromstring(MADE[name]())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert width <= 1200
    texts = root.findall(f"{SVG}text")
    assert len(texts) > 20
    for text in texts:
        assert 0 <= float(text.attrib["x"]) <= width, text.text
        assert 0 <= float(text.attrib["y"]) <= height, text.text
        assert int(text.attrib["font-size"]) >= 10, text.text
    assert any(re.search(r"[\u4e00-\u9fff]", text.text or "") for text in texts)


def test_every_device_has_one_place_and_every_pin_one_device() -> None:
    placed = wires()
    assert sorted(wire.id for wire in placed) == sorted(row["id"] for row in devices())
    assert len({wire.pin for wire in placed}) == len(placed)
    assert len({(wire.connector, wire.place) for wire in placed}) == len(placed)
    assert not {wire.tqfp for wire in placed} & POWER_PINS
    assert "PE0" not in {wire.pin for wire in placed}, "the host's line"


def test_every_pin_of_the_package_is_named_once() -> None:
    bits = {**dict.fromkeys("ABCDEFHJKL", 8), "G": 6}
    pins = [package_pin(port, bit) for port, count in bits.items() for bit in range(count)]
    assert sorted([*pins, *POWER_PINS]) == list(range(1, 101))
    names = [mega_name(port, bit) for port, count in bits.items() for bit in range(count)]
    known = [name for name in names if name is not None]
    assert sorted(known) == sorted([f"D{n}" for n in range(54)] + [f"A{n}" for n in range(16)])


@pytest.mark.parametrize(
    ("port", "bit", "pin", "mega"),
    [("A", 0, 78, "D22"), ("B", 7, 26, "D13"), ("C", 0, 53, "D37"), ("E", 0, 2, "D0"), ("F", 7, 90, "A7"),
     ("H", 2, 14, None), ("J", 1, 64, "D14"), ("J", 2, 65, None), ("K", 0, 89, "A8"), ("L", 7, 42, "D42")],
)  # fmt: skip
def test_pins_as_the_datasheet_and_the_headers_name_them(
    port: str, bit: int, pin: int, mega: str | None
) -> None:
    assert (package_pin(port, bit), mega_name(port, bit)) == (pin, mega)


def test_sensors_have_their_supply_on_the_same_plug() -> None:
    for connector in connectors():
        first = 3 if connector.has_supply else 2
        assert [wire.place for wire in connector.wires] == list(range(first, first + len(connector.wires)))
        assert connector.has_supply == any(wire.kind in ("photo", "opto") for wire in connector.wires)


def test_every_motor_has_a_driver_a_load_and_a_fuse() -> None:
    motors = [row["id"] for row in devices() if row["kind"] == "motor"]
    for motor in motors:
        assert len([row for row in parts()["loads"] if motor.startswith(row["match"])]) == 1, motor
    driven = sum(drivers(row) * (2 if row["drive"] == "bridge" else 1) for row in parts()["loads"])
    assert driven == len(motors)
    assert {load.fuse for load in loads()} <= set(parts()["fuses"])


def test_supplies_and_fuses_are_large_enough_and_no_larger() -> None:
    supply = parts()["supply"]
    for motion, amps in motion_amps():
        assert amps * supply["margin"] <= supply["amps"], motion["en"]
    assert logic_amps() * supply["margin"] <= supply["logic_amps"]
    for name, fuse, amps in fuse_amps():
        assert amps * supply["margin"] <= fuse["amps"], name
        assert fuse["amps"] <= 6.0, f"{name}: 0.75 mm² carries no more in a bundle"
    assert sum(amps for name, _, amps in fuse_amps() if name != "F5") <= supply["amps"]


def test_the_bill_counts_what_the_pin_map_has() -> None:
    counts = {row["ref"]: count for count, row in bill()}
    assert counts["B"] == count_of("photo")
    assert counts["LS"] == count_of("limit")
    assert counts["RC"] == sum(wire.is_input and wire.millivolts is None for wire in wires())
    assert counts["H"] == 2
    assert counts["Q, D, R"] + 2 * counts["H"] == count_of("motor")
    assert all(count > 0 for count in counts.values())


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_guide_names_the_real_lines_pins_and_papers(name: str) -> None:
    text = (HARDWARE / name).read_text("utf-8")
    for made in MADE:
        assert f"(wiring/{made})" in text
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (HARDWARE / target).exists(), target
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    pins = {int(pin) for row in rows for pin in re.findall(r"\d+", row.split("|")[2])}
    assert pins == {line.bcm for line in LINES}
    estop = next(wire for wire in wires() if wire.id == "estop")
    assert estop.pin in text
    assert all(wire.mega for wire in wires()), "the guide says that an Arduino Mega has every pin"
    shared = {wire.pin: wire.id for wire in wires() if wire.pin in ("PB1", "PB2", "PB3")}
    assert all(pin in text for pin in shared), "the programmer's pins move motors"
    assert re.search(r"simavr", text)
