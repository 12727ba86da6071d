"""A scored hand as lines for people, in Chinese, in English, or both beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from rules.notation import parse_hand
from rules.refusals import refusal_text
from rules.variant import Variant

INDENT = " " * 14


class Lang(StrEnum):
    """Languages of the answer."""

    BOTH = "both"
    ZH = "zh"
    EN = "en"

    @property
    def empty(self) -> str:
        """Return what stands for a text without a character."""
        return "（空）" if self is Lang.ZH else "(empty)"

    def say(self, zh: str, en: str, between: str = " ") -> str:
        """Return the words of one language, or of both with something between."""
        return {Lang.ZH: zh, Lang.EN: en, Lang.BOTH: f"{zh}{between}{en}"}[self]


def answer_lines(
    variant: Variant, text: str, answer: Mapping[str, Any], *, explain: bool, lang: Lang
) -> list[str]:
    """Return the answer of an explained record: what counts, and if wanted what does not and equal lists."""
    told = _points(answer["total"], lang) if answer["fan"] else _refused(answer, lang)
    lines = [f"{parse_hand(text)}   {lang.say(variant.zh, variant.en)}: {told}"]
    for row in answer["fan"]:
        times = f" x {row['count']}" if row["count"] > 1 else ""
        sets = f"   {' '.join(row['sets'])}" if explain and row["sets"] else ""
        lines.append(f"  {row['points']:>4}{times:<6}  {lang.say(row['name'], row['en'])}{sets}")
    lines += [f"     =  {line}" for line in _totals(answer, lang)]
    if explain:
        lines += _not_counted(answer, lang)
        lines += _ties(variant, answer, lang)
    return lines


def _refused(answer: Mapping[str, Any], lang: Lang) -> str:
    """Return why a hand that nothing is counted for may not win."""
    zh, en = refusal_text(str(answer.get("reason", "no_element")))
    return lang.say(f"不能和：{zh}", f"may not win: {en}", " / ")


def _points(number: int, lang: Lang) -> str:
    return f"{number} {lang.say('分', 'point' if number == 1 else 'points')}"


def _totals(answer: Mapping[str, Any], lang: Lang) -> Iterator[str]:
    """Yield what the total leaves open: a cap, flowers, the minimum."""
    total, minimum = answer["total"], answer["minimum"]
    every = sum(row["points"] * row["count"] for row in answer["fan"])
    without = answer["total_without_flowers"]
    if every != total:
        yield lang.say(f"合计 {every}，封顶 {total}", f"{every} in all, capped at {total}", " / ")
    if without != total:
        yield lang.say(f"不计花牌 {without} 分", f"{without} without flowers", " / ")
    if answer.get("reason") == "below_minimum" and answer["fan"]:
        yield lang.say(
            f"不够起和的 {minimum} 分，不能和", f"less than the minimum of {minimum}, may not win", " / "
        )


def _not_counted(answer: Mapping[str, Any], lang: Lang) -> Iterator[str]:
    """Yield what is not counted, each with its sets and the reason below it."""
    if answer["not_counted"]:
        yield lang.say("不计", "Not counted") + ":"
    for row in answer["not_counted"]:
        times = f" x {row['count']}" if row["count"] > 1 else ""
        sets = f"   {' '.join(row['sets'])}" if row["sets"] else ""
        yield f"     -{times:<6}  {lang.say(row['name'], row['en'])}{sets}"
        if lang is not Lang.EN:
            yield f"{INDENT}{row['why']}"
        if lang is not Lang.ZH:
            yield f"{INDENT}{row['why_en']}"


def _ties(variant: Variant, answer: Mapping[str, Any], lang: Lang) -> Iterator[str]:
    """Yield the other lists that are worth as much."""
    english = {fan.zh: fan.en for fan in variant.fans}
    if answer["alt"]:
        yield lang.say("同分的其他计法", "Equally right") + ":"
    for tie in answer["alt"]:
        yield "     =  " + ", ".join(
            f"{lang.say(name, english[name])} {points}" for name, points in tie.items()
        )
