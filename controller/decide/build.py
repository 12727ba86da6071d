"""Start a hand and build the walls: IDLE, SETTLED -> BUILDING (home, open, load, close, build) -> READY.

A board that started anew in the middle of a wall has lost count: the trays go up (empty), people take out
what is there, and all is built anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.decide.kit import Decision, World, refused, to_phase
from controller.decide.settle import folded
from controller.drawing import begun, dealer_by_chance, draw_due
from controller.evening import seat_facts
from controller.facts import Fact
from controller.faults import fault_code
from controller.inputs import TableInput
from controller.judge import stacks_by_side, walls_suit_any_dealer
from controller.live_values import Due, Order
from controller.state import Phase, TableState

HOME_MS = 30_000
LIFT_MS = 15_000
BUILD_MS = 240_000
PROGRAMMES = (0, 72, 108, 112, 120, 136, 144)
"""Tiles by position of the rotary switch at the machine; 0 leaves the choice to the game."""
SWITCH, SWITCH_TO_0 = "machine.programme", "machine.programme_0"
TAKE_OUT = Fact("machine_event", {"event": "take_out"})
"""Walls that nobody will play with: the trays go up, people take them out, all is built anew."""


def start(world: World, given: TableInput) -> Decision:
    """Begin the next hand: a person pressed the lift key or `start`."""
    state, live = world.state, world.live
    if state.over is not None:
        return refused("refuse.game_over")
    if live.sets == 2 and state.table and not walls_suit_any_dealer(state.table.tiles, state.table.options):
        return refused("refuse.sets_uneven")
    if state.fault is not None:
        return refused("refuse.fault", key=state.fault.key)
    if live.link != "up":
        return refused("refuse.link", link=live.link)
    draw = draw_due(state)
    if draw is not None:
        return Decision(
            (begun(draw), to_phase(Phase.DICE, "throw")), replace(live, notices=(), photo_tries=0)
        )
    chance = dealer_by_chance(state)
    made = begin_hand(replace(world, state=folded(state, chance)))
    return replace(made, facts=(*chance, *made.facts))


def begin_hand(world: World) -> Decision:
    """Begin the next hand: it is known who deals, and people sit where they should."""
    state, live = world.state, world.live
    machine = replace(live.machine, built=None)
    return Decision(
        facts=(*hand_facts(state), to_phase(Phase.BUILDING, "home")),
        live=replace(
            live, may_move=True, machine=machine, notices=(), stacks=None, boxes=(), wall_shots=0, turn=None
        ),
    )


def hand_facts(state: TableState) -> tuple[Fact, ...]:
    """Return the facts that begin the next hand, seats changed where they are due."""
    dealer, circle, run = state.upcoming or (state.dealer, state.circle, state.run)
    body = {"hand": state.hand + 1, "dealer": dealer.value, "circle": circle, "run": run}
    return (*seat_facts(state, circle, state.hand + 1), Fact("hand_started", body))


def loaded(world: World, given: TableInput) -> Decision:
    """The tiles are pushed in: lower the dome and build. Or: a half wall is taken out, begin anew."""
    if world.state.step == "empty" and world.live.machine.trays == "up":
        return Decision((to_phase(Phase.BUILDING, "open"),), replace(world.live, may_move=True))
    if world.state.step == "behind" and not world.live.may_move and world.live.link == "up":
        return Decision(live=replace(world.live, may_move=True))
    if world.state.step != "load":
        return refused("refuse.start", phase=world.state.phase.value, step=world.state.step)
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    return Decision((to_phase(Phase.BUILDING, "close"),), replace(world.live, may_move=True))


def advance(world: World) -> Decision | None:
    """Follow the machine: the step is derived from what the board says, so a restart or a fault may come."""
    state, machine = world.state, world.live.machine
    if world.live.link != "up" or not machine.known or world.live.order is not None:
        return None
    step = _step(world)
    if machine.busy and step != "behind":
        return None
    if machine.built is not None and step not in ("home", "empty") and state.behind == "out":
        return _finish(world)
    if state.behind == "built" and world.live.sets == 1 and not state.loaded and step in ("open", "load"):
        return Decision((TAKE_OUT,))
    if step == "raise":
        return Decision((to_phase(Phase.LIFTING, step),))
    if step != state.step:
        return Decision((to_phase(Phase.BUILDING, step),))
    return switch_told(world) if step == "build" else None


def switch_agrees(world: World) -> bool:
    """Return whether the rotary switch at the machine lets it build this game; what is begun goes on."""
    machine, table = world.live.machine, world.state.table
    at = machine.programme_switch
    return at == 0 or any(machine.counts) or (table is not None and PROGRAMMES[at : at + 1] == (table.tiles,))


def switch_told(world: World) -> Decision | None:
    """Tell people that the rotary switch holds the build up, and take that back once it agrees."""
    live, table = world.live, world.state.table
    is_told = any(notice.code in (SWITCH, SWITCH_TO_0) for notice in live.notices)
    if switch_agrees(world):
        return Decision(live=live.without(SWITCH).without(SWITCH_TO_0)) if is_told else None
    if is_told or table is None:
        return None
    at = live.machine.programme_switch
    if table.tiles not in PROGRAMMES:
        return Decision(live=live.noting(SWITCH_TO_0, at=at, tiles=table.tiles))
    want = PROGRAMMES.index(table.tiles)
    return Decision(live=live.noting(SWITCH, at=at, want=want, tiles=table.tiles))


def _step(world: World) -> str:
    machine = world.live.machine
    if not machine.homed or world.live.must_home:
        return "home"
    if world.state.emptying:
        return "empty"
    if world.state.behind == "inside":
        return "behind"
    if world.state.loaded:
        if machine.dome != "down":
            return "close"
        return "raise" if world.state.behind == "built" else "build"
    return "load" if machine.trays == "down" and machine.dome == "up" else "open"


def _finish(world: World) -> Decision:
    assert world.state.table is not None
    counts = world.live.machine.built or (0, 0, 0, 0)
    tiles = world.state.table.tiles
    live = replace(world.live, machine=replace(world.live.machine, built=None))
    built = Fact("build_done", {"counts": list(counts), "tiles": tiles})
    want = tuple(2 * stacks for stacks in stacks_by_side(world.state))
    if tuple(counts) == want:
        return Decision((built, to_phase(Phase.READY)), live)
    missing = missing_fault(counts, want, Phase.BUILDING, "build")
    return Decision((built, missing, to_phase(Phase.FAULT)), live)


def missing_fault(counts: Sequence[int], want: Sequence[int], phase: Phase, step: str | None) -> Fact:
    """Return the fault of a build that ended with other counts than it should."""
    return Fact(
        "fault",
        {
            "code": fault_code("fault.missing"),
            "side": next((i + 1 for i in range(4) if counts[i] != want[i]), 0),
            "key": "fault.missing",
            "severity": "stop",
            "origin": "brain",
            "detail": sum(want) - sum(counts),
            "phase": phase.value,
            "step": step,
        },
    )


def due(world: World) -> Due:
    """Return the motor order of the step."""
    state, machine, live = world.state, world.live.machine, world.live
    assert state.table is not None
    key = f"{state.hand}:{state.step}:{live.attempt}"
    match state.step:
        case "home":
            order = home_order(key)
        case "empty" if machine.trays != "up":
            order = lift_order(f"{key}:trays", "trays", "up")
        case "open" if machine.trays != "down":
            order = lift_order(f"{key}:trays", "trays", "down")
        case "open":
            order = lift_order(f"{key}:dome", "dome", "up")
        case "close":
            order = lift_order(f"{key}:dome", "dome", "down")
        case "build" if switch_agrees(world):
            sides = tuple(2 * stacks for stacks in stacks_by_side(state))
            params = (("tiles", state.table.tiles), ("sides", sides))
            order = Order(key, "build", params, limit_ms=BUILD_MS)
        case _:
            return Due()
    return Due(order=order)


def home_order(key: str) -> Order:
    """Return the order that finds all positions."""
    return Order(key, "home", limit_ms=HOME_MS)


def lift_order(key: str, target: str, direction: str) -> Order:
    """Return the order that moves the trays or the dome up or down."""
    return Order(key, "lift", (("target", target), ("direction", direction)), limit_ms=LIFT_MS)
