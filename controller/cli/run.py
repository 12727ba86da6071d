"""`mahjong-table run`: the service of one table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.errors import CliError

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def run(
    twin: Annotated[bool | None, typer.Option("--twin", help="Bring a simulated table along.")] = None,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).", metavar="FILE")] = None,
    serial: Annotated[str | None, typer.Option(help="Serial port of the board.", metavar="DEV")] = None,
    camera: Annotated[
        str | None,
        typer.Option(help="Camera: http or rtsp address, number, picamera2, or folder.", metavar="URL|N|DIR"),
    ] = None,
    variant: Annotated[str | None, typer.Option(help="Rule set.", metavar="SLUG")] = None,
    sets: Annotated[
        int | None,
        typer.Option(
            help="Sets of tiles with different backs [1]; of 2 one is played while the other is built.",
            metavar="N",
            min=1,
            max=2,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the simulated table.", metavar="N", min=0, max=2**63 - 1)
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(
            help="How fast robots play; the machine keeps its time.", metavar="X", min=0.01, max=1000
        ),
    ] = None,
    guest: Annotated[
        int | None,
        typer.Option(
            help="With --twin: what the table asks of this side you do on the page; its robot only moves"
            " the tiles.",
            metavar="SIDE",
            min=1,
            max=4,
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            help="With --twin: pins and bytes as DIR/board.vcd (GTKWave), the machine as DIR/plant.jsonl.",
            metavar="DIR",
        ),
    ] = None,
    faults: Annotated[
        Path | None,
        typer.Option(help="With --twin: faults to arm, one JSON object a line.", metavar="FILE", exists=True),
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on [127.0.0.1].", metavar="HOST")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on [8080]; 0 = a free one.", metavar="N", min=0, max=65535),
    ] = None,
    eyes_threads: Annotated[
        int | None,
        typer.Option(help="Processor cores for one look at a photo [2].", metavar="N", min=1, max=8),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Data folder [$XDG_STATE_HOME/mahjong-table].", metavar="DIR")
    ] = None,
) -> None:
    """Run the table service; prints its address; ends with ^C or SIGTERM."""
    from controller.config import load_config
    from controller.errors import ControllerError
    from rules.errors import RuleError

    try:
        settings = load_config(
            config,
            twin=twin,
            serial=serial,
            camera=camera,
            variant=variant,
            sets=sets,
            seed=seed,
            speed=speed,
            host=host,
            port=port,
            eyes_threads=eyes_threads,
            data=data,
        )
        if guest is not None and not settings.twin:
            raise typer.BadParameter("a guest needs --twin", param_hint="--guest")
        for given, option in ((trace, "--trace"), (faults, "--faults")):
            if given is not None and not settings.twin:
                raise typer.BadParameter("needs --twin", param_hint=option)
        from controller.serve import check_settings, run_table
        from controller.web import bind

        check_settings(settings)
        sock = bind(settings.host, settings.port)
        run_table(settings, sock, lambda text: print(text, flush=True), _twin_words(guest, trace, faults))
    except (ControllerError, RuleError) as error:
        raise CliError(str(error)) from error
    except OSError as error:
        raise CliError(f"{error.filename or settings.host}: {error.strerror or error}") from error
    except KeyboardInterrupt:
        sys.exit(130)


def _twin_words(guest: int | None, trace: Path | None, faults: Path | None) -> tuple[str, ...]:
    words: list[str] = [] if guest is None else ["--guest", str(guest)]
    if faults is not None:
        words += ["--faults", str(faults)]
    if trace is not None:
        trace.mkdir(parents=True, exist_ok=True)
        words += ["--vcd", str(trace / "board.vcd"), "--trace", str(trace / "plant.jsonl")]
    return tuple(words)
