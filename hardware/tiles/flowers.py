"""Faces of the eight flowers: four seasons (red number), four plants (blue number), each its own drawing."""

from __future__ import annotations

from .glyphs import glyph
from .svg import BLUE, GREEN, INK, IVORY, RED, box, circle, fill, group, petal, polar, ring, stroke


def blossom(
    x: float, y: float, r: float, colour: str, heart: str = IVORY, petals: int = 5, turn: float = 0
) -> str:
    """Return a round-petalled blossom with stamens."""
    parts = ""
    for step in range(petals):
        px, py = polar(x, y, r * 0.58, turn + step * 360 / petals)
        parts += circle(px, py, r * 0.45, colour)
    parts += circle(x, y, r * 0.34, heart)
    for step in range(petals):
        px, py = polar(x, y, r * 0.55, turn + step * 360 / petals)
        parts += circle(px, py, r * 0.09, heart)
    return parts + circle(x, y, r * 0.14, colour)


def spring() -> str:
    """Return a willow twig with a swallow."""
    twig = stroke("M108 58C170 60 226 84 262 136", GREEN, 9)
    leaves = "".join(
        group(petal(70, 22, GREEN), x=x, y=y, turn=turn)
        for x, y, turn in ((150, 64, 170), (186, 74, 185), (218, 92, 176), (246, 116, 192), (262, 136, 170))
    )
    return twig + leaves + blossom(128, 118, 38, RED)


def summer() -> str:
    """Return a lotus over its leaf and the water."""
    flower = "".join(
        group(petal(length, width, RED), x=188, y=160, turn=turn)
        for length, width, turn in ((84, 34, -72), (84, 34, 72), (100, 40, -38), (100, 40, 38), (112, 46, 0))
    )
    veins = "".join(group(petal(70, 8, IVORY), x=188, y=158, turn=turn) for turn in (-38, 0, 38))
    pad = fill("M112 168C140 152 236 152 264 168C240 190 136 190 112 168Z", GREEN)
    return pad + flower + veins + stroke("M106 204C132 194 146 214 172 204C198 194 212 214 262 202", BLUE, 8)


def autumn() -> str:
    """Return a maple leaf and a falling one."""
    leaf = "".join(
        petal(length, width, RED, turn)
        for length, width, turn in ((92, 42, 0), (84, 36, -54), (84, 36, 54), (58, 28, -108), (58, 28, 108))
    )
    veins = "".join(petal(62, 6, IVORY, turn) for turn in (0, -54, 54))
    great = group(
        leaf + circle(0, 0, 16, RED) + stroke("M0 10L-12 58", RED, 8) + veins, x=192, y=138, turn=16
    )
    return great + stroke("M112 196C150 214 210 214 262 192", GREEN, 8)


def winter() -> str:
    """Return a snow crystal over pine needles."""
    crystal = ""
    for step in range(6):
        arm = stroke("M0 0L0 -68M0 -42L-18 -58M0 -42L18 -58", BLUE, 10)
        crystal += group(arm, turn=step * 60)
    return group(crystal + circle(0, 0, 13, BLUE) + circle(0, 0, 5, IVORY), x=190, y=124)


def plum() -> str:
    """Return plum blossom on an old branch."""
    branch = stroke("M106 206C150 190 160 160 196 150C226 140 240 112 262 62", INK, 12)
    branch += stroke("M196 150C180 128 168 112 150 100", INK, 8)
    return branch + blossom(204, 150, 46, RED, turn=10) + blossom(146, 92, 32, RED) + circle(258, 66, 13, RED)


def orchid() -> str:
    """Return an orchid: long leaves and a three-lipped flower."""
    leaves = (
        fill("M176 214C160 150 136 110 96 96C140 96 178 140 188 214Z", GREEN)
        + fill("M184 214C190 140 220 90 268 78C232 104 204 150 198 214Z", GREEN)
        + fill("M180 214C176 150 176 100 192 46C200 100 198 160 194 214Z", GREEN)
    )
    lips = "".join(petal(46, 22, BLUE, turn) for turn in (-70, -22, 22, 70, 180))
    return leaves + group(lips + circle(0, 0, 9, IVORY) + circle(0, 0, 5, RED), x=230, y=142, turn=16)


def chrysanthemum() -> str:
    """Return a many-petalled chrysanthemum with two leaves."""
    parts = group(petal(76, 34, GREEN), x=178, y=168, turn=222) + group(
        petal(76, 34, GREEN), x=202, y=168, turn=140
    )
    for step in range(16):
        parts += group(petal(74, 20, BLUE), x=190, y=122, turn=step * 22.5)
    parts += circle(190, 122, 34, IVORY)
    for step in range(10):
        parts += group(petal(32, 15, BLUE), x=190, y=122, turn=step * 36 + 9)
    return parts + circle(190, 122, 9, RED)


def bamboo() -> str:
    """Return two bamboo stalks with leaves."""
    stalks = ""
    for x, top, bottom in ((168, 52, 208), (214, 88, 208)):
        step = (bottom - top) / 3
        for joint in range(3):
            stalks += box(x - 10, top + joint * step, 20, step - 6, 6, GREEN)
    leaves = "".join(
        group(petal(length, 24, GREEN), x=x, y=y, turn=turn)
        for x, y, length, turn in (
            (178, 100, 84, 58), (178, 100, 70, 92), (158, 106, 58, -62),
            (224, 138, 56, 70), (158, 152, 54, -104),
        )
    )  # fmt: skip
    return stalks + leaves


_FACES = {
    "a": ("春", "1", RED, spring), "b": ("夏", "2", RED, summer),
    "c": ("秋", "3", RED, autumn), "d": ("冬", "4", RED, winter),
    "e": ("梅", "1", BLUE, plum), "f": ("蘭", "2", BLUE, orchid),
    "g": ("菊", "3", BLUE, chrysanthemum), "h": ("竹", "4", BLUE, bamboo),
}  # fmt: skip


def face(letter: str) -> str:
    """Return the face of flower `letter` a-h: number at the top left, drawing, character below."""
    char, digit, colour, art = _FACES[letter]
    badge = circle(62, 70, 34, colour) if letter in "abcd" else ring(62, 70, 30, colour, 8)
    figure = glyph(digit, 62, 70, 30, 42, IVORY if letter in "abcd" else colour)
    return art() + badge + figure + glyph(char, 150, 298, 158, 142, INK if letter in "abcd" else GREEN)
