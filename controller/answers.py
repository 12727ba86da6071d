"""A command that arrives twice acts once, also when the service died between its rows and its answer.

A press is named by `press_text`: who sent it, under which key, and a print of what was asked. The name of a
press that brought about facts stands in the last of their rows (`Fact.press`), so that it is on disk exactly
when they are. What brought about none did nothing that lasts; it is remembered while the service runs.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.effects import Answer
from controller.facts import Record
from controller.inputs import PageCommand

KEPT = 2_048
"""Answers remembered, and rows of the ledger looked through at a start: some sixty hands, a long evening."""
KEY_CHARS = 16
WHAT_CHARS = 8
"""96 bits name the key, 48 tell a repeat from another command under the same key."""
KEY_REUSED = "request.key_reused"


def press_text(session: str, key: str, name: str, body: Mapping[str, Any]) -> str:
    """Return the name of a press: 16 characters for the key of a session, 8 for what was asked.

    >>> one, two = (press_text("s", "k", name, {}) for name in ("lift", "start"))
    >>> len(one), key_of(one) == key_of(two), one == two
    (24, True, False)
    """
    asked = json.dumps([name, body], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return _print(f"{session}\0{key}", KEY_CHARS) + _print(asked, WHAT_CHARS)


def key_of(press: str) -> str:
    """Return the part of a press that stays the same whatever is asked under its key."""
    return press[:KEY_CHARS]


def _print(text: str, chars: int) -> str:
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()[:chars]


class Answers:
    """What was answered, by the key of the press, or by the request's id where it has none."""

    def __init__(self, earlier: Iterable[Record] = ()) -> None:
        """Start from rows of the ledger: the presses that acted before a restart."""
        self._kept: OrderedDict[str, tuple[str, Answer]] = OrderedDict()
        for record in earlier:
            if record.press:
                self._keep(record.press, Answer("", True, "ok", seq=record.seq))

    def known(self, given: PageCommand) -> Answer | None:
        """Return the first answer to this press, None if it is a new one."""
        press = given.press or given.request_id
        kept = self._kept.get(key_of(press) if given.press else press)
        if kept is None:
            return None
        if kept[0] != press:
            return Answer(given.request_id, False, KEY_REUSED)
        return replace(kept[1], request_id=given.request_id)

    def keep(self, given: PageCommand, answer: Answer) -> None:
        """Remember the answer to a press or request."""
        if given.press or given.request_id:
            self._keep(given.press or given.request_id, answer, is_press=bool(given.press))

    def _keep(self, press: str, answer: Answer, *, is_press: bool = True) -> None:
        self._kept[key_of(press) if is_press else press] = (press, answer)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
