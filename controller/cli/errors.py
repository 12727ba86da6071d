"""How a command says no: raise `CliError`, `main` prints one line and exits with 1."""

from __future__ import annotations


class CliError(Exception):
    """The command was understood and refused; the text says what to do."""
