"""The command line `mahjong-table`: one module a command, imported only when that command is used.

`score`, `case` and `waits` are called thousands of times by scripts; they must not pay for OpenCV or the web.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

import typer
from typer.core import TyperGroup

BROKEN_PIPE = 128 + signal.SIGPIPE

# command -> (module with an `app: typer.Typer` or a `command` function, one help line)
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("controller.cli.run", "Run the table service (with --twin: with its own simulated table)."),
    "score": ("controller.cli.score", "Score hands given as tile text."),
    "waits": (
        "controller.cli.waits",
        "What hands wait for and what it is worth, or how far they are from it.",
    ),
    "case": ("controller.cli.case", "Answer rule cases, one JSON object a line."),
    "wall": ("controller.cli.wall", "Dice to seat, wall break, deal and tail, one JSON object a line."),
    "odds": ("controller.cli.odds", "What a discard returns and what a hand waits for, for training."),
    "see": ("controller.cli.see", "Read tiles, dice or the dealer lamp from pictures."),
    "vision": ("controller.cli.vision", "Set up and judge the eyes: marks, enrolment, evaluation."),
    "twin": ("controller.cli.twin", "Play hands on the simulated table without a screen."),
    "diag": ("controller.cli.diag", "Ask the machine, or move it in service mode."),
    "journal": ("controller.cli.journal", "Verify, replay or export the ledger."),
    "backup": ("controller.cli.backup", "Copy the ledger into one file; the service may be running."),
    "restore": ("controller.cli.restore", "Put a backup of the ledger back; the service must be stopped."),
    "firmware": ("controller.cli.firmware", "Build the board's firmware, tell what an image is, flash it."),
    "rules": ("controller.cli.rules", "List the rule variants and show their options."),
}


class LazyGroup(TyperGroup):
    """A command group that imports a command's module when the command is asked for.

    typer carries a private copy of click, hence no click types in the signatures.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the command names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command, importing its module; None if there is no such command."""
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        module = importlib.import_module(row[0])
        sub: typer.Typer = module.app
        command = typer.main.get_command(sub)
        command.name = cmd_name
        command.help = command.help or row[1]
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the command list from the table, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row[1]) for name, row in COMMANDS.items()])


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    """Brain of an automatic mahjong table."""


def _use_utf8() -> None:
    """Make the three standard streams UTF-8 whatever the locale says.

    Bytes that are no UTF-8 reach the reader as lone surrogates, which `jsonl` refuses line by line; a lone
    surrogate is written as its escape, which is JSON too.
    """
    errors = ("surrogateescape", "backslashreplace", "backslashreplace")
    for stream, handling in zip((sys.stdin, sys.stdout, sys.stderr), errors, strict=True):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=handling)


def main() -> None:
    """Run the command line; a refusal is one line on stderr and exit code 1."""
    from controller.cli.errors import CliError

    _use_utf8()
    try:
        try:
            app(prog_name="mahjong-table")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except CliError as error:
        print(f"mahjong-table: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        _leave_quietly()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer took it for exit status 1
            _leave_quietly()
        raise


def _leave_quietly() -> None:
    """End as a program does whose reader has seen enough, without a word about what is still unwritten."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.exit(BROKEN_PIPE)
