"""Machine orders over the link: one in flight, completed by its event, never repeated blindly.

An order whose outcome is unknown (reset, cable, silence) is forgotten; the board's STATUS is read and
`decide` derives anew what is due, or names a fault when something was moving.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller import board_config, wire
from controller.faults import fault_code
from controller.inputs import TableInput
from controller.live_values import BEHIND, Live, MachineLive, Order
from firmware_bridge import link as fb
from firmware_bridge.link import Link

BEAT_MOVING_MS = 100
BEAT_IDLE_MS = 1_000
STATUS_MS = 3_000
"""The board tells STATUS unasked (5 Hz moving, 1 Hz at rest); it is asked when none came for so long."""
OVERDUE_MS = 2_000
REFUSALS_MAX = 3
REFUSED = "order.refused"
PASSING = frozenset({"resting", "busy_memory"})
"""Reasons that pass by themselves, a hot motor's after minutes: asked again after a while, and no fault."""
PASSING_MS = 5_000


@dataclass(frozen=True, slots=True)
class Heard:
    """Live values afterwards, and inputs in table terms."""

    live: Live
    inputs: tuple[TableInput, ...] = ()


class Orders:
    """The link and what was sent over it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._tickets: dict[int, Order] = {}
        self._beat_at: int | None = None
        self._status_at: int | None = None
        self._until: int | None = None
        self._overdue = False
        self._clearing: str | None = None
        self._held: tuple[str, int] | None = None

    @property
    def counters(self) -> Mapping[str, int]:
        """Return the link's counters."""
        return wire.plain_counters(self._link.counters)

    def take_output(self) -> bytes:
        """Return the bytes to write to the port."""
        return self._link.take_output()

    def next_deadline_ms(self) -> int | None:
        """Return when `tick` is due."""
        held = None if self._held is None else self._held[1]
        times = (self._link.next_deadline_ms(), self._beat_at, self._status_at, self._until, held)
        return min((at for at in times if at is not None), default=None)

    # ------------------------------------------------------------------ the port

    def port_up(self, live: Live, now_ms: int) -> Heard:
        """The port opened: the link says hello."""
        events = self._link.connected(now_ms) or []
        return self._events(replace(live, link="connecting", why=""), events, now_ms)

    def port_down(self, live: Live, why: str, now_ms: int) -> Heard:
        """The port is gone."""
        events = self._link.disconnected(now_ms) or []
        heard = self._events(live, events, now_ms)
        lost = self._lost(heard.live, "down", why)
        return Heard(lost.live, (*heard.inputs, *lost.inputs))

    def feed(self, live: Live, data: bytes, now_ms: int) -> Heard:
        """Take bytes from the port."""
        return self._events(live, self._link.feed(data, now_ms), now_ms)

    def tick(self, live: Live, now_ms: int) -> Heard:
        """Do what time brings: retries, beats, STATUS, overdue orders."""
        if self._held is not None and now_ms >= self._held[1]:
            self._held = None
        heard = self._events(live, self._link.tick(now_ms), now_ms)
        live, inputs = heard.live, list(heard.inputs)
        if live.link == "up":
            if self._beat_at is not None and now_ms >= self._beat_at:
                self._link.beat(now_ms)
                self._beat_at = now_ms + (BEAT_MOVING_MS if is_moving(live) else BEAT_IDLE_MS)
            if self._status_at is not None and now_ms >= self._status_at:
                self._ask_status(live, now_ms)
        if live.machine.state == "paused" and live.order is not None and live.order.name == "build":
            self._until = now_ms + live.order.limit_ms  # people look for tiles as long as they like
        if self._until is not None and now_ms >= self._until:
            over = self._order_overdue(live, now_ms)
            live, inputs = over.live, [*inputs, *over.inputs]
        return Heard(live, tuple(inputs))

    # ------------------------------------------------------------------ sending

    def waits(self, order: Order) -> bool:
        """Return whether the board has just refused such an order for a reason that passes."""
        return self._held is not None and self._held[0] == order.name

    def issue(self, live: Live, order: Order, now_ms: int) -> Live:
        """Send an order; one that is waited for becomes `live.order`."""
        if order.name == "stop":
            self._link.stop(now_ms)
            return live
        if order.name == "status":
            self._ask_status(live, now_ms)
            return live
        ticket = self._link.send(wire.message_for(order), now_ms)
        self._tickets[ticket] = order
        if order.name in wire.ASIDE:
            self._clearing = "sent" if order.name == "clear_fault" else self._clearing
            return live
        if order.key.startswith(BEHIND):
            self._link.beat(now_ms)
            self._beat_at = now_ms + BEAT_MOVING_MS
            return replace(live, behind=order.key, behind_taken=False)
        self._until, self._overdue = now_ms + order.limit_ms, False
        if order.moves:
            self._link.beat(now_ms)
            self._beat_at = now_ms + BEAT_MOVING_MS
        return replace(live, order=order, accepted=False)

    def _ask_status(self, live: Live, now_ms: int) -> None:
        if not any(order.name == "status" for order in self._tickets.values()):
            order = Order("status", "status", moves=False)
            self._tickets[self._link.send(wire.message_for(order), now_ms)] = order
        self._status_at = now_ms + STATUS_MS

    # ------------------------------------------------------------------ hearing

    def _events(self, live: Live, events: list[Any], now_ms: int) -> Heard:
        inputs: list[TableInput] = []
        for event in events:
            heard = self._event(live, event, now_ms)
            live = heard.live
            inputs += heard.inputs
        if live.order is None:
            self._until = None
        return Heard(live, tuple(inputs))

    def _event(self, live: Live, event: Any, now_ms: int) -> Heard:
        match event:
            case fb.Ready():
                self._beat_at = now_ms
                machine = replace(live.machine, known=False, boot_id=event.hello.boot_id)
                live = replace(live, link="up", why="", machine=machine).without("machine.mismatch")
                self._ask_status(live, now_ms)
                question = board_config.question(event.hello)
                return Heard(live if question is None else self.issue(live, question, now_ms))
            case fb.Received():
                return self._observed(live, wire.observe(live, event.message), now_ms)
            case fb.Status():
                return self._observed(live, wire.observe(live, event.message), now_ms)
            case fb.Done():
                return self._done(live, event, now_ms)
            case fb.Refused():
                return self._refused(live, event, now_ms)
            case fb.Failed():
                return self._failed(live, event, now_ms)
            case fb.Rebooted():
                return self._rebooted(live, wire.reboot_of(event))
            case fb.Lost():
                return self._lost(live, "down", "lost")
            case fb.Unknown():
                return Heard(live.noting("machine.unknown_event", number=f"{event.code:02X}"))
            case fb.Mismatch():
                live = live.noting("machine.mismatch", why=str(event.why))
                return Heard(replace(live, link="mismatch", why=str(event.why)))
        return Heard(live)

    def _observed(self, live: Live, seen: wire.Observed, now_ms: int) -> Heard:
        live = replace(seen.live, may_move=seen.live.may_move and not seen.live.machine.in_service)
        inputs = seen.inputs
        order = live.order
        if order is not None and seen.completes is not None and completes(order, seen.completes):
            live = self._complete(live, order)
        if seen.is_status and live.behind is not None and live.behind_taken and not live.machine.busy:
            was_home = live.behind.endswith("home") and live.machine.homed
            live = replace(live, behind=None, must_home=live.must_home and not was_home)
        if any(each.name == "fault_cleared" for each in inputs):
            if self._clearing is None:  # nobody asked: only a person clears a fault
                inputs = tuple(each for each in inputs if each.name != "fault_cleared")
            self._clearing = None
        if seen.is_status:
            self._status_at = now_ms + STATUS_MS
            if live.order is None and live.done is not None:
                live = replace(live, done_checked=True)
            if self._clearing == "answered":
                self._clearing = None
                if not live.machine.fault and not live.machine.stopped:
                    inputs = (*inputs, TableInput("fault_cleared", source="machine"))
        return Heard(live, inputs)

    def _complete(self, live: Live, order: Order) -> Live:
        self._until = None
        return replace(live, order=None, accepted=False, done=order.key, done_checked=False, refused=0)

    def _done(self, live: Live, event: Any, now_ms: int) -> Heard:
        order = self._tickets.pop(event.ticket, None)
        if order is None:
            return Heard(live)
        heard = self._observed(live, wire.observe(live, event.response), now_ms)
        live = heard.live
        if order.name == board_config.READ:
            correction = board_config.correction(event.response, live.sets)
            live = live if correction is None else self.issue(live, correction, now_ms)
        if order.name == board_config.CHANGE:
            store = board_config.change(event.response, order)
            if store is None:
                live = wire.answered(live, board_config.STORE, reason="changed")
            else:
                live = self.issue(live, store, now_ms)
        if order.name in wire.TOLD:
            live = wire.answered(live, order.name, reason="none")
        if any(each.code == REFUSED and each.params["order"] == order.name for each in live.notices):
            live = live.without(REFUSED)  # what stood in the way is over
        if order.name == "clear_fault" and self._clearing:
            self._clearing = "answered"
            self._ask_status(live, now_ms)
        if live.order is not None and live.order.key == order.key:
            live = replace(live, accepted=True)
            if order.name in wire.DONE_ON_ACK:
                live = self._complete(wire.acknowledged(live, order), order)
        if live.behind == order.key:
            live = replace(live, behind_taken=True, behind_refused=0)
            self._ask_status(live, now_ms)
        return Heard(live, heard.inputs)

    def _refused(self, live: Live, event: Any, now_ms: int) -> Heard:
        order = self._tickets.pop(event.ticket, None)
        if order is None or order.name == "status" or order.name in wire.CONFIG:
            return Heard(live)
        reason = str(event.reason_key)
        if order.name == "clear_fault":
            self._clearing = "answered"
            self._ask_status(live, now_ms)
        if order.name in wire.TOLD:
            return Heard(wire.answered(live, order.name, reason=reason))
        if order.name == "ask" and reason == "busy_memory":  # for a moment: who asked asks again
            return Heard(wire.answered(live, order.get("question"), busy=True))
        live = live.noting(REFUSED, order=order.name, reason=reason)
        counted = reason not in PASSING
        if not counted:
            self._held = (order.name, now_ms + PASSING_MS)
        if live.behind == order.key:
            refused = live.behind_refused + counted
            machine = replace(live.machine, known=False)
            live = replace(live, behind=None, behind_refused=refused % REFUSALS_MAX, machine=machine)
            self._ask_status(live, now_ms)
            return Heard(live, _refused_fault(event) if counted and refused == REFUSALS_MAX else ())
        if live.order is None or live.order.key != order.key:
            return Heard(live)
        live = replace(live, order=None, accepted=False, refused=live.refused + counted)
        live = replace(live, machine=replace(live.machine, known=False))
        self._until = None
        self._ask_status(live, now_ms)
        is_fault = counted and order.moves and live.refused >= REFUSALS_MAX
        return Heard(live, _refused_fault(event) if is_fault else ())

    def _failed(self, live: Live, event: Any, now_ms: int) -> Heard:
        order = self._tickets.pop(event.ticket, None)
        if order is not None and order.name == "clear_fault" and event.why == "stopped":
            self._clearing = None
        if order is not None and live.behind == order.key:
            live = replace(live, behind=None)
        elif order is None or live.order is None or live.order.key != order.key:
            return Heard(live)
        else:
            live = replace(live, order=None, accepted=False, unsure=order.key)
            self._until = None
        live = replace(live, machine=replace(live.machine, known=False))
        if order.moves and event.why != "stopped":  # a stop is told by the board, with its name
            key = "fault.reset" if event.why == "reset" else "fault.link"
            return Heard(live, (brain_fault(key, origin="link"),))
        if live.link == "up":
            self._ask_status(live, now_ms)
        return Heard(live)

    def _order_overdue(self, live: Live, now_ms: int) -> Heard:
        order = live.order
        if order is None:
            self._until = None
            return Heard(live)
        if not self._overdue:
            self._overdue, self._until = True, now_ms + OVERDUE_MS
            if live.link == "up":
                self._ask_status(live, now_ms)
            return Heard(live)
        self._until = None
        live = replace(live, order=None, accepted=False, unsure=order.key, refused=live.refused + 1)
        live = replace(live, machine=replace(live.machine, known=False))
        if order.moves:
            return Heard(live, (brain_fault("fault.timeout", order=order.name),))
        return Heard(live)

    def _rebooted(self, live: Live, body: dict[str, Any]) -> Heard:
        order, was_moving = live.order, is_moving(live)
        self._tickets.clear()
        self._until, self._clearing = None, None
        machine = MachineLive(boot_id=body.get("boot_id"))
        unsure = order.key if order else live.unsure
        live = replace(live, machine=machine, order=None, accepted=False, unsure=unsure, may_move=False)
        live = replace(live, behind=None)
        if was_moving:
            return Heard(live, (brain_fault("fault.reset", origin="link", cause=body.get("cause")),))
        return Heard(live, (TableInput("rebooted", body=body, source="machine"),))

    def _lost(self, live: Live, link: str, why: str) -> Heard:
        was_moving, order = is_moving(live), live.order
        self._tickets.clear()
        self._until = self._beat_at = self._status_at = None
        self._clearing = None
        unsure = order.key if order else live.unsure
        live = replace(live, link=link, why=why, order=None, accepted=False, unsure=unsure, may_move=False)
        live = replace(live, behind=None)
        live = replace(live, machine=replace(live.machine, known=False, busy=False))
        return Heard(live, (brain_fault("fault.link", origin="link"),) if was_moving else ())


def is_moving(live: Live) -> bool:
    """Return whether a motor may be running: the beat is fast then."""
    return live.machine.busy or live.behind is not None or (live.order is not None and live.order.moves)


def completes(order: Order, what: tuple[str, ...]) -> bool:
    """Return whether an event such as ("lift", "trays", "up") completes the order."""
    return (
        order.name == what[0] and tuple(str(value) for _, value in order.params)[: len(what) - 1] == what[1:]
    )


def _refused_fault(event: Any) -> tuple[TableInput, ...]:
    reason, code = str(event.reason_key), int(event.reason_code)
    return (brain_fault("fault.refused", detail=code, reason=reason),)


def brain_fault(key: str, *, origin: str = "brain", detail: int = 0, **more: Any) -> TableInput:
    """Return a fault that the service itself names."""
    body = {"code": fault_code(key), "side": 0, "key": key, "severity": "stop", "origin": origin}
    return TableInput("machine_fault", body={**body, "detail": detail, **more}, source="machine")
