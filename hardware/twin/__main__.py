"""`python -m hardware.twin`: see `command.py`."""

from __future__ import annotations

import sys

from hardware.twin.parent import die_with_parent

if __name__ == "__main__":
    die_with_parent()  # before the imports of the rest, which take a while

    from hardware.twin.command import main

    sys.exit(main())
