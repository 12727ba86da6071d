"""X: tiles of physical sets that are none of the 42: jokers, dragons, English seasons, figures, logos.

They are drawn with the maker's own inks and hand, so strange ink says nothing: the picture does.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .characters import Box, corner, put, word
from .figures import clown, coin, dragon_body, figure, fish, scene, scribble, three
from .flowers import picture
from .plants import Garden, bouquet
from .sheet import Sheet, curve, ellipse
from .style import Style, choose

KINDS = (
    "joker",
    "dragon",
    "english",
    "figure",
    "scene",
    "words",
    "letter",
    "fish",
    "logo",
    "doodle",
    "unmarked",
    "coin",
)
_KIND_WEIGHTS = (4.0, 4.0, 4.0, 1.5, 2.0, 2.0, 1.0, 0.7, 1.0, 1.0, 0.8, 0.5)
_WORDS: tuple[str, ...] = (
    *("百搭", "財神", "财神", "大王", "小王", "老鼠", "聚寶盆"),
    *"飛喜福祿壽貴貓雞百搭王番龍鳳琴棋書畫漁樵耕讀",
)


def draw(sheet: Sheet, style: Style, rng: np.random.Generator, kind: str | None = None) -> None:
    """Draw one strange tile (of this kind); each call with fresh numbers is another of the set's extras."""
    _DRAW[kind or choose(rng, KINDS, _KIND_WEIGHTS)](sheet, style, rng)


def _joker(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    shared = style.stream("joker")
    inks = three(style)
    ink, ring = choose(shared, inks), choose(shared, inks)
    top = shared.random() < 0.75
    radius, y = float(shared.uniform(0.7, 1.0)), 0.35 if top else -0.3
    picture_kind = shared.random()
    line = float(shared.uniform(0.05, 0.1))
    if picture_kind < 0.7:
        sheet.ring(ring, 0, y, radius, radius - float(shared.uniform(0.06, 0.16)))
        scribble(sheet, style.stream("joker lines"), ink, (0, y), radius * 0.8, line)
    elif picture_kind < 0.85:
        dragon_body(sheet, style.stream("joker lines"), inks, 0.7, y)
    else:
        clown(sheet, style.stream("joker lines"), inks, y)
    text = choose(shared, ("JOKER", "Joker", "WILD", "BIG JOKER"), (0.8, 0.1, 0.06, 0.04))
    box: Box = (0, -1.3 if top else 1.35, float(shared.uniform(1.8, 2.6)), float(shared.uniform(0.4, 0.65)))
    word(
        sheet,
        style,
        style.latin,
        text,
        choose(shared, inks, (0.7, 0.15, 0.15)),
        box,
        arc=float(shared.uniform(0, 50)) if top else 0.0,
    )


def _dragon(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    shared = style.stream("dragon" + str(int(rng.integers(2))))
    inks = three(style)
    dragon_body(sheet, shared, inks, float(shared.uniform(0.95, 1.2)))
    if style.corner and rng.random() < 0.25:
        corner(sheet, style, choose(rng, "CFRGD"))


def _english(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """1 SPR, 2 SUM, 3 AUT, 4 WIN over the plants of this set."""
    shared = style.stream("english")
    number = int(rng.integers(4))
    picture(sheet, style, choose(rng, "abcd" if shared.random() < 0.7 else "efgh"))
    inks = three(style)
    texts = choose(
        shared,
        (
            ("SPR", "SUM", "AUT", "WIN"),
            ("SPRING", "SUMMER", "AUTUMN", "WINTER"),
            ("PLUM", "ORCH", "MUM", "BAMB"),
        ),
        (0.8, 0.12, 0.08),
    )
    ink = choose(rng, inks, (0.45, 0.1, 0.45))
    half, size = 2.0 / style.aspect, float(shared.uniform(0.5, 0.85))
    left = -(half - 0.3)
    if shared.random() < 0.9:
        put(
            sheet,
            style,
            style.latin,
            str(number + 1),
            choose(shared, inks, (0.4, 0.1, 0.5)),
            (left, -1.5, size * 0.7, size * 1.1),
            1.3,
            plain=True,
        )
    word(
        sheet,
        style,
        style.latin,
        texts[number],
        ink,
        (0.28, -1.5, float(shared.uniform(1.3, 1.85)), size),
        0.0,
    )


def _words(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    text = choose(rng, _WORDS)
    ink = choose(rng, three(style))
    face = style.dragon if rng.random() < 0.5 else style.wind
    if len(text) == 1:
        put(
            sheet,
            style,
            face,
            text,
            ink,
            (0, 0, float(rng.uniform(1.3, 2.1)), float(rng.uniform(1.4, 2.4))),
            1.3,
        )
        return
    step = 3.0 / len(text)
    for k, char in enumerate(text):
        put(sheet, style, face, char, ink, (0, (k - (len(text) - 1) / 2) * step, 1.6, step * 0.9), 1.3)


def _letter(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    text = choose(rng, ("J", "A", "K", "Q", "?", "R", "G", "X", "0", "88", "DIY", "VIP", "MJ"))
    ink = choose(rng, three(style))
    size = float(rng.uniform(0.9, 2.2))
    word(sheet, style, style.latin, text, ink, (0, 0, min(2.2, size * 0.8 * len(text)), size))


def _logo(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """A blank with a maker's mark."""
    inks = three(style)
    ink = choose(rng, inks)
    kind = rng.random()
    y = float(rng.uniform(-0.6, 0.6))
    if kind < 0.4:
        size = float(rng.uniform(0.3, 0.9))
        t = np.radians(np.arange(11) * 36 - 90)
        r = np.where(np.arange(11) % 2 == 0, size, size * 0.42)
        sheet.fill(ink, np.stack([r * np.cos(t), y + r * np.sin(t)], axis=1))
    elif kind < 0.7:
        sheet.fill(ink, ellipse(0, y, 0.9, 0.4), ellipse(0, y, 0.8, 0.32))
        word(
            sheet,
            style,
            style.latin,
            choose(rng, ("MAH", "JONG", "GAME", "LUCK")),
            choose(rng, inks),
            (0, y, 1.2, 0.32),
        )
    else:
        word(sheet, style, style.latin, choose(rng, ("MAHJONG", "SPARE", "BLANK")), ink, (0, y, 2.2, 0.4))


def _doodle(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """A nonsense picture of the same kind of lines: nothing known is in it."""
    inks = three(style)
    for _ in range(int(rng.integers(3, 9))):
        points = rng.normal(0, (0.6, 0.8), (int(rng.integers(3, 6)), 2))
        kind = rng.random()
        if kind < 0.5:
            sheet.brush(
                choose(rng, inks),
                curve([tuple(p) for p in points]),
                (0.06, float(rng.uniform(0.06, 0.3)), 0.05),
            )
        elif kind < 0.8:
            sheet.line(
                choose(rng, inks),
                curve([tuple(p) for p in points]),
                float(rng.uniform(0.05, 0.12)),
                closed=True,
            )
        else:
            sheet.fill(
                choose(rng, (*inks, None)),
                ellipse(*points[0], *rng.uniform(0.1, 0.5, 2), float(rng.uniform(0, 180))),
            )


def _unmarked(sheet: Sheet, style: Style, rng: np.random.Generator) -> None:
    """A bouquet without any mark."""
    bouquet(sheet, Garden(style, rng))


_DRAW: dict[str, Callable[[Sheet, Style, np.random.Generator], None]] = {
    "joker": _joker,
    "dragon": _dragon,
    "english": _english,
    "figure": figure,
    "scene": scene,
    "words": _words,
    "letter": _letter,
    "fish": fish,
    "logo": _logo,
    "doodle": _doodle,
    "unmarked": _unmarked,
    "coin": coin,
}
