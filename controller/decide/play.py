"""Deal and play: DEALING -> PLAYING; kongs, claims and drawn hands begin here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.decide import clock
from controller.decide.kit import (
    Decision,
    World,
    asked_seat,
    body_seat,
    body_text,
    optional_seat,
    refused,
    to_phase,
)
from controller.errors import Refused
from controller.facts import Fact
from controller.inputs import TableInput
from controller.judge import kong_deltas, kong_kind, win_options
from controller.live_values import Due, PhotoWant
from controller.state import SEATS, Phase
from rules.seats import Seat

DEAL_MS = 90_000
WALL_MS = 20_000
FIRST_WALL_MS = 2_000
"""The first look comes as soon as the hands are off the wall: many a hand is over before the next."""
BY = ("self_draw", "discard", "rob_kong")
FLAGS_MAX = 8


def dealt(world: World, given: TableInput) -> Decision:
    """The tiles are dealt."""
    return Decision((to_phase(Phase.PLAYING),))


def timer(world: World, given: TableInput) -> Decision:
    """The deal takes no longer than this, or the wall is due for a look."""
    if given.body["timer"] == "deal" and world.state.phase is Phase.DEALING:
        return Decision((to_phase(Phase.PLAYING),))
    if given.body["timer"].startswith("turn:"):
        return clock.rings(world)
    if given.body["timer"] in ("wall", "first_wall"):
        return Decision(live=replace(world.live, wall_due=True))
    return Decision()


def seat_short(world: World, given: TableInput) -> Decision:
    """A short press: the dealer says that the deal is over, anyone else wins on a discard."""
    seat = asked_seat(world, given)
    if world.state.phase is Phase.DEALING and seat is world.state.dealer:
        return dealt(world, given)
    return _claim(world, seat, "discard", None, (), {"seat": "key", "by": "key"})


def seat_long(world: World, given: TableInput) -> Decision:
    """Holding the key for a second means self-draw."""
    return _claim(world, asked_seat(world, given), "self_draw", None, (), {"seat": "key", "by": "key"})


def claim(world: World, given: TableInput) -> Decision:
    """A claim from a page: who, by what, from whom."""
    seat = body_seat(given.body, "seat")
    by = given.body.get("by")
    if by not in BY:
        return refused("refuse.invalid", field="by")
    payer = optional_seat(given.body, "from")
    if by == "self_draw" and payer is not None:
        return refused("refuse.invalid", field="from")
    sources = {"seat": "page", "by": "page", **({"from": "page"} if payer is not None else {})}
    return _claim(world, seat, by, payer, read_flags(given.body), sources)


def read_flags(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the flags of a claim, sorted."""
    flags = body.get("flags") or ()
    if not isinstance(flags, list | tuple) or len(flags) > FLAGS_MAX:
        raise Refused("refuse.invalid", field="flags")
    if not all(isinstance(flag, str) and 0 < len(flag) <= 40 for flag in flags):
        raise Refused("refuse.invalid", field="flags")
    return tuple(sorted(set(flags)))


def _claim(
    world: World,
    seat: Seat,
    by: str,
    payer: Seat | None,
    flags: tuple[str, ...],
    sources: Mapping[str, str],
) -> Decision:
    if payer is seat:
        return refused("refuse.self", seat=seat.value)
    if seat in world.state.dead:
        return refused("refuse.dead", seat=seat.value)
    if any((by, payer) != (win.claim.by, win.claim.from_seat) for win in world.state.agreed):
        return refused("refuse.from", field="from")
    step = "from" if by != "self_draw" and payer is None else "lay"
    facts = (claim_fact(seat, by, payer, flags, sources), to_phase(Phase.CLAIM, step))
    opens = by != "self_draw" and win_options(world.state).number("claim_window_s") > 0
    live = replace(world.live, turn=None).without("claim.both").without("claim.nearer").without("claim.late")
    taps = int(step == "from" and sources["seat"] == "key")
    return Decision(facts, replace(live, payer_counts=False, claims_open=opens, rivals=(), taps=taps))


def claim_fact(
    seat: Seat, by: str, payer: Seat | None, flags: tuple[str, ...], sources: Mapping[str, str]
) -> Fact:
    """Return the fact of a claim as far as it is known."""
    body = {
        "seat": seat.value,
        "by": by,
        "from": None if payer is None else payer.value,
        "flags": list(flags),
        "sources": dict(sources),
    }
    return Fact("claim", body)


def declare_kong(world: World, given: TableInput) -> Decision:
    """A kong is declared and paid at once, as the rules say."""
    state = world.state
    seat = asked_seat(world, given)
    if seat in state.dead:
        return refused("refuse.dead", seat=seat.value)
    kind, tile = kong_kind(given.body.get("kind")), body_text(given.body, "tile", 2)
    feeder = optional_seat(given.body, "from")
    if kind == "exposed_kong" and feeder is None:
        return refused("refuse.from", field="from")
    if feeder is seat or (kind != "exposed_kong" and feeder is not None):
        return refused("refuse.invalid", field="from")
    if any(kong.tile == tile and not kong.robbed for kong in state.kongs):
        return refused("refuse.kong", tile=tile)
    deltas = kong_deltas(state, seat, kind, tile, feeder)
    body = {
        "seat": seat.value,
        "kind": kind,
        "tile": tile,
        "from": None if feeder is None else feeder.value,
        "source": given.source,
        "deltas": deltas,
    }
    return Decision((Fact("kong", body),))


def withdraw_kong(world: World, given: TableInput) -> Decision:
    """A kong was declared by mistake: its payment is taken back, until the hand is settled.

    Which one is named by its tile; one that lies face down can go unnamed: the seat's last one is meant.
    """
    seat = asked_seat(world, given)
    tile = None if given.body.get("tile") is None else body_text(given.body, "tile", 2)
    own = [each for each in world.state.kongs if each.seat is seat and not each.robbed]
    if tile is None:
        own = [each for each in own if each.kind == "concealed_kong"][-1:]
    kong = next((each for each in own if tile in (None, each.tile)), None)
    if kong is None:
        return refused("refuse.kong", tile=tile or "")
    back = {each.value: -kong.deltas[each.index] for each in SEATS}
    body = {"seat": seat.value, "tile": kong.tile, "source": given.source, "deltas": back}
    return Decision((Fact("kong_withdrawn", body),))


def lift_key(world: World, given: TableInput) -> Decision:
    """The wall is used up, says a lift key; while the other set is built the lift keys are its pause."""
    state = world.live.machine.state
    if world.state.behind == "inside" and state in ("building", "paused"):
        return refused("refuse.lift_key", phase=world.state.phase.value)
    return washout(world, given)


def washout(world: World, given: TableInput) -> Decision:
    """The wall is used up: the others are asked to agree (all four when nobody named himself)."""
    seat = given.seat or optional_seat(given.body, "seat")
    body = {"seat": None if seat is None else seat.value, "source": given.source}
    return Decision((Fact("drawn", body), to_phase(Phase.CONFIRM)))


def photo_read(world: World, given: TableInput) -> Decision:
    """The camera counted the wall: shown, not journaled."""
    live = replace(world.live, wall_due=False, wall_shots=world.live.wall_shots + 1)
    if given.body["purpose"] == "wall":
        live = replace(live, stacks=given.reading.stacks)
    return Decision(live=live)


def photo_failed(world: World, given: TableInput) -> Decision:
    """No look at the wall this time."""
    return Decision(live=replace(world.live, wall_due=False, wall_shots=world.live.wall_shots + 1))


def due(world: World) -> Due:
    """Return the timers of deal and wall, and the wall's photo when its timer rang."""
    live = world.live
    is_dealing = world.state.phase is Phase.DEALING
    timers = (("deal", DEAL_MS),) if is_dealing else clock.timer_of(world)
    if live.camera == "none":
        return Due(timers=timers)
    if live.wall_due:
        return Due(photo=PhotoWant(f"{world.state.hand}:wall:{live.wall_shots}", "wall"), timers=timers)
    is_first = not is_dealing and live.wall_shots == 0
    return Due(timers=(*timers, ("first_wall", FIRST_WALL_MS) if is_first else ("wall", WALL_MS)))
