"""`mahjong-table diag inputs|edges|margin|analog|loopback`: what the sensors say, now and since the start."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated

import typer

from controller.cli.diag_desk import (
    AsJson,
    ConfigFile,
    Language,
    Serial,
    Url,
    asked_desk,
    print_json,
    remark,
    show,
)
from controller.cli.errors import CliError
from controller.cli.score_text import Lang

WATCH_S = 0.1


def inputs(
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on and tell every change, until Ctrl-C or --for.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--for", help="With --watch: so many seconds.", min=0.1, metavar="S")
    ] = None,
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Every sensor, switch and key: its pin, what is believed, what the pin says, pulses of the counters."""
    from controller.diag import asked
    from controller.diag.signal_text import change_line
    from controller.diag.text import inputs_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.inputs(desk)
        if as_json:
            print_json(told.as_json())
        else:
            show(inputs_lines(told, lang))
        if not watch:
            return
        remark("看着变化，Ctrl-C 结束", "watching for changes, Ctrl-C ends it", lang)
        ends = None if seconds is None else time.monotonic() + seconds

        def wait() -> bool:
            time.sleep(WATCH_S)
            return ends is None or time.monotonic() < ends

        try:
            for row in asked.changes(desk, wait):
                at = datetime.now().strftime("%H:%M:%S.%f")[:-3]
                if as_json:
                    print_json({"at": at, "id": row.id, "on": row.on})
                else:
                    print(f"{at}  {change_line(row, lang)}", flush=True)
        except KeyboardInterrupt:
            return


def edges(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """How often each input has changed since the board started: a bad contact shows here."""
    from controller.diag import asked
    from controller.diag.signal_text import edges_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.edges(desk)
    if as_json:
        print_json(told.as_json())
    else:
        show(edges_lines(told, lang))


def margin(
    side: Annotated[
        int | None, typer.Argument(help="One side; else all four.", min=1, max=4, metavar="[SIDE]")
    ] = None,
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """How long tiles darkened the tile counters since the start: a dirty or misaligned eye shows here."""
    from controller.diag import asked
    from controller.diag.signal_text import margin_lines, margin_words

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.margin(desk, asked.SIDES if side is None else (side,))
    if as_json:
        words = {row.side: margin_words(row) for row in told.sides}
        verdicts = [{"side": at, "verdict": en, "verdict_zh": zh} for at, (zh, en) in words.items()]
        print_json({**told.as_json(), "verdicts": verdicts})
    else:
        show(margin_lines(told, lang))


def analog(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Motor supply, temperature of the drivers, and the current of each group of motors."""
    from controller.diag import asked
    from controller.diag.signal_text import analog_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.analog(desk)
    if as_json:
        print_json(told.as_json())
    else:
        show(analog_lines(told, lang))


def loopback(
    count: Annotated[int, typer.Option("--n", help="How many times.", min=1, max=10_000)] = 100,
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """Send 32 bytes to the board and back; exit 1 if one answer differs or does not come."""
    from controller.diag import asked

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = asked.loop_back(desk, count)
    if as_json:
        print_json(told.as_json())
    else:
        print(
            lang.say(
                f"发出 {told.sent} 次，原样回来 {told.same} 次",
                f"sent {told.sent} times, {told.same} came back as they were",
                " / ",
            )
        )
    if told.same != told.sent:
        raise CliError(
            lang.say("数据线不可靠：看 diag counters", "the line is not to be trusted: see diag counters")
        )
