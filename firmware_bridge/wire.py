"""What all generated messages share: exact lengths, and enums that survive numbers of a newer board."""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum
from struct import Struct
from typing import Any, ClassVar, Literal, Self

from firmware_bridge.errors import BadPayload

Kind = Literal["command", "response", "event", "note"]


class WireEnum(IntEnum):
    """An enum of one byte; an unknown number becomes a member `unknown_<n>` instead of an error."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, int) or not 0 <= value <= 255:
            return None
        member = int.__new__(cls, value)
        member._name_ = f"unknown_{value}"
        member._value_ = value
        return member

    def __str__(self) -> str:
        return self.name


class Message:
    """Base of the generated messages: frozen dataclasses of ints, bools and wire enums."""

    __slots__ = ()
    CODE: ClassVar[int]
    KIND: ClassVar[Kind]
    OPEN: ClassVar[bool]
    LENGTH: ClassVar[int]
    LEAST: ClassVar[int]
    """What an older build sends; only an open message has less than LENGTH."""
    SINCE: ClassVar[int]
    """The first protocol version that has the message."""
    ANSWER: ClassVar[int | None]
    STRUCT: ClassVar[Struct]
    TYPES: ClassVar[tuple[type[int], ...]]

    def pack(self) -> bytes:
        """Return the payload, little-endian, exactly LENGTH bytes."""
        names = (field.name for field in fields(self))  # type: ignore[arg-type]
        return self.STRUCT.pack(*(int(getattr(self, name)) for name in names))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """Return the message of a payload; of an open one what did not come is 0, what is not known is left.

        Raises:
            BadPayload: if the length is not exactly LENGTH; of an open message if it is below LEAST.
        """
        if len(payload) != cls.LENGTH and not (cls.OPEN and len(payload) >= cls.LEAST):
            raise BadPayload(f"{cls.__name__}: {len(payload)} bytes, not {cls.LENGTH}")
        values: tuple[Any, ...] = cls.STRUCT.unpack(payload[: cls.LENGTH].ljust(cls.LENGTH, b"\0"))
        return cls(*(type_(value) for type_, value in zip(cls.TYPES, values, strict=True)))
