"""What an element may look at: one reading of a complete hand and how it was won, much of it as integers."""

from __future__ import annotations

from typing import Final

from rules.hand import Hand, Meld, MeldKind
from rules.options import Options
from rules.packed import GROUP_OF, HONORS, ORPHANS, SUIT_MASKS, UNITS
from rules.seats import Seat
from rules.shapes import Shape
from rules.situation import DISCARD, ROB_KONG, SELF_DRAW, Situation, Win
from rules.splits import Reading
from rules.tiles import Tile
from rules.wait_mask import packed_wait_mask
from rules.wilds import Placement

# Features of a view, as a mask: what many elements need first (see `rules.needs`). The engine looks only at
# elements whose features are all there. What a hand lacks costs nothing then.
NO_HONORS: Final = 1 << 0
HONORS_THERE: Final = 1 << 1
ONE_SUIT: Final = 1 << 2  # or none
TWO_SUITS: Final = 1 << 3
THREE_SUITS: Final = 1 << 4
ORPHANS_ONLY: Final = 1 << 5  # ones, nines and honors
NO_ORPHANS: Final = 1 << 6
QUAD: Final = 1 << 7  # all four of a kind without a kong
PUNGS_ONLY: Final = 1 << 8
CHOWS_ONLY: Final = 1 << 9  # no pung; knitted tiles may be there
HONOR_PUNG: Final = 1 << 10
ORPHAN_PUNG: Final = 1 << 11
CONCEALED_PUNGS: Final = 1 << 12  # at least two
ORPHAN_PAIR: Final = 1 << 13
SEVEN_PAIRS: Final = 1 << 14
LOOSE: Final = 1 << 15  # a shape without sets, or with knitted tiles
KONG: Final = 1 << 16
NO_OPEN_MELD: Final = 1 << 17
FOUR_OPEN_MELDS: Final = 1 << 18
SELF_DRAWN: Final = 1 << 19
TAKEN: Final = 1 << 20  # another player's tile
FLAGGED: Final = 1 << 21  # some circumstance was told
FLOWERS: Final = 1 << 22
WIN_IN_CHOW: Final = 1 << 23
WIN_IN_PAIR: Final = 1 << 24

# bits of a mask of places in a reading: which sets and pairs an element is made of
CHOW_PLACE: Final = 0
PUNG_PLACE: Final = 8
PAIR_PLACE: Final = 16
KNITTED_PLACE: Final = 24
WIN_PLACE: Final = 28  # not a set: the winning tile
FLOWER_PLACE: Final = 29  # not a set: the flowers laid aside

_M: Final = SUIT_MASKS[0]
_P: Final = SUIT_MASKS[1]
_S: Final = SUIT_MASKS[2]
_BY_SUITS: Final = (ONE_SUIT, ONE_SUIT, TWO_SUITS, THREE_SUITS)

WILD_KONG = 99  # stands among the pungs of a view for a kong of wild tiles: above every kind


class Claimed:
    """What is the same for every reading of one claimed win; made once a win.

    Attributes:
        win: kind of the winning tile.
        kinds: mask of the kinds in the whole hand, melds too.
        open_melds, kongs_open, kongs_concealed: numbers of declared sets.
        seat_wind, round_wind: kinds 27-30.
        quads: mask of the kinds of which the hand has all four without a kong.
        shown: copies of the winning tile in the own open melds; none of a tile that another one stands for.
        wild: mask of the kinds that are wild in this hand, `wild_kongs` of those declared as kongs: such a
            set is no kong and no pung of its kind.
        placement: where its wild tiles could stand, None = all tiles are what they show.
        features: those that all readings have.
        flags: what was told; an empty wall tells `last_tile` too.
        waits: mask of the waits in form, asked for at most once.
    """

    __slots__ = (
        "_waits",
        "by",
        "dealer",
        "features",
        "flags",
        "flower_tiles",
        "flowers",
        "hand",
        "kinds",
        "kongs_concealed",
        "kongs_open",
        "open_melds",
        "options",
        "placement",
        "players",
        "quads",
        "round_wind",
        "seat",
        "seat_wind",
        "self_drawn",
        "shapes",
        "shown",
        "source",
        "wall_left",
        "wild",
        "wild_kongs",
        "win",
    )

    def __init__(
        self,
        claim: Win,
        situation: Situation,
        options: Options,
        shapes: tuple[Shape, ...],
        wild: int = 0,
        placement: Placement | None = None,
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
        if self.wall_left == 0:
            self.flags |= {"last_tile"}
        self.options: Options = options
        self.flowers: int = claim.flowers
        self.flower_tiles: tuple[Tile, ...] = claim.flower_tiles
        players = situation.players  # two play E and S, three E, S and W, from the dealer on
        self.seat_wind: int = 27 + (players.index(claim.seat) - players.index(situation.dealer)) % len(
            players
        )
        self.round_wind: int = 27 + situation.round_wind.place
        self.win: int = -1 if hand.win_tile is None else hand.win_tile.index
        self.kinds: int = hand.kinds
        self.open_melds: int = 0
        self.kongs_open: int = 0
        self.kongs_concealed: int = 0
        self.shown: int = 0
        self.quads: int = hand.quads
        self.wild: int = wild
        self.wild_kongs: int = 0
        self.placement: Placement | None = placement
        for meld in hand.melds:
            self._look_at(meld)
        if placement is not None and placement.wins_freely:
            self.shown = 0
        self.features: int = self._features()
        self.shapes: tuple[Shape, ...] = shapes
        self._waits: int = -1

    def _look_at(self, meld: Meld) -> None:
        if len(meld.tiles) == 4:
            self.quads &= ~(1 << meld.tiles[0].index)
            if self.wild >> meld.tiles[0].index & 1:
                self.wild_kongs |= 1 << meld.tiles[0].index
                self.open_melds += meld.is_open
                return
        if meld.kind is MeldKind.CONCEALED_KONG:
            self.kongs_concealed += 1
            return
        self.open_melds += 1
        if len(meld.tiles) == 4:
            self.kongs_open += 1
        for tile in meld.tiles:
            if tile.index == self.win:
                self.shown += 1

    def _features(self) -> int:
        kinds = self.kinds
        suits = (kinds & _M != 0) + (kinds & _P != 0) + (kinds & _S != 0)
        found = _BY_SUITS[suits]
        found |= HONORS_THERE if kinds & HONORS else NO_HONORS
        orphans = kinds & ORPHANS
        if not orphans:
            found |= NO_ORPHANS
        elif orphans == kinds:
            found |= ORPHANS_ONLY
        found |= SELF_DRAWN if self.self_drawn else TAKEN
        if not self.open_melds:
            found |= NO_OPEN_MELD
        elif self.open_melds == 4:
            found |= FOUR_OPEN_MELDS
        if self.quads:
            found |= QUAD
        if self.kongs_open or self.kongs_concealed:
            found |= KONG
        if self.flags:
            found |= FLAGGED
        if self.flowers:
            found |= FLOWERS
        return found

    @property
    def waits(self) -> int:
        """Mask of the kinds that complete the hand in form, those all held too."""
        if self.placement is not None:
            return self.placement.waits()
        if self._waits < 0:
            groups = list(self.hand.packed)
            if self.win >= 0:
                groups[GROUP_OF[self.win]] -= UNITS[self.win]
            packed = groups[0], groups[1], groups[2], groups[3]
            self._waits = packed_wait_mask(packed, len(self.hand.melds), self.shapes)
        return self._waits


class View:
    """All that an element may look at: one reading of a complete hand and how it was won.

    Attributes:
        claimed: what is the same for all readings.
        chows, pungs: lowest tiles and kinds, ascending, declared ones too; kongs of wild tiles come last in
            `pungs`, as a kind that there is not.
        pung_kinds: mask of the kinds of pungs and kongs, those of wild tiles left out.
        pair: kind of the pair of a reading with one pair, else -1.
        win: kind of the winning tile.
        features: what is there, see the constants of this module.
        concealed_pungs: pungs and kongs that count as concealed (a discard that can only complete a pung
            makes it exposed).
    """

    __slots__ = (
        "chows",
        "claimed",
        "concealed_pungs",
        "features",
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
        if claimed.wild_kongs:
            kinds &= ~claimed.wild_kongs
            self.pungs = tuple([WILD_KONG if claimed.wild_kongs >> kind & 1 else kind for kind in self.pungs])
        self.pung_kinds: int = kinds
        wins_in_chow = False
        for first in reading.hidden_chows:
            if first <= self.win <= first + 2:
                wins_in_chow = True
        self.concealed_pungs: int = claimed.kongs_concealed + len(reading.hidden_pungs)
        if not self.self_drawn and not wins_in_chow and self.win in reading.hidden_pungs:
            self.concealed_pungs -= 1
        self.features: int = claimed.features | self._features()
        if wins_in_chow:
            self.features |= WIN_IN_CHOW

    def _features(self) -> int:
        pair, found = self.pair, 0
        if pair < 0:
            found |= SEVEN_PAIRS if self.reading.pair_kinds else LOOSE
        elif pair == self.win:
            found |= WIN_IN_PAIR
        if self.reading.loose or self.reading.knitted >= 0:
            found |= LOOSE
        if pair >= 0 and ORPHANS >> pair & 1:
            found |= ORPHAN_PAIR
        if not self.pungs:
            return found | CHOWS_ONLY
        if not self.chows:
            found |= PUNGS_ONLY
        if self.pung_kinds & HONORS:
            found |= HONOR_PUNG
        if self.pung_kinds & ORPHANS:
            found |= ORPHAN_PUNG
        if self.concealed_pungs > 1:
            found |= CONCEALED_PUNGS
        return found

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
