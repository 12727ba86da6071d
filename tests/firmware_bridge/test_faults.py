"""Every number that the firmware can send has a row with both languages."""

from __future__ import annotations

import re
from dataclasses import astuple

from firmware_bridge.faults import FAULTS
from hardware.firmware.build import firmware_sources


def test_every_fault_of_the_firmware_has_a_row() -> None:
    text = "\n".join(path.read_text() for path in firmware_sources() if path.parent.name == "core")
    told = r"(?:machine_(?:fault|warn)\(|latch\(T_\w+, STOP_REASON_\w+, )(\d{3})u"
    single = {int(code) for code in re.findall(told, text)} | {411, 412}
    by_side = {int(code) for code in re.findall(r"\(uint16_t\)\((\d{3})u \+", text)}
    sent = single | {base + n for base in by_side for n in range(4)}
    assert {301, 314, 321, 334, 341, 342, 351, 352, 404, 501, 601, 602, 201} <= sent
    assert sent <= set(FAULTS)


def test_rows_are_complete() -> None:
    for code, row in FAULTS.items():
        assert row.code == code
        assert all(value not in ("", None) for value in astuple(row))
        assert row.severity in ("info", "warn", "stop", "latched")
        assert "{" not in row.zh + row.en
    assert [FAULTS[code].side for code in (301, 302, 303, 304, 341)] == [1, 2, 3, 4, 0]
