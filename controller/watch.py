"""One line for people whenever a part of the table goes, stays away, or comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Say = Callable[[str], None]


class PartWatch:
    """Tells each change of one part once.

    >>> watch = PartWatch("board", "/dev/ttyUSB0", print)
    >>> for _ in range(3):
    ...     watch.down("is not there")
    board: /dev/ttyUSB0 is not there; trying again
    >>> watch.up()
    board: /dev/ttyUSB0 is back
    """

    def __init__(self, part: str, place: str, say: Say) -> None:
        self._part, self.place, self._say = part, place, say
        self._wrong: str | None = None
        self.was_up = False

    def up(self) -> None:
        """It works; worth a line only when it did not before."""
        if self._wrong is not None:
            self._say(f"{self._part}: {self.place} is back")
        self._wrong, self.was_up = None, True

    def down(self, what: str) -> None:
        """It does not work: `what` follows its name."""
        if what != self._wrong:
            self._say(f"{self._part}: {self.place} {what}; trying again")
        self._wrong = what


def board_words(device: str, why: str) -> str:
    """Return what is wrong with a serial device, from what its port says.

    >>> board_words("/dev/null", "/dev/null is held by another program")
    'is held by another program'
    """
    if not Path(device).exists():
        return "is not there"
    if "Permission denied" in why:
        return "may not be used by this user (group dialout?)"
    if why.startswith("cannot open"):
        return "cannot be opened as a serial port"
    return why.removeprefix(device).partition(":")[0].strip()


def camera_words(state: str, was_up: bool) -> str:
    """Return what is wrong with a camera in a state other than up."""
    if state == "frozen":
        return "sends the same picture again and again"
    return "is lost" if was_up else "is not there"
