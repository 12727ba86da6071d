"""The serial port on a pseudo terminal: bytes both ways, a second opener, the cable pulled and put back."""

from __future__ import annotations

import os
import queue
import termios
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from firmware_bridge.errors import PortBusy, PortLost
from firmware_bridge.frames import FrameClass, encode
from firmware_bridge.messages import BAUD, BAUD_FALLBACK, HomeDone
from firmware_bridge.port import CallbackListener, RateSearch, SerialPort, open_serial

WAIT_S = 5.0
GOOD = encode(FrameClass.EVENT, 3, 9, HomeDone())
RUBBISH = bytes(range(60, 100)) + b"\0"
Heard = queue.Queue[tuple[str, Any]]


class Cable:
    """A pseudo terminal under a name that stays, as udev's by-id names do."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plug()

    def plug(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self.slave))

    def pull(self) -> None:
        self.path.unlink()
        os.close(self.slave)
        os.close(self.master)


def listener_to(heard: Heard) -> CallbackListener:
    return CallbackListener(
        lambda data: heard.put(("bytes", data)),
        lambda: heard.put(("up", "")),
        lambda why: heard.put(("down", why)),
    )


@pytest.fixture
def cable(tmp_path: Path) -> Cable:
    return Cable(tmp_path / "board")


@pytest.fixture
def heard() -> Heard:
    return queue.Queue()


@pytest.fixture
def port(cable: Cable, heard: Heard) -> Iterator[SerialPort]:
    made = SerialPort(str(cable.path), listener_to(heard), retry_s=0.02)
    made.start()
    yield made
    made.close()


def test_bytes_travel_both_ways(port: SerialPort, cable: Cable, heard: Heard) -> None:
    assert heard.get(timeout=WAIT_S)[0] == "up"
    os.write(cable.master, b"\x00\x11\xff")
    got = b""
    while len(got) < 3:
        kind, data = heard.get(timeout=WAIT_S)
        assert kind == "bytes"
        got += data
    assert got == b"\x00\x11\xff"
    assert port.write(b"\x00\x18\x00")
    assert os.read(cable.master, 10) == b"\x00\x18\x00"


def test_a_second_opener_is_told_who_is_in_the_way(port: SerialPort, cable: Cable, heard: Heard) -> None:
    assert heard.get(timeout=WAIT_S)[0] == "up"
    with pytest.raises(PortBusy, match="another program"):
        open_serial(str(cable.path))


def test_pulled_and_plugged_again(port: SerialPort, cable: Cable, heard: Heard) -> None:
    assert heard.get(timeout=WAIT_S)[0] == "up"
    cable.pull()
    assert heard.get(timeout=WAIT_S)[0] == "down"
    cable.plug()
    kinds = []
    while "up" not in kinds:
        kinds.append(heard.get(timeout=WAIT_S)[0])
    assert set(kinds[:-1]) <= {"down"}
    assert port.write(b"x")
    assert os.read(cable.master, 10) == b"x"


def test_no_such_device_is_told_once_and_tried_again(tmp_path: Path, heard: Heard) -> None:
    with pytest.raises(PortLost):
        open_serial(str(tmp_path / "none"))
    port = SerialPort(str(tmp_path / "board"), listener_to(heard), retry_s=0.01)
    port.start()
    assert heard.get(timeout=WAIT_S)[0] == "down"
    assert not port.write(b"x")
    Cable(tmp_path / "board")
    assert heard.get(timeout=WAIT_S)[0] == "up"
    port.close()


@pytest.mark.parametrize("where", ["open", "listener"])
def test_the_thread_outlives_what_is_no_oserror(
    cable: Cable, heard: Heard, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """termios.error while opening; anything at all from a listener: told, and tried again."""
    errors = iter([termios.error(5, "Input/output error")] if where == "open" else [RuntimeError("odd")])
    listener = listener_to(heard)

    def fails(*words: Any) -> Any:
        for error in errors:
            raise error
        return was(*words)

    if where == "open":
        was: Any = termios.tcflush
        monkeypatch.setattr(termios, "tcflush", fails)
    else:
        was = listener.port_up
        monkeypatch.setattr(listener, "port_up", fails)
    port = SerialPort(str(cable.path), listener, retry_s=0.01)
    port.start()
    assert heard.get(timeout=WAIT_S)[0] == "down"
    assert heard.get(timeout=WAIT_S)[0] == "up"
    assert port.write(b"x")
    port.close()


def test_an_adapter_that_cannot_do_our_rate_is_opened_with_the_slower_one(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """250,000 is no rate of POSIX: some drivers refuse it."""

    def refuse(_: Any, baud: int) -> None:
        raise ValueError(f"Failed to set custom baud rate ({baud}): no")

    port = open_serial(str(cable.path))
    assert port.baudrate == BAUD
    port.close()
    monkeypatch.setattr(serial.Serial, "_set_special_baudrate", refuse)
    port = open_serial(str(cable.path))
    assert port.baudrate == BAUD_FALLBACK
    with pytest.raises(PortBusy):
        open_serial(str(cable.path))
    port.close()
    port = open_serial(str(cable.path), BAUD_FALLBACK)
    assert port.baudrate == BAUD_FALLBACK
    port.close()


# what comes at which second, and the rate after it
SEARCHES: tuple[tuple[str, tuple[tuple[float, bytes, int], ...]], ...] = (
    ("good frames", ((0, GOOD, BAUD), (30, GOOD, BAUD), (60, GOOD * 9, BAUD))),
    ("rubbish", ((0, RUBBISH, BAUD), (5.9, RUBBISH, BAUD), (6.1, RUBBISH, BAUD_FALLBACK))),
    ("a little of it", ((0, b"\x55", BAUD), (50, b"\x55", BAUD), (99, b"\x55", BAUD))),
    ("a good frame now and then", tuple((n * 4.0, (RUBBISH, GOOD)[n % 2], BAUD) for n in range(9))),
    ("a good frame in pieces", ((0, GOOD[:5], BAUD), (20, GOOD[5:], BAUD), (21, RUBBISH, BAUD))),
    (
        "there and back",
        (
            (0, RUBBISH, BAUD),
            (7, RUBBISH, BAUD_FALLBACK),
            (8, RUBBISH, BAUD_FALLBACK),
            (12, RUBBISH, BAUD_FALLBACK),
            (14.1, RUBBISH, BAUD),
        ),
    ),
    (
        "found",
        (
            (0, RUBBISH, BAUD),
            (7, RUBBISH, BAUD_FALLBACK),
            (8, GOOD, BAUD_FALLBACK),
            (99, GOOD, BAUD_FALLBACK),
        ),
    ),
)


@pytest.mark.parametrize("story", [row[1] for row in SEARCHES], ids=[row[0] for row in SEARCHES])
def test_the_rate_is_searched_while_only_rubbish_comes(story: tuple[tuple[float, bytes, int], ...]) -> None:
    rates, before = RateSearch(BAUD), BAUD
    for now_s, data, baud in story:
        assert rates.heard(data, now_s) == (baud != before)
        assert rates.baud == baud
        before = baud


def test_the_port_changes_its_rate_without_going_down(cable: Cable, heard: Heard) -> None:
    port = SerialPort(str(cable.path), listener_to(heard), search_s=0.05)
    port.start()
    assert heard.get(timeout=WAIT_S)[0] == "up"
    speed, until = BAUD, time.monotonic() + WAIT_S
    while time.monotonic() < until:
        os.write(cable.master, RUBBISH)
        kind, _ = heard.get(timeout=WAIT_S)
        assert kind == "bytes"
        speed = termios.tcgetattr(cable.slave)[5]
        if speed == termios.B115200:
            break
    assert speed == termios.B115200
    assert port.is_open
    port.close()


def test_modem_lines_stay_off(cable: Cable) -> None:
    port = open_serial(str(cable.path))
    assert (port.dtr, port.rts) == (False, False)
    port.close()
