"""Answers to rule cases (../shared/rules/cases): one case in, the keys that such a case expects out.

A case has a `winner` (score and settlement of one win), `events` (a ledger of hands) or an `op` (one question
about a rule). Source of the form: _common-regional.md, "Case files".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules import legal_ops as _legal_ops  # noqa: F401  these register their ops
from rules import match_ops as _match_ops  # noqa: F401
from rules import odds_ops as _odds_ops  # noqa: F401
from rules import procedure_ops as _procedure_ops  # noqa: F401
from rules import seating_ops as _seating_ops  # noqa: F401
from rules import win_ops as _win_ops  # noqa: F401
from rules.engine_cases import answer_ruleset
from rules.errors import InvalidRequest
from rules.fields import Fields
from rules.hand import MeldKind
from rules.legal_ops import players_of
from rules.ops import find_form, find_op, is_rule_book
from rules.scoring import (
    FLAGS,
    WAYS,
    Kong,
    Settlement,
    Situation,
    Win,
    WinRefused,
    amount_to_number,
    resolve_options,
    score,
    settle,
    settle_draw,
    settle_kong,
)
from rules.seats import Seat
from rules.tiles import Tile
from rules.variant import Score, Variant
from rules.variants import answering_variant
from rules.variants import case_ops as _case_ops  # noqa: F401
from rules.variants.regional import find_ruleset

_KONG_KINDS = {
    "exposed": MeldKind.EXPOSED_KONG,
    "added": MeldKind.ADDED_KONG,
    "concealed": MeldKind.CONCEALED_KONG,
}

# circumstances as some rule texts name them in their cases
_EVENTS = {
    "tian_hu": "heavenly",
    "di_hu": "earthly",
    "ren_hu": "human",
    "tian_ting": "heavenly_ready",
    "gang_kai": "after_kong",
    "li_zhi": "declared_ready",
    "qi_qiang_yi": "seven_rob_one",
}


def answer_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to one case: a line of a case file without `expect`, plus the file's `variant`.

    Raises:
        RuleError: with a code and a text that says what is wrong with the case.
    """
    fields = Fields(case)
    rules = find_ruleset(fields.get("variant", None))
    if rules is not None:
        return answer_ruleset(rules, fields)
    if fields.has("op"):
        return _answer_op(fields)
    form = None if fields.has("events") else find_form(fields.get("variant", None))
    if form is not None:
        return form(fields)
    if fields.has("winner") and fields.has("events"):
        raise InvalidRequest("a case has a winner or events, not both")
    if fields.has("winner"):
        return _answer_winner(fields)
    if fields.has("events"):
        return _answer_events(fields)
    raise InvalidRequest("a case needs a winner, events or an op")


def _answer_op(case: Fields) -> dict[str, Any]:
    variant = case.text("variant")
    if not is_rule_book(variant):
        answering_variant(variant)  # an unknown variant is refused as such
    return find_op(case.text("op"), variant)(case.object("in"), case)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What a case says beside its wins and events; `flowers` are those that the winner laid aside."""

    variant: Variant
    situation: Situation
    flowers: tuple[Tile, ...]


def _setting(case: Fields) -> _Setting:
    """Read variant, options and situation; a dialect tells some circumstances among the options."""
    variant = answering_variant(case.text("variant"))
    given = dict(case.mapping("options"))
    told = Fields({key: given.pop(key) for key in variant.told_as_options if key in given}, "options")
    flags = {flag for flag in ("last_tile", "last_of_kind") if told.flag(flag)}
    if told.has("event"):
        flags.add(_EVENTS[told.one_of("event", tuple(_EVENTS))])
    situation = Situation(
        case.seat("dealer"),
        players_of(case),
        resolve_options(variant, given),
        frozenset(flags),
        round_wind=told.seat("round_wind", "E"),
        wild=told.tiles("wild"),
    )
    return _Setting(variant, situation, told.tiles("flowers"))


def _win(fields: Fields, flowers: tuple[Tile, ...]) -> Win:
    by = fields.one_of("by", WAYS)
    return Win(
        fields.seat("seat"),
        fields.hand("hand", melds_anywhere=True),
        by,
        fields.optional_seat("from"),
        frozenset(fields.words("flags", FLAGS, [])),
        fields.optional_integer("wall_left", 0, 1000),
        len(flowers),
        flowers,
    )


def listed(scored: Score) -> list[list[Any]]:
    """Return elements as [name, value] pairs, one that counts n times n times."""
    return [[element.zh, element.value] for element in scored.elements for _ in range(element.count)]


def _numbers(settlement: Settlement, unit: int) -> dict[str, int | float]:
    return {seat.value: amount_to_number(units, unit) for seat, units in settlement.deltas.items()}


def _answer_winner(case: Fields) -> dict[str, Any]:
    setting = _setting(case)
    variant, situation = setting.variant, setting.situation
    win = _win(case.object("winner"), setting.flowers)
    scored = score(variant, win, situation)
    if not scored.legal:  # a hand that is worth too little is told with what it has
        return {
            "legal": False,
            "reason": scored.reason,
            "elements": listed(scored),
            "total": scored.total,
            "deltas": {seat.value: 0 for seat in situation.players},
        }
    settlement = settle(variant, [win], situation)
    return {
        "legal": True,
        "elements": listed(scored),
        "total": scored.total,
        "deltas": _numbers(settlement, variant.unit),
        "next_dealer": settlement.next_dealer.value,
    }


def _answer_events(case: Fields) -> dict[str, Any]:
    setting = _setting(case)
    variant, situation = setting.variant, setting.situation
    ledger: list[dict[str, Any]] = []
    totals = dict.fromkeys(situation.players, 0)
    for index, item in enumerate(case.items("events")):
        event = Fields(item, f"events[{index}]")
        kind = event.one_of("t", ("kong", "win", "wall_end"))
        try:
            settlement = _settle_event(setting, kind, event, situation)
        except WinRefused as refused:
            return {"legal": False, "reason": refused.reason, "event": index}
        entry: dict[str, Any] = {"event": index, "deltas": _numbers(settlement, variant.unit)}
        if kind != "kong":
            entry["next_dealer"] = settlement.next_dealer.value
            situation = replace(situation, dealer=settlement.next_dealer, flags=frozenset())
        ledger.append(entry)
        for seat, units in settlement.deltas.items():
            totals[seat] += units
    return {"ledger": ledger, "deltas": _numbers(Settlement(totals, situation.dealer), variant.unit)}


def _settle_event(setting: _Setting, kind: str, event: Fields, situation: Situation) -> Settlement:
    variant = setting.variant
    if kind == "wall_end":
        return settle_draw(variant, situation)
    if kind == "kong":
        return settle_kong(variant, _kong(event), situation)
    wins = [
        _win(Fields(win, event.name(f"wins[{place}]")), setting.flowers)
        for place, win in enumerate(event.items("wins"))
    ]
    return settle(variant, wins, situation)


def _kong(event: Fields) -> Kong:
    kind = _KONG_KINDS[event.one_of("kind", tuple(_KONG_KINDS))]
    source: Seat | None = event.optional_seat("from")
    return Kong(event.seat("seat"), kind, event.tile("tile"), source, event.flag("robbed"))
