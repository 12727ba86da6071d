"""Settings of the service: defaults < TOML file < environment `MAHJONG_TABLE_*` < command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from controller.errors import ControllerError
from rules.variants import PLAYED
from vision.wishes import MAX_FRAME_PIXELS, Wish, Wishes

SEAT_KEYS = frozenset("ESWN")


class ConfigError(ControllerError, ValueError):
    """A setting is wrong; the text names it."""


class GpioConfig(BaseModel):
    """Where the Pi's own lines are: `pi` = this header, `none` = not wired, `socket` = the twin's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["none", "pi", "socket"] = "none"
    path: Path | None = None

    @model_validator(mode="after")
    def _socket_has_a_path(self) -> GpioConfig:
        if self.kind == "socket" and self.path is None:
            raise ValueError("a socket needs a path")
        return self


class KeepConfig(BaseModel):
    """How long things beside the ledger are kept: photos at most so many days and MiB; rows for ever."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    photo_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    photo_mib: Annotated[int, Field(ge=1, le=1_048_576)] = 1024


def _wish(value: object) -> Wish:
    """Return a wish of the file or of the environment, where numbers are text."""
    if value == "auto" or value == "lock":
        return value
    try:
        number = float("" if isinstance(value, bool) else str(value))
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise ValueError('it is "auto", "lock" or a number from 0 on')
    return number


_Wished = Annotated[Wish, PlainValidator(_wish)]


class PictureConfig(BaseModel):
    """What the camera's picture shall be: `auto`, `lock` (what it chose in the first seconds) or a number.

    exposure in ms, white balance in K, focus in the camera's own unit; see docs/camera.md.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    exposure: _Wished = "auto"
    focus: _Wished = "auto"
    white_balance: _Wished = "auto"
    size: tuple[Annotated[int, Field(ge=320, le=8192)], Annotated[int, Field(ge=240, le=8192)]] = (1920, 1080)

    @model_validator(mode="after")
    def _size_is_taken(self) -> PictureConfig:
        if self.size[0] * self.size[1] > MAX_FRAME_PIXELS:
            raise ValueError(f"at most {MAX_FRAME_PIXELS} pixels are taken")
        return self

    def wishes(self) -> Wishes:
        """Return them as the camera's source takes them."""
        return Wishes(self.exposure, self.focus, self.white_balance, self.size)


class Config(BaseSettings):
    """Everything `run` can be told."""

    model_config = SettingsConfigDict(
        env_prefix="MAHJONG_TABLE_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    table: str = Field("table-1", min_length=1, max_length=64)
    variant: str = PLAYED
    options: dict[str, Any] = Field(default_factory=dict)
    procedure: dict[str, Any] = Field(default_factory=dict)
    """What the table agrees on beside the rule set: referee, false win, times (rules/win_options.py)."""
    players: dict[str, str] = Field(default_factory=dict)
    serial: str | None = None
    camera: str | None = None
    picture: PictureConfig = PictureConfig()
    gpio: GpioConfig = GpioConfig()
    keep: KeepConfig = KeepConfig()
    sets: int = Field(1, ge=1, le=2)
    """Sets of tiles: with two one is played while the other is built."""
    twin: bool = False
    seed: int = Field(1, ge=0, lt=2**63)
    speed: float = Field(1.0, gt=0, le=1000)
    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535)
    data: Path = Field(default_factory=lambda: data_folder())
    eyes_threads: int = Field(2, ge=1, le=8)
    """Processor cores that one look at a photo may use; a Pi has four."""

    @field_validator("players")
    @classmethod
    def _seats_only(cls, players: dict[str, str]) -> dict[str, str]:
        unknown = set(players) - SEAT_KEYS
        if unknown:
            raise ValueError(f"players are given by seat E, S, W, N, not {', '.join(sorted(unknown))}")
        return players

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources; the TOML file is the one named by `toml_file` of the class."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load_config(file: Path | None = None, **given: Any) -> Config:
    """Return the settings; `given` wins, and entries that are None count as not given.

    Raises:
        ConfigError: naming the file or the setting that is wrong.
    """
    if file is not None and not file.is_file():
        raise ConfigError(f"no settings file at {file}")
    kept = {key: value for key, value in given.items() if value is not None}

    class Loaded(Config):
        model_config = SettingsConfigDict(toml_file=file)

    try:
        return Loaded(**kept)
    except ValidationError as error:
        wrong = (_wrong(row["loc"], row["type"], row["msg"], kept, file) for row in error.errors())
        raise ConfigError("; ".join(wrong)) from error
    except ValueError as error:  # tomllib.TOMLDecodeError is one
        raise ConfigError(f"{file or 'settings'}: {error}") from error
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from error


def _wrong(
    loc: tuple[int | str, ...], kind: str, message: str, given: Mapping[str, Any], file: Path | None
) -> str:
    """Return where a wrong setting stands (option, environment or file), its key, and what is wrong.

    Sources that win are asked first; a key that no other source has stands in the file.
    """
    words = [str(part) for part in loc]
    key = ".".join(words) or "settings"
    name = f"MAHJONG_TABLE_{words[0].upper()}" if words else ""
    if words and words[0] in given:
        where = f"--{key}"
    elif name and any(each.upper() == name or each.upper().startswith(f"{name}__") for each in os.environ):
        where = name if len(words) == 1 else f"{name} ({key})"
    else:
        where = key if file is None else f"{file}: {key}"
    if kind == "extra_forbidden":
        known = f"; there are {', '.join(sorted(Config.model_fields))}" if len(words) == 1 else ""
        return f"{where}: no such setting{known}"
    return f"{where}: {message.removeprefix('Value error, ')}"


def data_folder() -> Path:
    """Return where the ledger lives by default: $XDG_STATE_HOME/mahjong-table."""
    state = os.environ.get("XDG_STATE_HOME")
    base = Path(state) if state and Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "mahjong-table"


def journal_path(data: Path) -> Path:
    """Return the ledger's file in a data folder."""
    return data / "ledger.db"


def players_path(data: Path) -> Path:
    """Return the file of names in a data folder."""
    return data / "players.db"


def evidence_path(data: Path) -> Path:
    """Return the folder of photos in a data folder."""
    return data / "evidence"


def lens_path(data: Path) -> Path:
    """Return the camera's lens in a data folder, where somebody measured it (`vision lens`)."""
    return data / "lens.json"


def place_path(data: Path) -> Path:
    """Return where a data folder keeps the camera's place."""
    return data / "camera-place.json"


def blackbox_path(data: Path) -> Path:
    """Return the folder of black boxes in a data folder."""
    return data / "blackbox"


def enrolment_path(data: Path) -> Path:
    """Return the file of the club's own tiles in a data folder."""
    return data / "own_tiles.npz"
