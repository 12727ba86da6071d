"""The papers about faults: printed from the table, complete both ways, one text for each language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_bridge.fault_pages import ELSEWHERE, EN, ZH, groups, number, page, targets
from firmware_bridge.fault_steps import FAMILIES, STEPS, steps_of
from firmware_bridge.faults import FAULTS, FaultRow
from hardware.firmware.build import firmware_sources

SENDERS = {"machine_fault": 0, "machine_warn": 0, "machine_latch": 2, "own_fault": 0}
"""Functions of core/ that tell a fault, and which of their arguments is its number."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def arguments(text: str, call: str) -> Iterator[list[str]]:
    """Yield the arguments of every call of a C function, cut at its own commas."""
    for found in re.finditer(rf"\b{call}\(", text):
        depth, argument, rest = 1, "", []
        for letter in text[found.end() :]:
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if depth == 0:
                break
            if letter == "," and depth == 1:
                rest.append(argument)
                argument = ""
            else:
                argument += letter
        yield [*rest, argument]


def codes_of(expression: str) -> set[int]:
    """Return the numbers that an expression such as `(uint16_t)(301u + side)` can be."""
    bases = {int(code) for code in re.findall(r"\b(\d{3})u", expression)}
    return {base + n for base in bases for n in range(4)} if "+" in expression else bases


def sent_by_firmware() -> set[int]:
    found: set[int] = set()
    for path in firmware_sources():
        if path.parent.name == "core" and path.suffix == ".c":
            text = path.read_text("utf-8")
            for call, place in SENDERS.items():
                for given in arguments(text, call):
                    found |= codes_of(given[place]) if len(given) > place else set()
    return found


def test_the_reader_of_c_calls_reads_what_stands_there() -> None:
    text = "machine_fault((uint16_t)(301u + side), f(a, b), 0);\nlatch(T, R, up ? 411u : 412u, 0);"
    assert [codes_of(given[0]) for given in arguments(text, "machine_fault")] == [{301, 302, 303, 304}]
    assert [codes_of(given[2]) for given in arguments(text, "latch")] == [{411, 412}]


def test_the_papers_and_the_firmware_know_the_same_numbers() -> None:
    sent = sent_by_firmware()
    assert len(sent) > 25
    assert sent - set(FAULTS) == set(), "the firmware sends numbers that have no row in faults.py"
    assert set(FAULTS) - sent == set(ELSEWHERE), (
        "rows that the firmware never sends, see fault_pages.ELSEWHERE"
    )


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_every_number_has_its_part_with_all_four_answers(words: object) -> None:
    assert words in (EN, ZH)
    text = page(EN if words is EN else ZH)
    parts = dict(re.findall(r'### <a id="([\d-]+)"></a>.*?\n(.*?)(?=\n##|\Z)', text, re.S))
    assert set(parts) == {number(rows) for rows in groups()}
    for rows in groups():
        body, row = parts[number(rows)], rows[0]
        told = (row.cause_en, row.remedy_en) if words is EN else (row.cause_zh, row.remedy_zh)
        assert all(each in body for each in (*told, *steps_of(row)[words is EN]))
    assert sum(len(rows) for rows in groups()) == len(FAULTS)


@pytest.mark.parametrize("row", [rows[0] for rows in groups()], ids=lambda row: row.key)
def test_a_technician_has_steps_of_their_own_for_each_fault(row: FaultRow) -> None:
    assert row.key in STEPS, f"add the steps for {row.code} {row.key} to firmware_bridge/fault_steps.py"
    zh, en = STEPS[row.key]
    assert len(zh) == len(en) >= 1
    assert all(CHINESE.search(step) for step in zh)
    assert not any(CHINESE.search(step) for step in en)


def test_no_steps_are_left_over_from_a_fault_that_is_gone() -> None:
    assert set(STEPS) == {row.key for row in FAULTS.values()}
    assert {row.code // 100 for row in FAULTS.values()} <= set(FAMILIES) == set(EN.families)


@pytest.mark.parametrize("path", list(targets()), ids=lambda path: path.name)
def test_the_pages_are_up_to_date(path: object) -> None:
    made = {str(key): text for key, text in targets().items()}[str(path)]
    with open(str(path), encoding="utf-8") as file:
        assert file.read() == made, "run: python -m firmware_bridge.fault_pages"
