"""The technician's answers as lines for people, in Chinese, in English, or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import east_asian_width

from controller.bits import device_rows
from controller.cli.score_text import Lang
from controller.diag.answers import CountersAnswer, InputsAnswer, SelfTestAnswer, StatusAnswer
from controller.diag.moves import MoveResult
from controller.diag.past import Past
from controller.diag.selftests import NOT_PROVEN_EN, NOT_PROVEN_ZH, PROVES_EN, PROVES_ZH, checks_of
from controller.faults import OWN
from firmware_bridge.fault_steps import steps_of
from firmware_bridge.faults import FAULTS, FaultRow

STATES = {
    "boot": ("启动", "starting"),
    "idle": ("空闲", "idle"),
    "homing": ("回零", "homing"),
    "loading": ("推牌（升降台升起）", "loading, dome up"),
    "building": ("码牌", "building"),
    "ready": ("码好", "wall ready"),
    "lifting": ("升降中", "lifting"),
    "in_play": ("打牌中", "in play"),
    "fault": ("故障锁住", "fault, latched"),
    "safe": ("失去心跳锁住", "heartbeat lost, latched"),
    "estop": ("急停锁住", "emergency stop, latched"),
    "stopped": ("已停，锁住", "stopped, latched"),
    "paused": ("码牌暂停，可补牌", "build paused, tiles may be added"),
    "service": ("检修模式", "service mode"),
    "update": ("正在更新固件", "firmware is being updated"),
    "unknown": ("不知道", "not known"),
}
LINKS = {
    "up": ("通", "up"),
    "down": ("断", "down"),
    "connecting": ("正在连接", "connecting"),
    "mismatch": ("版本不合", "other version"),
}
PLACES = {
    "up": ("上", "up"),
    "down": ("下", "down"),
    "moving": ("途中", "between"),
    "unknown": ("不知道", "not known"),
}
RESETS = {
    "unknown": ("不知道", "not known"),
    "power_on": ("上电", "power on"),
    "external": ("复位脚", "reset pin"),
    "brown_out": ("欠压", "low voltage"),
    "watchdog": ("看门狗", "watchdog"),
    "jtag": ("JTAG", "JTAG"),
    "update": ("更新固件", "firmware update"),
}
COUNTERS = {
    "board_frames": ("控制板收到的帧", "frames the board got"),
    "board_crc_errors": ("控制板校验错", "CRC errors at the board"),
    "board_cobs_errors": ("控制板断帧", "broken frames at the board"),
    "board_overruns": ("控制板漏字节", "bytes the board missed"),
    "board_duplicates": ("控制板收到重复", "repeats the board got"),
    "board_events_lost": ("控制板丢的事件", "events the board dropped"),
    "link_frames_in": ("主机收到的帧", "frames the host got"),
    "link_frames_out": ("主机发出的帧", "frames the host sent"),
    "link_crc_errors": ("主机校验错", "CRC errors at the host"),
    "link_cobs_errors": ("主机断帧", "broken frames at the host"),
    "link_length_errors": ("主机长度错", "wrong lengths at the host"),
    "link_unknown": ("主机不认识的报文", "messages the host does not know"),
    "link_retries": ("主机重发", "repeats the host sent"),
    "link_timeouts": ("没有回答的命令", "commands without answer"),
    "link_duplicate_events": ("重复事件", "repeated events"),
    "link_events": ("事件", "events"),
    "link_reboots": ("控制板重启", "restarts of the board"),
    "link_lost": ("失联", "times the board was lost"),
    "link_stops": ("全停", "stops sent"),
    "link_rtt_ms": ("往返（毫秒）", "round trip (ms)"),
    "link_clock_error_ms": ("时钟误差（毫秒）", "error between the clocks (ms)"),
    "link_rto_ms": ("重发等待（毫秒）", "wait before a repeat (ms)"),
}
WORN = ("board_crc_errors", "board_cobs_errors", "link_crc_errors", "link_cobs_errors", "link_length_errors")
"""What noise on the wire raises."""
WORN_SHARE = 0.01
"""More than one frame in a hundred damaged: not lost yet, but the wire wants a look."""


def width(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, columns: int) -> str:
    """Return the text filled up with spaces."""
    return text + " " * max(0, columns - width(text))


def named(table: Mapping[str, tuple[str, str]], key: str | None, lang: Lang) -> str:
    """Return the words of a key; a key that the table lacks stands for itself."""
    zh, en = table.get(key or "unknown", (str(key), str(key)))
    return lang.say(zh, en)


def status_lines(told: StatusAnswer, lang: Lang) -> Iterator[str]:
    """Yield who the board is and what it does."""
    rows = [
        (lang.say("问的是", "asked"), told.place),
        (lang.say("连线", "link"), named(LINKS, told.link, lang)),
        (lang.say("机器", "machine"), named(STATES, told.state, lang)),
        (lang.say("故障", "fault"), fault_name(told.fault, told.fault_key, told.side, lang)),
        (
            lang.say("位置", "places"),
            f"{lang.say('升降台', 'dome')} {named(PLACES, told.dome, lang)}, "
            f"{lang.say('承牌板', 'trays')} {named(PLACES, told.trays, lang)}, "
            + (lang.say("已回零", "homed") if told.homed else lang.say("未回零", "not homed")),
        ),
        (lang.say("在转", "running"), ", ".join(_device(name, lang) for name in told.running) or "-"),
        (
            lang.say("安全", "safety"),
            (
                lang.say("急停按下", "e-stop PRESSED")
                if told.estop
                else lang.say("急停放开", "e-stop released")
            )
            + ", "
            + (lang.say("机盖开着", "lid OPEN") if told.lid_open else lang.say("机盖盖好", "lid closed")),
        ),
        (lang.say("各边牌数", "tiles a side"), " ".join(map(str, told.counts))),
        (lang.say("庄家灯", "dealer lamp"), str(told.lamp or "-")),
        (lang.say("开机", "up for"), f"{told.uptime_ms / 1000:.0f} s, boot id {told.boot_id}"),
    ]
    if told.board is not None:
        rows += [
            (lang.say("板", "board"), f"{told.board}, {lang.say('固件', 'firmware')} {told.firmware}"),
            (lang.say("源码", "source"), f"{told.source_hash}, {lang.say('报文', 'layout')} {told.layout}"),
            (
                lang.say("启动", "boots"),
                f"{told.boot_count}, {lang.say('原因', 'cause')} {named(RESETS, told.reset_cause, lang)}",
            ),
        ]
    columns = max(width(name) for name, _ in rows) + 2
    for name, value in rows:
        yield padded(name, columns) + value
    if told.fault:
        yield from explain_lines(told.fault, lang)


def inputs_lines(told: InputsAnswer, lang: Lang) -> Iterator[str]:
    """Yield all inputs; the level is what a meter shows at the pin now, before debouncing."""
    names = [f"{row.pin:<5}{row.id:<15}{lang.say(row.zh, row.en)}" for row in told.inputs]
    columns = max((width(name) for name in names), default=0) + 2
    on, off = lang.say("有", "on"), "-"
    for name, row in zip(names, told.inputs, strict=True):
        level = "" if row.level is None else f"  {lang.say('电平', 'level')} {row.level}"
        now = "" if row.raw is None or row.raw == row.on else lang.say("  正在变", "  changing")
        yield f"{padded(name, columns)}{padded(on if row.on else off, 7)}{level}{now}"
    yield f"{lang.say('过牌脉冲', 'tile pulses')}  {' '.join(map(str, told.pulses))}"


def selftest_lines(told: SelfTestAnswer, lang: Lang) -> Iterator[str]:
    """Yield each test of the board, then what all of them prove and what they do not."""
    for check, passed in checks_of(told.ran, told.failed):
        word = lang.say("好", "ok") if passed else lang.say("不过", "FAILED")
        yield f"{padded(word, 14)}{lang.say(check.zh, check.en)}"
        if not passed:
            yield f"{'':14}{lang.say(check.hint_zh, check.hint_en, ' / ')}"
    yield lang.say(f"栈余量 {told.stack_free} 字节", f"{told.stack_free} bytes of stack free", " / ")
    for zh, en in ((PROVES_ZH, PROVES_EN), (NOT_PROVEN_ZH, NOT_PROVEN_EN)):
        yield from _both(zh, en, lang)


def move_line(result: MoveResult, lang: Lang) -> str:
    """Return how a movement went."""
    word = lang.say("好", "ok") if result.ok else lang.say("不成", "FAILED")
    times = ", ".join(f"{ms / 1000:.1f} s" for ms in result.step_ms)
    why = "" if result.ok else f": {lang.say(result.why_zh, result.why_en, ' / ')}"
    return f"{padded(word, 14)}{lang.say(result.zh, result.en)} ({times}){why}"


def counters_lines(told: CountersAnswer, lang: Lang) -> Iterator[str]:
    """Yield all counters, and what they mean for the cable."""
    names = [(named(COUNTERS, name, lang), value) for name, value in told.counters.items()]
    columns = max(width(name) for name, _ in names) + 2
    for name, value in names:
        yield f"{padded(name, columns)}{value:>8}"
    if told.asks:
        yield lang.say(
            f"问 {told.asks} 次，丢 {told.lost} 次，往返中位 {told.p50_ms} 毫秒，99% 在 {told.p99_ms} 毫秒内",
            f"{told.asks} questions, {told.lost} lost, round trip median {told.p50_ms} ms, "
            f"99 % within {told.p99_ms} ms",
            " / ",
        )
    yield from _both(*wire_words(told.counters), lang)


def wire_words(counters: Mapping[str, int]) -> tuple[str, str]:
    """Return in both languages what the counters say about the wire."""
    frames = counters.get("board_frames", 0) + counters.get("link_frames_in", 0)
    bad = sum(counters.get(name, 0) for name in WORN)
    if counters.get("board_overruns", 0):
        return (
            "控制板漏过字节：波特率或 USB 转换器有问题",
            "the board has missed bytes: suspect the baud rate or the USB adapter",
        )
    if bad > WORN_SHARE * max(frames, 1):
        return (
            f"{frames} 帧里坏了 {bad} 帧：数据线太长、没屏蔽，或与电机线捆在一起；换线、分开走线、加磁环",
            f"{bad} damaged of {frames} frames: cable too long, unshielded or tied to motor wires; "
            "change it, keep it apart, add a ferrite",
        )
    if bad:
        return (
            f"{frames} 帧里坏了 {bad} 帧，都补上了",
            f"{bad} damaged of {frames} frames, all made good by repeats",
        )
    return "连线干净", "the wire is clean"


def fault_name(code: int, key: str | None, side: int, lang: Lang) -> str:
    """Return number and name of a fault, "-" for none."""
    row = FAULTS.get(code) or next((row for row in FAULTS.values() if row.key == key and not row.side), None)
    if row is not None:
        return f"{row.code} {lang.say(row.zh, row.en)}"
    own = OWN.get(f"fault.{key}")
    if own is not None:
        return lang.say(own.zh, own.en)
    if not code and key is None:
        return "-"
    at = f" ({lang.say('边', 'side')} {side})" if side else ""
    return f"{code or key} {lang.say('本版不认识', 'unknown to this version')}{at}"


def explain_lines(code: int, lang: Lang) -> Iterator[str]:
    """Yield what a fault means and who does what about it."""
    row = FAULTS.get(code)
    if row is None:
        yield f"{code}: {lang.say('没有这个故障号', 'there is no such fault')}"
        return
    zh, en = steps_of(row)
    yield f"{row.code} {lang.say(row.zh, row.en, ' / ')}"
    yield from _part(lang.say("原因", "cause"), [(row.cause_zh, row.cause_en)], lang)
    yield from _part(lang.say("打牌的人", "player"), [(row.remedy_zh, row.remedy_en)], lang)
    yield from _part(lang.say("技师", "technician"), list(zip(zh, en, strict=True)), lang)


def _part(title: str, rows: Sequence[tuple[str, str]], lang: Lang) -> Iterator[str]:
    number = len(rows) > 1
    yield f"  {title}:"
    for index, (zh, en) in enumerate(rows, 1):
        yield f"    {f'{index}. ' if number else ''}{lang.say(zh, en, ' / ')}"


def past_lines(past: Past, lang: Lang) -> Iterator[str]:
    """Yield what the ledger tells, newest first, and which ledger it is: one here, whoever was asked."""
    where = past.ledger
    if past.faults is None or past.stops is None:
        yield lang.say(
            f"本机没有可读的账本 {where}（--data 指明）",
            f"no ledger to read at {where} on this machine (name it with --data)",
            " / ",
        )
        return
    yield lang.say(f"本机账本 {where}", f"ledger on this machine: {where}", " / ")
    kinds = (past.faults, "最近的故障", "last faults"), (past.stops, "最近的停机", "last stops")
    for rows, zh, en in kinds:
        if rows:
            yield f"{lang.say(zh, en)}:"
        for row in rows:
            yield f"{row['at']}  {fault_name(row['code'], row['key'], row['side'], lang)}"


def table_lines(rows: Iterable[FaultRow], lang: Lang) -> Iterator[str]:
    """Yield every fault with number, severity and name."""
    for row in rows:
        yield f"{row.code}  {row.severity:<8}{lang.say(row.zh, row.en)}"


def _device(name: str, lang: Lang) -> str:
    for row in device_rows("actuators"):
        if row["id"] == name:
            return lang.say(row["zh"], row["en"])
    return name


def _both(zh: str, en: str, lang: Lang) -> Iterator[str]:
    """Yield a sentence on a line of its own for each language."""
    if lang is not Lang.EN:
        yield zh
    if lang is not Lang.ZH:
        yield en
