"""`mahjong-table diag faults --log|statistics`: what the board keeps over power cuts."""

from __future__ import annotations

from controller.cli.diag_desk import Ask, asking


def fault_log(ask: Ask) -> None:
    """Print the faults that the board itself remembers."""
    from controller.diag import records
    from controller.diag.record_text import log_lines

    with ask.desk() as desk:
        told = records.fault_log(desk)
    ask.tell(told, log_lines)


@asking
def statistics(ask: Ask) -> None:
    """What the machine has done in its life: builds, tiles, lifts, jams a side, hours of each motor."""
    from controller.diag import records
    from controller.diag.record_text import statistics_lines

    with ask.desk() as desk:
        told = records.statistics(desk)
    ask.tell(told, statistics_lines)
