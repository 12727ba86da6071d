"""`python -m vision.evaluate DIR ...`: figures of folders of labelled twin frames."""

from __future__ import annotations

import sys

from .frames import main

sys.exit(main())
