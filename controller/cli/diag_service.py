"""`mahjong-table diag service|lamps|jog|count`: the service mode, and what moves in it."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from controller.bits import SERVICE_CODE_MOST, device_rows
from controller.cli.diag_desk import Ask, asking, confirm, held_board, print_json

if TYPE_CHECKING:
    from controller.diag import Desk

LAMP_MS = 600
JOG_MS = 500


class Switch(StrEnum):
    """Into the service mode or out of it."""

    ON = "on"
    OFF = "off"


Code = Annotated[
    int | None,
    typer.Option(
        "--code",
        help="Service code of the board's configuration; asked for at a terminal.",
        min=1,
        max=SERVICE_CODE_MOST,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Nobody's hand is in the machine: do not ask.")]


@asking
def service(
    ask: Ask,
    switch: Annotated[Switch, typer.Argument(help="on or off.")],
    code: Code = None,
) -> None:
    """Take the machine for its keys and lamps (test numbers), or give it back; not while a hand is played.

    It ends by itself after ten minutes in which nobody touches anything, and by switching the table off.
    Without a computer: hold both lift keys while you switch the table on.
    """
    from controller.diag import serving

    with ask.desk() as desk:
        on = switch is Switch.ON
        was_on = serving.enter(desk, lambda: _code(code, ask)) if on else serving.leave(desk)
    if ask.as_json:
        print_json({"source": desk.kind, "place": desk.place, "service": on, "was_on": was_on})
    elif on:
        print(
            ask.lang.say(
                "检修模式：骰子键选测试号（庄家灯 8 4 2 1），升降键开始和结束；"
                "测试号见 hardware/wiring/pins.md",
                "service mode: a dice key steps the test number (dealer lamps 8 4 2 1), a lift key begins "
                "and ends a test; the numbers are in hardware/wiring/pins.md",
                "\n",
            )
        )
    elif was_on:
        print(ask.say("已退出检修模式，要重新回零", "out of service mode; it homes before it builds"))
    else:
        print(ask.say("本来就不在检修模式，什么也没变", "it was not in service mode, nothing has changed"))


@asking
def lamps(ask: Ask) -> None:
    """Light every lamp alone, then sound the buzzer; no motor moves."""
    from controller.diag import serving

    rows = device_rows("lamps")
    with ask.desk() as desk:
        for row in rows:
            serving.lamps(desk, 1 << row["status"], LAMP_MS)
            if not ask.as_json:  # only what does light: the board may have refused it
                name = ask.lang.say(row["zh"], row["en"])
                print(f"P{row['port']}{row['bit']}  {row['id']:<8}  {name}", flush=True)
            _wait(desk, LAMP_MS / 1000)
    if ask.as_json:
        print_json({"source": desk.kind, "place": desk.place, "lamps": [row["id"] for row in rows]})


def _wait(desk: Desk, seconds: float) -> None:
    from controller.diag import Board

    if isinstance(desk, Board):
        desk.pump_until(lambda: False, seconds)
    else:
        import time

        time.sleep(seconds)


@asking
def jog(
    ask: Ask,
    actuator: Annotated[
        str, typer.Argument(help="One motor: feed_1 ... stack_4, turn, ring, tray_raise ... (see --list).")
    ] = "",
    run_ms: Annotated[
        int, typer.Option("--ms", help="So long; two seconds at most.", min=20, max=2_000)
    ] = JOG_MS,
    listed: Annotated[bool, typer.Option("--list", help="Name the motors; none moves.")] = False,
    code: Code = None,
    yes: Yes = False,
) -> None:
    """Hold one motor on for a moment, in service mode, after a question. Needs the board itself (no service).

    All interlocks hold: lid closed, e-stop released, trays not with the dome up. A lift stops at its limit.
    """
    from controller.diag import serving

    rows = {row["id"]: row for row in serving.motors()}
    if listed:
        if ask.as_json:
            print_json({"actuators": list(rows)})
        else:
            for row in rows.values():
                print(f"{row['id']:<12}{ask.lang.say(row['zh'], row['en'])}")
        return
    if actuator not in rows:
        names = ", ".join(rows)
        raise typer.BadParameter(ask.say(f"可选 {names}", f"one of {names}"), param_hint="ACTUATOR")
    name = rows[actuator]
    with ask.desk() as desk:
        board = held_board(desk)
        what = f"{name['zh']} {run_ms} 毫秒", f"{name['en']} for {run_ms} ms"
        confirm(ask, [what], yes=yes)
        with serving.served(board, lambda: _code(code, ask)):
            done = serving.jog(board, actuator, run_ms)
    if ask.as_json:
        print_json(
            {"source": desk.kind, "place": desk.place, "actuator": done.actuator, "ran_ms": done.ran_ms}
        )
    else:
        print(ask.say(f"{name['zh']}：按住 {done.ran_ms} 毫秒", f"{name['en']}: held for {done.ran_ms} ms"))


@asking
def count(
    ask: Ask,
    side: Annotated[int, typer.Argument(help="A side.", min=1, max=4)],
    tiles: Annotated[int, typer.Argument(help="So many tiles.", min=1, max=36)],
    code: Code = None,
    yes: Yes = False,
) -> None:
    """Feed one side until so many tiles passed its counter (20 s at most), in service mode, after a question.

    Needs the board itself, dome and trays down, tiles in the drum and none on that side. Take them out
    afterwards. Exit 1 if fewer came.
    """
    from controller.cli.errors import CliError
    from controller.diag import serving

    with ask.desk() as desk:
        board = held_board(desk)
        what = f"大盘、磁圈和 {side} 号边进 {tiles} 张牌", f"drum, ring and side {side} bring {tiles} tiles"
        confirm(ask, [what], yes=yes)
        with serving.served(board, lambda: _code(code, ask)):
            done = serving.count(board, side, tiles)
    if ask.as_json:
        print_json(
            {
                "source": desk.kind,
                "place": desk.place,
                "side": side,
                "wanted": tiles,
                "tiles": done.tiles,
                "elapsed_ms": done.elapsed_ms,
            }
        )
    else:
        seconds = done.elapsed_ms / 1000
        print(
            ask.lang.say(
                f"{side} 号边过了 {done.tiles} 张，{seconds:.1f} 秒；数一数对不对，再把牌取出",
                f"{done.tiles} tiles passed on side {side} in {seconds:.1f} s: count them, take them out",
                "\n",
            )
        )
    if done.tiles < tiles:
        raise CliError(
            ask.say(
                f"只数到 {done.tiles} 张：看大盘里有没有牌，擦计数光电，diag margin {side}",
                f"only {done.tiles} counted: tiles in the drum? wipe the counter, diag margin {side}",
            )
        )


def _code(code: int | None, ask: Ask) -> int:
    """Return the code that was given, or ask at a terminal.

    Raises:
        DiagError: if there is none, or it is no code.
    """
    from controller.diag import DiagError

    if code is not None:
        return code
    if sys.stdin.isatty():
        print(ask.say("检修码", "service code") + ": ", end="", file=sys.stderr, flush=True)
        typed = sys.stdin.readline().strip()
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= SERVICE_CODE_MOST:
            return int(typed)
        raise DiagError(
            "bad_code",
            f"检修码是 1 到 {SERVICE_CODE_MOST} 的数字",
            f"a service code is a number from 1 to {SERVICE_CODE_MOST}",
        )
    raise DiagError(
        "no_code",
        "要检修码：--code（在控制板的配置里，出厂 1234；0 = 只能用按键进）",
        "a service code is needed: --code (in the board's configuration, 1234 from the factory; 0 = by its "
        "keys only)",
    )
