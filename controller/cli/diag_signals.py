"""`mahjong-table diag inputs|edges|margin|analog|loopback`: what the sensors say, now and since the start."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated

import typer

from controller.cli.diag_desk import Ask, asking, print_json
from controller.cli.errors import CliError

WATCH_S = 0.1


@asking
def inputs(
    ask: Ask,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on and tell every change, until Ctrl-C or --for.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--for", help="With --watch: so many seconds.", min=0.1, metavar="S")
    ] = None,
) -> None:
    """Every sensor, switch and key: its pin, what is believed, what the pin says, pulses of the counters."""
    from controller.diag import asked
    from controller.diag.signal_text import change_line
    from controller.diag.text import inputs_lines

    with ask.desk() as desk:
        told = asked.inputs(desk)
        ask.tell(told, inputs_lines)
        if not watch:
            return
        ask.remark("看着变化，Ctrl-C 结束", "watching for changes, Ctrl-C ends it")
        ends = None if seconds is None else time.monotonic() + seconds

        def wait() -> bool:
            time.sleep(WATCH_S)
            return ends is None or time.monotonic() < ends

        try:
            for row in asked.changes(desk, wait):
                at = datetime.now().strftime("%H:%M:%S.%f")[:-3]
                if ask.as_json:
                    print_json({"at": at, "id": row.id, "on": row.on})
                else:
                    print(f"{at}  {change_line(row, ask.lang)}", flush=True)
        except KeyboardInterrupt:
            return


@asking
def edges(ask: Ask) -> None:
    """How often each input has changed since the board started: a bad contact shows here."""
    from controller.diag import asked
    from controller.diag.signal_text import edges_lines

    with ask.desk() as desk:
        told = asked.edges(desk)
    ask.tell(told, edges_lines)


@asking
def margin(
    ask: Ask,
    side: Annotated[
        int | None, typer.Argument(help="One side; else all four.", min=1, max=4, metavar="[SIDE]")
    ] = None,
) -> None:
    """How long tiles darkened the tile counters since the start: a dirty or misaligned eye shows here."""
    from controller.diag import asked
    from controller.diag.signal_text import margin_lines, margin_words

    with ask.desk() as desk:
        told = asked.margin(desk, asked.SIDES if side is None else (side,))
    words = {row.side: margin_words(row) for row in told.sides}
    verdicts = [{"side": at, "verdict": en, "verdict_zh": zh} for at, (zh, en) in words.items()]
    ask.tell(told, margin_lines, verdicts=verdicts)


@asking
def analog(ask: Ask) -> None:
    """Motor supply, temperature of the drivers, and the current of each group of motors."""
    from controller.diag import asked
    from controller.diag.signal_text import analog_lines

    with ask.desk() as desk:
        told = asked.analog(desk)
    ask.tell(told, analog_lines)


@asking
def loopback(
    ask: Ask,
    count: Annotated[int, typer.Option("--n", help="How many times.", min=1, max=10_000)] = 100,
) -> None:
    """Send 32 bytes to the board and back; exit 1 if one answer differs or does not come."""
    from controller.diag import asked

    with ask.desk() as desk:
        told = asked.loop_back(desk, count)
    zh = f"发出 {told.sent} 次，原样回来 {told.same} 次"
    en = f"sent {told.sent} times, {told.same} came back as they were"
    ask.tell(told, lambda _told, _lang: [ask.say(zh, en)])
    if told.same != told.sent:
        raise CliError(
            ask.say("数据线不可靠：看 diag counters", "the line is not to be trusted: see diag counters")
        )
