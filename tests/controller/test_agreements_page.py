"""docs/agreements.md and its Chinese twin: the examples are accepted, the lists are those of the program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from controller.config import Config
from controller.evening import PLAYED, agreed_settings
from rules.procedure_options import PROCEDURE_OPTIONS
from rules.settings import SettingRefused
from rules.variants.simplest import SIMPLEST

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("agreements.md", "agreements.zh.md")


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def examples(page: str) -> list[str]:
    return re.findall(r"```toml\n(.*?)```", text(page), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_are_accepted_and_the_same_in_both_languages(page: str) -> None:
    assert examples(page) == examples(PAGES[0])
    assert len(examples(page)) == 3
    for example in examples(page):
        told = tomllib.loads(example)
        assert set(told) <= set(Config.model_fields)
        settings = agreed_settings(told["variant"], told.get("options", {}), told["procedure"])
        assert {key: settings[key] for key in told["procedure"]} == told["procedure"]


@pytest.mark.parametrize("page", PAGES)
def test_what_is_not_played_yet_is_named(page: str) -> None:
    own = {row.key for row in SIMPLEST.options}  # how the wall opens is played, as the variant's option
    not_yet = {row.key for row in PROCEDURE_OPTIONS} - PLAYED - own
    told = set(re.findall(r"`(\w+)`", text(page).rpartition("|---|---|")[2].rpartition("|\n\n")[2]))
    assert told == not_yet


@pytest.mark.parametrize("page", PAGES)
def test_the_codes_are_those_of_refusals(page: str) -> None:
    told = set(re.findall(r"`(setting_\w+)`", text(page)))
    found = set()
    for variant, options, procedure in (
        ("nope", {}, {}),
        ("mcr", {}, {"nap": 1}),
        ("mcr", {}, {"mode": "nap"}),
        ("mcr", {}, {"max_hands": 3}),
        ("simplest", {}, {"on_draw": "pass_and_pay"}),
        ("mcr", {}, {"reseating": "wind_stack"}),
    ):
        with pytest.raises(SettingRefused) as caught:
            agreed_settings(variant, options, procedure)
        found.add(caught.value.code)
    assert told == found | {"setting_group"}
