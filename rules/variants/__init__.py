"""The rule variants; a new one is listed here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.errors import Unsupported
from rules.variant import Variant
from rules.variants.base_scoring import BASE_SCORING
from rules.variants.lianzhong import LIANZHONG
from rules.variants.mcr import MCR, PROFILES
from rules.variants.simplest import SIMPLEST
from rules.variants.two_player import TWO_PLAYER

_ALL = (SIMPLEST, *PROFILES, LIANZHONG, BASE_SCORING)
VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.key: variant for variant in _ALL})
"""The variants that tables are offered."""
PLAYED = SIMPLEST.key
"""What a table plays until it agrees on something else."""
OFFICIAL = MCR.key
"""By what a hand is counted where nobody names a variant."""
_CASES_ONLY: Mapping[str, Variant] = MappingProxyType({TWO_PLAYER.key: TWO_PLAYER})
"""Variants that answer rule cases while tables are not offered them: the machine builds no such walls yet."""


def get_variant(slug: str) -> Variant:
    """Return the variant of this name.

    Raises:
        Unsupported: if there is none; the text lists those there are.
    """
    variant = VARIANTS.get(slug) if isinstance(slug, str) else None
    if variant is None:
        raise Unsupported(f"no variant {slug!r}; there are: {', '.join(VARIANTS)}")
    return variant


def answering_variant(slug: str) -> Variant:
    """Return the variant of this name, one that only answers rule cases too.

    Raises:
        Unsupported: if there is none; the text lists those there are.
    """
    found = _CASES_ONLY.get(slug) if isinstance(slug, str) else None
    return get_variant(slug) if found is None else found
