"""`mahjong-table journal`: the ledger's tools. No row is ever written; the service may be running."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from controller.cli.errors import CliError
from controller.config import data_folder, journal_path, players_path

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Verify, replay or export the ledger; erase names and photos beside it.",
    pretty_exceptions_enable=False,
)

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Data folder. Default: $XDG_STATE_HOME/mahjong-table.", metavar="DIR"),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of text.")]

PROBLEMS = {
    "changed": "row {seq} was changed",
    "chain": "row {seq} does not follow from the one before",
    "gap": "a row is missing before number {seq}",
    "newer": "row {seq} was written by a newer version of mahjong-table: check it with that one",
    "head": "no row has the seal {head}: the chain was cut or rewritten",
}


def _path(data: Path | None) -> Path:
    if data is not None and data.is_file():
        raise CliError(f"--data {data}: must be a folder, {data} is a file")
    path = journal_path(data or data_folder())
    if not path.is_file():
        raise CliError(f"no ledger at {path}")
    return path


@app.command()
def verify(
    head: Annotated[
        str | None, typer.Option(help="A seal (账本印) that must be part of the chain.", metavar="HEX")
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Check every seal and the chain; with --head, that a seal once seen is still part of it."""
    from controller import journal
    from controller.errors import JournalError

    head = None if head is None else "".join(head.split())  # pages show it in two groups
    if head is not None and not _is_hex(head):
        raise typer.BadParameter("a seal has 8 to 64 hex digits", param_hint="--head")
    path = _path(data)
    try:
        verdict = journal.verify(path, head)
    except JournalError as error:
        raise CliError(str(error)) from error
    if as_json:
        _print(
            {
                "ok": verdict.ok,
                "rows": verdict.rows,
                "head": verdict.head,
                "problem": verdict.problem,
                "seq": verdict.seq,
            }
        )
    if not verdict.ok:
        text = PROBLEMS.get(verdict.problem or "", "the ledger is damaged at row {seq}")
        raise CliError(f"{path}: {text.format(seq=verdict.seq, head=head)}")
    if not as_json:
        print(f"{path}: {verdict.rows} rows, every seal right, 账本印 {verdict.head[:8]}")


def _is_hex(text: str) -> bool:
    return 8 <= len(text) <= 64 and all(digit in "0123456789abcdefABCDEF" for digit in text)


@app.command()
def replay(
    to: Annotated[
        int | None, typer.Option(help="Number of the last row to fold; default: all.", metavar="SEQ", min=1)
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Fold the ledger anew, row by row, and tell the table's state: phase, scores, last hand."""
    from controller.errors import JournalError
    from controller.journal_read import each_record, fold_records
    from controller.journal_rows import LAST

    path = _path(data)
    try:
        state = fold_records(each_record(path, 0, LAST if to is None else to), path)
    except JournalError as error:
        raise CliError(str(error)) from error
    if to is not None and state.seq < to:
        raise CliError(f"{path}: there is no row {to}, the last one is {state.seq}")
    unit = state.table.unit if state.table else 1
    scores = {place.seat.value: _points(place.score, unit) for place in state.seats}
    phase = f"{state.phase.value}{f' ({state.step})' if state.step else ''}"
    if as_json:
        _print(
            {
                "seq": state.seq,
                "head": state.head,
                "phase": state.phase.value,
                "step": state.step,
                "hand": state.hand,
                "dealer": state.dealer.value,
                "scores": scores,
            }
        )
        return
    print(f"{path}: {state.seq} rows, 账本印 {state.head[:8]}")
    print(f"hand {state.hand}, {phase}, dealer {state.dealer.value}")
    print(
        "scores " + "  ".join(f"{seat} {score:+}" if score else f"{seat} 0" for seat, score in scores.items())
    )


def _points(units: int, unit: int) -> int | float:
    return units // unit if units % unit == 0 else units / unit


@app.command()
def export(
    data: Data = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write; default: standard output.", metavar="FILE")
    ] = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="The score sheet as CSV, for a spreadsheet, instead of the rows.")
    ] = False,
    lang: Annotated[str, typer.Option(help="Language of the score sheet: zh or en.", metavar="LANG")] = "zh",
) -> None:
    """Write the ledger as JSON lines, one row a line with its hashes; or its score sheet as CSV."""
    from controller.errors import ControllerError

    if lang not in ("zh", "en"):
        raise typer.BadParameter("zh or en", param_hint="--lang")
    path = _path(data)
    try:
        if out is None:
            sys.stdout.reconfigure(newline="" if as_csv else "\n")  # type: ignore[union-attr]
            _write(path, sys.stdout, lang if as_csv else None)
            return
        # a spreadsheet knows UTF-8 by the mark at the start
        encoding, newline = ("utf-8-sig", "") if as_csv else ("utf-8", None)
        with out.open("w", encoding=encoding, newline=newline) as sink:
            count = _write(path, sink, lang if as_csv else None)
    except ControllerError as error:
        raise CliError(str(error)) from error
    except BrokenPipeError:
        raise  # `main` ends quietly, whatever command it was
    except OSError as error:
        raise CliError(f"{out}: {error.strerror}") from error
    print(f"{out}: {count} {'hands' if as_csv else 'rows'}")


def _write(path: Path, sink: TextIO, lang: str | None) -> int:
    """Write rows, or with a language the score sheet; returns how many rows or hands."""
    from controller import journal
    from controller.journal_read import each_record
    from controller.players import Players
    from controller.score_sheet import write_sheet

    if lang is None:
        return journal.export(path, sink)
    names: dict[str, str] = {}
    if (known := players_path(path.parent)).is_file():
        players = Players(known)
        names = players.names()
        players.close()
    return write_sheet(each_record(path), path, names, "zh" if lang == "zh" else "en", sink)


@app.command()
def forget(
    player: Annotated[
        str | None,
        typer.Option(help="Erase the name of this player id, as in the exported rows.", metavar="ID"),
    ] = None,
    photo: Annotated[
        str | None,
        typer.Option(help="Erase the photo with this SHA-256, as in the exported rows.", metavar="HEX"),
    ] = None,
    data: Data = None,
) -> None:
    """Erase a name or a photo; no row of the ledger changes, so every seal stays right.

    A running service shows the name until it starts again.
    """
    from controller.config import evidence_path
    from controller.errors import ControllerError
    from controller.evidence import EvidenceStore
    from controller.players import Players

    if player is None and photo is None:
        raise typer.BadParameter("--player or --photo says what to forget")
    folder = _path(data).parent
    try:
        if player is not None:
            players = Players(players_path(folder))
            known = player in players.names()
            players.erase(player)
            players.close()
            if not known:
                raise CliError(f"no player {player} has a name here")
            print(f"the name of {player} is erased")
        if photo is not None:
            store = EvidenceStore(evidence_path(folder))
            if store.get(photo) is None:
                raise CliError(f"there is no photo {photo}")
            store.erase(photo)
            print(f"photo {photo[:8]} is erased")
    except ControllerError as error:
        raise CliError(str(error)) from error


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False))
