"""Draws the wiring and prints its tables: `python -m hardware.wiring.draw [--check]`.

Everything follows from devices.toml and parts.toml, so a changed pin shows on paper too; a test compares.
"""

# ruff: noqa: E501
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from hardware.wiring.plan import Connector, connectors, fuse_amps, parts, wires
from hardware.wiring.sheet import BLUE, FAINT, RED, Sheet
from hardware.wiring.tables import pins_page

HERE = Path(__file__).resolve().parent
ROW = 19
COLUMN = 290


# ---------------------------------------------------------------- the plugs


def board() -> str:
    """Return the drawing of all plugs of the board."""
    plugs = connectors()
    columns = (plugs[:2], plugs[2:4], plugs[4:7], plugs[7:])
    height = 70 + max(sum(_plug_height(plug) + 24 for plug in column) for column in columns)
    sheet = Sheet(20 + COLUMN * len(columns), height, "控制板的插头", "plugs of the controller board")
    for index, column in enumerate(columns):
        y = 52.0
        for plug in column:
            _plug(sheet, 20 + COLUMN * index, y, plug)
            y += _plug_height(plug) + 24
    return sheet.svg()


def _rails(plug: Connector) -> list[tuple[str, str]]:
    return [("+5 V", RED), ("GND", FAINT)] if plug.has_supply else [("GND", FAINT)]


def _plug_height(plug: Connector) -> int:
    return 40 + ROW * (len(plug.wires) + len(_rails(plug)))


def _plug(sheet: Sheet, x: float, y: float, plug: Connector) -> None:
    sheet.box(x, y, COLUMN - 30, _plug_height(plug), fill="#fafafc")
    sheet.words(x + 10, y + 20, f"{plug.name}  {plug.zh}", size=13, bold=True)
    sheet.words(x + 10, y + 34, plug.en, size=10, colour=FAINT)
    y += 34 + ROW
    place = 1
    for name, colour in _rails(plug):
        sheet.words(x + 26, y, str(place), at="end")
        sheet.words(x + 36, y, name, colour=colour)
        y, place = y + ROW, place + 1
    for wire in plug.wires:
        sheet.words(x + 26, y, str(wire.place), at="end")
        sheet.words(x + 36, y, wire.id)
        sheet.words(x + 160, y, "→" if wire.is_input else "←", colour=FAINT)
        sheet.words(x + 182, y, wire.pin, bold=True, colour=BLUE)
        sheet.words(x + 250, y, wire.mega or "—", at="end", colour=FAINT)
        y += ROW


# ---------------------------------------------------------------- power


def power() -> str:
    """Return the drawing of mains, supplies, fuses and loads."""
    sheet = Sheet(1000, 600, "供电", "power")
    supply = parts()["supply"]
    volts, amps = f"{supply['volts']:.0f} V", f"{supply['amps']:.0f} A"
    sheet.labelled(20, 90, 130, 64, "230 V ~ + F0", "带开关和保险的插座", "inlet, switch, fuse")
    sheet.wire((150, 122), (190, 122))
    sheet.labelled(190, 90, 130, 64, f"PS1 {volts} {amps}", "开关电源", "mains supply")
    sheet.wire((320, 122), (410, 122), colour=RED, thick=3)
    sheet.dot(385, 122)
    sheet.wire((385, 122), (385, 170))
    sheet.capacitor(385, 174, "C1")
    sheet.wire((385, 178), (385, 200))
    sheet.ground(385, 200, "0 V")
    sheet.labelled(410, 84, 130, 76, "K1", "急停切断（两触点串联）", "e-stop cuts here, 2 poles")
    sheet.wire((540, 122), (600, 122), (600, 480), colour=RED, thick=3)
    sheet.words(612, 78, "24 V_M  电机母线", size=12, colour=RED, bold=True)
    sheet.words(612, 93, "motor bus, TVS D2 to 0 V", size=10, colour=FAINT)
    fuses = {name: (fuse, worst) for name, fuse, worst in fuse_amps()}
    y = 130.0
    for name in ("F1", "F2", "F3", "F4"):
        fuse, worst = fuses[name]
        sheet.wire((600, y), (645, y))
        sheet.dot(600, y)
        sheet.fuse(663, y, f"{name}  T {fuse['amps']:g} A")
        sheet.wire((681, y), (725, y))
        sheet.labelled(725, y - 30, 240, 60, fuse["en"], f"{fuse['zh']}，持续 {worst:.1f} A", _behind(name))
        y += 90
    fuse, worst = fuses["F5"]
    sheet.dot(345, 122)
    sheet.wire((345, 122), (345, 330), (285, 330))
    sheet.fuse(267, 330, f"F5  T {fuse['amps']:g} A")
    sheet.wire((249, 330), (190, 330))
    sheet.words(267, 350, "K1 之前，兼供 K1 线圈", size=10, at="middle", colour=FAINT)
    sheet.words(267, 363, "before K1, feeds its coil too", size=10, at="middle", colour=FAINT)
    sheet.labelled(60, 298, 130, 64, "PS2 5 V 5 A", "逻辑电源", "logic supply")
    sheet.wire((125, 362), (125, 400))
    sheet.labelled(60, 400, 130, 64, "U1", "控制板和传感器", "board and sensors")
    sheet.wire((190, 432), (250, 432), colour=BLUE)
    sheet.labelled(250, 400, 110, 64, "U2", "USB 隔离器", "USB isolator")
    sheet.wire((360, 432), (410, 432), colour=BLUE)
    sheet.labelled(410, 400, 130, 64, "Raspberry Pi", "自带电源 PS4", "its own supply PS4")
    for line, (zh, en) in enumerate(
        (
            ("所有 0 V 只在 PS1 的负端汇合：电机地线不经过控制板。", "All 0 V meet at PS1's minus only: motor current never runs through the board."),
            ("USB 的 5 V 不接到控制板电源：隔离器两侧各自供电。", "USB's 5 V does not feed the board: each side of the isolator has its own."),
            ("母线和电机线 ≥ 0.75 mm²，传感器线 0.14-0.25 mm²，分开走。", "Bus and motor wires >= 0.75 mm², sensor wires 0.14-0.25 mm², kept apart."),
        )
    ):  # fmt: skip
        sheet.both(30, 500 + 34 * line, zh, en)
    return sheet.svg()


def _behind(fuse: str) -> str:
    """Return the loads behind a fuse."""
    return ", ".join(row["en"].partition(" (")[0] for row in parts()["loads"] if row["fuse"] == fuse)


# ---------------------------------------------------------------- the emergency stop


def estop() -> str:
    """Return the drawing of the emergency stop: power cut by contacts, sensed by board and Pi."""
    sheet = Sheet(1000, 560, "急停回路", "emergency stop loop")
    sense = next(wire for wire in wires() if wire.id == "estop")
    sheet.words(20, 58, "① 断电：触点直接切断接触器线圈，不经过任何程序", size=13, bold=True)
    sheet.words(
        20, 75, "power: contacts cut the contactor's coil, no program in between", size=11, colour=FAINT
    )
    y = 140.0
    sheet.supply(60, y, "24 V (F5)")
    sheet.wire((60, y), (112, y))
    sheet.contact(130, y, closed=True, name="S1 ①")
    sheet.words(130, y + 20, "急停 NC", size=11, at="middle")
    sheet.wire((148, y), (250, y))
    sheet.dot(220, y)
    sheet.contact(268, y, closed=False, name="S2")
    sheet.words(268, y + 20, "接通 NO power on", size=11, at="middle")
    sheet.wire((286, y), (420, y))
    sheet.dot(330, y)
    sheet.wire((220, y), (220, y + 56), (250, y + 56))
    sheet.contact(268, y + 56, closed=False, name="")
    sheet.words(268, y + 76, "K1 ③ 自保 holds itself", size=11, at="middle")
    sheet.wire((286, y + 56), (330, y + 56), (330, y))
    sheet.box(420, y - 16, 60, 32)
    sheet.words(450, y + 5, "K1", size=13, bold=True, at="middle")
    sheet.wire((400, y), (400, y + 36), (500, y + 36), (500, y))
    sheet.dot(400, y)
    sheet.diode_left(450, y + 36)
    sheet.words(450, y + 62, "D1（阴极朝 S2）cathode to S2", size=11, at="middle")
    sheet.dot(500, y)
    sheet.wire((480, y), (540, y), (540, y + 10))
    sheet.ground(540, y + 10, "0 V")
    sheet.both(620, y - 16, "按下：K1 断开，电机母线没电。", "Pressed: K1 drops, the motor bus is dead.")
    sheet.both(
        620, y + 24, "旋开后母线仍没电，要按 S2：不会自己转。", "Released: still dead until S2 is pressed."
    )
    y = 290.0
    sheet.words(20, y - 30, "② 主触点", size=13, bold=True)
    sheet.words(110, y - 30, "main contacts", size=11, colour=FAINT)
    sheet.supply(60, y + 10, "24 V (PS1)")
    sheet.wire((60, y + 10), (152, y + 10), colour=RED, thick=3)
    sheet.contact(170, y + 10, closed=False, name="K1 ①")
    sheet.wire((188, y + 10), (252, y + 10), colour=RED, thick=3)
    sheet.contact(270, y + 10, closed=False, name="K1 ②")
    sheet.wire((288, y + 10), (400, y + 10), colour=RED, thick=3)
    sheet.words(410, y + 15, "24 V_M → F1-F4 → 驱动 drivers", colour=RED)
    sheet.both(
        620, y, "两组触点串联：直流 24 V 电弧要两个断口。", "Two poles in series: 24 V DC wants two gaps."
    )
    y = 380.0
    sheet.words(20, y - 24, "③ 感知：常闭到地，断线也算按下", size=13, bold=True)
    sheet.words(
        250,
        y - 24,
        "sense: normally closed to ground, a broken wire counts as pressed",
        size=11,
        colour=FAINT,
    )
    for index, (name, far, zh, en) in enumerate(
        (
            ("S1 ②", f"{sense.pin}  {sense.connector}.{sense.place}", "控制板：中断里切断全部电机输出", "board: an interrupt switches all motor outputs off"),
            ("S1 ③", "BCM 5", "树莓派（可选）：页面立刻知道；只到 3.3 V", "Pi (optional): the pages know at once; 3.3 V only"),
        )
    ):  # fmt: skip
        at = y + 20 + 62 * index
        sheet.ground(60, at, "GND" if index == 0 else "Pi GND")
        sheet.wire((60, at), (152, at))
        sheet.contact(170, at, closed=True, name=name)
        sheet.wire((188, at), (300, at))
        sheet.words(310, at + 5, far, bold=True, colour=BLUE)
        sheet.both(400, at - 4, zh, en)
    sheet.words(
        20,
        535,
        "切断 24 V 低压电机的停止类别 0；不是经过认证的安全功能。Stop category 0 for 24 V motors; not a certified "
        "safety function.",
        size=11,
        colour=FAINT,
    )
    return sheet.svg()


# ---------------------------------------------------------------- one of each kind


def channels() -> str:
    """Return the drawing of one input and one output of each kind."""
    sheet = Sheet(1000, 1060, "每种线路一例", "one circuit of each kind")
    _input(
        sheet,
        40,
        110,
        "光电 photo / opto",
        "被挡 / 在原点 = 断开 = 高",
        "blocked / home = open = high",
        "photo",
    )
    _input(
        sheet,
        370,
        110,
        "限位、按键 limit / key",
        "到位 / 按下 = 闭合 = 低",
        "at limit / pressed = closed = low",
        "no",
    )
    _input(
        sheet,
        700,
        110,
        "机盖、急停 lid / e-stop",
        "打开 / 按下 / 断线 = 高",
        "open / pressed / broken wire = high",
        "nc",
    )
    _one_way(sheet, 40, 380)
    _bridge(sheet, 370, 380)
    _lamp(sheet, 700, 380)
    _divider(sheet, 40, 690)
    _thermistor(sheet, 370, 690)
    _shunt(sheet, 700, 690)
    _reverse(sheet, 40, 900)
    return sheet.svg()


def _input(sheet: Sheet, x: float, y: float, title: str, zh: str, en: str, kind: str) -> None:
    sheet.words(x, y - 50, title, size=13, bold=True)
    sheet.both(x, y + 150, zh, en, size=11)
    joint, wire_y = x + 120, y + 50
    sheet.supply(joint, y - 8, "5 V")
    sheet.wire((joint, y - 8), (joint, y + 5))
    sheet.resistor(joint, y + 20, "4.7k", upright=True)
    sheet.wire((joint, y + 35), (joint, wire_y))
    sheet.dot(joint, wire_y)
    sheet.wire((joint, wire_y), (joint + 35, wire_y))
    sheet.resistor(joint + 50, wire_y, "1k")
    sheet.wire((joint + 65, wire_y), (joint + 130, wire_y))
    sheet.dot(joint + 90, wire_y)
    sheet.wire((joint + 90, wire_y), (joint + 90, wire_y + 26))
    sheet.capacitor(joint + 90, wire_y + 30, "10n")
    sheet.wire((joint + 90, wire_y + 34), (joint + 90, wire_y + 50))
    sheet.ground(joint + 90, wire_y + 50)
    sheet.words(joint + 134, wire_y + 5, "MCU", bold=True, colour=BLUE)
    left = x + 20
    if kind == "photo":
        sheet.box(left - 16, wire_y - 22, 62, 56, fill="#f6f6f8")
        sheet.words(left + 15, wire_y - 4, "NPN", size=11, at="middle")
        sheet.words(left + 15, wire_y + 12, "开集 OC", size=10, at="middle", colour=FAINT)
        sheet.wire((left + 46, wire_y), (joint, wire_y))
        sheet.wire((left + 15, wire_y + 34), (left + 15, wire_y + 50))
        sheet.ground(left + 15, wire_y + 50)
        sheet.supply(left + 15, wire_y - 22, "5 V")
    else:
        sheet.wire((left, wire_y + 50), (left, wire_y), (left + 22, wire_y))
        sheet.contact(left + 40, wire_y, closed=kind == "nc", name="NC" if kind == "nc" else "NO")
        sheet.wire((left + 58, wire_y), (joint, wire_y))
        sheet.ground(left, wire_y + 50)


def _one_way(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 50, "单向电机 one-way motor", size=13, bold=True)
    middle = x + 150
    sheet.supply(middle, y - 14, "24 V_M")
    sheet.wire((middle, y - 14), (middle, y))
    sheet.box(middle - 8, y, 16, 26)
    sheet.words(middle + 14, y + 17, "PTC 1.1 A", size=11)
    sheet.wire((middle, y + 26), (middle, y + 46))
    sheet.motor(middle, y + 62)
    sheet.wire((middle, y + 78), (middle, y + 106))
    sheet.dot(middle, y + 36)
    sheet.dot(middle, y + 90)
    sheet.wire((middle, y + 36), (middle + 60, y + 36), (middle + 60, y + 54))
    sheet.diode(middle + 60, y + 63, "3 A 60 V")
    sheet.wire((middle + 60, y + 72), (middle + 60, y + 90), (middle, y + 90))
    sheet.mosfet(middle, y + 130, "N-MOSFET")
    sheet.wire((middle, y + 154), (middle, y + 162))
    sheet.ground(middle, y + 162, "0 V_M")
    sheet.words(x, y + 134, "MCU", bold=True, colour=BLUE)
    sheet.wire((x + 32, y + 130), (x + 45, y + 130))
    sheet.resistor(x + 60, y + 130, "150")
    sheet.wire((x + 75, y + 130), (middle - 24, y + 130))
    sheet.dot(x + 100, y + 130)
    sheet.wire((x + 100, y + 130), (x + 100, y + 147))
    sheet.resistor(x + 100, y + 162, "10k", upright=True)
    sheet.wire((x + 100, y + 177), (x + 100, y + 184))
    sheet.ground(x + 100, y + 184)
    sheet.both(
        x, y + 222, "复位时 MCU 引脚悬空，10k 保证不转", "pins float at reset: the 10k keeps it off", size=11
    )


def _bridge(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 50, "双向电机 two-way motor (trays, dome)", size=13, bold=True)
    left, top = x + 120, y + 20
    sheet.box(left, top, 90, 100, fill="#f6f6f8")
    sheet.words(left + 45, top + 45, "DRV8871", size=12, bold=True, at="middle")
    sheet.words(left + 45, top + 62, "ILIM 30k", size=10, at="middle", colour=FAINT)
    sheet.words(left + 45, top + 76, "2.1 A", size=10, at="middle", colour=FAINT)
    sheet.supply(left + 45, top - 14, "24 V_M")
    sheet.wire((left + 45, top - 14), (left + 45, top))
    sheet.dot(left + 45, top - 8)
    sheet.words(left + 62, top - 6, "100 µF → 0 V_M", size=10, colour=FAINT)
    sheet.wire((left + 45, top + 100), (left + 45, top + 114))
    sheet.ground(left + 45, top + 114, "0 V_M")
    for name, at in (("raise", 25), ("lower", 75)):
        sheet.words(x, top + at + 4, name, bold=True, colour=BLUE)
        sheet.wire((x + 40, top + at), (left, top + at))
    sheet.words(x + 40, top + 46, "各 10k → GND", size=10, colour=FAINT)
    sheet.words(x + 40, top + 59, "10k each", size=10, colour=FAINT)
    sheet.wire((left + 90, top + 25), (left + 140, top + 25), (left + 140, top + 34))
    sheet.motor(left + 140, top + 50)
    sheet.wire((left + 140, top + 66), (left + 140, top + 75), (left + 90, top + 75))
    sheet.both(
        x,
        y + 222,
        "两脚同为低 = 滑行，同为高 = 刹车（固件不用）",
        "both low = coast, both high = brake (never used)",
        size=11,
    )


def _lamp(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 50, "灯、蜂鸣器 lamp, buzzer", size=13, bold=True)
    sheet.words(x, y + 64, "MCU", bold=True, colour=BLUE)
    sheet.wire((x + 36, y + 60), (x + 65, y + 60))
    sheet.resistor(x + 80, y + 60, "220")
    sheet.wire((x + 95, y + 60), (x + 150, y + 60), (x + 150, y + 84))
    sheet.wire((x + 141, y + 84), (x + 159, y + 84))
    sheet.wire((x + 141, y + 84), (x + 150, y + 100), (x + 159, y + 84))
    sheet.wire((x + 141, y + 101), (x + 159, y + 101), thick=2.4)
    sheet.words(x + 168, y + 97, "LED 15 mA", size=11)
    sheet.wire((x + 150, y + 101), (x + 150, y + 120))
    sheet.ground(x + 150, y + 120)
    sheet.both(
        x,
        y + 222,
        "更亮的灯、> 15 mA 的蜂鸣器用单向驱动",
        "brighter lamps, buzzers > 15 mA: one-way driver",
        size=11,
    )


def _divider(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 20, "电机电源 motor supply", size=13, bold=True)
    middle = x + 60
    sheet.supply(middle, y + 28, "24 V_M（K1 之后 behind K1）")
    sheet.wire((middle, y + 28), (middle, y + 37))
    sheet.resistor(middle, y + 52, "49.9k", upright=True)
    sheet.wire((middle, y + 67), (middle, y + 92))
    sheet.resistor(middle, y + 107, "10k", upright=True)
    sheet.wire((middle, y + 122), (middle, y + 130))
    sheet.ground(middle, y + 130)
    _analog_pin(sheet, middle, y + 80)
    sheet.words(middle + 40, y + 74, "BAT54 → 5 V", size=10, colour=FAINT)
    sheet.both(x, y + 172, "急停按下或没按 S2 时是 0 V", "0 V while S1 is pressed or S2 was not", size=11)


def _thermistor(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 20, "驱动板温度 driver temperature", size=13, bold=True)
    middle = x + 60
    sheet.supply(middle, y + 28, "5 V")
    sheet.wire((middle, y + 28), (middle, y + 37))
    sheet.resistor(middle, y + 52, "10k", upright=True)
    sheet.wire((middle, y + 67), (middle, y + 92))
    sheet.resistor(middle, y + 107, "NTC 10k", upright=True)
    sheet.wire((middle, y + 122), (middle, y + 130))
    sheet.ground(middle, y + 130)
    _analog_pin(sheet, middle, y + 80)
    sheet.both(
        x, y + 172, "断线 = 5 V：读作冷，不停机", "broken wire = 5 V: reads cold, does not stop", size=11
    )


def _shunt(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y - 20, "电机电流 motor current (3 ×)", size=13, bold=True)
    middle = x + 30
    sheet.words(x, y + 14, "一组驱动的 0 V 回路 return of a group of drivers", size=10, colour=FAINT)
    sheet.wire((middle, y + 22), (middle, y + 65))
    sheet.resistor(middle, y + 80, "25 mΩ", upright=True)
    sheet.wire((middle, y + 95), (middle, y + 130))
    sheet.ground(middle, y + 130, "0 V_M")
    sheet.box(middle + 60, y + 55, 60, 50, fill="#f6f6f8")
    sheet.words(middle + 90, y + 77, "INA180A1", size=10, bold=True, at="middle")
    sheet.words(middle + 90, y + 93, "×20", size=10, at="middle", colour=FAINT)
    sheet.wire((middle, y + 62), (middle + 60, y + 62))
    sheet.wire((middle, y + 98), (middle + 60, y + 98))
    sheet.dot(middle, y + 62)
    sheet.dot(middle, y + 98)
    sheet.wire((middle + 120, y + 80), (middle + 135, y + 80))
    sheet.resistor(middle + 150, y + 80, "1k")
    sheet.wire((middle + 165, y + 80), (middle + 200, y + 80))
    sheet.dot(middle + 180, y + 80)
    sheet.wire((middle + 180, y + 80), (middle + 180, y + 96))
    sheet.capacitor(middle + 180, y + 100, "100n")
    sheet.wire((middle + 180, y + 104), (middle + 180, y + 116))
    sheet.ground(middle + 180, y + 116)
    sheet.words(middle + 206, y + 85, "ADC", bold=True, colour=BLUE)
    sheet.both(
        x,
        y + 172,
        "0.5 V/A，量程 10 A；组见 devices.toml",
        "0.5 V/A up to 10 A; groups: devices.toml",
        size=11,
    )


def _reverse(sheet: Sheet, x: float, y: float) -> None:
    sheet.words(x, y, "反转 reversing (feeds, stackers)", size=13, bold=True)
    sheet.words(x, y + 44, "reverse", bold=True, colour=BLUE)
    sheet.wire((x + 60, y + 40), (x + 110, y + 40))
    sheet.labelled(x + 110, y + 14, 120, 52, "RV", "单向驱动", "one-way driver")
    sheet.wire((x + 230, y + 40), (x + 290, y + 40))
    sheet.labelled(x + 290, y + 14, 150, 52, "K3-K10", "八个线圈并联", "eight coils in parallel")
    sheet.wire((x + 440, y + 40), (x + 500, y + 40))
    sheet.labelled(x + 500, y + 14, 190, 52, "DPDT", "每个电机两线对调", "swaps a motor's two wires")
    sheet.both(
        x,
        y + 100,
        "续流二极管在继电器的驱动一侧；只在电机停 0.15 s 之后换向（固件）。",
        "Flyback diodes stay on the driver's side of the relay; switched only when motors have rested for 0.15 s.",
        size=11,
    )


def _analog_pin(sheet: Sheet, x: float, y: float) -> None:
    sheet.dot(x, y)
    sheet.wire((x, y), (x + 170, y))
    sheet.dot(x + 120, y)
    sheet.wire((x + 120, y), (x + 120, y + 16))
    sheet.capacitor(x + 120, y + 20, "100n")
    sheet.wire((x + 120, y + 24), (x + 120, y + 36))
    sheet.ground(x + 120, y + 36)
    sheet.words(x + 176, y + 5, "ADC", bold=True, colour=BLUE)


# ---------------------------------------------------------------- files

MADE: Mapping[str, Callable[[], str]] = {
    "board.svg": board,
    "power.svg": power,
    "estop.svg": estop,
    "channels.svg": channels,
    "pins.md": pins_page,
}


def main(arguments: list[str] | None = None) -> int:
    """Write or check; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.wiring.draw", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether the files are up to date")
    check = parser.parse_args(arguments).check
    stale = [
        name
        for name, make in MADE.items()
        if not (HERE / name).exists() or (HERE / name).read_text("utf-8") != make()
    ]
    for name in stale:
        if check:
            print(f"hardware/wiring/{name} is out of date: python -m hardware.wiring.draw", file=sys.stderr)
        else:
            (HERE / name).write_text(MADE[name](), "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
