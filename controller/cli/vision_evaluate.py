"""`mahjong-table vision evaluate`: how well the eyes read, as figures and a page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller.cli.errors import CliError

if TYPE_CHECKING:
    from vision.evaluate.run import Order

PARTS_TEXT = "crops, turned, nothing, rows, scenes, crop_sweep, row_sweep, time, twin"


def evaluate(
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Labelled photographs; default ../shared/data, if it is there."),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Models, or a folder with one folder a fold: each photo is judged by one that never saw its "
            "set. Default: the packaged models.",
        ),
    ] = None,
    peer: Annotated[
        bool,
        typer.Option(
            "--peer", help="Also run mahjong-detector 0.0.6, installed into .deps/peer when missing."
        ),
    ] = False,
    only: Annotated[
        str,
        typer.Option(
            metavar="PART,...",
            help=f"{PARTS_TEXT}; default: all.",
        ),
    ] = "",
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Only sets that the models judging them never saw.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few pictures a part, the same for a seed.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of felts, samples and twin frames.", min=0)] = 1,
    hands: Annotated[int, typer.Option(help="Hands on the twin's table.", min=1)] = 500,
    threads: Annotated[int, typer.Option(help="Of each net; `time` always takes two.", min=1)] = 2,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Gets figures.json and report.html; default .deps/evaluation."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 when a measured target is missed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as one JSON object.")] = False,
) -> None:
    """Judge the eyes on real photographs, on the twin and beside a peer; write figures.json and report.html.

    The page shows photographs: it stays out of git and public pages.
    """
    from vision import VisionError
    from vision.evaluate.bench import PartMissing
    from vision.evaluate.run import DEFAULT_DATA, DEFAULT_OUT, PEER_ENVIRONMENT, evaluate

    place = out or DEFAULT_OUT
    parts = tuple(part.strip() for part in only.split(",") if part.strip())
    found = data or (DEFAULT_DATA if DEFAULT_DATA.is_dir() else None)
    order = _order(
        found, models, PEER_ENVIRONMENT if peer else None, parts, place, quick, seed, hands, threads, unseen
    )
    try:
        figures = evaluate(order, lambda text: print(text, file=sys.stderr, flush=True))
        _write(figures, place, found)
    except PartMissing as error:
        raise typer.BadParameter(str(error), param_hint="--only") from error
    except VisionError as error:
        raise CliError(str(error)) from error
    except OSError as error:
        raise CliError(f"{error.filename or place}: {error.strerror}") from error
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        _tell(figures, place)
    if check and figures["missed"]:
        raise CliError("missed: " + "; ".join(figures["missed"]))


def _order(
    data: Path | None,
    models: Path | None,
    peer: Path | None,
    parts: tuple[str, ...],
    out: Path,
    quick: bool,
    seed: int,
    hands: int,
    threads: int,
    unseen: bool,
) -> Order:
    from vision.evaluate.run import Order

    return Order(data, models, peer, parts, out, quick, seed, hands, threads, unseen)


def _write(figures: dict[str, Any], place: Path, data: Path | None) -> None:
    from vision.evaluate.report import report

    (place / "figures.json").write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    (place / "report.html").write_text(report(figures, data), encoding="utf-8")


def _tell(figures: dict[str, Any], place: Path) -> None:
    """Print the targets, one a line, and who was judged."""
    from vision.evaluate.targets import TARGETS, lookup

    about = figures["about"]
    seen = [name for name in about["sets"] if name not in about["unseen"]]
    if seen:
        told = f"trained on these sets, or the model does not tell ({' '.join(seen)})"
        print(f"{told}: not a measure of unseen sets")
    for target in TARGETS:
        met = target.is_met(figures)
        if met is None:
            continue
        sign = ">=" if target.sense == "least" else "<="
        peer = lookup(figures, target.peer)
        beside = "" if peer is None else f"   peer {peer:.4f}"
        worst = lookup(figures, target.worst)
        worst_set = "" if worst is None else f"   worst set {worst:.4f}"
        print(
            f"{target.en:46} {target.figure(figures):9.4f} {sign} {target.bound:<7g} "
            f"{'met' if met else 'MISSED':7}{worst_set}{beside}"
        )
    print(f"{place / 'report.html'}  {place / 'figures.json'}")
