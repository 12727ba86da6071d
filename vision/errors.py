"""What vision can refuse: one base, split by what the caller can do about it."""

from __future__ import annotations


class VisionError(Exception):
    """Any refusal of the eyes."""


class MarksNotFound(VisionError, ValueError):
    """Fewer than three of the four table marks are visible: uncover them or move the camera."""


class FrameUnreadable(VisionError, ValueError):
    """The bytes are no picture that can be decoded: take another frame."""


class PictureRefused(VisionError, ValueError):
    """A picture file cannot be used; `code` is for programs, the text (and `zh`, the same in Chinese) for
    people: what is wrong, and what to do."""

    def __init__(self, code: str, message: str, zh: str) -> None:
        super().__init__(message)
        self.code = code
        self.zh = zh


class CameraLost(VisionError, OSError):
    """The camera cannot be opened or stopped sending: it is reopened by its source."""


class EnrolmentRefused(VisionError, ValueError):
    """A club's own tiles cannot be learnt or used; `code` is for programs, the text and `zh` for people."""

    def __init__(self, code: str, message: str, zh: str) -> None:
        super().__init__(message)
        self.code = code
        self.zh = zh
