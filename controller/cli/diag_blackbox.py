"""`mahjong-table diag blackbox`: what went over the wire in the minute before each fault."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.diag_desk import AsJson, Language, print_json, settings
from controller.cli.errors import CliError
from controller.cli.score_text import Lang


def blackbox(
    number: Annotated[
        int | None, typer.Argument(help="Ledger row of the fault, as the list tells it.", metavar="[ROW]")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Data folder of the service.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """The last minute of the wire before each of the newest faults; ROW prints it frame by frame."""
    from controller.blackbox import black_boxes, read_black_box
    from controller.config import blackbox_path
    from firmware_bridge.errors import BadRecording
    from firmware_bridge.record import explain

    folder = blackbox_path(data or settings(None, lang).data)
    paths = [path for path in black_boxes(folder) if number is None or path.name.startswith(f"{number:08}-")]
    if not paths:
        raise CliError(
            lang.say(
                f"{folder} 里没有黑匣子（--data 指明数据目录）",
                f"no black box in {folder} (name the data folder with --data)",
                " / ",
            )
        )
    try:
        boxes = [(path, read_black_box(path)) for path in paths]
    except BadRecording as error:
        raise CliError(lang.say(f"黑匣子读不了：{error}", str(error), " / ")) from error
    if number is not None:
        path, recording = boxes[0]
        lines = list(explain(recording))
        if as_json:
            print_json({"file": str(path), **recording.about, "lines": lines})
        else:
            print("\n".join(lines))
        return
    if as_json:
        print_json({"boxes": [{"file": str(path), **recording.about} for path, recording in boxes]})
        return
    for _, recording in boxes:
        about = recording.about
        size = sum(len(chunk.data) for chunk in recording.chunks)
        span_s = (recording.chunks[-1].at_ms - recording.chunks[0].at_ms) / 1000 if recording.chunks else 0
        print(
            f"{about.get('seq', '-'):>8}  {about.get('at', ''):24}  {about.get('key', ''):24} "
            f"{about.get('phase', ''):10} {span_s:5.1f} s  {size} B"
        )
