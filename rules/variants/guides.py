"""The guides of the variants that have one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.guide import Guide
from rules.variants.mcr import PROFILES
from rules.variants.mcr_guide import GUIDE

GUIDES: Mapping[str, Guide] = MappingProxyType({variant.key: GUIDE for variant in PROFILES})
