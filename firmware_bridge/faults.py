"""The table of faults: number, name, how grave, and in both languages what it is, why, and what to do.

Severity: info = told, warn = told and to be looked after (the machine goes on), stop = the machine has
stopped and latched, latched = as stop, and its cause must be gone before it can be cleared. The board sends
the numbers; 202-204 are given by the host; 421 by both. Four sides share a key: side n is the base
number + n - 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["info", "warn", "stop", "latched"]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault; `side` is 0 for the whole table."""

    code: int
    key: str
    severity: Severity
    zh: str
    en: str
    cause_zh: str
    cause_en: str
    remedy_zh: str
    remedy_en: str
    side: int = 0


# fmt: off
# ruff: noqa: E501
ONE: tuple[FaultRow, ...] = (
    FaultRow(101, "power", "warn", "供电不足", "Supply voltage dropped",
             "控制板因电压过低重启：电源、保险丝或插头", "The board restarted on low voltage: supply, fuse or plug",
             "查电源和保险丝，插紧插头", "Check supply and fuse, push the plugs in"),
    FaultRow(102, "motor_supply", "latched", "电机电源不足", "Motor supply is low",
             "24 V 低于 20 V：保险丝断、插头松或电源坏", "24 V fell below 20 V: a fuse, a loose plug or the supply",
             "急停之后要按绿色通电键；按了还这样就看电源灯和插头，灯不亮叫技师",
             "After an emergency stop press the green power button; if it stays look at the supply's lamp and plug, call the technician"),
    FaultRow(103, "overload", "stop", "电机电流过大", "A motor draws too much current",
             "大盘、磁圈或升降被卡住，或电机短路", "Turntable, ring or a lift is held, or a motor is shorted",
             "打开机盖看有没有东西卡住，取出后清除故障", "Open the lid, take out what holds it, clear the fault"),
    FaultRow(104, "runaway", "latched", "没有命令，电机却有电流", "A motor draws current without an order",
             "驱动管击穿：电机可能自己在转", "A shorted driver: a motor may turn by itself",
             "按下急停，不要把手伸进去，叫技师", "Press the emergency stop, keep hands out, call the technician"),
    FaultRow(201, "heartbeat", "latched", "主机没有心跳，机器已停", "No heartbeat from the host, machine stopped",
             "主机忙、死机，或数据线松动", "The host hangs or is busy, or the cable is loose",
             "看主机和数据线，再清除故障", "Check host and cable, then clear the fault"),
    FaultRow(202, "link", "stop", "控制板没有回应", "The board does not answer",
             "数据线、供电或串口被别的程序占用", "Cable, supply, or another program holds the port",
             "查数据线和供电，再清除故障", "Check cable and supply, then clear the fault"),
    FaultRow(203, "mismatch", "stop", "固件与程序版本不合", "Firmware and program do not match",
             "只更新了其中一个", "Only one of them was updated",
             "重新烧录固件", "Flash the firmware that belongs to this program"),
    FaultRow(204, "reset", "stop", "控制板中途重启", "The board restarted on the way",
             "供电波动、干扰或看门狗", "Supply dip, interference or the watchdog",
             "清除故障，机器先回零再继续", "Clear the fault; the machine homes and goes on"),
    FaultRow(341, "missing", "stop", "少牌", "Tiles are missing",
             "牌掉在地上、磁性弱或机内有牌没推下去", "A tile on the floor, weak magnets, or tiles not pushed in",
             "找齐牌放进去，再清除故障", "Find the tiles, put them in, clear the fault"),
    FaultRow(342, "extra", "stop", "多牌或两副混在一起", "Extra tiles or two sets mixed",
             "一边过牌多于应有之数", "A side counted more tiles than its share",
             "清点牌数，取出多余的牌", "Count the set, take out what is too many"),
    FaultRow(343, "programme_turned", "info", "牌数开关被转动", "The programme switch was turned",
             "码牌途中有人转了机器上的牌数开关", "Someone turned the machine's programme switch during a build",
             "正常：这一次照旧码完，下一次按开关；开关在 0 由主机决定", "Normal: this build ends as it began, the next one follows the switch; at 0 the host decides"),
    FaultRow(351, "slow", "warn", "码牌太慢", "Building is slow",
             "超过 80 秒：磁圈不同步、弹片或胶条磨损、磁性弱", "Over 80 s: ring out of step, worn spring or strip, weak magnets",
             "不影响打牌；请技师检查磁圈和拨片", "Play goes on; have ring and flip spring checked"),
    FaultRow(352, "too_slow", "stop", "码牌超时", "Building took too long",
             "超过 200 秒还没码完", "Not done after 200 s",
             "打开机盖看有没有卡牌，再清除故障", "Open the lid, look for stuck tiles, clear the fault"),
    FaultRow(405, "tray_limits", "stop", "承牌板上下限位同时闭合", "Both limits of a tray are closed",
             "限位开关被压住、卡死或短路", "A limit switch is held down, stuck or shorted",
             "看这一边的限位有没有被压住，再清除故障", "Look what holds the switch of that side, clear the fault"),
    FaultRow(406, "dome_limits", "stop", "升降台上下限位同时闭合", "Both limits of the dome are closed",
             "限位开关被压住、卡死或短路", "A limit switch is held down, stuck or shorted",
             "手离开桌心，看升降台的限位有没有被压住，再清除故障", "Keep hands off the dome, look what holds its switch, clear the fault"),
    FaultRow(411, "dome_not_up", "stop", "升降台升不上去", "The dome does not come up",
             "限位松动、摩擦或有东西压住", "Loose limit, friction or something on it",
             "拿开桌心的东西，再清除故障", "Take away what lies on it, clear the fault"),
    FaultRow(412, "dome_not_down", "stop", "升降台降不下去", "The dome does not go down",
             "下面夹了牌，或限位松动", "A tile under it, or a loose limit",
             "取出夹住的牌，再清除故障", "Take the tile out, clear the fault"),
    FaultRow(421, "dice", "warn", "骰子不转或停不下来", "The dice do not spin or never lie still",
             "灰尘、骰子电机老化", "Dust, an old dice motor",
             "再按一次骰子键；反复出现请清灰", "Press the dice key again; clean if it returns"),
    FaultRow(501, "key_stuck", "warn", "按键卡住", "A key is stuck",
             "面板受潮或按键被压住超过 10 秒", "A damp panel, or a key held over 10 s",
             "松开按键，擦干面板", "Let the key go, dry the panel"),
    FaultRow(511, "hot", "latched", "驱动板过热", "The motor drivers are too hot",
             "连续运转太久、通风口堵住或电机卡滞", "Too long a run, a blocked vent or a motor that binds",
             "歇十分钟，清开通风口，再清除故障", "Rest for ten minutes, free the vent, clear the fault"),
    FaultRow(512, "resting", "warn", "电机要歇一歇", "A motor needs a rest",
             "十分钟里转得太多，为了不烧电机暂不接受这个动作", "It ran too much of the last ten minutes; to save it the order was refused",
             "等几分钟再开始；经常这样请技师检查", "Wait a few minutes; if it happens often have the machine checked"),
    FaultRow(513, "duty", "stop", "电机连续转太久，已停", "A motor ran too long and was stopped",
             "十分钟里转的时间超过允许", "It ran for longer than it may in ten minutes",
             "歇几分钟，清除故障再继续", "Let it rest for a few minutes, clear the fault, go on"),
    FaultRow(601, "lid", "stop", "运转中机盖打开", "Lid opened while moving",
             "有人打开机盖，或盖开关松动", "Someone opened it, or the switch is loose",
             "手离开机器，盖好，再清除故障", "Hands clear, close the lid, clear the fault"),
    FaultRow(602, "estop", "latched", "急停按下", "Emergency stop pressed",
             "有人按了急停，或急停线断开", "Someone pressed it, or its wire is broken",
             "确认安全，拧开急停，按绿色通电键，再清除故障", "Make sure it is safe, release the button, press the green power button, clear the fault"),
    FaultRow(901, "watchdog", "warn", "控制板死机后重启", "The board hung and restarted",
             "看门狗动作：程序或干扰", "The watchdog acted: program or interference",
             "继续用；反复出现请导出诊断", "Go on; if it returns export the diagnostics"),
    FaultRow(902, "record", "warn", "控制板存储出错", "The board's memory is faulty",
             "EEPROM 里有记录校验不符", "A record in its EEPROM fails its check",
             "继续用；请技师看一下", "Go on; have the technician look at it"),
    FaultRow(903, "stack", "latched", "控制板内存写乱了", "The board's working memory was overwritten",
             "程序的栈超出了自己的地方", "The program's stack went beyond its place",
             "断电再开；再出现请导出诊断", "Power off and on; if it returns export the diagnostics"),
    FaultRow(904, "config", "warn", "控制板的设置坏了", "The board's settings are damaged",
             "设置存到一半断电，或 EEPROM 坏了；现在用上一份或出厂值", "Power failed while they were stored, or the EEPROM is bad; the ones before or the factory's are in force",
             "继续用；请技师核对设置", "Go on; have the technician check the settings"),
    FaultRow(905, "unknown_reset", "stop", "控制板不知为何重启", "The board restarted for no known reason",
             "不是断电、复位或看门狗：程序跑飞或干扰", "No power-up, reset pin or watchdog: a program gone astray, or interference",
             "看一眼桌子没有异常，再清除故障；反复出现请导出诊断", "Look that the table is in order, clear the fault; if it returns export the diagnostics"),
)

FOUR: tuple[FaultRow, ...] = (
    FaultRow(301, "jam", "stop", "{n}号边卡牌", "Tile jam at side {n}",
             "灰尘、破牌、异物或毛刺", "Dirt, a broken tile, a foreign object or a burr",
             "打开机盖取出卡住的牌，再清除故障", "Open the lid, take the tile out, clear the fault"),
    FaultRow(311, "stacker", "stop", "{n}号边叠推不到位", "Stacker at side {n} did not come home",
             "电机、齿轮或缺油，原点开关松动", "Motor, gear or dry grease, loose home sensor",
             "转动叠推看有无卡住，再清除故障", "Turn the stacker by hand, clear the fault"),
    FaultRow(315, "feed_open", "stop", "{n}号边输送电机没有电流", "Feed motor at side {n} draws no current",
             "插头松、断线、自恢复保险跳开或驱动坏", "A loose plug, a broken wire, a tripped fuse or a dead driver",
             "歇五分钟再清除故障；还这样叫技师看插头", "Wait five minutes, clear the fault; if it returns have the plug looked at"),
    FaultRow(321, "count_silent", "stop", "{n}号边计数没有信号", "Counter at side {n} is silent",
             "光电脏、电位器漂移、牌面脏，或牌卡在光电前", "Dirty eye, drifted pot, dirty tiles, or a tile stuck before it",
             "取出没数到的牌放回桌心，擦光电头，看插头，再清除故障", "Put uncounted tiles back in the centre, wipe the eye, check the plug, clear the fault"),
    FaultRow(331, "count_stuck", "stop", "{n}号边计数一直亮", "Counter at side {n} stays on",
             "光电被挡住、反光脏或有阳光直射", "The eye is blocked, its reflector dirty, or the sun shines on it",
             "取出挡住的牌放回桌心，擦光电头，挡住阳光，再清除故障", "Put the blocking tile back in the centre, wipe the eye, keep the sun off, clear the fault"),
    FaultRow(361, "turning_back", "info", "{n}号边卡住，正在反转", "Side {n} is stuck and turns back",
             "有牌没放正；机器先自己反转两次", "A tile lies askew; the machine turns back twice by itself",
             "等着就好；若还报卡牌再处理", "Just wait; if it is not freed a jam is told"),
    FaultRow(401, "tray", "stop", "{n}号边承牌板不到位", "Tray at side {n} is not where it should be",
             "限位松、曲柄松或有异物（多半是异物）", "Loose limit, loose crank, or (mostly) a foreign object",
             "取出异物，再清除故障", "Take the object out, clear the fault"),
)
# fmt: on


def _rows() -> Iterator[FaultRow]:
    yield from ONE
    for row in FOUR:
        for n in (1, 2, 3, 4):
            yield FaultRow(
                row.code + n - 1, row.key, row.severity, row.zh.format(n="一二三四"[n - 1]), row.en.format(n=n),
                row.cause_zh, row.cause_en, row.remedy_zh, row.remedy_en, n,
            )  # fmt: skip


FAULTS: Mapping[int, FaultRow] = MappingProxyType(
    {row.code: row for row in sorted(_rows(), key=lambda row: row.code)}
)
