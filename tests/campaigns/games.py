"""Whole games on the twin from seating to report, against the match of the rules: `make campaign-games`.

The twin's own record says what was thrown, who won from whom and what it was worth; `rules.match` says from
that who sits where, who deals which hand of which circle, when the game is over and what everybody has.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.fold import fold
from controller.play import PlayOrder, PlayResult, play
from controller.sheet_views import report_view
from controller.state import SEATS, TableState
from controller.verdict import Truth, read_truth
from rules import rotation, seating
from rules.match import (
    HandResult,
    Match,
    after_hand,
    begin,
    change_seats,
    with_dealer_throw,
    with_first_dealer,
)
from rules.match_refusals import Due
from rules.seats import Seat
from rules.settings import settle_settings

LONGEST = 200
"""Hands after which a game without end is given up."""


@dataclass(frozen=True)
class Game:
    """One kind of game: what was agreed, and what ends it."""

    variant: str
    procedure: Mapping[str, Any] = field(default_factory=dict)
    ends: str = "four_circles"
    hands: int | None = None
    """How many it has, where that is known."""


GAMES: Mapping[str, Game] = {
    "mcr": Game("mcr", hands=16),
    "circles": Game("simplest", {"max_hands": 3, "first_dealer": "dice_first_5_9"}),
    "winner": Game("simplest", {"mode": "winner_deals", "loss_limit": 20}, "loss_limit"),
    "dice": Game(
        "simplest", {"mode": "dice_each_hand", "first_dealer": "dice_high", "hands": 16}, "agreed_hands", 16
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What came of a game: `differences` says where table, twin and rules are not of one mind."""

    played: PlayResult
    state: TableState
    match: Match
    differences: list[str]


def play_game(game: Game, seed: int, folder: Path) -> Outcome:
    """Play one game to its end and hold it against the rules."""
    order = PlayOrder(
        LONGEST, seed, game.variant, seating=True, procedure=game.procedure, ends_with_game=True
    )
    played = play(order, folder, progress=lambda text: print(text, file=sys.stderr, flush=True))
    return hold(game, played, read_truth(folder / "truth.jsonl"))


def hold(game: Game, played: PlayResult, truth: Sequence[Truth]) -> Outcome:
    """Hold a game that was played against the rules that it should have been played by."""
    state = fold(played.records)
    differences = [f"hand {row.hand}: {', '.join(row.differences)}" for row in played.rows if row.differences]
    match = _follow(game, state, played, truth, differences)
    _compare_end(game, state, match, differences)
    return Outcome(played, state, match, differences)


def _follow(
    game: Game, state: TableState, played: PlayResult, truth: Sequence[Truth], differences: list[str]
) -> Match:
    """Return the match that the twin's record makes; every hand is compared on the way."""
    settings = settle_settings({"variant": game.variant, "procedure": dict(game.procedure)})
    draws = iter([(Seat(row["seat"]), sum(row["pips"])) for row in truth if row["kind"] == "draw"])
    thrown = [next(draws) for _ in SEATS]
    took = seating.seat_by_dice([(f"p{seat.index + 1}", total) for seat, total in thrown])
    assert not isinstance(took, seating.Tied)
    match = begin(settings, [took[seat] for seat in SEATS])
    if match.due is Due.FIRST_DEALER:
        match = with_first_dealer(match, _first_dealer(str(settings["first_dealer"]), draws))
    started = {record.body["hand"]: record.body for record in played.records if record.kind == "hand_started"}
    for number, row in enumerate(state.sheet, 1):
        told = [one for one in truth if int(one["hand"]) == number]
        _compare_hand(number, match, started[number], told, differences)
        if row.outcome.kind == "void":
            continue  # dealt again by the same dealer
        match = after_hand(match, _result(told, settings.unit))
        if match.due is Due.DEALER_THROW:
            match = with_dealer_throw(match, next(draws)[1])
        if match.due is Due.SEAT_CHANGE:
            match = change_seats(match)
    if next(draws, None) is not None:
        differences.append("somebody threw for nothing")
    return match


def _first_dealer(how: str, draws: Iterator[tuple[Seat, int]]) -> Seat:
    if how == "dice_high":
        return rotation.dealer_by_highest([next(draws) for _ in SEATS])
    sums: list[int] = []
    while (dealer := rotation.dealer_by_sums(sums).dealer) is None:
        sums.append(next(draws)[1])
    return dealer


def _result(told: Sequence[Truth], unit: int) -> HandResult:
    """Return the hand as the twin's record has it, with its kongs."""
    units = dict.fromkeys(SEATS, 0)
    for row in told:
        if row["kind"] in ("win", "washout", "kong", "kong_robbed"):
            for seat, points in (row.get("deltas") or {}).items():
                units[Seat(seat)] += round(points * unit)
    win = next((row for row in told if row["kind"] == "win"), None)
    if win is None:
        return HandResult(deltas=units)
    payer = None if win["from"] is None else Seat(win["from"])
    return HandResult((Seat(win["seat"]),), payer, units)


def _compare_hand(
    number: int, match: Match, started: Mapping[str, Any], told: Sequence[Truth], differences: list[str]
) -> None:
    """Note where the hand that the table began is not the one that the rules have next."""
    deal = (match.deal.dealer.value, match.deal.circle, match.deal.run)
    table = (started["dealer"], started["circle"], started["run"])
    if deal != table:
        differences.append(f"hand {number}: the table deals {table}, the rules {deal}")
    sat = next((row["places"] for row in reversed(told) if row["kind"] == "seated"), None)
    seats = {seat.value: player for seat, player in match.seating.items()}
    if sat is not None and sat != seats:
        differences.append(f"hand {number}: people sit {sat}, the rules seat {seats}")
    winds = {row["round_wind"] for row in told if row["kind"] == "win"}
    if winds - {match.round_wind.value}:
        differences.append(f"hand {number}: people play the wind {winds}, the rules {match.round_wind}")


def _compare_end(game: Game, state: TableState, match: Match, differences: list[str]) -> None:
    """Note where end, seats, ranking or report are not those of the rules."""
    why = None if state.over is None else state.over.reason
    if why != game.ends or not match.is_game_over:
        differences.append(f"the game ended by {why}, by the rules: {match.is_game_over}")
    counted = sum(row.outcome.kind != "void" for row in state.sheet)
    if counted != match.hand or game.hands not in (None, counted):
        differences.append(f"{counted} hands count at the table, {match.hand} by the rules")
    scores = {place.player: place.score for place in state.seats}
    if scores != dict(match.totals):
        differences.append(f"the table has {scores}, the rules {dict(match.totals)}")
    report = report_view(state, {})
    unit = 1 if state.table is None else state.table.unit
    ranking = [(line["entry"], round(line["points"] * unit)) for line in report["ranking"]]
    expected = sorted(match.totals.items(), key=lambda row: -row[1])
    if [amount for _, amount in ranking] != [amount for _, amount in expected] or dict(ranking) != scores:
        differences.append(f"the report ranks {ranking}, the rules {expected}")
    if report["hands"] != counted:
        differences.append(f"the report counts {report['hands']} hands, the sheet {counted}")


def figures(kind: str, made: Outcome) -> dict[str, Any]:
    """Return what came of a game: hands, the table against the twin's own record, sums, and differences.

    `ledger_sum` adds up how far hands are from zero, `score_sum` is what all four have in the end, in units.
    """
    summary, scores = made.played.summary, [place.score for place in made.state.seats]
    kept = ("hands", "wins", "washouts", "void", "wins_read_exact", "dice_read_exact", "lamp_read_exact")
    kept = (*kept, "wrong_and_confident", "ledger_matches_truth", "ledger_sum")
    right = summary.ledger_matches_truth and not (
        summary.wrong_and_confident or summary.ledger_sum or sum(scores)
    )
    return {
        "kind": kind,
        "right": right and not made.differences,
        **{name: getattr(summary, name) for name in kept},
        "score_sum": sum(scores),
        "ranking": sorted(made.match.totals.items(), key=lambda row: -row[1]),
        "differences": made.differences,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games; one JSON line each, exit 1 when one of them is not as the rules have it."""
    line = argparse.ArgumentParser(prog="python -m tests.campaigns.games", description=__doc__)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--kind", choices=sorted(GAMES), help="only this one")
    given = line.parse_args(arguments)
    wrong = False
    for kind, game in GAMES.items():
        if given.kind not in (None, kind):
            continue
        with tempfile.TemporaryDirectory(prefix="mahjong-games-") as folder:
            made = play_game(game, given.seed, Path(folder))
        told = figures(kind, made)
        wrong = wrong or not told["right"]
        print(json.dumps(told), flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
