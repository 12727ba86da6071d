"""What an element may look at: one reading of a complete hand and how it was won, much of it as integers."""

from __future__ import annotations

from collections.abc import Callable

from rules.hand import Hand, Meld, MeldKind
from rules.options import Options
from rules.seats import Seat
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW, Situation, Win
from rules.splits import Reading
from rules.tiles import Tile

# bits of a mask of places in a reading: which sets and pairs an element is made of
CHOW_PLACE = 0
PUNG_PLACE = 8
PAIR_PLACE = 16
KNITTED_PLACE = 24
WIN_PLACE = 28  # not a set: the winning tile
FLOWER_PLACE = 29  # not a set: the flowers laid aside


class Claimed:
    """What is the same for every reading of one claimed win; made once a win.

    Attributes:
        win: kind of the winning tile.
        kinds: mask of the kinds in the whole hand, melds too.
        open_melds, kongs_open, kongs_concealed: numbers of declared sets.
        seat_wind, round_wind: kinds 27-30.
        quads: mask of the kinds of which the hand has all four without a kong.
        shown: copies of the winning tile in the own open melds.
        waits: mask of the waits in form, asked for at most once.
    """

    __slots__ = (
        "_find_waits",
        "_waits",
        "by",
        "dealer",
        "flags",
        "flower_tiles",
        "flowers",
        "hand",
        "kinds",
        "kongs_concealed",
        "kongs_open",
        "open_melds",
        "options",
        "players",
        "quads",
        "round_wind",
        "seat",
        "seat_wind",
        "self_drawn",
        "shown",
        "source",
        "wall_left",
        "win",
    )

    def __init__(
        self, claim: Win, situation: Situation, options: Options, find_waits: Callable[[Hand], int]
    ) -> None:
        hand = claim.hand
        self.hand: Hand = hand
        self.seat: Seat = claim.seat
        self.by: str = claim.by
        self.self_drawn: bool = claim.by == SELF_DRAW
        self.source: Seat | None = claim.source
        self.dealer: Seat = situation.dealer
        self.players: tuple[Seat, ...] = situation.players
        self.flags: frozenset[str] = situation.flags | claim.flags if claim.flags else situation.flags
        self.wall_left: int | None = situation.wall_left if claim.wall_left is None else claim.wall_left
        self.options: Options = options
        self.flowers: int = claim.flowers
        self.flower_tiles: tuple[Tile, ...] = claim.flower_tiles
        self.seat_wind: int = 27 + (claim.seat.index - situation.dealer.index) % 4
        self.round_wind: int = 27 + situation.round_wind.index
        self.win: int = -1 if hand.win_tile is None else hand.win_tile.index
        self.kinds: int = hand.kinds
        self.open_melds: int = 0
        self.kongs_open: int = 0
        self.kongs_concealed: int = 0
        self.shown: int = 0
        self.quads: int = hand.quads
        for meld in hand.melds:
            self._look_at(meld)
        self._find_waits: Callable[[Hand], int] = find_waits
        self._waits: int = -1

    def _look_at(self, meld: Meld) -> None:
        if len(meld.tiles) == 4:
            self.quads &= ~(1 << meld.tiles[0].index)
        if meld.kind is MeldKind.CONCEALED_KONG:
            self.kongs_concealed += 1
            return
        self.open_melds += 1
        if len(meld.tiles) == 4:
            self.kongs_open += 1
        for tile in meld.tiles:
            if tile.index == self.win:
                self.shown += 1

    @property
    def waits(self) -> int:
        """Mask of the kinds that complete the hand in form, those all held too."""
        if self._waits < 0:
            self._waits = self._find_waits(self.hand)
        return self._waits


class View:
    """All that an element may look at: one reading of a complete hand and how it was won.

    Attributes:
        claimed: what is the same for all readings.
        chows, pungs: lowest tiles and kinds, ascending, declared ones too.
        pung_kinds: mask of the kinds of pungs and kongs.
        pair: kind of the pair of a reading with one pair, else -1.
        win: kind of the winning tile.
        concealed_pungs: pungs and kongs that count as concealed (a discard that can only complete a pung
            makes it exposed).
    """

    __slots__ = (
        "chows",
        "claimed",
        "concealed_pungs",
        "hand",
        "kinds",
        "pair",
        "pung_kinds",
        "pungs",
        "reading",
        "self_drawn",
        "win",
    )

    def __init__(self, claimed: Claimed, reading: Reading) -> None:
        self.claimed: Claimed = claimed
        self.reading: Reading = reading
        self.hand: Hand = claimed.hand
        self.kinds: int = claimed.kinds
        self.win: int = claimed.win
        self.self_drawn: bool = claimed.self_drawn
        self.chows: tuple[int, ...] = reading.chows
        self.pungs: tuple[int, ...] = reading.pungs
        self.pair: int = reading.pair_kinds[0] if len(reading.pair_kinds) == 1 else -1
        kinds = 0
        for kind in reading.pungs:
            kinds |= 1 << kind
        self.pung_kinds: int = kinds
        self.concealed_pungs: int = claimed.kongs_concealed + len(reading.hidden_pungs)
        if not self.self_drawn and self.win in reading.hidden_pungs and not self.wins_in_chow():
            self.concealed_pungs -= 1

    def wins_in_chow(self) -> bool:
        """Return whether the winning tile can be seen as completing a chow of standing tiles."""
        win = self.win
        return any(first <= win <= first + 2 for first in self.reading.hidden_chows)

    @property
    def sets(self) -> int:
        """Number of chows, pungs and kongs."""
        return len(self.chows) + len(self.pungs)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the hand, winning tile too."""
        return self.hand.tiles

    @property
    def seat(self) -> Seat:
        """The winner."""
        return self.claimed.seat

    @property
    def by(self) -> str:
        """How it was won: self_draw, discard, rob_kong."""
        return self.claimed.by

    @property
    def by_discard(self) -> bool:
        """True for a win on another player's tile."""
        return self.claimed.by in (DISCARD, ROB_KONG)

    @property
    def source(self) -> Seat | None:
        """Who fed the win."""
        return self.claimed.source

    @property
    def dealer(self) -> Seat:
        """The dealer."""
        return self.claimed.dealer

    @property
    def is_dealer(self) -> bool:
        """True if the winner deals."""
        return self.claimed.seat == self.claimed.dealer

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who plays."""
        return self.claimed.players

    @property
    def flags(self) -> frozenset[str]:
        """Circumstances of the win, see `situation.FLAGS`."""
        return self.claimed.flags

    @property
    def wall_left(self) -> int | None:
        """Tiles left in the wall, if known."""
        return self.claimed.wall_left

    @property
    def options(self) -> Options:
        """What the table agreed on."""
        return self.claimed.options
