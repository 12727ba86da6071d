"""`python -m controller.recheck LEDGER`: checks the rows that a start took from a snapshot, see `snapshots`.

A process of its own, with the lowest priority: it takes a minute per million rows, and the brain goes first.
Exit 3 with one line where something is wrong.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.snapshots import WRONG, recheck


def main(words: list[str]) -> int:
    """Check the ledger named by the first word."""
    os.nice(19)
    wrong = recheck(Path(words[0]))
    if wrong is not None:
        print(wrong, file=sys.stderr)
    return 0 if wrong is None else WRONG


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
