"""One stream for all browsers: facts carry an id and are kept for those who return, live values do not.

The hub listens to the service once, writes each event to bytes once, and hands it to every client. A client
that returns with a known id gets what it missed; with an unknown epoch or too old an id, a snapshot first.
What is not for everybody's eyes (`controller.seen`) is taken out before an event is written for a viewer.
A client too slow to take facts loses them all and gets a snapshot; of live values only the latest waits.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

from controller.seen import Photos, Viewer, seen_state
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


class Told:
    """One fact as those who listen may see it, written once for all who see the same."""

    def __init__(self, event_id: str, state: Mapping[str, Any], photos: Photos) -> None:
        self.event_id, self._state, self._photos = event_id, state, photos
        self._written: dict[Viewer, bytes] = {}

    def to(self, viewer: Viewer) -> bytes:
        """Return the event for one viewer."""
        written = self._written.get(viewer)
        if written is None:
            state = seen_state(self._state, viewer, self._photos)
            written = self._written[viewer] = encode(state, event="state", event_id=self.event_id)
        return written


class Client:
    """One browser: facts in order, live values by key with the latest winning.

    `viewer` tells who looks now: a player who gets up while he listens is a spectator from then on.
    """

    def __init__(self, viewer: Callable[[], Viewer]) -> None:
        self.viewer = viewer
        self.facts: deque[tuple[str, bytes]] = deque()
        self.sent = ("", 0)
        self.live: dict[str, Any] = {}
        self.is_behind = False
        self.is_closed = False
        self._wake = asyncio.Event()

    def has_seen(self, event_id: str) -> bool:
        """Return whether this fact, or a later one of the same journal, was sent already."""
        epoch, seq = _parts(event_id)
        return epoch == self.sent[0] and seq <= self.sent[1]

    def put_fact(self, event_id: str, data: bytes) -> None:
        """Queue a fact; whoever is too far behind needs a snapshot instead."""
        if self.has_seen(event_id):
            return
        if len(self.facts) >= QUEUE:
            self.facts.clear()
            self.is_behind = True
        if not self.is_behind:
            self.facts.append((event_id, data))
        self.live = {key: value for key, value in self.live.items() if key == "machine"}  # not in a fact
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


def _parts(event_id: str) -> tuple[str, int]:
    epoch, _, seq = event_id.rpartition("-")
    return epoch, int(seq)


class Hub:
    """Fans the service's events out to all clients. Starts with the first one."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._clients: set[Client] = set()
        self._ring: deque[tuple[str, bytes]] = deque()  # whole states: whoever returns is shown his part
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
            photos = self._service.view("photos")
            if event["kind"] == "fact" and event["id"] is not None:
                told = Told(event["id"], event["data"], photos)
                self._keep(event["id"], event["data"])
                for client in self._clients:
                    client.put_fact(event["id"], told.to(client.viewer()))
            else:
                whole = self._service.view("state")
                for client in self._clients:
                    client.put_live(seen_state(event["data"], client.viewer(), photos, whole))

    def _keep(self, event_id: str, state: Mapping[str, Any]) -> None:
        data = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
        self._ring.append((event_id, data))
        self._ring_bytes += len(data)
        while len(self._ring) > RING or self._ring_bytes > RING_BYTES:
            self._before_ring, dropped = self._ring.popleft()
            self._ring_bytes -= len(dropped)

    def snapshot(self, viewer: Viewer) -> bytes:
        """Return the state now as an event with its id."""
        return Told(self._now_id(), self._service.view("state"), self._service.view("photos")).to(viewer)

    def _now_id(self) -> str:
        return f"{self._service.epoch}-{self._service.seq}"

    def missed(self, last_id: str | None) -> list[tuple[str, bytes]] | None:
        """Return the facts after `last_id`, or None if only a snapshot helps."""
        if last_id is None:
            return None
        if last_id == self._now_id():
            return []
        newest = self._ring[-1][0] if self._ring else self._before_ring
        if newest != self._now_id():
            return None  # a fact is on its way to us
        if last_id == self._before_ring:
            return list(self._ring)
        ids = [event_id for event_id, _ in self._ring]
        if last_id not in ids:
            return None
        return list(self._ring)[ids.index(last_id) + 1 :]

    async def stream(self, last_id: str | None, viewer: Callable[[], Viewer]) -> AsyncIterator[bytes]:
        """Yield what one browser shall get, until it leaves or the hub closes; `viewer` tells who looks now.

        Raises:
            WebError: 429 when too many listen already.
        """
        self.check_room()
        self.start()
        client = Client(viewer)
        first = self._first(client, last_id)  # in one step with joining: nothing is lost or told twice
        self._clients.add(client)
        try:
            yield f"retry: {RETRY_MS}\n\n".encode()
            for data in first:
                yield data
            while not client.is_closed:
                self.start()
                if not await client.wait(PING_S):
                    yield PING
                    continue
                if client.is_behind:
                    client.is_behind = False
                    client.facts.clear()
                    client.sent = _parts(self._now_id())
                    yield self.snapshot(viewer())
                while client.facts:
                    event_id, data = client.facts.popleft()
                    if not client.has_seen(event_id):
                        client.sent = _parts(event_id)
                        yield data
                if client.live:
                    values, client.live = client.live, {}
                    yield encode(values, event="live")
                    await asyncio.sleep(LIVE_EVERY_S)
        finally:
            self._clients.discard(client)

    def _first(self, client: Client, last_id: str | None) -> list[bytes]:
        """Return what brings a browser up to now: facts, then the live values of this moment."""
        missed, viewer = self.missed(last_id), client.viewer()
        client.sent = _parts(self._now_id())
        live = {"machine": self._service.view("machine")}
        if missed is None:
            return [self.snapshot(viewer), encode(live, event="live")]
        photos = self._service.view("photos")
        now = seen_state(self._service.view("state"), viewer, photos)
        told = [Told(event_id, json.loads(state), photos).to(viewer) for event_id, state in missed]
        return [*told, encode({**now, **live}, event="live")]

    def check_room(self) -> None:
        """Refuse one stream too many."""
        if len(self._clients) >= CLIENTS:
            raise WebError(429, "request.too_many")
