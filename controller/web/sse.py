"""One stream for all browsers: facts carry an id and are kept for those who return, live values do not.

The hub listens to the service once, writes each event to bytes once, and hands it to every client. A client
that returns with a known id gets what it missed; with an unknown epoch or too old an id, a snapshot first.
A client too slow to take facts loses them all and gets a snapshot; of live values only the latest waits.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from controller.web.errors import WebError
from controller.web.service import Service

RING = 1000
"""How many facts a returning browser may have missed (about 30 hands)."""
RING_BYTES = 8 * 1024 * 1024
QUEUE = 64
CLIENTS = 200
PING_S = 10.0
PING = b": ping\nevent: live\ndata: {}\n\n"
"""A comment for proxies, and an empty live event: browsers do not tell pages about comments."""
LIVE_EVERY_S = 0.1
RETRY_MS = 2000


def encode(data: Mapping[str, Any], *, event: str, event_id: str | None = None) -> bytes:
    """Return one event in the text form of Server-Sent Events.

    >>> encode({"a": 1}, event="live")
    b'event: live\\ndata: {"a":1}\\n\\n'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {event}\ndata: {text}\n\n".encode()


class Client:
    """One browser: facts in order, live values by key with the latest winning."""

    def __init__(self) -> None:
        self.facts: deque[bytes] = deque()
        self.live: dict[str, Any] = {}
        self.is_behind = False
        self.is_closed = False
        self._wake = asyncio.Event()

    def put_fact(self, data: bytes) -> None:
        """Queue a fact; whoever is too far behind needs a snapshot instead."""
        if len(self.facts) >= QUEUE:
            self.facts.clear()
            self.is_behind = True
        if not self.is_behind:
            self.facts.append(data)
        self.live.clear()
        self._wake.set()

    def put_live(self, values: Mapping[str, Any]) -> None:
        """Keep the latest of each live value."""
        self.live.update(values)
        self._wake.set()

    def close(self) -> None:
        """Let the stream end."""
        self.is_closed = True
        self._wake.set()

    async def wait(self, timeout_s: float) -> bool:
        """Wait until there is something to send; False after `timeout_s` without."""
        try:
            await asyncio.wait_for(self._wake.wait(), timeout_s)
        except TimeoutError:
            return False
        self._wake.clear()
        return True


class Hub:
    """Fans the service's events out to all clients. Starts with the first one."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._clients: set[Client] = set()
        self._ring: deque[tuple[str, bytes]] = deque()
        self._ring_bytes = 0
        self._before_ring: str | None = None
        self._task: asyncio.Task[None] | None = None
        self.is_closed = False

    @property
    def clients(self) -> int:
        """How many browsers listen now."""
        return len(self._clients)

    def start(self) -> None:
        """Begin to listen to the service (again, if the listening broke off)."""
        if (self._task is None or self._task.done()) and not self.is_closed:
            self._ring.clear()  # what came while nobody listened is not in it
            self._ring_bytes = 0
            self._before_ring = self._now_id()
            self._task = asyncio.create_task(self._listen(), name="sse-hub")

    async def close(self) -> None:
        """End all streams and stop listening."""
        self.is_closed = True
        for client in tuple(self._clients):
            client.close()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _listen(self) -> None:
        async for event in self._service.subscribe():
            if event["kind"] == "fact" and event["id"] is not None:
                data = encode(event["data"], event="state", event_id=event["id"])
                self._keep(event["id"], data)
                for client in self._clients:
                    client.put_fact(data)
            else:
                for client in self._clients:
                    client.put_live(event["data"])

    def _keep(self, event_id: str, data: bytes) -> None:
        self._ring.append((event_id, data))
        self._ring_bytes += len(data)
        while len(self._ring) > RING or self._ring_bytes > RING_BYTES:
            self._before_ring, dropped = self._ring.popleft()
            self._ring_bytes -= len(dropped)

    def snapshot(self) -> bytes:
        """Return the state now as an event with its id."""
        return encode(self._service.view("state"), event="state", event_id=self._now_id())

    def _now_id(self) -> str:
        return f"{self._service.epoch}-{self._service.seq}"

    def missed(self, last_id: str | None) -> list[bytes] | None:
        """Return the facts after `last_id`, or None if only a snapshot helps."""
        if last_id is None:
            return None
        if last_id == self._now_id():
            return []
        if last_id == self._before_ring:
            return [data for _, data in self._ring]
        ids = [event_id for event_id, _ in self._ring]
        if last_id not in ids:
            return None
        return [data for _, data in list(self._ring)[ids.index(last_id) + 1 :]]

    async def stream(self, last_id: str | None) -> AsyncIterator[bytes]:
        """Yield what one browser shall get, until it leaves or the hub closes.

        Raises:
            WebError: 429 when too many listen already.
        """
        self.check_room()
        self.start()
        client = Client()
        self._clients.add(client)
        try:
            yield f"retry: {RETRY_MS}\n\n".encode()
            missed = self.missed(last_id)
            for data in [self.snapshot()] if missed is None else missed:
                yield data
            while not client.is_closed:
                self.start()
                if not await client.wait(PING_S):
                    yield PING
                    continue
                if client.is_behind:
                    client.is_behind = False
                    client.facts.clear()
                    yield self.snapshot()
                while client.facts:
                    yield client.facts.popleft()
                if client.live:
                    values, client.live = client.live, {}
                    yield encode(values, event="live")
                    await asyncio.sleep(LIVE_EVERY_S)
        finally:
            self._clients.discard(client)

    def check_room(self) -> None:
        """Refuse one stream too many."""
        if len(self._clients) >= CLIENTS:
            raise WebError(429, "request.too_many")
