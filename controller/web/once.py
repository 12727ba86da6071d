"""A command that arrives twice acts once: answers are kept by the key of the press for a while.

What is in the ledger is known for longer, see `controller.answers`.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from controller.answers import KEY_REUSED, key_of
from controller.web.errors import WebError
from controller.web.service import CommandAnswer

KEEP = 1024
"""Keys remembered; at ten presses a minute that is more than an hour."""


@dataclass(frozen=True, slots=True)
class _Entry:
    press: str
    answer: asyncio.Future[CommandAnswer]


class Once:
    """Answers by the key of a press (`answers.press_text`)."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def run(self, press: str, act: Callable[[], Awaitable[CommandAnswer]]) -> CommandAnswer:
        """Return the answer of `act`, or the one already given (or still coming) for the same press.

        Raises:
            WebError: 409 if its key came before with another command.
        """
        if not press:
            return await act()
        key = key_of(press)
        known = self._entries.get(key)
        if known is not None:
            if known.press != press:
                raise WebError(409, KEY_REUSED)
            return await asyncio.shield(known.answer)
        task: asyncio.Future[CommandAnswer] = asyncio.ensure_future(act())
        self._entries[key] = entry = _Entry(press, task)
        task.add_done_callback(lambda done: self._forget_failure(key, entry))
        while len(self._entries) > KEEP:
            self._entries.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failure(self, key: str, entry: _Entry) -> None:
        """A command that was not answered may come again, also when nobody waited to see it fail."""
        failed = entry.answer.cancelled() or entry.answer.exception() is not None
        if failed and self._entries.get(key) is entry:
            del self._entries[key]
