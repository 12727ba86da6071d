"""One line for people whenever a part of the table goes, stays away, or comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

Say = Callable[[str], None]
STARTING_S = 30.0
"""While the models load, a busy machine may starve a board or a camera that is well: that is no loss yet."""
FALTERS = "falters while the table starts"


class PartWatch:
    """Tells each change of one part once.

    >>> watch = PartWatch("board", "/dev/ttyUSB0", print)
    >>> for _ in range(3):
    ...     watch.down("is not there")
    board: /dev/ttyUSB0 is not there; trying again
    >>> watch.up()
    board: /dev/ttyUSB0 is back
    """

    def __init__(self, part: str, place: str, say: Say, clock: Callable[[], float] = time.monotonic) -> None:
        self._part, self.place, self._say = part, place, say
        self._clock, self._began = clock, clock()
        self._wrong: str | None = None
        self.was_up = False

    @property
    def is_starting(self) -> bool:
        """Whether the table has just been started."""
        return self._clock() - self._began < STARTING_S

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

    def remark(self, what: str) -> None:
        """It works, and there is something to know about it."""
        self._say(f"{self._part}: {self.place} {what}")


def marks_words(numbers: tuple[int, ...]) -> str:
    """Return what to say of the marks that lie off their places.

    >>> marks_words((2,))
    'sees mark 2 off its place and goes on without it: lay it back on its corner'
    """
    if not numbers:
        return "sees all marks on their places again"
    told = ", ".join(map(str, numbers))
    return f"sees mark {told} off its place and goes on without it: lay it back on its corner"


def board_words(device: str, why: str, is_starting: bool = False) -> str:
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
    words = why.removeprefix(device).partition(":")[0].strip()
    if words != "is gone":
        return words
    return FALTERS if is_starting else "does not keep up with what it is sent"  # for the device is there


def camera_words(
    state: str, was_up: bool, is_starting: bool = False, why: str = "", moved_mm: float = 0.0
) -> str:
    """Return what is wrong with a camera in a state other than up, and why it was lost if that is known.

    >>> camera_words("down", False, why="it answers 503")
    'is not there (it answers 503)'
    """
    if state == "frozen":
        return "sends the same picture again and again"
    if state == "blind":
        return "sees nothing (lens covered, or no light?)"
    if state == "moved":
        return f"was moved, by {moved_mm:.0f} mm on the table" if moved_mm else "was moved"
    because = f" ({why})" if why else ""
    if not was_up:
        return f"is not there{because}"
    return FALTERS if is_starting else f"sends no picture any more{because}"
