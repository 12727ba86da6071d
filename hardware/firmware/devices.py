"""Turns the pin map (hardware/wiring/devices.toml) into the firmware's devices.h."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

KEY_BASE = 32
Row = Mapping[str, Any]


def load_devices(text: str | None = None) -> dict[str, Any]:
    """Return the parsed pin map (the packaged one unless `text` is given)."""
    source = (
        text if text is not None else files("hardware").joinpath("wiring/devices.toml").read_text("utf-8")
    )
    return tomllib.loads(source)


def input_id(row: Row) -> int:
    """Return the firmware's number of an input: sensors from 0, keys from 32."""
    return int(row["status"]) + (KEY_BASE if row["kind"] == "key" else 0)


def _groups(pairs: Sequence[tuple[Row, int]]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield (port, byte, shift of the pin against the status bit, pin mask, mask of active-low pins)."""
    found: dict[tuple[str, int, int], list[int]] = {}
    for row, number in pairs:
        key = (row["port"], number // 8, int(row["bit"]) - number % 8)
        masks = found.setdefault(key, [0, 0])
        masks[0] |= 1 << row["bit"]
        if row["active"] == "low":
            masks[1] |= 1 << row["bit"]
    for (port, byte, shift), (mask, low) in sorted(found.items()):
        yield port, byte, shift, mask, low


def _shifted(term: str, shift: int) -> str:
    return term if shift == 0 else f"({term} {'>>' if shift > 0 else '<<'} {abs(shift)})"


def _reader(inputs: Sequence[Row]) -> list[str]:
    lines = ["static inline void devices_read_inputs(uint8_t raw[5]) {"]
    terms: dict[int, list[str]] = {byte: [] for byte in range(5)}
    for port, byte, shift, mask, low in _groups([(row, input_id(row)) for row in inputs]):
        flip = f" ^ 0x{low:02X}u" if low else ""
        terms[byte].append(_shifted(f"((PIN{port}{flip}) & 0x{mask:02X}u)", shift))
    for byte, parts in terms.items():
        lines.append(f"    raw[{byte}] = (uint8_t)({' | '.join(parts) or '0'});")
    return [*lines, "}"]


def _writer(name: str, c_type: str, rows: Sequence[Row]) -> list[str]:
    lines = [f"static inline void {name}({c_type} bits) {{"]
    for port, byte, shift, mask, low in _groups([(row, int(row["status"])) for row in rows]):
        value = f"(uint8_t)(bits >> {8 * byte})" if byte else "(uint8_t)bits"
        value = _shifted(value, -shift)
        flip = f" ^ 0x{low:02X}u" if low else ""
        lines.append(
            f"    PORT{port} = (uint8_t)((PORT{port} & 0x{255 - mask:02X}u) "
            f"| (({value}{flip}) & 0x{mask:02X}u));"
        )
    return [*lines, "}"]


def _init(inputs: Sequence[Row], outputs: Sequence[Row]) -> list[str]:
    """Outputs get their level before their direction, inputs their pull-up."""
    pull: dict[str, int] = {}
    drive: dict[str, int] = {}
    for row in inputs:
        pull[row["port"]] = pull.get(row["port"], 0) | (1 << row["bit"] if row.get("pull_up") else 0)
    for row in outputs:
        drive[row["port"]] = drive.get(row["port"], 0) | 1 << row["bit"]
    lines = ["static inline void devices_init_pins(void) {"]
    for port, mask in sorted(pull.items()):
        lines.append(f"    PORT{port} |= 0x{mask:02X}u;" if len(port) == 1 else "")
    lines += ["    devices_write_actuators(0);", "    devices_write_lamps(0);"]
    lines += [f"    DDR{port} |= 0x{mask:02X}u;" for port, mask in sorted(drive.items())]
    return [*lines, "}"]


def _estop(sensors: Sequence[Row]) -> list[str]:
    """The e-stop has a pin change interrupt of its own: port B is group 0, port K group 2."""
    row = next(row for row in sensors if row["id"] == "estop")
    group = {"B": 0, "K": 2}.get(row["port"])
    if group is None:
        raise ValueError("devices.toml: estop must be on port B or K (pin change interrupts)")
    mask = f"0x{1 << row['bit']:02X}u"
    negate = "" if row["active"] == "high" else "!"
    return [
        f"#define ESTOP_MASK {mask}",
        f"#define ESTOP_PRESSED() ({negate}(PIN{row['port']} & {mask}))",
        f"#define ESTOP_PCMSK PCMSK{group}",
        f"#define ESTOP_PCIE PCIE{group}",
        f"#define ESTOP_PCIF PCIF{group}",
        f"#define ESTOP_VECT PCINT{group}_vect",
    ]


def _tests(data: Mapping[str, Any]) -> list[str]:
    """The tests of the service mode: what runs, and the bit numbers of its devices."""
    number = {row["id"]: row["status"] for group in data["devices"].values() for row in group}
    kinds = list(dict.fromkeys(row["kind"] for row in data["tests"]))
    lines = [f"enum test_kind {{ {', '.join(f'TEST_{kind.upper()}' for kind in kinds)} }};"]
    lines += [
        "/* Sensors: bit number of the first, mask of those from there on. Others: 0xFF = none. */",
        "typedef struct {", "    uint8_t kind, ids[4];", "} service_test_t;",
    ]  # fmt: skip
    lines.append(f"#define SERVICE_TESTS {len(data['tests'])}u")
    lines.append("static const service_test_t devices_tests[SERVICE_TESTS] __attribute__((unused)) = {")
    for place, row in enumerate(data["tests"]):
        if row["number"] != place:
            raise ValueError(f"devices.toml: tests are numbered in order, {row['number']} is at {place}")
        ids = [number[name] for name in row["devices"]]
        if row["kind"] == "sensors":
            if ids != list(range(ids[0], ids[0] + len(ids))) or ids[0] >> 3 != ids[-1] >> 3:
                raise ValueError(f"devices.toml: the sensors of test {place} are not neighbours in one byte")
            ids = [ids[0], (1 << len(ids)) - 1]
        whole = [*ids, *[0xFF] * (4 - len(ids))]
        lines.append(f"    {{TEST_{row['kind'].upper()}, {{{', '.join(f'{one}u' for one in whole)}}}}},")
    return [*lines, "};"]


def header_text(data: Mapping[str, Any] | None = None) -> str:
    """Return devices.h: ids, debounce times, service tests, and on the AVR how pins are read and written."""
    data = data or load_devices()
    devices = data["devices"]
    inputs = [*devices["sensors"], *devices["keys"]]
    debounce = [0] * 40
    lines = ["/* Generated from hardware/wiring/devices.toml by the firmware build; do not edit. */"]
    lines += ["#ifndef DEVICES_H", "#define DEVICES_H", "", "#include <stdint.h>", ""]
    for row in inputs:
        lines.append(f"#define IN_{row['id'].upper()} {input_id(row)}u")
        debounce[input_id(row)] = row["debounce_ms"]
    for row in devices["actuators"]:
        lines.append(f"#define M_{row['id'].upper()} {row['status']}u")
    for row in devices["lamps"]:
        lines.append(f"#define L_{row['id'].upper()} {row['status']}u")
    lines.append(f"#define LAMP_COUNT {len(devices['lamps'])}u")
    analog = devices["analog"]
    for number, row in enumerate(analog):
        lines.append(f"#define AN_{row['id'].upper()} {number}u")
    lines.append(f"#define ANALOG_COUNT {len(analog)}u")
    for name, c_type in (
        ("channel", "uint8_t"),
        ("least_mv", "uint16_t"),
        ("healthy_mv", "uint16_t"),
        ("ma_per_mv", "uint8_t"),
    ):
        values = ", ".join(str(row[name]) for row in analog)
        lines.append(
            f"static const {c_type} devices_analog_{name}[ANALOG_COUNT] __attribute__((unused)) "
            f"= {{{values}}};"
        )
    lines.append(f"#define MOTOR_COUNT {len(devices['actuators'])}u")
    lines.append(f"#define KEY_COUNT {len(devices['keys'])}u")
    lines.append("#define INPUT_DEBOUNCE_MS devices_debounce_ms")
    lines.append(
        "static const uint8_t devices_debounce_ms[40] __attribute__((unused)) = "
        f"{{{', '.join(map(str, debounce))}}};"
    )
    lines += _tests(data)
    lines += ["", "#if defined(__AVR__)", "#include <avr/io.h>", *_estop(devices["sensors"])]
    lines += _writer("devices_write_actuators", "uint16_t", devices["actuators"])
    lines += _writer("devices_write_lamps", "uint16_t", devices["lamps"])
    lines += _reader(inputs)
    lines += _init(inputs, [*devices["actuators"], *devices["lamps"]])
    return "\n".join([*lines, "#endif", "", "#endif", ""])
