"""`make campaign-api`: schemathesis at length over the real service, in phases of a hand, for each caller."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.campaigns.figures import print_figures
from tests.controller.api_table import CALLERS, ApiTable, headers_of, look, rows_at

WAYS = (None, "to_dice", "to_playing", "to_claim", "to_confirm", "to_review", "to_settled")


def main(words: Sequence[str]) -> int:
    """Try everything and print the figures; exit 1 where an answer is a failure or not described."""
    parser = argparse.ArgumentParser(prog="campaign-api", description=__doc__)
    parser.add_argument("--n", type=int, default=100, help="examples of each route, table and caller")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    asked = parser.parse_args(words)
    started, cases, failed = time.monotonic(), 0, 0
    for way in WAYS:
        for who in CALLERS:
            with (
                tempfile.TemporaryDirectory(prefix="api-") as place,
                ApiTable(Path(place), rows_at(way)) as table,
            ):
                report = look(table, examples=asked.n, seed=asked.seed, headers=headers_of(table, who))
            cases += report.cases
            if not report.ok:
                failed += 1
                print(f"{way or 'idle'}, {who}:\n{report.text}", file=sys.stderr)
    told = {"seed": asked.seed, "tables": len(WAYS) * len(CALLERS), "cases": cases, "failed": failed}
    print_figures({**told, "seconds": round(time.monotonic() - started, 1)}, as_json=asked.json)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
