"""The configuration in the board's memory: what each value is, within which limits, read and changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.cli.score_text import Lang
from controller.diag.answers import Answer
from controller.diag.desk import Desk
from controller.diag.errors import DiagError
from controller.diag.text import padded, width
from controller.diag.words import refusal_words

CODE = "service_code"


@dataclass(frozen=True, slots=True)
class Setting:
    """One value; its limits are those of `hardware/firmware/core/config.c`, which has the last word."""

    key: str
    least: int
    most: int
    unit: str
    zh: str
    en: str


SETTINGS: Mapping[str, Setting] = {
    row.key: row
    for row in (
        Setting("sets", 1, 2, "", "几副牌", "sets of tiles"),
        Setting(CODE, 0, 9999, "", "检修码，0 = 只用按键", "service code, 0 = keys only"),
        Setting("jam_ms", 300, 2000, "ms", "停在挡板多久算堵牌", "a tile at the stop plate so long is a jam"),
        Setting("tile_least_ms", 8, 29, "ms", "挡光不到这么久不算牌", "a shorter pulse is no tile"),
        Setting("reverse_tries", 0, 3, "", "堵牌反转几次", "turns back before a jam is a fault"),
        Setting("duty_percent", 10, 100, "%", "十分钟里可转的比例", "share of ten minutes a motor may run"),
        Setting("feed_limit_ma", 200, 10000, "mA", "输送电机限流", "current limit of a feed"),
        Setting("stack_limit_ma", 200, 10000, "mA", "叠推电机限流", "current limit of a stacker"),
        Setting("main_limit_ma", 200, 10000, "mA", "其余电机限流", "current limit of drum, lifts, dice"),
    )
}


@dataclass(frozen=True, slots=True)
class Configuration(Answer):
    """The values in force; `valid`: false when the memory is damaged and these are the factory's.

    The service does not tell the service code: everybody at the table reads what it tells.
    """

    crc: int
    valid: bool
    service_code_set: bool
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Changed(Answer):
    """What was changed, from and to; a service code that is not told is None."""

    changed: Mapping[str, tuple[int | None, int]]


def parse(words: Sequence[str]) -> dict[str, int]:
    """Return the values that KEY=VALUE words name.

    Raises:
        DiagError: if one is no such word, no known key, or out of its limits.
    """
    wanted: dict[str, int] = {}
    for word in words:
        key, _, text = word.partition("=")
        row = SETTINGS.get(key)
        if row is None:
            names = ", ".join(SETTINGS)
            raise DiagError(
                "unknown_key", f"没有 {key} 这一项，有：{names}", f"no value {key}; there are {names}"
            )
        if not (text.isascii() and text.isdigit() and row.least <= int(text) <= row.most):
            limits = f"{row.least}-{row.most} {row.unit}".strip()
            raise DiagError(
                "bad_value",
                f"{key}（{row.zh}）要在 {limits} 之间，不能是“{text}”",
                f'{key} ({row.en}) must be {limits}, not "{text}"',
            )
        wanted[key] = int(text)
    return wanted


def read(desk: Desk) -> Configuration:
    """Return the values in force.

    Raises:
        DiagError: if it is not answered.
    """
    told = desk.told("config")
    values = {key: told[key] for key in SETTINGS if key in told}
    return Configuration(desk.kind, desk.place, told["crc"], told["valid"], told["service_code_set"], values)


def write(desk: Desk, wanted: Mapping[str, int]) -> Changed:
    """Change values, unless somebody else changes some between our look and our order.

    Raises:
        DiagError: if it is refused; nothing has changed then.
    """
    before = read(desk)
    changed = {key: (before.values.get(key), value) for key, value in wanted.items()}
    changed = {key: row for key, row in changed.items() if row[0] != row[1]}
    if changed or not before.valid:  # what the memory has lost is written anew even where nothing differs
        reason = desk.configure(before.crc, dict(wanted))
        if reason != "none":
            raise DiagError(reason, *_words(reason))
    return Changed(desk.kind, desk.place, changed)


def _words(reason: str) -> tuple[str, str]:
    if reason in ("changed", "bad_value"):  # within our limits: the board means the check of what was there
        return (
            "刚才有人改过配置：先 diag config show，再改",
            "somebody has changed it meanwhile: see diag config show, then change it again",
        )
    if reason == "busy":
        return "机器在动：停下来再改", "the machine is not at rest: change it when it stands"
    return refusal_words(reason)


def show_lines(told: Configuration, lang: Lang) -> Iterator[str]:
    """Yield every value, within which limits it may be, and what it is."""
    rows = [(row, _value(told, row, lang)) for row in SETTINGS.values()]
    columns = max(width(value) for _, value in rows) + 2
    for row, value in rows:
        limits = f"{row.least}-{row.most}"
        yield f"{row.key:<16}{padded(value, columns)}{limits:<12}{lang.say(row.zh, row.en)}"
    if not told.valid:
        yield lang.say(
            "存储损坏，以上是出厂值：见 diag faults 904",
            "the memory is damaged, these are the factory's values: see diag faults 904",
            " / ",
        )


def _value(told: Configuration, row: Setting, lang: Lang) -> str:
    if row.key not in told.values:
        return lang.say("已设", "set") if told.service_code_set else "0"
    return f"{told.values[row.key]} {row.unit}".strip()


def changed_lines(told: Changed, lang: Lang) -> Iterator[str]:
    """Yield each value that is another one now."""
    for key, (before, now) in told.changed.items():
        unit = SETTINGS[key].unit
        was = lang.say("（不显示）", "(not shown)") if before is None else str(before)
        yield f"{key:<16}{was} -> {now} {unit}".rstrip()
    if not told.changed:
        yield lang.say("本来就是这样，没有改", "it is so already, nothing changed", " / ")
