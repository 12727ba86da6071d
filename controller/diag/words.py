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
    "stopped_since": ("刚才又停了一次：再看一遍再清除", "it was stopped again since: look, then clear again"),
    "mismatch": ("固件与程序版本不合", "firmware and program do not match"),
}


def refusal_words(key: str) -> tuple[str, str]:
    """Return the words of a reason; one that has none stands for itself."""
    return REASONS.get(key, (f"控制板拒绝：{key}", f"the board refuses: {key}"))
