"""The brain thread and the service in front of it: order, answers, streams, and how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from controller import live
from controller.effects import TakePhoto
from controller.errors import JournalDamaged
from controller.evidence import EvidenceStore
from controller.facts import Fact, Record
from controller.inputs import CameraState, PortDown, Restarted
from controller.journal import Journal
from controller.live import BrainThread, LiveService, Snapshot, monotonic_ms
from controller.players import Players
from controller.runtime import Runtime
from controller.web.errors import WebError
from controller.web.once import Once
from controller.web.service import CommandAnswer, StreamEvent


class Box:
    """Devices that only remember."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def take_photo(self, want: TakePhoto) -> None:
        pass

    def set_line(self, line: str, level: int) -> None:
        pass


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "ledger.db")
    yield made
    made.close()


Scene = Callable[[LiveService, BrainThread], Awaitable[Any]]


def with_service(journal: Any, scene: Scene, folder: Path) -> Any:
    """Run a scene against a service that has started."""

    async def run() -> Any:
        players = Players(folder / "players.db")
        service = LiveService(7, EvidenceStore(folder / "evidence"), players)
        runtime = Runtime("simplest", now_ms=monotonic_ms())
        brain = BrainThread(runtime, journal, service.show, service.failed, epoch=7)
        service.attach(brain)
        brain.start(Box(), Restarted(), PortDown("none"))
        try:
            first = asyncio.ensure_future(service.wait_first())
            await asyncio.wait({service.failure, first}, timeout=5, return_when=asyncio.FIRST_COMPLETED)
            return await asyncio.wait_for(scene(service, brain), 10)
        finally:
            await asyncio.get_running_loop().run_in_executor(None, brain.stop)
            players.close()

    return asyncio.run(run())


def test_the_first_view_is_there_and_facts_are_on_disk(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        assert service.seq == journal.seq == 1
        state = service.view("state")
        assert (state["epoch"], state["phase"], state["table"]["variant"]) == (7, "IDLE", "simplest")
        assert state["head"] == journal.head[:8]
        assert service.view("history") == {"hands": [], "total": 0}
        assert service.view("machine")["link"] == "down"
        assert service.view("sheet")["totals"] == {"p1": 0, "p2": 0, "p3": 0, "p4": 0}
        assert [row["points"] for row in service.view("report")["ranking"]] == [0, 0, 0, 0]
        assert service.view("statistics") == {"players": []}
        with pytest.raises(KeyError):
            service.view("secrets")

    with_service(journal, scene, tmp_path)


def test_an_accepted_command_is_shown_before_it_is_answered(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        for _ in range(20):
            answer = await service.command("stop", {}, "player")
            assert answer["ok"]
            assert service.seq == journal.seq

    with_service(journal, scene, tmp_path)
    assert journal.seq == 21


def test_a_refusal_has_its_code(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        answer = await service.command("confirm", {"seat": "E"}, "player")
        assert not answer["ok"]
        assert answer["code"] == "refuse.confirm"
        assert (await service.command("dance", {}, "player"))["code"] == "refuse.unknown"

    with_service(journal, scene, tmp_path)


async def told(events: AsyncIterator[StreamEvent], *keys: str) -> StreamEvent:
    """Return the next event that tells one of these; the service's own looks at disk and clock may come
    between."""
    async for event in events:
        if any(key in event["data"] for key in keys):
            return event
    raise AssertionError("the stream ended")


def test_a_name_is_shown_and_kept_and_is_no_fact(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        assert service.view("state")["seats"]["S"]["name"] == "p2"
        events = service.subscribe()
        first = asyncio.ensure_future(told(events, "seats"))
        await asyncio.sleep(0)
        assert (await service.command("rename", {"seat": "S", "name": " 普洱 "}, "player"))["ok"]
        live = await first
        assert (live["kind"], live["id"]) == ("live", None)
        assert live["data"]["seats"]["S"]["name"] == "普洱"
        for body in (
            {"seat": "S", "name": "  "},
            {"seat": "S", "name": "x" * 25},
            {"seat": "Q", "name": "x"},
        ):
            assert (await service.command("rename", body, "player"))["code"] == "refuse.rename"
        await events.aclose()

    with_service(journal, scene, tmp_path)
    assert journal.seq == 1
    assert Players(tmp_path / "players.db").names() == {"p2": "普洱"}


def test_facts_have_an_id_and_live_values_only_what_changed(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        events = service.subscribe()
        first = asyncio.ensure_future(told(events, "seq"))
        await asyncio.sleep(0)
        await service.command("stop", {}, "player")
        fact = await first
        assert (fact["kind"], fact["id"]) == ("fact", "7-2")
        assert fact["data"]["seq"] == 2
        brain.post(CameraState("up"))
        live = await told(events, "health")
        while live["data"]["health"]["camera"] != "up":
            live = await told(events, "health")
        assert (live["kind"], live["id"]) == ("live", None)
        assert live["data"]["health"]["camera"] == "up"
        assert "phase" not in live["data"]
        await events.aclose()

    with_service(journal, scene, tmp_path)


def test_live_values_come_at_most_ten_times_a_second(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        events = service.subscribe()
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        began = monotonic_ms()
        for n in range(300):
            brain.post(CameraState(f"state {n}"))
        seen = [await waiting]
        while seen[-1]["data"].get("health", {}).get("camera") != "state 299":
            seen.append(await anext(events))
        assert len(seen) <= 2 + (monotonic_ms() - began) // 100
        await events.aclose()

    with_service(journal, scene, tmp_path)


def test_a_damaged_ledger_ends_the_brain_by_name_and_nobody_waits_for_ever(tmp_path: Path) -> None:
    class Damaged:
        """A ledger that takes one commit."""

        def __init__(self) -> None:
            self.commits = 0

        def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
            self.commits += 1
            if self.commits > 1:
                raise JournalDamaged("a page is wrong")
            return tuple(Record(1, fact.kind, fact.body, "00" * 32) for fact in facts)

    async def scene(service: LiveService, brain: BrainThread) -> None:
        answer = await service.command("stop", {}, "player")
        assert answer == {"ok": False, "code": "refuse.stopping", "params": {}, "seq": service.seq}
        with pytest.raises(JournalDamaged):
            await service.failure
        assert (await service.command("stop", {}, "player"))["code"] == "refuse.stopping"

    with_service(Damaged(), scene, tmp_path)


def test_the_brain_ends_and_leaves_no_thread(journal: Journal, tmp_path: Path) -> None:
    async def scene(service: LiveService, brain: BrainThread) -> None:
        pass

    with_service(journal, scene, tmp_path)
    assert "brain" not in {thread.name for thread in threading.enumerate()}


def test_a_command_that_was_not_begun_in_time_never_acts(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ANSWER_S", 0.1)
    hold = threading.Event()

    async def scene(service: LiveService, brain: BrainThread) -> None:
        before = journal.seq
        monkeypatch.setattr(brain._driver, "tick", lambda now_ms: hold.wait(5))
        monkeypatch.setattr(brain, "_wait_s", lambda: 0)
        brain.post(CameraState("up"))  # wakes the thread, which then stands still
        await asyncio.sleep(0.05)
        with pytest.raises(WebError) as late:
            await service.command("stop", {}, "technician")
        assert late.value.status == 503
        monkeypatch.undo()
        hold.set()
        assert not (await service.command("confirm", {"seat": "E"}, "player"))["ok"]
        assert journal.seq == before

    with_service(journal, scene, tmp_path)


def test_a_machine_that_changes_with_a_fact_is_streamed_too(tmp_path: Path) -> None:
    async def run() -> None:
        service = LiveService(7, EvidenceStore(tmp_path / "evidence"))
        events = service.subscribe()
        first = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        service._take(Snapshot(1, {"seq": 1}, {"link": "up"}))
        assert (await first)["kind"] == "fact"
        assert (await anext(events))["data"] == {"machine": {"link": "up"}}

    asyncio.run(run())


def test_a_failure_is_not_kept_for_its_key() -> None:
    async def run() -> None:
        once, calls = Once(), 0

        async def act() -> CommandAnswer:
            nonlocal calls
            calls += 1
            if calls == 1:
                raise WebError(503, "request.busy")
            return {"ok": True, "code": "ok", "params": {}, "seq": 1}

        with pytest.raises(WebError):
            await once.run("k", act)
        assert (await once.run("k", act))["ok"]

    asyncio.run(run())
