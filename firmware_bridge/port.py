"""The serial port: pyserial in a thread of its own; it hands over what bytes came and comes back by itself.

The only module here that touches the outside. Callbacks run in the reader thread.
"""

from __future__ import annotations

import contextlib
import termios
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import serial

from firmware_bridge.errors import PortBusy, PortLost
from firmware_bridge.frames import FrameDecoder
from firmware_bridge.messages import BAUD, BAUD_FALLBACK

READ_TIMEOUT_S = 0.1
WRITE_TIMEOUT_S = 0.5
RETRY_S = 0.5
SEARCH_S = 6.0
"""Rubbish for so long: try the other rate. The board follows ours sooner (1.5 s and a greeting)."""
RUBBISH_BYTES = 24
CHUNK = 4096
GONE = (OSError, ValueError, TypeError, termios.error)
"""How pyserial says that a device is gone; termios.error is no OSError."""


class PortListener(Protocol):
    """Who hears of the port."""

    def port_up(self) -> None:
        """The port is open."""

    def port_down(self, why: str) -> None:
        """The port is gone or cannot be opened; told once until it is up again or the reason changes."""

    def port_bytes(self, data: bytes) -> None:
        """Bytes came."""


class CallbackListener:
    """A listener of three plain functions."""

    def __init__(
        self, on_bytes: Callable[[bytes], None], on_up: Callable[[], None], on_down: Callable[[str], None]
    ) -> None:
        self.port_bytes, self.port_up, self.port_down = on_bytes, on_up, on_down


def open_serial(device: str, baud: int = BAUD) -> Any:
    """Return the opened port, held exclusively, with DTR and RTS off: DTR is the reset of many boards.

    The kernel raises both for a moment when it opens the device; a board with that wire starts anew then.
    An adapter that cannot do `baud` is opened with the slower rate, which the board follows.

    Raises:
        PortBusy: if another process holds it.
        PortLost: if it cannot be opened.
    """
    try:
        return _open(device, baud)
    except PortLost as error:
        if baud == BAUD_FALLBACK or "baud" not in str(error):
            raise
    return _open(device, BAUD_FALLBACK)


def _open(device: str, baud: int) -> Any:
    try:
        port = serial.Serial(
            None, baud, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
        )
        port.port, port.dtr, port.rts = device, False, False
        port.open()  # it tolerates a pseudo terminal, which has no such lines
        return port
    except GONE as error:
        text = str(error)
        if "exclusively lock" in text or "Resource temporarily unavailable" in text:
            raise PortBusy(f"{device} is held by another program") from error
        raise PortLost(f"cannot open {device}: {text}") from error


class RateSearch:
    """Which rate to speak: the other one when what comes is only rubbish. Silence says nothing of rates."""

    def __init__(self, baud: int, search_s: float = SEARCH_S) -> None:
        self.baud = baud
        self._search_s = search_s
        self._decoder = FrameDecoder()
        self._rubbish = 0
        self._since = 0.0

    def heard(self, data: bytes, now_s: float) -> bool:
        """Take bytes; returns whether the rate is another one from now on."""
        if self._decoder.feed(data):
            self._rubbish = 0
            return False
        if self._rubbish == 0:
            self._since = now_s
        self._rubbish += len(data)
        if self._rubbish < RUBBISH_BYTES or now_s - self._since < self._search_s:
            return False
        self.baud = BAUD_FALLBACK if self.baud == BAUD else BAUD
        self._decoder.reset()
        self._rubbish = 0
        return True


class SerialPort:
    """Keeps one serial device open, from `start` to `close`."""

    def __init__(
        self,
        device: str,
        listener: PortListener,
        *,
        baud: int = BAUD,
        retry_s: float = RETRY_S,
        search_s: float = SEARCH_S,
    ) -> None:
        """Prepare; `device` is a path such as /dev/serial/by-id/..., `listener` hears from the reader."""
        self.device = device
        self._listener = listener
        self._baud = baud
        self._retry_s = retry_s
        self._search_s = search_s
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._serial: Any = None
        self._told: str | None = None
        self._thread = threading.Thread(target=self._run, name=f"serial {device}", daemon=True)

    @property
    def is_open(self) -> bool:
        """Return whether bytes can be written now."""
        return self._serial is not None

    def start(self) -> None:
        """Start the reader thread."""
        self._thread.start()

    def write(self, data: bytes) -> bool:
        """Write bytes from any thread; False if the port is gone (the listener hears of it too)."""
        port = self._serial
        if port is None or not data:
            return port is not None
        try:
            with self._lock:
                port.write(data)
        except GONE:
            with contextlib.suppress(*GONE):
                port.cancel_read()
            self._drop(port)
            return False
        return True

    def close(self) -> None:
        """End the thread and close the port."""
        self._closing.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(2.0)
        port = self._serial
        if port is not None:
            self._drop(port)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                why = self._hold()
            except PortLost as error:
                why = str(error)
            except Exception as error:  # the last resort: this thread must outlive whatever goes wrong
                why = f"{self.device}: {type(error).__name__}: {error}"
            port = self._serial
            if port is not None:
                self._drop(port)
            if not self._closing.is_set():
                self._tell_down(why)
                self._closing.wait(self._retry_s)

    def _hold(self) -> str:
        """Open the port and read until it is gone; return why."""
        port = open_serial(self.device, self._baud)
        self._serial, self._told = port, None
        self._listener.port_up()
        why = self._read(port)
        self._drop(port)
        return why

    def _read(self, port: Any) -> str:
        rates = RateSearch(port.baudrate, self._search_s)
        while not self._closing.is_set():
            if self._serial is not port:
                break
            try:
                data = port.read(1)
                if data:
                    data += port.read(min(port.in_waiting, CHUNK))
                    if rates.heard(data, time.monotonic()):
                        port.baudrate = rates.baud
            except GONE as error:
                return f"{self.device} is gone: {error}"
            if data:
                self._listener.port_bytes(data)
        return f"{self.device} is gone"

    def _drop(self, port: Any) -> None:
        with self._lock:
            if self._serial is port:
                self._serial = None
        with contextlib.suppress(*GONE):
            port.close()

    def _tell_down(self, why: str) -> None:
        if why != self._told:
            self._told = why
            self._listener.port_down(why)
