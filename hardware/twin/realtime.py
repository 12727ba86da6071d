"""Real time: the same twin paced by the wall clock, with a pseudo terminal, an MJPEG camera and two sockets.

One thread owns the twin. While the board runs paced, others may look at the scene or leave a job in the
mailbox; a job interrupts the run. Only the robots' pauses know `--speed`.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.firmware.build import BuildError
from hardware.twin.faults import UnknownFault, parse_fault
from hardware.twin.leave import Leave
from hardware.twin.lines import ControlServer, LineServer
from hardware.twin.page import Page
from hardware.twin.plant.walls import wall_order
from hardware.twin.renderer.mjpeg import MjpegServer
from hardware.twin.stepped import refuse_in_use
from hardware.twin.striker import prepare
from hardware.twin.twin import Twin

SLICE_US = 50_000
"""Longest paced run: nothing depends on it, the mailbox interrupts."""


class RealTime:
    """Runs a twin against the wall clock."""

    def __init__(self, twin: Twin, folder: Path, screen_url: str | None, leave: Leave | None = None) -> None:
        self._twin = twin
        self._leave = leave or Leave()
        self._mail: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        for name in ("gpio.sock", "control.sock"):  # before the cable: a living twin's must not be pulled
            refuse_in_use(folder / name)
        self._port = folder / "board"
        twin.on_serial = self._cable
        twin.machine.harness.plug(self._port)
        twin.take_line_edges()
        self._gpio = LineServer(
            folder / "gpio.sock",
            lambda: dict(twin.machine.lines),
            lambda line, level: self._post(lambda: twin.set_line(line, level)),
        )
        self._control = ControlServer(folder / "control.sock", self._obey)
        self._page = (
            Page(screen_url, lambda screen: self._post(lambda: twin.see(screen))) if screen_url else None
        )
        self._camera = MjpegServer(self._jpeg)

    @property
    def places(self) -> dict[str, str]:
        """Return where the service plugs in."""
        return {
            "serial": str(self._port),
            "camera": self._camera.url,
            "gpio": str(self._gpio.path),
            "control": str(self._control.path),
        }

    def serve(self) -> None:
        """Run for ever (until somebody asks the process to leave)."""
        twin = self._twin
        harness = twin.machine.harness
        while True:
            with self._lock:
                stop = twin.machine.next_stop(twin.now_us + SLICE_US)
                harness.start_paced(stop)
            report = self._leave.wait(harness.finish_paced)
            with self._lock:
                twin.machine.take(report)
                twin.machine.take_sent()
                while not self._mail.empty():
                    self._mail.get()()
                for edge in twin.take_line_edges():
                    self._gpio.tell(edge.line, edge.level)
                self._look_after_camera()
                posts = twin.take_posts()
            if self._page is not None:
                for post in posts:
                    self._page.post(post.name, post.body)

    def close(self) -> None:
        """End all threads and sockets."""
        for part in (self._camera.stop, self._gpio.close, self._control.close):
            part()
        if self._page is not None:
            self._page.close()
        self._port.unlink(missing_ok=True)

    def _post(self, job: Callable[[], None]) -> None:
        self._mail.put(job)
        self._twin.machine.harness.interrupt()

    def _jpeg(self) -> bytes:
        with self._lock:
            scene = self._twin.scene()
        return self._twin.camera.draw(scene)

    def _look_after_camera(self) -> None:
        camera = self._twin.camera
        if camera.is_gone:
            self._camera.unplug()
        elif camera.is_frozen:
            self._camera.freeze()
        else:
            self._camera.recover()

    def _cable(self, plugged: bool) -> None:
        if plugged:
            self._twin.machine.harness.plug(self._port)
        else:
            self._twin.machine.harness.unplug()

    def _obey(self, request: dict[str, Any]) -> dict[str, Any]:
        match request.get("op"):
            case "fault":
                return self._fault(request)
            case "walls":
                with self._lock:
                    return wall_order(self._twin.machine.plant)
            case "state":
                with self._lock:
                    return self._twin.whereabouts()
        return {"error": f"unknown op {request.get('op')!r}: fault, walls or state"}

    def _fault(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            fault = parse_fault(request)
            prepare(fault)
        except (BuildError, UnknownFault, ValueError) as error:
            return {"error": str(error)}
        self._post(lambda: self._twin.striker.arm(fault))
        return {}


def serve_realtime(
    twin: Twin, folder: Path, screen_url: str | None, note: str = "", leave: Leave | None = None
) -> None:
    """Plug everything in, say where (and what people should know) in one line on stdout, and run."""
    world = RealTime(twin, folder, screen_url, leave)
    try:
        print(json.dumps({**world.places, "note": note}), flush=True)
        world.serve()
    finally:
        world.close()
