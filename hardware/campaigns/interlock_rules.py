"""The rules of the campaign of interlocks, their figures, and what the firmware is known to allow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from firmware_bridge import messages as m
from hardware.campaigns.core import DICE, FEEDS, MOTOR, SIDES, STACKERS

MARGIN_MS = 3
"""The firmware looks at inputs once a millisecond and acts in the next step."""
LONGEST_MS = {
    **dict.fromkeys(("tray_raise", "tray_lower"), 4_000),
    **dict.fromkeys(("dome_raise", "dome_lower"), 3_000),
    **dict.fromkeys((f"stack_{n}" for n in SIDES), 950), "dice": 3_000,
}  # fmt: skip
BUILD_LONGEST_MS = 200_000
HEARTBEAT_MS = 600
LOW_MS = 150
SUPPLY, SUPPLY_LOW_MV, SUPPLY_MV = 0, 3_000, 4_000
"""Number and voltages of motor_supply in devices.toml."""
FULL = 1_000_000
FEWEST = 1_000
"""So often each rule's forbidden action is tried in a run of full size (a million steps)."""
DUTY, LOW_DUTY = 80, 10
"""The factory's share of ten minutes in percent, and the least that can be set: then a minute is enough."""
OVERWORK, STUCK = 0.00016, 0.0004
JOG_LONGEST_MS = 2_000
SERVICE_CODE = 1234
HELD_DOWN = tuple(name for name in MOTOR if not name.endswith("lower") and name != "reverse")
UNKNOWN_RESET = 905
ORDERED = {
    m.Home: MOTOR["dome_lower"] | MOTOR["tray_lower"] | STACKERS,
    m.Build: FEEDS | STACKERS,
    m.Dice: DICE,
}
"""Motors that an order starts, or may."""
PLANS = (
    *(m.Build(tiles) for tiles in (72, 108, 112, 120, 136, 144)),
    m.Build(108, 36, 36, 36, 0), m.Build(72, 36, 0, 36, 0), m.Build(108, 26, 28, 26, 28),
)  # fmt: skip
STATE_NAMES = {int(state): state.name for state in m.State}
RULES = {
    "lid": "no order starts a motor while the lid is open",
    "lid-opened": "an open lid switches everything off",
    "trays-dome-up": "trays are not ordered to move with the dome away from its bottom",
    "dome-trays-up": "dome and stackers are not ordered to move with a tray away from its bottom",
    "on-the-way": "trays and a build stop when the dome leaves its bottom, dome and a build when a tray does",
    "limit-held": "nothing moves while both limits of the dome or of a tray are closed",
    "stacker-not-home": "no build starts with a stacker away from home",
    "estop": "no motor runs while the e-stop is pressed",
    "supply-low": f"no motor starts or runs while the motor supply is low, after {LOW_MS} ms of it",
    "latched": "after a stop or a fault nothing moves before it is cleared",
    "stale-clear": "a clear that names an older stop clears nothing",
    "not-homed": "before homing only homing and the dice move",
    "busy": "an order does not start while another is under way",
    "heartbeat": f"no motor runs longer than {HEARTBEAT_MS} ms after the last sign of life",
    "longest-run": "no motor runs longer than its longest run",
    "pause-dome": "in a pause the dome moves only when drum, feeds and stackers stand",
    "power-on": "nothing moves after a reset, and the table is not homed",
    "dice": "the dice may always be thrown, unless stopped or with the lid open",
    "reverse": "feeds and stackers turn the other way only after 150 ms of rest",
    "duty": "a motor that ran for its share of ten minutes rests, whatever is ordered",
    "unknown-reset": "after a start for no known reason nothing moves before a person has cleared it",
    "jog-anytime": "single motors are jogged in service mode only",
    "jog-two": "in service mode one motor moves at a time",
    "jog-longest": "a jogged motor stops when its order is not repeated, and after 2 s in any case",
}
SABOTAGES = {name: f"without: {text}" for name, text in RULES.items()}
MUTANT = {"power-on": "keep-motor"}
"""Where the flag has another name than the rule."""


@dataclass
class Figures:
    """What was seen."""

    steps: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
