"""What each rule text says of seats, dealers and walls: departures from table-procedure.md.

A text whose variant is not coded yet has its row here too, with its number of tiles; options that the variant
has itself stand there once it is. `note` names what a text asks of the deal that no option says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.options import OptionValue


@dataclass(frozen=True)
class Preset:
    """The evening of one rule text; `tiles` is None where the variant says it."""

    values: Mapping[str, OptionValue] = field(default_factory=dict)
    tiles: int | None = None
    note: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


_MCR = Preset({"mode": "mcr"})
_BY_DICE = "dice_high"  # "first dealer by dice" says no more

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "simplest": Preset(),
        "base-scoring": Preset(),
        "mcr": _MCR,
        "mcr-wmo2006": Preset({"mode": "mcr", "mcr_seats": "every_round"}),
        "mcr-jmsa": _MCR,
        "mcr-1998": _MCR,
        "lianzhong": _MCR,
        "sichuan-xuezhan": Preset({"mode": "dice_each_hand"}, 108),
        "sichuan-xueliu": Preset({"mode": "dice_each_hand"}, 108),
        "tianjin": Preset({"seating": "tianjin", "first_dealer": "draw"}, 136),
        "kawuxing": Preset({"players": 3, "first_dealer": _BY_DICE, "mode": "winner_deals"}, 84),
        "changsha": Preset(
            {"first_dealer": _BY_DICE, "mode": "winner_deals"},
            108,
            (
                "荒庄由摸最后一张的人坐庄，要人指定。",
                "After a drawn hand whoever drew the last tile deals: this is told by hand.",
            ),
        ),
        "dongbei-baopai": Preset({}, 112),
        "harbin": Preset({}, 112),
        "guangdong-tuidaohu": Preset({"first_dealer": _BY_DICE}, 108),
        "guangdong-jipinghu": Preset({"first_dealer": _BY_DICE}, 136),
        "zhuji": Preset({"first_dealer": "random", "mode": "winner_deals"}, 136),
        "two-player": Preset({"players": 2, "mode": "mcr"}, 72),
        "fuzhou": Preset(
            {"first_dealer": "random", "opening": "one_throw_sum", "flower_round": "one_pass"}, 144
        ),
        "yichun": Preset(
            {"first_dealer": "east_throw", "opening": "one_throw_sum", "mode": "winner_deals"}, 136
        ),
        "riichi": Preset(
            {"opening": "one_throw_sum"},
            136,
            (
                "连庄看听牌，东风战或半庄：由日麻规则自己定。",
                "Who repeats depends on being ready, and a game has one or two rounds: the riichi rules say "
                "so.",
            ),
        ),
    }
)
