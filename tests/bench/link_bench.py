"""Round trips of a command over the real firmware: stepped, and in real time over pty and pyserial."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from firmware_bridge.link import Done, Link
from firmware_bridge.messages import GetStatus
from firmware_bridge.port import open_serial
from hardware.firmware.build import build_firmware, build_harness
from hardware.twin.harness_client import Harness, HarnessError
from tests.bench.row import Row, median, p99

COMMANDS = 400
BOOT_US = 300_000


def rows() -> list[Row]:
    """Return round trips in virtual and real time."""
    binary, elf = build_harness(), build_firmware()
    virtual, rate = stepped(binary, elf)
    real = real_time(binary, elf)
    return [
        Row("link: round trip at 250 kBd, virtual time, median", median(virtual), "ms", "<= 5"),
        Row("link: round trips simulated a second", rate, "1/s"),
        Row("link: round trip, pty and pyserial, median", median(real), "ms", "<= 5"),
        Row("link: round trip, pty and pyserial, p99", p99(real), "ms"),
    ]


def stepped(binary: Path, elf: Path) -> tuple[list[float], float]:
    """Return the virtual milliseconds of each command, and commands a second of wall time."""
    with Harness(binary, elf) as board:
        now = board.run(BOOT_US).now_us
        link = Link(now // 1000)
        link.connected(now // 1000)
        now = _until(board, link, now, lambda: link.state == "ready")
        times, started = [], time.perf_counter()
        for _ in range(COMMANDS):
            begun, ticket = now, link.send(GetStatus(), now // 1000)
            now = _until(board, link, now, None, ticket)
            times.append((now - begun) / 1000)
        return times, COMMANDS / (time.perf_counter() - started)


def _until(board: Harness, link: Link, now: int, ready: object, ticket: int = 0) -> int:
    limit = now + 2_000_000
    while now < limit:
        board.send(link.take_output())
        report = board.run(min(limit, now + 5_000))
        now = report.now_us
        events = [*link.feed(report.sent, now // 1000), *link.tick(now // 1000)]
        if any(isinstance(event, Done) and event.ticket == ticket for event in events):
            return now
        if callable(ready) and ready():
            return now
    raise TimeoutError("the board did not answer within 2 s of virtual time")


def real_time(binary: Path, elf: Path) -> list[float]:
    """Return the wall milliseconds of each command over a pseudo terminal."""
    with tempfile.TemporaryDirectory() as folder, Harness(binary, elf) as board:
        path = Path(folder) / "board"
        board.run(BOOT_US)
        board.plug(path)
        over = threading.Event()
        pacer = threading.Thread(target=_pace, args=(board, over), daemon=True)
        pacer.start()
        port = open_serial(str(path))
        try:
            return _time_commands(port)
        finally:
            over.set()
            pacer.join()
            port.close()


def _pace(board: Harness, over: threading.Event) -> None:
    now = board.run(BOOT_US).now_us
    while not over.is_set():
        try:
            now = board.run_paced(now + 50_000).now_us
        except HarnessError:
            return


def _time_commands(port: object) -> list[float]:
    def clock_ms() -> int:
        return time.monotonic_ns() // 1_000_000

    link = Link(clock_ms())
    link.connected(clock_ms())
    port.timeout = 0.002  # type: ignore[attr-defined]
    times: list[float] = []
    begun, ticket = 0.0, 0
    limit = time.perf_counter() + 60
    while len(times) < COMMANDS and time.perf_counter() < limit:
        data = link.take_output()
        if data:
            port.write(data)  # type: ignore[attr-defined]
        got = port.read(1)  # type: ignore[attr-defined]
        got += port.read(port.in_waiting) if got else b""  # type: ignore[attr-defined]
        events = [*link.feed(got, clock_ms()), *link.tick(clock_ms())]
        if any(isinstance(event, Done) and event.ticket == ticket for event in events):
            times.append((time.perf_counter() - begun) * 1000)
            ticket = 0
        if link.state == "ready" and not ticket:
            begun, ticket = time.perf_counter(), link.send(GetStatus(), clock_ms())
    return times
