"""The world of a live table: serial line, the Pi's lines, camera. Each can vanish, each comes back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import structlog

from controller.camera import LiveCamera, NoCamera, Photographer, PhotoReader
from controller.config import GpioConfig
from controller.effects import TakePhoto
from controller.gpio import INPUTS, OUTPUTS, GpioError, GpioPort, line_row
from controller.inputs import Bytes, CameraState, Edge, Input, MarksOff, PortDown, PortUp
from controller.watch import PartWatch, Say, board_words, camera_words, marks_words
from firmware_bridge.port import CallbackListener, SerialPort
from vision.sources import Wishes, told_address

log = structlog.get_logger(__name__)
Post = Callable[[Input], None]


class LiveDevices:
    """Opens everything, posts what comes, does what the brain thread wants.

    Args:
        serial: device path, None = no board.
        camera: URL, number or folder, None = no camera.
        wishes: exposure, focus, white balance and size of the camera.
        gpio: an open port, None = no lines.
        make_reader: loads the eyes, in the camera's worker thread.
        say: hears a line when the board or the camera is not there, is lost, or comes back.
    """

    def __init__(
        self,
        post: Post,
        *,
        serial: str | None,
        camera: str | None,
        wishes: Wishes | None = None,
        gpio: GpioPort | None,
        make_reader: Callable[[], PhotoReader],
        say: Say = lambda text: None,
    ) -> None:
        self._post = post
        self._board_watch = PartWatch("board", serial or "", say)
        self._camera_watch = PartWatch("camera", told_address(camera or ""), say)
        self._gpio = gpio
        self._serial: SerialPort | None = None
        if serial is not None:
            listener = CallbackListener(lambda data: post(Bytes(data)), self._port_up, self._port_down)
            self._serial = SerialPort(serial, listener)
        self._camera: Photographer = NoCamera(post)
        if camera is not None:
            self._camera = LiveCamera(
                camera, make_reader, self._from_camera, wishes=wishes, say=self._camera_watch.remark
            )

    def _port_up(self) -> None:
        self._board_watch.up()
        self._post(PortUp())

    def _port_down(self, why: str) -> None:
        watch = self._board_watch
        watch.down(board_words(watch.place, why, watch.is_starting))
        self._post(PortDown(why))

    def _from_camera(self, given: Input) -> None:
        if isinstance(given, CameraState):
            watch = self._camera_watch
            if given.state == "up":
                watch.up()
            else:
                why = self._camera.last_error if given.state == "down" else ""
                words = camera_words(given.state, watch.was_up, watch.is_starting, why, given.moved_mm)
                watch.down(words)
        elif isinstance(given, MarksOff):
            self._camera_watch.remark(marks_words(given.numbers))
        self._post(given)

    def start(self) -> None:
        """Open lines, camera and port, in this order: the e-stop is known before anything can move."""
        self._start_lines()
        self._camera.start()
        if self._serial is None:
            self._post(PortDown("none"))
        else:
            self._serial.start()

    def _start_lines(self) -> None:
        if self._gpio is None:
            return
        for line in OUTPUTS:
            self._gpio.setup_out(line, line_row(line).safe)
        for line in INPUTS:
            self._gpio.setup_in(line)
            self._gpio.on_edge(line, lambda name, level: self._post(Edge(name, level)))
            self._tell_level(self._gpio, line)

    def _tell_level(self, gpio: GpioPort, line: str) -> None:
        """Post the level found at start; what changed while we looked is told again, so the last is true."""
        told, level = 0, gpio.read(line)
        while level != told:
            self._post(Edge(line, level))
            told, level = level, gpio.read(line)

    def stop(self) -> None:
        """Close everything."""
        if self._serial is not None:
            self._serial.close()
        self._camera.stop()
        if self._gpio is not None:
            with contextlib.suppress(GpioError):
                self._gpio.close()

    def send(self, data: bytes) -> None:
        """Write to the board; without a port the bytes are lost, as on a cut cable."""
        if self._serial is not None:
            self._serial.write(data)

    def take_photo(self, want: TakePhoto) -> None:
        """See `driver.Hands.take_photo`."""
        self._camera.take(want)

    def set_line(self, line: str, level: int) -> None:
        """See `driver.Hands.set_line`."""
        if self._gpio is None:
            return
        try:
            self._gpio.write(line, level)
        except GpioError as error:
            log.warning("gpio.lost", line=line, why=str(error))


def open_lines(config: GpioConfig) -> GpioPort | None:
    """Return the port of the configured kind, None for a table without lines.

    Raises:
        GpioError: if it cannot be opened.
    """
    if config.kind == "none":
        return None
    if config.kind == "socket":
        from controller.gpio.socket import SocketGpioPort

        return SocketGpioPort(config.path or Path())
    try:
        from controller.gpio.rpi import RPiGpioPort
    except (ImportError, RuntimeError) as error:  # RPi.GPIO raises RuntimeError off a Pi
        raise GpioError(f'no GPIO on this machine: {error}; set gpio.kind = "none"') from error
    return RPiGpioPort()
