"""What is known of a win, a kong and the hand around them, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.errors import InvalidWin
from rules.hand import Hand, MeldKind
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
    """A declared kong; `source` is the seat that fed an exposed one; a robbed kong is not paid."""

    seat: Seat
    kind: MeldKind
    tile: Tile
    source: Seat | None = None
    robbed: bool = False


def check_win(win: Win, situation: Situation, *, hand_size: int, kinds: int) -> None:
    """Raise InvalidWin where tiles and circumstances contradict each other; `kinds` is the mask of the set.

    A win that the rules refuse is not an error; this is about wins that cannot have happened.
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
        _check_flags(win, situation)
    wall_left = situation.wall_left if win.wall_left is None else win.wall_left
    if wall_left is not None and wall_left < 0:
        raise InvalidWin("wall_left cannot be negative")


def _check_tiles(win: Win, situation: Situation, hand_size: int, kinds: int) -> None:
    hand = win.hand
    if hand.win_tile is None:
        _check_dealt(win, situation, hand_size)
    elif hand.size != hand_size:
        raise InvalidWin(_number_of_tiles(hand, hand_size))
    foreign = hand.kinds & ~kinds
    if foreign:
        tile = TILES[(foreign & -foreign).bit_length() - 1]
        raise InvalidWin(f"{tile} is not in the tile set of this variant")
    if hand.win_tile is not None and hand.win_tile.is_flower:
        raise InvalidWin("a flower is not a winning tile")
    if hand.kinds >> KINDS_WITHOUT_FLOWERS:
        raise InvalidWin("flowers are laid aside and counted apart, not written among the tiles of the hand")


def _number_of_tiles(hand: Hand, hand_size: int) -> str:
    """Return what is wrong with the number of tiles."""
    melds, most = len(hand.melds), hand_size // 3
    if melds > most:
        return f"{melds} declared melds; a hand has at most {most}"
    kongs = ", a kong counting as 3" if hand.kongs else ""
    return f"{hand.size + 1} tiles with the winning one{kongs}; a hand has {hand_size + 1}"


def _check_dealt(win: Win, situation: Situation, hand_size: int) -> None:
    """Only a hand that won as it was dealt has no winning tile apart."""
    if "heavenly" not in situation.flags | win.flags:
        raise InvalidWin("the winning tile is missing (after a plus sign)")
    if win.hand.size != hand_size + 1:
        raise InvalidWin(f"{win.hand.size} tiles were dealt to the dealer; a hand has {hand_size + 1}")


def _check_flowers(win: Win, kinds: int) -> None:
    most = (kinds >> KINDS_WITHOUT_FLOWERS).bit_count()
    if not 0 <= win.flowers <= most:
        raise InvalidWin(f"{win.flowers} flowers; the tile set of this variant has {most}")
    named = win.flower_tiles
    if named and (len(named) != win.flowers or len(set(named)) < len(named)):
        raise InvalidWin("the flowers named are not as many different ones as were counted")
    if any(not tile.is_flower for tile in named):
        raise InvalidWin("only flowers are laid aside as flowers")


def _check_flags(win: Win, situation: Situation) -> None:
    flags = situation.flags | win.flags
    unknown = sorted(win.flags - FLAGS)
    if unknown:
        raise InvalidWin(f"unknown flag {unknown[0]}; known: {', '.join(sorted(FLAGS))}")
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
            f"last_of_kind cannot be true while a copy is concealed in the hand ({win.hand.win_tile})"
        )
    if "last_tile" in flags and win.by == ROB_KONG:
        raise InvalidWin("the last tile cannot be used for a kong, so no kong of it is robbed")
    wall_left = situation.wall_left if win.wall_left is None else win.wall_left
    if "last_tile" in flags and wall_left:
        raise InvalidWin(f"last_tile with {wall_left} tiles left")


def robs_a_tile_it_holds(win: Win) -> bool:
    """Return whether the robbed tile is also elsewhere in the winner's hand: the robbed kong has all four."""
    tile = win.hand.win_tile
    return win.by == ROB_KONG and tile is not None and win.hand.tiles.count(tile) > 1
