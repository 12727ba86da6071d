"""What can go wrong with the link, split by what the caller can do about it.

A jam or a lost frame is not an exception: those are events and counters.
"""

from __future__ import annotations


class LinkError(Exception):
    """Base of everything this package raises."""


class PortLost(LinkError, OSError):
    """The serial port cannot be opened or is gone: reconnect."""


class PortBusy(PortLost):
    """Another process holds the port: close that one."""


class BadPayload(LinkError, ValueError):
    """They broke the protocol: a payload that is not what its type says."""


class BadMessage(LinkError, ValueError):
    """We broke the protocol: a message that cannot be sent as it is (out of range, not a command)."""


class BadRecording(LinkError, ValueError):
    """A file is no recording of the wire, or is damaged: take another one."""


class BadImage(LinkError, ValueError):
    """A file is no firmware image, is damaged or not for this program: `zh` and `en` say it to people."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(f"{zh} / {en}")
        self.zh = zh
        self.en = en
