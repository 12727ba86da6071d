"""The bits of the board's self-test: what each looks at, what to do when it fails, and what none of them shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One test of the board, by its bit."""

    bit: int
    key: str
    zh: str
    en: str
    hint_zh: str
    hint_en: str


# fmt: off
# ruff: noqa: E501
CHECKS: tuple[Check, ...] = (
    Check(0, "program", "程序存储校验", "program memory", "重新烧录固件；仍不过就换控制板", "flash the firmware again; if it still fails change the board"),
    Check(1, "stack", "栈余量", "stack", "程序异常：导出诊断并报告", "a fault of the program: export the diagnostics and report it"),
    Check(2, "eeprom", "EEPROM 记录", "EEPROM record", "断电重启一次；仍不过就换控制板", "power off and on once; if it still fails change the board"),
    Check(3, "tray_limits", "承牌板上下限位不矛盾", "tray limits agree", "同一边上下限位同时接通：查限位开关和接线", "top and bottom of one side are closed at once: check its switches and wires"),
    Check(4, "dome_limits", "升降台上下限位不矛盾", "dome limits agree", "上下限位同时接通：查限位开关和接线", "top and bottom are closed at once: check switches and wires"),
    Check(5, "stackers_home", "四个叠推都在原点", "all stackers at home", "用 --move home 回零，再查原点开关", "home with --move home, then check the home sensor"),
    Check(6, "counters_clear", "计数光电前无牌", "tile counters are clear", "拿开挡住的牌，擦光电头", "take away what blocks one, wipe the eye"),
    Check(7, "keys_released", "按键都已松开", "keys are released", "松开按键，擦干面板", "let the keys go, dry the panel"),
)
# fmt: on

PROVES_ZH = "只证明：程序与存储完好，各限位、原点、计数、按键此刻的读数说得通。没有东西动过。"
PROVES_EN = (
    "It proves only that program and memory are whole and that limits, home sensors, counters and keys read "
    "plausibly now. Nothing has moved."
)
NOT_PROVEN_ZH = (
    "证明不了：电机能转、方向对、有力，限位在行程末端会动作，光电能看到牌，急停真的切断电源。"
    "前几项用 --move，急停按 hardware/README.zh.md 的首次通电清单检查。"
)
NOT_PROVEN_EN = (
    "It does not prove that motors turn, the right way and with force, that a limit acts at its end, that an "
    "eye sees a tile, or that the e-stop cuts the power. For most of it use --move; for the e-stop the "
    "first power-up list in hardware/README.md."
)


def checks_of(ran: int, failed: int) -> list[tuple[Check, bool]]:
    """Return the tests that ran with whether each passed; a bit without a row is shown by its number."""
    known = {check.bit: check for check in CHECKS}
    found = []
    for bit in range(16):
        if ran >> bit & 1:
            check = known.get(bit) or Check(
                bit, f"bit_{bit}", f"第 {bit} 项", f"test {bit}", "见固件说明", "see the firmware's notes"
            )
            found.append((check, not failed >> bit & 1))
    return found
