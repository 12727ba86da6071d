"""What commands are made of: rows, their bodies, the fields that many of them have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from controller.versions import PATTERN


def _whole(value: object) -> object:
    """Return 4 for 4.0, which is an integer of JSON too; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
SeatName = Annotated[Literal["E", "S", "W", "N"], Field(description="A seat: E, S, W or N.")]
Pip = Annotated[int, Field(ge=1, le=6, strict=True), WHOLE]
TileText = Annotated[
    str, Field(min_length=1, max_length=2, pattern=r"^([0-9][mps]|[ESWNCFPa-h])$", examples=["5m"])
]
FlowerTexts = Annotated[list[Annotated[str, Field(pattern=r"^[a-h]$")]], Field(max_length=8)]
Flags = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=16)]


class CommandBody(BaseModel):
    """Base of all bodies: nothing unknown is accepted."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    state_version: Annotated[
        str | None,
        Field(
            pattern=PATTERN,
            description="The state this was decided on, `<epoch>-<seq>`: refused if the table has moved on.",
        ),
    ] = None


class BySeat(CommandBody):
    """Whose command it is."""

    seat: SeatName


@dataclass(frozen=True, slots=True)
class CommandRow:
    """One command: its name is its route; `example` is a body that makes sense."""

    name: str
    body: type[CommandBody]
    summary: str
    zh: str
    example: dict[str, Any]
    required_role: str = "player"
