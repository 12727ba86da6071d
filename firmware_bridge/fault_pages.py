"""Prints docs/faults.md and docs/faults.zh.md from the table of faults and the technician's steps.

`python -m firmware_bridge.fault_pages [--check]` in a checkout.
"""

# ruff: noqa: E501
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.fault_steps import steps_of
from firmware_bridge.faults import FAULTS, FaultRow

DOCS = Path(__file__).resolve().parent.parent / "docs"
ELSEWHERE: dict[int, tuple[str, str]] = {
    202: ("服务", "service"),
    203: ("页面、`diag status`：连线版本不合", "page, `diag status`: link of another version"),
    204: ("服务", "service"),
}
"""Numbers that the firmware does not send, and where they show instead (Chinese, English)."""


@dataclass(frozen=True, slots=True)
class Words:
    """The fixed words of one language."""

    title: str
    other: str
    intro: tuple[str, ...]
    head: tuple[str, ...]
    severity: dict[str, str]
    by: str
    cause: str
    player: str
    technician: str
    families: dict[int, str]


EN = Words(
    "Faults",
    "[中文](faults.zh.md)",
    (
        "Printed from `firmware_bridge/faults.py` and `fault_steps.py` by `python -m firmware_bridge.fault_pages`; do",
        "not edit. At the table: `mahjong-table diag faults` tells the standing fault with all of this, and",
        "`mahjong-table diag faults 301` any other.",
        "",
        "Sides 1 to 4 go counter-clockwise; side n of a group has its number + n - 1. **Before you reach in, press the",
        "emergency stop.** To clear a fault, put its cause right, then press “clear fault” on the page; the machine",
        "homes by itself and goes on. A fault returns as long as its cause is there. A fault of the machine stops the",
        "machine only: a hand that is being played can be played and scored to its end.",
    ),
    ("number", "what it is", "what the machine does", "told by"),
    {
        "info": "only told",
        "warn": "told, goes on",
        "stop": "stops, waits to be cleared",
        "latched": "stops; its cause must be gone first",
    },
    "board",
    "Cause",
    "At the table",
    "Technician",
    {
        1: "Power",
        2: "Link and versions",
        3: "Tiles and walls",
        4: "Lifts and dice",
        5: "Keys and motors",
        6: "Safety",
        9: "The board itself",
    },
)
ZH = Words(
    "故障",
    "[English](faults.md)",
    (
        "由 `python -m firmware_bridge.fault_pages` 从 `firmware_bridge/faults.py` 和 `fault_steps.py` 生成，请勿手改。",
        "在桌边：`mahjong-table diag faults` 显示现在的故障和下面这些内容，`mahjong-table diag faults 301` 查任何一个。",
        "",
        "一到四号边按逆时针数；一组里 n 号边的号码是组号 + n - 1。**伸手之前，先按下急停。** 清除故障：先排除原因，",
        "再在页面上点“清除故障”；机器自己回零，接着做。原因还在，故障就会再来。机器的故障只停机器：",
        "正在打的一盘可以打完、算完。",
    ),
    ("号码", "是什么", "机器怎样", "谁报的"),
    {
        "info": "只提示",
        "warn": "提示，接着做",
        "stop": "停下，等人清除",
        "latched": "停下；原因排除后才能清除",
    },
    "控制板",
    "原因",
    "打牌的人",
    "技师",
    {1: "供电", 2: "连线和版本", 3: "牌和牌墙", 4: "升降和骰子", 5: "按键和电机", 6: "安全", 9: "控制板本身"},
)


def groups() -> list[list[FaultRow]]:
    """Return the rows, those of four sides together."""
    found: list[list[FaultRow]] = []
    for row in FAULTS.values():
        if found and row.side > 1 and found[-1][0].key == row.key:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def number(rows: list[FaultRow]) -> str:
    """Return a number, or the span of four.

    >>> number([row for row in FAULTS.values() if row.key == "jam"])
    '301-304'
    """
    return str(rows[0].code) if len(rows) == 1 else f"{rows[0].code}-{rows[-1].code}"


def page(words: Words) -> str:
    """Return the page of one language."""
    return "\n".join([*_head(words), *_rows(words), ""])


def _name(rows: list[FaultRow], words: Words) -> str:
    text = rows[0].zh if words is ZH else rows[0].en
    if len(rows) == 1:
        return text
    return text.replace("一号边", "某边") if words is ZH else text.replace("side 1", "a side")


def _head(words: Words) -> Iterator[str]:
    yield from (f"# {words.title}", "", words.other, "", *words.intro, "")
    yield f"| {' | '.join(words.head)} |"
    yield "|---|---|---|---|"
    for rows in groups():
        told = ELSEWHERE.get(rows[0].code)
        by = words.by if told is None else told[words is EN]
        name = number(rows)
        yield f"| [{name}](#{name}) | {_name(rows, words)} | {words.severity[rows[0].severity]} | {by} |"
    yield ""


def _rows(words: Words) -> Iterator[str]:
    family = 0
    for rows in groups():
        row = rows[0]
        if row.code // 100 != family:
            family = row.code // 100
            yield from (f"## {words.families[family]}", "")
        cause, remedy = (row.cause_zh, row.remedy_zh) if words is ZH else (row.cause_en, row.remedy_en)
        steps = steps_of(row)[words is EN]
        colon = "：" if words is ZH else ": "
        yield from (f'### <a id="{number(rows)}"></a>{number(rows)} {_name(rows, words)}', "")
        yield from (f"**{words.cause}**{colon}{cause}", "", f"**{words.player}**{colon}{remedy}", "")
        yield from (f"**{words.technician}**{colon.strip()}", "")
        yield from (f"{index}. {step}" for index, step in enumerate(steps, 1))
        yield ""


def targets() -> dict[Path, str]:
    """Return the committed pages and what they must contain."""
    return {DOCS / "faults.md": page(EN), DOCS / "faults.zh.md": page(ZH)}


def main(arguments: list[str] | None = None) -> int:
    """Write or check; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.fault_pages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether the pages are up to date")
    check = parser.parse_args(arguments).check
    stale = [path for path, text in targets().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if check:
            print(f"docs/{path.name} is out of date: python -m firmware_bridge.fault_pages", file=sys.stderr)
        else:
            path.write_text(targets()[path], "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
