"""`mahjong-table rules list|show`: which variants there are and what a table may agree on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.rule_lines import variant_or_exit
from controller.rule_pages import Needs, rows_with_needs, settings_page, terminal_page
from rules.options import Option, Options
from rules.scoring import resolve_options
from rules.settings import SettingRefused, described, schema, settle_settings
from rules.variant import Fan, KongRow, Variant
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
    """Show options, scoring elements and kongs of a variant: values under its default options.

    What counts only under another option stands apart; with --json it has counts (false) and needs.
    """
    rules = variant_or_exit(variant)
    if as_json:
        typer.echo(json.dumps(describe(rules), ensure_ascii=False))
        return
    typer.echo("\n".join(terminal_page(rules)))


@app.command()
def settings(
    variant: Annotated[str, typer.Argument(help="Rule text, see `rules list`; texts without a variant too.")],
    as_json: AsJson = False,
    as_schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of a settings document.")
    ] = False,
    check: Annotated[
        Path | None, typer.Option("--check", help="Check a settings document (JSON), print it in full.")
    ] = None,
) -> None:
    """Show every setting of a table: the variant's options, then seats, dealer, walls and claims.

    Each with its values, what it is unless chosen, and what it means. A document is
    {"variant": SLUG, "options": {...}, "procedure": {...}}; what is left out keeps its default.
    """
    try:
        if check is not None:
            typer.echo(json.dumps(_checked(variant, check), ensure_ascii=False, indent=2))
        elif as_schema:
            typer.echo(json.dumps(schema(variant), ensure_ascii=False, indent=2))
        elif as_json:
            typer.echo(json.dumps({"variant": variant, "settings": described(variant)}, ensure_ascii=False))
        else:
            typer.echo("\n".join(settings_page(variant)))
    except SettingRefused as refused:
        typer.echo(f"mahjong-table: {refused.key}: {refused.zh}; {refused.en} ({refused.code})", err=True)
        raise typer.Exit(1) from refused


def _checked(variant: str, file: Path) -> dict[str, Any]:
    """Return the whole document in a file, or leave with exit 1 where there is none."""
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        typer.echo(f"mahjong-table: {file}: {error}", err=True)
        raise typer.Exit(1) from error
    if not isinstance(given, dict):
        raise SettingRefused(
            "setting_group", file.name, "要写成一个 JSON 对象", "a document is a JSON object"
        )
    return settle_settings({"variant": variant, **given}).document()


def describe(variant: Variant) -> dict[str, Any]:
    """Return a variant as plain data."""
    options = resolve_options(variant, {})
    return {
        "variant": variant.key,
        "zh": variant.zh,
        "en": variant.en,
        "tiles": variant.tiles,
        "hand_size": variant.hand_size,
        "unit": f"1/{variant.unit}",
        "source": variant.source,
        "options": [_option(option) for option in variant.options],
        "minimum": variant.minimum(options),
        "elements": [_row(row, options, needs) for row, needs in rows_with_needs(variant)],
    }


def _row(row: Fan | KongRow, options: Options, needs: Needs) -> dict[str, Any]:
    """Return an element or a kong; `needs` are the options without which it does not count, {} = none."""
    found = {"key": row.key, "zh": row.zh, "en": row.en, "value": row.value(options)}
    found |= {
        "kind": "kong" if isinstance(row, KongRow) else "element",
        "counts": not needs,
        "needs": dict(needs),
    }
    return found if isinstance(row, KongRow) else found | _left_out(row)


def _left_out(fan: Fan) -> dict[str, Any]:
    """Return what does not count beside an element, and what does not count on its own sets."""
    own_sets = [*fan.contains, *(key for key, _ in fan.absorbs)]
    return {"excludes": list(fan.excludes), "excludes_on_own_sets": own_sets}


def _option(option: Option) -> dict[str, Any]:
    row: dict[str, Any] = {
        "key": option.key,
        "kind": option.kind,
        "default": option.default,
        "zh": option.zh,
        "en": option.en,
        "source": option.source,
    }
    if option.kind in ("choice", "set"):
        row["choices"] = [{"key": each.key, "zh": each.zh, "en": each.en} for each in option.choices]
    if option.kind == "int":
        row |= {"low": option.low, "high": option.high}
    return row
