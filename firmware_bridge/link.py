"""The link without I/O: commands one at a time until answered, events acknowledged, a new boot told as such.

Bytes in by `feed`, time by `tick`, bytes out by `take_output`; what happened comes back as `LinkEvent`s. A
command is sent up to 16 times with the same seq: the board answers each copy and acts once. When the board
has started anew in between, the outcome is unknown and nobody repeats it: `Failed(ticket, "reset")`, then
`Rebooted`. (A little over 400 lines: one conversation with one state. What stands by itself is in `flight`,
`stopping`, `clock` and `record`.)
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from firmware_bridge.clock import BoardClock
from firmware_bridge.errors import BadMessage
from firmware_bridge.flight import RTO_MAX_MS, RTO_MIN_MS, TRIES, Flight, Pace
from firmware_bridge.frames import RAW_STOP, Frame, FrameClass, FrameDecoder, encode
from firmware_bridge.link_events import (
    Done,
    Failed,
    LinkEvent,
    Lost,
    Mismatch,
    Ready,
    Rebooted,
    Received,
    Refused,
    Status,
    Unknown,
    Why,
)
from firmware_bridge.messages import (
    LAYOUT_HASH,
    PROTOCOL_VERSION,
    Ack,
    ClearFault,
    Heartbeat,
    Hello,
    HelloReport,
    Reason,
    StatusReport,
    Stop,
)
from firmware_bridge.record import Recorder
from firmware_bridge.stopping import Stopping
from firmware_bridge.wire import Message

__all__ = [
    "REFUSED_HERE",
    "RTO_MAX_MS",
    "RTO_MIN_MS",
    "TRIES",
    "Done",
    "Failed",
    "Link",
    "LinkEvent",
    "LinkState",
    "Lost",
    "Mismatch",
    "Ready",
    "Rebooted",
    "Received",
    "Refused",
    "Status",
    "Unknown",
]

GREETINGS = 64
"""So many unanswered (half a minute) in a session that the board knows: a new one, events are given up."""
LOST_MS = 2_500
"""The board tells its status every second at rest: two missing in a row and it is lost."""
REFUSED_HERE = 255

LinkState = Literal["closed", "hello", "ready", "mismatch"]


class Link:
    """One conversation with one board over one port that may come and go."""

    def __init__(
        self, now_ms: int, *, session: int | None = None, decoder: FrameDecoder | None = None
    ) -> None:
        """Start closed. `session` is random unless given: another one makes the board drop its old events."""
        self._now = now_ms
        self._session = secrets.randbelow(0xFFFF) + 1 if session is None else session
        self._met = False
        self._state: LinkState = "closed"
        self._decoder = decoder or FrameDecoder()
        self._out = bytearray()
        self.recorder = Recorder()
        """The last minute of the wire."""
        self._events: list[LinkEvent] = []
        self._queue: deque[Flight] = deque()
        self._flight: Flight | None = None
        self._ticket = 0
        self._seq = 0
        self._boot_id = 0
        self._board_version = 0  # the version of a board that differs: what is younger is not asked of it
        self._event_seq: int | None = None
        self._heard_ms = now_ms
        self._stopping = Stopping()
        self._pace = Pace()
        self.clock = BoardClock()
        """The board's milliseconds on ours."""
        self._counts = dict.fromkeys(
            ("frames_out", "retries", "timeouts", "duplicate_events", "events", "reboots", "lost", "stops"), 0
        )

    # ---------------------------------------------------------------- what others see

    @property
    def state(self) -> LinkState:
        """Return closed, hello (greeting), ready or mismatch."""
        return self._state

    @property
    def boot_id(self) -> int:
        """Return the boot that we talk to, 0 before the first greeting."""
        return self._boot_id

    @property
    def stopping(self) -> bool:
        """Return whether the stop pattern is still being repeated."""
        return self._stopping.wanted

    @property
    def counters(self) -> Mapping[str, int]:
        """Return counters since the start, and the times in ms that the retries follow."""
        decoder = self._decoder
        return {
            **self._counts,
            "frames_in": decoder.frames,
            "cobs_errors": decoder.cobs_errors,
            "crc_errors": decoder.crc_errors,
            "length_errors": decoder.length_errors,
            "unknown": decoder.unknown,
            "rtt_ms": round(self._pace.rtt),
            "rto_ms": round(self._pace.rto),
            "clock_error_ms": round(self.clock.error_ms(self._now) or 0),
        }

    def take_output(self) -> bytes:
        """Return the bytes to write now, and forget them."""
        data = bytes(self._out)
        self._out.clear()
        self.recorder.note(">", data, self._now)
        return data

    def next_deadline_ms(self) -> int | None:
        """Return when `tick` must be called, None if only bytes can change anything."""
        if self._events:
            return self._now
        times: list[int] = []
        if self._state != "closed":
            if self._flight is not None:
                times.append(self._flight.due_ms)
            if self._stopping.due_ms is not None:
                times.append(self._stopping.due_ms)
            if self._state != "hello":
                times.append(self._heard_ms + LOST_MS)
        return min(times, default=None)

    # ---------------------------------------------------------------- the port

    def connected(self, now_ms: int) -> list[LinkEvent]:
        """The port is open: greet."""
        self._now = now_ms
        self._decoder.reset()
        self._out.clear()
        self._heard_ms = now_ms
        self._greet()
        if self._stopping.wanted:
            self._repeat_stop()
        return self._take_events()

    def disconnected(self, now_ms: int) -> list[LinkEvent]:
        """The port is gone: nothing that was under way has a known outcome."""
        self._now = now_ms
        self._fail_all("disconnected")
        self._state = "closed"
        self._out.clear()
        return self._take_events()

    def feed(self, data: bytes, now_ms: int) -> list[LinkEvent]:
        """Take bytes from the port."""
        self._now = now_ms
        if self._state != "closed":
            self.recorder.note("<", data, now_ms)
            for frame in self._decoder.feed(data):
                self._hear(frame)
        return self._take_events()

    # ---------------------------------------------------------------- sending

    def send(self, message: Message, now_ms: int) -> int:
        """Queue a command; returns the ticket by which its outcome is told.

        A `ClearFault` goes out with the number of the last stop that the board has told of, so that it never
        undoes a newer one. While a stop is not yet confirmed every order fails as `stopped`.

        Raises:
            BadMessage: if it is not a command, or a field is out of range.
        """
        if message.KIND != "command" or isinstance(message, Hello):
            raise BadMessage(f"{type(message).__name__} cannot be sent as an order")
        try:
            message.pack()
        except Exception as error:
            raise BadMessage(f"{message}: {error}") from error
        self._now = now_ms
        if isinstance(message, Stop):
            self.stop(now_ms)
        if isinstance(message, ClearFault) and self._stopping.told is not None:
            message = replace(message, stops=self._stopping.told)
        self._ticket += 1
        if self._state == "mismatch" and not (message.OPEN and self._board_version >= message.SINCE):
            self._events.append(Refused(self._ticket, REFUSED_HERE, "mismatch"))
        elif self._state not in ("ready", "mismatch"):
            self._events.append(Failed(self._ticket, "disconnected"))
        elif self.stopping and not message.OPEN:
            self._events.append(Failed(self._ticket, "stopped"))
        else:
            flight = Flight(self._ticket, message)
            if isinstance(message, Stop):
                self._queue.appendleft(flight)
            else:
                self._queue.append(flight)
            self._next_flight()
        return self._ticket

    def stop(self, now_ms: int) -> None:
        """Send the raw stop ahead of everything, again every 20 ms until STATUS tells of a stop that is new.

        Orders that wait for an answer or for their turn fail as `stopped`: they must not follow the stop.
        """
        self._now = now_ms
        self._stopping.ask(now_ms)
        self._fail_orders()
        if self._state != "closed":
            self._repeat_stop()

    def beat(self, now_ms: int) -> None:
        """Tell the board that we live; never repeated, never queued."""
        self._now = now_ms
        if self._state == "ready":
            self._write(encode(FrameClass.NOTE, 0, self._boot_id, Heartbeat()))

    def tick(self, now_ms: int) -> list[LinkEvent]:
        """Let time pass: repeats, time-outs, silence."""
        self._now = now_ms
        if self._state != "closed":
            if self._stopping.due_ms is not None and now_ms >= self._stopping.due_ms:
                self._repeat_stop()
            if self._state != "hello" and now_ms >= self._heard_ms + LOST_MS:
                self._lose()
            flight = self._flight
            if flight is not None and now_ms >= flight.due_ms:
                self._retry(flight)
        return self._take_events()

    # ---------------------------------------------------------------- inside: out

    def _take_events(self) -> list[LinkEvent]:
        events, self._events = self._events, []
        return events

    def _write(self, data: bytes) -> None:
        self._out += data
        self._counts["frames_out"] += 1

    def _greet(self) -> None:
        self._state = "hello"
        self._flight = Flight(0, Hello(PROTOCOL_VERSION, self._session, LAYOUT_HASH))
        self._launch(self._flight)

    def _launch(self, flight: Flight) -> None:
        self._seq = (self._seq + 1) & 0xFF
        flight.seq, flight.first_ms = self._seq, self._now
        self._transmit(flight)

    def _transmit(self, flight: Flight) -> None:
        boot_id = 0 if flight.is_greeting else self._boot_id
        self._write(encode(FrameClass.COMMAND, flight.seq, boot_id, flight.message, again=flight.tries > 0))
        self._pace.sent(flight, self._now)

    def _retry(self, flight: Flight) -> None:
        if not flight.may_repeat:
            self._counts["timeouts"] += 1
            # Also when the board is heard: were only our way dead, numbers would run away from the last it
            # knows, and after 127 of them it would take ours for late copies. A greeting heals that.
            self._lose()
            return
        self._counts["retries"] += 1
        if isinstance(flight.message, Hello) and flight.tries % (GREETINGS if self._met else TRIES) == 0:
            # The board may hold this number from another program, whose seq is ahead: it answers a new one.
            self._session = secrets.randbelow(0xFFFF) + 1
            self._met = False
            flight.message = replace(flight.message, session=self._session)
        self._transmit(flight)

    def _next_flight(self) -> None:
        if self._flight is None and self._queue and self._state in ("ready", "mismatch"):
            self._flight = self._queue.popleft()
            self._launch(self._flight)

    def _repeat_stop(self) -> None:
        self._out[:0] = RAW_STOP
        self._counts["stops"] += 1
        self._stopping.sent(self._now)

    def _fail_all(self, why: Why) -> None:
        flights = [self._flight, *self._queue]
        self._queue.clear()
        self._flight = None
        for flight in flights:
            if flight is not None and flight.ticket:
                self._events.append(Failed(flight.ticket, why))

    def _fail_orders(self) -> None:
        """Fail all but greetings, questions and stops."""
        kept = [flight for flight in self._queue if flight.message.OPEN]
        flights = [self._flight, *self._queue]
        if self._flight is not None and not self._flight.message.OPEN:
            self._flight = None
        for flight in flights:
            if flight is not None and not flight.message.OPEN:
                self._events.append(Failed(flight.ticket, "stopped"))
        self._queue = deque(kept)
        self._next_flight()

    def _lose(self) -> None:
        self._counts["lost"] += 1
        self._fail_all("timeout")
        self._events.append(Lost())
        self._greet()

    # ---------------------------------------------------------------- inside: in

    def _hear(self, frame: Frame) -> None:
        self._heard_ms = self._now
        message = frame.message
        if isinstance(message, HelloReport):
            self._greeted(frame, message)
            return
        if frame.boot_id != self._boot_id and self._state in ("ready", "mismatch"):
            self._fail_all("reset")
            self._greet()
            return
        if isinstance(message, StatusReport) and frame.boot_id == self._boot_id:
            self._stopping.hear(message)
            if frame.kind == FrameClass.NOTE:
                self.clock.told(message.uptime_ms, self._now)
        if self._state not in ("ready", "mismatch"):
            return
        if frame.kind == FrameClass.EVENT:
            self._take_event(frame)
        elif message is None:
            return
        elif frame.kind == FrameClass.RESPONSE:
            self._answered(frame, message)
        elif isinstance(message, StatusReport):
            self._events.append(Status(message))

    def _greeted(self, frame: Frame, report: HelloReport) -> None:
        flight = self._flight
        if self._state != "hello" or flight is None or frame.seq != flight.seq:
            return
        self._pace.sample(flight, self._now)
        self._flight = None
        self._met = True
        if report.boot_id != self._boot_id:
            self._event_seq = None
            if self._boot_id:
                self._counts["reboots"] += 1
                self._events.append(Rebooted(report.boot_id, report.reset_cause))
            self._boot_id = report.boot_id
            self._stopping.new_boot()
            self.clock.new_boot()
        self._note_time(flight, report)
        self._board_version = report.version
        if frame.version != PROTOCOL_VERSION or report.version != PROTOCOL_VERSION:
            self._state = "mismatch"
            self._events.append(Mismatch(f"protocol version {report.version}, ours is {PROTOCOL_VERSION}"))
        elif report.layout != LAYOUT_HASH:
            self._state = "mismatch"
            self._events.append(Mismatch(f"message layout {report.layout:08x}, ours is {LAYOUT_HASH:08x}"))
        else:
            self._state = "ready"
            self._events.append(Ready(report))
        self._next_flight()

    def _take_event(self, frame: Frame) -> None:
        ahead = 1 if self._event_seq is None else (frame.seq - self._event_seq) & 0xFF
        self._write(encode(FrameClass.EVENT_ACK, frame.seq, self._boot_id, frame.code))
        if 0 < ahead < 128:
            self._event_seq = frame.seq
            self._counts["events"] += 1
            if frame.message is None:
                self._events.append(Unknown(frame.code, frame.at_ms))
            else:
                self._events.append(Received(frame.message, frame.at_ms))
        else:
            self._counts["duplicate_events"] += 1

    def _answered(self, frame: Frame, message: Message) -> None:
        flight = self._flight
        if flight is None or frame.seq != flight.seq:
            return
        if isinstance(message, Ack):
            if message.command != flight.message.CODE:
                return
        elif message.CODE != flight.message.ANSWER:
            return
        self._pace.sample(flight, self._now)
        self._note_time(flight, message)
        self._flight = None
        if isinstance(message, Ack) and message.reason != Reason.none:
            self._events.append(Refused(flight.ticket, int(message.reason), message.reason.name))
        else:
            self._events.append(Done(flight.ticket, message))
        self._next_flight()

    def _note_time(self, flight: Flight, message: Message) -> None:
        if isinstance(message, HelloReport | StatusReport) and flight.tries == 1:
            self.clock.answered(message.uptime_ms, flight.first_ms, self._now)
