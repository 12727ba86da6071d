"""The rule variants; a new one is listed here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.errors import Unsupported
from rules.variant import Variant
from rules.variants.base_scoring import BASE_SCORING
from rules.variants.lianzhong import LIANZHONG
from rules.variants.mcr import PROFILES
from rules.variants.simplest import SIMPLEST

_ALL = (SIMPLEST, *PROFILES, LIANZHONG, BASE_SCORING)
VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.key: variant for variant in _ALL})


def get_variant(slug: str) -> Variant:
    """Return the variant of this name.

    Raises:
        Unsupported: if there is none; the text lists those there are.
    """
    variant = VARIANTS.get(slug) if isinstance(slug, str) else None
    if variant is None:
        raise Unsupported(f"no variant {slug!r}; there are: {', '.join(VARIANTS)}")
    return variant
