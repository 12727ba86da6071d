"""A table without wood: the real runtime, a fake clock, a board at message level, scripted eyes."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from controller.effects import Answer, Commit, TakePhoto
from controller.facts import Fact, Record
from controller.fold import fold
from controller.inputs import (
    CameraState,
    Committed,
    Edge,
    Input,
    PageCommand,
    PhotoFailed,
    PhotoRead,
    PortDown,
    PortUp,
    Restarted,
)
from controller.projections import machine_view, plain, state_view
from controller.runtime import Runtime, Settings
from controller.state import Phase, TableState
from firmware_bridge import link as fb
from firmware_bridge import messages as m
from rules.notation import parse_hand
from rules.variants import get_variant
from vision.readings import (
    DiceReading,
    DieReading,
    HandReading,
    LampReading,
    MeldReading,
    TileReading,
    WallReading,
)

BOX = (0, 0, 30, 40)
HAND = "[555p,2] 123m 45699s EE + E"
NOT_WON = "[555p,2] 123m 456s 99s EE + S"


def tile(face: str, score: float = 0.99) -> TileReading:
    """Return a tile as the eyes see it; "?6m" is an unsure one that looks like 6m."""
    if face.startswith("?"):
        return TileReading("?", BOX, 0.0, 0.4, ((face[1:], 0.4), ("5m", 0.2)))
    return TileReading(face, BOX, 0.0, score)


def seen(text: str, doubt: int | None = None, flowers: str | None = None) -> HandReading:
    """Return the reading of a hand; tile number `doubt` is not sure; flowers as "ae?", None = not looked."""
    hand = parse_hand(text)
    count = itertools.count()

    def look(face: object) -> TileReading:
        return tile(f"?{face}" if next(count) == doubt else str(face))

    melds = []
    for meld in hand.melds:
        faces = [str(each) for each in meld.tiles]
        sideways = {None: None, 1: 0, 2: 1, 3: len(faces) - 1}[meld.source]
        if meld.kind.value == "concealed_kong":
            faces = ["back", *faces[1:3], "back"]
        melds.append(MeldReading(tuple(look(face) for face in faces), sideways, meld.kind.value))
    concealed = tuple(look(face) for face in hand.concealed)
    win = None if hand.win_tile is None else look(hand.win_tile)
    aside = None if flowers is None else tuple(tile("?a" if face == "?" else face) for face in flowers)
    return HandReading(tuple(melds), concealed, win, 0.99, flowers=aside)


class Board:
    """The controller board as the link tells of it: takes commands, tells events later. A fake `Link`."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.beats: list[int] = []
        self.stops = 0
        self.boot_id = 1
        self.homed = False
        self.trays = self.dome = m.Position.unknown
        self.state = m.State.idle
        self.fault = self.side = self.lamp = 0
        self.latched = False
        self.counts = [0, 0, 0, 0]
        self.deaf: set[type] = set()
        self.refusing: dict[type, m.Reason] = {}
        self.built = [34, 34, 34, 34]
        self.switch = 0
        self._held: list[tuple[int, Any]] = []
        self.capabilities = 0
        self.config = m.ConfigReport(7, True, 1, 1234, 800, 16, 2, 60, 3000, 4000, 8000)
        self._up = False
        self._later: list[tuple[int, int, Any]] = []
        self._order = itertools.count()
        self._tickets = itertools.count(1)

    # ---- what Link offers

    counters: Mapping[str, int] = {}

    def take_output(self) -> bytes:
        return b""

    def next_deadline_ms(self) -> int | None:
        return self._later[0][0] if self._later else None

    def connected(self, now_ms: int) -> list[Any]:
        self._up = True
        hello = m.HelloReport(
            1, 0, m.Board.atmega2560, 0, 1, 0, 0, m.ResetCause.power_on, 1, self.boot_id, self.homed, now_ms
        )
        return [fb.Ready(replace(hello, capabilities=self.capabilities))]

    def disconnected(self, now_ms: int) -> list[Any]:
        self._up = False
        self._later.clear()
        return []

    def feed(self, data: bytes, now_ms: int) -> list[Any]:
        return []

    def beat(self, now_ms: int) -> None:
        self.beats.append(now_ms)

    def stop(self, now_ms: int) -> None:
        self.stops += 1
        self._later = [each for each in self._later if isinstance(each[2], fb.Done | fb.Refused)]
        heapq.heapify(self._later)
        if self._up:
            self.latch(m.State.stopped, now_ms)

    def send(self, message: Any, now_ms: int) -> int:
        ticket = next(self._tickets)
        self.sent.append(message)
        if type(message) in self.deaf:
            return ticket
        reason = self.refusing.get(type(message)) or self._refuses(message)
        if reason is not None:
            self.later(now_ms + 5, fb.Refused(ticket, int(reason), reason.name))
        elif isinstance(message, m.ReadConfig):
            self.later(now_ms + 5, fb.Done(ticket, self.config))
        elif isinstance(message, m.GetStatus):
            self.later(now_ms + 5, lambda: fb.Done(ticket, self.report()))
        else:
            self.later(now_ms + 5, fb.Done(ticket, m.Ack(message.CODE, m.Reason.none)))
            self._begin(message, now_ms)
        return ticket

    def tick(self, now_ms: int) -> list[Any]:
        events = []
        while self._later and self._later[0][0] <= now_ms:
            event = heapq.heappop(self._later)[2]
            event = event() if callable(event) else event
            if event is not None:
                events.append(event)
        return events

    # ---- what the board does

    def later(self, at_ms: int, event: Any) -> None:
        heapq.heappush(self._later, (at_ms, next(self._order), event))

    def tell(self, message: Any, now_ms: int) -> None:
        self.later(now_ms, fb.Received(message))

    def report(self) -> m.StatusReport:
        return m.StatusReport(
            self.state,
            self.fault,
            self.side,
            self.latched,
            self.homed,
            self.trays,
            self.dome,
            136,
            *self.counts,
            self.lamp,
            *(0,) * 11,
            programme_switch=self.switch,
        )

    def latch(self, state: m.State, now_ms: int) -> None:
        self.state, self.latched = state, True
        self.tell(m.StateChanged(state), now_ms)

    def fail(self, code: int, side: int, now_ms: int) -> None:
        self._later.clear()
        self.fault, self.side, self.latched, self.state = code, side, True, m.State.fault
        self.tell(m.Fault(code, side, 0), now_ms)

    def reboot(self, now_ms: int, cause: m.ResetCause = m.ResetCause.watchdog) -> None:
        self._later.clear()
        self.boot_id += 1
        self.homed, self.state, self.latched, self.fault = False, m.State.idle, False, 0
        self.trays = self.dome = m.Position.unknown
        self.later(now_ms, fb.Rebooted(self.boot_id, cause))
        self.later(now_ms, self.connected(now_ms)[0])

    def _refuses(self, message: Any) -> m.Reason | None:
        moving = isinstance(message, m.Home | m.Lift | m.Build | m.Dice)
        if moving and self.latched:
            return m.Reason.latched
        if moving and not isinstance(message, m.Home | m.Dice) and not self.homed:
            return m.Reason.not_homed
        if isinstance(message, m.Build) and self.dome != m.Position.down:
            return m.Reason.dome_not_down
        return None

    def _begin(self, message: Any, now_ms: int) -> None:
        match message:
            case m.Home():
                self.state = m.State.homing
                self.later(now_ms + 3000, self._homed)
            case m.Lift(target, direction):
                self.state = m.State.lifting
                setattr(self, target.name, m.Position.moving)
                self.later(now_ms + 2000, lambda: self._lifted(target, direction))
            case m.Build():
                self.state, self.counts = m.State.building, [0, 0, 0, 0]
                for step in range(1, 5):
                    self.later(now_ms + 4000 * step, fb.Received(m.Count(1, step * 8, step * 32)))
                self.later(now_ms + 20_000, self._built)
            case m.Pause(on):
                self.stand(now_ms) if on else self.go_on(now_ms)
            case m.Dice():
                self.later(now_ms + 2500, fb.Received(m.DiceDone()))
            case m.Service(on):
                self.state, self.homed = (m.State.service, False) if on else (m.State.idle, self.homed)
                self.tell(m.StateChanged(self.state), now_ms + 6)
            case m.Lamp(side):
                self.lamp = side
            case m.ClearFault():
                was_latched = self.latched
                self.fault, self.latched, self.state = 0, False, m.State.idle
                if was_latched:
                    self.tell(m.FaultCleared(), now_ms + 6)

    def stand(self, now_ms: int) -> None:
        """A pause of the build, by whomever; `go_on` ends it."""
        building = [each for each in self._later if not isinstance(each[2], fb.Done)]
        self._later = [each for each in self._later if each not in building]
        heapq.heapify(self._later)
        self._held = [(at_ms - now_ms, event) for at_ms, _, event in building]
        self.state = m.State.paused
        self.tell(m.StateChanged(m.State.paused), now_ms)

    def go_on(self, now_ms: int) -> None:
        self.later(now_ms + 1_300, self._goes_on)
        for in_ms, event in self._held:
            self.later(now_ms + 1_300 + in_ms, event)

    def _goes_on(self) -> Any:
        self.state = m.State.building
        return fb.Received(m.StateChanged(m.State.building))

    def _homed(self) -> Any:
        self.homed = True
        self.state = m.State.ready if self.counts == self.built else m.State.idle
        self.trays = self.dome = m.Position.down
        return fb.Received(m.HomeDone())

    def _lifted(self, target: m.Target, direction: m.Direction) -> Any:
        setattr(self, target.name, m.Position[direction.name])
        up = direction is m.Direction.up
        if up and target is m.Target.trays:
            self.counts = [0, 0, 0, 0]  # the walls left the machine
        self.state = {
            ("trays", True): m.State.in_play,
            ("dome", True): m.State.loading,
        }.get((target.name, up), m.State.idle)
        return fb.Received(m.LiftDone(target, direction))

    def _built(self) -> Any:
        self.state, self.counts = m.State.ready, list(self.built)
        return fb.Received(m.BuildDone(*self.built, 20_000))


@dataclass
class Eyes:
    """What the camera answers: readings by purpose, used up one by one, the last one again and again."""

    dice: list[tuple[int | None, int | None]] = field(default_factory=lambda: [(3, 4), (2, 3)])
    hand: list[HandReading] = field(default_factory=lambda: [seen(HAND)])
    lamp: list[int | None] | None = None
    gone: str | None = None
    evidence: str = "ab" * 32

    def look(self, want: TakePhoto, lit: int) -> Input:
        if self.gone is not None:
            return PhotoFailed(want.effect_id, self.gone)
        reading: Any
        if want.purpose == "dice":
            pips = self.dice.pop(0) if len(self.dice) > 1 else self.dice[0]
            reading = DiceReading(tuple(DieReading(each, 0.98, BOX) for each in pips), 0.98)
        elif want.purpose == "hand":
            reading = self.hand.pop(0) if len(self.hand) > 1 else self.hand[0]
        elif want.purpose == "lamp":
            side = lit if self.lamp is None else self.lamp.pop(0)
            reading = LampReading(side, 0.97)
        else:
            reading = WallReading((17, 10, 9, 3), 0.9)
        evidence = self.evidence if want.purpose == "hand" else None
        return PhotoRead(want.effect_id, want.purpose, reading, evidence)


class FakeTable:
    """Drives a runtime: keeps rows, answers photos after 200 ms, checks that state = fold(rows)."""

    def __init__(
        self,
        options: Mapping[str, Any] | None = None,
        state: TableState | None = None,
        variant: str = "simplest",
        sets: int = 1,
        procedure: Mapping[str, Any] | None = None,
    ) -> None:
        self.now = 0
        self.procedure = procedure or {}
        self.variant = variant
        self.sets = sets
        self.board = Board()
        self.board.built = [get_variant(variant).tiles // 4] * 4
        self.eyes = Eyes()
        self.rows: list[Record] = []
        self.answers: dict[str, Answer] = {}
        self.options = options or {}
        self._requests = itertools.count(1)
        self._photos: list[tuple[int, Input]] = []
        self._new_runtime(state)

    def _new_runtime(self, state: TableState | None) -> None:
        settings = Settings(sets=self.sets, procedure=self.procedure)
        link: Any = self.board
        self.runtime = Runtime(
            self.variant, self.options, state, settings=settings, link=link, now_ms=self.now
        )
        self.feed(Restarted())

    # ---- time and inputs

    def feed(self, given: Input) -> None:
        for effect in self.runtime.feed(given, self.now):
            match effect:
                case Commit(facts):
                    self._commit(facts)
                case TakePhoto():
                    answer = self.eyes.look(effect, self.board.lamp)
                    self._photos.append((self.now + 200, answer))
                case Answer():
                    self.answers[effect.request_id] = effect
                case _:
                    pass

    def _commit(self, facts: tuple[Fact, ...]) -> None:
        rows = []
        for fact in facts:
            seq = len(self.rows) + 1
            rows.append(Record(seq, fact.kind, dict(fact.body), f"{seq:064x}"))
            self.rows.append(rows[-1])
        assert self.runtime.feed(Committed(tuple(rows)), self.now) == []
        assert plain(self.runtime.state) == plain(fold(self.rows))

    def run(self, ms: int) -> None:
        """Let time pass."""
        end = self.now + ms
        for _ in range(10_000):
            photo = min((at for at, _ in self._photos), default=None)
            times = [at for at in (self.runtime.next_deadline_ms(), photo) if at is not None]
            if not times or min(times) > end:
                break
            self.now = max(self.now, min(times))
            due = [each for each in self._photos if each[0] <= self.now]
            self._photos = [each for each in self._photos if each[0] > self.now]
            for _, answer in due:
                self.feed(answer)
            self.runtime_tick()
        else:
            raise AssertionError("time does not pass")
        self.now = end

    def runtime_tick(self) -> None:
        from controller.inputs import Tick

        self.feed(Tick())

    def do(self, name: str, role: str = "player", **body: Any) -> Answer:
        """Send a page command and return its answer."""
        request = f"r{next(self._requests)}"
        body = {key.rstrip("_"): value for key, value in body.items()}
        self.feed(PageCommand(request, name, body, role))
        return self.answers[request]

    def ok(self, name: str, **body: Any) -> None:
        """Send a page command that must be accepted."""
        answer = self.do(name, **body)
        assert answer.ok, (name, answer.code, answer.params, self.phase, self.step)

    def press(self, side: int, ms: int = 300) -> None:
        """Press a seat key."""
        self.feed(Edge(f"seat{side}", 1))
        self.run(ms)
        self.feed(Edge(f"seat{side}", 0))
        self.run(50)

    def key(self, name: str) -> None:
        """Press a key of the board."""
        self.board.tell(m.Key(m.KeyId[name], True), self.now)
        self.board.tell(m.Key(m.KeyId[name], False), self.now + 80)
        self.run(200)

    # ---- what one sees

    @property
    def state(self) -> TableState:
        return self.runtime.state

    @property
    def phase(self) -> Phase:
        return self.runtime.state.phase

    @property
    def step(self) -> str | None:
        return self.runtime.state.step

    @property
    def view(self) -> Any:
        machine_view(self.state, self.runtime.live, self.runtime.counters)
        return state_view(self.state, self.runtime.live, epoch=7)

    def kinds(self) -> list[str]:
        return [row.kind for row in self.rows]

    def scores(self) -> list[int]:
        return [place.score for place in self.state.seats]

    def at(self, phase: Phase, step: str | None = None) -> None:
        assert (self.phase, self.step) == (phase, step), (self.phase, self.step, self.view["notices"])

    # ---- ways into the hand

    def connect(self) -> None:
        self.feed(CameraState("up"))
        self.feed(PortUp())
        self.run(100)

    def to_load(self) -> None:
        self.ok("start")
        self.run(10_000)
        self.at(Phase.BUILDING, "load")

    def to_ready(self) -> None:
        self.to_load()
        self.ok("start")
        self.run(30_000)
        self.at(Phase.READY)

    def to_dice(self) -> None:
        self.to_ready()
        self.key("lift_a")
        self.run(4_000)
        self.at(Phase.DICE, "throw")

    def to_dealing(self) -> None:
        self.to_dice()
        for _ in range(2):
            self.key(f"dice_{self.state.side_of(self.state.thrower())}")
            self.run(4_000)
        self.at(Phase.DEALING)

    def to_playing(self) -> None:
        self.to_dealing()
        self.press(self.state.side_of(self.state.dealer))
        self.at(Phase.PLAYING)

    def to_confirm(self) -> None:
        self.to_playing()
        self.ok("claim", seat="S", by="discard", from_="N")
        self.press(2)
        self.run(1_000)
        self.at(Phase.CONFIRM)

    def to_claim(self) -> None:
        self.to_playing()
        self.press(2)
        self.at(Phase.CLAIM, "from")

    def to_review(self) -> None:
        self.to_confirm()
        self.ok("dispute", seat="N")

    def to_settled(self) -> None:
        self.to_confirm()
        for seat in "EWN":
            self.ok("confirm", seat=seat)
        if self.view["referee"]:
            assert self.do("check_win", role="referee", ok=True).ok
        self.at(Phase.SETTLED)

    def to_fault(self) -> None:
        self.to_ready()
        self.board.fail(303, 3, self.now)
        self.run(100)
        self.at(Phase.FAULT)

    def restart(self) -> None:
        """Kill the service and start it on its journal; the board goes on as it is."""
        self._photos.clear()
        self.board.disconnected(self.now)
        before = plain(self.state)
        assert plain(fold(self.rows)) == before
        self._new_runtime(fold(self.rows))
        self.connect()

    def unplug(self) -> None:
        self.feed(PortDown("unplugged"))


@pytest.fixture
def table() -> FakeTable:
    """A connected table in IDLE."""
    made = FakeTable()
    made.connect()
    return made


@pytest.fixture
def make_table() -> Callable[..., FakeTable]:
    """The class itself, for tests that need their own."""
    return FakeTable


@pytest.fixture
def look() -> Callable[..., HandReading]:
    """Make a reading of a hand."""
    return seen
