"""`op` cases about settings: which there are, their schema, and whether a document holds."""

from __future__ import annotations

from typing import Any

from rules.fields import Fields
from rules.ops import op
from rules.procedure_ops import SLUG
from rules.settings import SettingRefused, described, schema, settle_settings


@op("settings", SLUG)
def _settings(given: Fields, case: Fields) -> dict[str, Any]:
    """Return every setting of a rule text with default and explanation."""
    return {"settings": described(given.text("variant"))}


@op("settings_schema", SLUG)
def _settings_schema(given: Fields, case: Fields) -> dict[str, Any]:
    return {"schema": schema(given.text("variant"))}


@op("settings_check", SLUG)
def _settings_check(given: Fields, case: Fields) -> dict[str, Any]:
    """Return the whole document of the settings given, or why one of them is refused."""
    try:
        return {"accepted": True, "document": settle_settings(given.data).document()}
    except SettingRefused as refused:
        return {
            "accepted": False,
            "code": refused.code,
            "key": refused.key,
            "zh": refused.zh,
            "en": refused.en,
        }
