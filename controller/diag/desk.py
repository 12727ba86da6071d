"""Whom to ask: the service that runs, or the board itself when nobody holds its port."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from controller.diag.answers import CountersAnswer, StatusAnswer
from controller.diag.board import Board
from controller.diag.bootloader import waiting
from controller.diag.errors import DiagError
from controller.diag.holder import holders, is_locked, listening_ports
from controller.diag.service import find_service
from firmware_bridge.errors import PortBusy, PortLost
from firmware_bridge.wire import Message

STABLE_NAME = "/dev/mahjong-table"
"""What hardware/pi/70-mahjong-table.rules calls the board."""
BY_ID = Path("/dev/serial/by-id")


class Desk(Protocol):
    """Somebody who answers a technician's questions about one machine."""

    kind: str
    place: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def status(self) -> StatusAnswer:
        """Return who the board is and what it does."""

    def clear(self) -> None:
        """Unlatch, because a person says that the cause is gone; nothing moves by that."""

    def told(self, name: str, argument: int = 0) -> dict[str, Any]:
        """Return the answer to a question of `controller.questions`, in plain values.

        Raises:
            DiagError: if it is refused or not answered.
        """

    def order(self, message: Message) -> str:
        """Give an order of the service mode; returns "none" when the board took it, else its reason.

        Raises:
            DiagError: if it does not get there.
        """

    def configure(self, was: int, values: Mapping[str, int]) -> str:
        """Change values of the configuration whose crc was `was`; returns "none", "changed", or the reason.

        Raises:
            DiagError: if it does not get there.
        """

    def counters(self, asks: int) -> CountersAnswer:
        """Return the counters of both ends, after `asks` questions where we ask the board ourselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look.

    Attributes:
        serial: device that was asked for, None = what the settings say.
        url: address that was asked for, None = the port of the settings on this machine.
        known: device of the settings, None = none.
        port: port of the settings.
    """

    serial: str | None = None
    url: str | None = None
    known: str | None = None
    port: int = 8080


def find_desk(place: Place, say: Callable[[str, str], None] = lambda zh, en: None) -> Desk:
    """Return whom to ask; a board has already said hello.

    A service is preferred unless a device was named; a named device that a service holds is asked through it.

    Args:
        say: hears in both languages what people should know about the choice.
    Raises:
        DiagError: if there is nobody, or the device is held by something else.
    """
    if place.url is not None:
        service = find_service(place.url.rstrip("/"))
        if service is None:
            raise DiagError(
                "no_service",
                f"{place.url} 没有本桌的服务：看地址和端口，或用 --serial 直接问控制板",
                f"no table service at {place.url}: check address and port, or ask the board with --serial",
            )
        return service
    local = f"http://127.0.0.1:{place.port}"
    if place.serial is None:
        service = find_service(local)
        if service is not None:
            return service
    device = place.serial or place.known or (STABLE_NAME if os.path.exists(STABLE_NAME) else None)
    if device is None:
        raise DiagError("no_board", *_no_device(local))
    return _board(device, local, say)


def _board(device: str, local: str, say: Callable[[str, str], None]) -> Desk:
    if is_locked(device):
        return _through_holder(device, local, say)
    try:
        board = Board(device)
    except PortBusy:
        return _through_holder(device, local, say)
    except PortLost as error:
        raise DiagError("no_board", *cannot_open(device, str(error))) from error
    try:
        board.greet()
    except DiagError as error:
        other = waiting(board) if error.code in ("no_answer", "wrong_board") else None
        board.close()
        raise other or error from error
    except BaseException:
        board.close()
        raise
    return board


def _through_holder(device: str, local: str, say: Callable[[str, str], None]) -> Desk:
    """Return the service that holds a device.

    Raises:
        DiagError: if its holder is no service of ours; it is named.
    """
    found = holders(device)
    urls = [f"http://127.0.0.1:{port}" for holder in found for port in listening_ports(holder.pid)]
    is_ours = not found or any("mahjong-table" in holder.name for holder in found)
    for url in [*urls, *([local] if is_ours and not urls else [])]:
        service = find_service(url)
        if service is not None:
            say(f"{device} 由服务占用，改问 {url}", f"{device} is held by the service, asking {url}")
            return service
    who = "、".join(map(str, found)) or "另一个程序"
    by = ", ".join(map(str, found)) or "another program"
    raise DiagError(
        "port_in_use",
        f"{device} 被占用：{who}。先结束它，或用 --url 指明服务地址",
        f"{device} is in use by {by}: end it first, or name the service's address with --url",
    )


def cannot_open(device: str, why: str) -> tuple[str, str]:
    """Return what to do about a serial device that cannot be opened, `why` being what the system said."""
    if not os.path.exists(device):
        zh, en = _candidates()
        return (
            f"没有 {device}：控制板没插好或没通电{zh}",
            f"there is no {device}: plug the board in, power it{en}",
        )
    if "Permission denied" in why:
        return (
            f"没有权限用 {device}：把用户加入 dialout 组（sudo usermod -aG dialout $USER）后重新登录",
            f"this user may not use {device}: join the group (sudo usermod -aG dialout $USER), log in again",
        )
    return f"{device} 打不开，不是串口？", f"{device} cannot be opened as a serial port"


def _no_device(local: str) -> tuple[str, str]:
    zh, en = _candidates()
    return (
        f"{local} 没有服务，也没有指明控制板：用 --serial 指明串口{zh}",
        f"no service at {local} and no board named: name the serial port with --serial{en}",
    )


def _candidates() -> tuple[str, str]:
    """Return a remark about serial devices that are there."""
    names = sorted(str(path) for path in BY_ID.glob("*"))
    if not names:
        return "；这台机器上现在没有 USB 串口", "; no USB serial device is plugged in now"
    return f"；现有 {'、'.join(names)}", f"; there is {', '.join(names)}"
