"""The peer `mahjong-detector` on the same pictures: installed into its own environment when asked for, run
as a child process (see `peer_child.py` for why)."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

from .judges import Looked
from .matching import Found

Image = NDArray[np.uint8]

PEER = "mahjong-detector==0.0.6"
CHILD = Path(__file__).with_name("peer_child.py")
INSTALL_S = 900


class PeerMissing(VisionError, RuntimeError):
    """The peer cannot be installed or does not run: evaluate without it, or mend its environment."""


def install(environment: Path) -> Path:
    """Return the Python of the peer's environment, made and filled if it is not there yet."""
    python = environment / "bin" / "python"
    done = environment / "peer.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == PEER:
        return python
    steps = (
        [sys.executable, "-m", "venv", str(environment)],
        [str(python), "-m", "pip", "-q", "--disable-pip-version-check", "install", PEER],
    )
    for step in steps:
        try:
            ended = subprocess.run(step, capture_output=True, text=True, check=False, timeout=INSTALL_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PeerMissing(f"{PEER} cannot be installed: {error}") from error
        if ended.returncode:
            last = (ended.stderr.strip() or ended.stdout.strip() or "no reason given").splitlines()[-1]
            raise PeerMissing(f"{PEER} cannot be installed: {last}")
    done.write_text(PEER, encoding="utf-8")
    return python


class Peer:
    """The running peer.

    Args:
        environment: its virtual environment, made if it is not there. threads: of its network.

    Attributes:
        refused: how many pictures it could not take.

    Raises:
        PeerMissing: if it cannot be installed or started.
    """

    def __init__(self, environment: Path, threads: int) -> None:
        self.environment = environment
        self.refused = 0
        python = install(environment)
        self._process = subprocess.Popen(
            [str(python), str(CHILD), str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        try:
            if "ready" not in self._line():
                raise PeerMissing(f"{PEER} does not start in {environment}")
            self.look(np.zeros((64, 64, 3), np.uint8))  # warm-up
        except PeerMissing:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it ended with a line unread
                self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def look(self, image: Image) -> Looked:
        """Return the tiles that the peer finds; a picture that it cannot take has none, took 0 ms, and is
        counted in `refused`."""
        packed, png = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        assert packed
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"png": base64.b64encode(png.tobytes()).decode()}) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise PeerMissing("the peer's process ended") from error
        told = self._line()
        if not told:
            raise PeerMissing("the peer's process ended")
        self.refused += "error" in told
        found = [_found(tile) for tile in told.get("tiles", ())]
        return Looked(tuple(found), float(told.get("ms", 0.0)))

    def best(self, image: Image) -> str:
        """Return the surest name in a picture of one tile; "" if the peer finds none."""
        found = self.look(image).found
        return max(found, key=lambda item: item.score).face if found else ""

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            told: dict[str, Any] = json.loads(line) if line.strip() else {}
        except ValueError as error:
            raise PeerMissing(f"the peer's process does not answer in JSON: {line.strip()[:80]}") from error
        return told


def _found(tile: dict[str, Any]) -> Found:
    x, y, width, height = tile["box"]
    return Found(tile["tile"], (x, y, width, height), tile["score"])
