"""A board asked over its serial device by this program alone: one thread, one question at a time.

The port is held exclusively, so this works only while no service holds it; see `desk.find_desk`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import quantiles
from typing import Any, Self

from controller.bits import named_bits
from controller.board_config import write_message
from controller.diag.answers import CountersAnswer, StatusAnswer
from controller.diag.errors import DiagError
from controller.diag.words import refusal_words
from controller.questions import QUESTIONS
from controller.wire import board_counters, plain_counters
from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.faults import FAULTS
from firmware_bridge.frames import FrameDecoder
from firmware_bridge.port import GONE, open_serial
from firmware_bridge.wire import Message

GREET_S = 4.0
"""A board that starts anew when its port is opened (DTR) answers after about 2 s of its boot loader."""
ANSWER_S = 2.0
MEMORY_S = 2.0
"""Faults that came at once are written to the EEPROM one after the other, 70 ms each."""
STOP_S = 1.0
READ_S = 0.01
BEAT_S = 0.1
CHUNK = 4096


class Board:
    """One conversation. Use as a context manager: the port is closed with it.

    Args:
        device: path of the serial device.
        now: a steady clock in seconds.
    Raises:
        PortBusy, PortLost: as `open_serial`.
    """

    kind = "board"

    def __init__(self, device: str, now: Callable[[], float] = time.monotonic) -> None:
        self.place = device
        self._now = now
        self._port: Any = open_serial(device)
        self._port.timeout = READ_S
        self._link = fb.Link(self._ms())
        self._ears = FrameDecoder()
        self._bytes_heard = 0
        self._beat_at: float | None = None
        self._outcomes: dict[int, fb.LinkEvent] = {}
        self.heard: list[Message] = []
        """Events of the board, in order, since they were last cleared."""
        self.reboots = 0
        self.hello: m.HelloReport | None = None
        self.mismatch: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> Any:
        """Return the opened serial device, for another conversation on it (the bootloader's)."""
        return self._port

    def close(self) -> None:
        """Close the port."""
        self._port.close()

    # ------------------------------------------------------------------ the conversation

    def _ms(self) -> int:
        return int(self._now() * 1000)

    def greet(self, limit_s: float = GREET_S) -> None:
        """Say hello, and wait until the board has said who it is.

        Raises:
            DiagError: if nobody answers, or somebody who does not speak our language.
        """
        self._take(self._link.connected(self._ms()))
        if not self.pump_until(lambda: self._link.state in ("ready", "mismatch"), limit_s):
            raise self._nobody()

    def _nobody(self) -> DiagError:
        if self._bytes_heard and not self._ears.frames:
            return DiagError(
                "wrong_board",
                f"{self.place} 有数据（{self._bytes_heard} 字节），但不是控制板的协议：设备或波特率不对",
                f"{self.place} sends {self._bytes_heard} bytes that are no TableLink frames: "
                "another device, or another baud rate",
            )
        return DiagError(
            "no_answer",
            f"{self.place} 上没有控制板应答：查控制板供电和数据线，确认烧录过固件",
            f"no board answers on {self.place}: check supply and cable, and that it has our firmware",
        )

    def pump(self) -> None:
        """Read what came, let time pass, write what is due.

        Raises:
            DiagError: if the device is gone.
        """
        try:
            data: bytes = self._port.read(1)
            if data:
                data += self._port.read(min(self._port.in_waiting, CHUNK))
            self._bytes_heard += len(data)
            for frame in self._ears.feed(data):
                if isinstance(frame.message, m.HelloReport):
                    self.hello = frame.message
            self._take(self._link.feed(data, self._ms()) if data else [])
            self._take(self._link.tick(self._ms()))
            if self._beat_at is not None and self._now() >= self._beat_at:
                self._link.beat(self._ms())
                self._beat_at = self._now() + BEAT_S
            output = self._link.take_output()
            if output:
                self._port.write(output)
        except GONE as error:
            raise DiagError(
                "gone",
                f"{self.place} 断开了：查数据线和供电",
                f"{self.place} is gone: check cable and supply",
            ) from error

    def pump_until(self, is_true: Callable[[], bool], limit_s: float) -> bool:
        """Pump until something holds; returns whether it does before the limit."""
        until = self._now() + limit_s
        while not is_true():
            if self._now() >= until:
                return False
            self.pump()
        return True

    def _take(self, events: list[fb.LinkEvent]) -> None:
        for event in events:
            match event:
                case fb.Done() | fb.Refused() | fb.Failed():
                    self._outcomes[event.ticket] = event
                case fb.Received(message):
                    self.heard.append(message)
                case fb.Mismatch(why):
                    self.mismatch = str(why)
                case fb.Rebooted():
                    self.reboots += 1
                case _:
                    pass

    def beats(self, wanted: bool) -> None:
        """Begin or end to send heartbeats: the board stops its motors 600 ms after the last one."""
        self._beat_at = self._now() if wanted else None

    def outcome(self, message: Message, limit_s: float = ANSWER_S) -> fb.LinkEvent | None:
        """Send a command; returns Done, Refused or Failed, None if nothing came in time."""
        ticket = self._link.send(message, self._ms())
        self.pump_until(lambda: ticket in self._outcomes, limit_s)
        return self._outcomes.pop(ticket, None)

    def ask(self, message: Message) -> Message:
        """Send a question and return its answer.

        Raises:
            DiagError: if it is refused or not answered.
        """
        return self._answer(self.outcome(message), type(message).__name__)

    def _answer(self, told: fb.LinkEvent | None, name: str) -> Message:
        if isinstance(told, fb.Done):
            return told.response
        if isinstance(told, fb.Refused):
            raise DiagError(
                "refused",
                *(self.mismatch_words() if self.mismatch else refusal_words(told.reason_key)),
            )
        raise DiagError(
            "no_answer",
            f"控制板没有回答 {name}：查数据线和供电",
            f"the board did not answer {name}: check cable and supply",
        )

    def stop(self) -> bool:
        """Stop all motors; returns whether the board confirmed it. It stays latched until cleared."""
        self._link.stop(self._ms())
        return self.pump_until(lambda: not self._link.stopping, STOP_S)

    def mismatch_words(self) -> tuple[str, str]:
        """Return what to do about a board of another version."""
        return (
            f"固件与程序版本不合（{self.mismatch}）：烧录 mahjong-table firmware build 编译的固件",
            f"firmware and program differ ({self.mismatch}): flash what `mahjong-table firmware build` makes",
        )

    # ------------------------------------------------------------------ the technician's questions

    def raw_status(self) -> m.StatusReport:
        """Return STATUS.

        Raises:
            DiagError: as `ask`.
        """
        status = self.ask(m.GetStatus())
        assert isinstance(status, m.StatusReport)
        return status

    def status(self) -> StatusAnswer:
        """See `Desk.status`."""
        status = self.raw_status()
        sensors = named_bits("sensors", status.sensors)
        words = self.mismatch_words() if self.mismatch else (None, None)
        return StatusAnswer(
            "board",
            self.place,
            link="mismatch" if self.mismatch else "up",
            state=status.state.name,
            fault=status.fault,
            fault_key=fault_name(status.fault),
            side=status.side,
            stopped=status.stopped,
            homed=status.homed,
            trays=status.trays.name,
            dome=status.dome.name,
            lamp=status.lamp,
            counts=(status.count_1, status.count_2, status.count_3, status.count_4),
            running=tuple(name for name, on in named_bits("actuators", status.actuators).items() if on),
            lid_open=sensors["lid"],
            estop=sensors["estop"],
            uptime_ms=status.uptime_ms,
            boot_id=self._link.boot_id,
            **self._who(),
            problem_zh=words[0],
            problem_en=words[1],
        )

    def _who(self) -> dict[str, Any]:
        """Return what the board said of itself when greeted."""
        hello = self.hello
        if hello is None:
            return {}
        return {
            "boot_count": hello.boot_count,
            "reset_cause": hello.reset_cause.name,
            "board": hello.board.name,
            "firmware": f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}",
            "source_hash": f"{hello.source:08x}",
            "layout": f"{hello.layout:08x}",
        }

    def clear(self) -> None:
        """See `Desk.clear`."""
        self.raw_status()  # the link names the last stop that was told, so that a newer one is not undone
        self.ask(m.ClearFault(0))

    def told(self, name: str, argument: int = 0) -> dict[str, Any]:
        """See `Desk.told`."""
        question = QUESTIONS[name]
        until = self._now() + MEMORY_S
        while True:
            told = self.outcome(question.command(argument))
            if not _memory_is_busy(told) or self._now() >= until:
                break
            self.pump_until(lambda: False, BEAT_S)
        report = self._answer(told, name)
        assert isinstance(report, question.answer)
        return {**question.told(report), **question.held(report)}

    def order(self, message: Message) -> str:
        """See `Desk.order`."""
        told = self.outcome(message)
        if isinstance(told, fb.Refused):
            return "mismatch" if self.mismatch else told.reason_key
        return "none" if isinstance(told, fb.Done) else "no_answer"

    def configure(self, was: int, values: Mapping[str, int]) -> str:
        """See `Desk.configure`."""
        report = self.ask(m.ReadConfig())
        assert isinstance(report, m.ConfigReport)
        return self.order(write_message(report, values)) if report.crc == was else "changed"

    def counters(self, asks: int) -> CountersAnswer:
        """See `Desk.counters`."""
        times: list[float] = []
        for _ in range(asks):
            since = self._now()
            if isinstance(self.outcome(m.GetStatus()), fb.Done):
                times.append((self._now() - since) * 1000)
        counters = {**board_counters(self.raw_status()), **plain_counters(self._link.counters)}
        cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
        p50, p99 = (round(cuts[49], 1), round(cuts[98], 1)) if cuts else (None, None)
        return CountersAnswer("board", self.place, counters, asks, asks - len(times), p50, p99)


def _memory_is_busy(told: fb.LinkEvent | None) -> bool:
    return isinstance(told, fb.Refused) and told.reason_key == "busy_memory"


def fault_name(code: int) -> str | None:
    """Return the key of a fault number, None for 0; a number that this version does not know is `unknown`."""
    if code == 0:
        return None
    row = FAULTS.get(code)
    return "unknown" if row is None else row.key
