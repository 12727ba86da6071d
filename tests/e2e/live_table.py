"""A real service process with its own twin, for tests: start, look, press, kill, start again."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import httpx

READY_S = 90.0
"""The first start on a machine compiles firmware and harness."""
URL = re.compile(r"http://\S+?:(\d+)/")


class LiveTable:
    """`mahjong-table run` as a process of its own; ends with the test."""

    def __init__(self, data: Path, *words: str) -> None:
        self.data = data
        self.words = words
        self.process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start and wait for the line with the address."""
        command = [sys.executable, "-m", "controller.cli", "run", "--port", "0", "--data", str(self.data)]
        self._err = (self.data.parent / f"{self.data.name}.err").open("ab")
        self.process = subprocess.Popen([*command, *self.words], stdout=subprocess.PIPE, stderr=self._err)
        self._text = ""
        line = self.read_line()
        found = URL.search(line)
        assert found, f"no address in {line!r}: {self.errors()}"
        self.url = f"http://127.0.0.1:{found[1]}"

    def read_line(self) -> str:
        """Return the next line of standard output, or what came before its end."""
        assert self.process is not None
        assert self.process.stdout is not None
        until = time.monotonic() + READY_S
        while "\n" not in self._text:
            left = until - time.monotonic()
            assert left > 0, f"not ready: {self.errors()}"
            if select.select([self.process.stdout], [], [], left)[0]:
                data = os.read(self.process.stdout.fileno(), 1024)
                if not data:
                    break
                self._text += data.decode()
        line, _, self._text = self._text.partition("\n")
        return line

    def errors(self) -> str:
        """Return what the process wrote on stderr."""
        self._err.flush()
        return Path(self._err.name).read_text(errors="replace")[-2000:]

    def kill(self) -> None:
        """kill -9, and wait until the process is gone."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """SIGTERM; return the exit code."""
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self._close()
        return code

    def _close(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._err.close()
        self.process = None

    def get(self, name: str) -> dict[str, Any]:
        """Return a view."""
        answer = httpx.get(f"{self.url}/api/v1/{name}", timeout=10)
        answer.raise_for_status()
        return dict(answer.json())

    def state(self) -> dict[str, Any]:
        """Return the state view."""
        return self.get("state")

    def post(self, name: str, **body: Any) -> httpx.Response:
        """Send a command."""
        return httpx.post(f"{self.url}/api/v1/commands/{name}", json=body, timeout=10)

    def wait(self, is_true: Callable[[dict[str, Any]], bool], timeout_s: float = 60) -> dict[str, Any]:
        """Return the first state for which `is_true` holds."""
        until = time.monotonic() + timeout_s
        while True:
            state = self.state()
            if is_true(state):
                return state
            assert time.monotonic() < until, f"still {brief(state)}; {self.errors()}"
            time.sleep(0.05)


def brief(state: dict[str, Any]) -> str:
    """Return the keys of a state that tell where it stands."""
    keys = ("hand", "phase", "step", "act", "fault", "health", "notices")
    return json.dumps({key: state[key] for key in keys}, ensure_ascii=False)


def control(path: str, **request: Any) -> dict[str, Any]:
    """Send one request to the control socket of a twin; returns its answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(READY_S)
        sock.connect(path)
        sock.sendall(json.dumps(request).encode() + b"\n")
        answer: dict[str, Any] = json.loads(sock.makefile("rb").readline())
        return answer


def cli(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command of mahjong-table to its end."""
    command = [sys.executable, "-m", "controller.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=280, check=False)


def without_times(lines: Sequence[str]) -> list[tuple[str, Any]]:
    """Return exported journal rows as (kind, body): no times, no hashes."""
    rows = [json.loads(line) for line in lines if line.strip()]
    return [(row["kind"], row["body"]) for row in rows]
