"""The twin ends with the process that started it. Imports nothing heavy: it must be in force at once."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """End when the process that started us ends, however it does; at once if it is gone already.

    Raises:
        SystemExit: if the starter ended before the kernel could be told to tell us.
    """
    starter = os.getppid()
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != starter or _was_handed_over(starter):
            raise SystemExit(0)


def _was_handed_over(parent: int) -> bool:
    """Return whether our starter died while Python was starting: init has a session of its own, a process
    that init starts has one as well, an orphan still has its starter's."""
    try:
        return parent == 1 and os.getsid(0) not in (os.getpid(), os.getsid(1))
    except OSError:
        return False
