"""Corrections at the scripted table: asked for, answered, carried; just enough for the pages."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

SEATS = "ESWN"


class Refused(Exception):
    """The fake brain says no."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code, self.params = code, params


class FakeCorrections:
    """What the script knows of corrections: `state` and `hands` are the scripted table's."""

    state: dict[str, Any]
    hands: list[dict[str, Any]]
    seq: int

    def _do_undo_result(self, reason: str, seat: str | None = None) -> None:
        self._propose("undo", reason, seat, {})

    def _do_correct_result(self, reason: str, seat: str | None = None, **ask: Any) -> None:
        ask = {("from" if key == "from_" else key): value for key, value in ask.items()}
        self._propose("result", reason, seat, ask)

    def _do_swap_players(self, reason: str, seat: str | None = None, **ask: Any) -> None:
        self._propose("swap", reason, seat, ask)

    def _do_replace_player(self, reason: str, seat: str | None = None, **ask: Any) -> None:
        self._propose("player", reason, seat, ask)

    def _do_end_game(self, reason: str, seat: str | None = None) -> None:
        self._propose("end", reason, seat, {})

    def _propose(self, what: str, reason: str, seat: str | None, ask: dict[str, Any]) -> None:
        if self.state["correction"] is not None:
            raise Refused("refuse.correction_open")
        answers = {each: "yes" if each == seat else None for each in SEATS}
        wish = {"id": self.seq + 1, "what": what, "reason": reason, "seat": seat, "ask": ask}
        will = copy.deepcopy((self.state["seats"], self.hands))
        _CARRIES[what](will[0], will[1], {**wish, "seats": list(SEATS)})
        scores = {one["entry"]: one["score"] for one in will[0].values()}
        changes = [
            {"entry": one["entry"], "name": one["name"], "was": one["score"], "will": scores[one["entry"]]}
            for one in self.state["seats"].values()
        ]
        players = {each: self.state["seats"][each]["player"] for each in SEATS} if what == "result" else {}
        self.state["correction"] = {**wish, "answers": answers, "changes": changes, "players": players}
        self._ask_seats()

    def _ask_seats(self) -> None:
        wish = self.state["correction"]
        asked = [i + 1 for i, seat in enumerate(SEATS) if wish and not wish["answers"][seat]]
        self.state["act"] = [{"side": side, "do": "amend"} for side in asked]

    def _wish(self, name: str, wish_id: int | None = None) -> dict[str, Any]:
        wish: dict[str, Any] | None = self.state["correction"]
        if wish is None:
            raise Refused(f"refuse.{name}", phase=self.state["phase"])
        if wish_id not in (None, wish["id"]):
            raise Refused("refuse.old")
        return wish

    def _do_agree_correction(self, seat: str, id: int | None = None) -> None:
        wish = self._wish("agree_correction", id)
        wish["answers"][seat] = "yes"
        self._ask_seats()
        if all(wish["answers"].values()):
            self._carry({"role": "seats", "seats": list(SEATS), "referee": None})

    def _do_reject_correction(self, seat: str, id: int | None = None) -> None:
        self._wish("reject_correction", id)
        self._over_with_it()

    def _do_rule_correction(self, accept: bool, referee: str | None = None, id: int | None = None) -> None:
        self._wish("rule_correction", id)
        if accept:
            self._carry({"role": "referee", "seats": [], "referee": referee})
        else:
            self._over_with_it()

    def _carry(self, by: dict[str, Any]) -> None:
        wish = {**self.state["correction"], **by}
        _CARRIES[wish["what"]](self.state["seats"], self.hands, wish)
        self.state["last"] = self.hands[0]
        if wish["what"] == "end":
            who = {"asked_by": wish["seat"], "role": wish["role"], "reason": wish["reason"]}
            self.state["over"] = {"cause": "forced", "hand": self.state["hand"], **who}
        self._over_with_it()

    def _over_with_it(self) -> None:
        self.state["correction"] = None
        self.state["act"] = [] if self.state["over"] else [{"side": 1, "do": "start"}]

    def _do_rename(self, seat: str, name: str) -> None:
        self.state["seats"][seat]["name"] = name

    def _do_new_game(self) -> None:
        self.state.update(over=None, phase="IDLE", hand=0, last=None, act=[{"side": 1, "do": "start"}])


def _amended(hand: dict[str, Any], wish: dict[str, Any]) -> list[dict[str, Any]]:
    before = {key: hand[key] for key in ("kind", "deltas", "total")}
    before |= {"winners": [hand["seat"]] if hand["seat"] else [], "seq": 7}
    one = {key: wish[key] for key in ("what", "reason")}
    one |= {"hand": hand["hand"], "asked_by": wish["seat"], "role": wish.get("role", "seats")}
    one |= {"seats": wish["seats"], "referee": wish.get("referee"), "before": before}
    return [*hand["amended"], {**one, "seq": 50, "head": "5a5a5a5a"}]


def _settle_anew(seats: dict[str, Any], hand: dict[str, Any], deltas: dict[str, int]) -> None:
    for seat in SEATS:
        seats[seat]["score"] += deltas[seat] - hand["deltas"][seat]
    hand["deltas"] = deltas


def _undo(seats: dict[str, Any], hands: list[dict[str, Any]], wish: dict[str, Any]) -> None:
    hand = hands[0]
    amended = _amended(hand, wish)
    _settle_anew(seats, hand, dict.fromkeys(SEATS, 0))
    hand.update(kind="void", seat=None, hand_text=None, total=0, elements=[], amended=amended)


def _result(seats: dict[str, Any], hands: list[dict[str, Any]], wish: dict[str, Any]) -> None:
    """A discard of ten: 18 from who discarded it, 8 from the others; anything else pays nothing here."""
    ask = wish["ask"]
    hand = next(hand for hand in hands if hand["hand"] == ask["hand"])
    amended = _amended(hand, wish)
    deltas = dict.fromkeys(SEATS, 0)
    if ask["kind"] == "win":
        deltas = {**dict.fromkeys(SEATS, -8), ask["from"]: -18, ask["winner"]: 34}
    _settle_anew(seats, hand, deltas)
    how = {"seat": ask.get("winner"), "by": ask.get("by"), "from": ask.get("from")}
    hand.update(kind=ask["kind"], amended=amended, **how)


def _swap(seats: dict[str, Any], hands: list[dict[str, Any]], wish: dict[str, Any]) -> None:
    one, other = wish["ask"]["seats"]
    for hand in hands:
        if hand["hand"] >= wish["ask"]["from_hand"]:
            seats[one]["score"] += hand["deltas"][other] - hand["deltas"][one]
            seats[other]["score"] += hand["deltas"][one] - hand["deltas"][other]
    if wish["ask"]["stay"]:
        for key in ("entry", "player", "name", "score"):
            seats[one][key], seats[other][key] = seats[other][key], seats[one][key]


def _player(seats: dict[str, Any], hands: list[dict[str, Any]], wish: dict[str, Any]) -> None:
    player = "" if wish["ask"].get("leaves") else "p5"
    seats[wish["ask"]["place"]].update(player=player, name=player)


def _end(seats: dict[str, Any], hands: list[dict[str, Any]], wish: dict[str, Any]) -> None:
    pass


_CARRIES: dict[str, Callable[[dict[str, Any], list[dict[str, Any]], dict[str, Any]], None]] = {
    "undo": _undo,
    "result": _result,
    "swap": _swap,
    "player": _player,
    "end": _end,
}
