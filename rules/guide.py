"""What a variant tells its readers beside its rows: plain words, examples, differences between rule bodies.

Texts are pairs (zh, en). The pages of docs and `mahjong-table rules show` are printed from it and the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.seats import Seat
from rules.variant import Fan, Variant

Text = tuple[str, str]
SEAT, ROUND = Seat.S, Seat.E  # of the winner of every example


def _record(hand: str, told: tuple[str, ...], flowers: int) -> dict[str, Any]:
    seats = {"seat_wind": SEAT.value, "round_wind": ROUND.value}
    return {"hand": hand, **seats, "flowers": flowers, **dict.fromkeys(told, True)}


@dataclass(frozen=True, slots=True)
class Example:
    """What an element is, and a hand that counts it.

    Attributes:
        zh, en: the element in plain words.
        hand: tile text, winning tile after the plus sign.
        total: worth of the whole hand, flowers included.
        sets: the sets behind the element; empty = the whole hand.
        told: what no tile shows, in the keys of a record (`rules.records`).
        flowers: number of flowers laid aside.
    """

    zh: str
    en: str
    hand: str
    total: int
    sets: str = ""
    told: tuple[str, ...] = ()
    flowers: int = 0

    def record(self) -> dict[str, Any]:
        """Return the hand with its circumstances as `rules.records` reads it."""
        return _record(self.hand, self.told, self.flowers)


@dataclass(frozen=True, slots=True)
class ProfileHand:
    """A hand that rule bodies value differently; `totals` by variant key, `why` in plain words."""

    hand: str
    totals: Mapping[str, int]
    why: Text
    told: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the hand with its circumstances as `rules.records` reads it."""
        return _record(self.hand, self.told, 0)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a few sentences."""

    title: Text
    items: tuple[Text, ...]


@dataclass(frozen=True)
class Guide:
    """All that is told of a variant and its profiles.

    Attributes:
        sections: what stands before the elements.
        profiles: (variant key, how it differs), the default one first.
        profile_hands: hands that show the differences.
        examples: by key of the element.
        added: elements that the numbered list does not have, with the number they are known by.
    """

    sections: tuple[Section, ...]
    examples: Mapping[str, Example]
    profiles: tuple[tuple[str, Text], ...] = ()
    profile_hands: tuple[ProfileHand, ...] = ()
    added: Mapping[str, str] = field(default_factory=dict)

    def numbered(self, variant: Variant) -> Iterator[tuple[str, Fan]]:
        """Yield the rows of a variant with the numbers of its list."""
        number = 0
        for fan in variant.fans:
            if fan.key in self.added:
                yield self.added[fan.key], fan
            else:
                number += 1
                yield str(number), fan
