"""What vision can refuse: one base, split by what the caller can do about it."""

from __future__ import annotations


class VisionError(Exception):
    """Any refusal of the eyes."""


class MarksNotFound(VisionError, ValueError):
    """Fewer than three of the four table marks are visible: uncover them or move the camera."""


class FrameUnreadable(VisionError, ValueError):
    """The bytes are no picture that can be decoded: take another frame."""


class PictureRefused(VisionError, ValueError):
    """A picture file cannot be used; `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class CameraLost(VisionError, OSError):
    """The camera cannot be opened or stopped sending: it is reopened by its source."""
