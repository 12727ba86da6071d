"""The ops and case forms of single variants: importing this registers them."""

from __future__ import annotations

from rules.variants import base_scoring_ops as _base_scoring_ops  # noqa: F401
from rules.variants import riichi_ops as _riichi_ops  # noqa: F401
from rules.variants import two_player_ops as _two_player_ops  # noqa: F401
