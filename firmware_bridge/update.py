"""The update of a board's program, without I/O: the conversation with its bootloader, one command at a time.

Every command may be repeated, so an answer that does not come means: ask again. A board that started anew in
the middle (its answer is `not_begun`) and a transfer that another program began are taken up where they are:
what already lies in the waiting room is compared page by page and not sent again.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.boot_frames import BootDecoder, encode_boot
from firmware_bridge.boot_messages import Block, Finish, Here, Pages, PageSums, Result, Run, Verdict, Who
from firmware_bridge.image import Image
from firmware_bridge.wire import Message

Stage = Literal["calling", "comparing", "sending", "checking", "starting", "done", "failed"]
Why = Literal["silent", "lost", "wrong_board", "too_large", "memory", "refused"]

CALL_MS = 10
"""The window after a reset is 60 ms."""
ANSWER_MS = 150
"""A page takes 9 ms on the board, eight CRCs 5 ms, the adapter of a PC up to 16 ms each way."""
SOONEST_MS = 30
"""Where answers come quickly a lost one is missed sooner."""
CHECK_MS = 1000
"""The CRC of the largest program takes 0.3 s."""
LOST_TRIES = 60
RUN_TRIES = 3
"""Its answer may be lost, and then nobody is there to repeat it: the new program tells the rest."""
ROUNDS = 5
"""So often what was sent is compared; each time only what is wrong goes out again."""
SUMS = 8


@dataclass(frozen=True, slots=True)
class _Ask:
    message: Message
    every_ms: int = ANSWER_MS
    tries: int = LOST_TRIES


class _GaveUp(Exception):
    """The script ends here."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


class _BeginAgain(Exception):
    """The board started anew meanwhile."""


_Asking = Generator[_Ask, Message | None, None]
_FATAL: dict[Verdict, Why] = {
    Verdict.wrong_board: "wrong_board",
    Verdict.too_large: "too_large",
    Verdict.memory: "memory",
}


class Update:
    """One update. Feed it bytes and time, write what `take_output` returns; `stage` tells how far it is.

    Args:
        image: what to send; None = only ask who is there.
        now_ms: a steady clock.
        call_ms: how long to call a bootloader that does not answer.
    """

    def __init__(self, image: Image | None, now_ms: int, *, call_ms: int = 3000) -> None:
        self.stage: Stage = "calling"
        self.why: Why | None = None
        """Why it failed."""
        self.here: Here | None = None
        """What the bootloader said of itself first."""
        self.pages_done = 0
        self.pages_sent = 0
        self.retries = 0
        self.restarts = 0
        """How often the board started anew in the middle."""
        self._image = image
        self._calls = max(1, call_ms // CALL_MS)
        self._decoder = BootDecoder()
        self._out = bytearray()
        self._seq = 0
        self._asked: _Ask | None = None
        self._tries = 0
        self._since_ms = self._due_ms = now_ms
        self._slowest_ms = ANSWER_MS // 4
        self._script = self._all()
        self._next(None, now_ms)

    @property
    def pages(self) -> int:
        """Return how many pages the program has."""
        return self._image.pages if self._image else 0

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will happen."""
        return self.stage in ("done", "failed")

    def take_output(self) -> bytes:
        """Return the bytes to write now, and forget them."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def feed(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the port."""
        for seq, message in self._decoder.feed(data):
            if not self.is_over and seq == self._seq:
                if self._tries == 1:
                    taken = now_ms - self._since_ms
                    self._slowest_ms = max(taken, self._slowest_ms - 1)
                self._next(message, now_ms)

    def tick(self, now_ms: int) -> None:
        """Let time pass: ask again what was not answered."""
        if self.is_over or now_ms < self._due_ms or self._asked is None:
            return
        if self._tries >= self._asked.tries:
            self._next(None, now_ms)
        else:
            self.retries += self.stage != "calling"
            self._send(now_ms)

    def _send(self, now_ms: int) -> None:
        assert self._asked is not None
        self._tries += 1
        every_ms = self._asked.every_ms
        if every_ms == ANSWER_MS:
            every_ms = min(ANSWER_MS, max(SOONEST_MS, 2 * self._slowest_ms))
        self._since_ms, self._due_ms = now_ms, now_ms + every_ms
        self._out += encode_boot(self._asked.message, self._seq)

    def _next(self, answer: Message | None, now_ms: int) -> None:
        """Hand an answer (None: there was none) to the script and send what it asks next."""
        try:
            self._asked = next(self._script) if self._asked is None else self._script.send(answer)
        except StopIteration:
            self.stage = "done"
        except _GaveUp as end:
            self.stage, self.why = "failed", end.why
        else:
            self._seq = self._seq % 255 + 1
            self._tries = 0
            self._send(now_ms)

    # ------------------------------------------------------------------ the script

    def _all(self) -> _Asking:
        here = yield _Ask(Who(), CALL_MS, self._calls)
        if not isinstance(here, Here):
            raise _GaveUp("silent")
        self.here = here
        while self._image is not None:
            try:
                yield from self._transfer(self._image)
            except _BeginAgain:
                self.restarts += 1
            else:
                self.stage = "starting"
                yield _Ask(Run(), tries=RUN_TRIES)
                return

    def _transfer(self, image: Image) -> _Asking:
        self.stage = "comparing"
        yield from self._must(_Ask(image.head))
        for _ in range(ROUNDS):
            wrong = yield from self._wrong_pages(image)
            self.pages_done = self.pages - len(wrong)
            self.stage = "sending"
            for page in wrong:
                for index, data in image.blocks_of(page):
                    yield from self._must(_Ask(Block(index, *struct.unpack("<16I", data))))
                self.pages_done += 1
                self.pages_sent += 1
            self.stage = "checking"
            told = yield _Ask(Finish(), CHECK_MS)
            if not (isinstance(told, Result) and told.verdict == Verdict.damaged):
                self._judge(told)
                return
        raise _GaveUp("memory")

    def _wrong_pages(self, image: Image) -> Generator[_Ask, Message | None, list[int]]:
        """Return the pages of the waiting room that are not yet what they shall be."""
        wrong = []
        for first in range(0, self.pages, SUMS):
            sums = yield _Ask(Pages(first))
            if not isinstance(sums, PageSums):
                self._judge(sums)
                raise _GaveUp("refused")
            there = struct.unpack(f"<{SUMS}I", sums.pack()[2:])
            for page, crc in enumerate(there, first):
                if page < self.pages and zlib.crc32(image.page(page)) != crc:
                    wrong.append(page)
        return wrong

    def _must(self, ask: _Ask) -> _Asking:
        self._judge((yield ask))

    def _judge(self, told: Message | None) -> None:
        """Do nothing if a command was carried out."""
        if told is None:
            raise _GaveUp("lost")
        if not isinstance(told, Result):
            raise _GaveUp("refused")
        if told.verdict == Verdict.not_begun:
            raise _BeginAgain
        if told.verdict != Verdict.ok:
            raise _GaveUp(_FATAL.get(told.verdict, "refused"))
