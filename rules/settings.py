"""The settings of a table as one checked document: what the variant leaves open, and what an evening needs.

A document is {"variant": slug, "options": {what the variant has}, "procedure": {all others}}; what is left
out has the variant's preset or default. What is not known, not possible or without effect is refused by code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.errors import InvalidOption, RuleError, Unsupported
from rules.options import Option, Options, OptionValue, resolve_rows
from rules.procedure import walls_agreed
from rules.procedure_options import PROCEDURE_EXPLAINED, PROCEDURE_OPTIONS
from rules.rotation import Retention
from rules.seats import ALL_SEATS, Seat
from rules.setting_checks import clash
from rules.variant import Variant, resolve_options
from rules.variants import get_variant
from rules.variants.explained import VARIANT_EXPLAINED
from rules.variants.presets import PRESETS, Preset
from rules.win_options import WIN_EXPLAINED, WIN_OPTIONS

GROUPS = ("options", "procedure")
_OF_THE_DEAL = tuple(row.name for row in fields(Retention))
SCHEMA = "https://json-schema.org/draft/2020-12/schema"


class SettingRefused(RuleError, ValueError):
    """A setting is refused; `key` names it, `code` says why, the text is there in both languages."""

    def __init__(self, code: str, key: str, zh: str, en: str) -> None:
        super().__init__(f"{key}: {en}")
        self.code = code
        self.key = key
        self.zh = zh
        self.en = en


@dataclass(frozen=True)
class Settings:
    """Every setting of a table with its value; read one by its key, whichever group it is in."""

    variant: str
    tiles: int
    options: Options
    procedure: Options

    def __getitem__(self, key: str) -> OptionValue:
        return self.options[key] if key in self.options else self.procedure[key]

    def number(self, key: str) -> int:
        """Return a setting that is a whole number."""
        return self.options.number(key) if key in self.options else self.procedure.number(key)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in use, in play order."""
        return ALL_SEATS[: self.number("players")]

    @property
    def unit(self) -> int:
        """Ledger units in one point."""
        found = _variant(self.variant)
        return 1 if found is None else found.unit

    @property
    def retention(self) -> Retention:
        """How the deal moves on."""
        return retention_of(self.options, self.procedure)

    @property
    def pays_draw_itself(self) -> bool:
        """Whether the variant's own settlement of a drawn hand has the dealer's payment."""
        return "draw_pay" in self.options

    def document(self) -> dict[str, Any]:
        """Return the whole document; it resolves to the same settings again."""
        return {"variant": self.variant, "options": dict(self.options), "procedure": dict(self.procedure)}


def retention_of(options: Mapping[str, Any], procedure: Mapping[str, Any]) -> Retention:
    """Return how the deal moves on; a drawn hand that the variant itself lets the dealer pay costs the deal.

    Args:
        options, procedure: resolved settings; what they do not tell (an older game) is the default.
    """
    told = {**procedure, **options}
    chosen = {key: told[key] for key in _OF_THE_DEAL if key in told}
    if options.get("draw_pay"):
        chosen["on_draw"] = "pass_and_pay"
    return Retention(**chosen)


# ---- rows ----


def _variant(slug: str) -> Variant | None:
    """Return the variant of a rule text, None where it is not coded yet."""
    try:
        return get_variant(slug)
    except Unsupported:
        return None


def rows_of(slug: str) -> dict[str, tuple[Option, ...]]:
    """Return the rows of a rule text by group; a row that the variant has itself is not in `procedure`.

    Raises:
        SettingRefused: if there is no such rule text.
    """
    preset(slug)
    variant = _variant(slug)
    own = () if variant is None else variant.options
    taken = {row.key for row in own}
    others = tuple(row for row in (*PROCEDURE_OPTIONS, *WIN_OPTIONS) if row.key not in taken)
    return {"options": own, "procedure": others}


def preset(slug: object) -> Preset:
    """Return what a rule text says of the evening.

    Raises:
        SettingRefused: if there is no such rule text.
    """
    found = PRESETS.get(slug) if isinstance(slug, str) else None
    if found is None and isinstance(slug, str) and _variant(slug) is not None:
        return Preset()
    if found is None:
        known = ", ".join(PRESETS)
        raise SettingRefused(
            "setting_variant", "variant", f"没有这种玩法；有：{known}", f"there are: {known}"
        )
    return found


def default_of(slug: str, row: Option) -> OptionValue:
    """Return what a setting is where nobody chose: the text's preset, else the row's default."""
    return preset(slug).values.get(row.key, row.default)


def explained(group: str, key: str) -> tuple[str, str]:
    """Return the explanation of a setting, zh and en; a variant has its own first."""
    texts = {**WIN_EXPLAINED, **PROCEDURE_EXPLAINED, **(VARIANT_EXPLAINED if group == "options" else {})}
    if key not in texts:
        raise Unsupported(f"no explanation of {key}")
    return texts[key]


# ---- checking ----


def settle_settings(document: Mapping[str, Any]) -> Settings:
    """Return every setting of a document with its value.

    Raises:
        SettingRefused: with the code `setting_variant`, `setting_group`, `setting_unknown`, `setting_value`,
            `setting_unused` or `setting_impossible`.
    """
    slug = document.get("variant")
    chosen = preset(slug)
    assert isinstance(slug, str)
    _only_groups(document)
    rows = rows_of(slug)
    for group in GROUPS:
        _check(slug, group, rows, document.get(group) or {})
    variant = _variant(slug)
    given = document.get("options") or {}
    options = _options_of(variant, slug, rows["options"], given)
    told = document.get("procedure") or {}
    in_procedure = {row.key for row in rows["procedure"]}
    values = {key: value for key, value in chosen.values.items() if key in in_procedure}
    procedure = resolve_rows(slug, rows["procedure"], {**values, **told})
    tiles = variant.tiles if variant is not None else chosen.tiles or 136
    settings = Settings(slug, tiles, options, procedure)
    _check_together(settings, {row.key: row for row in (*rows["options"], *rows["procedure"])})
    return settings


def _options_of(
    variant: Variant | None, slug: str, rows: tuple[Option, ...], given: Mapping[str, Any]
) -> Options:
    """Return the variant's own options: given, preset, default."""
    values = {key: value for key, value in preset(slug).values.items() if key in {row.key for row in rows}}
    if variant is None:
        return resolve_rows(slug, rows, {})
    return resolve_options(variant, {**values, **given})


def _only_groups(document: Mapping[str, Any]) -> None:
    for key, value in document.items():
        if key not in ("variant", *GROUPS):
            known = ", ".join(("variant", *GROUPS))
            raise SettingRefused(
                "setting_group", str(key), f"设置只分：{known}", f"settings have {known} only"
            )
        if key in GROUPS and value is not None and not isinstance(value, Mapping):
            raise SettingRefused("setting_group", key, "这里要写成一组设置", "this is an object of settings")


def _check(slug: str, group: str, rows: Mapping[str, tuple[Option, ...]], given: Mapping[str, Any]) -> None:
    """Refuse what is not known in a group, and values that a row does not have."""
    known = {row.key: row for row in rows[group]}
    for key in given:
        parts = [row for row in rows[group] if row.key.startswith(f"{key}.")]
        if key in known or parts:
            _check_value(slug, parts or [known[key]], key, given[key])
            continue
        other = next((name for name in GROUPS if key in {row.key for row in rows[name]}), "")
        if other:
            zh, en = f"这项设置写在 {other} 里", f"this setting belongs to {other}"
        else:
            zh, en = "没有这项设置", f"{slug} has no such setting"
        raise SettingRefused("setting_unknown", str(key), zh, en)


def _check_value(slug: str, rows: list[Option], key: str, value: object) -> None:
    try:
        resolve_rows(slug, tuple(rows), {key: value})
    except InvalidOption as error:
        names = "、".join(row.zh for row in rows)
        may = "；".join(f"{row.zh}可以是{_values_zh(row)}" for row in rows)
        raise SettingRefused("setting_value", key, f"{names}不能这样设：{may}", str(error)) from error


def _values_zh(row: Option) -> str:
    if row.kind == "bool":
        return "开、关"
    if row.kind == "int":
        return f"{row.low} 到 {row.high} 的整数"
    return "、".join(choice.zh for choice in row.choices)


def _check_together(settings: Settings, rows: Mapping[str, Option]) -> None:
    found = clash(settings, {key: default_of(settings.variant, row) for key, row in rows.items()})
    if found is not None:
        raise SettingRefused(*found)
    players = settings.number("players")
    try:
        walls = walls_agreed(settings.tiles, Seat.E, {"players": players})
    except RuleError:
        walls = {}
    if len(walls) < players:
        zh = f"{settings.tiles} 张牌没有 {players} 个人的砌法"
        en = f"no walls for {settings.tiles} tiles and {players} players"
        raise SettingRefused("setting_impossible", "players", zh, en)


# ---- what a program or a page needs to show them ----


def described(slug: str) -> list[dict[str, Any]]:
    """Return every setting of a rule text as plain data, explained in both languages."""
    return [_described(slug, group, row) for group, rows in rows_of(slug).items() for row in rows]


def _described(slug: str, group: str, row: Option) -> dict[str, Any]:
    about = explained(group, row.key)
    found: dict[str, Any] = {
        "group": group,
        "key": row.key,
        "kind": row.kind,
        "default": default_of(slug, row),
        "zh": row.zh,
        "en": row.en,
        "about_zh": about[0],
        "about_en": about[1],
        "source": row.source,
    }
    if row.kind == "int":
        found |= {"low": row.low, "high": row.high}
    if row.choices:
        found["choices"] = [{"key": each.key, "zh": each.zh, "en": each.en} for each in row.choices]
    return found


def schema(slug: str) -> dict[str, Any]:
    """Return the JSON schema of the documents of a rule text, as `document` writes them."""
    groups = {
        group: {
            "type": "object",
            "additionalProperties": False,
            "properties": {row.key: _row_schema(slug, group, row) for row in rows},
        }
        for group, rows in rows_of(slug).items()
    }
    return {
        "$schema": SCHEMA,
        "title": f"mahjong-table settings: {slug}",
        "type": "object",
        "required": ["variant"],
        "additionalProperties": False,
        "properties": {"variant": {"const": slug}, **groups},
    }


def _row_schema(slug: str, group: str, row: Option) -> dict[str, Any]:
    zh, en = explained(group, row.key)
    found: dict[str, Any] = {
        "title": f"{row.zh} {row.en}",
        "description": f"{zh} {en}",
        "default": default_of(slug, row),
    }
    if row.kind == "bool":
        return found | {"type": "boolean"}
    if row.kind == "int":
        return found | {"type": "integer", "minimum": row.low, "maximum": row.high}
    if row.kind == "set":
        word = "|".join(choice.key for choice in row.choices)
        return found | {"type": "string", "pattern": f"^(({word})(,({word}))*)?$"}
    return found | {"type": "string", "enum": [choice.key for choice in row.choices]}
