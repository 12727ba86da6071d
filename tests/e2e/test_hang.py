"""A service that hangs in mid-build: the board hears no beat, stops by itself, and says so afterwards."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.e2e.live_table import LiveTable

pytestmark = pytest.mark.e2e

SILENCE_CODE = 201
"""The board's fault for a missing heartbeat (limit 590 ms, timed in tests/hardware/test_firmware_avr.py)."""


def test_a_hung_service_stops_the_motors_and_has_a_way_on(tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", "--twin", "--seed", "2", "--speed", "8") as table:
        assert table.process is not None
        pid = table.process.pid

        def builds(state: dict[str, object]) -> bool:
            return state["phase"] == "BUILDING" and state["step"] == "build"

        table.wait(lambda state: builds(state) and sum(state["build"]["counts"]) > 10, 60)
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(2.0)  # the hang itself: nothing can be waited for while the service does not answer
        finally:
            os.kill(pid, signal.SIGCONT)
        stopped = table.wait(lambda state: state["phase"] == "FAULT", 30)
        assert stopped["fault"]["code"] == SILENCE_CODE
        assert stopped["fault"]["remedy_zh"]
        assert stopped["fault"]["remedy_en"]
        done = table.wait(lambda state: state["phase"] not in ("FAULT", "BUILDING"), 120)
        assert done["fault"] is None
        assert sum(done["build"]["counts"]) == done["build"]["tiles"]
