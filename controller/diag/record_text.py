"""The board's fault log and statistics as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cli.score_text import Lang
from controller.diag.records import FaultLog, LoggedFault, Statistics
from controller.diag.serving import motors
from controller.diag.text import fault_name, padded, width

HOUR_S = 3600


def since_start(at_ms: int) -> str:
    """Return hours, minutes and seconds.

    >>> since_start(3_723_900)
    '1:02:03'
    """
    minutes, seconds = divmod(at_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def log_line(row: LoggedFault, lang: Lang) -> str:
    """Return one fault of the log: when, what, where."""
    start = lang.say(f"第 {row.boot} 次开机", f"start {row.boot}")
    side = f"  {lang.say(f'{row.side} 号边', f'side {row.side}')}" if row.side else ""
    detail = f"  {lang.say('细节', 'detail')} {row.detail}" if row.detail else ""
    name = fault_name(row.code, None, 0, lang)
    return f"{padded(start, 24)}+{since_start(row.at_ms):<11}{name}{side}{detail}"


def log_lines(told: FaultLog, lang: Lang) -> Iterator[str]:
    """Yield the faults, newest first, then how many records are damaged."""
    for row in told.faults:
        yield log_line(row, lang)
    if not told.faults:
        yield lang.say("控制板没有记下故障", "the board has logged no fault", " / ")
    if told.damaged:
        yield lang.say(
            f"另有 {told.damaged} 条记录损坏：见 diag faults 902",
            f"{told.damaged} more records are damaged: see diag faults 902",
            " / ",
        )


def statistics_lines(told: Statistics, lang: Lang) -> Iterator[str]:
    """Yield the sums, then how long each motor has run."""
    rows = [
        (lang.say("码牌", "builds"), str(told.builds)),
        (lang.say("过牌", "tiles counted"), str(told.tiles)),
        (lang.say("升降", "lifts"), str(told.lifts)),
        (lang.say("掷骰", "throws"), str(told.throws)),
        (lang.say("故障", "faults"), str(told.faults)),
        (lang.say("开机", "starts"), str(told.boots)),
        (lang.say("各边堵牌", "jams a side"), " ".join(map(str, told.jams))),
        *(
            (lang.say(row["zh"], row["en"]), f"{told.motor_seconds[row['id']] / HOUR_S:.2f} h")
            for row in motors()
        ),
    ]
    columns = max(width(name) for name, _ in rows) + 2
    for name, value in rows:
        yield padded(name, columns) + value
