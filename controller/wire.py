"""Between wire messages and table terms: orders -> messages, events and STATUS -> live values and inputs.

The only module of the controller that knows message classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from controller.live_values import MachineLive, Order
