"""A club's own rules: one file adds them, a bad one is refused with the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.cases import answer_case
from rules.errors import Unsupported
from rules.variants.house import InvalidHouseRules, load_house_rules

TOY = """from dataclasses import replace

from rules.variants.guangdong import TUIDAOHU
from rules.variants.common import product

RULES = replace(
    TUIDAOHU,
    base=replace(TUIDAOHU.base, key="toy", zh="玩具", en="Toy"),
    rows=tuple(replace(row, value=product(3)) for row in TUIDAOHU.rows),
)
"""
WIN = {"seat": "S", "hand": "[222p] 123m 456m 99s 78s + 9s", "by": "self_draw"}


def _written(folder: Path, text: str) -> Path:
    path = folder / "toy.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_one_file_adds_a_rule_set(tmp_path: Path) -> None:
    case = {"variant": "toy", "dealer": "E", "winner": WIN}
    with pytest.raises(Unsupported, match="toy"):
        answer_case(case)
    assert load_house_rules(_written(tmp_path, TOY)).base.zh == "玩具"
    answer = answer_case(case)
    assert (answer["total"], answer["deltas"]) == (8, {"E": -8, "S": 24, "W": -8, "N": -8})


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("RULES = replace(", "RULES = replace(:", 6, "syntax"),
        ("product(3)", "products(3)", 9, "NameError"),
        ("rows=tuple", "row=tuple", 6, "TypeError"),
        ('"toy"', '"harbin"', 6, "'harbin' is taken"),
        ("for row in TUIDAOHU.rows", "for row in TUIDAOHU.rows * 2", 6, "two elements are named"),
        ("RULES =", "RULE =", 10, "RULES is a Ruleset"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    path = _written(tmp_path, TOY.replace(old, new))
    with pytest.raises(InvalidHouseRules, match=words) as refused:
        load_house_rules(path)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"{path.resolve()}:{line}: ")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidHouseRules, match=r"none\.py:1"):
        load_house_rules(tmp_path / "none.py")
