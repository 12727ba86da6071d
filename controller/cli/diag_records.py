"""`mahjong-table diag faults --log|statistics`: what the board keeps over power cuts."""

from __future__ import annotations

from controller.cli.diag_desk import (
    AsJson,
    ConfigFile,
    Language,
    Serial,
    Url,
    asked_desk,
    print_json,
    show,
)
from controller.cli.score_text import Lang


def fault_log(serial: Serial, url: Url, config: ConfigFile, *, as_json: bool, lang: Lang) -> None:
    """Print the faults that the board itself remembers."""
    from controller.diag import records
    from controller.diag.record_text import log_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = records.fault_log(desk)
    if as_json:
        print_json(told.as_json())
    else:
        show(log_lines(told, lang))


def statistics(
    serial: Serial = None,
    url: Url = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = Lang.BOTH,
) -> None:
    """What the machine has done in its life: builds, tiles, lifts, jams a side, hours of each motor."""
    from controller.diag import records
    from controller.diag.record_text import statistics_lines

    with asked_desk(serial, url, config, as_json=as_json, lang=lang) as desk:
        told = records.statistics(desk)
    if as_json:
        print_json(told.as_json())
    else:
        show(statistics_lines(told, lang))
