"""A build that waits for tiles left out: asked for by a page (or, past us, by lift keys), and gone on with.

The machine itself keeps the order: it stands, opens the centre, and closes it again. Nothing of it is kept in
the ledger: a build that waits is still that build.
"""

from __future__ import annotations

from controller.decide.kit import Decision, World, refused
from controller.inputs import TableInput
from controller.live_values import Order


def pause(world: World, given: TableInput) -> Decision:
    """Let the build stand and open the centre."""
    return _ask(world, "building", True, "refuse.pause")


def resume(world: World, given: TableInput) -> Decision:
    """The tiles are in: close the centre and go on."""
    return _ask(world, "paused", False, "refuse.resume")


def _ask(world: World, needed: str, on: bool, code: str) -> Decision:
    live = world.live
    if live.link != "up":
        return refused("refuse.link", link=live.link)
    if live.machine.state != needed or world.state.fault is not None:
        return refused(code, phase=world.state.phase.value)
    order = Order(f"pause:{on}:{world.state.seq}", "pause", (("on", on),), moves=False)
    return Decision(orders=(order,))
