"""Inputs that every phase takes: restart, stop, self-test, and machine news that is only noted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from controller.board_config import CHANGE, CONFIG_KEYS
from controller.decide.build import TAKE_OUT
from controller.decide.fault import stop_standing
from controller.decide.kit import Decision, World, refused
from controller.drawing import reseat_thrower
from controller.facts import Fact
from controller.fold import apply_fact
from controller.inputs import TableInput
from controller.judge import stacks_by_side
from controller.live_values import Order
from controller.questions import QUESTIONS
from controller.state import SEATS, Phase, TableState

RESTING = frozenset({Phase.IDLE, Phase.READY, Phase.SETTLED, Phase.FAULT})
NEEDS = {
    "ask": ("question",),
    "service": ("on",),
    "lamp_test": ("lamps", "run_ms"),
    "configure": ("values", "was"),
}
"""What a technician's command must say; the pages see to it, others may not."""
TECHNICAL_ROLES = frozenset({"technician", "owner"})


def restarted(world: World, given: TableInput) -> Decision:
    """Start a game on an empty journal; a game that is there goes on as it was agreed, scores and options.

    What the settings now say differently is told; it counts from the next `new_game`. Options that only one
    of game and settings knows belong to another version and are no difference.
    """
    made = _as_agreed(world, given.body)
    if not (world.live.is_fresh and world.state.behind != "out"):
        return made
    fresh = Fact("machine_event", {"event": "fresh_table"})
    return replace(made, facts=(fresh, *made.facts))


def _as_agreed(world: World, wanted: Mapping[str, Any]) -> Decision:
    game, live = world.state.table, replace(world.live, wanted=wanted)
    if game is None:
        return Decision((game_started(wanted),), live)
    if game.variant != wanted["variant"]:
        return Decision(live=live.noting("game.kept", variant=game.variant))
    differ = _differ(wanted["options"], game.options) + _differ(wanted.get("procedure", {}), game.procedure)
    return Decision(live=live.noting("options.differ", options=", ".join(differ)) if differ else live)


def _differ(wanted: Mapping[str, Any], agreed: Mapping[str, Any]) -> list[str]:
    return [key for key, value in wanted.items() if agreed.get(key, value) != value]


def new_game(world: World, given: TableInput) -> Decision:
    """Somebody in charge asks for a new game by the settings of now: all scores begin at 0.

    Once a game has ended anybody at the table may.
    """
    state, live = world.state, world.live
    if given.role not in TECHNICAL_ROLES and state.over is None:
        return refused("refuse.role", role=given.role)
    if state.fault is not None:
        return refused("refuse.fault", key=state.fault.key)
    facts: tuple[Fact, ...] = (game_started(live.wanted, state),)
    if state.behind != "out" and not state.emptying and _walls_differ(state, facts[0]):
        if state.behind == "inside":
            return refused("refuse.set_inside")
        facts = (*facts, TAKE_OUT)
    fresh = replace(live, attempt=live.attempt + 1, done=None, notices=())
    return Decision(facts, fresh)


def _walls_differ(state: TableState, game: Fact) -> bool:
    """Return whether the new game needs other walls than those that stand in the machine."""
    return state.table is None or stacks_by_side(state) != stacks_by_side(apply_fact(state, game))


def game_started(wanted: Any, before: TableState | None = None) -> Fact:
    """Return the fact of a new game: everyone at 0, E deals, seats E S W N at sides 1 to 4.

    Whoever sat there when the game before ended still does; a place that is empty is a new guest's.
    """
    players = [place.player for place in before.seats] if before and before.table else [""] * len(SEATS)
    guests = count(1 + (before.guests if before and before.table else 0))
    taken = [player or f"p{next(guests)}" for player in players]
    seats = {seat.value: {"side": seat.index + 1, "player": taken[seat.index]} for seat in SEATS}
    thrower = None if before is None else reseat_thrower(before)
    again = {} if thrower is None else {"reseat_by": thrower.value}
    return Fact("game_started", {**wanted, "dealer": "E", "seats": seats, **again})


def stop(world: World, given: TableInput) -> Decision:
    """Stop all motors now, whatever goes on; the board latches and a person clears it."""
    return Decision(
        (Fact("machine_event", {"event": "stop", "source": given.source}), *stop_standing(world)),
        replace(world.live, may_move=False),
        orders=(Order("stop", "stop", moves=False),),
    )


def technical(world: World, given: TableInput) -> Decision:
    """Self-test and reading of inputs, for technicians, while nothing moves."""
    against = _not_for(world, given)
    if against is not None:
        return against
    if world.state.phase not in RESTING or world.live.order is not None:
        return refused(f"refuse.{given.name}", phase=world.state.phase.value)
    name = "selftest" if given.name == "selftest" else "inputs"
    return Decision(orders=(_question(name, 0, moves=name == "selftest"),))


def _question(name: str, argument: int, *, moves: bool = False) -> Order:
    return Order(f"ask:{name}", "ask", (("question", name), ("argument", argument)), moves=moves)


def ask(world: World, given: TableInput) -> Decision:
    """A technician's question to the board, at any time; the self-test is for between hands, as ever."""
    against = _not_for(world, given)
    if against is not None:
        return against
    question = QUESTIONS.get(str(given.body["question"]))
    argument = int(given.body.get("argument", 0))
    if question is None or not question.least <= argument <= question.most:
        return refused("refuse.ask", question=given.body["question"], argument=argument)
    if question.name == "selftest":
        return technical(world, replace(given, name="selftest"))
    return Decision(orders=(_question(question.name, argument),))


def service(world: World, given: TableInput) -> Decision:
    """A technician takes the machine between hands, or gives it back; it is a fact once the board says so."""
    against = _not_for(world, given)
    if against is not None:
        return against
    wanted = bool(given.body["on"])
    if wanted and (world.state.phase not in RESTING or world.live.order is not None):
        return refused("refuse.service", phase=world.state.phase.value)
    params = (("on", wanted), ("code", int(given.body.get("code", 0))))
    return Decision(orders=(Order("service", "service", params, moves=False),))


def configure(world: World, given: TableInput) -> Decision:
    """A technician changes values of the board's configuration, at rest; the rest of them stays as it is."""
    against = _not_for(world, given)
    if against is not None:
        return against
    if world.state.phase not in RESTING or world.live.order is not None:
        return refused("refuse.configure", phase=world.state.phase.value)
    values = {name: int(value) for name, value in given.body["values"].items()}
    if not values or not values.keys() <= set(CONFIG_KEYS):
        return refused("refuse.configure", phase=world.state.phase.value)
    params = (("was", int(given.body["was"])), *values.items())
    event = Fact("machine_event", {"event": "configure", "keys": sorted(values), "source": given.source})
    return Decision((event,), orders=(Order(CHANGE, CHANGE, params, moves=False),))


def lamp_test(world: World, given: TableInput) -> Decision:
    """Light lamps for a while, between hands: the camera reads the dealer's lamp in one."""
    against = _not_for(world, given)
    if against is not None:
        return against
    if world.state.phase not in RESTING:
        return refused("refuse.lamp_test", phase=world.state.phase.value)
    params = tuple((name, int(given.body[name])) for name in ("lamps", "run_ms"))
    return Decision(orders=(Order("lamp_test", "lamp_test", params, moves=False),))


def _not_for(world: World, given: TableInput) -> Decision | None:
    """Return the refusal for people who are no technicians and tables without a board."""
    if given.role not in TECHNICAL_ROLES:
        return refused("refuse.role", role=given.role)
    if world.live.link != "up":
        return refused("refuse.link", link=world.live.link)
    missing = [field for field in NEEDS.get(given.name, ()) if field not in given.body]
    return refused("refuse.invalid", field=missing[0]) if missing else None


def noted(world: World, given: TableInput) -> Decision:
    """Nothing to decide: live values have taken it over."""
    return Decision()


def rebooted(world: World, given: TableInput) -> Decision:
    """The board started anew while nothing of ours moved: noted in the journal."""
    return Decision((Fact("machine_event", {"event": "rebooted", **given.body}),))


def told(world: World, given: TableInput) -> Decision:
    """News of the machine for the technician, kept in the journal."""
    return Decision((Fact("machine_event", dict(given.body)),))


def photo_put_aside(world: World, given: TableInput) -> Decision:
    """A photo that this phase did not ask for."""
    return Decision(live=replace(world.live, wall_due=False))
