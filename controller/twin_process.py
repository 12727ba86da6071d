"""Starts the digital twin as a subprocess and ends it with us: it is never imported and never left behind."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from controller.errors import ControllerError

READY_S = 120.0
"""Firmware and harness may have to be compiled first: about 20 s on two slow cores."""
EXIT_S = 5.0
_PR_SET_PDEATHSIG = 1


class TwinError(ControllerError, RuntimeError):
    """The twin did not start or ended by itself; the text is its last words."""


@dataclass(frozen=True, slots=True)
class TwinPlaces:
    """Where a real-time twin is plugged in."""

    serial: str
    camera: str
    gpio: str
    control: str
    note: str = ""
    """What people should know of how it started."""


class TwinProcess:
    """One `python -m hardware.twin`. Use as a context manager."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 closed in `close`
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", "hardware.twin", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._words,
            preexec_fn=_die_with_parent(),
            start_new_session=True,  # ^C belongs to us: we end the twin after the motors are stopped
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def wait_places(self, timeout_s: float = READY_S) -> TwinPlaces:
        """Return the places of a real-time twin once it says that it is ready."""
        stdout = self._process.stdout
        assert stdout is not None
        until, line = time.monotonic() + timeout_s, b""
        while not line.endswith(b"\n"):
            left = until - time.monotonic()
            if left <= 0 or not select.select([stdout], [], [], left)[0]:
                raise TwinError(f"the twin is not ready after {timeout_s:.0f} s")
            data = os.read(stdout.fileno(), 4096)
            if not data:
                raise TwinError(self.last_words())
            line += data
        places = json.loads(line.splitlines()[0])
        return TwinPlaces(**places)

    def wait_socket(self, path: Path, timeout_s: float = READY_S) -> None:
        """Return once a stepped twin listens at `path`."""
        until = time.monotonic() + timeout_s
        while not path.exists():
            if not self.is_alive:
                raise TwinError(self.last_words())
            if time.monotonic() > until:
                raise TwinError(f"the twin is not ready after {timeout_s:.0f} s")
            time.sleep(0.02)

    def last_words(self) -> str:
        """Return the last line the process wrote on stderr, or how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._words.seek(0)
        lines = self._words.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"the twin ended with {self._process.poll()}"

    def close(self) -> None:
        """End the process: asked first, then made to; twice is harmless."""
        if self.is_alive:
            self._process.terminate()
            try:
                self._process.wait(EXIT_S)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._words.close()


def _die_with_parent() -> Callable[[], None] | None:
    """Return what the child runs first: the kernel ends it when we are gone, even by kill -9.

    Trap: "we" is the thread that starts it, so a twin is started from the main thread.
    """
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def first() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

    return first
