"""Seat keys on a fake clock: (edges, presses with the time at which they are known)."""

from __future__ import annotations

import pytest

from controller.keys import KeyTimer

CASES = [
    ("short", [(0, 1), (300, 0)], [(320, "short")]),
    ("long fires while held, once", [(0, 1), (2500, 0)], [(1000, "long")]),
    ("just under a second", [(0, 1), (999, 0)], [(1019, "short")]),
    ("exactly a second", [(0, 1), (1000, 0)], [(1000, "long")]),
    ("bounce is no press", [(0, 1), (10, 0), (15, 1), (18, 0)], []),
    ("bounce at both ends", [(0, 1), (5, 0), (8, 1), (200, 0), (206, 1), (210, 0)], [(230, "short")]),
    ("two presses", [(0, 1), (100, 0), (300, 1), (400, 0)], [(120, "short"), (420, "short")]),
    ("a dip while holding", [(0, 1), (500, 0), (510, 1), (1500, 0)], [(1008, "long")]),
]


@pytest.mark.parametrize(("edges", "presses"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
@pytest.mark.parametrize("step_ms", [1, None])
def test_presses(edges: list[tuple[int, int]], presses: list[tuple[int, str]], step_ms: int | None) -> None:
    key, found, pending, rounds = KeyTimer(), [], list(edges), 0
    now = 0
    while now < 4000 and (rounds := rounds + 1) < 10_000:
        for at, level in [edge for edge in pending if edge[0] <= now]:
            pending.remove((at, level))
            found.append((now, key.edge(level, now)))
        found.append((now, key.tick(now)))
        if step_ms:
            now += step_ms
        else:
            times = [at for at, _ in pending] + [at for at in [key.deadline_ms()] if at is not None]
            now = min(times) if times else 4000
    got = [(at, press) for at, press in found if press]
    assert [press for _, press in got] == [press for _, press in presses]
    for (at, _), (want, _) in zip(got, presses, strict=True):
        assert abs(at - want) <= 12
