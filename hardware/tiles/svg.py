"""Small words for drawing: every function returns one SVG element as text, with numbers rounded alike."""

from __future__ import annotations

import math

WIDTH, HEIGHT = 300, 400
IVORY, INK, RED, GREEN, BLUE = "#F6EEDC", "#1C2B45", "#B4311F", "#1F6B4C", "#24508C"
"""Tile inks of the visual language; the contrast of each on ivory is at least 5.3."""
BAMBOO, BAMBOO_DARK, BAMBOO_LIGHT = "#B08D57", "#9A7744", "#C39F68"
Point = tuple[float, float]


def number(value: float) -> str:
    """Return `value` with at most one decimal, without a trailing zero.

    >>> number(12.04), number(-0.01), number(3.25)
    ('12', '0', '3.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def points(*pairs: Point) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def circle(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"/>'


def ring(x: float, y: float, r: float, colour: str, width: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="none" stroke="{colour}"'
        f' stroke-width="{number(width)}"/>'
    )


def box(x: float, y: float, w: float, h: float, r: float, fill: str) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        f' rx="{number(r)}" fill="{fill}"/>'
    )


def frame(x: float, y: float, w: float, h: float, r: float, colour: str, width: float) -> str:
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" rx="{number(r)}"'
        f' fill="none" stroke="{colour}" stroke-width="{number(width)}"/>'
    )


def fill(d: str, colour: str) -> str:
    return f'<path d="{d}" fill="{colour}"/>'


def stroke(d: str, colour: str, width: float) -> str:
    return (
        f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{number(width)}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def polygon(colour: str, *pairs: Point) -> str:
    return f'<polygon points="{points(*pairs)}" fill="{colour}"/>'


def group(parts: str, *, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1) -> str:
    """Return `parts` drawn round the origin, then scaled, turned clockwise and moved to (x, y)."""
    words = [f"translate({number(x)} {number(y)})"]
    if turn:
        words.append(f"rotate({number(turn)})")
    if scale != 1:
        words.append(f"scale({scale:.3g})")
    return f'<g transform="{" ".join(words)}">{parts}</g>'


def polar(x: float, y: float, r: float, degrees: float) -> Point:
    """Return the point at distance `r` from (x, y), `degrees` clockwise from straight up."""
    angle = math.radians(degrees)
    return x + r * math.sin(angle), y - r * math.cos(angle)


def petal(length: float, width: float, colour: str, turn: float = 0) -> str:
    """Return a petal or leaf from the origin straight up, pointed at both ends, turned clockwise."""
    half, belly = width / 2, length * 0.55
    d = (
        f"M0 0C{number(-half * 1.25)} {number(-belly * 0.55)} {number(-half * 1.1)} {number(-belly * 1.35)}"
        f" 0 {number(-length)}C{number(half * 1.1)} {number(-belly * 1.35)} {number(half * 1.25)}"
        f" {number(-belly * 0.55)} 0 0Z"
    )
    return group(fill(d, colour), turn=turn) if turn else fill(d, colour)


def document(parts: str, body: str = IVORY) -> str:
    """Return a whole SVG file: the body of the tile with `parts` on it; corner radius 1/8 of the width."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{box(0, 0, WIDTH, HEIGHT, 37.5, body)}{parts}</svg>\n"
    )
