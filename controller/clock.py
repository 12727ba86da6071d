"""Whether the wall clock can be trusted: journal rows carry the answer."""

from __future__ import annotations

import ctypes
import sys

_TIMEX_BYTES = 512
"""More than `struct timex` takes on any Linux; zero means: read only."""
_TIME_ERROR = 5


def clock_is_trusted() -> bool:
    """Return whether the kernel says that its clock is held by a time service (adjtimex)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return False
    return 0 <= state < _TIME_ERROR
