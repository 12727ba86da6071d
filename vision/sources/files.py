"""Pictures from files, as if a camera had sent them."""

from __future__ import annotations

from pathlib import Path

from vision.errors import FrameUnreadable

from .frame import MAX_FRAME_BYTES, Clock, Frame, SourceState, check_frame, monotonic_ms

FILE_FRAME_MS = 200
SUFFIXES = (".jpg", ".jpeg", ".png")


class FileSource:
    """Frames from a JPEG or PNG file, or from a folder of them in name order, one every 200 ms, the last one
    stays."""

    notes: tuple[str, ...] = ()

    def __init__(
        self, path: Path | str, *, clock: Clock = monotonic_ms, frame_ms: int = FILE_FRAME_MS
    ) -> None:
        self._path = Path(path)
        self._clock = clock
        self._frame_ms = frame_ms
        self._files: tuple[Path, ...] = ()
        self._opened_ms = 0
        self.last_error = ""
        self._state: SourceState = "closed"

    @property
    def state(self) -> SourceState:
        """closed, up, or lost (nothing readable there)."""
        return self._state

    def open(self) -> None:
        """List the pictures."""
        try:
            names = sorted(self._path.iterdir()) if self._path.is_dir() else [self._path]
            files = [name for name in names if _is_picture(name)]
            self.last_error = "" if files else f"no picture at {self._path}"
        except OSError as error:
            files, self.last_error = [], f"{self._path}: {error.strerror}"
        self._files = tuple(files)
        self._opened_ms = self._clock()
        self._state = "up" if files else "lost"

    def close(self) -> None:
        """Forget the pictures."""
        self._files = ()
        self._state = "closed"

    def latest(self, after_ms: int = -1) -> Frame | None:
        """Return the picture whose turn it is, as a frame that arrives now."""
        now_ms = self._clock()
        if not self._files or now_ms <= after_ms:
            return None
        turn = min((now_ms - self._opened_ms) // self._frame_ms, len(self._files) - 1)
        file = self._files[turn]
        try:
            with file.open("rb") as stream:
                jpeg = stream.read(MAX_FRAME_BYTES + 1)
            check_frame(jpeg)
        except (OSError, FrameUnreadable) as error:
            self._state = "lost"
            self.last_error = f"{file}: {getattr(error, 'strerror', None) or error}"
            return None
        self._state = "up"
        return Frame(jpeg, now_ms)


def _is_picture(path: Path) -> bool:
    """Return whether a file is a picture by its name; what begins with a dot is some program's own."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
