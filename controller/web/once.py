"""A command that arrives twice acts once: answers are kept by idempotency key for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.web.errors import WebError
from controller.web.service import CommandAnswer

KEEP = 1024
"""Keys remembered; at ten presses a minute that is more than an hour."""


@dataclass(frozen=True, slots=True)
class _Entry:
    what: tuple[str, Mapping[str, Any]]
    answer: asyncio.Future[CommandAnswer]


class Once:
    """Answers by idempotency key."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def run(
        self,
        key: str | None,
        name: str,
        body: Mapping[str, Any],
        act: Callable[[], Awaitable[CommandAnswer]],
    ) -> CommandAnswer:
        """Return the answer of `act`, or the one already given (or still coming) for the same key.

        Raises:
            WebError: 422 if the key came before with another command.
        """
        if key is None:
            return await act()
        known = self._entries.get(key)
        if known is not None:
            if known.what != (name, body):
                raise WebError(422, "request.key_reused")
            return await asyncio.shield(known.answer)
        task: asyncio.Future[CommandAnswer] = asyncio.ensure_future(act())
        self._entries[key] = entry = _Entry((name, body), task)
        task.add_done_callback(lambda done: self._forget_failure(key, entry))
        while len(self._entries) > KEEP:
            self._entries.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failure(self, key: str, entry: _Entry) -> None:
        """A command that was not answered may come again, also when nobody waited to see it fail."""
        failed = entry.answer.cancelled() or entry.answer.exception() is not None
        if failed and self._entries.get(key) is entry:
            del self._entries[key]
