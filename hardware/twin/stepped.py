"""Lockstep: the service says how far time may go, one JSON object a line each way over a Unix socket."""

from __future__ import annotations

import base64
import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.firmware.build import BuildError
from hardware.twin.faults import UnknownFault, parse_fault
from hardware.twin.leave import Leave
from hardware.twin.plant.walls import wall_order
from hardware.twin.twin import Twin

ACCEPT_S = 120.0
HOST_BAUD = 250_000
"""What the service speaks: there is no port here whose speed could be read."""


class SteppedServer:
    """Serves one client, and ends when it says `quit` or goes away."""

    def __init__(self, twin: Twin, path: Path, leave: Leave | None = None) -> None:
        self._twin = twin
        self._leave = leave or Leave()
        twin.speak(HOST_BAUD)
        self._path = path
        self._listener = listen_at(path)
        self._serial_told = True

    def serve(self) -> None:
        """Answer requests until the client is gone."""
        self._listener.settimeout(ACCEPT_S)
        try:
            client, _ = self._leave.wait(self._listener.accept)
        finally:
            self._listener.close()
            self._path.unlink(missing_ok=True)
        with client, client.makefile("rb") as lines:
            client.settimeout(None)
            while line := self._leave.wait(lines.readline):
                request = json.loads(line)
                answer = self.answer(request)
                client.sendall(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
                if request.get("op") == "quit":
                    return

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what one request asks for."""
        match request.get("op"):
            case "run":
                return self._run(request)
            case "frame":
                picture = self._twin.camera.picture()
                return (
                    {"error": "camera"} if picture is None else {"jpeg": base64.b64encode(picture).decode()}
                )
            case "fault":
                return self._fault(request)
            case "answers" | "quit":
                return {}
            case "walls":
                return wall_order(self._twin.machine.plant)
            case "state":
                return self._twin.whereabouts()
        return {"error": f"unknown op {request.get('op')!r}"}

    def _run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        twin = self._twin
        screen = request.get("screen")
        if screen is not None:
            twin.see(screen)
        if request.get("tx"):
            twin.send(base64.b64decode(request["tx"]))
        for line, level in request.get("gpio") or ():
            twin.set_line(str(line), int(level))
        twin.run(int(request["until_us"]))
        answer: dict[str, Any] = {
            "now_us": twin.now_us,
            "rx": base64.b64encode(twin.take_sent()).decode(),
            "gpio": [[edge.line, edge.level, edge.at_us] for edge in twin.take_line_edges()],
            "posts": [{"name": post.name, "body": post.body} for post in twin.take_posts()],
        }
        if twin.serial_is_plugged != self._serial_told:
            self._serial_told = twin.serial_is_plugged
            answer["serial"] = "up" if self._serial_told else "down"
        return answer

    def _fault(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            self._twin.striker.arm(parse_fault(request))
        except (BuildError, UnknownFault, ValueError) as error:
            return {"error": str(error)}
        return {}


def listen_at(path: Path) -> socket.socket:
    """Return a listening Unix socket; the path appears only when it can be connected to.

    Raises:
        FileExistsError: if a living process listens there.
    """
    refuse_in_use(path)
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(part))
    listener.listen(4)
    os.rename(part, path)
    return listener


def refuse_in_use(path: Path) -> None:
    """Do nothing if nobody listens at the path (what a dead process left there does not count).

    Raises:
        FileExistsError: if somebody does, or something that is no socket lies there.
    """
    if not os.path.lexists(path):
        return
    if not path.is_socket():
        raise FileExistsError(f"{path} is there already and no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return
    raise FileExistsError(f"{path} is in use by a living twin")
