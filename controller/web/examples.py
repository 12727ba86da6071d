"""True examples for the API description: one table, waiting for three players to agree."""

from __future__ import annotations

from typing import Any

EVIDENCE = "4f2a" + "0" * 60

_SEATS = {
    "E": {"side": 1, "entry": "p1", "player": "p1", "name": "龙井", "score": 71, "wind": "N", "dead": False},
    "S": {"side": 2, "entry": "p2", "player": "p2", "name": "普洱", "score": -7, "wind": "E", "dead": False},
    "W": {"side": 3, "entry": "p3", "player": "p3", "name": "乌龙", "score": -66, "wind": "S", "dead": False},
    "N": {"side": 4, "entry": "p4", "player": "p4", "name": "茉莉", "score": 2, "wind": "W", "dead": False},
}


def _element(key: str, zh: str, en: str, value: int, *sets: str) -> dict[str, Any]:
    worth = {"key": key, "zh": zh, "en": en, "value": value, "count": 1}
    return {**worth, "sets": list(sets), "is_whole": not sets}


def _uncounted(key: str, zh: str, en: str, count: int, by_zh: str, by_en: str) -> dict[str, Any]:
    why = {"why_zh": f"已含于{by_zh}", "why_en": f"contained in {by_en}"}
    return {"key": key, "zh": zh, "en": en, "count": count, **why}


ELEMENTS = [
    _element("mixed_triple_chow", "三色三同顺", "Mixed Triple Chow", 8, "345m", "345p", "345s"),
    _element("all_chows", "平和", "All Chows", 2),
    _element("all_simples", "断幺", "All Simples", 2),
    _element("short_straight", "连六", "Short Straight", 1, "345p", "678p"),
    _element("flower_tiles", "花牌", "Flower Tiles", 1, "e"),
]
NOT_COUNTED = [
    _uncounted("mixed_double_chow", "喜相逢", "Mixed Double Chow", 3, "三色三同顺", "Mixed Triple Chow"),
    _uncounted("no_honors", "无字", "No Honors", 1, "平和", "All Chows"),
]
TABLE = {
    "name": "六号台",
    "variant": "mcr",
    "variant_zh": "国标麻将",
    "variant_en": "Chinese Official (MCR)",
    "mode": "mcr",
    "circumstances": ["after_kong", "last_tile", "last_of_kind"],
    "flowers": True,
    "several": False,
    "kongs": False,
}
_RESULT = {
    "elements": ELEMENTS,
    "not_counted": NOT_COUNTED,
    "total": 14,
    "minimum": 8,
    "without_flowers": 13,
    "deltas": {"E": -22, "S": -8, "W": -8, "N": 38},
}
_HAND = "[345p,1] 345m 678p 34s 66s + 5s"
_TILES = ["3p", "4p", "5p", "3m", "4m", "5m", "6p", "7p", "8p", "3s", "4s", "6s", "6s", "5s"]

STATE: dict[str, Any] = {
    "epoch": 1,
    "seq": 41,
    "head": "7c3a91e4",
    "table": TABLE,
    "phase": "CONFIRM",
    "step": None,
    "hand": 6,
    "circle": 2,
    "circle_wind": "S",
    "dealer": "S",
    "run": 1,
    "seats": _SEATS,
    "act": [{"side": 1, "do": "confirm"}, {"side": 2, "do": "confirm"}, {"side": 3, "do": "confirm"}],
    "build": {
        "tiles": 144,
        "counts": [36, 36, 36, 36],
        "target": [36, 36, 36, 36],
        "done": True,
        "other": None,
        "pause": None,
    },
    "dice": {
        "throws": [
            {"seat": "S", "pips": [4, 3], "source": "camera"},
            {"seat": "N", "pips": [2, 3], "source": "camera"},
        ],
        "thrower": None,
        "asking": False,
        "opening": {"count_seat": "N", "count": 12, "seat": "N", "stack": 13},
    },
    "draw": None,
    "finds_seats": False,
    "lamp": {"asked": 2, "seen": 2, "sense": 2, "score": 0.99, "agree": True},
    "wall": {"left": 53, "stacks": None, "source": "camera"},
    "kongs": [],
    "kongs_called": [],
    "claim": {
        "seat": "N",
        "by": "discard",
        "from": "E",
        "win_tile": "5s",
        "kind": "win",
        "flags": [],
        "sources": {"seat": "key", "by": "key", "from": "key"},
    },
    "reading": {
        "seat": "N",
        "hand": _HAND,
        "sure": True,
        "source": "camera",
        "tiles": [
            {"tile": tile, "score": 0.99, "sure": True, "alternatives": [], "box": None} for tile in _TILES
        ],
        "laid": True,
        "melds": [{"kind": "chow", "source": 1, "tiles": 3}],
        "flowers": [{"tile": "e", "score": 0.99, "sure": True}],
        "problems": [],
        "evidence": EVIDENCE,
    },
    "result": {"legal": True, "reason": None, **_RESULT},
    "stated": {"points": 14, "checked": 14, "counted": 14},
    "false_win": None,
    "also": [],
    "irregularities": [{"seat": "W", "kind": "premature_reveal", "by": None}],
    "referee": False,
    "confirm": {"E": None, "S": None, "W": None},
    "aside": [],
    "last": None,
    "correction": None,
    "over": None,
    "seat_change": None,
    "time": {"now_ms": 86402500, "timers": []},
    "fault": None,
    "notices": [],
    "health": {"link": "up", "camera": "up", "clock_ok": True, "ledger": "ok"},
}

LAST: dict[str, Any] = {
    "hand": 6,
    "kind": "win",
    "seat": "N",
    "by": "discard",
    "from": "E",
    "hand_text": _HAND,
    "laid": _HAND,
    "flags": [],
    "flowers": ["e"],
    **_RESULT,
    "false_wins": [],
    "stated": None,
    "also": [],
    "unread": [],
    "kongs_called": [],
    "evidence": EVIDENCE,
    "players": {},
    "head": "b05e27d1",
    "amended": [],
}
HISTORY: dict[str, Any] = {"hands": [LAST], "total": 1}

FAULT: dict[str, Any] = {
    "code": 303,
    "side": 3,
    "key": "fault.jam",
    "severity": "stop",
    "origin": "mcu",
    "detail": 0,
    "zh": "3 号边卡了一张牌",
    "en": "A tile is stuck at side 3",
    "remedy_zh": "掀开 3 号边的小盖，取出斜着的那张牌，盖好小盖，点“清除故障”",
    "remedy_en": "Open the lid of side 3, take out the slanted tile, close the lid, clear the fault",
}
_SIDE_SENSORS = ("count", "jam", "stack_home", "side_full")
MACHINE: dict[str, Any] = {
    "link": "up",
    "why": "",
    "state": "idle",
    "busy": False,
    "homed": True,
    "trays": "up",
    "dome": "down",
    "lamp": 2,
    "counts": [36, 36, 36, 36],
    "boot_id": 212,
    "uptime_ms": 812345,
    "order": None,
    "sensors": {
        **{f"{name}_{side}": name == "stack_home" for side in range(1, 5) for name in _SIDE_SENSORS},
        **{f"tray_up_{side}": True for side in range(1, 5)},
        **{f"tray_down_{side}": False for side in range(1, 5)},
        "dome_up": False,
        "dome_down": True,
        "lid": False,
        "estop": False,
    },
    "actuators": {
        **{f"{name}_{side}": False for side in range(1, 5) for name in ("feed", "stack")},
        **dict.fromkeys(
            ("turn", "ring", "tray_raise", "tray_lower", "dome_raise", "dome_lower", "dice"), False
        ),
    },
    "counters": {
        "board_frames": 41212,
        "board_crc_errors": 3,
        "board_cobs_errors": 2,
        "board_overruns": 0,
        "board_duplicates": 4,
        "link_crc_errors": 1,
        "link_cobs_errors": 1,
        "link_retries": 5,
        "link_rtt_ms": 3,
    },
    "inputs": None,
    "answers": {"selftest": {"number": 1, "ran": 255, "failed": 0, "stack_free": 6100}},
    "selftest": {"number": 1, "ran": 255, "failed": 0, "stack_free": 6100},
    "lamps_sense": [0, 1, 0, 0],
    "estop": False,
    "camera": "up",
    "marks_off": [],
    "fault": None,
    "faults": [],
}
