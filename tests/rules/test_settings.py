"""Settings of a table: presets, schema, explanations, and what is refused with which code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cases import answer_case
from rules.errors import RuleError
from rules.options import Option
from rules.procedure_options import PROCEDURE_EXPLAINED, PROCEDURE_OPTIONS
from rules.settings import GROUPS, SettingRefused, described, rows_of, schema, settle_settings
from rules.variants import VARIANTS
from rules.variants.explained import VARIANT_EXPLAINED
from rules.variants.presets import PRESETS
from rules.win_options import WIN_OPTIONS

SLUGS = list(PRESETS)


def refused(**document: Any) -> SettingRefused:
    with pytest.raises(SettingRefused) as caught:
        settle_settings(document)
    return caught.value


def ask(op: str, **given_: Any) -> dict[str, Any]:
    return answer_case({"variant": "table-procedure", "op": op, "in": given_})


# ---- presets, rows, explanations ----


def test_every_variant_has_a_preset() -> None:
    assert set(VARIANTS) <= set(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_preset_holds_and_its_document_is_itself_again(slug: str) -> None:
    settings = settle_settings({"variant": slug})
    assert settle_settings(settings.document()) == settings
    assert {key: settings[key] for key in PRESETS[slug].values} == dict(PRESETS[slug].values)
    assert (slug in VARIANTS) == (PRESETS[slug].tiles is None)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_setting_stands_once_and_is_explained_in_both_languages(slug: str) -> None:
    rows = described(slug)
    keys = [row["key"] for row in rows]
    assert len(set(keys)) == len(keys)
    assert {row.key for row in (*PROCEDURE_OPTIONS, *WIN_OPTIONS)} <= set(keys)
    for row in rows:
        assert re.search("[\u4e00-\u9fff]", row["about_zh"])
        assert row["about_en"].isascii()
        assert row["about_en"].endswith(".")
        assert row["source"]
        for choice in row.get("choices", ()):
            assert choice["en"].isascii()
            assert choice["zh"]


def test_no_explanation_is_left_over() -> None:
    own = {row.key for variant in VARIANTS.values() for row in variant.options}
    assert set(VARIANT_EXPLAINED) <= own
    assert set(PROCEDURE_EXPLAINED) == {row.key for row in PROCEDURE_OPTIONS}


def test_a_setting_of_the_variant_itself_is_not_asked_twice() -> None:
    rows = rows_of("base-scoring")
    assert "draw_pay" in {row.key for row in rows["options"]}
    assert "draw_pay" not in {row.key for row in rows["procedure"]}
    settings = settle_settings({"variant": "base-scoring", "options": {"draw_pay": 2}})
    assert settings.pays_draw_itself
    assert settings.retention.on_draw == "pass_and_pay"


# ---- the schema says what is accepted ----


def fits(rule: dict[str, Any], value: Any) -> bool:
    """Return whether a value is as the part of the schema says; the few words that ours use."""
    if "enum" in rule:
        return value in rule["enum"]
    if rule["type"] == "boolean":
        return isinstance(value, bool)
    if rule["type"] == "integer":
        return type(value) is int and rule["minimum"] <= value <= rule["maximum"]
    return isinstance(value, str) and re.search(rule["pattern"], value) is not None


@pytest.mark.parametrize("slug", SLUGS)
def test_what_resolves_fits_the_schema(slug: str) -> None:
    parts = schema(slug)["properties"]
    document = settle_settings({"variant": slug}).document()
    assert parts["variant"] == {"const": slug}
    for group in GROUPS:
        properties = parts[group]["properties"]
        assert set(properties) == set(document[group])
        for key, value in document[group].items():
            assert fits(properties[key], value)
            assert fits(properties[key], properties[key]["default"])


VALUES = (
    st.none() | st.booleans() | st.integers(-2, 200) | st.sampled_from(["", "none", "dice", "seven_pairs"])
)
CHOSEN = st.sampled_from(
    [(slug, group, row) for slug in SLUGS for group in GROUPS for row in rows_of(slug)[group]]
)


@given(CHOSEN, st.data())
def test_a_value_that_fits_the_schema_is_never_refused_for_itself(
    chosen: tuple[str, str, Option], data: st.DataObject
) -> None:
    slug, group, row = chosen
    rule = schema(slug)["properties"][group]["properties"][row.key]
    value = data.draw(st.sampled_from([each.key for each in row.choices]) | VALUES if row.choices else VALUES)
    answer = ask("settings_check", variant=slug, **{group: {row.key: value}})
    if answer["accepted"]:
        assert fits(rule, answer["document"][group][row.key])
        assert settle_settings(answer["document"]).document() == answer["document"]
        return
    assert answer["code"] in ("setting_value", "setting_unused", "setting_impossible")
    assert answer["code"] != "setting_value" or not fits(rule, value)
    assert answer["zh"]
    assert answer["en"]


# ---- refusals ----


@pytest.mark.parametrize(
    ("document", "code", "key"),
    [
        ({"variant": "mahjong"}, "setting_variant", "variant"),
        ({}, "setting_variant", "variant"),
        ({"variant": ["mcr"]}, "setting_variant", "variant"),
        ({"variant": "mcr", "rules": {}}, "setting_group", "rules"),
        ({"variant": "mcr", "procedure": []}, "setting_group", "procedure"),
        ({"variant": "mcr", "procedure": [1]}, "setting_group", "procedure"),
        ({"variant": "mcr", "procedure": {"nap": 1}}, "setting_unknown", "nap"),
        ({"variant": "mcr", "procedure": {"min_fan": 1}}, "setting_unknown", "min_fan"),
        ({"variant": "mcr", "options": {"mode": "mcr"}}, "setting_unknown", "mode"),
        ({"variant": "zhuji", "options": {"wild_kinds": 1}}, "setting_unknown", "wild_kinds"),
        ({"variant": "mcr", "options": {"min_fan": -1}}, "setting_value", "min_fan"),
        ({"variant": "mcr", "procedure": {"mode": "turns"}}, "setting_value", "mode"),
        ({"variant": "mcr", "procedure": {"players": 5}}, "setting_value", "players"),
        ({"variant": "base-scoring", "options": {"kong_points": {"x": 1}}}, "setting_value", "kong_points"),
        ({"variant": "mcr", "procedure": {"max_hands": 3}}, "setting_unused", "max_hands"),
        ({"variant": "mcr", "procedure": {"hands": 8}}, "setting_unused", "hands"),
        ({"variant": "simplest", "procedure": {"loss_limit": 9}}, "setting_unused", "loss_limit"),
        ({"variant": "simplest", "procedure": {"draw_pay": 9}}, "setting_unused", "draw_pay"),
        ({"variant": "simplest", "procedure": {"max_counts": "extensions"}}, "setting_unused", "max_counts"),
        ({"variant": "simplest", "procedure": {"mcr_seats": "every_round"}}, "setting_unused", "mcr_seats"),
        ({"variant": "simplest", "procedure": {"walls108": "13,14,13,14"}}, "setting_unused", "walls108"),
        ({"variant": "simplest", "procedure": {"on_draw": "pass_and_pay"}}, "setting_impossible", "draw_pay"),
        ({"variant": "mcr", "procedure": {"players": 3}}, "setting_impossible", "players"),
        ({"variant": "two-player", "procedure": {"players": 4}}, "setting_impossible", "players"),
        (
            {"variant": "kawuxing", "procedure": {"reseating": "wind_stack"}},
            "setting_impossible",
            "reseating",
        ),
    ],
)
def test_what_is_refused_and_why(document: dict[str, Any], code: str, key: str) -> None:
    error = refused(**document)
    assert (error.code, error.key) == (code, key)
    assert error.zh
    assert not error.zh.isascii()
    assert isinstance(error, RuleError)


def test_a_setting_in_the_wrong_group_is_told_where_it_belongs() -> None:
    assert "belongs to options" in refused(variant="mcr", procedure={"min_fan": 1}).en
    assert "belongs to procedure" in refused(variant="mcr", options={"mode": "mcr"}).en


def test_settings_may_be_told_in_chinese_and_with_none() -> None:
    settings = settle_settings(
        {"variant": "simplest", "procedure": {"on_draw": "下庄赔分", "draw_pay": 2, "max_hands": "none"}}
    )
    assert (settings["on_draw"], settings["draw_pay"], settings["max_hands"]) == ("pass_and_pay", 2, 0)


# ---- ops ----


def test_ops_show_and_check_settings() -> None:
    assert ask("settings", variant="mcr") == {"settings": described("mcr")}
    assert ask("settings_schema", variant="mcr") == {"schema": schema("mcr")}
    accepted = ask("settings_check", variant="mcr", procedure={"mcr_seats": "every_round"})
    assert accepted["accepted"]
    assert accepted["document"]["procedure"]["mcr_seats"] == "every_round"
    answer = ask("settings_check", variant="mcr", procedure={"nap": 1})
    assert (answer["accepted"], answer["code"], answer["key"]) == (False, "setting_unknown", "nap")
    with pytest.raises(RuleError, match="there are: simplest"):
        ask("settings", variant="nope")
