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
    from vision.evaluate.run import DEFAULT_DATA, DEFAULT_OUT, PARTS, PEER_ENVIRONMENT, evaluate

    place = out or DEFAULT_OUT
    parts = tuple(part.strip() for part in only.split(",") if part.strip())
    found = data or (DEFAULT_DATA if DEFAULT_DATA.is_dir() else None)
    order = _order(
        found, models, PEER_ENVIRONMENT if peer else None, parts, place, quick, seed, hands, threads, unseen
    )
    done: list[str] = []

    def keep(figures: dict[str, Any]) -> None:
        _write(figures, place, found)
        done[:] = [name for name in figures if name in PARTS]

    if found is None and not parts:
        _say(f"no photographs at {DEFAULT_DATA}: only the twin's table is judged; --data DIR names them")
    try:
        figures = evaluate(order, _say, keep)
    except PartMissing as error:
        raise typer.BadParameter(str(error), param_hint="--only") from error
    except VisionError as error:
        raise CliError(f"{error}{_so_far(done, place)}") from error
    except OSError as error:
        raise CliError(f"{error.filename or place}: {error.strerror}{_so_far(done, place)}") from error
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


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _so_far(done: list[str], place: Path) -> str:
    """Return where the figures of the parts before a failure are."""
    return f" (what was measured before is in {place}: {', '.join(done)})" if done else ""


def _write(figures: dict[str, Any], place: Path, data: Path | None) -> None:
    """Write figures and page, each in one step."""
    from vision.evaluate.report import report

    told = json.dumps(figures, ensure_ascii=False, indent=1)
    for name, text in (("figures.json", told), ("report.html", report(figures, data))):
        fresh = place / f"{name}.new"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(place / name)


def _tell(figures: dict[str, Any], place: Path) -> None:
    """Print the targets, one a line, and who was judged; what could not be measured has no line."""
    from vision.evaluate.targets import TARGETS, lookup

    about = figures["about"]
    if about["quick"]:
        print("a quick look at a few pictures a part: no measure of what the eyes reach")
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
