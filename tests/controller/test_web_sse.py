"""The event stream: ids on facts, latest live values, what one missed, snapshots, pings, leaving."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from controller.seen import TABLE, Viewer
from controller.web import sse
from controller.web.errors import WebError
from controller.web.sse import Hub
from tests.browser.fake_service import FakeService


def parse(data: bytes) -> dict[str, Any]:
    """Return id, event and data of one event in text form."""
    out: dict[str, Any] = {"id": None, "event": None, "data": None}
    for line in data.decode().splitlines():
        name, _, value = line.partition(": ")
        if name in out:
            out[name] = json.loads(value) if name == "data" else value
    return out


@asynccontextmanager
async def listening(
    hub: Hub,
    last_id: str | None = None,
    greeted: bool = False,
    viewer: Callable[[], Viewer] = lambda: TABLE,
) -> AsyncIterator[Callable[[], Awaitable[dict[str, Any]]]]:
    async with aclosing(hub.stream(last_id, viewer)) as stream:  # type: ignore[type-var]
        assert (await anext(stream)).startswith(b"retry:")

        is_greeted = greeted

        async def following() -> dict[str, Any]:
            """Return the next event, without the live values that every stream begins with."""
            nonlocal is_greeted
            event = parse(await asyncio.wait_for(anext(stream), 2))
            if event["event"] == "live" and "machine" in event["data"] and not is_greeted:
                is_greeted = True
                return await following()
            return event

        yield following


def play(story: Callable[[FakeService, Hub], Awaitable[None]]) -> None:
    async def run() -> None:
        service = FakeService(pace=0)
        hub = Hub(service)
        hub.start()
        await asyncio.sleep(0)
        await story(service, hub)
        await hub.close()

    asyncio.run(run())


def test_a_new_browser_gets_a_snapshot_then_facts_with_ids() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            first = await following()
            assert (first["id"], first["event"]) == (f"1-{service.seq}", "state")
            assert first["data"] == service.view("state")
            await service.command("start", {}, "player")
            fact = await following()
            assert (fact["id"], fact["data"]["phase"]) == (f"1-{service.seq}", "BUILDING")

    play(story)


def test_a_browser_that_returns_misses_nothing_and_gets_nothing_twice() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        known = f"1-{service.seq}"
        async with listening(hub) as following:
            await following()
        for _ in range(3):
            service.fact()
        await asyncio.sleep(0.01)
        async with listening(hub, known) as following:
            assert [(await following())["id"] for _ in range(3)] == [f"1-{41 + n}" for n in range(3)]
        async with listening(hub, "1-42") as following:
            assert (await following())["id"] == "1-43"
            service.fact()
            assert (await following())["id"] == "1-44"

    play(story)


@pytest.mark.parametrize("last_id", ["9-40", "1-3", "nonsense", ""])
def test_unknown_epoch_or_too_old_is_a_snapshot_first(last_id: str) -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        service.fact()
        await asyncio.sleep(0.01)
        async with listening(hub, last_id) as following:
            assert (await following())["id"] == f"1-{service.seq}"

    play(story)


def test_live_values_have_no_id_and_the_latest_wins() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            for n in range(20):
                service.live(build={"counts": [n] * 4}, wall={"left": n})
            await asyncio.sleep(0.01)
            live = await following()
            assert live == {
                "id": None,
                "event": "live",
                "data": {"build": {"counts": [19] * 4}, "wall": {"left": 19}},
            }

    play(story)


def test_live_values_come_at_most_ten_times_a_second() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            loop = asyncio.get_running_loop()
            started = loop.time()
            for n in range(4):
                service.live(wall={"left": n})
                await following()
            assert loop.time() - started >= 3 * sse.LIVE_EVERY_S * 0.9

    play(story)


def test_who_is_too_slow_gets_a_snapshot_instead_of_a_queue() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            for _ in range(sse.QUEUE + 5):
                service.fact()
            await asyncio.sleep(0.01)
            assert (await following())["id"] == f"1-{service.seq}"
            service.fact()
            assert (await following())["id"] == f"1-{service.seq}"

    play(story)


def test_silence_is_a_ping_that_pages_can_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "PING_S", 0.01)

    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            assert await following() == {"id": None, "event": "live", "data": {}}
        assert sse.PING.startswith(b": ping\n")

    play(story)


def test_who_leaves_is_forgotten_and_closing_ends_all() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            assert hub.clients == 1
        assert hub.clients == 0
        async with aclosing(hub.stream(None, lambda: TABLE)) as stream:  # type: ignore[type-var]
            for _ in ("retry", "state", "live"):
                await anext(stream)
            await hub.close()
            with pytest.raises(StopAsyncIteration):
                await anext(stream)

    play(story)


def test_one_browser_too_many_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "CLIENTS", 1)

    async def story(service: FakeService, hub: Hub) -> None:
        async with listening(hub) as following:
            await following()
            with pytest.raises(WebError) as full:
                hub.check_room()
            assert full.value.status == 429

    play(story)


def test_facts_older_than_the_snapshot_are_not_sent_after_it() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        service.fact()
        service.fact()  # on their way to the hub while a browser joins
        async with listening(hub) as following:
            assert (await following())["id"] == "1-42"
            await asyncio.sleep(0.01)
            service.fact()
            assert (await following())["id"] == "1-43"

    play(story)


def test_who_returns_with_the_current_id_gets_the_live_values_of_now() -> None:
    async def story(service: FakeService, hub: Hub) -> None:
        service.state["build"] = {"counts": [9] * 4}
        async with listening(hub, f"1-{service.seq}", greeted=True) as following:
            live = await following()
            assert (live["id"], live["event"]) == (None, "live")
            assert live["data"]["build"] == {"counts": [9] * 4}
            assert live["data"]["machine"] == service.view("machine")

    play(story)


def test_a_machine_that_changed_with_a_fact_is_not_lost() -> None:
    client = sse.Client(lambda: TABLE)
    client.put_live({"machine": 1, "wall": 1})
    client.put_fact("1-2", b"fact")
    assert client.live == {"machine": 1}


def test_who_is_behind_skips_what_the_snapshot_holds() -> None:
    client = sse.Client(lambda: TABLE)
    for seq in range(1, sse.QUEUE + 3):
        client.put_fact(f"1-{seq}", b"")
    assert client.is_behind
    assert not client.facts
    client.is_behind, client.sent = False, ("1", 70)
    client.put_fact("1-70", b"")
    assert not client.facts
    client.put_fact("1-71", b"")
    assert len(client.facts) == 1
