"""A new program for the board over its serial port: find it, ask it to leave, send, see the new one come up.

The conversations are `firmware_bridge.link` (the program) and `firmware_bridge.update` (the bootloader); here
is the port that they share, and the words for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.diag.board import Board
from controller.diag.bootloader import converse, stay_words
from controller.diag.desk import cannot_open
from controller.diag.errors import DiagError
from controller.diag.holder import holders, is_locked
from controller.diag.words import refusal_words
from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.boot_messages import Here
from firmware_bridge.errors import PortBusy, PortLost
from firmware_bridge.image import Image
from firmware_bridge.messages import BAUD, BAUD_FALLBACK
from firmware_bridge.update import Update, Why

HAS_BOOTLOADER = 1 << 5
"""Bit of HelloReport.capabilities."""
UPDATE_KEY = 0x55504454
GLANCE_MS = 200
"""A bootloader that waits answers the first call; the program shrugs at some rubbish."""
CALL_MS = 2000
"""A program that hangs is reset every 0.3 s by the watchdog; the bootloader listens for 60 ms each time."""
COMES_UP_S = 8.0
"""The largest program is copied in 4.5 s."""
ROUNDS = 3
"""So often a transfer that broke off is taken up again."""
MOVING = frozenset({m.State.homing, m.State.building, m.State.lifting})

Say = Callable[[str, str], None]
Progress = Callable[[int, int], None]

FAILURES: dict[Why, tuple[str, str]] = {
    "silent": (
        "引导程序没有应答：断电 6 秒再上电，再来一遍",
        "the bootloader does not answer: switch off for 6 s, on again, and run this again",
    ),
    "lost": (
        "多次中断：查数据线和供电，再来一遍，已传的不会重传",
        "it broke off too often: check cable and supply and run this again; what arrived is not sent again",
    ),
    "wrong_board": ("固件映像不是这种控制板的", "the image is for another kind of board"),
    "too_large": ("程序太大", "the program is too large for this board"),
    "memory": (
        "控制板的程序存储器坏了：换控制板",
        "the board's program memory is worn out: change the board",
    ),
    "refused": ("引导程序不懂：升级本程序", "the bootloader does not understand: update this program"),
}


@dataclass(frozen=True, slots=True)
class Flashed:
    """How it ended: the program that came up, and what it took."""

    version: str
    source: str
    pages: int
    pages_sent: int
    retries: int
    seconds: float


class AlreadyThere(DiagError):
    """The board runs this very program: nothing was done."""


def version_of(hello: m.HelloReport) -> str:
    """Return the version of a board's program as people write it."""
    return f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}"


class Flasher:
    """One update of one board. Use as a context manager: the port is closed with it.

    Args:
        say: hears in both languages what is going on; progress: hears of pages done, and of how many.
        now: a steady clock in seconds.
    Raises:
        DiagError: if the port cannot be had; it says by whom it is held.
    """

    def __init__(
        self,
        device: str,
        image: Image,
        *,
        say: Say = lambda zh, en: None,
        progress: Progress = lambda done, of: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._image = image
        self._say = say
        self._progress = progress
        self._now = now
        self._board = open_board(device, now)
        self._port: Any = self._board.port

    def __enter__(self) -> Flasher:
        return self

    def __exit__(self, *_: object) -> None:
        self._board.close()

    def run(self, *, again: bool = False) -> Flashed:
        """Put the program into the board and return what came up.

        Args:
            again: also if the board runs this very program.
        Raises:
            AlreadyThere: if there is nothing to do.
            DiagError: if it cannot be done, or was not; then it runs what it ran or waits for a new try.
        """
        since = self._now()
        self._enter(again=again)
        sent = retries = 0
        for left in reversed(range(ROUNDS)):
            update = self._converse(self._image, CALL_MS)
            sent, retries = sent + update.pages_sent, retries + update.retries
            if update.stage == "done":
                break
            why = update.why or "lost"
            if left == 0 or why not in ("lost", "silent"):
                raise DiagError(why, *FAILURES[why])
            self._say("中断了，接着来", "it broke off: taking it up again")
            self._enter(again=True)
        self._say("检查无误，程序正在换上", "checked; the new program is being put in place")
        hello = self._comes_up()
        taken = round(self._now() - since, 1)
        return Flashed(version_of(hello), f"{hello.source:08x}", update.pages, sent, retries, taken)

    # ------------------------------------------------------------------ the bootloader

    def _converse(self, image: Image | None, call_ms: int) -> Update:
        """Carry on a conversation with the bootloader to its end."""
        update = Update(image, int(self._now() * 1000), call_ms=call_ms)
        told = -1

        def turn() -> None:
            nonlocal told
            if image is not None and update.pages_done != told:
                told = update.pages_done
                self._progress(told, update.pages)

        return converse(self._board, update, self._now, turn)

    def _search(self) -> Here | None:
        """Return what a bootloader says at either rate."""
        usual = self._port.baudrate
        for baud in (usual, BAUD_FALLBACK if usual == BAUD else BAUD):
            self._port.baudrate = baud
            here = self._converse(None, CALL_MS).here
            if here is not None:
                return here
        self._port.baudrate = usual
        return None

    def _enter(self, *, again: bool) -> None:
        """Return when the bootloader listens.

        Raises:
            DiagError: if nobody answers, or the program refuses.
        """
        here = self._converse(None, GLANCE_MS).here
        if here is None:
            try:
                self._greet()
            except DiagError:
                here = self._search()
                if here is None:
                    raise
        if here is None:
            self._ask_to_leave(again=again)
            self._say("程序已停，转入引导程序", "the program has stopped and leaves to its bootloader")
        else:
            zh, en = stay_words(here)
            self._say(f"控制板在引导程序里 {zh}".rstrip(), f"the board is in its bootloader {en}".rstrip())

    # ------------------------------------------------------------------ the program

    def _greet(self, limit_s: float | None = None) -> m.HelloReport:
        self._board.hello = None
        if limit_s is None:
            self._board.greet()
        else:
            self._board.greet(limit_s)
        assert self._board.hello is not None
        return self._board.hello

    def _ask_to_leave(self, *, again: bool) -> None:
        hello = self._board.hello
        assert hello is not None
        if int(hello.board) != int(self._image.head.board):
            raise DiagError("wrong_board", *FAILURES["wrong_board"])
        if not hello.capabilities & HAS_BOOTLOADER:
            raise DiagError(
                "no_bootloader",
                "控制板没有本机的引导程序：第一次要用编程器烧录，见 docs/update.zh.md",
                "the board has no bootloader of ours: the first time takes a programmer, see docs/update.md",
            )
        if hello.source == self._image.head.source and not again:
            raise AlreadyThere(
                "already",
                f"控制板运行的就是它（{version_of(hello)}）：什么也没做，--again 重烧",
                f"the board runs this very program ({version_of(hello)}): nothing done, see --again",
            )
        status = self._board.raw_status()
        if status.state in MOVING or status.actuators:
            raise DiagError(
                "moving",
                f"机器在动（{status.state}）：等它停下再烧",
                f"the machine is moving ({status.state}): wait until it is at rest",
            )
        told = self._board.outcome(m.EnterUpdate(UPDATE_KEY))
        if isinstance(told, fb.Refused):
            raise DiagError("refused", *refusal_words(told.reason_key))
        if not isinstance(told, fb.Done):
            raise DiagError("no_answer", *FAILURES["lost"])

    def _comes_up(self) -> m.HelloReport:
        """Return the greeting of the new program.

        Raises:
            DiagError: if another one comes up, or none.
        """
        try:
            hello = self._greet(COMES_UP_S)
        except DiagError as error:
            here = self._search()
            zh, en = stay_words(here) if here else ("没有应答", "no answer")
            raise DiagError(
                "not_up",
                f"新程序没有起来：{zh}。再来一遍",
                f"the new program did not come up: {en}. Run this again",
            ) from error
        if hello.source != self._image.head.source:
            raise DiagError(
                "not_up",
                f"起来的是另一个程序（{version_of(hello)} {hello.source:08x}）：再来一遍",
                f"another program came up ({version_of(hello)} {hello.source:08x}): run this again",
            )
        return hello


def open_board(device: str, now: Callable[[], float] = time.monotonic) -> Board:
    """Return the board's port, opened for ourselves alone.

    Raises:
        DiagError: if it is not there or somebody holds it.
    """
    try:
        if not is_locked(device):
            return Board(device, now)
    except PortBusy:
        pass
    except PortLost as error:
        raise DiagError("no_board", *cannot_open(device, str(error))) from error
    found = holders(device)
    is_ours = not found or any("mahjong-table" in holder.name for holder in found)
    who, by = "、".join(map(str, found)) or "另一个程序", ", ".join(map(str, found)) or "another program"
    stop = "sudo systemctl stop mahjong-table"
    zh, en = (f"先 {stop}", f"first: {stop}") if is_ours else ("先结束它", "end that program first")
    raise DiagError("port_in_use", f"{device} 被占用：{who}。{zh}", f"{device} is in use by {by}. {en}")
