"""The table's service asked over its own HTTP interface: it holds the port, so it asks the board for us."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Self

import httpx

from controller.diag.answers import CountersAnswer, StatusAnswer
from controller.diag.errors import DiagError
from controller.diag.words import refusal_words
from firmware_bridge import messages as m
from firmware_bridge.wire import Message

FIND_S = 1.0
HTTP_S = 5.0
ANSWER_S = 4.0
LOOK_S = 0.05

LINK_WORDS = {
    "down": ("服务没有连上控制板", "the service has no connection to the board"),
    "connecting": ("服务正在连接控制板", "the service is connecting to the board"),
    "mismatch": (
        "固件与程序版本不合：用 mahjong-table firmware build 编译本版固件并烧录",
        "firmware and program do not match: flash what `mahjong-table firmware build` makes",
    ),
}


def find_service(url: str) -> TableService | None:
    """Return the table's service at an address, None if nobody or somebody else answers there."""
    try:
        answer = httpx.get(f"{url}/healthz", timeout=FIND_S, trust_env=False)
        body = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None
    if answer.status_code != 200 or not isinstance(body, dict) or not {"epoch", "health"} <= set(body):
        return None
    return TableService(url)


class TableService:
    """One running service. Use as a context manager."""

    kind = "service"

    def __init__(self, url: str) -> None:
        self.place = url
        self._http = httpx.Client(base_url=url, timeout=HTTP_S, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    # ------------------------------------------------------------------ asking

    def _request(self, way: str, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
        try:
            return self._http.request(way, path, json=None if body is None else dict(body))
        except httpx.HTTPError as error:
            raise DiagError(
                "no_service",
                f"{self.place} 的服务没有应答（{type(error).__name__}）：systemctl status mahjong-table",
                f"the service at {self.place} does not answer ({type(error).__name__}): "
                "systemctl status mahjong-table",
            ) from error

    def machine(self) -> dict[str, Any]:
        """Return the machine view.

        Raises:
            DiagError: if the service does not answer.
        """
        answer = self._request("GET", "/api/v1/machine")
        if answer.status_code != 200:
            raise DiagError(
                "no_service",
                f"{self.place} 没有机器视图（HTTP {answer.status_code}）：服务版本不同",
                f"{self.place} shows no machine (HTTP {answer.status_code}): a service of another version",
            )
        return dict(answer.json())

    def _command(self, name: str, body: Mapping[str, Any] | None = None) -> None:
        """POST a command.

        Raises:
            DiagError: if it is refused; the code is the service's.
        """
        answer = self._request("POST", f"/api/v1/commands/{name}", body or {})
        if answer.status_code == 200:
            return
        try:
            error = dict(answer.json()["error"])
        except (ValueError, KeyError, TypeError):
            error = {"code": f"http.{answer.status_code}"}
        code = str(error["code"])
        zh, en = REFUSALS.get(code, (f"服务拒绝：{code}", f"the service refuses: {code}"))
        raise DiagError(code, zh, en)

    def _answer(self, name: str, command: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run a command; returns the board's answer to it, which the machine view shows by name."""
        before = self.machine()["answers"].get(name)
        self._command(command, body)
        until = time.monotonic() + ANSWER_S
        while True:
            told = self.machine()["answers"].get(name)
            if told is not None and (before is None or told["number"] != before["number"]):
                return dict(told)
            if time.monotonic() >= until:
                raise DiagError(
                    "no_answer",
                    "控制板没有回答服务：查数据线和供电",
                    "the board did not answer the service: check cable and supply",
                )
            time.sleep(LOOK_S)

    # ------------------------------------------------------------------ the technician's questions

    def status(self) -> StatusAnswer:
        """See `Desk.status`."""
        machine = self.machine()
        fault = machine["fault"] or {}
        problem = LINK_WORDS.get(machine["link"], (None, None))
        return StatusAnswer(
            "service",
            self.place,
            link=machine["link"],
            state=machine["state"],
            fault=int(fault.get("code", 0)),
            fault_key=str(fault["key"]).removeprefix("fault.") if fault else None,
            side=int(fault.get("side", 0)),
            stopped=bool(fault),
            homed=machine["homed"],
            trays=machine["trays"],
            dome=machine["dome"],
            lamp=machine["lamp"],
            counts=tuple(machine["counts"]),
            running=tuple(name for name, on in machine["actuators"].items() if on),
            lid_open=bool(machine["sensors"].get("lid", False)),
            estop=bool(machine["estop"] or machine["sensors"].get("estop", False)),
            uptime_ms=machine["uptime_ms"],
            boot_id=machine["boot_id"],
            problem_zh=problem[0],
            problem_en=problem[1],
        )

    def clear(self) -> None:
        """See `Desk.clear`."""
        self._command("clear_fault")

    def told(self, name: str, argument: int = 0) -> dict[str, Any]:
        """See `Desk.told`."""
        until = time.monotonic() + ANSWER_S
        while (told := self._answer(name, "ask", {"question": name, "argument": argument})).get("busy"):
            if time.monotonic() >= until:
                raise DiagError("busy_memory", *refusal_words("busy_memory"))
        return {key: value for key, value in told.items() if key != "number"}

    def order(self, message: Message) -> str:
        """See `Desk.order`; the service passes on what is in `ORDERS`."""
        name, body = ORDERS[type(message)](message)
        return str(self._answer(name, name, body)["reason"])

    def configure(self, was: int, values: Mapping[str, int]) -> str:
        """See `Desk.configure`."""
        return str(self._answer("configure", "configure", {"was": was, "values": dict(values)})["reason"])

    def counters(self, asks: int) -> CountersAnswer:
        """See `Desk.counters`; the service counts by itself, `asks` is not used."""
        machine = self.machine()
        return CountersAnswer("service", self.place, dict(machine["counters"]))


ORDERS: Mapping[type[Message], Callable[[Any], tuple[str, dict[str, Any]]]] = {
    m.Service: lambda order: ("service", {"on": order.on, "code": order.code}),
    m.LampTest: lambda order: ("lamp_test", {"lamps": order.lamps, "run_ms": order.run_ms}),
}
"""Orders that the running service gives to the board for a technician, as its commands."""

REFUSALS: dict[str, tuple[str, str]] = {
    "refuse.service": (
        "检修模式要在两盘之间、机器静止时进",
        "service mode only between hands, with the machine at rest",
    ),
    "refuse.lamp_test": ("试灯要在两盘之间做", "lamp test only between hands"),
    "refuse.configure": (
        "配置要在两盘之间、机器静止时改",
        "the configuration is changed only between hands, with the machine at rest",
    ),
    "refuse.link": ("服务没有连上控制板：查数据线和供电", "the service has no board: check cable and supply"),
    "refuse.clear_fault": ("现在没有故障可清", "there is no fault to clear now"),
    "refuse.estop": ("急停还按着：拧开急停", "the emergency stop is still pressed: release it"),
    "refuse.role": ("这要在桌子本机上做", "this works on the table's own computer only"),
    "request.code": (
        "这要在桌子本机上做（别的机器要八位码）",
        "this works on the table's own computer only (others need the 8-digit code)",
    ),
    "request.busy": ("服务正忙，什么也没做", "the service is busy, nothing was done"),
    "request.failed": ("服务出错，什么也没做", "the service failed, nothing was done"),
}
