"""Holds the journal of a play against the twin's own record, hand by hand, and counts.

The twin knows what lies where; the journal knows what was read, accepted and paid. Nothing else is compared.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.facts import Record
from rules.notation import NotationError, format_hand, parse_hand
from rules.scoring import amount_to_number

SEATS = "ESWN"
Points = int | float
Truth = Mapping[str, Any]


@dataclass(slots=True)
class HandRow:
    """One hand: what was true, what was read, and how the two compare."""

    hand: int
    kind: str = "open"
    true_hand: str | None = None
    read_hand: str | None = None
    read_sure: bool = False
    corrected: bool = False
    settled_hand: str | None = None
    true_flowers: list[str] | None = None
    read_flowers: list[str] = field(default_factory=list)
    true_dice: list[list[int]] = field(default_factory=list)
    read_dice: list[list[int]] = field(default_factory=list)
    true_lamp: int | None = None
    read_lamp: int | None = None
    claim: dict[str, Any] | None = None
    true_deltas: dict[str, Points] = field(default_factory=dict)
    deltas: dict[str, Points] = field(default_factory=dict)
    hand_exact: bool = False
    dice_exact: bool = False
    lamp_exact: bool = False
    ledger_matches: bool = False
    wrong_and_confident: int = 0
    differences: list[str] = field(default_factory=list)
    head: str = ""

    def trace(self) -> dict[str, Any]:
        """Return the row for `--trace`."""
        names = (name for name in self.__slots__ if name != "differences" or self.differences)
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a play (DESIGN section 5).

    `ledger_sum` adds up how far each hand is from summing to zero, so that two wrong hands cannot hide each
    other.
    """

    hands: int
    wins: int
    washouts: int
    void: int
    wins_read_exact: int
    dice_read_exact: int
    lamp_read_exact: int
    wrong_and_confident: int
    ledger_matches_truth: bool
    ledger_sum: Points
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the summary as plain JSON, in the order of the contract."""
        return {name: getattr(self, name) for name in self.__slots__}

    def missed(self, wanted: int) -> list[str]:
        """Return the lines that are missed, in words; none is a pass."""
        lines = (
            (self.hands == wanted, f"{self.hands} of {wanted} hands were played"),
            (self.wins * 2 >= self.hands, f"only {self.wins} of {self.hands} hands were won"),
            (
                self.wins_read_exact >= 0.95 * self.wins,
                f"only {self.wins_read_exact} of {self.wins} winning hands were read exactly",
            ),
            (
                self.dice_read_exact == self.hands,
                f"dice were read exactly in {self.dice_read_exact} of {self.hands} hands",
            ),
            (
                self.lamp_read_exact == self.hands,
                f"the dealer lamp was read exactly in {self.lamp_read_exact} of {self.hands} hands",
            ),
            (
                self.wrong_and_confident == 0,
                f"{self.wrong_and_confident} answers were wrong and sure of themselves",
            ),
            (self.ledger_matches_truth, "the ledger differs from the truth"),
            (self.ledger_sum == 0, f"hands do not sum to zero: {self.ledger_sum} points are off"),
        )
        return [text for is_met, text in lines if not is_met]


def read_truth(path: Path) -> list[Truth]:
    """Return the twin's record."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def canonical(text: str | None) -> str | None:
    """Return tile text in which two equal hands are equal: melds in order of their text.

    >>> canonical("[555p,2][123m,1] 55s 678m 23m + 4m") == canonical("[123m,1][555p,2] 678m 32m 55s + 4m")
    True
    """
    if text is None:
        return None
    try:
        hand = parse_hand(text)
        melds = sorted(format_hand(type(hand)((meld,), (), None)) for meld in hand.melds)
        return " ".join([*melds, format_hand(type(hand)((), hand.concealed, hand.win_tile))])
    except NotationError:
        return text


def compare(records: Iterable[Record], truth: Sequence[Truth], unit: int, hands: int) -> list[HandRow]:
    """Return one row for each hand settled in the journal, at most `hands`."""
    true_by_hand: dict[int, list[Truth]] = defaultdict(list)
    for row in truth:
        true_by_hand[int(row["hand"])].append(row)
    rows, lamp = [], None
    for number, facts in _by_hand(records).items():
        lamps = _true(true_by_hand[number], "lamp")
        if lamps:
            lamp = lamps[-1]
        elif lamp is not None:  # a lamp that stays lit is told once
            true_by_hand[number].append({**lamp, "hand": number})
        if any(fact.kind == "settled" for fact in facts) and number <= hands:
            rows.append(_compare_hand(number, facts, true_by_hand[number], unit))
    return rows


def _by_hand(records: Iterable[Record]) -> dict[int, list[Record]]:
    """Return the facts of each hand, from its start to its settlement, counted over all games."""
    found: dict[int, list[Record]] = {}
    current: list[Record] | None = None
    before = 0
    for record in records:
        if record.kind == "game_started":
            before = max(found, default=0)
        if record.kind == "hand_started":
            current = found.setdefault(before + int(record.body["hand"]), [])
        if current is not None:
            current.append(record)
        if record.kind == "settled":
            current = None
    return found


def _compare_hand(number: int, facts: Sequence[Record], truth: Sequence[Truth], unit: int) -> HandRow:
    row = HandRow(number)
    _compare_lamp(row, facts, truth)
    _compare_dice(row, facts, truth)
    _compare_reveal(row, facts, truth)
    _compare_ledger(row, facts, truth, unit)
    return row


def _of(facts: Iterable[Record], *kinds: str) -> list[Record]:
    return [fact for fact in facts if fact.kind in kinds]


def _true(truth: Iterable[Truth], kind: str) -> list[Truth]:
    return [row for row in truth if row["kind"] == kind]


def _compare_lamp(row: HandRow, facts: Sequence[Record], truth: Sequence[Truth]) -> None:
    lamps = _true(truth, "lamp")
    row.true_lamp = int(lamps[-1]["side"]) if lamps else None
    for fact in _of(facts, "lamp_read"):
        side = fact.body["side"] if fact.body["sure"] else None
        row.read_lamp = side
        row.lamp_exact = side is not None and side == row.true_lamp
        if side is not None and not row.lamp_exact:
            row.wrong_and_confident += 1
            row.differences.append(f"lamp {side} for {row.true_lamp}")


def _compare_dice(row: HandRow, facts: Sequence[Record], truth: Sequence[Truth]) -> None:
    """The k-th throw belongs to the k-th fact; one that was asked for has people's answer right after it."""
    throws = _true(truth, "throw")
    row.true_dice = [[int(pip) for pip in throw["pips"]] for throw in throws]
    row.dice_exact = bool(_of(facts, "wall_opened"))
    index, is_asked = -1, False
    for fact in _of(facts, "dice_read"):
        by_people = fact.body["source"] == "page"
        index += 0 if by_people and is_asked else 1
        pips = fact.body["pips"]
        is_asked = pips is None
        if pips is None:
            continue
        row.read_dice.append([int(pip) for pip in pips])
        true = row.true_dice[index] if index < len(throws) else None
        if true is None or sorted(true) != sorted(row.read_dice[-1]):
            row.dice_exact = False
            row.differences.append(f"dice {pips} for {true}")
            row.wrong_and_confident += int(not by_people)


def _compare_reveal(row: HandRow, facts: Sequence[Record], truth: Sequence[Truth]) -> None:
    wins = _true(truth, "win")
    row.true_hand = wins[-1]["hand_text"] if wins else None
    settled = _of(facts, "settled")[-1]
    for fact in _of(facts, "hand_read"):
        win = next((win for win in reversed(wins) if win["seat"] == fact.body["seat"]), None)
        true = None if win is None else win["hand_text"]
        row.read_hand, row.read_sure = fact.body["hand"], bool(fact.body["sure"])
        row.hand_exact = row.read_sure and canonical(row.read_hand) == canonical(true)
        if row.read_sure and not row.hand_exact:
            row.wrong_and_confident += 1
            row.differences.append(f"hand {row.read_hand} for {true}")
        _compare_flowers(row, fact, win)
    row.corrected = bool(_of(facts, "corrected"))
    row.settled_hand, row.kind, row.head = settled.body["hand_text"], settled.body["kind"], settled.hash[:8]
    claims = _of(facts, "claim")
    row.claim = {key: claims[-1].body[key] for key in ("seat", "by", "from")} if claims else None
    row.hand_exact = row.hand_exact and row.kind == "win"


def _compare_flowers(row: HandRow, fact: Record, win: Truth | None) -> None:
    """Flowers belong to the hand: it is read exactly when they are; a doubtful one ("?") was not accepted."""
    row.true_flowers = None if win is None else win.get("flowers")
    seen = fact.body.get("flowers") or []
    row.read_flowers = sorted(str(tile) for tile, _ in seen)
    if row.read_flowers == (row.true_flowers or []):
        return
    row.hand_exact = False
    row.differences.append(f"flowers {row.read_flowers} for {row.true_flowers}")
    if "?" not in row.read_flowers and fact.body.get("flowers") is not None:
        row.wrong_and_confident += 1


def _compare_ledger(row: HandRow, facts: Sequence[Record], truth: Sequence[Truth], unit: int) -> None:
    """Payments of the hand, seat by seat: kongs, robbed kongs and the settlement, each side added up."""
    kongs = _points(_of(facts, "kong", "kong_robbed", "kong_withdrawn", "false_win"), unit)
    result = _points(_of(facts, "settled"), unit)
    true_kongs = _true_points(_true(truth, "kong") + _true(truth, "kong_robbed"))
    true_result = _true_points(_true(truth, "win") + _true(truth, "washout"))
    row.deltas = {seat: kongs[seat] + result[seat] for seat in SEATS}
    row.true_deltas = {seat: true_kongs[seat] + true_result[seat] for seat in SEATS}
    true_kind = "win" if _true(truth, "win") else "drawn" if _true(truth, "washout") else "open"
    is_void = row.kind == "void" and not any(result.values())
    row.ledger_matches = kongs == true_kongs and (
        is_void or (row.kind == true_kind and result == true_result)
    )
    if not row.ledger_matches:
        row.differences.append(f"ledger {row.kind} {row.deltas} for {true_kind} {row.true_deltas}")


def _points(facts: Iterable[Record], unit: int) -> dict[str, Points]:
    units = dict.fromkeys(SEATS, 0)
    for fact in facts:
        for seat, amount in fact.body["deltas"].items():
            units[seat] += int(amount)
    return {seat: amount_to_number(amount, unit) for seat, amount in units.items()}


def _true_points(rows: Iterable[Truth]) -> dict[str, Points]:
    total: dict[str, Points] = dict.fromkeys(SEATS, 0)
    for row in rows:
        for seat, amount in (row.get("deltas") or {}).items():
            total[seat] += amount
    return total


def wrong_draws(records: Iterable[Record], truth: Sequence[Truth]) -> list[str]:
    """Return which throws before hands (for seats, for a dealer) were taken for others than they were."""
    thrown = [sorted(row["pips"]) for row in _true(truth, "draw")]
    wrong = []
    for index, fact in enumerate(_of(records, "draw_throw")):
        pips, true = fact.body["pips"], thrown[index] if index < len(thrown) else None
        if pips is not None and sorted(pips) != true:
            wrong.append(f"draw {pips} for {true}")
    return wrong


def summarise(rows: Sequence[HandRow], seconds: float, *, wrong_draws: int = 0) -> Summary:
    """Return the figures of all hands; a throw before a hand that was taken wrongly counts as such."""
    return Summary(
        hands=len(rows),
        wins=sum(row.kind == "win" for row in rows),
        washouts=sum(row.kind == "drawn" for row in rows),
        void=sum(row.kind == "void" for row in rows),
        wins_read_exact=sum(row.hand_exact for row in rows),
        dice_read_exact=sum(row.dice_exact for row in rows),
        lamp_read_exact=sum(row.lamp_exact for row in rows),
        wrong_and_confident=wrong_draws + sum(row.wrong_and_confident for row in rows),
        ledger_matches_truth=all(row.ledger_matches for row in rows),
        ledger_sum=sum(abs(sum(row.deltas.values())) for row in rows),
        seconds=round(seconds, 1),
    )
