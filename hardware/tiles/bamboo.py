"""Faces of the bamboo suit (1s-9s): jointed sticks, and the bird of 1s."""

from __future__ import annotations

from .svg import BLUE, GREEN, INK, IVORY, RED, box, circle, fill, group, number, petal, stroke


def stick(x: float, y: float, length: float, colour: str, turn: float = 0, width: float = 30) -> str:
    """Return a bamboo stick centred on (x, y): two jointed halves with bulging ends and a light slit."""
    half, w, waist = length / 2, width / 2, width * 0.3
    side = half * 0.36
    d = f"M{number(-waist)} 0"
    for sign in (-1, 1):  # up along the left, over the top, down along the right; then the lower half
        knee, tip, end = number(sign * side * 0.3), number(sign * (half - w)), number(sign * half)
        thin, wide, near = sign * waist, sign * w, number(sign * side * 0.5)
        d += f"C{number(thin)} {near} {number(wide)} {knee} {number(wide * 0.86)} {tip}"
        d += f"C{number(wide * 0.95)} {end} {number(-wide * 0.95)} {end} {number(-wide * 0.86)} {tip}"
        d += f"C{number(-wide)} {knee} {number(-thin)} {near} {number(-thin)} 0"
    parts = fill(d + "Z", colour)
    parts += box(-w * 0.98, -width * 0.13, w * 1.96, width * 0.26, width * 0.13, colour)
    for sign in (-1, 1):
        start = -half + w * 0.9 if sign < 0 else half * 0.2
        parts += box(-width * 0.09, start, width * 0.18, half * 0.8 - w * 0.9, width * 0.09, IVORY)
    return group(parts, x=x, y=y, turn=turn)


def bird() -> str:
    """Return the bird of 1s: a crested pheasant on a bamboo twig, its tail down the tile."""
    tail = ""
    for angle, colour, eye in ((200, BLUE, RED), (218, GREEN, BLUE), (236, RED, GREEN)):
        feather = petal(178, 46, colour) + petal(126, 12, IVORY)
        feather += circle(0, -132, 16, IVORY) + circle(0, -132, 11, eye)
        tail += group(feather, x=158, y=196, turn=angle)
    body = fill(
        "M196 92C236 112 246 168 214 214C186 254 138 258 118 232"
        "C104 206 128 178 150 158C166 142 168 112 196 92Z",
        GREEN,
    )
    breast = fill("M210 128C232 156 226 196 198 222C206 190 206 160 198 138Z", RED)
    wing = ""
    for step, colour in enumerate((BLUE, IVORY, BLUE, IVORY, BLUE)):
        wing += group(petal(108 - step * 15, 64 - step * 11, colour), x=192, y=158, turn=222)
    head = circle(196, 92, 33, GREEN) + circle(204, 86, 13, IVORY) + circle(206, 86, 7.5, INK)
    beak = fill("M222 78L270 96L224 110C230 100 230 88 222 78Z", RED)
    crest = "".join(
        group(petal(length, 17, RED) + circle(0, -length + 2, 7, RED), x=186, y=66, turn=turn)
        for length, turn in ((50, -52), (54, -18), (46, 14))
    )
    legs = stroke("M176 246L182 322M202 228L218 320", RED, 9)
    twig = stroke("M104 338C160 322 226 318 272 322", GREEN, 13)
    leaves = group(petal(58, 24, GREEN, 108) + petal(50, 20, GREEN, 152), x=222, y=322)
    parts = twig + leaves + tail + legs + body + breast + wing + head + crest + beak
    return group(parts, x=2, y=8)


_TALL = 148.0
_PLACES: dict[int, tuple[tuple[float, float, float, str, float], ...]] = {
    2: ((150, 108, 156, BLUE, 0), (150, 292, 156, GREEN, 0)),
    3: ((150, 108, 152, BLUE, 0), (88, 292, 152, GREEN, 0), (212, 292, 152, GREEN, 0)),
    4: (
        (88, 108, 152, BLUE, 0), (212, 108, 152, GREEN, 0),
        (88, 292, 152, GREEN, 0), (212, 292, 152, BLUE, 0),
    ),
    5: (
        (66, 108, 152, GREEN, 0), (234, 108, 152, BLUE, 0), (150, 200, 160, RED, 0),
        (66, 292, 152, BLUE, 0), (234, 292, 152, GREEN, 0),
    ),
    6: tuple((x, y, 152, GREEN if y < 200 else BLUE, 0) for y in (108, 292) for x in (66, 150, 234)),
    7: (
        (150, 78, 104, RED, 0),
        *((x, y, 104, GREEN if x != 150 else BLUE, 0) for y in (200, 322) for x in (66, 150, 234)),
    ),
    8: (
        (48, 110, _TALL, GREEN, 0), (252, 110, _TALL, GREEN, 0), (112, 110, 152, GREEN, 27.0),
        (188, 110, 152, GREEN, -27.0), (48, 290, _TALL, BLUE, 0), (252, 290, _TALL, BLUE, 0),
        (112, 290, 152, BLUE, -27.0), (188, 290, 152, BLUE, 27.0),
    ),
    9: tuple(
        (x, y, 106, colour, 0)
        for y in (78, 200, 322)
        for x, colour in ((66, GREEN), (150, RED), (234, BLUE))
    ),
}  # fmt: skip


def face(rank: int) -> str:
    """Return what is printed on the bamboo tile of `rank` 1-9."""
    if rank == 1:
        return bird()
    width = 44 if rank <= 6 else 34 if rank == 8 else 40
    return "".join(stick(x, y, length, colour, turn, width) for x, y, length, colour, turn in _PLACES[rank])
