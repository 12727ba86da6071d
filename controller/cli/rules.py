"""`mahjong-table rules list|show`: which variants there are and what a table may agree on."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from controller.cli.rule_lines import variant_or_exit
from rules.options import Option
from rules.scoring import resolve_options
from rules.variant import Variant
from rules.variants import VARIANTS

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def _root() -> None:
    """List the rule variants and show their options and elements."""


@app.command("list")
def list_variants(as_json: AsJson = False) -> None:
    """List the rule variants."""
    rows = [
        {"variant": each.key, "zh": each.zh, "en": each.en, "tiles": each.tiles} for each in VARIANTS.values()
    ]
    if as_json:
        typer.echo(json.dumps({"variants": rows}, ensure_ascii=False))
        return
    for row in rows:
        typer.echo(f"{row['variant']:<24} {row['zh']}  {row['en']}, {row['tiles']} tiles")


@app.command()
def show(
    variant: Annotated[str, typer.Argument(help="Rule variant, see `rules list`.")],
    as_json: AsJson = False,
) -> None:
    """Show options, scoring elements and kongs of a variant (values under its default options)."""
    described = describe(variant_or_exit(variant))
    if as_json:
        typer.echo(json.dumps(described, ensure_ascii=False))
        return
    typer.echo("\n".join(_lines(described)))


def describe(variant: Variant) -> dict[str, Any]:
    """Return a variant as plain data."""
    options = resolve_options(variant, {})
    rows = [("element", fan) for fan in variant.fans] + [("kong", kong) for kong in variant.kongs]
    return {
        "variant": variant.key,
        "zh": variant.zh,
        "en": variant.en,
        "tiles": variant.tiles,
        "hand_size": variant.hand_size,
        "unit": f"1/{variant.unit}",
        "source": variant.source,
        "options": [_option(option) for option in variant.options],
        "elements": [
            {"key": row.key, "zh": row.zh, "en": row.en, "value": row.value(options), "kind": kind}
            for kind, row in rows
        ],
    }


def _option(option: Option) -> dict[str, Any]:
    row: dict[str, Any] = {
        "key": option.key,
        "kind": option.kind,
        "default": option.default,
        "zh": option.zh,
        "en": option.en,
        "source": option.source,
    }
    if option.kind == "choice":
        row["choices"] = [{"key": each.key, "zh": each.zh, "en": each.en} for each in option.choices]
    if option.kind == "int":
        row |= {"low": option.low, "high": option.high}
    return row


def _lines(described: dict[str, Any]) -> list[str]:
    lines = [f"{described['variant']}  {described['zh']}  {described['en']}, {described['tiles']} tiles"]
    lines += ["", "Options (default first):"]
    for row in described["options"]:
        lines.append(f"  {row['key']:<14} {row['zh']} {row['en']}: {_values(row)}")
    lines += ["", "Elements:"]
    for row in described["elements"]:
        lines.append(f"  {row['value']:>4}  {row['zh']}  {row['en']}")
    return lines


def _values(row: dict[str, Any]) -> str:
    if row["kind"] == "int":
        return f"{row['default']} ({row['low']} to {row['high']})"
    if row["kind"] == "bool":
        return "on, off" if row["default"] else "off, on"
    ordered = sorted(row["choices"], key=lambda choice: bool(choice["key"] != row["default"]))
    return ", ".join(f"{choice['key']} ({choice['zh']})" for choice in ordered)
