"""What all tests share: no deadlines for properties, and marks that follow from where a test lives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# machines are shared and noisy: no property may fail because an example was slow
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")

REALTIME = {"test_kill.py", "test_hang.py", "test_real_twin.py"}
"""Files whose twin runs by the wall clock: a service starved by others rightly loses its motors."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that must have the machine for themselves."""
    for item in items:
        path = Path(item.path)
        if path.name in REALTIME and path.parent.name in ("e2e", "browser"):
            item.add_marker(pytest.mark.realtime)
