"""`python -m tests.campaigns.mcr_robots --hands 200`: how many hands of Chinese Official the four robots win.

Half of the hands are played by four robots that steer to eight points, half with two of them beside two that
go the nearest way to any complete hand. Exit 1 if fewer than two hands in five are won, or if those who steer
do not win more than the others.
"""

from __future__ import annotations

import argparse
import sys

from rules.seats import Seat
from tests.campaigns.figures import print_figures
from tests.hardware.mcr_table import play

STEERING = frozenset({Seat.E, Seat.W})
LEAST_WON = 0.4


def main(arguments: list[str] | None = None) -> int:
    """Play, print the figures, return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    alike = play(given.seed, max(1, given.hands // 2))
    mixed = play(given.seed + 1, max(1, given.hands - given.hands // 2), STEERING)
    steering = sum(mixed.wins[seat] for seat in STEERING)
    others = mixed.wins.total() - steering
    figures = {
        "hands": alike.hands,
        "won": alike.wins.total(),
        "washouts": alike.ends["washout"],
        "mixed_hands": mixed.hands,
        "mixed_won_by_two_steering": steering,
        "mixed_won_by_two_others": others,
        "mixed_points_of_two_steering": sum(mixed.points[seat] for seat in STEERING),
        "decision_ms_median": round(alike.decision_ms(0.5), 1),
        "decision_ms_p99": round(alike.decision_ms(0.99), 1),
        "decision_ms_max": round(alike.decision_ms(1.0), 1),
    }
    print_figures(figures, as_json=given.json)
    return int(alike.wins.total() < LEAST_WON * alike.hands or steering <= others)


if __name__ == "__main__":
    sys.exit(main())
