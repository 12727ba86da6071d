"""The rows of the campaign of faults: how each is brought about, what is to be told and when, and what is not
simulated and why."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge import messages as m


@dataclass(frozen=True, slots=True)
class Row:
    """How one fault is brought about."""

    name: str
    """Name in hardware/twin/plant/breakage.py, or of a way in faults.py."""
    code: int
    """Number on side 1; side n of a fault of one side is code + n - 1."""
    within_ms: int
    """Latest after it is felt: after it first makes a difference on the table, or as `felt` says."""
    during: str = "build"
    felt: str = "when it makes a difference"
    one_side: bool = True
    same_code: bool = False
    """The number is the same for all sides."""
    side_told: bool = True
    first: int = 0
    """Number (on side 1) of what is told first: the board has noticed and does something about it."""
    first_ms: int = 0
    """Latest after it is felt for that."""
    freed: bool = False
    """The board gets over it by itself."""


HELD = "when it is held"
BACK, BACK_MS = 361, 1_000
"""A jam is noticed within a second; the turns back before it is a fault take about as long again."""
ROWS = (
    Row("jam", 301, 3_000, first=BACK, first_ms=BACK_MS),
    Row("jam_light", BACK, BACK_MS, freed=True),
    Row("feed_stuck", 301, 3_000, felt=HELD, first=BACK, first_ms=BACK_MS),
    Row("feed_stuck_light", BACK, BACK_MS, felt=HELD, freed=True),
    Row("stacker_stuck", 311, 3_000, felt=HELD, first=BACK, first_ms=BACK_MS),
    Row("stacker_stuck_light", BACK, BACK_MS, felt=HELD, freed=True),
    Row("stacker_open", 311, 3_000, felt="when it is ordered"),
    Row("feed_open", 315, 3_000, felt="when it is ordered"),
    Row("count_silent", 321, 3_000, felt="when tiles that nobody counted back up (the third one)"),
    Row("count_stuck", 331, 3_000),
    Row("count_noisy", 331, 3_000),
    Row("dirt", 321, 3_000, felt="when tiles that nobody counted back up (the third one)"),
    Row("light", 331, 3_000, felt="the shining in"),
    Row("extra_tile", 342, 3_000, same_code=True),
    Row("mixed_set", 342, 3_000, one_side=False, side_told=False),
    Row("missing_tile", 341, 15_500, felt="the last tile counted (15 s without one, as the guide has it)",
        one_side=False, side_told=False),
    Row("switch_turned", 343, 3_000, felt="the turning", one_side=False),
    Row("slow_ring", 351, 80_500, felt="the start of the build (80 s, as the guide has it)", one_side=False),
    Row("crawling_ring", 352, 200_500, felt="the start of the build (200 s)", one_side=False,
        first=351, first_ms=80_500),
    Row("tray_stuck", 401, 3_000, "trays_up", felt="when the tray should have been up"),
    Row("tray_limit_held", 405, 3_000, "trays_up", felt="the order", same_code=True),
    Row("dome_stuck", 411, 3_000, "dome_up", felt=HELD, one_side=False),
    Row("dome_stuck_up", 412, 3_000, "dome_down", felt=HELD, one_side=False),
    Row("dome_limit_held", 406, 3_000, "dome_up", felt="when the dome should be half up",
        one_side=False),
    Row("dice_stuck", 421, 3_000, "dice", felt="the throw", one_side=False),
    Row("dice_open", 421, 3_000, "dice", felt="the throw", one_side=False),
    Row("key_stuck", 501, 10_500, "rest", felt="the pressing (10 s, as the guide has it)", same_code=True),
    Row("supply_low", 102, 300, felt="the drop", one_side=False),
    Row("turn_stuck", 103, 1_000, felt=HELD, one_side=False),
    Row("ring_stuck", 103, 1_000, felt=HELD, one_side=False),
    Row("driver_shorted", 104, 1_000, "rest", felt="the short", one_side=False),
    Row("hot", 511, 300, felt="the heat", one_side=False),
    Row("lid_open", 601, 100, felt="the opening", one_side=False),
    Row("estop", 602, 100, felt="the pressing", one_side=False),
    Row("silence", 201, 700, felt="the last heartbeat", one_side=False),
    Row("unplugged", 202, 3_000, felt="the pulling", one_side=False),
    Row("old_firmware", 203, 3_000, "start", felt="the greeting", one_side=False),
    Row("hang", 901, 400, felt="the hang", one_side=False),
    Row("brownout", 101, 400, felt="the dip", one_side=False),
    Row("reset", 204, 400, felt="the reset", one_side=False),
    Row("stray_reset", 905, 400, felt="the reset", one_side=False),
)  # fmt: skip
CAUSES = {901: m.ResetCause.watchdog, 101: m.ResetCause.brown_out, 204: m.ResetCause.external}
"""Numbers that the host gives to a board that has started anew, by the cause that it tells."""
NOT_SIMULATED = {
    512: "ten minutes of motors on end: a timeline test on the core (test_firmware_protection.py)",
    513: "as 512",
    902: "EEPROM: cuts and damage at every byte on the core (test_firmware_records.py)",
    903: "the stack: a test on the core, likewise",
    904: "as 902",
}
