"""Names of faults: the board's from `firmware_bridge.faults`, and the few that only the service sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.inputs import TableInput
from controller.state import FaultState
from controller.views import FaultView
from firmware_bridge.faults import FAULTS


@dataclass(frozen=True, slots=True)
class OwnFault:
    """A fault that the service names itself; it has no number."""

    key: str
    zh: str
    en: str
    remedy_zh: str
    remedy_en: str


OWN: dict[str, OwnFault] = {
    row.key: row
    for row in (
        OwnFault(
            "fault.stop",
            "机器已停",
            "Machine stopped",
            "没事了就点“清除故障”",
            "Clear the fault when all is well",
        ),
        OwnFault(
            "fault.timeout",
            "机器没有按时做完",
            "The machine did not finish in time",
            "看看有没有卡住，再点“清除故障”",
            "Look for something stuck, then clear the fault",
        ),
        OwnFault(
            "fault.refused",
            "控制板不肯动",
            "The board refuses to move",
            "看看机盖、桌心和托盘，再点“清除故障”",
            "Look at lid, centre and trays, then clear the fault",
        ),
        OwnFault(
            "fault.contradiction",
            "传感器和动作对不上",
            "Sensors contradict the motion",
            "看看升降台和机盖的限位，再点“清除故障”",
            "Check the limit sensors of trays and dome, then clear the fault",
        ),
        OwnFault(
            "fault.interrupted",
            "上次没做完，机器等你",
            "The last motion was interrupted, waiting for you",
            "手离开机器，点“清除故障”接着做",
            "Keep hands clear, then clear the fault to go on",
        ),
        OwnFault(
            "fault.unknown",
            "机器报了一个没见过的故障",
            "The machine reports a fault unknown to this version",
            "记下号码，叫人来看",
            "Note the number and call for help",
        ),
    )
}


def fault_key(key: str) -> str:
    """Return the key of a fault as the pages know it: `fault.<name>`."""
    return key if key.startswith("fault.") else f"fault.{key}"


_BY_KEY = {fault_key(row.key): row for row in FAULTS.values()}


def fault_code(key: str) -> int:
    """Return the number of a fault, 0 if only the service knows it."""
    row = _BY_KEY.get(key)
    return 0 if row is None else int(row.code)


def fault_view(fault: FaultState) -> FaultView:
    """Return a standing fault with its texts."""
    row = FAULTS.get(fault.code) or _BY_KEY.get(fault.key)
    words = OWN.get(fault.key) or (OWN["fault.unknown"] if row is None else row)
    return {
        "code": fault.code,
        "side": fault.side,
        "key": fault.key,
        "severity": fault.severity,
        "origin": fault.origin,
        "detail": fault.detail,
        "zh": words.zh,
        "en": words.en,
        "remedy_zh": words.remedy_zh,
        "remedy_en": words.remedy_en,
    }


def fault_views() -> list[dict[str, Any]]:
    """Return the whole fault table for the technician."""
    return [
        {
            "code": row.code,
            "key": row.key,
            "severity": row.severity,
            "zh": row.zh,
            "en": row.en,
            "cause_zh": row.cause_zh,
            "cause_en": row.cause_en,
            "remedy_zh": row.remedy_zh,
            "remedy_en": row.remedy_en,
        }
        for row in FAULTS.values()
    ]


def fault_input(code: int, side: int, detail: int, *, key: str | None = None) -> TableInput:
    """Return the input of a fault that the board tells; a number unknown to this version is named so."""
    row = FAULTS.get(code) or (_BY_KEY.get(key) if key else None)
    body = {
        "code": code if row is None else int(row.code),
        "side": side,
        "key": key or (fault_key(row.key) if row is not None else "fault.unknown"),
        "severity": "latched" if row is None else row.severity,
        "origin": "mcu",
        "detail": detail,
    }
    return TableInput("machine_fault", body=body, source="machine")
