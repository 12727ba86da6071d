"""1s: a bird, of which no two makers have the same: sparrows on a twig, cranes, peacocks, parrots, phoenixes.

One bird is a spine from beak to tail, a width along it, feathers that fan out from shoulder and tail, and
small things (crest, legs, perch). The poses are ranges of these numbers.
"""

from __future__ import annotations

import numpy as np

from .bird_parts import Bird, draw_fan, draw_hatch, draw_head, draw_part
from .sheet import Points, Sheet, curve, ellipse, ribbon
from .style import Style, choose

POSES = ("perched", "sparrow", "crane", "swoop", "peacock", "phoenix", "chick")
_POSE_WEIGHTS = (5.0, 2.0, 1.6, 4.5, 2.0, 3.0, 0.5)


def draw(sheet: Sheet, style: Style) -> None:
    """Draw this maker's bird."""
    rng = style.stream("1s")
    p = style.palette
    inks = [p.green, p.red, p.dark]
    main = choose(rng, inks, (0.5, 0.2, 0.3))
    head = choose(rng, (main, *inks))
    wing = main if rng.random() < 0.5 else choose(rng, inks)
    tail = choose(rng, (main, *inks))
    other = choose(rng, (p.red, p.green, p.dark), (0.6, 0.2, 0.2))
    bird = Bird(
        rng, head, main, wing, tail, other, float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.06, 0.11))
    )
    pose = choose(rng, POSES, _POSE_WEIGHTS)
    keep = sheet.place
    mirror = -1.0 if rng.random() < 0.4 else 1.0
    size = float(rng.uniform(0.85, 1.06))
    turn = np.radians(float(rng.normal(0, 6)))
    c, s = np.cos(turn) * size, np.sin(turn) * size
    own = np.array([[mirror * c, -mirror * s, 0.0], [s, c, 0.0], [0, 0, 1]])
    sheet.place = (np.vstack([keep, [0, 0, 1]]) @ own)[:2]
    {
        "perched": _perched,
        "sparrow": _sparrow,
        "crane": _crane,
        "swoop": _swoop,
        "peacock": _peacock,
        "phoenix": _phoenix,
        "chick": _chick,
    }[pose](sheet, bird)
    sheet.place = keep


def _perched(sheet: Sheet, bird: Bird) -> None:
    """Upright, seen from the front or side; a horizontal twig with curled ends; the tail hangs."""
    lean = bird.u(-0.2, 0.35)
    spine = curve([(-0.1, -1.0), (-0.05, -0.3), (0.05 + lean * 0.4, 0.5), (lean, bird.u(1.3, 1.75))], 8)
    twig_y = bird.u(-0.1, 0.5)
    reach = bird.u(0.85, 1.2)
    twig = curve(
        [
            (-reach, twig_y + bird.u(-0.2, 0.2)),
            (-0.4, twig_y),
            (0.4, twig_y + 0.05),
            (reach, twig_y + bird.u(-0.25, 0.25)),
        ]
    )
    twig_ink = choose(bird.rng, (bird.body, bird.other, bird.tail))
    sheet.brush(twig_ink, twig, (bird.line, bird.line * 1.3, bird.line))
    for x, y in (twig[0], twig[-1]):
        sheet.ring(twig_ink, x, y, bird.u(0.12, 0.2), 0.07)
    wide = bird.u(0.55, 0.95)
    filled = draw_part(
        sheet, bird, bird.body, ribbon(spine, (wide * 0.5, wide, wide * 0.85, wide * 0.5, bird.u(0.08, 0.2)))
    )
    wing = curve([(0.1, -0.4), (0.28 + lean * 0.3, 0.2), (lean * 0.9 + 0.06, 1.0)])
    draw_part(sheet, bird, bird.wing, ribbon(wing, (0.1, wide * 0.42, 0.08)), solid=not filled)
    draw_hatch(
        sheet, bird, spine[10:], wide * 0.45, None if filled else bird.tail, int(bird.rng.integers(2, 6))
    )
    if bird.rng.random() < 0.7:
        count = int(bird.rng.integers(2, 5))
        ink = choose(bird.rng, (bird.tail, bird.other))
        draw_fan(sheet, bird, (lean * 0.4, 0.5), (76, 104), count, (0.9, 1.1), bird.line, ink, 0.03)
    draw_fan(
        sheet, bird, (lean, 1.2), (70, 110), int(bird.rng.integers(1, 4)), (0.4, 0.5), 0.1, bird.tail, 0.05
    )
    draw_head(sheet, bird, -0.1, -1.1, bird.u(0.3, 0.44), choose(bird.rng, (180.0, 0.0, 150.0)))
    if bird.rng.random() < 0.4:
        sheet.line(bird.other, curve([(-0.6, -1.7), (-0.2, -1.6), (0.1, -1.75), (0.5, -1.6)]), bird.line)


def _sparrow(sheet: Sheet, bird: Bird) -> None:
    """A round bird at the top of a leafy twig that runs to a lower corner."""
    twig = curve([(0.5, bird.u(0.1, 0.4)), (0.0, 0.7), (-0.5, 1.0), (-0.95, bird.u(1.2, 1.6))])
    sheet.brush(bird.tail, twig, bird.line * 1.2)
    for k in range(int(bird.rng.integers(4, 9))):
        x, y = twig[int((k + 1) / 10 * len(twig))]
        angle = bird.u(60, 130) if k % 2 else bird.u(-60, 10)
        spot = np.radians(angle)
        draw_part(
            sheet,
            bird,
            bird.tail,
            ellipse(x + 0.25 * np.cos(spot), y + 0.25 * np.sin(spot), bird.u(0.18, 0.3), 0.08, angle),
            solid=True,
        )
    spine = curve([(0.0, -1.0), (0.15, -0.4), (0.1, 0.2), (-0.2, 0.75)])
    wide = bird.u(0.6, 0.9)
    filled = draw_part(sheet, bird, bird.body, ribbon(spine, (wide * 0.6, wide, wide * 0.7, 0.1)))
    draw_hatch(
        sheet, bird, spine[4:], wide * 0.6, None if filled else bird.wing, int(bird.rng.integers(3, 6))
    )
    draw_fan(sheet, bird, (-0.05, 0.5), (95, 150), 3, (0.7, 1.0), bird.line * 1.3, bird.tail, 0.06)
    draw_head(sheet, bird, -0.05, -1.05, bird.u(0.34, 0.46), choose(bird.rng, (0.0, -35.0, 200.0)))


def _crane(sheet: Sheet, bird: Bird) -> None:
    """Wings up in many feathers, neck and red head below, thin clouds above."""
    at = (bird.u(-0.1, 0.2), bird.u(-0.1, 0.3))
    for k in range(int(bird.rng.integers(0, 4))):
        y = -1.6 + 0.3 * k
        sheet.line(
            bird.tail, curve([(-0.9, y), (-0.6, y - 0.12), (-0.3, y + 0.02), (0.05, y - 0.1)]), bird.line
        )
    count = int(bird.rng.integers(4, 8))
    draw_fan(
        sheet,
        bird,
        at,
        (-55, -125),
        count,
        (bird.u(1.2, 1.6), bird.u(0.7, 1.2)),
        bird.u(0.12, 0.28),
        bird.wing,
        bird.u(-0.2, 0.2),
    )
    if bird.rng.random() < 0.7:
        draw_fan(
            sheet,
            bird,
            at,
            (200, 165),
            count - 1,
            (bird.u(1.0, 1.3), 0.9),
            bird.u(0.1, 0.22),
            bird.wing,
            bird.u(-0.1, 0.25),
        )
    spine = curve([(at[0] + 0.5, at[1] - 0.2), at, (at[0] - 0.35, at[1] + 0.6)])
    draw_part(sheet, bird, bird.body, ribbon(spine, (0.15, bird.u(0.4, 0.6), 0.14)))
    neck = curve([(at[0] - 0.25, at[1] + 0.4), (at[0] - 0.45, at[1] + 0.85), (at[0] - 0.2, at[1] + 1.1)])
    sheet.brush(bird.other, neck, (0.16, 0.1))
    draw_head(sheet, bird, at[0] - 0.25, at[1] + 1.15, bird.u(0.16, 0.26), bird.u(60, 200))
    draw_fan(
        sheet,
        bird,
        (at[0] + 0.2, at[1] + 0.5),
        (40, 95),
        int(bird.rng.integers(2, 5)),
        (1.1, 1.2),
        bird.line * 1.2,
        bird.other,
        0.12,
    )


def _combed(sheet: Sheet, bird: Bird, wing: Points, wide: float, side: int) -> None:
    """Draw a wing as its front edge with long feathers on one side, like a comb; short ones at its ends."""
    sheet.line(bird.wing, wing, bird.line * 1.2)
    step, droop = int(bird.rng.integers(2, 4)), bird.u(-0.25, 0.45)
    for k in range(1, len(wing) - 1, step):
        way = wing[k + 1] - wing[k]
        way = way / (np.hypot(*way) + 1e-9)
        reach = wide * bird.u(0.85, 1.1) * np.sin(np.pi * (0.15 + 0.75 * k / len(wing)))
        out = np.array([-way[1], way[0]]) * side * reach
        tip = wing[k] + out - way * droop * reach
        middle = wing[k] + out * 0.55
        sheet.line(bird.wing, curve([tuple(wing[k]), tuple(middle), tuple(tip)], 4), bird.line * 0.9)
    if bird.rng.random() < 0.4:  # the lower edge, a little apart
        low = wing + np.array([0.0, 0.12]) * side
        sheet.line(bird.wing, low[: len(low) * 2 // 3], bird.line * 0.9)


def _swoop(sheet: Sheet, bird: Bird) -> None:
    """Diving under clouds: two broad barred wings, one up and one level, head low, ribbons behind."""
    for k in range(int(bird.rng.integers(2, 5))):
        x, y = -0.95 + 0.2 * k * bird.u(0.6, 1.2), -1.5 + 0.3 * k
        wave = [(x + 0.22 * i, y + (0.1 if i % 2 else -0.08)) for i in range(int(bird.rng.integers(3, 6)))]
        sheet.line(bird.tail, curve(wave, 3), bird.line)
    root = np.array([bird.u(0.2, 0.45), bird.u(0.3, 0.6)])
    up = curve([tuple(root), (root[0] + 0.1, -0.4), (root[0] + bird.u(0.1, 0.5), bird.u(-1.5, -1.1))], 8)
    level = curve([tuple(root), (root[0] - 0.6, root[1] - bird.u(0.3, 0.55)), (-1.1, bird.u(0.1, 0.5))], 8)
    is_combed = bird.rng.random() < 0.5
    for wing, wide in ((level, bird.u(0.4, 0.65)), (up, bird.u(0.5, 0.75))):
        if is_combed:
            _combed(sheet, bird, wing, wide * 1.2, -1)
            continue
        filled = draw_part(sheet, bird, bird.wing, ribbon(wing, (0.2, wide, wide * 0.8, 0.12)))
        side = 1 if bird.rng.random() < 0.5 else -1
        for k in range(2, len(wing) - 2, 2):
            way = wing[k + 1] - wing[k]
            out = np.array([-way[1], way[0]]) / (np.hypot(*way) + 1e-9) * side * wide * 0.45
            sheet.line(None if filled else bird.wing, np.array([wing[k], wing[k] + out]), bird.line * 0.9)
    body = curve(
        [tuple(root - (0.0, 0.2)), (root[0] + 0.05, root[1] + 0.45), (root[0] - 0.35, root[1] + 0.6)]
    )
    draw_part(sheet, bird, bird.body, ribbon(body, (0.2, bird.u(0.35, 0.5), 0.16)))
    neck = curve(
        [(root[0] - 0.3, root[1] + 0.6), (root[0] - 0.55, root[1] + 0.75), (root[0] - 0.8, root[1] + 0.35)]
    )
    sheet.brush(bird.other, neck, bird.line * 1.2)
    draw_head(sheet, bird, root[0] - 0.8, root[1] + bird.u(0.3, 0.5), bird.u(0.18, 0.26), bird.u(90, 200))
    for k in range(int(bird.rng.integers(1, 4))):
        x = root[0] + 0.25 + 0.2 * k
        tail = curve(
            [
                (x, root[1] + 0.2),
                (x + 0.2, root[1] + 0.6),
                (x - 0.02, root[1] + 0.85),
                (x + 0.2, root[1] + 1.1),
            ]
        )
        sheet.line(bird.other, tail, bird.line * 1.1)


def _peacock(sheet: Sheet, bird: Bird) -> None:
    """A small head on a bent neck, the long tail with eyes to the ground or as a wheel."""
    ground = 1.6
    sheet.line(
        bird.tail,
        curve([(-0.9, ground), (-0.3, ground - 0.08), (0.4, ground), (0.9, ground - 0.06)]),
        bird.line,
    )
    for x in (-0.15, 0.1):
        sheet.line(
            choose(bird.rng, (bird.other, bird.body)), np.array([[x, 0.8], [x - 0.02, ground]]), bird.line
        )
    if bird.rng.random() < 0.55:  # hanging tail
        tail = curve([(0.0, 0.2), (0.45, 0.6), (0.75, 1.1), (0.85, 1.5)], 8)
        wide = bird.u(0.5, 0.85)
        filled = draw_part(sheet, bird, bird.tail, ribbon(tail, (0.3, wide, wide, 0.3)))
        for k in range(int(bird.rng.integers(5, 12))):
            x, y = tail[6 + k % 12] + bird.rng.uniform(-0.2, 0.2, 2)
            sheet.ring(None if filled else bird.other, x, y, 0.11, 0.05)
    else:
        draw_fan(
            sheet,
            bird,
            (0.05, 0.5),
            (bird.u(-150, -110), bird.u(10, 50)),
            int(bird.rng.integers(7, 12)),
            (bird.u(1.2, 1.6), bird.u(1.0, 1.3)),
            bird.u(0.1, 0.18),
            bird.tail,
            0.0,
            eyes=True,
        )
    body = curve([(-0.35, -0.2), (-0.15, 0.3), (0.25, 0.75)])
    filled = draw_part(sheet, bird, bird.body, ribbon(body, (0.25, bird.u(0.5, 0.75), 0.2)))
    draw_hatch(sheet, bird, body, 0.35, None if filled else bird.wing, 3)
    neck = curve([(-0.3, 0.1), (-0.5, -0.5), (-0.3, -0.9), (-0.4, -1.3)])
    sheet.brush(bird.body, neck, (0.34, 0.2, 0.14))
    draw_head(sheet, bird, -0.4, -1.35, bird.u(0.14, 0.22), bird.u(150, 200))


def _phoenix(sheet: Sheet, bird: Bird) -> None:
    """Flying aslant: round body, two wings to the sides, a long striped tail to the opposite corner."""
    at = np.array([bird.u(-0.3, 0.0), bird.u(-0.6, -0.2)])
    down = bird.u(40, 95)
    draw_fan(
        sheet,
        bird,
        (at[0], at[1]),
        (down - 14, down + 14),
        int(bird.rng.integers(3, 6)),
        (bird.u(1.5, 2.0), bird.u(1.4, 1.9)),
        bird.u(0.12, 0.22),
        bird.tail,
        bird.u(-0.1, 0.1),
    )
    sheet.line(
        bird.other,
        np.array([at, at + 1.6 * np.array([np.cos(np.radians(down)), np.sin(np.radians(down))])]),
        bird.line * 1.5,
    )
    for middle in (down - 100, down + 100):
        draw_fan(
            sheet,
            bird,
            (at[0], at[1]),
            (middle - 30, middle + 30),
            int(bird.rng.integers(3, 6)),
            (bird.u(0.7, 1.1), bird.u(0.5, 1.0)),
            bird.u(0.1, 0.22),
            bird.wing,
            bird.u(-0.15, 0.15),
        )
    filled = draw_part(
        sheet, bird, bird.body, ellipse(at[0], at[1], bird.u(0.35, 0.5), bird.u(0.26, 0.38), down)
    )
    if bird.rng.random() < 0.4:  # the yellow breast of some makers
        sheet.fill((60, 190, 235), ellipse(at[0], at[1], 0.24, 0.2, down))
    elif filled:
        sheet.disc(None, at[0], at[1], 0.14)
    up = np.radians(down + 180 + bird.u(-25, 25))
    head = at + 0.62 * np.array([np.cos(up), np.sin(up)])
    draw_head(sheet, bird, head[0], head[1], bird.u(0.2, 0.32), float(np.degrees(up)) + bird.u(-50, 50))


def _chick(sheet: Sheet, bird: Bird) -> None:
    """A plump standing bird of a few lines."""
    body = ellipse(0.05, 0.25, bird.u(0.6, 0.85), bird.u(0.6, 0.8), 0)
    filled = draw_part(sheet, bird, bird.body, body)
    wing = ellipse(0.2, 0.3, 0.42, 0.26, 20)
    sheet.fill(None if filled else bird.wing, wing)
    draw_fan(sheet, bird, (0.6, 0.2), (-40, 20), 3, (0.6, 0.6), 0.12, bird.tail, 0.1)
    for x in (-0.15, 0.2):
        sheet.line(bird.other, np.array([[x, 0.95], [x, 1.5], [x - 0.25, 1.55]]), bird.line)
    draw_head(sheet, bird, -0.4, -0.6, bird.u(0.36, 0.48), 185.0)
