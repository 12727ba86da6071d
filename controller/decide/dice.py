"""Light the dealer's lamp, throw and read the dice, open the wall: DICE -> DEALING."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.decide import draws
from controller.decide.kit import Decision, World, asked_seat, refused, to_phase
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import open_wall, second_thrower
from controller.live_values import Due, Order, PhotoWant
from controller.state import Phase

SPIN_MS = 1_500
DICE_LIMIT_MS = 10_000
LAMP_LIMIT_MS = 3_000
LAMP_WAIT_MS = 10_000
PHOTO_TRIES = 3


def throw(world: World, given: TableInput) -> Decision:
    """Spin the dice for the thrower: his own dice key, or `throw`."""
    state, live = world.state, world.live
    if state.step not in ("throw", "ask"):
        return refused("refuse.throw", phase=state.phase.value, step=state.step)
    thrower = state.thrower()
    seat = asked_seat(world, given) if given.seat or "seat" in given.body else thrower
    if seat is not thrower:
        return refused("refuse.seat", seat=thrower.value)
    if live.link != "up":
        return refused("refuse.link", link=live.link)
    if state.fault is not None:
        return refused("refuse.fault", key=state.fault.key)
    live = replace(live, may_move=True, attempt=live.attempt + 1, photo_tries=0, done=None)
    return Decision((to_phase(Phase.DICE, "spin"),), live)


def set_dice(world: World, given: TableInput) -> Decision:
    """People say what the dice show."""
    state = world.state
    if state.step not in ("throw", "ask"):
        return refused("refuse.set_dice", phase=state.phase.value, step=state.step)
    pips = given.body.get("pips")
    if not isinstance(pips, list | tuple) or len(pips) != 2 or not all(_is_pip(pip) for pip in pips):
        return refused("refuse.invalid", field="pips")
    return _accept(world, (int(pips[0]), int(pips[1])), given.source, None)


def _is_pip(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 6


def photo_read(world: World, given: TableInput) -> Decision:
    """The camera saw the lamp or the dice."""
    if given.body["purpose"] == "lamp" and world.state.step == "lamp":
        return _lamp(world, given.reading.side, given.reading.score)
    if given.body["purpose"] == "dice" and world.state.step == "read":
        return _dice(world, given.reading)
    return Decision()


def photo_failed(world: World, given: TableInput) -> Decision:
    """No photo: the lamp goes unread, the dice are asked for."""
    state, live = world.state, world.live
    if live.photo_tries + 1 < PHOTO_TRIES and given.body["why"] not in ("none",):
        return Decision(live=replace(live, photo_tries=live.photo_tries + 1))
    if state.step == "lamp":
        return _lamp(world, None, None)
    return _ask(world, None, f"camera.{given.body['why']}")


def timer(world: World, given: TableInput) -> Decision:
    """The board is away for too long: the hand goes on without its lamp."""
    if given.body["timer"] == "lamp" and world.state.step == "lamp":
        return _lamp(world, None, None)
    return Decision()


def _lamp(world: World, side: int | None, score: float | None) -> Decision:
    state, live = world.state, world.live
    asked = state.side_of(state.dealer)
    lit = [index + 1 for index, level in enumerate(live.sense or ()) if level]
    sense = lit[0] if len(lit) == 1 else None
    score = None if score is None else round(float(score), 4)
    body = {"asked": asked, "side": side, "sure": side is not None, "score": score, "sense": sense}
    live = replace(live, photo_tries=0, refused=0)
    if side is None:
        live = live.noting("lamp.unread", side=asked)
    elif side != asked or (sense is not None and sense != asked):
        live = live.noting("lamp.disagree", side=asked, seen=side)
    return Decision((Fact("lamp_read", body), to_phase(Phase.DICE, "throw")), live)


def _dice(world: World, reading: Any) -> Decision:
    dice = tuple(reading.dice)
    if len(dice) == 2 and all(die.pips is not None for die in dice):
        score = round(min(float(die.score) for die in dice), 4)
        return _accept(world, (dice[0].pips, dice[1].pips), "camera", score)
    if world.live.photo_tries + 1 < PHOTO_TRIES:
        return Decision(live=replace(world.live, photo_tries=world.live.photo_tries + 1))
    return _ask(world, None, "dice.unsure")


def _ask(world: World, score: float | None, code: str) -> Decision:
    kind = "draw_throw" if world.state.is_drawing else "dice_read"
    body = {
        "seat": world.state.thrower().value,
        "pips": None,
        "source": "camera",
        "sure": False,
        "score": score,
        "next_thrower": None,
    }
    live = replace(world.live, photo_tries=0).noting(code)
    return Decision((Fact(kind, body), to_phase(Phase.DICE, "ask")), live)


def _accept(world: World, pips: tuple[int, int], source: str, score: float | None) -> Decision:
    state = world.state
    thrower = state.thrower()
    read = {"seat": thrower.value, "pips": list(pips), "source": source, "sure": True, "score": score}
    if state.is_drawing:
        return draws.accept(world, read)
    throws = (*((throw.seat, throw.pips) for throw in state.throws), (thrower, pips))
    following = second_thrower(state, throws)
    fact = Fact("dice_read", {**read, "next_thrower": None if following is None else following.value})
    live = replace(world.live, photo_tries=0)
    if following is not None:
        return Decision((fact, to_phase(Phase.DICE, "throw")), live)
    opening = open_wall(state, throws)
    return Decision((fact, Fact("wall_opened", opening), to_phase(Phase.DEALING)), live)


def advance(world: World) -> Decision | None:
    """Follow the dice box."""
    state, live = world.state, world.live
    if state.is_drawing and (gone := draws.dropped(world)) is not None:
        return gone
    if state.step == "spin" and live.order is None:
        if live.done == _spin_key(world):
            return Decision((to_phase(Phase.DICE, "read"),))
        if live.attempt == 0 or live.unsure == _spin_key(world):
            return Decision((to_phase(Phase.DICE, "throw"),), live.noting("dice.again"))
    return None


def _spin_key(world: World) -> str:
    return f"{world.state.hand}:spin:{world.live.attempt}"


def due(world: World) -> Due:
    """Return the lamp order and its photo, the spin, or the photo of the dice."""
    state, live = world.state, world.live
    shot = f"{state.hand}:{state.step}:{len(state.throws)}:{live.attempt}:{live.photo_tries}"
    match state.step:
        case "lamp" if live.link != "up" or not live.machine.known:
            return Due(timers=(("lamp", LAMP_WAIT_MS),))
        case "lamp":
            side = state.side_of(state.dealer)
            key = f"{state.hand}:lamp:{live.attempt}"
            if live.done != key and live.refused == 0 and live.machine.lamp != side:
                return Due(Order(key, "lamp", (("side", side),), moves=False, limit_ms=LAMP_LIMIT_MS))
            return Due(photo=PhotoWant(shot, "lamp"))
        case "spin" if live.attempt:
            order = Order(_spin_key(world), "dice", (("spin_ms", SPIN_MS),), limit_ms=DICE_LIMIT_MS)
            return Due(order=order)
        case "read":
            return Due(photo=PhotoWant(shot, "dice"))
        case _:
            return Due()
