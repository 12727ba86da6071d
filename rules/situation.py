"""What is known of a win, a kong and the hand around them, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from rules.errors import InvalidWin
from rules.hand import Hand, MeldKind
from rules.options import Options
from rules.seats import ALL_SEATS, Seat
from rules.tiles import KINDS_WITHOUT_FLOWERS, TILES, Tile

SELF_DRAW: Final = "self_draw"
DISCARD: Final = "discard"
ROB_KONG: Final = "rob_kong"
WAYS: Final = (SELF_DRAW, DISCARD, ROB_KONG)

# Circumstances of a win (source: _common-regional.md, "Case files")
FLAGS: Final = frozenset(
    {
        "after_kong",
        "kong_discard",
        "last_tile",
        "heavenly",
        "earthly",
        "liang",
        "tuichu",
        "passed",
        "undeclared",
        "last_of_kind",
        "human",
        "heavenly_ready",
        "declared_ready",
        "seven_rob_one",
    }
)


_BEFORE_ANY_CLAIM: Final = ("heavenly", "earthly")
_FIRST_TURN: Final = (*_BEFORE_ANY_CLAIM, "human")


@dataclass(frozen=True)
class Situation:
    """The hand in which something is paid; `options` may be raw or resolved.

    `round_wind` is the prevalent wind; a seat's own wind follows from the dealer, who is East. `wild` are the
    kinds that stand for others in this hand, where the table plays with such tiles.
    """

    dealer: Seat
    players: tuple[Seat, ...] = ALL_SEATS
    options: Mapping[str, object] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    wall_left: int | None = None
    round_wind: Seat = Seat.E
    wild: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "flags", frozenset(self.flags))
        object.__setattr__(self, "wild", tuple(self.wild))
        if not isinstance(self.options, Options):
            object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        if any(tile.is_flower for tile in self.wild):
            raise InvalidWin("a flower is never wild")
        if not 2 <= len(self.players) <= 4 or len(set(self.players)) != len(self.players):
            raise InvalidWin("two to four different seats play")
        if self.dealer not in self.players:
            raise InvalidWin(f"the dealer {self.dealer} does not play")
        unknown = sorted(self.flags - FLAGS)
        if unknown:
            raise InvalidWin(f"unknown flag {unknown[0]}; known: {', '.join(sorted(FLAGS))}")
        if self.wall_left is not None and self.wall_left < 0:
            raise InvalidWin("wall_left cannot be negative")


class Win:
    """A claimed win, never changed; `source` is the seat whose tile it takes, None for a self-draw.

    `flags` and `wall_left` add to those of the situation, for hands that several seats win. `flowers` counts
    the flowers laid aside; `flower_tiles` names them where they are known.
    """

    __slots__ = ("by", "flags", "flower_tiles", "flowers", "hand", "seat", "source", "wall_left")

    def __init__(
        self,
        seat: Seat,
        hand: Hand,
        by: str,
        source: Seat | None = None,
        flags: frozenset[str] = frozenset(),
        wall_left: int | None = None,
        flowers: int = 0,
        flower_tiles: tuple[Tile, ...] = (),
    ) -> None:
        self.seat: Final[Seat] = seat
        self.hand: Final[Hand] = hand
        self.by: Final[str] = by
        self.source: Final[Seat | None] = source
        self.flags: Final[frozenset[str]] = flags
        self.wall_left: Final[int | None] = wall_left
        self.flowers: Final[int] = flowers
        self.flower_tiles: Final[tuple[Tile, ...]] = flower_tiles

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Win):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        how = (self.by, self.source, self.flags, self.wall_left)
        return (self.seat, self.hand, how, self.flowers, self.flower_tiles)

    def __repr__(self) -> str:
        return (
            f"Win(seat={self.seat}, hand={self.hand}, by={self.by!r}, source={self.source}, "
            f"flags={{{', '.join(sorted(self.flags))}}}, wall_left={self.wall_left}, "
            f"flowers={self.flowers}, flower_tiles={self.flower_tiles})"
        )

    def with_hand(self, hand: Hand) -> Win:
        """Return the same win with another hand."""
        return Win(
            self.seat,
            hand,
            self.by,
            self.source,
            self.flags,
            self.wall_left,
            self.flowers,
            self.flower_tiles,
        )


@dataclass(frozen=True)
class Kong:
    """A kong; `source` fed an exposed one; a robbed one is not paid; `of_wilds`: four wild tiles.

    `chain` counts kongs that follow one another without anything between them, this one included.
    """

    seat: Seat
    kind: MeldKind
    tile: Tile
    source: Seat | None = None
    robbed: bool = False
    of_wilds: bool = False
    chain: int = 1


def check_win(
    win: Win, situation: Situation, *, hand_size: int, kinds: int, tiles: int, known: frozenset[str]
) -> None:
    """Raise InvalidWin where tiles and circumstances contradict each other.

    A win that the rules refuse is not an error; this is about wins that cannot have happened.

    Args:
        kinds: mask of the kinds in the set.
        tiles: how many tiles the set has.
        known: the flags that the variant has.
    """
    _check_tiles(win, situation, hand_size, kinds)
    if win.by not in WAYS:
        raise InvalidWin(f"by is one of {', '.join(WAYS)}, not {win.by!r}")
    if win.seat not in situation.players:
        raise InvalidWin(f"{win.seat} does not play")
    if win.by == SELF_DRAW and win.source is not None:
        raise InvalidWin("a self-draw comes from nobody")
    if win.by != SELF_DRAW and win.source is None:
        raise InvalidWin(f"who fed the {win.by} win is missing")
    if win.source is not None and (win.source == win.seat or win.source not in situation.players):
        raise InvalidWin(f"{win.seat} cannot win from {win.source}")
    if win.by == ROB_KONG and robs_a_tile_it_holds(win):
        raise InvalidWin(
            f"the robbed tile cannot be held elsewhere in the winning hand: all four {win.hand.win_tile} "
            "are in the robbed kong"
        )
    if win.flowers or win.flower_tiles:
        _check_flowers(win, kinds)
    if win.flags or situation.flags:
        _check_flags(win, situation, known)
    wall_left = situation.wall_left if win.wall_left is None else win.wall_left
    if wall_left is not None:
        _check_wall(win, situation, wall_left, tiles - (hand_size * len(situation.players) + 1), kinds)


def _check_wall(win: Win, situation: Situation, wall_left: int, most: int, kinds: int) -> None:
    """`most` are left after the deal, when each player has a hand and the dealer one tile more.

    A win takes one tile above the hands too, whether drawn or discarded. For each kong and each flower of the
    winner one more was drawn.
    """
    drawn = len(win.hand.kongs) + win.flowers
    if not 0 <= wall_left <= most - drawn:
        after = f" and {drawn} kongs and flowers" if drawn else ""
        raise InvalidWin(f"{wall_left} tiles in the wall; after the deal{after} 0 to {most - drawn} are left")
    if not wall_left and win.by == ROB_KONG:
        raise InvalidWin("no kong is declared when the wall is empty, so none is robbed")
    flags = situation.flags | win.flags
    flowers = (kinds >> KINDS_WITHOUT_FLOWERS).bit_count()  # all may have been replaced before
    if "heavenly" in flags and wall_left < most - flowers:
        raise InvalidWin(f"heavenly is a win before any draw: {most - flowers} tiles are left at least")
    as_dealt = win.by == SELF_DRAW and win.seat == situation.dealer and wall_left == most - drawn
    if "human" in flags and as_dealt:
        raise InvalidWin("the dealer's win on the dealt tiles is heavenly, not human")
    if not wall_left:
        _refuse_first_turn(flags, _FIRST_TURN, "in the first turn, when the wall is not empty")


def _check_tiles(win: Win, situation: Situation, hand_size: int, kinds: int) -> None:
    hand = win.hand
    if kinds >> KINDS_WITHOUT_FLOWERS:
        _refuse_flowers(hand)
    if hand.win_tile is None:
        _check_dealt(win, situation, hand_size)
    elif hand.size != hand_size:
        raise InvalidWin(_number_of_tiles(hand, hand_size))
    foreign = hand.kinds & ~kinds
    if foreign:
        tile = TILES[(foreign & -foreign).bit_length() - 1]
        raise InvalidWin(f"{tile} is not in the tile set of this variant")


def _refuse_flowers(hand: Hand) -> None:
    if hand.win_tile is not None and hand.win_tile.is_flower:
        raise InvalidWin("a flower (a to h) is not a winning tile; winds and dragons are capital letters")
    if hand.kinds >> KINDS_WITHOUT_FLOWERS:
        raise InvalidWin(
            "flowers (a to h) are laid aside and counted apart, not written among the tiles of the hand; "
            "winds and dragons are capital letters"
        )


def _number_of_tiles(hand: Hand, hand_size: int) -> str:
    """Return what is wrong with the number of tiles."""
    melds, most = len(hand.melds), hand_size // 3
    if melds > most:
        return f"{melds} declared melds; a hand has at most {most}"
    kongs = ", a kong counting as 3" if hand.kongs else ""
    return f"{hand.size + 1} tiles with the winning one{kongs}; a hand has {hand_size + 1}"


def _check_dealt(win: Win, situation: Situation, hand_size: int) -> None:
    """Only a hand that won as it was dealt has no winning tile apart."""
    flags = situation.flags | win.flags
    if "heavenly" not in flags and "human" in flags:
        raise InvalidWin("the dealer's win on the dealt tiles is heavenly, not human")
    if "heavenly" not in flags:
        raise InvalidWin("the winning tile is missing (after a plus sign)")
    if win.hand.size != hand_size + 1:
        raise InvalidWin(f"{win.hand.size} tiles were dealt to the dealer; a hand has {hand_size + 1}")


def _check_flowers(win: Win, kinds: int) -> None:
    most = (kinds >> KINDS_WITHOUT_FLOWERS).bit_count()
    if type(win.flowers) is not int:
        raise InvalidWin(f"flowers are a whole number, not {win.flowers!r}")
    if not 0 <= win.flowers <= most:
        raise InvalidWin(f"{win.flowers} flowers; the tile set of this variant has {most}")
    named = win.flower_tiles
    if named and (len(named) != win.flowers or len(set(named)) < len(named)):
        raise InvalidWin("the flowers named are not as many different ones as were counted")
    if any(not tile.is_flower for tile in named):
        raise InvalidWin("only flowers are laid aside as flowers")


def _check_flags(win: Win, situation: Situation, known: frozenset[str]) -> None:
    flags = situation.flags | win.flags
    unknown = sorted(flags - known)
    if unknown:
        raise InvalidWin(f"{unknown[0]} is no flag of this variant; it has: {', '.join(sorted(known))}")
    if "after_kong" in flags and win.by != SELF_DRAW:
        raise InvalidWin("a kong replacement is always a self-draw")
    if "after_kong" in flags and not win.hand.kongs:
        raise InvalidWin("a win on a kong replacement needs a declared kong")
    if "kong_discard" in flags and win.by != DISCARD:
        raise InvalidWin("kong_discard needs a win on a discard")
    if "heavenly" in flags and (win.by != SELF_DRAW or win.seat != situation.dealer or win.hand.melds):
        raise InvalidWin("heavenly is the dealer's self-draw on the dealt tiles")
    if "last_of_kind" in flags and win.hand.win_tile in win.hand.concealed:
        raise InvalidWin(
            "the last of its kind (last_of_kind) is won when the other three lie open; "
            f"the hand holds a concealed {win.hand.win_tile}"
        )
    if "last_tile" in flags and win.by == ROB_KONG:
        raise InvalidWin("the last tile cannot be used for a kong, so no kong of it is robbed")
    wall_left = situation.wall_left if win.wall_left is None else win.wall_left
    if "last_tile" in flags and wall_left:
        raise InvalidWin(f"last_tile with {wall_left} tiles left")
    if "last_tile" in flags:
        _refuse_first_turn(flags, _FIRST_TURN, "in the first turn, not on the last tile")
    if "last_of_kind" in flags:
        _refuse_first_turn(flags, _BEFORE_ANY_CLAIM, "before three of a kind can lie open")


def _refuse_first_turn(flags: frozenset[str], first_turn: tuple[str, ...], why: str) -> None:
    for flag in first_turn:
        if flag in flags:
            raise InvalidWin(f"{flag} is a win {why}")


def robs_a_tile_it_holds(win: Win) -> bool:
    """Return whether the robbed tile is also elsewhere in the winner's hand: the robbed kong has all four."""
    tile = win.hand.win_tile
    return win.by == ROB_KONG and tile is not None and win.hand.tiles.count(tile) > 1
