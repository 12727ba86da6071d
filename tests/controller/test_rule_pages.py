"""docs/rules-mcr.md and `rules show` are printed from the rows, with nothing missing or out of date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from controller.cli.rules import describe
from controller.cli.score import app as score_app
from controller.rule_pages import example_command, example_text, main, not_beside, page, terminal_page
from rules.scoring import resolve_options
from rules.variant import Fan, KongRow, Variant
from rules.variants import VARIANTS, get_variant
from rules.variants.guides import GUIDES
from rules.variants.mcr_examples import EXAMPLES

ROOT = Path(__file__).parents[2]
DOC = ROOT / "docs" / "rules-mcr.md"
MCR = get_variant("mcr")
score_command = typer.main.get_command(score_app)


def test_the_page_in_docs_is_printed_from_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert DOC.read_text(encoding="utf-8") == page(MCR), (
        "python -m controller.rule_pages mcr > docs/rules-mcr.md"
    )
    assert main(["mcr", "--check", str(DOC)]) == 0
    assert main(["mcr-1998", "--check", str(DOC)]) == 1
    assert main([]) == 0
    assert capsys.readouterr().out == page(MCR)


@pytest.mark.parametrize("key", EXAMPLES)
def test_the_page_has_every_element_with_points_exclusions_and_example(key: str) -> None:
    (fan,) = [fan for fan in MCR.fans if fan.key == key]
    text = page(MCR)
    (line,) = [line for line in text.splitlines() if f"| **{fan.zh}**<br>" in line]
    heading = re.findall(r"^### (\d+) 分", text[: text.index(line)], re.MULTILINE)[-1]
    assert int(heading) == fan.value(resolve_options(MCR, {}))
    zh, en = not_beside(MCR, fan)
    example = EXAMPLES[key]
    for words in (fan.en, zh, en, example.zh, example.en, f"`{example.hand}`", f"| {example.total} |"):
        assert words in line


BESIDE = [
    ("mixed_triple_chow", "喜相逢（仅限组成该番的面子）", "Mixed Double Chow (on its own sets)"),
    ("seat_wind", "幺九刻（仅限组成该番的刻子）", "Pung of Terminals or Honors (on its pungs)"),
    ("full_flush", "无字", "No Honors"),
    ("edge_wait", "边张、坎张、单钓将只计其一", "only one of the three waits"),
    ("all_pungs", "", ""),
]


@pytest.mark.parametrize(("key", "zh", "en"), BESIDE)
def test_what_is_not_counted_beside_an_element(key: str, zh: str, en: str) -> None:
    (fan,) = [fan for fan in MCR.fans if fan.key == key]
    assert not_beside(MCR, fan) == (zh, en)


def test_what_a_profile_lacks_is_not_named_beside_others() -> None:
    text_1998 = get_variant("mcr-1998")
    (four_kongs,) = [fan for fan in text_1998.fans if fan.key == "four_kongs"]
    assert "明暗杠" not in "".join(not_beside(text_1998, four_kongs))


def test_circumstances_stand_beside_the_hand() -> None:
    assert example_text(EXAMPLES["last_tile_draw"]).endswith(
        "; 自摸 self-draw `--self-draw`, 最后一张 last tile `--last-tile`"
    )
    assert example_text(EXAMPLES["flower_tiles"]).endswith("; 花牌 3 flowers `--flowers 3`")
    assert example_text(EXAMPLES["all_pungs"]) == EXAMPLES["all_pungs"].hand


@pytest.mark.parametrize("key", EXAMPLES)
def test_an_example_that_is_pasted_has_its_total(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command of the page, taken as the shell does; where an example tells nothing, its seat alone."""
    program, command, *arguments = shlex.split(example_command(MCR, EXAMPLES[key]))
    assert (program, command) == ("mahjong-table", "score")
    score_command(arguments, standalone_mode=False)
    assert f": {EXAMPLES[key].total} 分" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_the_terminal_shows_every_row_in_both_languages(variant: Variant) -> None:
    lines = terminal_page(variant)
    options = resolve_options(variant, {})
    rows: tuple[Fan | KongRow, ...] = (*variant.fans, *variant.kongs)
    for row in rows:
        assert any(line.endswith(f"{row.value(options):>4}  {row.zh}  {row.en}") for line in lines), row.key
    for option in variant.options:
        assert any(f"{option.key} " in line and option.zh in line and option.en in line for line in lines)


def headed(lines: list[str]) -> dict[str, list[str]]:
    """Return the lines below each heading; headings stand after an empty line."""
    found: dict[str, list[str]] = {}
    heading = ""
    for before, line in zip(["", *lines], lines, strict=False):
        heading = line if not before else heading
        found.setdefault(heading, []).append(line)
    return found


def names(variant: Variant, lines: list[str]) -> set[str]:
    rows: tuple[Fan | KongRow, ...] = (*variant.fans, *variant.kongs)
    return {row.zh for row in rows if any(f"  {row.zh}  {row.en}" in line for line in lines)}


def test_what_counts_only_under_an_option_stands_apart() -> None:
    variant = get_variant("lianzhong")
    groups = headed(terminal_page(variant))
    usual = names(variant, groups["番种 Elements:"])
    extras = names(
        variant, groups["番种 Elements，约定 public_extras=on 才计 counted only with public_extras=on:"]
    )
    assert extras == {"八仙过海", "七抢一", "无混", "混龙", "立直", "梅兰竹菊", "春夏秋冬", "季花"}
    counting = variant.rows(variant.fans, resolve_options(variant, {}))
    assert usual == {fan.zh for fan in counting}
    assert not usual & extras
    kongs = groups["杠 Kongs，约定 wild_kong=at_once 才付 paid only with wild_kong=at_once:"]
    assert len(kongs) == len(variant.kongs) + 1
    simplest = headed(terminal_page(get_variant("simplest")))
    assert [line for line in simplest["番种 Elements:"] if "和牌  Win" in line]
    assert any(
        "屁胡" in line
        for line in simplest["番种 Elements，约定 pair_rule=258 才计 counted only with pair_rule=258:"]
    )
    assert len(simplest["杠 Kongs:"]) == 4


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_elements_as_data_say_what_they_need(variant: Variant) -> None:
    rows = describe(variant)["elements"]
    assert len(rows) == len(variant.fans) + len(variant.kongs)
    for row in rows:
        if row["kind"] == "element":
            assert row["counts"] == (not row["needs"])
            options = resolve_options(variant, row["needs"])
            assert row["key"] in {fan.key for fan in variant.rows(variant.fans, options)}
    assert all(row["counts"] for row in rows) == (variant.key not in ("simplest", "lianzhong"))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_where_the_rules_come_from_is_told_to_people(variant: Variant) -> None:
    assert not re.search(r"\.(md|txt|csv)|/", variant.source)
    zh, _, en = variant.source.partition(" · ")
    assert not zh.isascii()
    assert en
    assert en.isascii()


@pytest.mark.parametrize("key", GUIDES)
def test_the_terminal_tells_how_a_profile_differs(key: str) -> None:
    differs = dict(GUIDES[key].profiles)[key]
    assert {f"  {text}" for text in differs} <= set(terminal_page(get_variant(key)))


def test_rules_show_for_people() -> None:
    command = [sys.executable, "-m", "controller.cli", "rules", "show", "mcr"]
    done = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, timeout=60)
    assert done.stdout.decode().splitlines() == terminal_page(MCR)
