"""Commands and events between the real firmware and the real link, through a bad wire.

The board says through a spare register which frames it accepted, which commands it acted on and which events
it made (`hal_witness`); the host's side is this process. So what arrived is compared with what was sent, not
with what one of the two believes. Keys are pressed all the time: each is an event that nobody asked for.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.frames import CRC, Frame, FrameDecoder, cobs_decode
from firmware_bridge.wire import Message
from hardware.campaigns.noise import QUIET, Noise, Rates
from hardware.campaigns.progress import Progress
from hardware.firmware.build import build_firmware, build_harness
from hardware.firmware.devices import load_devices
from hardware.twin.harness_client import Harness

SABOTAGES = {
    "no-dedup": "the board acts on every copy of a command: counted as repeated",
    "no-crc": "neither end looks at the CRC: counted as undetected",
}
NOISE = Rates(flip=0.01, drop=0.01, insert=0.001)
CORRUPTED_A_COMMAND = 0.2
"""20,000 of 100,000: with fewer the noise was not what was asked for."""
CLEAN_MIN = 200
CLEAN_P50_MS = 5.0
FALLBACK_SHARE = 10
"""So much smaller is the same at the slower rate."""
BEAT_US = 200_000
LOOK_EVERY = 8
"""Commands between two looks at the witness."""
LOOKS_KEPT = 16
"""Frames from before so many looks are no longer valid; one may wait so long for a 0x00 that was dropped."""
BACKLOG = 8
"""Events on their way before no more keys are pressed: the board keeps 32."""
PATIENCE = 50
GREETING_MS = 4_000
"""A board at another rate than the host follows within 3 s."""
DRAIN_MS = 3_000
TOO_MANY = 1_000
"""Of anything that must not happen: a sabotage is proven long before its end."""
TOLD_OF_SLOW = (
    "lost", "repeated", "undetected", "corrupted", "commands", "events",
    "clean_p50_ms", "clean_p99_ms", "noisy_p50_ms", "noisy_p99_ms",
)  # fmt: skip
QUESTIONS = {m.Hello.CODE, m.GetStatus.CODE, m.Stop.CODE}
"""Good at any time and in any number: they are answered, not acted on once."""


class Listening(FrameDecoder):
    """The host's decoder, which keeps the texts of the frames that it accepted."""

    def __init__(self, *, blind: bool) -> None:
        super().__init__()
        self.blind = blind
        self.accepted: list[bytes] = []

    def _crc_fits(self, body: bytes) -> bool:
        return FrameDecoder._crc_fits(self, body) or self.blind

    def _parse(self, text: bytes) -> Frame | None:
        frame = FrameDecoder._parse(self, text)
        if frame is not None:
            self.accepted.append(text)
        return frame


@dataclass
class Expected:
    """What must come, once each and in order, held against what came."""

    waiting: list[Any] = field(default_factory=list)
    at: int = 0
    last: Any = None
    lost: int = 0
    repeated: int = 0
    good: int = 0

    def come(self, what: Any) -> None:
        """Take what came."""
        ahead = self.waiting[self.at : self.at + 64]
        if what in ahead[:1] or (what in ahead and what != self.last):
            skipped = ahead.index(what)
            self.lost += skipped
            self.at += skipped + 1
            self.good += 1
            self.last = what
        else:
            self.repeated += 1
        if self.at > 4096:
            del self.waiting[: self.at]
            self.at = 0

    def over(self) -> None:
        """Nothing more comes."""
        self.lost += len(self.waiting) - self.at


class Bench:
    """Board, wire and link on one virtual clock in microseconds."""

    def __init__(self, seed: int, sabotage: str | None) -> None:
        mutant = sabotage if sabotage in SABOTAGES else None
        elf = build_firmware() if mutant is None else build_firmware(mutant)
        self.harness = Harness(build_harness(), elf)
        self.decoder = Listening(blind=sabotage == "no-crc")
        self.link = fb.Link(0, session=1 + seed % 0xFFFF, decoder=self.decoder)
        self.to_board, self.to_host = Noise(2 * seed), Noise(2 * seed + 1)
        self.now_us = 0
        self.heard: list[fb.LinkEvent] = []
        self.commands, self.events = Expected(), Expected()
        self.undetected = 0
        self.status: m.StatusReport | None = None
        self._said = bytearray()
        self._sent: deque[set[bytes]] = deque([set()], LOOKS_KEPT)
        self._texts: deque[set[bytes]] = deque([set()], LOOKS_KEPT)
        self._tail = b""
        self._last_seq = -1
        self._beat_us = BEAT_US
        devices = load_devices()["devices"]
        self.keys = devices["keys"]
        self._levels = [False] * len(self.keys)
        rest = (
            "dome_down",
            *(f"{name}_{side}" for name in ("stack_home", "tray_down") for side in range(1, 5)),
        )
        for row in [*devices["sensors"], *self.keys]:
            self._pin(row, row["id"] in rest)

    def _pin(self, row: dict[str, Any], on: bool) -> None:
        self.harness.set_pin(row["port"], row["bit"], int(on == (row["active"] == "high")))

    def press(self, key: int) -> None:
        """Press a key, or let go of it."""
        self._levels[key] = not self._levels[key]
        self._pin(self.keys[key], self._levels[key])

    def step(self, until_us: int) -> None:
        """Let time pass up to the next thing that happens."""
        if self.now_us >= self._beat_us:
            self.link.beat(self.now_us // 1000)
            self._beat_us = self.now_us + BEAT_US
        if data := self.link.take_output():
            self._note_sent(data)
            self.harness.send(self.to_board.through(data))
        due = self.link.next_deadline_ms()
        stops = [until_us, self._beat_us]
        if due is not None:
            stops.append(max(due * 1000, self.now_us + 100))
        report = self.harness.run(min(stops))
        self.now_us = report.now_us
        now_ms = self.now_us // 1000
        if report.sent:
            *texts, self._tail = (self._tail + report.sent).split(b"\0")
            self._texts[-1].update(texts)
            self._hear(self.link.feed(self.to_host.through(report.sent), now_ms))
        self._hear(self.link.tick(now_ms))

    def run(self, ms: int, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass, up to so much."""
        end_us = self.now_us + ms * 1000
        while self.now_us < end_us and not until():
            self.step(end_us)

    def order(self, message: Message) -> tuple[fb.LinkEvent, int]:
        """Send a command; returns its outcome and the microseconds that it took."""
        begun, mark = self.now_us, len(self.heard)
        ticket = self.link.send(message, self.now_us // 1000)
        while True:
            for event in self.heard[mark:]:
                if isinstance(event, fb.Done | fb.Refused | fb.Failed) and event.ticket == ticket:
                    return event, self.now_us - begun
            mark = len(self.heard)
            self.step(begun + 10_000_000)

    def _note_sent(self, data: bytes) -> None:
        for text in data.split(b"\0"):
            body = cobs_decode(text)
            if not body or len(body) <= CRC:
                continue
            self._sent[-1].add(body[:-CRC])
            kind, seq, _, code = body[:4]
            if kind & 15 == 1 and code not in QUESTIONS and seq != self._last_seq:
                self.commands.waiting.append((seq, code))
            if kind & 15 == 1:
                self._last_seq = seq

    def _hear(self, events: list[fb.LinkEvent]) -> None:
        self.heard += events
        for event in events:
            if isinstance(event, fb.Status):
                self.status = event.message

    def look(self) -> None:
        """Compare what both ends accepted since the last look with what was sent."""
        self._said += self.harness.witness()
        while len(self._said) >= 2 and len(self._said) >= 2 + self._said[1]:
            kind, data = self._said[0], bytes(self._said[2 : 2 + self._said[1]])
            del self._said[: 2 + len(data)]
            if kind == ord("A"):
                self.undetected += not any(data in sent for sent in self._sent)
            elif kind == ord("D") and data[1] not in QUESTIONS:
                self.commands.come((data[0], data[1]))
            elif kind == ord("E"):
                self.events.waiting.append((data[0], data[2:]))
        for text in self.decoder.accepted:
            self.undetected += not any(text in sent for sent in self._texts)
        for event in self.heard:
            if isinstance(event, fb.Received):
                self.events.come((event.message.CODE, event.message.pack()))
        self.heard.clear()
        self.decoder.accepted.clear()
        self._sent.append(set())
        self._texts.append(set())


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Send `n` commands through the noise, and a part of it at the slower rate too; returns the figures."""
    slow_n = -(-n // FALLBACK_SHARE)
    with Progress(n + slow_n, "commands") as progress:
        figures = _at_a_rate(n, seed, sabotage, 0, progress)
        slow = _at_a_rate(slow_n, seed, sabotage, m.BAUD_FALLBACK, progress)
    figures[f"at_{m.BAUD_FALLBACK}"] = {name: slow[name] for name in TOLD_OF_SLOW}
    figures["missed"] += [f"at {m.BAUD_FALLBACK} baud: {text}" for text in slow["missed"]]
    return figures


def _at_a_rate(n: int, seed: int, sabotage: str | None, baud: int, progress: Progress) -> dict[str, Any]:
    bench = Bench(seed, sabotage)
    try:
        bench.harness.host_baud(baud)
        return _figures(bench, n, random.Random(seed), sabotage, progress)
    finally:
        bench.harness.close()


def _figures(
    bench: Bench, n: int, chance: random.Random, sabotage: str | None, progress: Progress
) -> dict[str, Any]:
    bench.run(60)
    bench.link.connected(bench.now_us // 1000)
    bench.run(GREETING_MS, lambda: bench.link.state == "ready")
    bench.run(100)
    bench.look()
    bench.commands, bench.events = Expected(), Expected()
    clean, _ = _converse(bench, max(CLEAN_MIN, n // 50), chance)
    bench.to_board.set(NOISE)
    bench.to_host.set(NOISE)
    noisy, failed = _converse(bench, n, chance, progress)
    if sabotage is None:
        _press_on(bench, n)
    bench.to_board.set(QUIET)
    bench.to_host.set(QUIET)
    bench.run(DRAIN_MS)
    bench.look()
    bench.commands.over()
    bench.events.over()
    corrupted = bench.to_board.corrupted + bench.to_host.corrupted
    board = _board_counters(bench.status)
    figures: dict[str, Any] = {
        "lost": bench.commands.lost + bench.events.lost + failed + board["board_events_lost"],
        "repeated": bench.commands.repeated + bench.events.repeated,
        "undetected": bench.undetected,
        "corrupted": corrupted,
        "commands": len(clean) + len(noisy),
        "events": bench.events.good,
        "failed": failed,
        "frames": bench.to_board.frames + bench.to_host.frames,
        "clean_p50_ms": _rank(clean, 0.5),
        "clean_p99_ms": _rank(clean, 0.99),
        "noisy_p50_ms": _rank(noisy, 0.5),
        "noisy_p99_ms": _rank(noisy, 0.99),
        "virtual_s": round(bench.now_us / 1e6),
        **{f"link_{name}": count for name, count in bench.link.counters.items()},
        **board,
    }
    return {**figures, "missed": _missed(figures, len(noisy))}


def _converse(
    bench: Bench, n: int, chance: random.Random, progress: Progress | None = None
) -> tuple[list[int], int]:
    """Send commands one after the other and press keys; returns microseconds each, and how many failed."""
    times: list[int] = []
    failed = 0
    for number in range(1, n + 1):
        _press(bench, number)
        outcome, took_us = bench.order(_some_command(chance))
        times.append(took_us)
        if isinstance(outcome, fb.Failed):
            failed += 1
            bench.run(5_000, lambda: bench.link.state == "ready")
        if number % LOOK_EVERY == 0:
            bench.look()
        if max(failed, bench.commands.repeated, bench.commands.lost, bench.undetected) >= TOO_MANY:
            break
        if progress is not None:
            progress.add()
    bench.look()
    return times, failed


def _press(bench: Bench, number: int) -> None:
    """Press the next key, or let go of it, once the board has room for what that causes."""
    for _ in range(PATIENCE):
        if len(bench.events.waiting) - bench.events.at < BACKLOG:
            break
        bench.run(20)
        bench.look()
    bench.press(number % len(bench.keys))


def _press_on(bench: Bench, events: int) -> None:
    """Press keys until so many events have come."""
    for number in range(10 * events):
        if bench.events.good >= events:
            return
        _press(bench, number)
        bench.run(10)
        if number % LOOK_EVERY == 0:
            bench.look()


def _some_command(chance: random.Random) -> Message:
    """Return an order that moves nothing: a lamp, or a motion that a board which is not homed refuses."""
    made: tuple[Message, ...] = (
        m.Lamp(chance.randrange(5)),
        m.Lift(m.Target(chance.randrange(2)), m.Direction(chance.randrange(2))),
        m.Build(136),
        m.ClearFault(0),
    )
    return made[chance.choice((0, 0, 0, 1, 2, 3))]


def _board_counters(status: m.StatusReport | None) -> dict[str, int]:
    names = ("frames", "crc_errors", "cobs_errors", "overruns", "duplicates", "events_lost")
    return {f"board_{name}": int(getattr(status, name, 0)) for name in names}


def _rank(times_us: list[int], share: float) -> float:
    ordered = sorted(times_us)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] / 1000, 2)


def _missed(figures: dict[str, Any], n: int) -> list[str]:
    missed = [
        f"{name}: {figures[name]}, not 0" for name in ("lost", "repeated", "undetected") if figures[name]
    ]
    wanted = int(CORRUPTED_A_COMMAND * n)
    if figures["corrupted"] < wanted:
        missed.append(f"corrupted: {figures['corrupted']}, not {wanted} or more")
    if figures["clean_p50_ms"] > CLEAN_P50_MS:
        missed.append(f"clean_p50_ms: {figures['clean_p50_ms']}, not {CLEAN_P50_MS} or less")
    return missed
