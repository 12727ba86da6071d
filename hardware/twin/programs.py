"""Programs that somebody flashes on the board: its own, one of an older release, one of a stranger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from hardware.firmware.build import build_firmware

PROGRAMS: Mapping[str, str | None] = MappingProxyType(
    {"right_firmware": None, "old_firmware": "old-protocol", "strange_firmware": "unknown-codes"}
)
"""By the name of the fault: the mutant that is built (None: what belongs to this program).

`old_firmware` greets with protocol version 1 and its layout. `strange_firmware` speaks ours and tells an
event and a fault whose numbers nobody knows.
"""


def program(name: str) -> Path:
    """Return the file of a program, built first if need be (some seconds).

    Raises:
        BuildError: if it cannot be built.
    """
    return build_firmware(PROGRAMS[name])
