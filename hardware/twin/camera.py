"""The camera over the twin: a picture of the present scene, a frozen one, or none.

Every picture carries a running number in a JPEG comment: pixels of an unchanged scene are the same, yet the
bytes move on as those of a living camera do, and a frozen camera can be told from a quiet table.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.twin.renderer import Renderer
from hardware.twin.scene import Scene

_START_OF_IMAGE = b"\xff\xd8"


class Camera:
    """Draws `scene()` when asked."""

    def __init__(self, renderer: Renderer, scene: Callable[[], Scene]) -> None:
        self._renderer, self._scene = renderer, scene
        self._number = 0
        self._last: bytes | None = None
        self.is_frozen = False
        self.is_gone = False

    def knock(self, turn_deg: tuple[float, float, float]) -> None:
        """Turn the camera on its arm from where it was set up: pan, tilt, roll."""
        self._renderer = self._renderer.knocked(turn_deg)

    def picture(self) -> bytes | None:
        """Return a JPEG, the same bytes again while frozen, None while gone."""
        if self.is_gone:
            return None
        if not self.is_frozen or self._last is None:
            self._last = self.fresh()
        return self._last

    def fresh(self) -> bytes:
        """Return a new JPEG of the present scene."""
        return self.draw(self._scene())

    def draw(self, scene: Scene) -> bytes:
        """Return a new JPEG of a scene."""
        self._number += 1
        return numbered(self._renderer.render(scene), self._number)


def numbered(jpeg: bytes, number: int) -> bytes:
    """Return the JPEG with a comment segment that holds only a running number.

    >>> numbered(b"\\xff\\xd8rest", 5)[:10].hex()
    'ffd8fffe000600000005'
    """
    comment = b"\xff\xfe\x00\x06" + number.to_bytes(4, "big")
    return _START_OF_IMAGE + comment + jpeg[len(_START_OF_IMAGE) :]
