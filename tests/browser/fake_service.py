"""A scripted table behind the web layer: one MCR hand from start key to ledger, told by commands.

It stands for the brain in tests of the pages; the rules it plays by are just enough to walk one hand, with
refusals. `python tests/browser/fake_service.py --port 8765` serves it for looking at the pages.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from controller.errors import Refused as NotSaid
from controller.speaking import spoken_by
from controller.state import SeatState
from controller.versions import STALE
from controller.web.examples import ELEMENTS, FAULT, MACHINE, NOT_COUNTED, TABLE
from controller.web.examples_sheet import REPORT, STATISTICS
from controller.web.service import CommandAnswer, StreamEvent
from rules.seats import Seat
from tests.browser.fake_corrections import FakeCorrections, Refused
from tests.browser.fake_photo import photo_of

SEATS = "ESWN"
NAMES = ("龙井", "普洱", "乌龙", "茉莉")
SCORES = (71, -7, -66, 2)
TILES = ("4p", "3p", "5p", "3m", "4m", "5m", "6p", "7p", "8p", "3s", "4s", "6s", "6s", "5s")
DOUBT = 6
"""Index of the tile that the camera is not sure about: 6p, or 9p."""
HEADS = ("7c3a91e4", "b05e27d1", "19f2c6a8", "e4417b02")
LAID = "[435p,1] 345m 678p 34s 66s + 5s"
"""The same hand as it lies: the claimed 4p is the turned one."""
_PUNGS = {"key": "all_pungs", "zh": "碰碰和", "en": "All Pungs", "value": 6, "count": 1}
PUNGS = {**_PUNGS, "sets": [], "is_whole": True}
PLAY = ("DEALING", "PLAYING", "CLAIM", "CONFIRM", "REVIEW")


def seat_side(seat: str) -> int:
    """Return the side of a seat; E sits at side 1."""
    return SEATS.index(seat) + 1


class FakeService(FakeCorrections):
    """The script. `pace` is how long the machine takes for each thing, in seconds."""

    def __init__(self, *, pace: float = 0.05, names: tuple[str, ...] = NAMES) -> None:
        self.pace = pace
        self.epoch = 1
        self.seq = 40
        self.head = HEADS[0]
        self.commands: list[tuple[str, Mapping[str, Any], str]] = []
        self.versions: list[str | None] = []
        self.has_moved_on = False
        """Whatever the pages saw is an old state."""
        self.photos: dict[str, bytes] = {}
        self._listeners: list[asyncio.Queue[StreamEvent]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.hands: list[dict[str, Any]] = _past_hands()
        self.tiles = [{"tile": tile, "sure": True} for tile in TILES]
        self.state: dict[str, Any] = {
            "table": dict(TABLE),
            "phase": "IDLE",
            "step": None,
            "hand": 6,
            "circle": 2,
            "circle_wind": "S",
            "dealer": "S",
            "run": 1,
            "seats": {
                seat: {
                    "side": i + 1,
                    "entry": f"p{i + 1}",
                    "player": f"p{i + 1}",
                    "name": names[i],
                    "score": SCORES[i],
                    "wind": "NESW"[i],
                    "dead": False,
                }
                for i, seat in enumerate(SEATS)
            },
            "act": [{"side": 1, "do": "start"}],
            "build": {
                "tiles": 144,
                "counts": [0, 0, 0, 0],
                "target": [36, 36, 36, 36],
                "done": False,
                "other": None,
                "pause": None,
            },
            "dice": {"throws": [], "thrower": None, "asking": False, "opening": None},
            "draw": None,
            "finds_seats": False,
            "lamp": {"asked": None, "seen": None, "sense": None, "score": None, "agree": None},
            "wall": {"left": None, "stacks": None, "source": None},
            "kongs": [],
            "kongs_called": [],
            "claim": None,
            "reading": None,
            "result": None,
            "stated": None,
            "false_win": None,
            "also": [],
            "irregularities": [],
            "referee": False,
            "confirm": dict.fromkeys(SEATS),
            "aside": [],
            "last": self.hands[0],
            "correction": None,
            "over": None,
            "seat_change": None,
            "time": {"now_ms": 0, "timers": []},
            "fault": None,
            "notices": [],
            "health": {"link": "up", "camera": "up", "clock_ok": True, "ledger": "ok"},
        }

    # ---- the protocol

    def view(self, name: str) -> Mapping[str, Any]:
        if name == "history":
            return {"hands": copy.deepcopy(self.hands), "total": len(self.hands)}
        if name == "machine":
            return self._machine()
        if name == "photos":
            shown = [self.state["reading"], self.state["last"], *self.hands]
            return {one["evidence"]: ("p1", "p2", "p3", "p4") for one in shown if one and one["evidence"]}
        if name == "sheet":
            return self._sheet()
        if name in ("statistics", "report"):
            return copy.deepcopy(STATISTICS if name == "statistics" else REPORT)
        return {"epoch": self.epoch, "seq": self.seq, "head": self.head, **copy.deepcopy(self.state)}

    async def command(
        self,
        name: str,
        body: Mapping[str, Any],
        role: str,
        *,
        player: str = "",
        press: str = "",
        version: str | None = None,
    ) -> CommandAnswer:
        self.commands.append((name, dict(body), role))
        self.versions.append(version)
        if self.has_moved_on:
            return {"ok": False, "code": STALE, "params": {}, "seq": self.seq}
        act: Callable[..., None] | None = getattr(self, f"_do_{name}", None)
        try:
            if act is None:
                raise Refused(f"refuse.{name}", phase=self.state["phase"])
            body = spoken_by(player, name, body, self._places())
            act(**{("from_" if key == "from" else key): value for key, value in body.items()})
        except (Refused, NotSaid) as refused:
            return {"ok": False, "code": refused.code, "params": refused.params, "seq": self.seq}
        self.fact()
        return {"ok": True, "code": None, "params": {}, "seq": self.seq}

    def _places(self) -> list[SeatState]:
        return [
            SeatState(Seat(seat), one["side"], one["player"]) for seat, one in self.state["seats"].items()
        ]

    async def subscribe(self) -> AsyncIterator[StreamEvent]:
        queue: asyncio.Queue[StreamEvent] = asyncio.Queue()
        self._listeners.append(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self._listeners.remove(queue)

    def evidence(self, sha: str) -> bytes | None:
        return self.photos.get(sha)

    # ---- what tests may do to it

    def fact(self) -> None:
        """Something went into the journal: everybody sees the state."""
        self.seq += 1
        event_id = f"{self.epoch}-{self.seq}"
        self._send({"kind": "fact", "id": event_id, "data": self.view("state")})

    def live(self, **values: Any) -> None:
        """Fast values changed."""
        self._send({"kind": "live", "id": None, "data": copy.deepcopy(values)})

    def fault(self, fault: Mapping[str, Any] | None = FAULT) -> None:
        """The machine jams (or is free again); play goes on."""
        self.state["fault"] = dict(fault) if fault else None
        self.fact()

    def go(self, **changes: Any) -> None:
        """Change the state as given, then tell everybody."""
        self.state.update(changes)
        self.fact()

    def _send(self, event: StreamEvent) -> None:
        for queue in self._listeners:
            queue.put_nowait(event)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- the script

    def _need(self, name: str, *phases: str) -> None:
        if self.state["phase"] not in phases:
            raise Refused(f"refuse.{name}", phase=self.state["phase"], step=self.state["step"])

    def _phase(self, phase: str, step: str | None = None, act: list[tuple[int, str]] | None = None) -> None:
        turns = [{"side": side, "do": do} for side, do in act or []]
        self.state.update(phase=phase, step=step, act=turns)

    def _do_start(self) -> None:
        self._need("start", "IDLE", "SETTLED", "BUILDING")
        if self.state["phase"] == "BUILDING" and self.state["step"] != "load":
            raise Refused("refuse.start", phase="BUILDING", step=self.state["step"])
        if self.state["phase"] == "BUILDING":
            self._phase("BUILDING", "build")
            self._later(self._build())
            return
        build = {
            "tiles": 144,
            "counts": [0, 0, 0, 0],
            "target": [36, 36, 36, 36],
            "done": False,
            "other": None,
            "pause": None,
        }
        self.state.update(build=build, claim=None, reading=None, result=None)
        self.state["dice"] = {"throws": [], "thrower": None, "asking": False, "opening": None}
        self._phase("BUILDING", "load", [(side, "load") for side in range(1, 5)])

    async def _build(self) -> None:
        counts = self.state["build"]["counts"]
        for count in (0, 9, 18, 27, 36):
            for i in range(4):
                counts[i] = min(36, count + i % 2)
            self.live(build=self.state["build"], machine=self._machine())
            await asyncio.sleep(self.pace)
        self.state["build"]["done"] = True
        self.state["wall"] = {"left": 144, "stacks": None, "source": "machine"}
        self._phase("READY", None, [(2, "lift")])
        self.fact()

    def _do_lift(self) -> None:
        self._need("lift", "READY")
        self._phase("LIFTING")
        self._later(self._lift())

    async def _lift(self) -> None:
        await asyncio.sleep(self.pace)
        self.state["lamp"] = {"asked": 2, "seen": 2, "sense": 2, "score": 0.99, "agree": True}
        self.state["dice"]["thrower"] = "S"
        self._phase("DICE", "throw", [(2, "throw")])
        self.fact()

    def _do_throw(self, seat: str | None = None) -> None:
        self._need("throw", "DICE")
        thrower = self.state["dice"]["thrower"]
        if seat not in (None, thrower):
            raise Refused("refuse.seat", seat=thrower)
        self._phase("DICE", "spin")
        self._later(self._dice())

    async def _dice(self) -> None:
        await asyncio.sleep(self.pace)
        dice = self.state["dice"]
        if not dice["throws"]:
            dice["throws"].append({"seat": "S", "pips": [4, 3], "source": "camera"})
            dice["thrower"] = "N"
            self._phase("DICE", "throw", [(4, "throw")])
        elif not dice["asking"]:
            dice["asking"] = True
            self._phase("DICE", "ask", [(4, "throw")])
            self.state["notices"] = [{"code": "dice.unsure", "params": {}}]
        self.fact()

    def _do_set_dice(self, pips: list[int]) -> None:
        self._need("set_dice", "DICE")
        dice = self.state["dice"]
        dice["throws"].append({"seat": dice["thrower"], "pips": pips, "source": "page"})
        dice.update(asking=False, thrower=None)
        total = sum(sum(throw["pips"]) for throw in dice["throws"])
        dice["opening"] = {"count_seat": "N", "count": total, "seat": "N", "stack": total + 1}
        self.state["notices"] = []
        self._phase("DEALING", None, [(2, "deal")])

    def _do_dealt(self, seat: str | None = None) -> None:
        self._need("dealt", "DEALING")
        self._phase("PLAYING")
        self.state["wall"] = {"left": 53, "stacks": None, "source": "camera"}

    def _do_claim(self, seat: str, by: str, from_: str | None = None, flags: Any = ()) -> None:
        self._need("claim", "PLAYING", "DEALING", "CLAIM", "REVIEW")
        sources = {"seat": "page", "by": "page"}
        claim = {"seat": seat, "by": by, "from": from_, "win_tile": None, "kind": "win", "flags": [*flags]}
        claim["sources"] = sources
        self.state["claim"] = claim
        if by == "discard" and from_ is None:
            others = [other for other in SEATS if other != seat]
            self._phase("CLAIM", "from", [(seat_side(other), "from") for other in others])
        else:
            self._phase("CLAIM", "lay", [(seat_side(seat), "lay")])

    def _do_answer_from(self, seat: str) -> None:
        self._need("answer_from", "CLAIM")
        claim = self.state["claim"]
        if seat == claim["seat"]:
            raise Refused("refuse.self", seat=seat)
        claim["from"] = seat
        claim["sources"]["from"] = "page"
        self._phase("CLAIM", "lay", [(seat_side(claim["seat"]), "lay")])

    def _do_laid(self, seat: str) -> None:
        self._need("laid", "CLAIM")
        if seat != self.state["claim"]["seat"]:
            raise Refused("refuse.seat", seat=self.state["claim"]["seat"])
        self._phase("CLAIM", "read")
        self._later(self._read())

    async def _read(self) -> None:
        await asyncio.sleep(self.pace)
        jpeg, boxes = photo_of([self.tiles[i]["tile"] for i in range(len(self.tiles))], DOUBT)
        sha = hashlib.sha256(jpeg).hexdigest()
        self.photos[sha] = jpeg
        tiles: list[dict[str, Any]] = [
            {"tile": tile, "score": 0.99, "sure": True, "alternatives": [], "box": box}
            for tile, box in zip(TILES, boxes, strict=True)
        ]
        tiles[DOUBT].update(tile="?", score=0.71, sure=False, alternatives=["6p", "9p"])
        melds = [{"kind": "chow", "source": 1, "tiles": 3}]
        self.state["reading"] = {
            "seat": self.state["claim"]["seat"],
            "hand": None,
            "sure": False,
            "source": "camera",
            "tiles": tiles,
            "laid": True,
            "melds": melds,
            "flowers": [{"tile": "e", "score": 0.99, "sure": True}],
            "problems": [],
            "evidence": sha,
        }
        self.state.update(result=None, confirm={})
        self._phase("REVIEW", None, [(seat_side(self.state["claim"]["seat"]), "review")])
        self.fact()

    def _do_correct_tile(self, index: int, tile: str) -> None:
        self._need("correct_tile", "REVIEW")
        tiles = self.state["reading"]["tiles"]
        if index >= len(tiles):
            raise Refused("refuse.invalid", field="index")
        if sum(other["tile"] == tile for other in tiles) - (tiles[index]["tile"] == tile) >= 4:
            raise Refused("refuse.tiles", reason="five_copies")
        tiles[index].update(tile=tile, score=1.0, sure=True, alternatives=[])
        self.state["reading"].update(source="page", sure=True)
        self._judge()

    def _do_set_flowers(self, flowers: list[str]) -> None:
        self._need("set_flowers", "REVIEW")
        self.state["reading"]["flowers"] = [{"tile": tile, "score": 1.0, "sure": True} for tile in flowers]
        self.state["reading"].update(source="page", problems=[])
        self._judge()

    def _judge(self) -> None:
        texts = [tile["tile"] for tile in self.state["reading"]["tiles"]]
        flowers = len(self.state["reading"]["flowers"])
        lost = () if texts[DOUBT] == "6p" else ("all_simples", "short_straight")
        lost = lost if flowers else (*lost, "flower_tiles")
        elements = [copy.deepcopy(row) for row in ELEMENTS if row["key"] not in lost]
        total = sum(row["value"] for row in elements)
        claim = self.state["claim"]
        claim["win_tile"] = texts[-1]
        payer, winner = claim["from"], claim["seat"]
        deltas = {seat: -8 - (total if seat == payer else 0) for seat in SEATS if seat != winner}
        deltas[winner] = -sum(deltas.values())
        self.state["reading"]["hand"] = f"[345p,1] 345m {texts[DOUBT][0]}78p 34s 66s + 5s"
        self.state["result"] = {
            "legal": True,
            "reason": None,
            "elements": elements,
            "not_counted": copy.deepcopy(NOT_COUNTED),
            "total": total,
            "minimum": 8,
            "without_flowers": total - flowers,
            "deltas": deltas,
        }
        self.state["confirm"] = {seat: None for seat in SEATS if seat != winner}
        self._phase("CONFIRM", None, [(seat_side(seat), "confirm") for seat in SEATS if seat != winner])

    def _do_confirm(self, seat: str) -> None:
        self._need("confirm", "CONFIRM")
        if seat not in self.state["confirm"]:
            raise Refused("refuse.self", seat=seat)
        self.state["confirm"][seat] = "yes"
        waiting = [other for other, said in self.state["confirm"].items() if said is None]
        self.state["act"] = [{"side": seat_side(other), "do": "confirm"} for other in waiting]
        if not waiting:
            (self._book_false_win if self.state["false_win"] else self._settle)()

    def _do_dispute(self, seat: str) -> None:
        self._need("dispute", "CONFIRM")
        if self.state["false_win"]:
            self.state.update(false_win=None, confirm={})
            if self.state["claim"] is None:
                self._phase("PLAYING")
                return
        self.state["confirm"][seat] = "no"
        claim = self.state["claim"]
        self._phase("REVIEW", None, [(seat_side(claim["seat"] or seat), "review")])

    def _do_reshoot(self, seat: str | None = None) -> None:
        self._need("reshoot", "REVIEW")
        self._phase("CLAIM", "read")
        self._later(self._read())

    def _do_withdraw(self, seat: str | None = None) -> None:
        self._need("withdraw", "CLAIM", "CONFIRM", "REVIEW")
        self.state.update(claim=None, reading=None, result=None, false_win=None)
        self._phase("PLAYING")

    def _do_void(self, reason: str) -> None:
        self._need("void", *PLAY)
        self.state.update(claim=None, reading=None, result=None)
        self._settle("void")

    def _do_washout(self, seat: str | None = None) -> None:
        self._need("washout", "PLAYING", "DEALING")
        seat = seat or "E"
        claim = {"seat": seat, "by": None, "from": None, "win_tile": None, "kind": "drawn", "flags": []}
        claim["sources"] = {}
        others = [other for other in SEATS if other != seat]
        self.state.update(claim=claim, confirm=dict.fromkeys(others))
        self._phase("CONFIRM", None, [(seat_side(other), "confirm") for other in others])

    def _do_declare_kong(self, seat: str, kind: str, tile: str, from_: str | None = None) -> None:
        self._need("declare_kong", "PLAYING", "CLAIM", "REVIEW")
        nothing = dict.fromkeys(SEATS, 0)
        kong = {"seat": seat, "kind": kind, "tile": tile, "from": from_, "robbed": False, "deltas": nothing}
        self.state["kongs"].append(kong)

    def _do_withdraw_kong(self, seat: str, tile: str | None = None) -> None:
        self._need("withdraw_kong", "PLAYING", "CLAIM", "REVIEW")
        kongs = self.state["kongs"]
        last = [kong["tile"] for kong in kongs if kong["seat"] == seat][-1]
        self.state["kongs"] = [kong for kong in kongs if (kong["seat"], kong["tile"]) != (seat, tile or last)]

    def _do_irregularity(self, seat: str, kind: str, by: str | None = None) -> None:
        self._need("irregularity", "PLAYING", "CLAIM", "CONFIRM", "REVIEW")
        self.state["irregularities"].append({"seat": seat, "kind": kind, "by": by})

    def _do_check_win(self, ok: bool) -> None:
        if not self.state["referee"]:
            raise Refused("refuse.check_win", phase=self.state["phase"])
        self.state["referee"] = False
        if ok:
            self._settle()
        else:
            self._phase("PLAYING")

    def _do_state_points(self, seat: str, points: int) -> None:
        self._need("state_points", "CLAIM", "CONFIRM", "REVIEW")
        total = self.state["result"]["total"] if self.state["result"] else None
        self.state["stated"] = {"points": points, "checked": total, "counted": total}

    def _do_false_win(self, seat: str, by: str | None = None) -> None:
        self._need("false_win", "PLAYING", "CLAIM", "REVIEW")
        deltas = {each: -30 if each == seat else 10 for each in SEATS}
        asked = [each for each in SEATS if each not in (seat, by)]
        self.state["false_win"] = {"seat": seat, "by": by, "hand": "offender_dead", "deltas": deltas}
        self.state["confirm"] = {each: "yes" if each == by else None for each in SEATS if each != seat}
        self._phase("CONFIRM", None, [(seat_side(each), "confirm") for each in asked])

    def _do_rule_false_win(self, seat: str, deliberate: bool = False, each: int | None = None) -> None:
        self._do_false_win(seat)
        self._book_false_win()

    def _book_false_win(self) -> None:
        booked = self.state["false_win"]
        for seat, delta in booked["deltas"].items():
            self.state["seats"][seat]["score"] += delta
        self.state["seats"][booked["seat"]]["dead"] = True
        self.state.update(false_win=None, claim=None, reading=None, result=None, confirm={})
        self._phase("PLAYING")

    def _do_stop(self) -> None:
        words = {"zh": "机器已停", "en": "Machine stopped", "remedy_zh": "没事了就点“清除故障”"}
        stopped = {
            "code": 0,
            "side": 0,
            "key": "fault.stop",
            "severity": "latched",
            "origin": "brain",
            "detail": 0,
        }
        self.state["fault"] = {**stopped, **words, "remedy_en": "Clear the fault when all is well"}

    def _do_clear_fault(self) -> None:
        if self.state["fault"] is None:
            raise Refused("refuse.clear_fault", phase=self.state["phase"])
        self.state["fault"] = None

    def _do_selftest(self) -> None:
        self._need("selftest", "IDLE", "READY", "SETTLED", "FAULT")

    def _do_read_inputs(self) -> None:
        pass

    def _settle(self, kind: str | None = None) -> None:
        claim, result = self.state["claim"] or {}, self.state["result"]
        kind = kind or str(claim.get("kind", "void"))
        deltas = result["deltas"] if result and kind == "win" else dict.fromkeys(SEATS, 0)
        self.head = HEADS[(self.state["hand"] - 5) % len(HEADS)]
        reading = self.state["reading"] or {}
        last = {
            "hand": self.state["hand"],
            "kind": kind,
            "seat": claim.get("seat") if kind == "win" else None,
            "by": claim.get("by"),
            "from": claim.get("from"),
            "hand_text": reading.get("hand"),
            "laid": reading.get("hand") and LAID,
            "flags": list(claim.get("flags") or ()),
            "flowers": [row["tile"] for row in reading.get("flowers") or ()],
            "elements": result["elements"] if result else [],
            "not_counted": result["not_counted"] if result else [],
            "total": result["total"] if result else 0,
            "minimum": 8,
            "without_flowers": result["without_flowers"] if result else None,
            "deltas": deltas,
            "false_wins": [],
            "stated": None,
            "also": [],
            "unread": [],
            "kongs_called": [],
            "evidence": reading.get("evidence"),
            "players": {},
            "head": self.head,
            "amended": [],
        }
        for seat, delta in deltas.items():
            self.state["seats"][seat]["score"] += delta
        self.hands.insert(0, last)
        self.state["last"] = last
        self.state["confirm"] = {}
        self._phase("SETTLED", None, [(1, "start")])

    def _sheet(self) -> dict[str, Any]:
        seats = self.state["seats"]
        entry = {seat: seats[seat]["entry"] for seat in SEATS}
        totals = dict.fromkeys(entry.values(), 0)
        rows = []
        for hand in reversed(self.hands):
            deltas = {entry[seat]: hand["deltas"][seat] for seat in SEATS}
            totals = {key: totals[key] + deltas[key] for key in totals}
            won = {"by": hand["by"], "from": hand["from"] and entry[hand["from"]], "total": hand["total"]}
            who = {"entry": entry[hand["seat"]], "player": entry[hand["seat"]]} if hand["seat"] else {}
            rows.append(
                {
                    **{key: hand[key] for key in ("hand", "kind", "head", "amended")},
                    **{"circle": 1, "circle_wind": "E", "dealer": "p1", "deltas": deltas, "totals": totals},
                    "winners": [{**who, **won}] if who else [],
                    **{"seats": hand.get("seats", entry), "kongs": copy.deepcopy(hand.get("kongs", []))},
                    "kongs_called": [entry[seat] for seat in hand.get("kongs_called", [])],
                }
            )
        entries = [
            {
                **{key: one[key] for key in ("entry", "name", "side", "player")},
                **{"seat": seat, "points": one["score"], "players": []},
            }
            for seat, one in seats.items()
        ]
        zero = dict.fromkeys(totals, 0)
        head = {"name": TABLE["name"], "variant": "mcr", "head": self.head}
        return {**head, "entries": entries, "before": zero, "rows": rows, "open": zero, "totals": totals}

    def _machine(self) -> dict[str, Any]:
        machine = copy.deepcopy(MACHINE)
        building = self.state["step"] == "build"
        if building:
            machine["actuators"].update({"turn": True, "ring": True, "feed_1": True, "stack_2": True})
        machine.update(
            state="building" if building else "idle",
            busy=building,
            counts=list(self.state["build"]["counts"]),
            fault=copy.deepcopy(self.state["fault"]),
        )
        return machine


def _past_hands() -> list[dict[str, Any]]:
    """Return five hands that lead to the scores at the start, the newest first."""
    running = ((-8, 36, -8, -20), (54, -18, -18, -18), (0, 0, 0, 0), (-8, -8, -32, 48), (33, -17, -8, -8))
    hands = []
    for number, deltas in enumerate(running, start=1):
        winner = max(range(4), key=lambda i: deltas[i])
        is_win = any(deltas)
        hands.append(
            {
                "hand": number,
                "kind": "win" if is_win else "drawn",
                "seat": SEATS[winner] if is_win else None,
                "by": "self_draw" if is_win else None,
                "from": None,
                "hand_text": "[111p,3] 234m 678s 99s 55s + 5s" if is_win else None,
                "laid": None,
                "flags": [],
                "flowers": [],
                "elements": [{**PUNGS}] if is_win else [],
                "not_counted": [],
                "total": 10 if is_win else 0,
                "minimum": 8,
                "without_flowers": 10 if is_win else None,
                "deltas": dict(zip(SEATS, deltas, strict=True)),
                "false_wins": [],
                "stated": None,
                "also": [],
                "unread": [],
                "kongs_called": [],
                "players": {},
                "evidence": None,
                "head": HEADS[0],
                "amended": [],
            }
        )
    return hands[::-1]
