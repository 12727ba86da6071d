"""Rule cases of a `Ruleset`: wins, events and the ops every ruleset answers (legal_action, precedence)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.engine import NO_DEAL, Deal, Ruleset, Told, WallEnd, options_of
from rules.engine_ledger import Entry, Ledger
from rules.engine_value import value_of
from rules.errors import InvalidRequest, Unsupported
from rules.fields import Fields, as_seat
from rules.hand import MeldKind
from rules.legal import ACTIONS, Claim, Move, legal_action, precedence
from rules.legal_ops import players_of
from rules.seats import Seat
from rules.settlement import WinRefused, amount_to_number
from rules.situation import FLAGS, WAYS, Kong, Situation, Win

KONG_KINDS = {
    "exposed": MeldKind.EXPOSED_KONG,
    "added": MeldKind.ADDED_KONG,
    "concealed": MeldKind.CONCEALED_KONG,
}
SUITS = ("m", "p", "s")
MOST_KONGS = 16  # of four players


def answer_ruleset(rules: Ruleset, case: Fields) -> dict[str, Any]:
    """Return the answer to a case of this ruleset.

    Raises:
        RuleError: with a text that says what is wrong with the case.
    """
    if case.has("op"):
        return _answer_op(rules, case)
    if case.has("winner") and case.has("events"):
        raise InvalidRequest("a case has a winner or events, not both")
    if case.has("winner"):
        return _answer_winner(rules, case)
    if "winner" in case.data:
        return _answer_drawn(rules, case)
    if case.has("events"):
        return _answer_events(rules, case)
    if case.has("indicator") and rules.turned is not None:
        turned = rules.turned(case.tile("indicator"), options_of(rules, _situation(rules, case)))
        return {name: [str(tile) for tile in tiles] for name, tiles in turned.items()}
    raise InvalidRequest("a case needs a winner, events or an op")


def _situation(rules: Ruleset, case: Fields) -> Situation:
    told = rules.base.told_as_options
    given = {
        key: 0 if value is None else value  # no cap
        for key, value in case.mapping("options").items()
        if key not in told
    }
    plain = Situation(
        case.seat("dealer", "E") if case.has("op") else case.seat("dealer"), players_of(case), given
    )
    return Situation(plain.dealer, plain.players, options_of(rules, plain))


def _deal(rules: Ruleset, case: Fields) -> Deal:
    """Read what holds for this hand alone; rule texts write it among the options."""
    if rules.read_deal is None:
        return NO_DEAL
    return rules.read_deal(Fields(case.mapping("options"), "options"))


def _won(case: Fields) -> tuple[Seat, ...]:
    return tuple(as_seat(seat, case.name("already_won")) for seat in case.items("already_won", []))


def _win(fields: Fields) -> tuple[Win, Told]:
    win = Win(
        fields.seat("seat"),
        fields.hand("hand", melds_anywhere=True),
        fields.one_of("by", WAYS),
        fields.optional_seat("from"),
        frozenset(fields.words("flags", FLAGS, [])),
        fields.optional_integer("wall_left", 0, 1000),
    )
    return win, Told(
        _suit(fields),
        fields.optional_seat("kong_from"),
        fields.tiles("horses"),
        fields.tiles("birds"),
        fields.tiles("bao"),
        fields.flag("discarder_tenpai") if fields.has("discarder_tenpai") else None,
        fields.tiles("jokers"),
    )


def _suit(fields: Fields, key: str = "que") -> str | None:
    return fields.one_of(key, SUITS) if fields.has(key) else None


def _numbers(entry: Entry, unit: int) -> dict[str, int | float]:
    return {seat.value: amount_to_number(units, unit) for seat, units in entry.deltas.items()}


def _dealer(entry: Entry) -> dict[str, str]:
    if not entry.ended:
        return {}
    return {"next_dealer": "dice" if entry.next_dealer is None else entry.next_dealer.value}


def _answer_drawn(rules: Ruleset, case: Fields) -> dict[str, Any]:
    """Answer a hand that nobody won: what is left in the wall must be what ends it."""
    situation = _situation(rules, case)
    left = Fields(case.mapping("options"), "options").optional_integer("tiles_left", 0, rules.base.tiles)
    last = 0 if rules.drawn_at is None else rules.drawn_at(options_of(rules, situation))
    if left is not None and left > last:
        raise InvalidRequest(
            f"options.tiles_left: with {left} tiles the hand goes on; it is drawn with {last}"
        )
    ledger = Ledger(rules, situation, _won(case), _deal(rules, case))
    entry = ledger.wall_end(WallEnd({}))
    answer = {"elements": [], "total": 0, "deltas": _numbers(entry, rules.base.unit), **_dealer(entry)}
    if rules.told_next is not None:
        answer.update(rules.told_next(ledger.running.deal))
    return answer


def _answer_winner(rules: Ruleset, case: Fields) -> dict[str, Any]:
    situation, deal = _situation(rules, case), _deal(rules, case)
    win, told = _win(case.object("winner"))
    if rules.read_win is not None:
        win, told = rules.read_win(Fields(case.mapping("options"), "options"), win, told)
    told = replace(told, deal=deal)
    worth = value_of(rules, win, situation, told)
    listed = [[each.row.zh, each.value] for each in worth.elements for _ in range(each.count)]
    if not worth.legal:  # a hand that is worth too little is told with what it has
        nothing = {seat.value: 0 for seat in situation.players}
        refused = {"legal": False, "reason": worth.reason, "elements": listed, "total": worth.total}
        return {**refused, "deltas": nothing}
    if rules.settles is not None and not rules.settles(options_of(rules, situation)):
        return {"legal": True, "elements": listed, "total": worth.total, "deltas": None}
    entry = Ledger(rules, situation, _won(case), deal).wins([(win, told)])
    answer = {
        "legal": True,
        "elements": listed,
        "total": worth.total,
        "deltas": _numbers(entry, rules.base.unit),
    }
    return {**answer, **_dealer(entry)}


def _answer_events(rules: Ruleset, case: Fields) -> dict[str, Any]:
    situation = _situation(rules, case)
    ledger = Ledger(rules, situation, _won(case), _deal(rules, case))
    answers: list[dict[str, Any]] = []
    for index, item in enumerate(case.items("events")):
        try:
            entry = _enter(rules, ledger, Fields(item, f"events[{index}]"))
        except WinRefused as refused:
            return {"legal": False, "reason": refused.reason, "event": index}
        answers.append({"event": index, "deltas": _numbers(entry, rules.base.unit), **_dealer(entry)})
    totals = {}
    for seat in situation.players:
        units = sum(entry.deltas[seat] for entry in ledger.entries)
        totals[seat.value] = amount_to_number(units, rules.base.unit)
    return {"ledger": answers, "deltas": totals}


def _enter(rules: Ruleset, ledger: Ledger, event: Fields) -> Entry:
    kind = event.one_of("t", ("kong", "win", "wall_end", *rules.events))
    if kind in rules.events:
        running = ledger.running
        what = rules.events[kind](event, running, options_of(rules, running.situation))
        return ledger.happened(kind, what)
    if kind == "kong":
        wilds = any(row.of_wilds for row in rules.kong_rows)
        named = event.one_of("kind", (*KONG_KINDS, "gold") if wilds else tuple(KONG_KINDS))
        made, of_wilds = (MeldKind.CONCEALED_KONG, True) if named == "gold" else (KONG_KINDS[named], False)
        source = event.optional_seat("from")
        chain, robbed = event.integer("chain", 1, MOST_KONGS, 1), event.flag("robbed")
        return ledger.kong(
            Kong(event.seat("seat"), made, event.tile("tile"), source, robbed, of_wilds, chain)
        )
    if kind == "win":
        wins = [_win(Fields(win, event.name(f"wins[{i}]"))) for i, win in enumerate(event.items("wins"))]
        return ledger.wins(wins)
    return ledger.wall_end(_wall_end(event))


def _wall_end(event: Fields) -> WallEnd:
    last_draw = event.optional_seat("last_draw")
    liang = tuple(as_seat(seat, event.name("liang")) for seat in event.items("liang", []))
    if not event.has("hands"):
        return WallEnd({}, last_draw=last_draw, liang=liang)
    hands = event.object("hands")
    named = {seat: hands.hand(seat, melds_anywhere=True) for seat in event.mapping("hands")}
    ques = event.object("que") if event.has("que") else None
    told = {} if ques is None else {seat: _suit(ques, seat) for seat in event.mapping("que")}
    return WallEnd(
        {as_seat(seat, hands.name(seat)): hand for seat, hand in named.items()},
        {as_seat(seat, event.name("que")): suit for seat, suit in told.items() if suit is not None},
        last_draw,
        liang,
    )


def _answer_op(rules: Ruleset, case: Fields) -> dict[str, Any]:
    given = case.object("in")
    name = case.text("op")
    players = players_of(case)
    if name == "precedence":
        claims = [
            Claim(as_seat(claim[0], given.name("claims")), claim[1])
            for claim in given.items("claims")
            if _is_claim(claim, given)
        ]
        several = rules.base.multi_win(options_of(rules, _situation(rules, case)))
        granted = precedence(given.seat("discarder"), claims, several, players)
        return {"granted": [[claim.seat.value, claim.kind] for claim in granted]}
    if name == "legal_action":
        do = given.one_of("do", ACTIONS)
        move = Move(
            given.seat("seat"),
            do,
            given.hand("hand"),
            given.tile("tile") if given.has("tile") else None,
            given.optional_seat("from"),
            given.optional_integer("wall_left", 0, rules.base.tiles),
            given.flag("locked"),
        )
        options = options_of(rules, _situation(rules, case))
        shown = given.object("shown") if given.has("shown") else Fields({})
        hands = tuple(shown.hand(seat) for seat in shown.data)
        told = Told(_suit(given), wild=given.tiles("jokers"), shown=hands)
        kongs_on = rules.kongs_when_locked and do.startswith("kong")
        asked = replace(move, locked=False) if kongs_on else move
        allowed = legal_action(rules.base, asked, options, players)
        return {"legal": allowed and not rules.forbids(rules, move, told, options)}
    if name in rules.ops:
        return rules.ops[name](given, options_of(rules, _situation(rules, case)))
    known = ", ".join(["legal_action", "precedence", *rules.ops])
    raise Unsupported(f"{rules.base.key} has no op {name!r}; known: {known}")


def _is_claim(claim: object, given: Fields) -> bool:
    if not isinstance(claim, (list, tuple)) or len(claim) != 2 or not isinstance(claim[1], str):
        raise InvalidRequest(f"{given.name('claims')}: a claim is [seat, kind]")
    return True
