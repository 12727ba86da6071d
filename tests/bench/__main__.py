"""`make bench`: print every figure; `python -m tests.bench rules renderer` prints some.

`python -m tests.bench realtime --minutes 10` watches a live table and prints a line a minute.
"""

from __future__ import annotations

import importlib
import sys

from tests.bench import realtime

BENCHES = ("rules", "wilds", "mcr", "renderer", "vision", "link", "machine", "service", "journal", "start")


def main(names: list[str]) -> int:
    """Run the named benches (all if none is named) and print their rows."""
    if names[:1] == ["realtime"]:
        return realtime.main(names[1:])
    unknown = sorted(set(names) - set(BENCHES))
    if unknown:
        print(f"no such bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    for name in names or BENCHES:
        for row in importlib.import_module(f"tests.bench.{name}_bench").rows():
            print(row.text(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
