"""What a technician does about each fault, step by step in the order of what is most often to blame.

Kept beside the table of `faults.py`, whose remedies are what a player does; a test holds the keys equal.
Sources: the fault guides named in the machine research notes (dirt and foreign objects come first nearly always,
then plugs, then the part itself); limits and times are those of hardware/wiring/README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from firmware_bridge.faults import FaultRow

Steps = tuple[tuple[str, ...], tuple[str, ...]]

# fmt: off
# ruff: noqa: E501
STEPS: Mapping[str, Steps] = MappingProxyType({
    "power": (
        ("量 5 V（4.75-5.25 V）和 24 V（22.8-25.2 V），电机全转时再量一次", "查保险丝 F1-F4 和端子是否松动、发热", "电机启动时 5 V 下跌：单独给逻辑供电，或换大一号电源"),
        ("Measure 5 V (4.75-5.25 V) and 24 V (22.8-25.2 V), again with all motors running", "Check fuses F1-F4 and look for loose or warm terminals", "If 5 V dips when motors start: feed the logic apart, or fit a larger supply")),
    "motor_supply": (
        ("急停之后没按 S2，母线就没电：按一下", "量 PS1 输出 24 V，再量控制板 motor_supply 脚：应为其 1/6（4.0 V）", "查 F1-F4：断了先查短路的电机再换", "电机一转就掉：量堵转电流，换大一号电源"),
        ("After an emergency stop the bus is dead until S2 is pressed: press it", "Measure 24 V at PS1, then the board's motor_supply pin: a sixth of it (4.0 V)", "Check fuses F1-F4; if one is blown look for a shorted motor before changing it", "If it falls when a motor starts measure the stall current, fit a larger supply")),
    "overload": (
        ("断电手转大盘、磁圈，手推升降：应无卡滞", "diag analog 在该动作时读电流：空转约 0.6 A，堵转 2 A 以上", "不卡而电流大：量电机绕组，短路就换"),
        ("With power off turn turntable and ring by hand, push the lifts: nothing may bind", "Read the currents with diag analog during that motion: about 0.6 A when free, above 2 A when held", "If nothing binds and the current is high measure the motor's winding, change it if shorted")),
    "runaway": (
        ("按住急停，断电；拔下该组（明细：1 输送，2 叠推，3 其他）的驱动板", "量每个 MOSFET 漏源：导通就换，连同续流二极管", "都好：查分流放大器，无电流时引脚应为 0 V"),
        ("Keep the emergency stop pressed, power off; take out the drivers of that group (detail: 1 feeds, 2 stackers, 3 the rest)", "Measure every MOSFET from drain to source: one that conducts is changed, with its diode", "If all are well check the shunt amplifier: its pin must be at 0 V without current")),
    "heartbeat": (
        ("看服务是否在跑：systemctl status mahjong-table", "diag counters 看坏帧：多则换 USB 线、加磁环", "看树莓派是否欠压或过热：vcgencmd get_throttled"),
        ("See whether the service runs: systemctl status mahjong-table", "Read diag counters: many damaged frames mean another USB cable and a ferrite", "See whether the Pi is short of voltage or hot: vcgencmd get_throttled")),
    "link": (
        ("diag status --serial 设备：读得到就是服务的设置不对", "报“被占用”：结束占用它的程序", "换 USB 线和插口；控制板电源灯不亮就查 5 V"),
        ("diag status --serial DEV: if that answers, the service's settings are wrong", "If it says in use: end the program that holds it", "Change USB cable and socket; if the board's power light is off check 5 V")),
    "mismatch": (
        ("diag status 看固件号与报文号", "mahjong-table firmware build，用 avrdude 烧录（见 hardware/wiring/README.md）", "断电重启控制板，再看 diag status"),
        ("Read firmware and layout with diag status", "mahjong-table firmware build, flash it with avrdude (see hardware/wiring/README.md)", "Power the board off and on, read diag status again")),
    "reset": (
        ("diag status 看重启原因", "欠压：按 101 查；看门狗：按 901 查；复位脚：查 RESET 的线和 0.1 µF 电容", "只在电机启动时重启：电机加续流二极管，信号线与电机线分开"),
        ("Read the reset cause with diag status", "Low voltage: see 101; watchdog: see 901; reset pin: check the RESET wire and its 0.1 µF", "If only when motors start: flyback diodes at the motors, keep signal and motor wires apart")),
    "jam": (
        ("断开电机电源，取出卡住的牌；找硬币、牙签、破牌", "量档板缝：牌的对角线加 1 毫米", "擦堵牌光电，diag inputs 看 jam 随牌变化", "换一副好牌试：好了就是牌脏或有毛刺"),
        ("Cut motor power, take the tile out; look for coins, toothpicks, broken tiles", "Measure the stop plate's gap: diagonal of a tile plus 1 mm", "Wipe the jam sensor; diag inputs must show jam follow a tile", "Try a set known to be good: if that runs, the tiles are dirty or burred")),
    "stacker": (
        ("断电后用手转叠推一圈：应无卡滞；缺油加硅脂", "diag inputs 看 stack_home 每圈变一次", "电机不转：量电机两端 24 V；有电不转换电机，没电查驱动和保险丝"),
        ("With power off turn the stacker once by hand: it must not bind; grease it if dry", "diag inputs must show stack_home change once a turn", "If the motor stands still measure 24 V at it: with voltage change the motor, without check driver and fuse")),
    "feed_open": (
        ("查该边输送电机插头；摸 PTC，烫的就等它复位再找原因", "量电机两线：约 10 Ω，断路就换电机", "电机好：查反转继电器触点和驱动"),
        ("Check the plug of that feed motor; if its PTC is hot let it reset and look for the cause", "Measure between the motor's wires: about 10 ohm, change it if open", "If the motor is well check the contacts of its reversing relay and its driver")),
    "turning_back": (
        ("偶尔一次正常；diag counters 看哪一边常常反转", "常反转的一边：擦输送槽，查牌有无毛刺，量档板缝"),
        ("Now and then is normal; see in diag counters which side turns back often", "At that side wipe the channel, look for burred tiles, measure the stop plate's gap")),
    "count_silent": (
        ("擦光电头和反光面", "diag inputs 看过牌时 count 有变化、脉冲数增加", "没有：查插头和 5 V，再调电位器（15° 约 0.5 毫米）", "仍没有：与好的一边对调光电，跟着走就换它"),
        ("Wipe the eye and its reflector", "diag inputs must show count change and its pulses grow as a tile passes", "If not: check plug and 5 V, then turn the pot (15° is about 0.5 mm)", "Still not: swap eyes with a good side; if the fault moves along, change the eye")),
    "count_stuck": (
        ("取出挡住的牌，擦光电头", "遮住强光再试：日光直射会一直亮", "diag inputs 电平一直高：拔插头仍高是断线，否则调电位器或换光电"),
        ("Take out what blocks it, wipe the eye", "Shade it and try again: direct sun keeps it on", "If diag inputs shows a high level for ever: still high with the plug out means a broken wire, else turn the pot or change the eye")),
    "missing": (
        ("清点这一副牌数，找地上、盘下、输送槽里的牌", "换一副好牌试：好了就是旧牌磁性弱", "某一边少：按该边计数光电查"),
        ("Count the set; look on the floor, under the turntable, in the feed channels", "Try a good set: if that runs, the old tiles' magnets are weak", "If one side is short, check its counter")),
    "extra": (
        ("清点牌数，看牌背颜色有没有混副", "牌数对：计数光电抖动，diag inputs 看每张牌只加一个脉冲", "每张多计：调电位器，查光电固定螺丝"),
        ("Count the set, look for backs of another colour", "If the number is right the counter bounces: diag inputs must add one pulse a tile", "If it adds more: turn the pot, check the eye's screws")),
    "programme_turned": (
        ("没人碰过也报：diag inputs 看 decksel_1 到 decksel_4，不该自己变", "有一路时有时无：查插头 X6 和公共线，换开关"),
        ("Told though nobody touched it: diag inputs must show decksel_1 to decksel_4 stand still", "If one comes and goes check plug X6 and the common wire, change the switch")),
    "slow": (
        ("看磁圈与大盘是否同步，胶条、弹片有无磨损", "清大盘灰尘；换一副好牌比较", "diag counters 不相干；看各边牌数，慢的一边先查输送电机"),
        ("See whether ring and turntable run in step, whether strip and flip spring are worn", "Clean the turntable; compare with a good set", "Look at the tiles a side: check the feed motor of the slow one first")),
    "too_slow": (
        ("按 351 查；先看是不是有牌卡在大盘出口", "大盘或磁圈不转：量电机 24 V，查皮带和驱动"),
        ("As 351; first look for a tile stuck at the drum's outlet", "If turntable or ring stand still: measure 24 V at the motor, check belt and driver")),
    "tray": (
        ("多半是异物：断电看承牌板四周和曲柄下面", "diag inputs：手推到位时 tray_up / tray_down 变化", "开关好而板不到位：紧曲柄螺丝；不动：查电机 24 V"),
        ("Mostly a foreign object: with power off look round the tray and under the crank", "diag inputs: tray_up / tray_down must change when pushed there by hand", "If the switch is good and the tray falls short tighten the crank; if it stands still check 24 V at the motor")),
    "tray_limits": (
        (
            "断电，看两个开关的撞块：有没有被牌、异物压住",
            "diag inputs：手推承牌板，tray_up 和 tray_down 应轮流接通",
            "总有一个不变：换微动开关；拔插头仍接通：线碰地",
        ),
        (
            "With power off look at both cams: a tile or an object may hold one down",
            "diag inputs: pushed by hand, tray_up and tray_down must close in turn",
            "One never changes: change that micro switch; still closed with its plug out: its wire touches ground",
        ),
    ),
    "dome_limits": (
        (
            "断电，看升降台上、下两个限位的拨片：有没有被牌、异物压住",
            "diag inputs：手推到顶、压到底，dome_up 和 dome_down 应轮流接通",
            "总有一个不变：换微动开关；拔插头仍接通：线碰地",
        ),
        (
            "With power off look at the plates of both dome switches: a tile or an object may hold one down",
            "diag inputs: pushed to top and bottom by hand, dome_up and dome_down must close in turn",
            "One never changes: change that micro switch; still closed with its plug out: its wire touches ground",
        ),
    ),
    "dome_not_up": (
        ("断电手推升降台：应顺滑；清杂物、加硅脂", "diag inputs：推到顶 dome_up 变化；不变就调限位片或换开关", "电机不转：量 24 V，查 F3 和驱动"),
        ("With power off push the dome by hand: it must run smoothly; clean and grease", "diag inputs: dome_up must change at the top; if not bend the plate or change the switch", "If the motor stands still measure 24 V, check F3 and driver")),
    "dome_not_down": (
        ("取出夹住的牌；看桌布有没有起皱", "diag inputs：压到底 dome_down 变化；不变就调限位片或换开关", "电机不转：量 24 V，查 F3 和驱动"),
        ("Take the tile out; see whether the cloth is creased", "diag inputs: dome_down must change at the bottom; if not bend the plate or change the switch", "If the motor stands still measure 24 V, check F3 and driver")),
    "dice": (
        ("diag selftest --move dice 看骰子转不转", "清灰；骰子电机用 3-5 年会弱，换之", "转而读不出：擦镜头和骰子罩，看 see dice"),
        ("diag selftest --move dice: see whether they spin", "Clean; a dice motor of 3-5 years gets weak: change it", "If they spin but are not read: wipe lens and dice cover, try see dice")),
    "key_stuck": (
        ("diag inputs 看哪个键一直“有”", "拔该键插头：变“-”就是按键坏或受潮，不变就是线碰地"),
        ("Read diag inputs: which key stays on", "Pull its plug: if it goes off the key is bad or damp, if not its wire touches ground")),
    "hot": (
        ("摸各电机和驱动：烫的那一路先查", "断电手转那台电机的机构：卡滞则清理加油", "都不烫：量 temperature 脚（25 ℃ 约 2.5 V），查 NTC 和插头"),
        ("Feel motors and drivers: begin with the hot one", "With power off turn its mechanism by hand: clean and grease it if it binds", "If none is hot measure the temperature pin (2.5 V at 25 degrees C), check the NTC and its plug")),
    "resting": (
        ("看统计里该电机转了多久（明细是电机的位）", "码牌太慢就先按 351 查", "电机不烫而常报：diag 里把 duty_percent 调高"),
        ("See in the statistics how long that motor ran (the detail has its bit)", "If builds are slow see 351 first", "If the motor stays cool and this returns raise duty_percent")),
    "duty": (
        ("同 512；先摸该电机烫不烫", "烫：手转机构找卡滞；不烫：duty_percent 调高"),
        ("As 512; feel first whether that motor is hot", "If hot turn its mechanism by hand and look what binds; if not raise duty_percent")),
    "lid": (
        ("diag inputs：盖上 lid 变“-”", "不变：调开关位置；线断也读作打开"),
        ("diag inputs: lid must go off when closed", "If not move the switch; a broken wire reads as open too")),
    "estop": (
        ("拧开急停，diag inputs：estop 变“-”", "不变：量急停第二组触点和到 PB7 的线（常闭，断线读作按下）", "旋开并按过 S2 电机仍没电：查接触器 K1，见 hardware/README.zh.md"),
        ("Release the button; diag inputs: estop must go off", "If not check its second contact and the wire to PB7 (normally closed: a broken wire reads as pressed)", "If motors stay without power after S2: check contactor K1, see hardware/README.md")),
    "unknown_reset": (
        ("看 24 V、5 V 在电机启动时有没有尖峰；按 204 查干扰", "重新烧录固件；再出现就换控制板"),
        ("Look for spikes on 24 V and 5 V when motors start; check for interference as in 204", "Flash the firmware again; if it returns change the board")),
    "watchdog": (
        ("记下固件号和时间，导出账本（journal export）一起报告", "反复出现又都在电机启动时：按 204 查干扰"),
        ("Note firmware and time, send them with an export of the ledger (journal export)", "If it returns whenever motors start: look for interference as in 204")),
    "record": (
        ("diag faults --log 看记录和坏记录数，diag selftest 看 EEPROM 一项", "每次开机都会报，直到那条记录被新的盖掉（几次开机或几十次故障）", "盖掉之后又报：换控制板（EEPROM 寿命 10 万次写）"),
        ("Read diag faults --log (records and damaged ones) and EEPROM in diag selftest", "It is told at every start until a new record has taken its place (a few starts, or some ten faults)", "If it returns after that change the board (its EEPROM lasts 100,000 writes)")),
    "stack": (
        ("记下固件号、diag selftest 的栈余量和 diag faults --log，一起报告", "断电再开；固件不是发布版就烧回发布版"),
        ("Note the firmware, the stack left in diag selftest and diag faults --log, report them", "Power off and on; if the firmware is no release flash the release")),
    "config": (
        ("diag config show 看现在用的值", "不对的用 diag config set 改回（检修码、限流、几副牌）", "又坏了：换控制板"),
        ("diag config show tells the values in force", "Put right what is not yours with diag config set (service code, limits, number of sets)", "If it is damaged again change the board")),
})
FAMILIES: Mapping[int, Steps] = MappingProxyType({
    1: (("量 5 V 和 24 V，查保险丝和端子",), ("Measure 5 V and 24 V, check fuses and terminals",)),
    2: (("diag status 和 diag counters，查数据线",), ("Read diag status and diag counters, check the cable",)),
    3: (("断电清理牌路，diag inputs 看该边光电",), ("With power off clean the tile path; read that side's eyes with diag inputs",)),
    4: (("断电手推检查卡滞，diag inputs 看限位",), ("With power off push it by hand; read the limits with diag inputs",)),
    5: (("diag inputs 看按键，查面板和电机温度",), ("Read the keys with diag inputs, check panel and motor temperature",)),
    6: (("diag inputs 看 lid 和 estop",), ("Read lid and estop with diag inputs",)),
    9: (("diag selftest，不过就换控制板",), ("Run diag selftest; change the board if it fails",)),
})
# fmt: on


def steps_of(row: FaultRow) -> Steps:
    """Return the steps for a fault (Chinese, English), one for one; those of its family if it has none."""
    return STEPS.get(row.key) or FAMILIES.get(row.code // 100, FAMILIES[9])
