"""Prints docs of the wiring as tables, Chinese and English side by side: pins.md."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.wiring.plan import (
    Wire,
    bill,
    connectors,
    fuse_amps,
    loads,
    logic_amps,
    motion_amps,
    parts,
    tests,
    wires,
)

MEANINGS = {
    ("photo", "high"): "high = 挡住 blocked",
    ("opto", "high"): "high = 在原点 at home",
    ("limit", "low"): "low = 到位 at the limit",
    ("switch", "high"): "high = 断开 open",
    ("key", "low"): "low = 按下 pressed",
    ("rotary", "low"): "low = 闭合 closed",
    ("motor", "high"): "high = 转 runs",
    ("relay", "high"): "high = 反转 backwards",
    ("lamp", "high"): "high = 亮 lit",
    ("buzzer", "high"): "high = 响 sounds",
}


def pins_page() -> str:
    """Return pins.md."""
    return "\n".join([*_head(), *_pins(), *_tests(), *_power(), *_parts(), ""])


def _head() -> Iterator[str]:
    yield from (
        "# 引脚、功率、材料 · Pins, power, parts",
        "",
        "Printed from [devices.toml](devices.toml) and [parts.toml](parts.toml) by",
        "`python -m hardware.wiring.draw`; do not edit. 由 devices.toml 和 parts.toml 生成，请勿手改。",
        "",
    )


def _pins() -> Iterator[str]:
    yield from ("## 逐脚接线 · Pin by pin", "")
    missing = [wire for wire in wires() if wire.mega is None]
    if missing:
        yield "**Not on the headers of an Arduino Mega 2560 · Arduino Mega 2560 没有引出：**"
        yield ", ".join(f"{wire.pin} `{wire.id}`" for wire in missing) + "."
        yield "Take a board that has them, or solder to the chip. 用引出这些脚的板，或焊在芯片脚上。"
        yield ""
    for connector in connectors():
        yield f"### {connector.name} {connector.zh} · {connector.en}"
        yield ""
        yield "| 脚 place | 信号 signal | | 引脚 pin | TQFP-100 | Mega | 电平 level |"
        yield "|---|---|---|---|---|---|---|"
        rails = ("+5 V", "GND") if connector.has_supply else ("GND",)
        for place, rail in enumerate(rails, 1):
            yield f"| {connector.name}.{place} | {rail} | | | | | |"
        for wire in connector.wires:
            yield (
                f"| {wire.connector}.{wire.place} | `{wire.id}` | {wire.zh} {wire.en} "
                f"| {wire.pin} | {wire.tqfp} | {wire.mega or '-'} | {_meaning(wire)} |"
            )
        yield ""


def _tests() -> Iterator[str]:
    yield from (
        "## 检修模式的测试号 · Tests of the service mode",
        "",
        "庄家灯 1 2 3 4 = 8 4 2 1 · dealer lamps 1 2 3 4 = 8 4 2 1. [docs/diag.md](../../docs/diag.md)",
        "",
        "| 号 no. | 灯 lamps | 测试 test | 看到 what you see |",
        "|---|---|---|---|",
    )
    for row in tests():
        lamps = f"{row['number']:04b}".replace("1", "●").replace("0", "○")
        shows = f"{row['shows_zh']} · {row['shows_en']}"
        yield f"| {row['number']} | {lamps} | {row['zh']} {row['en']} | {shows} |"
    yield ""


def _meaning(wire: Wire) -> str:
    if wire.milliamps_per_millivolt:
        return f"{1 / wire.milliamps_per_millivolt:g} V/A"
    if wire.millivolts is not None:
        healthy, least = wire.millivolts
        return f"{healthy / 1000:.2f} V; < {least / 1000:.2f} V 停机 stops"
    return MEANINGS.get((wire.kind, wire.active), wire.active)


def _power() -> Iterator[str]:
    supply = parts()["supply"]
    yield from (
        "## 功率 · Power budget",
        "",
        f"PS1 {supply['volts']:.0f} V {supply['amps']:.0f} A. Figures of motors are assumptions: measure",
        "yours, put them into parts.toml, print again. 电机数据是假设：量你的电机，填进 parts.toml 再生成。",
        "",
        "| 负载 load | 驱动 drivers | 每路 each | 合计 together | 堵转 held, each | 保险 fuse |",
        "|---|---|---|---|---|---|",
    )
    for load in loads():
        yield (
            f"| {load.zh} {load.en} | {load.drivers} | {load.amps_each:.2f} A | {load.amps:.2f} A "
            f"| {load.stall_amps:.1f} A | {load.fuse} |"
        )
    yield from ("", "| 动作 motion | 电流 current | PS1 |", "|---|---|---|")
    for motion, amps in motion_amps():
        yield f"| {motion['zh']} {motion['en']} | {amps:.2f} A | {100 * amps / supply['amps']:.0f} % |"
    yield from ("", "| 保险 fuse | | 规格 value | 最大持续 steady at most |", "|---|---|---|---|")
    for name, fuse, amps in fuse_amps():
        yield f"| {name} | {fuse['zh']} {fuse['en']} | T {fuse['amps']:g} A | {amps:.2f} A |"
    yield ""
    yield f"5 V: {logic_amps():.2f} A of {supply['logic_amps']:.0f} A (PS2)."
    yield ""


def _parts() -> Iterator[str]:
    yield from (
        "## 材料 · Bill of materials",
        "",
        "One table, without wood, motors and belts, which the mechanism brings along.",
        "一张桌子的电气件；电机和机械自带。",
        "",
        "| 代号 ref | 数 no. | 件 part |",
        "|---|---|---|",
    )
    for count, row in bill():
        yield f"| {row['ref']} | {count} | {row['zh']} · {row['en']} |"
