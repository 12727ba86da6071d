"""The link against a model of the board, over a wire that drops, flips, doubles and delays."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.errors import BadMessage
from firmware_bridge.frames import RAW_STOP, FrameClass, FrameDecoder, encode
from firmware_bridge.wire import Message

STATUS = m.StatusReport(
    m.State.idle,
    0,
    0,
    False,
    True,
    m.Position.down,
    m.Position.down,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
)


@dataclass
class Board:
    """What the firmware promises, in Python: answers twice, acts once, keeps events until acknowledged."""

    layout: int = m.LAYOUT_HASH
    boot_id: int = 1
    session: int = 0
    acted: list[Message] = field(default_factory=list)
    beats: int = 0
    stopped: bool = False
    stops: int = 0
    mute: bool = False
    deaf: bool = False
    version: int = m.PROTOCOL_VERSION
    status_ms: int = 1000
    refuse: m.Reason = m.Reason.none
    out: bytearray = field(default_factory=bytearray)
    decoder: FrameDecoder = field(default_factory=FrameDecoder)
    last: tuple[int, int, Message] | None = None
    events: deque[Message] = field(default_factory=deque)
    event_seq: int = 0
    event_due: int = 0
    uptime: int = 0

    def __post_init__(self) -> None:
        self.decoder = FrameDecoder(layout=self.layout)

    def reset(self) -> None:
        self.boot_id = self.boot_id % 255 + 1
        self.session, self.last, self.event_seq = 0, None, 0
        self.events.clear()
        self.stopped, self.stops = False, 0
        self.decoder.reset()

    def emit(self, message: Message) -> None:
        self.events.append(message)
        if len(self.events) == 1:
            self.event_seq = (self.event_seq + 1) & 0xFF
            self.event_due = self.uptime

    def write(self, kind: FrameClass, seq: int, message: Message) -> None:
        if not self.mute:
            self.out += encode(kind, seq, self.boot_id, message, layout=self.layout)

    def status(self) -> None:
        self.write(FrameClass.NOTE, 0, self.report())

    def report(self) -> m.StatusReport:
        return replace(STATUS, stopped=self.stopped, stops=self.stops)

    def feed(self, data: bytes) -> None:
        if self.deaf:
            return
        if RAW_STOP in data:
            self.stopped = True
            self.stops += 1
            self.status()
        for frame in self.decoder.feed(data):
            if frame.kind == FrameClass.EVENT_ACK:
                if self.events and (frame.seq, frame.boot_id) == (self.event_seq, self.boot_id):
                    self.events.popleft()
                    if self.events:
                        self.event_seq = (self.event_seq + 1) & 0xFF
                        self.event_due = self.uptime
            elif frame.kind == FrameClass.NOTE:
                self.beats += 1
            elif frame.message is not None:
                self.command(frame.seq, frame.boot_id, frame.message)

    def command(self, seq: int, boot_id: int, message: Message) -> None:
        if isinstance(message, m.Hello):
            if message.session != self.session:
                self.session, self.last = message.session, None
                self.events.clear()
            if self.last is None or ((seq - self.last[0] + 128) & 255) >= 128:
                report = m.HelloReport(
                    self.version,
                    self.layout,
                    m.Board.host,
                    0,
                    1,
                    0,
                    0,
                    m.ResetCause.watchdog,
                    1,
                    self.boot_id,
                    False,
                    0,
                )
                self.last = (seq, message.CODE, report)
                self.write(FrameClass.RESPONSE, seq, report)
            return
        if self.last is None or boot_id != self.boot_id:
            self.write(FrameClass.RESPONSE, seq, m.Ack(message.CODE, m.Reason.stale_boot))
            return
        ahead = (seq - self.last[0] + 128) & 255
        if ahead > 128:
            self.acted.append(message)
            if isinstance(message, m.ClearFault) and message.stops == self.stops:
                self.stopped = False
            asked = isinstance(message, m.GetStatus)
            answer: Message = self.report() if asked else m.Ack(message.CODE, self.refuse)
            self.last = (seq, message.CODE, answer)
            self.write(FrameClass.RESPONSE, seq, answer)
        elif ahead == 128 and self.last[1] == message.CODE:
            self.write(FrameClass.RESPONSE, seq, self.last[2])

    def tick(self, now: int) -> None:
        self.uptime = now
        if self.events and now >= self.event_due:
            self.write(FrameClass.EVENT, self.event_seq, self.events[0])
            self.event_due = now + 25
        if now % self.status_ms == 0 and self.session:
            self.status()


@dataclass
class Noise:
    """Damage per byte (flip, drop) and per chunk (double, late)."""

    flip: float = 0.0
    drop: float = 0.0
    double: float = 0.0
    late_ms: int = 0
    seed: int = 0
    random: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def damage(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if self.random.random() < self.drop:
                continue
            out.append(byte ^ (1 << self.random.randrange(8)) if self.random.random() < self.flip else byte)
        return bytes(out) * (2 if self.random.random() < self.double else 1)


class Rig:
    """Link, wire and board with one clock; a byte chunk takes 1 ms and what the noise adds."""

    def __init__(self, board: Board | None = None, noise: Noise | None = None) -> None:
        self.now = 0
        self.board = board or Board()
        self.noise = noise or Noise()
        self.link = fb.Link(0, session=5)
        self.heard: list[fb.LinkEvent] = []
        self.to_board: deque[tuple[int, bytes]] = deque()
        self.to_host: deque[tuple[int, bytes]] = deque()
        self.written: list[tuple[int, bytes]] = []
        self.deadlines_kept = True

    def post(self, queue: deque[tuple[int, bytes]], data: bytes) -> None:
        if data:
            at = self.now + 1 + self.noise.random.randint(0, self.noise.late_ms)
            queue.append((max(at, queue[-1][0] if queue else 0), self.noise.damage(data)))

    def step(self) -> None:
        self.now += 1
        while self.to_board and self.to_board[0][0] <= self.now:
            self.board.feed(self.to_board.popleft()[1])
        self.board.tick(self.now)
        self.post(self.to_host, bytes(self.board.out))
        self.board.out.clear()
        while self.to_host and self.to_host[0][0] <= self.now:
            self.heard += self.link.feed(self.to_host.popleft()[1], self.now)
        due = self.link.next_deadline_ms()
        if due is not None and due <= self.now:
            self.heard += self.link.tick(self.now)
        data = self.link.take_output()
        if data:
            self.written.append((self.now, data))
        self.post(self.to_board, data)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.step()

    def up(self) -> Rig:
        self.heard += self.link.connected(self.now)
        self.run(20)
        return self

    def of(self, *kinds: type) -> list[fb.LinkEvent]:
        return [event for event in self.heard if isinstance(event, kinds)]


def test_greets_and_is_ready() -> None:
    rig = Rig().up()
    assert isinstance(rig.heard[0], fb.Ready)
    assert (rig.link.state, rig.link.boot_id) == ("ready", 1)


def test_commands_are_answered_in_order() -> None:
    rig = Rig().up()
    tickets = [rig.link.send(message, rig.now) for message in (m.Lamp(1), m.GetStatus(), m.Build(136))]
    rig.run(30)
    assert [event.ticket for event in rig.of(fb.Done)] == tickets
    assert rig.of(fb.Done)[1] == fb.Done(tickets[1], STATUS)
    assert rig.board.acted == [m.Lamp(1), m.GetStatus(), m.Build(136)]


def test_a_refusal_is_told_by_name() -> None:
    rig = Rig(Board(refuse=m.Reason.not_homed)).up()
    ticket = rig.link.send(m.Build(136), rig.now)
    rig.run(10)
    assert rig.of(fb.Refused) == [fb.Refused(ticket, 1, "not_homed")]


def test_retries_then_fails_and_is_lost() -> None:
    rig = Rig().up()
    rig.board.mute = True
    ticket = rig.link.send(m.Lamp(2), rig.now)
    rig.run(1000)
    assert rig.of(fb.Failed) == [fb.Failed(ticket, "timeout")]
    assert rig.of(fb.Lost)
    copies = [
        data
        for _, data in rig.written
        if data.strip(b"\0") and data.strip(b"\0") == rig.written[1][1].strip(b"\0")
    ]
    assert len(copies) == fb.TRIES
    assert [data[:1] == b"\0" for data in copies] == [False] + [True] * (fb.TRIES - 1)
    assert rig.board.acted == [m.Lamp(2)]
    rig.board.mute = False
    rig.run(1100)
    assert rig.link.state == "ready"
    assert not rig.of(fb.Rebooted)


@pytest.mark.parametrize("orders", [1, 126, 140])
def test_a_board_that_is_heard_but_hears_nothing_takes_orders_again_at_once(orders: int) -> None:
    """Only our way is dead, however many orders fail: numbers must not run away from the board's."""
    rig = Rig(Board(status_ms=200)).up()
    rig.board.deaf = True
    for number in range(orders):
        rig.link.send(m.Lamp(3), rig.now)
        while len(rig.of(fb.Failed)) <= number:
            rig.run(100)
    assert rig.of(fb.Lost)
    rig.board.deaf = False
    rig.run(1_200)
    ticket = rig.link.send(m.Lamp(4), rig.now)
    rig.run(20)
    assert fb.Done(ticket, m.Ack(m.Lamp.CODE, m.Reason.none)) in rig.heard
    assert rig.board.acted == [m.Lamp(4)]


def test_waits_between_tries_stay_within_bounds() -> None:
    rig = Rig().up()
    rig.board.mute = True
    rig.link.send(m.Lamp(2), rig.now)
    rig.run(700)
    times = [at for at, data in rig.written[1:]][: fb.TRIES]
    gaps = [b - a for a, b in pairwise(times[1:])]
    assert all(fb.RTO_MIN_MS <= gap <= fb.RTO_MAX_MS for gap in gaps)


def test_a_new_boot_makes_the_outcome_unknown_and_nothing_is_repeated() -> None:
    rig = Rig().up()
    rig.board.mute = True
    first = rig.link.send(m.Build(136), rig.now)
    second = rig.link.send(m.Lamp(1), rig.now)
    rig.run(5)
    rig.board.mute = False
    rig.board.reset()
    rig.run(200)
    assert rig.of(fb.Failed) == [fb.Failed(first, "reset"), fb.Failed(second, "reset")]
    assert rig.of(fb.Rebooted) == [fb.Rebooted(2, m.ResetCause.watchdog)]
    kinds = [type(event) for event in rig.heard]
    assert kinds.index(fb.Failed) < kinds.index(fb.Rebooted) < len(kinds) - kinds[::-1].index(fb.Ready)
    assert rig.board.acted == [m.Build(136)]
    assert rig.link.state == "ready"


def test_a_new_boot_is_noticed_from_an_event() -> None:
    rig = Rig().up()
    rig.board.reset()
    rig.board.emit(m.Booted(m.ResetCause.watchdog, 2, False))
    rig.run(30)
    assert rig.of(fb.Rebooted)


def test_other_layout_leaves_status_and_stop() -> None:
    rig = Rig(Board(layout=1)).up()
    assert isinstance(rig.heard[0], fb.Mismatch)
    motion = rig.link.send(m.Home(), rig.now)
    status = rig.link.send(m.GetStatus(), rig.now)
    rig.link.stop(rig.now)
    rig.run(60)
    assert rig.of(fb.Refused) == [fb.Refused(motion, fb.REFUSED_HERE, "mismatch")]
    assert [event.ticket for event in rig.of(fb.Done)] == [status]
    assert rig.board.stopped
    assert not rig.link.stopping


def test_stop_goes_ahead_and_is_repeated_until_status_says_stopped() -> None:
    rig = Rig().up()
    rig.board.mute = True
    rig.link.send(m.Lamp(1), rig.now)
    rig.link.stop(rig.now)
    assert rig.link.take_output().startswith(RAW_STOP)
    rig.run(100)
    assert 4 <= sum(RAW_STOP in data for _, data in rig.written) <= 6
    rig.board.mute = False
    rig.run(50)
    assert not rig.link.stopping
    before = len(rig.written)
    rig.run(200)
    assert not any(RAW_STOP in data for _, data in rig.written[before:])


def test_a_stop_overtakes_every_order_and_no_clear_undoes_it() -> None:
    """The clear is on its way when the person presses stop, and its copies come before and after."""
    rig = Rig(noise=Noise(late_ms=3, seed=2)).up()
    rig.link.stop(rig.now)
    rig.run(60)
    before = rig.board.stops
    assert rig.board.stopped
    clear, dice, ask = (
        rig.link.send(each, rig.now) for each in (m.ClearFault(0), m.Dice(900), m.GetStatus())
    )
    rig.link.stop(rig.now)
    late = rig.link.send(m.ClearFault(0), rig.now)
    assert rig.link.stopping
    rig.run(100)
    assert rig.of(fb.Failed) == [fb.Failed(each, "stopped") for each in (clear, dice, late)]
    assert [event.ticket for event in rig.of(fb.Done)] == [ask]
    assert rig.board.acted == [m.ClearFault(before), m.GetStatus()]
    assert rig.board.stopped
    assert not rig.link.stopping
    rig.link.send(m.ClearFault(0), rig.now)
    rig.run(20)
    assert not rig.board.stopped


def test_a_status_from_before_the_stop_does_not_confirm_it() -> None:
    rig = Rig().up()
    rig.link.stop(rig.now)
    rig.run(60)
    before = rig.board.stops
    rig.link.stop(rig.now)
    rig.link.take_output()  # lost on the wire
    rig.board.status()
    rig.run(10)
    assert rig.link.stopping
    rig.run(30)
    assert not rig.link.stopping
    assert rig.board.stops > before


def test_stop_is_remembered_while_the_port_is_closed() -> None:
    rig = Rig()
    rig.link.stop(0)
    assert rig.link.next_deadline_ms() is None
    rig.up()
    assert rig.board.stopped


def test_silence_is_told_once_and_greeting_goes_on() -> None:
    rig = Rig().up()
    rig.board.mute = True
    rig.run(20_000)
    assert len(rig.of(fb.Lost)) == 1
    assert len(rig.written) < 60


def test_greeting_goes_on_for_an_hour() -> None:
    link = fb.Link(0)
    link.connected(0)
    sent = 0
    while (due := link.next_deadline_ms()) is not None and due < 3_600_000:
        link.tick(due)
        sent += bool(link.take_output())
    assert 7_000 < sent < 7_300


def test_a_session_number_that_another_program_had_is_given_up() -> None:
    """Its orders were numbered further than our first greeting: the board ignores it as a late copy."""
    rig = Rig().up()
    for _ in range(40):
        rig.link.send(m.GetStatus(), rig.now)
    rig.run(300)
    rig.link = fb.Link(rig.now, session=5)
    rig.up()
    assert rig.link.state == "hello"
    rig.run(2500)
    assert rig.link.state == "ready"
    assert rig.board.session != 5


def test_unplugged_orders_fail_at_once() -> None:
    rig = Rig().up()
    ticket = rig.link.send(m.Home(), rig.now)
    assert rig.link.disconnected(rig.now) == [fb.Failed(ticket, "disconnected")]
    later = rig.link.send(m.Home(), rig.now)
    assert rig.link.next_deadline_ms() == rig.now
    assert rig.link.tick(rig.now) == [fb.Failed(later, "disconnected")]
    assert rig.link.take_output() == b""


def test_events_survive_a_reconnection_within_the_same_session() -> None:
    rig = Rig().up()
    rig.link.disconnected(rig.now)
    rig.board.emit(m.HomeDone())
    rig.run(100)
    rig.up()
    rig.run(50)
    assert rig.of(fb.Received) == [fb.Received(m.HomeDone())]


class Younger(m.Count):
    """An event that came into the world after this program."""

    CODE = 0x9F


def test_an_unknown_event_is_acknowledged_told_once_and_holds_nothing_up() -> None:
    rig = Rig().up()
    rig.board.emit(m.HomeDone())
    rig.board.emit(Younger(1, 2, 3))
    rig.board.emit(m.DiceDone())
    rig.run(100)
    told = [fb.Received(m.HomeDone()), fb.Unknown(0x9F), fb.Received(m.DiceDone())]
    assert rig.of(fb.Received, fb.Unknown) == told
    assert not rig.board.events
    assert (rig.link.counters["unknown"], rig.link.state) == (1, "ready")


def test_beats_are_not_queued() -> None:
    rig = Rig().up()
    rig.board.mute = True
    rig.link.send(m.Lamp(1), rig.now)
    for _ in range(3):
        rig.link.beat(rig.now)
    rig.run(3)
    assert rig.board.beats == 3


@pytest.mark.parametrize(
    "message", [m.Heartbeat(), m.Count(1, 1, 1), m.Hello(1, 1, 1), m.Lamp(256), m.Dice(-1)]
)
def test_what_is_no_order_is_not_sent(message: Message) -> None:
    with pytest.raises(BadMessage):
        Rig().up().link.send(message, 0)


noises = st.builds(
    Noise,
    flip=st.sampled_from([0.0, 0.001, 0.01]),
    drop=st.sampled_from([0.0, 0.001, 0.01]),
    double=st.sampled_from([0.0, 0.1, 0.5]),
    late_ms=st.sampled_from([0, 3, 30]),
    seed=st.integers(0, 2**32),
)


@settings(max_examples=300, deadline=None)
@given(
    noises, st.lists(st.sampled_from(["order", "event", "wait", "reset", "unplug"]), min_size=1, max_size=40)
)
def test_nothing_is_lost_and_nothing_comes_twice(noise: Noise, story: list[str]) -> None:
    rig = Rig(noise=noise).up()
    while rig.link.state != "ready":
        rig.run(10)
    sent: dict[int, Message] = {}
    emitted: list[Message] = []
    resets = unplugs = 0
    for number, what in enumerate(story, start=1):
        if what == "order":
            message = m.Dice(number)
            sent[rig.link.send(message, rig.now)] = message
        elif what == "event":
            event = m.Fault(number, 0, 0)
            emitted.append(event)
            rig.board.emit(event)
        elif what == "reset":
            rig.board.reset()
            resets += 1
        elif what == "unplug":
            rig.heard += rig.link.disconnected(rig.now)
            rig.run(3)
            rig.heard += rig.link.connected(rig.now)
            unplugs += 1
        rig.run(10)
    for _ in range(40):
        rig.run(500)
        if not rig.board.events and len(rig.of(fb.Done, fb.Failed, fb.Refused)) == len(sent):
            break
    outcome = {event.ticket: event for event in rig.of(fb.Done, fb.Failed, fb.Refused)}
    assert set(outcome) == set(sent)
    assert len(rig.of(fb.Done, fb.Failed, fb.Refused)) == len(sent)
    acted = rig.board.acted
    assert len(acted) == len(set(acted)), "an order was acted on twice"
    assert acted == sorted(acted, key=lambda message: message.spin_ms)
    for ticket, event in outcome.items():
        if isinstance(event, fb.Done):
            assert sent[ticket] in acted, "an order that was confirmed was lost"
    received = [event.message for event in rig.of(fb.Received) if isinstance(event.message, m.Fault)]
    assert len(received) == len(set(received)), "an event came twice"
    assert received == [event for event in emitted if event in received], "events came out of order"
    if not resets:
        assert received == emitted, "an event was lost"
    if not resets and not unplugs and noise.flip == noise.drop == 0:
        assert all(isinstance(event, fb.Done) for event in outcome.values())
