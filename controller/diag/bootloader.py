"""The board's bootloader, heard on the port on which the board's program is expected."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from controller.diag.board import Board
from controller.diag.errors import DiagError
from firmware_bridge.boot_messages import Here, Stay
from firmware_bridge.port import GONE
from firmware_bridge.update import Update

CHUNK = 4096
CALL_MS = 500

STAYS: dict[int, tuple[str, str]] = {
    Stay.asked: ("在等新程序", "it waits for a program"),
    Stay.no_program: ("没有完好的程序", "there is no whole program"),
    Stay.copy_failed: ("程序存储器写不进去", "its memory cannot be written"),
}


def stay_words(here: Here) -> tuple[str, str]:
    """Return why a bootloader is there; nothing if it only listens for a moment after a reset."""
    return STAYS.get(here.stay, ("", ""))


def converse(
    board: Board,
    update: Update,
    now: Callable[[], float] = time.monotonic,
    turn: Callable[[], None] = lambda: None,
) -> Update:
    """Carry on a conversation with the bootloader to its end, on the board's port.

    Args:
        now: a steady clock in seconds; turn: called again and again meanwhile.
    Raises:
        DiagError: if the port is gone.
    """
    port: Any = board.port
    try:
        while not update.is_over:
            output = update.take_output()
            if output:
                port.write(output)
            data: bytes = port.read(1)
            if data:
                data += port.read(min(port.in_waiting, CHUNK))
            update.feed(data, int(now() * 1000))
            update.tick(int(now() * 1000))
            turn()
    except GONE as error:
        raise DiagError(
            "gone",
            f"{board.place} 断开了：插好再来一遍，控制板不会因此坏",
            f"{board.place} is gone: plug it in and run this again, the board takes no harm",
        ) from error
    return update


def waiting(board: Board, now: Callable[[], float] = time.monotonic) -> DiagError | None:
    """Return what to say of a board that is silent because its bootloader waits; None if it does not."""
    here = converse(board, Update(None, int(now() * 1000), call_ms=CALL_MS), now).here
    if here is None:
        return None
    zh, en = stay_words(here)
    return DiagError(
        "in_bootloader",
        f"{board.place} 上的控制板停在引导程序里（{zh}）：用 mahjong-table firmware flash 烧录程序",
        f"the board on {board.place} is in its bootloader ({en}): give it a program (firmware flash)",
    )
