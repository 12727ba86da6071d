"""How long things take, in microseconds. Source: hardware/wiring/README.md, "What the firmware expects"."""

from __future__ import annotations

MS = 1_000

# Feeding: a pick is a fixed way through the channel plus a wait for a tile that lies right on the ring; the
# fewer tiles are left in the drum, the longer the wait. Tuned for a build of 136 in 25 s median, 35 s p95
# (assumption of the machine model; measured by tests/hardware/test_twin_builds.py).
PICK_LEAST_US = 200 * MS
PICK_MEAN_US = 185 * MS
PICK_SPREAD = 0.4
"""How unlike one another the sides and builds are (sigma of the log of the mean wait)."""
PICK_TAIL = 1.2
"""Mean wait grows to (1 + PICK_TAIL) times as a side's share empties."""
PULSE_US = (30 * MS, 60 * MS)
FEEDS_FOLLOW_US = 20 * MS
"""So long after the drum begins to turn every feed that is to turn does."""

FLICKER_US = 11 * MS
COMES_FREE_US = 80 * MS
"""A motor that turns back so long frees what is not stuck for good."""
STACK_LEAVES_HOME_US = 40 * MS
STACK_TURN_US = 450 * MS
TRAY_UP_US = 2_200 * MS
TRAY_DOWN_US = 1_800 * MS
DOME_US = 1_200 * MS
DICE_SETTLE_US = 450 * MS
LAMP_US = 5 * MS
KEY_PRESS_US = 150 * MS
