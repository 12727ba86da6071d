"""The board's EEPROM as a file beside the sockets: what is no EEPROM is set aside, never overwritten."""

from __future__ import annotations

import os
from pathlib import Path

SIZE = 4096
"""Bytes of the ATmega2560; the file is what a programmer reads out (`avrdude -U eeprom:r:FILE:r`)."""
NAME = "eeprom.bin"


class NoEeprom(OSError):
    """The file cannot be used; one line that says why and what to do."""


def prepare_eeprom(path: Path) -> str | None:
    """Make sure that the harness can read and write the file; returns what people should know, or None.

    A file of another length (a copy cut short) is renamed: the board then starts as if it were new. What is
    wrong inside a whole file is the firmware's to find, by the checks of its records.

    Raises:
        NoEeprom: if there is something else, or the folder cannot be written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoEeprom(f"no folder {path.parent} for the EEPROM: {error.strerror}") from error
    if path.exists() and not path.is_file():
        raise NoEeprom(f"the EEPROM {path} is no file: name another one with --eeprom")
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.R_OK)):
        raise NoEeprom(f"the EEPROM {path} cannot be read and written: see its owner, or name another one")
    if not path.exists() or (size := path.stat().st_size) == SIZE:
        return None
    aside = path.with_name(path.name + ".damaged")
    os.replace(path, aside)
    return f"{path} had {size} bytes, an EEPROM has {SIZE}: renamed to {aside.name}, the board starts as new"
