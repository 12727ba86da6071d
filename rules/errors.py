"""Errors of the rules: one base, split by what the caller can do."""

from __future__ import annotations


class RuleError(Exception):
    """Base of everything the rules refuse; `code` is for programs, the text for people."""

    code = "invalid"


class InvalidHand(RuleError, ValueError):
    """The tiles cannot be one player's hand (fifth copy, impossible meld, wrong number)."""


class InvalidWin(RuleError, ValueError):
    """The circumstances of a win contradict each other (a robbed kong drawn by oneself ...)."""


class InvalidOption(RuleError, ValueError):
    """An option or its value is not known to the variant."""


class InvalidRequest(RuleError, ValueError):
    """A field is missing or has a value that makes no sense."""


class Unsupported(RuleError, LookupError):
    """The variant or question is not known to this version."""

    code = "unsupported"
