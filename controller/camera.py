"""The camera's edge: takes the frame a photo request may have, reads it, and answers with an input.

A frame is as old as its exposure, transfer and queue; how old, nobody tells. So a photo is the second frame
that arrives `SETTLE_MS` after the request: its exposure began after the first of them left. No camera sends
two equal frames, so equal bytes mean that it is frozen. Each photo is calibrated by its own marks; only when
a mark is covered is the last good calibration used. Photos, and looks at the marks now and then, also tell
when the camera was moved (`vision.drift`): then nothing is read until the table is measured anew.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Protocol

import structlog

from controller.effects import TakePhoto
from controller.errors import ControllerError
from controller.evidence import EvidenceStore
from controller.inputs import CameraState, Input, MarksOff, PhotoFailed, PhotoRead
from vision.calibration import Calibration
from vision.drift import CameraWatch, Drift
from vision.errors import FrameUnreadable, VisionError
from vision.eyes import Eyes, Image
from vision.marks import find_marks
from vision.sources import (
    BlindWatch,
    FileSource,
    Frame,
    FrameSource,
    FreezeWatch,
    Wishes,
    decode,
    monotonic_ms,
    open_source,
)

log = structlog.get_logger(__name__)

SETTLE_MS = 200
"""Frames on their way when the photo was asked for have arrived by then (4 in a queue at 30 fps: 133 ms)."""
FRAMES_AFTER = 2
PHOTO_WAIT_MS = 3_500
"""Longer than a camera needs to be opened again (2,000 ms) and to send its first frame."""
POLL_S = 0.02
STATE_POLL_S = 0.2
REOPEN_S = 5.0
"""Eyes that could not be loaded are tried again after this time."""
FIRST_FRAME_MS = 3_000
"""A camera that was just switched on is not called down before that."""


class CameraUnknown(ControllerError, ValueError):
    """The camera's address makes no sense."""


class PhotoReader:
    """Pixels in, the input that answers the request out; the same for the live and the virtual table.

    Args:
        watch: knows the camera's place and lens; None starts with neither.
    """

    def __init__(self, eyes: Eyes, store: EvidenceStore, watch: CameraWatch | None = None) -> None:
        self._eyes = eyes
        self._store = store
        self._watch = watch or CameraWatch()
        self._moves: list[CameraState | MarksOff] = []

    def read(self, want: TakePhoto, jpeg: bytes, now_ms: int) -> PhotoRead | PhotoFailed:
        """Return what the eyes see on the frame for the purpose of the request."""
        try:
            image = decode(jpeg)
            calibration, why = self._place(image, now_ms)
        except FrameUnreadable:
            return PhotoFailed(want.effect_id, "error")
        if calibration is None:
            return PhotoFailed(want.effect_id, why)
        return self._look(want, image, calibration)

    @property
    def is_moved(self) -> bool:
        """Whether the camera stands elsewhere and the table is not measured anew yet."""
        return self._watch.is_moved

    def is_check_due(self, now_ms: int) -> bool:
        """Whether a look at the marks is due: at the start, every few minutes, and often while in doubt."""
        return self._watch.is_due(now_ms)

    def check(self, jpeg: bytes | None, now_ms: int) -> None:
        """Look at the marks of a frame, None if there is none; what it brings is in `take_moves`."""
        self._watch.put_off(now_ms)
        if jpeg is not None:
            with contextlib.suppress(FrameUnreadable):
                self._place(decode(jpeg), now_ms)

    def take_moves(self) -> list[CameraState | MarksOff]:
        """Return, once, the moves of the camera and of single marks that were found."""
        moves, self._moves = self._moves, []
        return moves

    def _look(self, want: TakePhoto, image: Image, calibration: Calibration) -> PhotoRead:
        effect_id, eyes = want.effect_id, self._eyes
        if want.purpose == "dice":
            return PhotoRead(effect_id, "dice", eyes.read_dice(image, calibration))
        if want.purpose == "lamp":
            return PhotoRead(effect_id, "lamp", eyes.read_lamp(image, calibration))
        if want.purpose == "wall":
            return PhotoRead(effect_id, "wall", eyes.read_wall(image, calibration))
        assert want.side is not None
        reading = eyes.read_hand(image, calibration, want.side, flowers=want.flowers)
        return PhotoRead(effect_id, "hand", reading, self._kept(image, calibration, want.side, want.flowers))

    def _kept(self, image: Image, calibration: Calibration, side: int, flowers: bool) -> str | None:
        """Keep the photo as evidence; a full disk costs the photo, not the reading."""
        try:
            return self._store.put(self._eyes.evidence(image, calibration, side, flowers=flowers))
        except OSError as error:
            log.warning("evidence.lost", why=str(error))
            return None

    def _place(self, image: Image, now_ms: int) -> tuple[Calibration | None, str]:
        """Return the calibration that may be trusted for this picture, or why there is none."""
        size_px = (image.shape[1], image.shape[0])
        try:
            look = self._watch.saw(find_marks(image), size_px, now_ms)
        except VisionError as error:  # the lens is another camera's
            log.warning("camera.lens", why=str(error))
            return None, "calibration"
        if look.drift is not None:
            self._tell_move(look.drift)
        if look.strays is not None:
            log.warning("camera.marks_off", marks=list(look.strays))
            self._moves.append(MarksOff(look.strays))
        return look.calibration, "moved" if look.why == "moved" else "calibration"

    def _tell_move(self, drift: Drift) -> None:
        marks = {mark.number: mark.mm for mark in drift.marks}
        log.warning("camera.moved", mm=drift.mm, px=drift.px, marks=marks, is_measured=not self.is_moved)
        self._moves.append(CameraState("moved", drift.mm))


class Health:
    """Names the camera's state from its source and its frames: up, frozen, blind or down.

    A move is its reader's to tell.
    """

    def __init__(self, started_ms: int) -> None:
        self._freeze, self._blind = FreezeWatch(), BlindWatch()
        self._started_ms = started_ms

    def saw(self, frame: Frame) -> None:
        """Take a frame in order of arrival."""
        self._freeze.saw(frame)
        self._blind.saw(frame)

    @property
    def is_blind(self) -> bool:
        """Whether the latest frames show nothing."""
        return self._blind.is_blind

    def state(self, source: FrameSource, now_ms: int) -> str | None:
        """Return the state, None while a fresh camera may still be starting."""
        if source.state == "up":
            if self._freeze.is_frozen:
                return "frozen"
            return "blind" if self.is_blind else "up"
        if source.state == "opening" and now_ms - self._started_ms < FIRST_FRAME_MS:
            return None
        return "down"


class Photographer(Protocol):
    """What the live service asks of a camera."""

    @property
    def last_error(self) -> str:
        """Why the camera was lost last, "" if it never was."""

    def start(self) -> None:
        """Open the camera; its states and photos come as inputs."""

    def take(self, want: TakePhoto) -> None:
        """Ask for a photo; a newer request takes the place of one that still waits."""

    def stop(self) -> None:
        """Close the camera."""


class NoCamera:
    """A table without a camera: every photo fails at once and people are asked."""

    last_error = ""

    def __init__(self, post: Callable[[Input], None]) -> None:
        self._post = post

    def start(self) -> None:
        """See `Photographer.start`."""
        self._post(CameraState("none"))

    def take(self, want: TakePhoto) -> None:
        """See `Photographer.take`."""
        self._post(PhotoFailed(want.effect_id, "none"))

    def stop(self) -> None:
        """See `Photographer.stop`."""


class LiveCamera:
    """A camera with its reader thread, and a worker thread in which the eyes look.

    Args:
        address: URL, number or folder, as in `--camera`.
        make_reader: loads the models; called once, in the worker thread.
        post: takes inputs from any thread.
        wishes: exposure, focus, white balance, size.
        say: hears a line about what the camera refused of its wishes, or holds.
    """

    def __init__(
        self,
        address: str,
        make_reader: Callable[[], PhotoReader],
        post: Callable[[Input], None],
        *,
        wishes: Wishes | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._health = Health(monotonic_ms())
        try:
            self._source: FrameSource = open_source(address, wishes=wishes, on_frame=self._health.saw)
        except ValueError as error:
            raise CameraUnknown(str(error)) from error
        self._must_differ = not isinstance(self._source, FileSource)
        self._make_reader = make_reader
        self._post = post
        self._say = say
        self._said: set[str] = set()
        self._wants: queue.SimpleQueue[tuple[TakePhoto, int, bytes | None] | None] = queue.SimpleQueue()
        self._told: str | None = None
        self._told_why = ""
        self._reader: PhotoReader | None = None
        self._checked_ms = -1
        self._is_over = threading.Event()
        self._worker = threading.Thread(target=self._work, name="eyes", daemon=True)

    @property
    def last_error(self) -> str:
        """Why the camera was lost last, "" if it never was."""
        return self._source.last_error

    def start(self) -> None:
        """See `Photographer.start`."""
        self._source.open()
        self._worker.start()

    def take(self, want: TakePhoto) -> None:
        """See `Photographer.take`."""
        known = self._source.latest()
        self._wants.put((want, monotonic_ms(), known.jpeg if known else None))

    def stop(self) -> None:
        """See `Photographer.stop`."""
        self._is_over.set()
        self._wants.put(None)
        self._source.close()
        if self._worker.is_alive():
            self._worker.join(timeout=PHOTO_WAIT_MS / 1000)

    def _work(self) -> None:
        """Answer requests until the end; whatever fails is told and logged, and the thread goes on."""
        while True:
            try:
                if self._reader is None:
                    self._reader = self._make_reader()
                if not self._answer_next(self._reader):
                    return
            except Exception:
                log.exception("camera.failed")
                self._told = "down"
                self._post(CameraState("down"))
                if self._is_over.wait(STATE_POLL_S if self._reader is not None else REOPEN_S):
                    return

    def _answer_next(self, reader: PhotoReader) -> bool:
        """Tell the state and answer a request if there is one; returns whether to go on."""
        self._tell_state()
        try:
            request = self._wants.get(timeout=STATE_POLL_S)
        except queue.Empty:
            self._check(reader)
            return True
        while not self._wants.empty() and request is not None:
            request = self._wants.get()
        if request is None:
            return False
        try:
            answer = self._photo(reader, *request)
        except Exception:
            log.exception("photo.failed", purpose=request[0].purpose)
            answer = PhotoFailed(request[0].effect_id, "error")
        self._tell_state()  # a move that the photo showed is known before the photo's answer
        self._post(answer)
        return True

    def _check(self, reader: PhotoReader) -> None:
        """Look at the marks if that is due, while nobody waits for a photo."""
        if not reader.is_check_due(monotonic_ms()):
            return
        frame = self._source.latest(self._checked_ms)  # not the same frame twice: it would confirm itself
        if frame is None or self._source.state != "up":
            reader.check(None, monotonic_ms())
            return
        self._checked_ms = frame.at_ms
        reader.check(frame.jpeg, frame.at_ms)

    def _photo(self, reader: PhotoReader, want: TakePhoto, asked_ms: int, known: bytes | None) -> Input:
        until_ms, arrived, last = asked_ms + PHOTO_WAIT_MS, 0, known
        while monotonic_ms() < until_ms:
            frame = self._source.latest()
            if frame is not None and (frame.jpeg != last or not self._must_differ) and not self._is_blind():
                last = frame.jpeg
                arrived += int(frame.at_ms > asked_ms + SETTLE_MS)
                if arrived >= FRAMES_AFTER:
                    return reader.read(want, frame.jpeg, frame.at_ms)
            if not self._wants.empty():
                return PhotoFailed(want.effect_id, "error")  # a newer request, or the end
            self._tell_state()
            time.sleep(POLL_S)
        if self._source.state != "up":
            return PhotoFailed(want.effect_id, "down")
        return PhotoFailed(want.effect_id, "blind" if self._is_blind() else "frozen")

    def _is_blind(self) -> bool:
        """Whether there is nothing to read now: the last good calibration would find tiles in the dark."""
        return self._health.is_blind and self._must_differ

    def _tell_state(self) -> None:
        for note in self._source.notes:
            if note not in self._said:
                self._said.add(note)
                self._say(note)
        state = self._health.state(self._source, monotonic_ms())
        reader = self._reader
        if reader is not None:
            for move in reader.take_moves():
                if isinstance(move, CameraState):
                    self._told, self._told_why = move.state, ""
                self._post(move)
            if state == "up" and reader.is_moved:
                state = "moved"
        why = self._source.last_error if state == "down" else ""
        is_explained = bool(why) and not self._told_why  # a reason that comes after the state is told too
        if state is not None and (state != self._told or is_explained):
            self._told, self._told_why = state, why
            self._post(CameraState(state))
