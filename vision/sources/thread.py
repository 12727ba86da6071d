"""A source with its own reader thread: the latest frame wins, a lost camera is opened again after a pause."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator

from vision.errors import CameraLost, FrameUnreadable

from .frame import Clock, Frame, SourceState, check_frame, monotonic_ms

log = logging.getLogger(__name__)

OPEN_TIMEOUT_MS = 2000
READ_TIMEOUT_MS = 1500
STALE_MS = 1700
"""A camera that is open and has sent no whole frame for this long is lost, whatever its driver waits for.
With a state asked for each 200 ms, people know it within 2 s."""
REOPEN_PAUSE_MS = 500
"""Pause before a lost camera is opened again: its server needs a moment, we need no busy loop."""
DEVICE_PAUSE_MS = 3000
"""The same for a camera of this machine: asking for one that is not there costs more than asking a server."""
REFUSED_PAUSE_MS = 5000
"""The same for a camera whose frames are refused: it will hardly send others soon."""

Frames = Generator[bytes, None, None]


class _HearerFailed(Exception):
    """Whoever hears the frames raised."""


class ThreadSource:
    """Subclasses yield JPEG bytes from `_frames` and raise `CameraLost`.

    Nobody ever waits for the camera: whatever hangs, hangs in the reader thread, and `state` tells it.
    """

    reopen_pause_ms = REOPEN_PAUSE_MS

    def __init__(
        self, *, clock: Clock = monotonic_ms, on_frame: Callable[[Frame], None] | None = None
    ) -> None:
        self._clock = clock
        self._on_frame = on_frame
        self._latest: Frame | None = None
        self._state: SourceState = "closed"
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._arrived = threading.Condition()
        self._error = ""
        self._notes: tuple[str, ...] = ()
        self.reopened = 0

    @property
    def state(self) -> SourceState:
        """closed, opening, up, or lost."""
        return "lost" if self._is_stale else self._state

    @property
    def last_error(self) -> str:
        """Why the camera was lost last, "" if it never was."""
        return f"no picture for {STALE_MS / 1000:g} s" if self._is_stale else self._error

    @property
    def notes(self) -> tuple[str, ...]:
        """What the camera refused of what was wished, and what it holds."""
        return self._notes

    @property
    def _is_stale(self) -> bool:
        latest = self._latest
        return self._state == "up" and latest is not None and self._clock() - latest.at_ms > STALE_MS

    def open(self) -> None:
        """Start the reader thread; nothing if it runs, anew if whoever hears the frames had ended it."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._stop = threading.Event()  # of this thread alone: one that still hangs stays told to end
        self._state = "opening"
        self._thread = threading.Thread(
            target=self._run, args=(self._stop,), name=f"camera-{type(self).__name__}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop the reader thread and release the camera; one that hangs is left behind."""
        thread, self._thread = self._thread, None
        self._stop.set()
        self._interrupt()
        if thread is not None:
            thread.join(timeout=(OPEN_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000)
        self._state = "closed"

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the latest frame that arrived later than `after_ms`, None if there is none yet."""
        frame = self._latest
        return frame if frame is not None and frame.at_ms > after_ms else None

    def wait(self, after_ms: int, timeout_ms: int) -> Frame | None:
        """Return the first frame seen that arrived later than `after_ms`, None after `timeout_ms`."""
        with self._arrived:
            self._arrived.wait_for(lambda: self.latest(after_ms) is not None, timeout_ms / 1000)
        return self.latest(after_ms)

    def _frames(self) -> Frames:
        raise NotImplementedError

    def _interrupt(self) -> None:
        """Make a blocking read in `_frames` return, if it can be done."""

    def remark(self, *notes: str) -> None:
        """Replace the notes."""
        self._notes = notes

    def _run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            pause_ms = self._read_until_lost(stop)
            if pause_ms is None or stop.is_set():
                return
            self._state = "lost"
            self.reopened += 1
            stop.wait(pause_ms / 1000)

    def _read_until_lost(self, stop: threading.Event) -> int | None:
        """Take frames until the camera is lost; return the pause before the next try, None for no other."""
        frames = self._frames()
        try:
            for jpeg in frames:
                if stop.is_set():
                    return None
                check_frame(jpeg)
                try:
                    self._take(jpeg)
                except Exception as error:
                    raise _HearerFailed(str(error) or type(error).__name__) from error
            raise CameraLost("the stream ended")
        except FrameUnreadable as error:
            self._error = str(error)
            return REFUSED_PAUSE_MS
        except CameraLost as error:
            self._error = str(error)
            return self.reopen_pause_ms
        except _HearerFailed as error:  # no camera's: said aloud, not tried again
            self._state = "lost"
            self._error = f"reading ended: {error}"
            return None
        except Exception as error:  # a driver's own kind of failure: a table goes on at night, too
            log.warning("the camera failed", exc_info=True)
            self._error = f"it failed: {error or type(error).__name__}"
            return REFUSED_PAUSE_MS
        finally:
            frames.close()

    def _take(self, jpeg: bytes) -> None:
        frame = Frame(jpeg, self._clock())
        with self._arrived:
            self._latest = frame
            self._state = "up"
            self._arrived.notify_all()
        if self._on_frame is not None:
            self._on_frame(frame)
