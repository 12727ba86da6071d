"""The journal's vocabulary: a fact is a kind and a JSON body; bodies hold ids and hashes, never names.

Amounts in bodies are integers in the variant's unit; `controller.projections` turns them into points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# kind -> what the body holds; "who and why" of a correction is: asked_by, reason, role seats|referee, seats
# (who agreed), referee (an id or null), source; `of` is the row that it corrects
KINDS: dict[str, str] = {
    "game_started": "table, variant, options, procedure {option: value}, unit, tiles, dealer, "
    "seats {E: {side, player}}, reseat_by: who throws for new seats after another game",
    "hand_started": "hand, dealer, circle, run",
    "seats_changed": "moves {seat: seat}, circle (whose seats these are), hand (the first played with them), "
    "why seats|new_seats where they were thrown for",
    "draw_begun": "what seats|new_seats|first_dealer|dealer, thrower: dice before a hand",
    "draw_throw": "seat, pips [a, b] or null, source, sure, score, next_thrower or null = it is decided",
    "draw_dropped": "(nothing): what was thrown for is not needed any more",
    "dealer_found": "dealer, how, first (of the game, or of the next hand), circle, run",
    "phase": "phase, step",
    "by_hand": "source: people built the walls of this hand, the machine was out of action",
    "build_done": "counts [4], tiles, behind (true: the other set, beside a hand)",
    "lamp_read": "side, asked, sure, score, sense",
    "dice_read": "seat, pips [a, b] or null, source, sure, score, next_thrower",
    "wall_opened": "count_seat, count, seat, stack, source page where people said so (none: by the dice)",
    "kong_called": "seat, source: by three taps of the seat key; not paid until the kong itself is known",
    "kong": "seat, kind, tile, from, source, deltas",
    "kong_robbed": "seat, tile, by, deltas (takes the kong's payment back)",
    "claim_also": "seat, flags, source: wins on the same tile too; he waits until the claim before is agreed",
    "claim_next": "(nothing): the first who waits is looked at now",
    "win_agreed": "(nothing): the claim and its hand are agreed, and booked with those of the others",
    "checked": "ok, source: the referee's answer after the players agreed",
    "irregularity": "seat, kind, by (who says so, or null), winner (whose win tiles were shown for), source",
    "reveal_penalty": "winner, seats [who showed his tiles too early], deltas: an entry of its own",
    "stated": "seat, points: what the winner says the hand is worth, source",
    "false_win_called": "seat, by (who says so, or null), hand offender_dead|void, deltas, source: proposed, "
    "booked once the others agree",
    "false_win_dropped": "seat (who disagrees or takes it back, or null), source",
    "false_win": "seat, hand offender_dead|void, deliberate, deltas, source page|key|referee: paid at "
    "once; the hand goes on without his claims, or is called off by the rows that follow",
    "kong_withdrawn": "seat, tile, source, deltas (declared by mistake: takes its payment back)",
    "claim": "seat, by, from, flags, sources {field: key|page|camera}; a new one takes the place of the old",
    "hand_read": "seat, hand, sure, tiles [[tile, score]], melds [[kind, source, n]], has_win_tile, "
    "doubts {index: [tile]}, problems, evidence, result, flowers [[tile, score]] or null = nobody looked",
    "corrected": "source, waived [tile of a kong left unpaid], and all of hand_read but its evidence",
    "confirmed": "seat, source",
    "disputed": "seat, source",
    "withdrawn": "seat, source",
    "set_aside": "seat, source: agrees that a hand nobody can read or write down is entered later",
    "settled": "hand, kind win|drawn|void, seat, by, from, hand_text, elements, total, deltas, evidence, "
    "next_dealer, circle, run, around {dealer, round_wind, flags, flowers [tile]} of a win, "
    "false_wins [{seat, deltas}] of this hand, paid before, stated and counted points where he stated any, "
    "players {seat: id} once seats have changed in the game, "
    "wins [{all of the above that is of one winner}] where several won, the nearest first, "
    "unread [{seat, by, from, flags, hand_text, evidence}] of a hand put aside: to be entered later, "
    "called [seat]: kongs called by key and still not known",
    "drawn": "seat (who says so, or null), source: proposed, settled once the others agree",
    "voided": "reason, source, seat",
    "correction_proposed": "what undo|result|swap|player|end, seat (who asks or null), reason, ask {}",
    "correction_agreed": "seat, source",
    "correction_rejected": "seat or null, source: by a seat, a referee, or taken back",
    "result_undone": "the fields of who and why, of, hand, next_dealer, circle, run, leads next|open|null",
    "result_corrected": "who and why, all of settled, of, robbed [index], paid, leads, "
    "kongs [{seat, kind, tile, from, deltas}] if people told them anew",
    "players_swapped": "who and why, entries [2], seats [2], from_hand, stay",
    "player_replaced": "who and why, seat, entry, player (null = the place is empty), was, hand",
    "game_ended": "who and why, cause forced|match, hand",
    "fault": "code, side, key, severity, origin, detail, phase, step",
    "fault_cleared": "code, key, source",
    "machine_event": "event, and its details",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened and stays: `kind` is one of `KINDS`, `body` is plain JSON."""

    kind: str
    body: Mapping[str, Any]
    press: str = ""
    """The press that brought it about, on the last fact of its commit; see `answers.py`."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no such fact: {self.kind}")


@dataclass(frozen=True, slots=True)
class Record:
    """A fact as it stands in the journal: `body` as parsed, `hash` in hex."""

    seq: int
    kind: str
    body: Mapping[str, Any]
    hash: str
    at_mono: int = 0
    at_utc: str = ""
    clock_ok: bool = False
    press: str = ""
