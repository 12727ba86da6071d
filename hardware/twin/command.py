"""`python -m hardware.twin`: the digital twin as a process, stepped by a client or in real time."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hardware.firmware.build import BuildError, build_firmware, build_harness
from hardware.twin.eeprom import NAME, prepare_eeprom
from hardware.twin.faults import UnknownFault, read_faults
from hardware.twin.harness_client import Harness, HarnessError
from hardware.twin.leave import Leave
from hardware.twin.plant.collision import Collision
from hardware.twin.plant.tiles import LostTile
from hardware.twin.realtime import serve_realtime
from hardware.twin.renderer import SABOTAGES
from hardware.twin.stepped import SteppedServer
from hardware.twin.twin import Setup, Twin
from rules.errors import RuleError
from rules.variants import PLAYED


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    line = argparse.ArgumentParser(prog="python -m hardware.twin", description=__doc__)
    clock = line.add_mutually_exclusive_group(required=True)
    clock.add_argument("--stepped", action="store_true", help="virtual time, driven over --socket")
    clock.add_argument("--realtime", action="store_true", help="wall clock, pseudo terminal, MJPEG, sockets")
    line.add_argument("--socket", type=Path, help="where a stepped client connects")
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--variant", default=PLAYED)
    line.add_argument("--options", type=_object, default={}, help="options of the variant as JSON")
    line.add_argument("--sets", type=int, choices=(1, 2), default=1, help="sets of tiles at the table")
    line.add_argument("--seating", action="store_true", help="the players throw for their seats")
    line.add_argument("--blind", action="store_true", help="no page anywhere: the players use keys alone")
    line.add_argument("--truth", type=Path, help="append what really happened to this file, as JSON lines")
    line.add_argument("--faults", type=Path, help="faults to strike, as JSON lines")
    line.add_argument(
        "--sabotage", help=f"renderer that lies: {', '.join(SABOTAGES)}; others change nothing here"
    )
    line.add_argument("--hands", type=_count, help="begin no hand after this one")
    line.add_argument("--speed", type=_speed, default=1.0, help="shortens the robots' pauses, nothing else")
    line.add_argument(
        "--guest",
        type=int,
        choices=range(1, 5),
        metavar="SIDE",
        help="a person at the page starts, lifts, and decides for this side; its robot only moves the tiles",
    )
    line.add_argument("--screen-url", help="where the service shows its state (real time)")
    line.add_argument(
        "--eeprom", type=Path, help="file of the board's EEPROM, kept between runs (default: in --folder)"
    )
    line.add_argument("--vcd", type=Path, help="every pin and byte of the board as a VCD, for GTKWave")
    line.add_argument("--trace", type=Path, help="what motors, sensors and tiles do, as JSON lines")
    line.add_argument(
        "--check",
        action=argparse.BooleanOptionalAction,
        help="look for every tile after everything that happens (default: with --stepped)",
    )
    line.add_argument("--folder", type=Path, help="folder of sockets and EEPROM (default: a temporary one)")
    return line


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("a JSON object like {} is wanted")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 up")
    return int(text)


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0.0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the twin; returns the exit status."""
    given = parser().parse_args(arguments)
    leave = Leave()
    leave.listen()
    try:
        _run(given, leave)
    except (
        BuildError, Collision, HarnessError, LostTile, RuleError, UnknownFault, OSError, ValueError
    ) as error:  # fmt: skip
        print(f"twin: {error}", file=sys.stderr)
        return 1
    return 0


def setup_of(given: argparse.Namespace) -> Setup:
    """Return what the twin is started with."""
    return Setup(
        given.seed,
        given.variant,
        given.options,
        given.truth,
        () if given.faults is None else read_faults(given.faults),
        given.sabotage if given.sabotage in SABOTAGES else None,
        given.hands,
        given.speed,
        given.guest,
        given.stepped if given.check is None else given.check,
        given.vcd,
        given.trace,
        given.sets,
        given.seating,
        given.blind,
    )


def _run(given: argparse.Namespace, leave: Leave) -> None:
    if given.stepped and given.socket is None:
        raise ValueError("--stepped needs --socket")
    setup = setup_of(given)
    eeprom, note = _eeprom(given)
    with contextlib.ExitStack() as stack:
        harness = stack.enter_context(Harness(build_harness(), build_firmware(), eeprom))
        twin = Twin(setup, harness)
        stack.callback(twin.close)
        if given.stepped:
            SteppedServer(twin, given.socket, leave).serve()
            return
        folder = given.folder or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="mahjong-twin-"))
        )
        serve_realtime(twin, folder, given.screen_url, note, leave)


def _eeprom(given: argparse.Namespace) -> tuple[Path | None, str]:
    """Return the file of the board's EEPROM, usable, and what to know of it (said on stderr too)."""
    path: Path | None = given.eeprom
    if path is None and given.folder is not None:
        path = given.folder / NAME
    note = None if path is None else prepare_eeprom(path)
    if note:
        print(f"twin: {note}", file=sys.stderr, flush=True)
    return path, note or ""
