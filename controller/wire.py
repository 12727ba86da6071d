"""Between wire messages and table terms: orders -> messages, events and STATUS -> live values and inputs.

The only module of the controller that knows message classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller import board_config
from controller.bits import named_bits
from controller.faults import fault_input
from controller.inputs import TableInput
from controller.live_values import Live, MachineLive, Order
from controller.questions import BY_ANSWER, QUESTIONS
from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.wire import Message

TOLD = frozenset({"service", "lamp_test", board_config.STORE})
"""Orders of a technician: whether the board took them stands among the answers."""
CONFIG = frozenset({board_config.READ, board_config.WRITE, board_config.CHANGE})
ASIDE = frozenset({"clear_fault", "ask", "pause", *TOLD, *CONFIG})
"""Orders that nobody waits for: they are answered, not followed by an event."""
DONE_ON_ACK = frozenset({"lamp"})
BUSY = frozenset({m.State.homing, m.State.building, m.State.lifting, m.State.paused})
"""In a pause the dome may move at any time, at the touch of a key: the host beats as if something moved."""
BUILT = frozenset({m.State.ready})
LATCHED = {m.State.safe: "fault.heartbeat", m.State.estop: "fault.estop", m.State.stopped: "fault.stop"}


@dataclass(frozen=True, slots=True)
class Observed:
    """What a message means: live values after it, inputs, and the order it completes, if any."""

    live: Live
    inputs: tuple[TableInput, ...] = ()
    completes: tuple[str, ...] | None = None
    is_status: bool = False


_MESSAGES: dict[str, Callable[[Order], Message]] = {
    "status": lambda order: m.GetStatus(),
    "home": lambda order: m.Home(),
    "build": lambda order: m.Build(order.get("tiles"), *dict(order.params).get("sides", ())),
    "pause": lambda order: m.Pause(order.get("on")),
    "lift": lambda order: m.Lift(m.Target[order.get("target")], m.Direction[order.get("direction")]),
    "dice": lambda order: m.Dice(order.get("spin_ms")),
    "lamp": lambda order: m.Lamp(order.get("side")),
    board_config.READ: lambda order: m.ReadConfig(),
    board_config.CHANGE: lambda order: m.ReadConfig(),
    board_config.WRITE: lambda order: m.WriteConfig(*(value for _, value in order.params)),
    board_config.STORE: lambda order: m.WriteConfig(*(value for _, value in order.params)),
    "clear_fault": lambda order: m.ClearFault(0),  # the link names the stop that it knows of
    "ask": lambda order: QUESTIONS[order.get("question")].command(order.get("argument")),
    "service": lambda order: m.Service(order.get("on"), order.get("code")),
    "lamp_test": lambda order: m.LampTest(order.get("lamps"), order.get("run_ms")),
}
ORDERS = frozenset(_MESSAGES)


def message_for(order: Order) -> Message:
    """Return the command of an order."""
    return _MESSAGES[order.name](order)


def acknowledged(live: Live, order: Order) -> Live:
    """Return live values after an order that is done when it is answered."""
    return replace(live, machine=replace(live.machine, lamp=order.get("side")))


def plain_counters(counters: Mapping[str, int]) -> dict[str, int]:
    """Return the link's counters with their prefix."""
    return {f"link_{name}": int(value) for name, value in counters.items()}


def board_counters(status: m.StatusReport) -> dict[str, int]:
    """Return the board's counters with their prefix."""
    names = ("frames", "crc_errors", "cobs_errors", "overruns", "duplicates", "events_lost")
    return {f"board_{name}": int(getattr(status, name)) for name in names}


def reboot_of(event: fb.Rebooted) -> dict[str, Any]:
    """Return boot and cause of a restart of the board."""
    return {"boot_id": int(event.boot_id), "cause": str(event.cause)}


def observe(live: Live, message: Message) -> Observed:
    """Return what an event, a response or STATUS means in table terms."""
    machine = live.machine
    match message:
        case m.StatusReport():
            return _status(live, message)
        case m.Key(key, pressed):
            return Observed(live, (_key(key),) if pressed and not machine.in_service else ())
        case m.Count(side, tiles):
            counts = list(machine.counts)
            if 1 <= side <= 4:
                counts[side - 1] = tiles
            return Observed(_with(live, counts=_four(counts)))
        case m.BuildDone():
            counts = [message.count_1, message.count_2, message.count_3, message.count_4]
            live = _with(live, counts=_four(counts), built=_four(counts), busy=False)
            return Observed(live, completes=("build",))
        case m.LiftDone(target, direction):
            where: dict[str, Any] = {target.name: direction.name} if target.name in ("trays", "dome") else {}
            if where.get("trays") == "up":
                where["built"] = None
            return Observed(_with(live, busy=False, **where), completes=("lift", target.name, direction.name))
        case m.HomeDone():
            live = _with(live, homed=True, trays="down", dome="down", busy=False)
            return Observed(replace(live, must_home=False), completes=("home",))
        case m.DiceDone():
            return Observed(live, completes=("dice",))
        case m.StateChanged(state):
            inputs = (*_latched(live, state), *_service(machine, state))
            return Observed(_with(live, state=state.name, busy=state in BUSY), inputs)
        case m.Fault(code, side, detail):
            return Observed(_with(live, busy=False), (fault_input(code, side, detail),))
        case m.FaultCleared():
            return Observed(_with(live, fault=0), (TableInput("fault_cleared", source="machine"),))
        case m.Stopped():
            return Observed(_with(live, busy=False))
        case m.SelfTestReport(ran, failed, stack_free):
            body = {"event": "selftest", "ran": ran, "failed": failed}
            inputs = (TableInput("machine_event", body=body, source="machine"),)
            return Observed(answered(live, "selftest", ran=ran, failed=failed, stack_free=stack_free), inputs)
    question = BY_ANSWER.get(type(message))
    if question is not None:
        return Observed(answered(live, question.name, **question.told(message)))
    return Observed(live)


def answered(live: Live, name: str, **told: Any) -> Live:
    """Return live values with an answer and its number: who asked knows by it that the answer is new."""
    before = live.machine.answers.get(name)
    number = 1 + (0 if before is None else int(before["number"]))
    return _with(live, answers={**live.machine.answers, name: {"number": number, **told}})


def _status(live: Live, status: m.StatusReport) -> Observed:
    before = live.machine
    counts = (status.count_1, status.count_2, status.count_3, status.count_4)
    built = before.built if status.state in BUILT or status.state in BUSY else None
    if status.state in BUILT and live.order is None and sum(counts) == status.tiles:
        built = counts
    machine = replace(
        before,
        known=True,
        homed=bool(status.homed),
        trays=_place(status.trays),
        dome=_place(status.dome),
        state=status.state.name,
        busy=status.state in BUSY,
        fault=status.fault,
        fault_side=status.side,
        stopped=bool(status.stopped),
        counts=counts,
        built=built,
        lamp=status.lamp,
        uptime_ms=status.uptime_ms,
        sensors={**named_bits("sensors", status.sensors), **named_bits("keys", status.keys)},
        actuators=named_bits("actuators", status.actuators),
        counters=board_counters(status),
        programme_switch=status.programme_switch,
    )
    after = replace(live, machine=machine)
    inputs = (fault_input(status.fault, status.side, 0),) if status.fault else _latched(live, status.state)
    return Observed(after, (*inputs, *_service(before, status.state)), is_status=True)


def _latched(live: Live, state: m.State) -> tuple[TableInput, ...]:
    """Return the fault of a board that has latched without a fault number."""
    key = LATCHED.get(state)
    return () if key is None else (fault_input(0, 0, 0, key=key),)


def _service(before: MachineLive, state: m.State) -> tuple[TableInput, ...]:
    """Return the news that a technician has the machine, or has given it back, however that came about."""
    is_on = state is m.State.service
    if is_on == before.in_service:
        return ()
    body = {"event": "service", "on": is_on}
    return (TableInput("machine_event", body=body, source="machine"),)


def _key(key: m.KeyId) -> TableInput:
    if key.name.startswith("dice_"):
        return TableInput("dice_key", body={"side": int(key.name.removeprefix("dice_"))}, source="key")
    return TableInput("lift_key", body={"key": key.name}, source="key")


def _place(position: m.Position) -> str | None:
    return position.name if position in (m.Position.down, m.Position.up) else None


def _four(counts: list[int]) -> tuple[int, int, int, int]:
    one, two, three, four = (int(count) for count in counts)
    return one, two, three, four


def _with(live: Live, **changes: Any) -> Live:
    machine: MachineLive = replace(live.machine, **changes)
    return replace(live, machine=machine)
