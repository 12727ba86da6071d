"""The brain without I/O: `feed(input, now_ms)` -> effects, `next_deadline_ms()`; two drivers run it.

One input at a time: input -> table terms -> decide -> facts -> what is due -> orders. Orders are never taken
from the journal: after a restart the board's STATUS is read and what is due is derived from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.answers import Answers
from controller.decide import COMMANDS, Decision, World, advance, decide, due
from controller.decide.kit import refused
from controller.effects import Answer, Commit, Effect, SendBytes, TakePhoto
from controller.errors import Refused
from controller.evening import agreed_settings
from controller.facts import Fact, Record
from controller.fold import apply_fact, stamp
from controller.inputs import (
    Bytes,
    CameraState,
    ClockState,
    Committed,
    Edge,
    Input,
    LedgerState,
    MarksOff,
    PageCommand,
    PhotoFailed,
    PhotoRead,
    PortDown,
    PortUp,
    Restarted,
    TableInput,
    Tick,
)
from controller.keys import KeyTimer
from controller.live_values import Due, Live, Order, PhotoWant, with_camera, with_marks
from controller.orders import Heard, Orders, brain_fault
from controller.speaking import spoken_by
from controller.state import TableState
from controller.timers import with_timers
from controller.versions import ANY_VERSION, COMMUTING, STALE
from firmware_bridge.link import Link
from rules.variants import get_variant

ROUNDS_MAX = 64
"""An input may bring about this many steps; more is a mistake of ours and is raised."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the table is named, and times in milliseconds."""

    table: str = "table-1"
    photo_ms: int = 10_000
    sets: int = 1
    """Sets of tiles at the table."""
    is_fresh: bool = False
    """The table is a new one, whatever the ledger says of its tiles: a twin."""
    procedure: Mapping[str, Any] = field(default_factory=dict)
    """What the table agrees on beside the rule set: the group `procedure` of `rules.settings`."""


class Runtime:
    """Holds state, live values, link and keys; see the module's text."""

    def __init__(
        self,
        variant: str,
        options: Mapping[str, Any] | None = None,
        state: TableState | None = None,
        *,
        settings: Settings | None = None,
        link: Link | None = None,
        now_ms: int = 0,
        earlier: Iterable[Record] = (),
    ) -> None:
        """Start from the fold of a journal (`state`); feed `Restarted` first.

        `earlier` are its last rows: what was answered then is not done again.

        Raises:
            RuleError: if there is no such variant or option.
        """
        self.settings = settings or Settings()
        self.state = state or TableState()
        self._basis = self.state.seq
        self.live = Live(camera="down", sets=self.settings.sets, is_fresh=self.settings.is_fresh)
        self._game = self._game_of(variant, options or {})
        self._now = now_ms
        self._orders = Orders(link or Link(now_ms))
        self._keys = {side: KeyTimer() for side in (1, 2, 3, 4)}
        self._timers: dict[str, int] = {}
        self._photo_id: str | None = None
        self._photo_until = 0
        self._photos = 0
        self._answers = Answers(earlier)
        self._answered: tuple[PageCommand, Answer] | None = None
        self._facts: list[Fact] = []
        self._effects: list[Effect] = []

    def _game_of(self, variant: str, options: Mapping[str, Any]) -> dict[str, Any]:
        rules = get_variant(variant)
        agreed = agreed_settings(rules.key, options, self.settings.procedure)
        return {
            "table": self.settings.table,
            "variant": rules.key,
            "options": dict(agreed.options),
            "procedure": dict(agreed.procedure),
            "unit": rules.unit,
            "tiles": rules.tiles,
        }

    # ------------------------------------------------------------------ the two doors

    def feed(self, given: Input, now_ms: int) -> list[Effect]:
        """Take one input; returns what is to be done, in order."""
        if isinstance(given, Committed):
            for record in given.records:
                self.state = stamp(self.state, record)
            return []
        self._now = max(self._now, now_ms)
        self._facts, self._effects, self._answered = [], [], None
        self._clock()
        self._take(given)
        self._settle()
        return self._collect()

    def tick(self, now_ms: int) -> list[Effect]:
        """Let time pass: the same as feeding `Tick`."""
        return self.feed(Tick(), now_ms)

    def next_deadline_ms(self) -> int | None:
        """Return when `tick` is due at the latest, None when nothing is waited for."""
        times = [key.deadline_ms() for key in self._keys.values()]
        times += [*self._timers.values(), self._orders.next_deadline_ms()]
        times.append(self._photo_until if self._photo_id is not None else None)
        return min((at for at in times if at is not None), default=None)

    @property
    def world(self) -> World:
        """State and live values together."""
        return World(self.state, self.live)

    @property
    def counters(self) -> Mapping[str, int]:
        """Counters of the link."""
        return self._orders.counters

    # ------------------------------------------------------------------ inputs

    def _take(self, given: Input) -> None:
        match given:
            case Restarted():
                self._handle(TableInput("restarted", body=self._game, source="machine"))
            case PortUp():
                self._heard(self._orders.port_up(self.live, self._now))
            case PortDown(why):
                self._heard(self._orders.port_down(self.live, why, self._now))
            case Bytes(data):
                self._heard(self._orders.feed(self.live, data, self._now))
            case Edge(line, level):
                self._edge(line, level)
            case PageCommand():
                self._command(given)
            case PhotoRead(effect_id, purpose, reading, evidence):
                self._photo_over(
                    effect_id,
                    TableInput("photo_read", None, {"purpose": purpose}, "camera", "", reading, evidence),
                )
            case PhotoFailed(effect_id, why):
                self._photo_missed(effect_id, why)
            case CameraState(state, moved_mm):
                self.live = with_camera(self.live, state, moved_mm)
            case MarksOff(numbers):
                self.live = with_marks(self.live, numbers)
            case ClockState(ok):
                self.live = replace(self.live, clock_ok=ok)
            case LedgerState(room):
                self.live = replace(self.live, ledger=room)
            case _:
                pass

    def _heard(self, heard: Heard) -> None:
        self.live = heard.live
        for given in heard.inputs:
            side = given.body.get("side")
            if given.name == "dice_key" and isinstance(side, int):
                given = replace(given, seat=self.state.seat_at(side))
            self._handle(given)

    def _command(self, given: PageCommand) -> None:
        known = self._answers.known(given)
        if known is not None:
            self._effects.append(known)
            return
        if given.name not in COMMANDS:
            answer = Answer(given.request_id, False, "refuse.unknown", {"name": given.name})
        elif self._is_stale(given):
            answer = Answer(given.request_id, False, STALE)
        else:
            made = self._said(given)
            answer = Answer(given.request_id, made.ok, made.code, dict(made.params))
        self._answered = (given, answer)

    def _is_stale(self, given: PageCommand) -> bool:
        """Return whether something that counts has happened since the state this was decided on."""
        if given.based_on is None or given.name in ANY_VERSION:
            return False
        return not self._basis <= given.based_on <= self.state.seq

    def _said(self, given: PageCommand) -> Decision:
        """Decide what a page says; a joined browser speaks for its player only, where he sits now."""
        try:
            body = spoken_by(given.player, given.name, given.body, self.state.seats)
        except Refused as refusal:
            return refused(refusal.code, **refusal.params)
        return self._handle(TableInput(given.name, None, body, "page", given.role))

    def _edge(self, line: str, level: int) -> None:
        if line == "estop":
            self._estop(level)
        elif line.startswith("seat"):
            side = int(line.removeprefix("seat"))
            self._pressed(side, self._keys[side].edge(level, self._now))
        elif line.startswith("lamp"):
            sense = list(self.live.sense or (0, 0, 0, 0))
            sense[int(line.removeprefix("lamp")) - 1] = int(level)
            self.live = replace(self.live, sense=(sense[0], sense[1], sense[2], sense[3]))

    def _estop(self, level: int) -> None:
        self.live = replace(self.live, estop=bool(level))
        if level:
            self.live = self._orders.issue(self.live, Order("stop", "stop", moves=False), self._now)
            given = brain_fault("fault.estop", origin="gpio")
            self._handle(replace(given, body={**given.body, "severity": "latched"}))

    def _pressed(self, side: int, press: str | None) -> None:
        if press is not None:
            seat = self.state.seat_at(side)
            self._handle(TableInput(f"seat_{press}", seat, {"side": side}, "key"))

    # ------------------------------------------------------------------ photos and time

    def _photo_over(self, effect_id: str, given: TableInput) -> None:
        if effect_id != self._photo_id:
            return
        self._photo_id = None
        self.live = replace(self.live, photo=None)
        self._handle(given)

    def _photo_missed(self, effect_id: str, why: str) -> None:
        if self.live.photo is not None:
            body = {"purpose": self.live.photo.purpose, "why": why}
            self._photo_over(effect_id, TableInput("photo_failed", None, body, "camera"))

    def _clock(self) -> None:
        for side, key in self._keys.items():
            self._pressed(side, key.tick(self._now))
        self._heard(self._orders.tick(self.live, self._now))
        for name in [name for name, at in self._timers.items() if self._now >= at]:
            del self._timers[name]
            self._handle(TableInput("timer", None, {"timer": name}, "clock"))
        if self._photo_id is not None and self._now >= self._photo_until:
            self._photo_missed(self._photo_id, "timeout")

    # ------------------------------------------------------------------ deciding

    def _handle(self, given: TableInput) -> Decision:
        made = decide(self.world, given)
        if made.ok:
            self._apply(made)
            self._settle()
        elif given.source == "key":
            self.live = self.live.noting(made.code, **made.params)
        return made

    def _apply(self, made: Decision) -> None:
        before, phase = self.live.notices, self.state.phase
        for fact in made.facts:
            self.state = apply_fact(self.state, fact)
            if fact.kind not in COMMUTING:
                self._basis = self.state.seq
            self._facts.append(fact)
        self.live = made.live or self.live
        if self.state.phase is not phase:
            new = tuple(notice for notice in self.live.notices if notice not in before)
            self.live = replace(self.live, notices=new)
        for order in made.orders:
            self.live = self._orders.issue(self.live, order, self._now)

    def _settle(self) -> None:
        """Go on until nothing more follows from what is known."""
        for _ in range(ROUNDS_MAX):
            made = advance(self.world)
            if made is not None:
                self._apply(made)
                continue
            follow = self._reconcile(due(self.world))
            if follow is None:
                return
            made = decide(self.world, follow)
            self._apply(made)
        raise RuntimeError(f"no rest in phase {self.state.phase}, step {self.state.step}")

    def _reconcile(self, want: Due) -> TableInput | None:
        """Bring orders, photo and timers in line with what is due; returns an input where that fails."""
        for name in [name for name in self._timers if name not in dict(want.timers)]:
            del self._timers[name]
        for name, after_ms in want.timers:
            self._timers.setdefault(name, self._now + after_ms)
        self.live = with_timers(self.live, self._timers, dict(want.timers))
        may = not self.live.machine.in_service
        if want.behind is not None and may and not self._orders.waits(want.behind):
            self.live = self._orders.issue(self.live, want.behind, self._now)
        return self._want_order(want.order) or self._want_photo(want.photo)

    def _want_order(self, order: Order | None) -> TableInput | None:
        live = self.live
        if order is None or live.order is not None or live.link != "up" or not live.machine.known:
            return None
        if live.machine.in_service:
            return None
        if live.machine.busy and order.moves and not (live.sets == 2 and order.name == "dice"):
            return None
        if order.key == live.done:
            return brain_fault("fault.contradiction", order=order.name) if live.done_checked else None
        if order.moves and (self.state.fault is not None or live.estop):
            return None
        if order.moves and not live.may_move:
            return brain_fault("fault.interrupted", order=order.name)
        if self._orders.waits(order):
            return None
        self.live = self._orders.issue(live, order, self._now)
        return None

    def _want_photo(self, photo: PhotoWant | None) -> TableInput | None:
        current = self.live.photo
        if (photo and photo.key) == (current and current.key):
            return None
        self._photo_id = None
        self.live = replace(self.live, photo=photo)
        if photo is None:
            return None
        if self.live.camera == "none":
            self.live = replace(self.live, photo=None)
            return TableInput("photo_failed", None, {"purpose": photo.purpose, "why": "none"}, "camera")
        self._photos += 1
        self._photo_id = f"{photo.key}#{self._photos}"
        self._photo_until = self._now + self.settings.photo_ms
        self._effects = [effect for effect in self._effects if not isinstance(effect, TakePhoto)]
        taken = TakePhoto(self._photo_id, photo.purpose, photo.side, photo.flowers)  # type: ignore[arg-type]
        self._effects.append(taken)
        return None

    def _collect(self) -> list[Effect]:
        effects: list[Effect] = []
        if self._answered is not None:
            self._effects.append(self._kept(*self._answered))
        if self._facts:
            effects.append(Commit(tuple(self._facts)))
        data = self._orders.take_output()
        if data:
            effects.append(SendBytes(data))
        return effects + self._effects

    def _kept(self, given: PageCommand, answer: Answer) -> Answer:
        """Return the answer with its row, kept for a repeat: with the facts it brought about, if any."""
        answer = replace(answer, seq=self.state.seq)
        if answer.ok and self._facts:
            self._facts[-1] = replace(self._facts[-1], press=given.press)
        self._answers.keep(given, answer)
        return answer
