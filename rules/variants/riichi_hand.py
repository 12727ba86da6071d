"""A win of riichi, counted by the PyPI library `mahjong`; what the table knows becomes the library's inputs.

The library counts tiles by id, 0 to 135, four of a kind in a row; of the fives the first id is the red one.
Source: riichi.md (Input the table must collect for a win, Traps).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.meld import Meld as LibraryMeld

from rules.errors import InvalidHand, InvalidWin
from rules.hand import Hand, MeldKind
from rules.options import Options
from rules.seats import Seat
from rules.situation import ROB_KONG, SELF_DRAW, Situation, Win, check_win
from rules.tiles import Tile, kinds_of
from rules.variants.riichi import TILES
from rules.variants.riichi_yaku import YAKU, Yaku

EVENTS = (
    "riichi",
    "double_riichi",
    "ippatsu",
    "rinshan",
    "haitei",
    "houtei",
    "tenhou",
    "chiihou",
    "renhou",
)
FIVES = {"m": 4, "p": 13, "s": 22}
EAST = 27
_DRAGONS = {31: 33, 32: 32, 33: 31}  # ours 中 发 白, theirs haku hatsu chun
_KINDS_MASK = sum(1 << tile.index for tile in kinds_of(TILES))


@dataclass(frozen=True, slots=True)
class Asked:
    """A win as it is claimed; `red` are the suits whose red five the hand holds.

    Attributes:
        honba: counters on the table; the stick pot is kept outside the library.
        indicators, ura: what lies turned up, and below it for a riichi.
    """

    win: Win
    dealer: Seat
    red: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    round_wind: Seat = Seat.E
    honba: int = 0
    indicators: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """Who owes what, honba apart: `main` the discarder, or the dealer; `additional` the others."""

    main: int
    additional: int
    main_honba: int
    additional_honba: int
    level: str


@dataclass(frozen=True, slots=True)
class Counted:
    """What the library says of a win, or why it is none."""

    reason: str | None
    yaku: tuple[tuple[Yaku, int], ...] = ()
    han: int = 0
    fu: int = 0
    cost: Cost = Cost(0, 0, 0, 0, "")


_RED = re.compile(r"0")
_SUIT = re.compile(r"[mps]")


def without_red(text: str) -> tuple[str, frozenset[str]]:
    """Return a hand's text with 5 for each red five, and the suits of these.

    >>> without_red("340p 22p + 5p")[0]
    '345p 22p + 5p'

    Raises:
        InvalidHand: for two red fives of a suit, or a 0 without a suit.
    """
    found: list[str] = []
    for zero in _RED.finditer(text):
        suit = _SUIT.search(text, zero.end())
        if suit is None:
            raise InvalidHand("0 is a red five: its suit m, p or s is missing")
        found.append(suit.group())
    if len(set(found)) != len(found):
        raise InvalidHand("there is one red five in each suit")
    return text.replace("0", "5"), frozenset(found)


def library_kind(tile: Tile) -> int:
    """Return the library's number of a kind: its dragons stand in another order than ours."""
    return _DRAGONS.get(tile.index, tile.index)


def _tile_ids(red: frozenset[str], with_red: bool) -> Callable[[Tile], int]:
    """Return what gives each tile its own id; the first five is the red one where the hand has it."""
    used: dict[int, int] = {}
    red_kinds = {FIVES[suit] for suit in red}

    def next_id(tile: Tile) -> int:
        kind, place = library_kind(tile), used.get(tile.index, 0)
        used[tile.index] = place + 1
        if kind in FIVES.values() and kind not in red_kinds:
            place = (place + 1) % 4  # 17, 18, 19 are plain
            if place == 0 and with_red:
                raise InvalidWin("four fives of a suit hold the red one: write it 0")
        return kind * 4 + place

    return next_id


def _melds(hand: Hand, next_id: Callable[[Tile], int]) -> list[LibraryMeld]:
    kinds = {
        MeldKind.CHOW: (LibraryMeld.CHI, True),
        MeldKind.PUNG: (LibraryMeld.PON, True),
        MeldKind.EXPOSED_KONG: (LibraryMeld.KAN, True),
        MeldKind.ADDED_KONG: (LibraryMeld.SHOUMINKAN, True),
        MeldKind.CONCEALED_KONG: (LibraryMeld.KAN, False),
    }
    melds = []
    for meld in hand.melds:
        kind, opened = kinds[meld.kind]
        melds.append(LibraryMeld(kind, [next_id(tile) for tile in meld.tiles], opened))
    return melds


def _rules(options: Options) -> OptionalRules:
    local = str(options["local"]).split(",")
    return OptionalRules(
        has_open_tanyao=options.on("open_tanyao"),
        has_aka_dora=options.on("aka"),
        has_double_yakuman=options.on("double_yakuman"),
        kazoe_limit=int(str(options["kazoe_limit"])),
        kiriage=options.on("kiriage"),
        fu_for_open_pinfu=options.on("open_pinfu_30"),
        fu_for_pinfu_tsumo=options.on("pinfu_tsumo_fu"),
        renhou_as_yakuman=options["renhou"] == "yakuman",
        has_daisharin="daisharin" in local,
        has_daichisei="daichisei" in local,
    )


def _config(asked: Asked, options: Options) -> HandConfig:
    """Return the library's account of the win; a new one each time, since its yaku keep what they counted."""
    win, events = asked.win, asked.events
    return HandConfig(
        is_tsumo=win.by == SELF_DRAW,
        is_riichi="riichi" in events,
        is_daburu_riichi="double_riichi" in events,
        is_ippatsu="ippatsu" in events,
        is_rinshan="rinshan" in events,
        is_chankan=win.by == ROB_KONG,
        is_haitei="haitei" in events,
        is_houtei="houtei" in events,
        is_tenhou="tenhou" in events,
        is_chiihou="chiihou" in events,
        is_renhou="renhou" in events and options["renhou"] != "off",
        player_wind=EAST + (win.seat.index - asked.dealer.index) % 4,
        round_wind=EAST + asked.round_wind.index,
        tsumi_number=asked.honba,
        options=_rules(options),
    )


def count(asked: Asked, options: Options) -> Counted:
    """Return yaku, han, fu and cost of a win as the library counts them.

    Raises:
        InvalidWin: if tiles and circumstances contradict each other.
    """
    win = asked.win
    situation = Situation(asked.dealer)
    check_win(win, situation, hand_size=13, kinds=_KINDS_MASK, tiles=TILES, known=frozenset())
    if win.hand.win_tile is None:
        raise InvalidWin("the winning tile is missing (after a plus sign)")
    next_id = _tile_ids(asked.red, options.on("aka"))
    win_id = next_id(win.hand.win_tile)
    melds = _melds(win.hand, next_id)
    ids = [
        win_id,
        *(next_id(tile) for tile in win.hand.concealed),
        *(i for meld in melds for i in meld.tiles),
    ]
    declared = asked.events & {"riichi", "double_riichi"}
    response = HandCalculator.estimate_hand_value(
        ids,
        win_id,
        melds,
        _indicators(asked.indicators),
        _config(asked, options),
        ura_dora_indicators=_indicators(asked.ura) if declared else None,
    )
    return _counted(response)


def _indicators(tiles: Sequence[Tile]) -> list[int]:
    return [library_kind(tile) * 4 + place % 4 for place, tile in enumerate(tiles)]


def _counted(response: HandResponse) -> Counted:
    error, cost = response.error, response.cost
    if error is not None or cost is None:
        return Counted("not_win" if error == HandCalculator.ERR_HAND_NOT_WINNING else error or "not_win")
    found = []
    for yaku in response.yaku or ():
        han = yaku.han_open if response.is_open_hand else yaku.han_closed
        found.append((YAKU[yaku.name], han or 0))
    paid = Cost(
        cost["main"], cost["additional"], cost["main_bonus"], cost["additional_bonus"], cost["yaku_level"]
    )
    return Counted(None, tuple(found), response.han or 0, response.fu or 0, paid)
