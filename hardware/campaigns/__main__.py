"""`python -m hardware.campaigns NAME`: run a campaign, print its figures, exit 1 when a bound is missed."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from hardware.campaigns import CAMPAIGNS
from hardware.firmware.build import BuildError

WRONG_USE = 2
INTERRUPTED = 130


class _Line(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        _say(message)
        raise SystemExit(WRONG_USE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one campaign; returns the exit status."""
    line = _Line(prog="python -m hardware.campaigns", description=__doc__)
    line.add_argument("name", choices=CAMPAIGNS, metavar="NAME", help=", ".join(CAMPAIGNS))
    line.add_argument("--n", type=_whole(1), help="how many (full size unless given)")
    line.add_argument("--seed", type=_whole(0), default=1)
    line.add_argument("--sabotage", metavar="NAME|list", help="prove that the figures can fail")
    line.add_argument("--json", action="store_true", help="the figures as one JSON object")
    given = line.parse_args(arguments)
    module = importlib.import_module(f"hardware.campaigns.{given.name}")
    sabotages: Mapping[str, str] = module.SABOTAGES
    if given.sabotage == "list":
        print("\n".join(f"{name:18} {text}" for name, text in sabotages.items()))
        return 0
    if given.sabotage is not None and given.sabotage not in sabotages:
        line.error(f"campaign {given.name} has no sabotage {given.sabotage!r}; it has {', '.join(sabotages)}")
    try:
        figures: dict[str, Any] = module.run(
            CAMPAIGNS[given.name].n if given.n is None else given.n, given.seed, given.sabotage
        )
    except BuildError as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt:
        _say(f"campaign {given.name} was interrupted, it has no figures")
        return INTERRUPTED
    if given.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        _tell(figures)
    if figures["missed"]:
        _say("; ".join(figures["missed"]))
        return 1
    return 0


def _say(text: str) -> None:
    print(f"mahjong-table: {text}", file=sys.stderr)


def _whole(least: int) -> Any:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and int(text) >= least):
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} up")
        return int(text)

    return number


def _tell(figures: Mapping[str, Any], before: str = "") -> None:
    for key, value in figures.items():
        if isinstance(value, Mapping):
            _tell(value, f"{before}{key}.")
        elif isinstance(value, list | tuple):
            for each in value if key != "missed" else ():
                print(f"{before + key:34} {each}")
        else:
            print(f"{before + key:34} {value}")


if __name__ == "__main__":
    raise SystemExit(main())
