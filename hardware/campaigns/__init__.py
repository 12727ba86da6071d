"""Long runs of the real firmware that count what must not happen.

`python -m hardware.campaigns NAME` is a process of its own, as the twin is: it brings firmware, link and
simulator together, which nobody else may. A campaign is a row here and a module of that name with `SABOTAGES`
and `run(n, seed, sabotage)`, which returns its figures and `missed`: a sentence for each line not reached.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Campaign:
    """One campaign: its full size and what it shows."""

    n: int
    text: str


CAMPAIGNS: dict[str, Campaign] = {
    "link": Campaign(
        100_000, "commands and events through noise: none lost, none twice, none accepted damaged"
    ),
    "fuzz": Campaign(
        10_000_000, "damaged streams into both decoders: no crash, no frame accepted that nobody sent"
    ),
    "builds": Campaign(2_000, "clean builds: right counts, whole walls, no alarm; how long they take"),
    "walls": Campaign(
        200,
        "every programme, uneven walls and walls for fewer players, with pauses to add tiles: right counts",
    ),
    "faults": Campaign(
        50, "each fault armed by name on so many seeds: right number and side in time, all off, a way out"
    ),
    "interlocks": Campaign(
        1_000_000, "random orders and inputs on the core: no rule that protects hands and parts is broken"
    ),
    "stops": Campaign(
        20, "stop, flood, e-stop, dead host and hang from every state: how long until all motors are off"
    ),
    "reset": Campaign(
        500, "resets at evenly spread points of a build: nothing moves, the host finds its way on"
    ),
}
