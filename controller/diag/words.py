"""Why the board refuses an order, in both languages, with what to do."""

from __future__ import annotations

REASONS: dict[str, tuple[str, str]] = {
    "not_homed": ("还没回零：先做 home", "not homed: do home first"),
    "busy": ("机器正忙", "the machine is busy"),
    "lid_open": ("机盖开着：盖好", "the lid is open: close it"),
    "estop": ("急停按下：拧开急停", "the emergency stop is pressed: release it"),
    "latched": (
        "有故障锁住：看 diag faults，排除后 diag faults --clear",
        "a fault is latched: see diag faults, put it right, then diag faults --clear",
    ),
    "dome_not_down": ("升降台不在底：先做 home", "the dome is not at the bottom: do home first"),
    "trays_not_down": ("承牌板不在底：先做 home", "the trays are not at the bottom: do home first"),
    "stacker_not_home": ("叠推不在原点：先做 home", "a stacker is not at home: do home first"),
    "wall_inside": ("里面有码好的牌", "a built wall is inside"),
    "bad_value": ("控制板做不到这样的值：看范围", "the board cannot take this value: look at its range"),
    "unknown_command": ("固件不认识这个命令：更新固件", "the firmware does not know this command: update it"),
    "stale_boot": ("控制板刚重启过：再来一次", "the board has just restarted: try again"),
    "no_session": ("和控制板还没接上：再来一次", "not yet connected with the board: try again"),
    "stopped_since": ("刚才又停了一次：再看一遍再清除", "it was stopped again since: look, then clear again"),
    "programme_switch": (
        "张数旋钮拨的是另一种牌：拨对，或拨到 0 由主机决定",
        "the programme switch says another number of tiles: turn it, or to 0 (the host decides)",
    ),
    "not_service": ("不在检修模式：先进入检修模式", "not in service mode: enter it first"),
    "wrong_code": ("检修码不对", "wrong service code"),
    "resting": ("电机刚连续运转过久，正在歇：过几分钟再来", "a motor rests after a long run: wait a bit"),
    "busy_memory": ("控制板正在写存储：过一秒再来", "the board is writing its memory: try again in a second"),
    "no_answer": ("控制板没有应答：查数据线和供电", "the board did not answer: check cable and supply"),
    "mismatch": ("固件与程序版本不合", "firmware and program do not match"),
}


def refusal_words(key: str) -> tuple[str, str]:
    """Return the words of a reason; one that has none stands for itself."""
    return REASONS.get(key, (f"控制板拒绝：{key}", f"the board refuses: {key}"))
