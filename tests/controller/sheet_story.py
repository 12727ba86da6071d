"""A short MCR evening with a correction and a substitute, whose figures were worked out by hand.

Source: rules text mcr.md: a self-draw is paid by all, 8 and the fan each; a discard by its player with 8 and
the fan, by the others with 8. The hand of 14 is the one of `controller.web.examples`.
"""

from __future__ import annotations

from tests.controller.evening import Evening, four

NAMES = {"p1": "龙井", "p2": "普洱", "p3": "乌龙", "p4": "茉莉", "p5": "毛尖"}
FOURTEEN = "[345p,1] 345m 678p 34s 66s + 5s"
TOTALS = {"p1": -36, "p2": 24, "p3": 2, "p4": 10}
"""p1: -20 -8 -8, p2: 60 -8 -28, p3: -20 -22 and 44 by the substitute, p4: -20 38 -8."""


def told() -> Evening:
    """Return the evening after three hands."""
    evening = Evening("mcr")
    evening.hand("win", four(-20, 60, -20, -20), "S", seat="S", by="self_draw", total=12)
    evening.hand(
        "win", four(-22, -8, -8, 38), "W", seat="N", by="discard", from_="E", total=14, text=FOURTEEN
    )
    evening.agreed(
        "correct_result",
        seat="W",
        reason="it was my discard",
        hand=2,
        kind="win",
        winner="N",
        by="discard",
        from_="W",
        hand_text=FOURTEEN,
        flowers=["e"],
    )
    evening.agreed("replace_player", place="W", reason="has to leave")
    evening.hand("win", four(-8, -28, 44, -8), "N", seat="W", by="discard", from_="S", total=20)
    return evening
