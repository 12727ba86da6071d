"""The EEPROM of the real binary on the simulated chip: what it holds after a reset and a loss of power."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from hardware.twin.eeprom import NAME
from tests.hardware.test_firmware_avr import Board


def log(board: Board) -> list[tuple[int, int]]:
    """Return code and start of every record, newest first."""
    found: list[tuple[int, int]] = []
    index, count = 0, 1
    while index < count:
        told = board.order(m.ReadFaultLog(index))
        assert isinstance(told, fb.Done)
        assert isinstance(told.response, m.FaultLogReport)
        assert not told.response.damaged
        count = told.response.count
        if told.response.code:
            found.append((told.response.code, told.response.boot_count))
        index += 1
    return found


def latch(board: Board) -> None:
    """The emergency stop is pressed, and 70 ms pass in which the record is written."""
    board.pin("estop", True)
    board.run(200)


@pytest.mark.parametrize(("reset", "newer"), [("external", []), ("hang", [(901, 2)])])
def test_a_fault_latched_before_a_reset_stands_in_the_log_after_it(
    reset: Literal["external", "hang"], newer: list[tuple[int, int]]
) -> None:
    board = Board()
    try:
        latch(board)
        assert log(board) == [(602, 1)]
        board.pin("estop", False)
        board.harness.reset(reset)
        board.run(800)
        assert log(board) == [*newer, (602, 1)]
    finally:
        board.harness.close()


def test_it_stands_there_after_the_power_was_off(tmp_path: Path) -> None:
    for newest in ([(602, 1)], [(602, 2), (602, 1)]):
        board = Board(tmp_path / NAME)
        try:
            latch(board)
            assert log(board) == newest
        finally:
            board.harness.close()
