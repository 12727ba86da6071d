"""Log, statistics and configuration of the board without a table: limits, words, and the service's order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.cli.score_text import Lang
from controller.diag import DiagError
from controller.diag.configuration import (
    SETTINGS,
    Changed,
    Configuration,
    changed_lines,
    parse,
    show_lines,
)
from controller.diag.record_text import log_lines
from controller.diag.records import FaultLog, LoggedFault
from controller.projections import machine_view
from controller.questions import QUESTIONS
from controller.web.commands import Ask, Configure
from firmware_bridge import messages as m
from firmware_bridge.faults import FAULTS
from tests.controller.conftest import FakeTable

FIRMWARE = Path(__file__).parents[2] / "hardware/firmware/core/config.c"
REPORT = m.ConfigReport(77, True, 1, 1234, 800, 16, 2, 80, 1500, 1500, 1800)


def test_limits_are_those_of_the_firmware() -> None:
    rows = re.findall(r"FIELD\((\w+), (\d+), (\d+), \d+\)", FIRMWARE.read_text("utf-8"))
    assert [(row.key, str(row.least), str(row.most)) for row in SETTINGS.values()] == rows


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["jam_ms=299"], "bad_value", "300-2000 ms"),
        (["sets=2", "duty_percent=101"], "bad_value", "10-100 %"),
        (["jam_ms="], "bad_value", "300-2000 ms"),
        (["jam_ms=-5"], "bad_value", "300-2000 ms"),
        (["jam_ms"], "bad_value", "300-2000 ms"),
        (["jam=900"], "unknown_key", "tile_least_ms"),
    ],
    ids=str,
)
def test_a_value_that_cannot_be_is_refused_with_its_limits(words: list[str], code: str, says: str) -> None:
    with pytest.raises(DiagError) as caught:
        parse(words)
    assert caught.value.code == code
    assert says in caught.value.zh
    assert says in caught.value.en


def test_the_code_is_shown_to_who_holds_the_port_only() -> None:
    values = {key: int(getattr(REPORT, key)) for key in SETTINGS}
    direct = Configuration("board", "/dev/x", 77, True, True, values)
    assert any(re.search(r"service_code\s+1234\b", line) for line in show_lines(direct, Lang.EN))
    others = {key: value for key, value in values.items() if key != "service_code"}
    asked = "\n".join(show_lines(Configuration("service", "u", 77, False, True, others), Lang.EN))
    assert re.search(r"service_code\s+set\b", asked)
    assert "1234" not in asked
    assert "diag faults 904" in asked


def test_what_changed_is_told() -> None:
    told = Changed("board", "/dev/x", {"jam_ms": (800, 900), "service_code": (None, 4711)})
    assert list(changed_lines(told, Lang.EN)) == [
        "jam_ms          800 -> 900 ms",
        "service_code    (not shown) -> 4711",
    ]
    assert list(changed_lines(Changed("board", "/dev/x", {}), Lang.ZH)) == ["本来就是这样，没有改"]


def test_a_log_names_faults_that_it_knows_and_numbers_that_it_does_not() -> None:
    known = FAULTS[602]
    rows = (
        LoggedFault(602, known.key, known.zh, known.en, 0, 0, 12, 3_723_900),
        LoggedFault(399, None, None, None, 3, 5, 11, 900),
    )
    one, two, damaged = log_lines(FaultLog("board", "/dev/x", rows, 2), Lang.EN)
    assert re.fullmatch(rf"start 12 +\+1:02:03 +602 {re.escape(known.en)}", one)
    assert re.fullmatch(r"start 11 +\+0:00:00 +399 unknown to this version +side 3 +detail 5", two)
    assert damaged.startswith("2 more records are damaged")


# ---------------------------------------------------------------- through the service


def test_the_service_changes_what_it_was_asked_to_and_hides_the_code() -> None:
    table = FakeTable()
    table.board.config = REPORT
    table.connect()
    for was, reason in ((76, "changed"), (77, "none")):
        values = {"jam_ms": 900, "service_code": 4711}
        assert table.do("configure", "technician", was=was, values=values).ok
        table.run(50)
        told = machine_view(table.state, table.runtime.live)["answers"]
        assert told["configure"]["reason"] == reason
    written = [each for each in table.board.sent if isinstance(each, m.WriteConfig)]
    assert written == [m.WriteConfig(77, 1, 4711, 900, 16, 2, 80, 1500, 1500, 1800)]
    assert table.do("ask", "technician", question="config").ok
    table.run(50)
    told = machine_view(table.state, table.runtime.live)["answers"]["config"]
    assert told["service_code_set"]
    assert "1234" not in str(told)


def test_it_is_changed_by_technicians_between_hands_only() -> None:
    table = FakeTable()
    table.connect()
    body = {"was": 77, "values": {"jam_ms": 900}}
    assert table.do("configure", **body).code == "refuse.role"
    assert table.do("configure", "technician", was=77, values={"jam": 1}).code == "refuse.configure"
    table.to_load()
    assert table.do("configure", "technician", **body).code == "refuse.configure"
    assert not any(isinstance(each, m.WriteConfig) for each in table.board.sent)


def test_the_service_takes_every_question_and_every_value() -> None:
    for name in QUESTIONS:
        assert Ask.model_validate({"question": name}).question == name
    values = dict.fromkeys(SETTINGS, 1)
    assert Configure.model_validate({"was": 1, "values": values}).model_dump()["values"] == values
