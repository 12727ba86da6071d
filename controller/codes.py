"""Every code that an answer, a notice or a reading may carry; the catalogues are checked by it."""

from __future__ import annotations

from controller.decide.table import COMMANDS

REFUSALS: tuple[str, ...] = (
    *sorted(f"refuse.{name}" for name in COMMANDS),
    "refuse.seat_short",  # keys pressed out of turn are told as notices
    "refuse.seat_long",
    "refuse.lift_key",
    "refuse.dice_key",
    "refuse.unknown",  # name
    "refuse.stale",
    "refuse.role",  # role
    "refuse.invalid",  # field
    "refuse.tiles",  # position, why
    "refuse.win_tile",
    "refuse.rules",  # reason
    "refuse.seat",  # seat: whose turn it is, or the one this browser speaks for
    "refuse.not_seated",
    "refuse.join",
    "refuse.self",  # seat
    "refuse.from",  # field
    "refuse.kong",  # tile
    "refuse.dead",  # seat: after a false win it only draws and discards
    "refuse.false_win_legal",  # seat
    "refuse.false_win_other",  # seat: whose claim is open
    "refuse.referee",  # role
    "refuse.reveal",  # seat
    "refuse.late",  # seat: who claimed in time
    "refuse.outranked",  # seat: who is nearer
    "refuse.fault",  # key
    "refuse.link",  # link, why
    "refuse.busy",  # phase
    "refuse.set_inside",
    "refuse.void_load",
    "refuse.sets_uneven",
    "refuse.correction_open",
    "refuse.agreed",  # seat
    "refuse.old",
    "refuse.no_hand",  # hand
    "refuse.not_win",  # reason
    "refuse.player_here",  # player
    "refuse.game_over",
    "refuse.estop",
    "refuse.in_service",
    "refuse.rename",
    "refuse.stopping",
)

NOTICES: tuple[str, ...] = (
    "lamp.unread",  # side
    "lamp.disagree",  # side, seen
    "dice.unsure",
    "dice.again",
    "order.refused",  # order, reason
    "machine.unknown_event",  # number
    "machine.mismatch",  # why
    "machine.programme",  # at, want, tiles
    "machine.programme_0",  # at, tiles: there is no position for them
    "kong.undeclared",  # tiles
    "kong.called",  # seat
    "claim.both",
    "claim.nearer",  # seat
    "claim.late",  # seat
    "turn.over",  # seat
    "game.kept",  # variant
    "options.differ",  # options
    "camera.none",
    "camera.down",
    "camera.frozen",
    "camera.blind",
    "camera.timeout",
    "camera.calibration",
    "camera.error",
    "camera.moved",  # mm
    "camera.measured",
    "camera.mark",  # marks
)
"""Besides these: refusals of keys, and `fault.<key>` of warnings (side, number)."""

PROBLEMS: tuple[str, ...] = (
    "hand.empty",
    "hand.flowers",
    "hand.meld",
    "hand.layout",
    "hand.win_tile",
    "hand.invalid",
    "hand.other_tile",
    "kong.undeclared",
    "kong.not_robbed",
    "tiles.fifth_copy",
    *(
        code
        for code in NOTICES
        if code.startswith("camera.") and code not in ("camera.measured", "camera.mark")
    ),
)
