"""Prints `docs/phases.md` from the phase table: `python -m controller.decide.diagram [--check FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.decide.table import COMMANDS, FOLLOWED, INPUTS, TABLE
from controller.state import STEPS, Phase


def page() -> str:
    """Return the page: diagram, steps and the table of phases and inputs."""
    lines = [
        "# Phases of a hand",
        "",
        "Printed from `controller/decide/table.py` by `python -m controller.decide.diagram`; do not edit.",
        "An input that has no entry in a phase is refused as `refuse.<input>` with the phase's name.",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> IDLE",
        *(f"    {start} --> {end}: {why}" for start, end, why in _arrows()),
        "```",
        "",
        "## Steps",
        "",
        *(f"- {phase}: {' → '.join(steps)}" for phase, steps in STEPS.items()),
        "",
        "## Who may ask for what, and when",
        "",
        "● decides, · is refused by name. `*` marks the commands of the pages; the others come from keys,",
        "board, camera and clock.",
        "",
        "| input | " + " | ".join(phase.value for phase in Phase) + " |",
        "|---|" + "---|" * len(Phase),
    ]
    for name in INPUTS:
        cells = " | ".join("●" if (phase, name) in TABLE else "·" for phase in Phase)
        lines.append(f"| {name}{'*' if name in COMMANDS else ''} | {cells} |")
    return "\n".join(lines) + "\n"


def _arrows() -> list[tuple[str, str, str]]:
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in TABLE.values():
        for phase in row.leads:
            if phase is not row.phase:
                arrows.setdefault((row.phase.value, phase.value), []).append(row.input)
    for start, why, end in FOLLOWED:
        arrows.setdefault((start.value, end.value), []).append(why)
    return [(start, end, ", ".join(dict.fromkeys(why))) for (start, end), why in arrows.items()]


def main(arguments: list[str]) -> int:
    """Print the page, or compare it with a file (exit 1 when they differ)."""
    if arguments[:1] == ["--check"]:
        return 0 if Path(arguments[1]).read_text(encoding="utf-8") == page() else 1
    sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
