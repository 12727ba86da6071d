"""What is shown: views of state and live values as plain JSON. Amounts become points, players become names."""

from __future__ import annotations
